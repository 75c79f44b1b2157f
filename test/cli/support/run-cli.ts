import { type ChildProcess, spawn } from 'node:child_process'
import { resolve } from 'node:path'
import { Readable, Writable } from 'node:stream'
import { run } from '../../../src/cli/run.js'
import { deep } from '../../support/depth.js'

/** The command as it is built: `npm run build` comes first. */
export const MAIN = resolve(import.meta.dirname, '../../../dist/cli/main.js')

export interface Ran {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

export interface Setting {
  readonly cwd?: string
  readonly env?: Readonly<Record<string, string>>
  /** What stands on its input; `open` leaves that to the test. */
  readonly input?: string
}

export interface Running {
  readonly process: ChildProcess
  /** Resolves with what it wrote to stdout so far, once that has a line. */
  firstLine(): Promise<string>
  /** Resolves once it wrote such a thing to stderr. */
  noted(pattern: RegExp): Promise<void>
  readonly ended: Promise<Ran>
}

/** Starts the command with nothing of this process's environment but where programs are. */
export function start(args: readonly string[], { cwd, env = {}, input }: Setting = {}): Running {
  const child = spawn(process.execPath, [MAIN, ...args], {
    cwd,
    env: { PATH: process.env.PATH, HOME: cwd, TZ: 'UTC', ...env },
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  let stdout = ''
  let stderr = ''
  let seen = () => {}
  const line = new Promise<string>((resolveLine, reject) => {
    seen = () => {
      if (stdout.includes('\n')) resolveLine(stdout.slice(0, stdout.indexOf('\n')))
    }
    child.once('close', () => reject(new Error(`ended before a line: ${stderr}`)))
  })
  line.catch(() => {})
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text
    seen()
  })
  let noted = () => {}
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text
    noted()
  })
  child.stdin.on('error', () => {})
  if (input !== 'open') child.stdin.end(input)
  return {
    process: child,
    firstLine: () => line,
    noted: pattern =>
      new Promise((found, reject) => {
        noted = () => {
          if (pattern.test(stderr)) found()
        }
        noted()
        child.once('close', () => reject(new Error(`ended before ${pattern}: ${stderr}`)))
      }),
    ended: new Promise(end => child.once('close', code => end({ code, stdout, stderr }))),
  }
}

/**
 * Runs the command to its end: in this process, which has it loaded, and in the deep run in one of its own. What only
 * a process can show (pipes, signals, what else holds the folder) is for `start`.
 */
export const privity = (args: readonly string[], setting: Setting = {}): Promise<Ran> =>
  deep ? start(args, setting).ended : inTurn(() => runHere(args, setting))

let last: Promise<unknown> = Promise.resolve()

/** The folder, the input and the time zone are those of the whole process. */
function inTurn<Value>(work: () => Promise<Value>): Promise<Value> {
  const turn = last.then(work)
  last = turn.catch(() => {})
  return turn
}

async function runHere(
  args: readonly string[],
  { cwd = process.cwd(), env = {}, input = '' }: Setting,
): Promise<Ran> {
  const before = { cwd: process.cwd(), zone: process.env.TZ, stdin: process.stdin }
  const stdin = (value: object) =>
    Object.defineProperty(process, 'stdin', { value, configurable: true, enumerable: true })
  const [stdout, stderr] = [collector(), collector()]
  process.chdir(cwd)
  process.env.TZ = 'UTC'
  stdin(Readable.from([Buffer.from(input)]))
  try {
    const code = await run(args, { stdout, stderr, env: { PATH: process.env.PATH, HOME: cwd, ...env } })
    return { code, stdout: stdout.text(), stderr: stderr.text() }
  } finally {
    stdin(before.stdin)
    if (before.zone === undefined) delete process.env.TZ
    else process.env.TZ = before.zone
    process.chdir(before.cwd)
  }
}

function collector(): Writable & { text(): string } {
  const chunks: Buffer[] = []
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      chunks.push(chunk)
      done()
    },
  })
  return Object.assign(stream, { text: () => Buffer.concat(chunks).toString() })
}
