import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { NEED_CATEGORIES } from '../../src/mediation/needs.js'
import { QUERY_TYPES, RETRIEVAL_CONTRACTS, STAGES } from '../../src/policy/retrieval-contract.js'
import { STAGE_GATES } from '../../src/policy/stages.js'
import { openMediation } from '../support/mediation.js'
import { codeBlocks, runProgram } from '../support/run-program.js'
import { openTestServer } from '../support/server.js'
import { anyEngine } from '../support/stores.js'

/** The cells of every row of a table whose first cell matches. */
async function rows(first: RegExp): Promise<string[][]> {
  const text = await readFile('docs/mediation.md', 'utf8')
  return text
    .split('\n')
    .filter(line => line.startsWith('| '))
    .map(line => line.slice(2, -2).split(' | '))
    .filter(([cell = '']) => first.test(cell))
}

describe('docs/mediation.md', () => {
  it('[CB-3, CB-6] walks through a mediation that runs', async () => {
    const [walk = ''] = await codeBlocks('docs/mediation.md')
    expect((await runProgram({ code: walk })).trim().split('\n')).toEqual([
      "emotional_validation [ 'emotional_reading' ]",
      "[ 'I felt hurt, and I need to know that I matter to you.' ]",
      '[]',
    ])
  }, 120_000)

  it('opens with a model, and contributes to the library', async () => {
    const [, model = '', library = ''] = await codeBlocks('docs/mediation.md')
    expect(await runProgram({ code: model })).toBe(`${anyEngine}\n`)
    const output = await runProgram({ code: library })
    expect(output).toMatch(/^Have a cup of tea together at nine/)
    expect(output).not.toContain('ana@example.org')
  }, 120_000)

  it('lists the categories of needs', async () => {
    const text = await readFile('docs/mediation.md', 'utf8')
    const [, listed = ''] = /six needs \(([^;]+);/.exec(text) ?? []
    expect(listed.split(', ')).toEqual(NEED_CATEGORIES.map(category => `\`${category}\``))
  })

  it('[CB-1] has curl lines that run', async () => {
    const server = await openTestServer(anyEngine)
    try {
      const { tenant, session, alice } = await openMediation(server.privity, { stage: 2 })
      await alice.vessel.write({
        session,
        items: [{ type: 'user_event', text: 'I was sad that nobody came to the party' }],
      })
      const [asked] = (await alice.bridge.pending(session)).pendingRequests
      const env = {
        ...process.env,
        PRIVITY_URL: server.url,
        PRIVITY_KEY: await server.keyFor({ tenant, actor: 'alice' }),
        SESSION: session,
        REQUEST: asked?.id ?? '',
      }
      const [block = ''] = await codeBlocks('docs/mediation.md', 'sh')
      const script = block.replaceAll(/^curl/gm, "curl -w '\\n'")
      const { stdout } = await promisify(execFile)('sh', ['-ec', script], { env })
      const [pending, decided, history] = stdout
        .trim()
        .split('\n')
        .map(line => JSON.parse(line))
      expect(pending).toMatchObject({ success: true, data: { pendingRequests: [{ id: asked?.id }] } })
      expect(decided).toMatchObject({ success: true, data: { sharedContent: { consentActive: true } } })
      expect(history.data.records[0]).toMatchObject({ contentType: 'EVENT_SUMMARY', decision: 'GRANTED' })
    } finally {
      await server.dispose()
    }
  }, 120_000)

  it('[RC-3, RC-4, RC-5, RC-6, RC-7] has the table of contracts as the code has it', async () => {
    const expected = QUERY_TYPES.map(type => [
      `\`${type}\``,
      ...STAGES.map(stage => {
        const allowed = RETRIEVAL_CONTRACTS[type][stage]
        if (allowed == null) return '–'
        const { prior, confirmed, contentTypes } = allowed.which
        const parts = [confirmed && 'confirmed', prior && 'prior', contentTypes?.join(', ')]
        return [allowed.sources.join(', '), ...parts.filter(Boolean)].join('; ')
      }),
    ])
    const written = await rows(/^`[a-z]+_?[a-z]*`$/)
    expect(written.filter(cells => cells.length === 1 + STAGES.length)).toEqual(expected)
  })

  it('names for every statement a test that exists', async () => {
    const text = await readFile('docs/mediation.md', 'utf8')
    const proofs = [...text.matchAll(/^\| .+ \| `((?:src|test)\/[^`]+)`: (.+) \|$/gm)]
    expect(proofs.length).toBeGreaterThan(20)
    for (const [, file = '', title = ''] of proofs)
      expect([title, (await readFile(file, 'utf8')).includes(title)]).toEqual([title, true])
  })

  it('[RC-9] has the gates of every stage', async () => {
    const written = (await rows(/^\d \w+$/)).map(([, gates = '']) => gates)
    expect(written).toEqual(STAGES.map(stage => STAGE_GATES[stage].map(gate => `\`${gate}\``).join(', ')))
  })
})
