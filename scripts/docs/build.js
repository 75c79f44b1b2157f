/** Builds the documentation into dist/docs, if something that it is made of changed since the last build. */
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { contentHash } from '../content-hash.js'

process.chdir(fileURLToPath(new URL('../..', import.meta.url)))

const OUT = 'dist/docs'
const STAMP = `${OUT}/.content-hash`
const MADE_OF = [
  ...['docs', 'scripts/docs', 'package.json', 'dist/http', 'dist/operations.js', 'dist/generated'],
  ...['SECURITY.md', 'ARCHITECTURE.md', 'SPEC.md', 'CONTRIBUTING.md', 'CHANGELOG.md', 'bench/README.md'],
]
const hash = contentHash(
  MADE_OF.filter(path => existsSync(path)),
  file => !file.endsWith('.d.ts') && !file.endsWith('.map'),
)
if (!existsSync(STAMP) || readFileSync(STAMP, 'utf8') !== hash) await buildDocs()

async function buildDocs() {
  const { makeSite } = await import('./site.js')
  const { pages, search } = await makeSite()
  rmSync(OUT, { recursive: true, force: true })
  mkdirSync(`${OUT}/assets`, { recursive: true })
  await build({
    entryPoints: ['scripts/docs/browser/docs.js', 'scripts/docs/browser/docs.css'],
    outdir: `${OUT}/assets`,
    bundle: true,
    minify: true,
    format: 'esm',
    target: 'es2022',
  })
  writeFileSync(`${OUT}/assets/search.json`, JSON.stringify(search))
  if (existsSync('docs/pictures')) cpSync('docs/pictures', `${OUT}/pictures`, { recursive: true })
  for (const { path, html } of pages) {
    const file = `${OUT}/${path === '' ? 'index' : path}.html`
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, html)
  }
  writeFileSync(STAMP, hash)
}
