/**
 * Builds the sources, the console and the documentation, each only if something that it is made of changed. It says at once that it is
 * building, because the first build takes a while.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { contentHash } from './content-hash.js'

process.chdir(fileURLToPath(new URL('..', import.meta.url)))

const STAMP = 'dist/.content-hash'
const hash = contentHash(['src', 'tsconfig.json', 'tsconfig.build.json', 'package-lock.json'])
if (!existsSync(STAMP) || readFileSync(STAMP, 'utf8') !== stamp()) {
  say('building Privity, once …')
  const { status } = spawnSync(
    process.execPath,
    ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.build.json', '--checkers', '1'],
    { stdio: 'inherit' },
  )
  // Sources with a type error are built too, but must be built again.
  if (status !== 0) process.exit(status ?? 1)
  mkdirSync('dist', { recursive: true })
  writeFileSync(STAMP, stamp())
}
await import('./build-web.js')
await import('./docs/build.js')

/** What was built, and when: somebody may have run the compiler by hand since. */
function stamp() {
  return `${hash} ${statSync('dist/.tsbuildinfo', { throwIfNoEntry: false })?.mtimeMs}`
}

/** @param {string} text */
function say(text) {
  if (process.stderr.isTTY) process.stderr.write(`${text}\n`)
}
