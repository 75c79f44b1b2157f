import { type ChildProcess, spawn } from 'node:child_process'
import { resolve } from 'node:path'

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

/** Runs the command to its end. */
export const privity = (args: readonly string[], setting?: Setting): Promise<Ran> =>
  start(args, setting).ended
