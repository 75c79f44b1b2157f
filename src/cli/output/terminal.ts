import type { Writable } from 'node:stream'

type Style = 'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'cyan' | 'mark'

const CODES: Readonly<Record<Style, readonly [number, number]>> = {
  bold: [1, 22],
  dim: [2, 22],
  red: [31, 39],
  green: [32, 39],
  yellow: [33, 39],
  cyan: [36, 39],
  mark: [33, 39],
}

interface Stream extends Writable {
  readonly isTTY?: boolean
  readonly columns?: number
}

export interface TerminalOptions {
  readonly stdout: Stream
  readonly stderr: Stream
  readonly env: Readonly<Record<string, string | undefined>>
  readonly json: boolean
}

/** The output of a command: answers go to stdout, notes about them to stderr. */
export class Terminal {
  readonly json: boolean
  /** The number of columns; infinite if the output is not a terminal. */
  readonly width: number
  readonly isWatched: boolean
  readonly #stdout: Stream
  readonly #stderr: Stream
  readonly #colours: { readonly stdout: boolean; readonly stderr: boolean }

  constructor({ stdout, stderr, env, json }: TerminalOptions) {
    this.json = json
    this.#stdout = stdout
    this.#stderr = stderr
    this.width = stdout.isTTY === true ? (stdout.columns ?? 80) : Number.POSITIVE_INFINITY
    this.isWatched = stderr.isTTY === true
    this.#colours = { stdout: hasColours(stdout, env), stderr: hasColours(stderr, env) }
  }

  /** Prints a line of the answer. */
  line(text = ''): void {
    this.#stdout.write(`${text}\n`)
  }

  /** Prints the answer as JSON: indented on a terminal, otherwise on one line. */
  document(value: unknown): void {
    this.line(safeJson(value, this.#stdout.isTTY === true ? 2 : undefined))
  }

  /** Writes text and waits until the reader has caught up (backpressure). */
  async stream(text: string): Promise<void> {
    if (!this.#stdout.write(text))
      await new Promise<void>(resolve => this.#stdout.once('drain', () => resolve()))
  }

  /** Prints a note about the answer. */
  note(text = ''): void {
    this.#stderr.write(`${text}\n`)
  }

  /** Prints an error for programs. */
  noteJson(value: unknown): void {
    this.note(safeJson(value))
  }

  /** Replaces the last line. */
  overwrite(text: string): void {
    this.#stderr.write(`\r\u001b[2K${text}`)
  }

  style(style: Style, text: string, to: 'stdout' | 'stderr' = 'stdout'): string {
    if (!this.#colours[to] || text === '') return text
    const [on, off] = CODES[style]
    return `\u001b[${on}m${text}\u001b[${off}m`
  }
}

/** Colours are used only on a terminal, unless NO_COLOR or FORCE_COLOR says otherwise. */
function hasColours(stream: Stream, env: Readonly<Record<string, string | undefined>>): boolean {
  if (env.NO_COLOR) return false
  if (env.FORCE_COLOR !== undefined) return env.FORCE_COLOR !== '0' && env.FORCE_COLOR !== 'false'
  return stream.isTTY === true && env.TERM !== 'dumb'
}

/**
 * JSON without characters that control a terminal. JSON.stringify escapes most control characters itself, but not C1
 * controls and marks that change the writing direction.
 */
export function safeJson(value: unknown, indent?: number): string {
  return JSON.stringify(value ?? null, null, indent).replace(
    /[\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g,
    character => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}
