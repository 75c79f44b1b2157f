import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { build } from 'esbuild'
import manifest from '../../package.json' with { type: 'json' }
import { deep } from './depth.js'
import { freshDatabase } from './stores.js'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const run = promisify(execFile)

/**
 * Runs a program as a user would, in an empty folder, with `privity` being these sources and `typed` its input. The first
 * store that it opens in memory is a database, which opens sooner, unless it is to be `inMemory`, as in the deep run.
 */
export async function runProgram(
  source: { code: string } | { file: string },
  args: string[] = [],
  env: Readonly<Record<string, string>> = {},
  typed = '',
  { inMemory = deep } = {},
): Promise<string> {
  const database = inMemory ? undefined : await freshDatabase()
  const folder = await mkdtemp(join(ROOT, 'node_modules/.cache-readme-'))
  const out = join(folder, 'program.mjs')
  try {
    await build({
      ...('file' in source
        ? { entryPoints: [join(ROOT, source.file)] }
        : { stdin: { contents: source.code, loader: 'ts', resolveDir: ROOT } }),
      outfile: out,
      bundle: true,
      format: 'esm',
      platform: 'node',
      packages: 'external',
      plugins: [
        {
          name: 'these sources',
          setup({ onResolve }) {
            onResolve({ filter: /^privity$|^\.\.\/dist\/index\.js$/ }, () => ({
              path: join(ROOT, 'src/index.ts'),
            }))
            onResolve({ filter: /^privity\/[\w-]+$/ }, ({ path }) => ({ path: sourceOf(path) }))
          },
        },
        {
          name: 'version',
          setup({ onLoad }) {
            onLoad({ filter: /src\/version\.ts$/ }, () => ({
              contents: `export const VERSION = ${JSON.stringify(manifest.version)}`,
            }))
          },
        },
        {
          name: 'a database for memory',
          setup({ onLoad }) {
            if (database === undefined) return
            onLoad({ filter: /storage\/pglite\.ts$/ }, async ({ path }) => ({
              loader: 'ts',
              contents: (await readFile(path, 'utf8')).replace(
                'if (dataDir === null) {',
                toDatabase(database.url),
              ),
            }))
          },
        },
        {
          // Bundled code finds the SQL beside the project, not beside itself.
          name: 'sql folder',
          setup({ onLoad }) {
            onLoad({ filter: /storage\/migrate\.ts$/ }, async ({ path }) => ({
              loader: 'ts',
              contents: (await readFile(path, 'utf8')).replace(
                `fileURLToPath(new URL('../../sql', import.meta.url))`,
                JSON.stringify(join(ROOT, 'sql')),
              ),
            }))
          },
        },
      ],
    })
    const running = run(process.execPath, [out, ...args], {
      cwd: folder,
      env: { ...process.env, NO_COLOR: '1', ...env },
    })
    running.child.stdin?.end(typed)
    return (await running).stdout
  } finally {
    await database?.drop()
    await rm(folder, { recursive: true, force: true })
  }
}

/** Put at the top of what opens a store in memory. */
const toDatabase = (url: string) => `
  if (dataDir === null && globalThis.tookDatabase === undefined) {
    globalThis.tookDatabase = true
    const { openPostgres } = await import('./postgres.js')
    return openPostgres({ url: ${JSON.stringify(url)}, ...(observe && { observe }) })
  }
  if (dataDir === null) {`

const isExport = (value: unknown): value is { default: string } =>
  typeof value === 'object' && value !== null && 'default' in value

/** The source of what a subpath of the package exports. */
function sourceOf(subpath: string): string {
  const exported = (manifest.exports as Record<string, unknown>)[subpath.replace(/^privity/, '.')]
  if (!isExport(exported)) throw new Error(`${subpath} is not exported`)
  return join(ROOT, exported.default.replace('./dist/', 'src/').replace(/\.js$/, '.ts'))
}

/** The examples of a page, in order. */
export async function codeBlocks(page: string, language = 'ts'): Promise<string[]> {
  const text = await readFile(join(ROOT, page), 'utf8')
  const blocks = [...text.matchAll(/```(\w*)\n([\s\S]*?)```/g)]
  return blocks.filter(([, written]) => written === language).map(([, , code = '']) => code)
}
