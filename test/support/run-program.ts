import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { build } from 'esbuild'
import { inject } from 'vitest'
import manifest from '../../package.json' with { type: 'json' }
import { deep } from './depth.js'
import { seedFolder } from './migrated-pgdata.js'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const run = promisify(execFile)

/**
 * Runs a program as a user would, in an empty folder, with `privity` being these sources and `typed` its input. Each
 * store that it opens in memory is a database, which opens sooner, and one in a folder is there already, with nothing in
 * it; in the deep run both are made as written.
 */
export async function runProgram(
  source: { code: string } | { file: string },
  args: string[] = [],
  env: Readonly<Record<string, string>> = {},
  typed = '',
): Promise<string> {
  const folder = await mkdtemp(join(ROOT, 'node_modules/.cache-readme-'))
  const out = join(folder, 'program.mjs')
  try {
    const [, dataDir] = ('code' in source && /dataDir: '\.\/(\w+)'/.exec(source.code)) || []
    if (dataDir !== undefined && !deep) await seedFolder(join(folder, dataDir))
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
            if (deep) return
            onLoad({ filter: /storage\/pglite\.ts$/ }, async ({ path }) => ({
              loader: 'ts',
              contents: (await readFile(path, 'utf8')).replace('if (dataDir === null) {', TO_DATABASE),
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
      env: {
        ...process.env,
        NO_COLOR: '1',
        TEST_POSTGRES: inject('postgresUrl'),
        TEST_TEMPLATE: inject('postgresTemplate'),
        ...env,
      },
    })
    running.child.stdin?.end(typed)
    return (await running).stdout
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Put at the top of what opens a store in memory. The databases are gone with their server. */
const TO_DATABASE = `
  if (dataDir === null) {
    const { default: pg } = await import('pg')
    const client = new pg.Client({ connectionString: process.env.TEST_POSTGRES })
    const name = 'p_' + crypto.randomUUID().replaceAll('-', '')
    await client.connect()
    await client.query('create database ' + name + ' template ' + process.env.TEST_TEMPLATE + ' strategy file_copy')
    await client.end()
    const url = new URL(process.env.TEST_POSTGRES)
    url.pathname = '/' + name
    const { openPostgres } = await import('./postgres.js')
    return openPostgres({ url: url.href, ...(observe && { observe }) })
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
