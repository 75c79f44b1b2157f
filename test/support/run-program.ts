import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { format, promisify } from 'node:util'
import { build, transform } from 'esbuild'
import { inject } from 'vitest'
import manifest from '../../package.json' with { type: 'json' }
import { type OpenOptions, open, type Privity } from '../../src/open.js'
import { deep } from './depth.js'
import { seedFolder } from './migrated-pgdata.js'
import { type FreshDatabase, freshDatabase } from './stores.js'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const run = promisify(execFile)

/**
 * Runs a program in an empty folder, with `privity` being these sources and `typed` its input, and returns what it
 * prints. The deep run does it as a user would. Else each store that the program opens in memory is a database, which
 * opens sooner, one in a folder is there already, with nothing in it, and code of a page runs in this process, which has
 * the sources loaded.
 */
export async function runProgram(
  source: { code: string } | { file: string },
  args: string[] = [],
  env: Readonly<Record<string, string>> = {},
  typed = '',
): Promise<string> {
  const folder = await mkdtemp(join(ROOT, 'node_modules/.cache-readme-'))
  try {
    return 'code' in source && !deep
      ? await runHere(source.code, folder, env)
      : await runApart(source, folder, args, env, typed)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** What the program imports as `privity` in place of the package: it may open stores in another way. */
const opener = globalThis as { openOfProgram?: (options?: OpenOptions) => Promise<Privity> }

async function runHere(code: string, folder: string, env: Readonly<Record<string, string>>): Promise<string> {
  const exported = (subpath: string) => JSON.stringify(pathToFileURL(join(ROOT, builtFile(subpath))).href)
  const [, dataDir] = /dataDir: '\.\/(\w+)'/.exec(code) ?? []
  if (dataDir !== undefined) await seedFolder(join(folder, dataDir))
  await writeFile(
    join(folder, 'privity.mjs'),
    `export * from ${exported('privity')}\nexport const open = options => globalThis.openOfProgram(options)\n`,
  )
  const { code: compiled } = await transform(code, { loader: 'ts', format: 'esm' })
  const program = join(folder, 'program.mjs')
  await writeFile(
    program,
    compiled
      .replace(/from "privity"/g, 'from "./privity.mjs"')
      .replace(/from "(privity\/[\w-]+)"/g, (_, subpath) => `from ${exported(subpath)}`),
  )
  const databases: FreshDatabase[] = []
  const before = { cwd: process.cwd(), env: { ...process.env }, log: console.log }
  let printed = ''
  process.chdir(folder)
  Object.assign(process.env, env)
  console.log = (...values) => {
    printed += `${format(...values)}\n`
  }
  opener.openOfProgram = async (options = {}) => {
    if (options.dataDir !== undefined || options.databaseUrl !== undefined) return open(options)
    const database = await freshDatabase()
    databases.push(database)
    return open({ ...options, databaseUrl: database.url })
  }
  try {
    await import(/* @vite-ignore */ pathToFileURL(program).href)
    return printed
  } finally {
    process.chdir(before.cwd)
    for (const name of Object.keys(env)) delete process.env[name]
    Object.assign(process.env, before.env)
    console.log = before.log
    delete opener.openOfProgram
    for (const database of databases) await database.drop()
  }
}

async function runApart(
  source: { code: string } | { file: string },
  folder: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  typed: string,
): Promise<string> {
  const out = join(folder, 'program.mjs')
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

/** The file that a subpath of the package exports. */
function builtFile(subpath: string): string {
  const exported = (manifest.exports as Record<string, unknown>)[subpath.replace(/^privity/, '.')]
  if (!isExport(exported)) throw new Error(`${subpath} is not exported`)
  return exported.default
}

/** The source of it. */
const sourceOf = (subpath: string) =>
  join(ROOT, builtFile(subpath).replace('./dist/', 'src/').replace(/\.js$/, '.ts'))

/** The examples of a page, in order. */
export async function codeBlocks(page: string, language = 'ts'): Promise<string[]> {
  const text = await readFile(join(ROOT, page), 'utf8')
  const blocks = [...text.matchAll(/```(\w*)\n([\s\S]*?)```/g)]
  return blocks.filter(([, written]) => written === language).map(([, , code = '']) => code)
}
