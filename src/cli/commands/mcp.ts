import type { Sensitivity } from '../../policy/vocabulary.js'
import { VERSION } from '../../version.js'
import type { Command } from '../command.js'
import { omitUndefined } from '../omit-undefined.js'

export const mcpCommand: Command = {
  name: 'mcp',
  summary: 'Serve MCP over standard input and output, for an assistant that starts it',
  arguments: [],
  options: {},
  examples: [
    { line: 'mcp --max-sensitivity medium', does: 'an agent that works for you, on the embedded store' },
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
        ...omitUndefined({ maxSensitivity: options.text('max-sensitivity') as Sensitivity | undefined }),
      },
    )
  },
}
