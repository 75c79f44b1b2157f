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
  await bundlePackages()
  writeFileSync(STAMP, stamp())
}
await import('./build-web.js')
await import('./docs/build.js')

/** Packages of which a small part is used: what of them is needed is built into one file, so that nobody installs the rest. */
async function bundlePackages() {
  const { build } = await import('esbuild')
  mkdirSync('dist/vendor', { recursive: true })
  await build({
    entryPoints: { 'pdf-lib': '@cantoo/pdf-lib' },
    outdir: 'dist/vendor',
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'node',
    legalComments: 'inline',
    logLevel: 'error',
  })
  // Takes PNG and JPEG images apart and puts them together again, for watermarks.
  await build({
    stdin: {
      contents: `export { convertIndexedToRgb, decode, encode } from 'fast-png'
import jpeg from 'jpeg-js'
export const { decode: decodeJpeg, encode: encodeJpeg } = jpeg`,
      resolveDir: '.',
    },
    outfile: 'dist/vendor/images.js',
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'node',
    legalComments: 'inline',
    logLevel: 'error',
  })
  // What draws the pages of a PDF for recipients, in their browser.
  await build({
    entryPoints: { pdfjs: 'unpdf/pdfjs' },
    outdir: 'dist/vendor',
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'browser',
    legalComments: 'inline',
    logLevel: 'error',
  })
}

/** What was built, and when: somebody may have run the compiler by hand since. */
function stamp() {
  return `${hash} ${statSync('dist/.tsbuildinfo', { throwIfNoEntry: false })?.mtimeMs}`
}

/** @param {string} text */
function say(text) {
  if (process.stderr.isTTY) process.stderr.write(`${text}\n`)
}
