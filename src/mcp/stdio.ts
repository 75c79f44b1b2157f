import { Console } from 'node:console'
import { randomUUID } from 'node:crypto'
import type { Readable, Writable } from 'node:stream'
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio'
import type { Invoke } from '../handle.js'
import type { Privity } from '../open.js'
import { type AgentOptions, asAgent } from '../runtime/agent-caller.js'
import { type Access, inSession, type RequestClaims } from '../runtime/caller.js'
import { makeMcpServer } from './server.js'

export interface StdioOptions extends AgentOptions {
  readonly version: string
  /** What every request of this process claims; it can only narrow (DE-3). */
  readonly claims?: RequestClaims
  readonly stdin?: Readable
  readonly stdout?: Writable
}

/**
 * Serves MCP on standard input and output until the input ends or the process is stopped. One process is one
 * conversation. Standard output belongs to the protocol, so everything else is printed to standard error.
 */
export async function runStdio(
  privity: Pick<Privity, 'invoke'>,
  access: Access,
  { stdin = process.stdin, stdout = process.stdout, ...options }: StdioOptions,
): Promise<void> {
  const credential = inSession(asAgent(access, options), randomUUID())
  const transport = new EndingTransport(stdin, stdout)
  const printed = globalThis.console
  globalThis.console = new Console(process.stderr, process.stderr)
  const note = (error: unknown) => console.error(`mcp: ${placeOf(error)}`)
  const invoke: Invoke = (name, input) => privity.invoke(credential, name, input, options.claims)
  const served = serveStdio(() => makeMcpServer(invoke, { version: options.version, onBug: note }), {
    transport,
    onerror: note,
  })
  const end = () => void served.close()
  process.once('SIGTERM', end).once('SIGINT', end)
  try {
    await transport.ended
  } finally {
    process.off('SIGTERM', end).off('SIGINT', end)
    globalThis.console = printed
  }
}

/** Where an error was thrown. Its message is not printed, because it may repeat user input. */
function placeOf(error: unknown): string {
  if (!(error instanceof Error)) return typeof error
  const frames = (error.stack ?? '').split('\n').filter(line => /^\s+at /.test(line))
  return [error.name, ...frames].join('\n')
}

/** A transport that reports when it has closed, whatever the reason. */
class EndingTransport extends StdioServerTransport {
  #end = () => {}
  readonly ended = new Promise<void>(resolve => {
    this.#end = resolve
  })

  override async close(): Promise<void> {
    await super.close()
    this.#end()
  }
}
