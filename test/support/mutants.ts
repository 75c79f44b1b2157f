import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { transform } from 'esbuild'

/** One change of the sources. `file` is a path from the project's root: `src/…/….ts` or `sql/….sql`. */
export interface Mutation {
  readonly file: string
  /** Has to occur exactly once, so that a mutation cannot silently become another or none. */
  readonly find: string
  readonly replace: string
}

export interface Mutant {
  /** A copy of the project: `src` compiled file by file, and `sql`. */
  readonly dir: string
  /** A module of the copy by the path of its source: `import('src/policy/decide.ts')`. The tests share none with it. */
  import(path: string): Promise<unknown>
  dispose(): Promise<void>
}

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

/** Here the packages are found, and Vitest leaves the import to Node. */
const FOLDER = join(ROOT, 'node_modules/.cache/privity-mutants')

/**
 * The project with something broken on purpose, in one place or in several; with null, the same copy unbroken, which has to pass whatever the
 * mutants have to fail.
 *
 * @example
 * const mutant = await makeMutant({ file: 'src/policy/faces.ts', find: 'met &= face', replace: 'met |= face' })
 */
export async function makeMutant(mutation: Mutation | readonly Mutation[] | null): Promise<Mutant> {
  const files = new Map(await compiledProject())
  const mutations = [mutation ?? []].flat()
  for (const file of new Set(mutations.map(({ file }) => file)))
    files.set(
      compiledPath(file),
      await mutate(
        file,
        mutations.filter(mutation => mutation.file === file),
      ),
    )
  await mkdir(FOLDER, { recursive: true })
  const dir = await mkdtemp(join(FOLDER, 'm-'))
  for (const folder of new Set([...files.keys()].map(dirname)))
    await mkdir(join(dir, folder), { recursive: true })
  await Promise.all([...files].map(([path, text]) => writeFile(join(dir, path), text)))
  return {
    dir,
    import: path => import(/* @vite-ignore */ pathToFileURL(join(dir, compiledPath(path))).href),
    dispose: () => rm(dir, { recursive: true, force: true }),
  }
}

async function mutate(file: string, mutations: readonly Mutation[]): Promise<string> {
  let source = await readFile(join(ROOT, file), 'utf8')
  for (const { find, replace } of mutations) {
    const times = source.split(find).length - 1
    if (times !== 1) throw new Error(`the text to replace occurs ${times} times in ${file}: ${find}`)
    if (find === replace) throw new Error(`the mutation of ${file} changes nothing`)
    source = source.replace(find, () => replace)
  }
  return compile(file, source)
}

const compiledPath = (path: string) => path.replace(/\.ts$/, '.js')

async function compile(file: string, source: string): Promise<string> {
  if (!file.endsWith('.ts')) return source
  const { code } = await transform(source, {
    loader: 'ts',
    format: 'esm',
    target: 'es2023',
    sourcefile: file,
  })
  return code
}

let compiling: Promise<ReadonlyMap<string, string>> | undefined

/** The unbroken copy by path, compiled once for each process. */
function compiledProject(): Promise<ReadonlyMap<string, string>> {
  compiling ??= compileProject()
  return compiling
}

async function compileProject(): Promise<ReadonlyMap<string, string>> {
  const folders = await Promise.all(
    ['src', 'sql'].map(top => readdir(join(ROOT, top), { recursive: true, withFileTypes: true })),
  )
  const files = folders
    .flat()
    .filter(entry => entry.isFile() && !entry.name.endsWith('.test.ts'))
    .map(entry => relative(ROOT, join(entry.parentPath, entry.name)))
  return new Map(
    await Promise.all(
      ['package.json', ...files].map(async file => {
        const source = await readFile(join(ROOT, file), 'utf8')
        return [compiledPath(file), await compile(file, source)] as const
      }),
    ),
  )
}
