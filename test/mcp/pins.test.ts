import { readFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { makeMcpHandler } from '../../src/mcp/http.js'
import { TOOLS } from '../../src/mcp/tools.js'
import { OPERATIONS } from '../../src/operations.js'
import { builtInRegistry } from '../../src/runtime/tenant-facts.js'
import { connectTo, ERAS } from '../support/mcp.js'

const PINNED = new URL('tools.json', import.meta.url)

async function listedTools(era: (typeof ERAS)[number]) {
  const handler = makeMcpHandler(
    { invoke: async () => null, seal: plain => plain, unseal: async sealed => sealed },
    { version: '1' },
  )
  const access = { credential: { tenant: 'home', actor: 'ana' }, choosesSession: false }
  const { client } = await connectTo(handler, access, era)
  return (await client.listTools()).tools
}

describe('what models are shown of the tools', () => {
  // A model acts on these words: whoever changes them changes tools.json as well, on purpose.
  it.each(ERAS)('is what is pinned, to the letter, in the %s protocol', async era => {
    expect(await listedTools(era)).toStrictEqual(JSON.parse(await readFile(PINNED, 'utf8')))
  })

  it('says of each tool what it is for and of each field what it means, and shows no field that would widen', async () => {
    for (const { name, description, inputSchema, annotations } of await listedTools('legacy')) {
      expect(description, name).toMatch(/^[A-Z].{40,}\.$/)
      expect(annotations, name).toMatchObject({ destructiveHint: false, openWorldHint: false })
      expect(inputSchema, name).toMatchObject({ type: 'object', additionalProperties: false })
      const fields = fieldsOf(inputSchema)
      for (const [field, told] of fields) expect(told, `${name} ${field}`).toMatch(/^[A-Z].*\.$/)
      for (const wide of [
        'owner',
        'vessel',
        'session',
        'trust',
        'respectConsent',
        'visibilityClass',
        'redactedOf',
      ])
        expect(fields.map(([field]) => field)).not.toContain(wide)
    }
  })

  it('costs a model little', async () => {
    const schemas = (await listedTools('modern')).map(({ inputSchema }) => JSON.stringify(inputSchema))
    expect(schemas.join('').length).toBeLessThan(12_000)
  })

  it('[CP-4] is open to every agent by the built-in policy', () => {
    const allowed = builtInRegistry(OPERATIONS).builtInPolicies.agent.allowedCapabilities.map(pattern =>
      'capability' in pattern ? pattern.capability : null,
    )
    for (const { operation } of TOOLS) expect(allowed).toContain(operation)
  })
})

function fieldsOf(schema: unknown): [string, unknown][] {
  const { properties = {}, items } = schema as {
    properties?: Record<string, { description?: string }>
    items?: object
  }
  return Object.entries(properties)
    .flatMap(([field, part]): [string, unknown][] => [[field, part.description], ...fieldsOf(part)])
    .concat(items === undefined ? [] : fieldsOf(items))
}
