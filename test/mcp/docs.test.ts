import { readFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { COMMANDS } from '../../src/cli/commands/all.js'
import { commandWords, findCommand, parseInvocation } from '../../src/cli/parse.js'
import { OPERATION_TABLE } from '../../src/generated/operation-table.js'
import { DEFAULT_PORT } from '../../src/http/serve.js'
import { TOOLS } from '../../src/mcp/tools.js'
import { CLOSING, OPENING } from '../../src/runtime/data-markers.js'

interface Server {
  readonly command?: string
  readonly args?: readonly string[]
  readonly url?: string
  readonly headers?: Readonly<Record<string, string>>
}

const page = await readFile(new URL('../../docs/mcp.md', import.meta.url), 'utf8')
const blocks = (language: string) =>
  [...page.matchAll(new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``, 'g'))].map(([, block = '']) => block)
const servers = blocks('json').flatMap(block => {
  const config = JSON.parse(block) as Record<'mcpServers' | 'servers', Record<string, Server> | undefined>
  return Object.values(config.mcpServers ?? config.servers ?? {})
})

/** What the command line makes of a line, or the error it would print. */
function read(argv: readonly string[]): string {
  const command = findCommand(commandWords(argv, COMMANDS), COMMANDS)
  if (command === undefined) throw new Error(`there is no command in ${argv.join(' ')}`)
  return parseInvocation(command, argv, {}).command.name
}

describe('docs/mcp.md', () => {
  it('starts what there is, with options that it takes', () => {
    const started = servers.filter(({ command }) => command !== undefined)
    expect(started).toHaveLength(2)
    for (const { command, args = [] } of started) {
      expect([command, ...args.slice(0, 2)]).toEqual(['npx', '-y', 'privity'])
      expect(read(args.slice(2))).toBe('mcp')
    }
    for (const line of blocks('sh').join('').trim().split('\n'))
      expect(read(line.split(' ').slice(1))).toBe('keys create')
  })

  it('points to where a server listens at first', () => {
    const reached = servers.filter(({ url }) => url !== undefined)
    expect(reached).toHaveLength(3)
    for (const { url, headers } of reached) {
      expect(url).toBe(`http://localhost:${DEFAULT_PORT}/mcp`)
      expect(headers?.Authorization).toMatch(/^Bearer \$\{/)
    }
  })

  it('tells of every tool, and of no other', () => {
    const told = [...page.matchAll(/^\| `(\w+)` \|/gm)].map(([, name]) => name)
    expect(told).toEqual(TOOLS.map(({ name }) => name))
    expect(page).toContain(OPENING)
    expect(page).toContain(CLOSING)
    expect(OPERATION_TABLE['consents.list'].route).toBe('GET /consent-requests')
  })
})
