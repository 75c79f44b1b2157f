import { type CallToolResult, Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { expect } from 'vitest'
import type { McpHandler } from '../../src/mcp/http.js'
import type { Access } from '../../src/runtime/caller.js'
import { CLOSING, OPENING, PREAMBLE } from '../../src/runtime/data-markers.js'

/** The protocol of 2025, with a session, and the one of 2026, without. */
export const ERAS = ['legacy', 'modern'] as const
export type Era = (typeof ERAS)[number]

export const newClient = (era: Era) =>
  new Client(
    { name: 'test', version: '1' },
    { versionNegotiation: { mode: era === 'legacy' ? 'legacy' : { pin: '2026-07-28' } } },
  )

/** The SDK's own client, talking to the handler as if it were a server. */
export async function connectTo(
  handler: McpHandler,
  access: Access,
  era: Era,
  headers: Record<string, string> = {},
) {
  const transport = new StreamableHTTPClientTransport(new URL('http://privity.test/mcp'), {
    requestInit: { headers },
    fetch: (url, init) => handler.fetch(new Request(url, init), access),
  })
  const client = newClient(era)
  await client.connect(transport)
  return { client, transport }
}

/** What a tool answered: the one text between the markers, or the error. */
export function answerOf(result: CallToolResult): unknown {
  const [block, ...more] = result.content
  expect(more).toEqual([])
  expect(result.structuredContent).toBeUndefined()
  if (block?.type !== 'text') throw new Error('a tool answers with text')
  if (result.isError === true) {
    expect(block.text).not.toContain(OPENING)
    return { error: JSON.parse(block.text) }
  }
  return dataIn(block.text)
}

/** What stands between the markers of a text that is nothing but them. */
export function dataIn(text: string): unknown {
  const start = `${PREAMBLE}\n${OPENING}\n`
  const end = `\n${CLOSING}`
  expect(text.startsWith(start) && text.endsWith(end)).toBe(true)
  const data = text.slice(start.length, -end.length)
  expect(data).not.toMatch(/[<>]/)
  return JSON.parse(data)
}
