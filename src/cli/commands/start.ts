import type { Credential } from '../../runtime/caller.js'
import type { Privity } from '../../runtime/open.js'
import { credentialOf } from '../access.js'
import type { Command } from '../command.js'
import type { Terminal } from '../output/terminal.js'
import { onOneLine } from '../output/text.js'
import { untilInterrupted } from '../stopped.js'
import { UsageError } from '../usage-error.js'
import { given } from './records.js'

const SERVE_OPTIONS = {
  port: { type: 'number', describe: 'the port to listen on (7171)' },
  host: { type: 'text', value: 'ADDRESS', describe: 'the address to listen on (this machine only)' },
} as const

export const startCommand: Command = {
  name: 'start',
  summary: 'Serve a store over HTTP and MCP until Ctrl-C',
  arguments: [],
  options: SERVE_OPTIONS,
  examples: [{ line: 'start --port 8080', does: 'serve the embedded store' }],
  needs: 'store',
  makesStore: true,
  async run({ options, open, place, terminal }) {
    if ('url' in place()) throw new UsageError('start works on a store, not on a server', 'start')
    const { privity } = await open()
    if (privity === null) return
    await serveUntilInterrupted(privity, credentialOf(options), terminal, {
      port: options.number('port'),
      host: options.text('host'),
    })
  },
}

export const demoCommand: Command = {
  name: 'demo',
  summary: 'Serve an empty store that lasts as long as the command',
  arguments: [],
  options: SERVE_OPTIONS,
  examples: [{ line: 'demo', does: 'try it, and leave nothing behind' }],
  needs: 'nothing',
  async run({ options, terminal }) {
    const { open } = await import('../../runtime/open.js')
    const privity = await open()
    try {
      await serveUntilInterrupted(privity, { tenant: 'default', actor: 'owner' }, terminal, {
        port: options.number('port'),
        host: options.text('host'),
      })
    } finally {
      await privity.close()
    }
  },
}

async function serveUntilInterrupted(
  privity: Privity,
  owner: Credential,
  terminal: Terminal,
  listen: { port: number | undefined; host: string | undefined },
): Promise<void> {
  const { serve } = await import('../../http/serve.js')
  const server = await serve(privity, given(listen))
  const { signal, done } = untilInterrupted()
  try {
    const secret = await firstKey(privity, owner)
    if (terminal.json) terminal.document({ url: server.url, ...given({ secret }) })
    else {
      terminal.line(`listening on ${onOneLine(server.url)}`)
      if (secret !== undefined) {
        terminal.line(`your key, shown this once: ${secret}`)
        terminal.line(`try: PRIVITY_URL=${server.url} PRIVITY_KEY=… privity search "anything"`)
      }
    }
    if (!signal.aborted)
      await new Promise<void>(resolve => signal.addEventListener('abort', () => resolve(), { once: true }))
    await server.close()
  } finally {
    done()
  }
}

/** The first start of a store makes one key for its owner. */
async function firstKey(privity: Privity, owner: Credential): Promise<string | undefined> {
  const host = privity.as({ tenant: owner.tenant, actor: owner.actor, audience: 'host' })
  const { keys } = await host.keys.list({ limit: 1 })
  if (keys.length > 0) return undefined
  const { secret } = await host.keys.create({ name: 'owner', actor: owner.actor, audience: 'owner' })
  return secret ?? undefined
}
