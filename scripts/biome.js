#!/usr/bin/env node
/** Runs Biome, which is installed on demand, with the given arguments: `node scripts/biome.js check .` */
import { spawnSync } from 'node:child_process'
import { realpathSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { install, resolveIn } from './on-demand.js'

/** The command that runs Biome, after installing it where needed. */
export async function biomeCommand() {
  await install('check')
  return [process.execPath, resolveIn('check', '@biomejs/biome/bin/biome')]
}

if (process.argv[1] !== undefined && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) {
  const [node = '', biome = ''] = await biomeCommand()
  process.exitCode = spawnSync(node, [biome, ...process.argv.slice(2)], { stdio: 'inherit' }).status ?? 1
}
