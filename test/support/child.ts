import { type ChildProcess, spawn } from 'node:child_process'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { pathToFileURL } from 'node:url'
import { build } from 'esbuild'

const ROOT = resolve(import.meta.dirname, '../..')

export interface Program {
  /** The compiled module, for Node to run. */
  readonly file: string
  start(...args: string[]): Child
  dispose(): Promise<void>
}

export interface Child {
  process: ChildProcess
  /** The next line of its output; undefined at the end. */
  line(): Promise<string | undefined>
  /** All lines that are still to come. */
  rest(): Promise<string[]>
  /** Sends it a line. */
  tell(line: string): void
  /** Waits until it has ended by itself, which it can once its input has. */
  end(): Promise<void>
  /** Ends it as a power cut would, and waits until it is gone. */
  kill(): Promise<void>
}

/**
 * Compiles a module that imports from `src` (Node 20 cannot run TypeScript), to be run as a process of its own.
 * `command` may wrap the call, as in `['sh', '-c', 'ulimit -f 9; exec "$@"', '-']`.
 */
export async function program(source: string, command: readonly string[] = []): Promise<Program> {
  // Within node_modules, so that packages are found from there.
  const cache = join(ROOT, 'node_modules/.cache')
  await mkdir(cache, { recursive: true })
  const dir = await mkdtemp(join(cache, 'privity-test-'))
  const file = join(dir, 'program.mjs')
  await build({
    stdin: { contents: source, resolveDir: ROOT, loader: 'ts' },
    outfile: file,
    bundle: true,
    platform: 'node',
    format: 'esm',
    packages: 'external',
    // The migrations are found from where the source lies.
    define: { 'import.meta.url': JSON.stringify(pathToFileURL(join(ROOT, 'src/storage/migrate.ts')).href) },
    logLevel: 'silent',
  })
  return {
    file,
    start: (...args) => watch([...command, process.execPath, file, ...args]),
    dispose: () => rm(dir, { recursive: true, force: true }),
  }
}

function watch([file = '', ...args]: string[]): Child {
  const child = spawn(file, args, { stdio: ['pipe', 'pipe', 'inherit'] })
  const ended = new Promise<void>(resolve => child.once('close', () => resolve()))
  // Writing to one that is gone is no failure of the test.
  child.stdin.on('error', () => {})
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const line = async () => {
    const { value, done } = await lines.next()
    return done ? undefined : value
  }
  return {
    process: child,
    line,
    async rest() {
      const all: string[] = []
      for (let next = await line(); next !== undefined; next = await line()) all.push(next)
      return all
    },
    tell: text => void child.stdin.write(`${text}\n`),
    async end() {
      child.stdin.end()
      await ended
    },
    async kill() {
      child.kill('SIGKILL')
      await ended
    },
  }
}
