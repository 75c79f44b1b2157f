import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'
import { CommandStopped, INTERRUPTED } from './command-stopped.js'
import type { Terminal } from './output/terminal.js'
import { UsageError } from './usage-error.js'

/**
 * Asks for a secret without echoing it, twice if it is a new one. `otherwise` says how to give it without a terminal.
 */
export async function askSecret(
  terminal: Terminal,
  what: string,
  otherwise: string,
  { once = false }: { once?: boolean } = {},
): Promise<string> {
  if (process.stdin.isTTY !== true) throw new UsageError(`there is no terminal to ask at; ${otherwise}`)
  const first = await typed(terminal, `${what}: `)
  if (once) return first
  if ((await typed(terminal, `${what} again: `)) !== first)
    throw new UsageError(`the two entries of the ${what} differ; try again`)
  return first
}

/** Whether somebody sits at a terminal who can answer. */
export const canAsk = (terminal: Terminal): boolean => process.stdin.isTTY === true && terminal.isWatched

/** Asks a question that is answered with yes or no. */
export async function confirm(terminal: Terminal, question: string): Promise<boolean> {
  return /^\s*y(?:es)?\s*$/i.test(await typed(terminal, `${question} [y/N] `))
}

function typed(terminal: Terminal, prompt: string): Promise<string> {
  terminal.overwrite(prompt)
  // In terminal mode, readline handles the input itself, and its echo goes to this stream, which discards it.
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() })
  const reading = createInterface({ input: process.stdin, output: nowhere, terminal: true })
  return new Promise((resolve, reject) => {
    reading.once('line', line => {
      resolve(line)
      reading.close()
    })
    reading.once('close', () => {
      terminal.note()
      reject(new CommandStopped(INTERRUPTED))
    })
  })
}
