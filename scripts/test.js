#!/usr/bin/env node
/**
 * `npm test`: builds, then runs the tests and the checks side by side, because tests often wait for something. What is
 * given goes to Vitest. A check that fails ends the run.
 */
import { spawn, spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { ROOT } from './run-vitest.js'

const built = spawnSync('npm', ['run', '--silent', 'build'], { cwd: ROOT, stdio: 'inherit' })
if (built.status !== 0) process.exit(built.status ?? 1)

const check = spawn('npm', ['run', '--silent', 'check'], { cwd: ROOT, stdio: ['ignore', 'pipe', 'pipe'] })
const tests = spawn(
  process.execPath,
  [join(ROOT, 'node_modules/vitest/vitest.mjs'), 'run', ...process.argv.slice(2)],
  { cwd: ROOT, stdio: 'inherit' },
)

let said = ''
for (const output of [check.stdout, check.stderr]) output.on('data', text => (said += text))
/** @param {import('node:child_process').ChildProcess} child @returns {Promise<number>} */
const ended = child => new Promise(resolve => child.once('close', code => resolve(code ?? 1)))

const [checked, tested] = await Promise.all([
  ended(check).then(code => {
    if (code !== 0) {
      console.error(`${said}\nnpm run check failed, so the tests were stopped`)
      tests.kill('SIGINT')
    }
    return code
  }),
  ended(tests),
])
process.exitCode = checked === 0 ? tested : checked
