import type { Sensitivity } from '../../policy/vocabulary.js'
import { VERSION } from '../../version.js'
import type { Command } from '../command.js'
import { omitUndefined } from '../omit-undefined.js'

export const mcpCommand: Command = {
  name: 'mcp',
  summary: 'Serve MCP over standard input and output, for an assistant that starts it',
  arguments: [],
  options: {
    profile: {
      type: 'text',
      value: 'ID',
      env: 'PRIVITY_PROFILE',
      describe: 'a session profile of yours that narrows what the assistant may do and see',
    },
  },
  examples: [
    { line: 'mcp --max-sensitivity medium', does: 'an agent that works for you, on the embedded store' },
    {
      line: 'mcp --scope work --max-sensitivity low',
      does: 'an agent that sees only low records of the scope work',
    },
  ],
  needs: 'store',
  makesStore: true,
  onServer: 'a server speaks MCP itself, at /mcp',
  async run({ open, options }) {
    const { privity, credential } = await open()
    if (privity === null || credential === null) return
    const { runStdio } = await import('../../mcp/stdio.js')
    await runStdio(
      privity,
      { credential, choosesSession: true },
      {
        version: VERSION,
        claims: omitUndefined({ profile: options.text('profile') }),
        ...omitUndefined({ maxSensitivity: options.text('max-sensitivity') as Sensitivity | undefined }),
      },
    )
  },
}
