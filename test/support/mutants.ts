import { createHash } from 'node:crypto'
import { existsSync, linkSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
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

/** What is broken, in words, and how. */
export type NamedMutation = readonly [what: string, mutation: Mutation]

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
  const whole = await compiledProject()
  const mutations = [mutation ?? []].flat()
  const dir = await mkdtemp(join(FOLDER, 'mutant-'))
  const made = new Set<string>()
  const place = (file: string, make: (path: string) => void) => {
    if (made.has(file)) return
    made.add(file)
    mkdirSync(dirname(join(dir, file)), { recursive: true })
    make(join(dir, file))
  }
  const link = (file: string) => place(file, path => linkSync(join(whole.dir, file), path))

  for (const file of new Set(mutations.map(({ file }) => file))) {
    const text = await mutate(
      file,
      mutations.filter(mutation => mutation.file === file),
    )
    place(compiledPath(file), path => writeFileSync(path, text))
  }
  for (const file of whole.files) if (!file.startsWith('src/')) link(file)
  // Threads and the process that reads files find their modules in `dist`: those of the copy, which are broken too.
  place('dist', path => symlinkSync('src', path))
  place('src/vendor', path => symlinkSync(join(ROOT, 'dist/vendor'), path))
  // Without the tokenizer, whatever counts tokens would fail in every history alike.
  place('models', path => symlinkSync(join(ROOT, 'models'), path))
  return {
    dir,
    import(path) {
      const reached = reachedFrom(whole, compiledPath(path))
      for (const file of reached.has(THREADS) ? whole.files : reached) link(file)
      return import(/* @vite-ignore */ pathToFileURL(join(dir, compiledPath(path))).href)
    },
    dispose: async () => rmSync(dir, { recursive: true }),
  }
}

/** Starts modules by their address, which nothing imports. */
const THREADS = 'src/runtime/threads/threads.js'

const IMPORTED = /(?:\bfrom |\bimport |\bimport\()"(\.[^"]+)"/g

const imports = new Map<string, readonly string[]>()

/** A module and all that it imports: a mutant of a gate needs twenty files, not the hundreds there are. */
function reachedFrom({ dir }: CompiledProject, module: string): ReadonlySet<string> {
  const reached = new Set([module])
  for (const file of reached) {
    const found =
      imports.get(file) ??
      [...readFileSync(join(dir, file), 'utf8').matchAll(IMPORTED)].map(([, path = '']) =>
        join(dirname(file), path),
      )
    imports.set(file, found)
    for (const path of found) reached.add(path)
  }
  return reached
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

/** The unbroken copy: where it is, and the paths of the files in it. */
interface CompiledProject {
  readonly dir: string
  readonly files: readonly string[]
}

let compiling: Promise<CompiledProject> | undefined

function compiledProject(): Promise<CompiledProject> {
  compiling ??= compileProject()
  return compiling
}

/** Compiled once for each state of the sources; a mutant links to what it leaves as it is. */
async function compileProject(): Promise<CompiledProject> {
  const found = await Promise.all(
    ['src', 'sql'].map(top => readdir(join(ROOT, top), { recursive: true, withFileTypes: true })),
  )
  const paths = found
    .flat()
    .filter(entry => entry.isFile() && !entry.name.endsWith('.test.ts'))
    .map(entry => relative(ROOT, join(entry.parentPath, entry.name)))
  const sources = ['package.json', ...paths.sort()].map(
    file => [file, readFileSync(join(ROOT, file), 'utf8')] as const,
  )
  const state = createHash('sha256').update(JSON.stringify(sources)).digest('hex').slice(0, 16)
  const project = {
    dir: join(FOLDER, `whole-${state}`),
    files: sources.map(([file]) => compiledPath(file)),
  }
  if (existsSync(project.dir)) return project
  await mkdir(FOLDER, { recursive: true })
  await removeOld()
  const unfinished = await mkdtemp(join(FOLDER, 'unfinished-'))
  await Promise.all(
    sources.map(async ([file, source]) => {
      const path = join(unfinished, compiledPath(file))
      await mkdir(dirname(path), { recursive: true })
      await writeFile(path, await compile(file, source))
    }),
  )
  try {
    await rename(unfinished, project.dir)
  } catch {
    // Another process was quicker.
    await rm(unfinished, { recursive: true })
  }
  return project
}

const DAY = 86_400_000

/** What earlier runs left: copies of other states of the sources, and mutants of runs that were cut off. */
async function removeOld(): Promise<void> {
  for (const name of await readdir(FOLDER)) {
    const path = join(FOLDER, name)
    const { mtimeMs } = await stat(path)
    if (Date.now() - mtimeMs > DAY) await rm(path, { recursive: true, force: true })
  }
}
