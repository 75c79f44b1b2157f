import { Console } from 'node:console'
import { randomUUID } from 'node:crypto'
import type { Readable, Writable } from 'node:stream'
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio'
import { type Access, inSession } from '../runtime/caller.js'
import type { Privity } from '../runtime/open.js'
import { type AgentOptions, asAgent } from './agent-caller.js'
import { makeMcpServer } from './server.js'

export interface StdioOptions extends AgentOptions {
  readonly version: string
  readonly stdin?: Readable
  readonly stdout?: Writable
}

/**
 * Serves MCP on standard input and output until the input ends or the process is told to end. One process is one
 * conversation. Standard output belongs to the protocol: whatever else is printed goes to standard error.
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
  const served = serveStdio(
    () => makeMcpServer((name, input) => privity.invoke(credential, name, input), options),
    { transport, onerror: error => console.error(`mcp: ${error.name}`) },
  )
  const end = () => void served.close()
  process.once('SIGTERM', end).once('SIGINT', end)
  try {
    await transport.ended
  } finally {
    process.off('SIGTERM', end).off('SIGINT', end)
    globalThis.console = printed
  }
}

/** A transport that tells when it has closed, for whatever reason. */
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
