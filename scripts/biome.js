#!/usr/bin/env node
/** Runs Biome, which is installed on demand, with the given arguments: `node scripts/biome.js check .` */
import { spawnSync } from 'node:child_process'
import { install, resolveIn } from './on-demand.js'

await install('check')
const { status } = spawnSync(
  process.execPath,
  [resolveIn('check', '@biomejs/biome/bin/biome'), ...process.argv.slice(2)],
  { stdio: 'inherit' },
)
process.exitCode = status ?? 1
