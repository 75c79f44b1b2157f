import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build } from 'esbuild'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

export interface Bundle {
  /** Starts it as a process of its own, with one JSON argument. */
  start(argument: unknown): Child
  remove(): Promise<void>
}

/** Another process that speaks in lines of JSON. */
export interface Child {
  readonly process: ChildProcess
  /** Everything it has said so far. */
  readonly said: unknown[]
  /** The next line; fails if it ends first. */
  next<T>(): Promise<T>
  tell(value: unknown): void
  /** As the machine would: nothing is finished, nothing is cleaned up. */
  kill(): Promise<void>
  /** Waits until it has ended by itself. */
  ended(): Promise<void>
}

/**
 * A program in TypeScript that imports from `./src`, made into one file that node runs. It says things with
 * `console.log(JSON.stringify(…))`, hears lines on stdin and finds its argument in `process.argv[2]`.
 */
export async function bundle(program: string): Promise<Bundle> {
  // Below node_modules, so that packages are found from it.
  const folder = await mkdtemp(join(ROOT, 'node_modules', '.privity-test-'))
  const outfile = join(folder, 'program.mjs')
  await build({
    stdin: { contents: program, resolveDir: ROOT, loader: 'ts', sourcefile: 'program.ts' },
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    packages: 'external',
    // The migrations are found from where the source lies.
    define: {
      'import.meta.url': JSON.stringify(pathToFileURL(join(ROOT, 'src/storage/migrate.ts')).href),
    },
    logLevel: 'silent',
  })
  return {
    start: argument => startChild([outfile, JSON.stringify(argument)]),
    remove: () => rm(folder, { recursive: true, force: true }),
  }
}

function startChild(args: readonly string[]): Child {
  const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'pipe'] })
  const said: unknown[] = []
  const errors: string[] = []
  let read = 0
  let wake = () => {}
  const over = Promise.all([once(child, 'close')]).then(() => {})
  createInterface({ input: child.stdout }).on('line', line => {
    try {
      said.push(JSON.parse(line))
    } catch {
      // A line cut short by a kill was never said.
    }
    wake()
  })
  child.stderr.on('data', chunk => errors.push(String(chunk)))
  child.stdin.on('error', () => {})
  let isOver = false
  over.then(() => {
    isOver = true
    wake()
  })
  return {
    process: child,
    said,
    async next<T>() {
      while (read >= said.length) {
        if (isOver) throw new Error(`the process ended: ${errors.join('')}`)
        await new Promise<void>(resolve => {
          wake = resolve
        })
      }
      return said[read++] as T
    },
    tell: value => void child.stdin.write(`${JSON.stringify(value)}\n`),
    async kill() {
      child.kill('SIGKILL')
      await over
    },
    ended: () => over,
  }
}
