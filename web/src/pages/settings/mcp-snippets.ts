/** The settings of common assistants. The key stays in the environment, so that no settings file holds it. */
export const SNIPPETS: readonly {
  readonly value: string
  readonly label: string
  readonly file: string
  readonly snippet: (origin: string) => string
}[] = [
  {
    value: 'claude-code',
    label: 'Claude Code',
    file: '.mcp.json',
    snippet: origin =>
      json({
        mcpServers: {
          privity: {
            type: 'http',
            url: `${origin}/mcp`,
            headers: { Authorization: bearer('PRIVITY_KEY') },
          },
        },
      }),
  },
  {
    value: 'cursor',
    label: 'Cursor',
    file: '.cursor/mcp.json',
    snippet: origin =>
      json({
        mcpServers: {
          privity: { url: `${origin}/mcp`, headers: { Authorization: bearer('env:PRIVITY_KEY') } },
        },
      }),
  },
  {
    value: 'vs-code',
    label: 'VS Code',
    file: '.vscode/mcp.json',
    snippet: origin =>
      json({
        inputs: [{ type: 'promptString', id: 'privity-key', description: 'Privity key', password: true }],
        servers: {
          privity: {
            type: 'http',
            url: `${origin}/mcp`,
            headers: { Authorization: bearer('input:privity-key') },
          },
        },
      }),
  },
  {
    value: 'other',
    label: 'Any other',
    file: 'Address and header',
    snippet: origin => `${origin}/mcp\nAuthorization: Bearer $PRIVITY_KEY`,
  },
]

/** Names a variable in the way that these assistants fill in. */
const bearer = (variable: string) => `Bearer $\{${variable}}`
const json = (value: object) => JSON.stringify(value, null, 2)
