/** Builds the console into dist/web, if something that it is made of changed since the last build. */
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { contentHash } from './content-hash.js'

process.chdir(fileURLToPath(new URL('..', import.meta.url)))

const STAMP = 'dist/web/.content-hash'
const hash = contentHash(
  ['web', 'dist/client', 'dist/generated', 'dist/handle.js', 'dist/errors.js', 'package-lock.json'],
  file => !file.endsWith('.d.ts') && !file.endsWith('.map'),
)
if (readStamp() !== hash) {
  // Tests build it too, and would otherwise build the slower form for development.
  process.env.NODE_ENV = 'production'
  if (process.stderr.isTTY) process.stderr.write('building the console, once …\n')
  const { build } = await import('vite')
  await build({ configFile: 'web/vite.config.ts', logLevel: 'warn' })
  writeFileSync(STAMP, hash)
}

function readStamp() {
  try {
    return readFileSync(STAMP, 'utf8')
  } catch {
    return null
  }
}
