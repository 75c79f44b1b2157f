import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { z } from 'zod'
import type { Handle } from '../../src/handle.js'
import { makeMcpHandler } from '../../src/mcp/http.js'
import type { OutputOf } from '../../src/operations.js'
import type { Credential } from '../../src/runtime/caller.js'
import type { draft } from '../../src/runtime/draft.js'
import { answerOf, connectTo, ERAS } from '../support/mcp.js'
import { openTestPrivity, type TestPrivity } from '../support/privity.js'
import { engines } from '../support/stores.js'

const SECRET = 'the treaty falls on friday'
const LEAST = { kind: 'note', sensitivity: 'public', visibilityClass: 'public_open' } as const
const STRICT: z.input<typeof draft> = {
  kind: 'note',
  text: 'x',
  sensitivity: 'high',
  visibilityClass: 'sealed',
  participants: ['ben'],
}

describe.each(engines)('what an agent was shown, written down as less than it is, on %s', engine => {
  let store: TestPrivity
  beforeAll(async () => {
    store = await openTestPrivity(engine)
  })
  afterAll(() => store.dispose())

  /** ana, her agent in as many conversations as are asked for, and a record that says the secret. */
  async function world() {
    const tenant = store.tenant()
    const ana = store.privity.as({ tenant, actor: 'ana' })
    await ana.people.add({ person: 'ben' })
    await ana.people.consent({ person: 'ben', status: 'granted' })
    const credential = {
      tenant,
      actor: 'helper',
      audience: 'agent',
      for: 'ana',
      trust: { maxSensitivity: 'high' },
      visibility: { ceiling: 'firewalled' },
    } as const satisfies Credential
    const { id: secret } = await ana.remember({ ...STRICT, scope: 'work', text: SECRET })
    const talk = (session: string) => store.privity.as({ ...credential, session })
    return { ana, credential, secret, talk }
  }

  /** Of what an agent writes now under the least label it can ask for. */
  async function labelOfNext(ana: Handle, agent: Handle) {
    const { id } = await agent.remember({ ...LEAST, text: 'what it makes of it' })
    const { sensitivity, scope, payload } = (await ana.get(id)) ?? {}
    return [sensitivity, scope, payload?.visibilityClass, payload?.participants?.join(' ')]
  }
  const OF_THE_SECRET = ['high', 'work', 'sealed', 'ben']
  const OF_NOTHING = ['public', null, 'public_open', '']

  describe('beside records', () => {
    const once = { idempotencyKey: 'once' }
    const question = { name: SECRET, query: SECRET }

    /** How the secret is written in one conversation, and read back in another: what is read has it, or was found by it. */
    const ways: Record<string, [write: (one: Handle) => Promise<{ id: string }>, read: Read]> = {
      'consents.request, consents.mine': [
        one => one.consents.request({ person: SECRET }),
        two => two.consents.mine(),
      ],
      'consents.request, the same again': [
        one => one.consents.request({ person: SECRET }),
        two => two.consents.request({ person: SECRET }),
      ],
      'consents.request, repeated under its key': [
        one => one.consents.request({ person: SECRET }, once),
        two => two.consents.request({ person: SECRET }, once),
      ],
      'searches.save, searches.list': [one => one.searches.save(question), two => two.searches.list()],
      'searches.save, repeated under its key': [
        one => one.searches.save(question, once),
        two => two.searches.save(question, once),
      ],
      'searches.save, searches.changes': [
        one => one.searches.save({ name: 'plain', query: SECRET }),
        (two, search) => two.searches.changes(search, { mark: false }),
      ],
    }
    type Read = (two: Handle, id: string) => Promise<object>

    it.each(Object.entries(ways))('[WR-2] %s: the label comes back with it', async (_, [write, read]) => {
      const { ana, secret, talk } = await world()
      expect(await talk('one').get(secret)).toMatchObject({ payload: { text: SECRET } })
      const { id } = await write(talk('one'))
      // Whatever it finds is not why: nothing is left to be found.
      await ana.forget(secret)
      expect(await labelOfNext(ana, talk('two'))).toEqual(OF_NOTHING)
      await read(talk('two'), id)
      expect(await labelOfNext(ana, talk('two'))).toEqual(OF_THE_SECRET)
      expect(await labelOfNext(ana, talk('three'))).toEqual(OF_NOTHING)
    })

    it('[WR-2] what was written before anything was shown brings nothing along, nor does what an owner wrote', async () => {
      const { ana, secret, talk } = await world()
      const early = await talk('one').searches.save({ name: 'early', query: 'words' })
      await talk('one').consents.request({ person: 'early' })
      await talk('one').get(secret)
      await talk('two').searches.list()
      await talk('two').searches.changes(early.id)
      await talk('two').consents.mine()
      expect(await labelOfNext(ana, talk('two'))).toEqual(OF_NOTHING)
      expect((await ana.searches.save({ name: 'own', query: 'words' })).name).toBe('own')
      expect(await labelOfNext(ana, ana)).toEqual(OF_NOTHING)
    })

    it('[WR-2] the label of what was read back is passed on with what is written from it', async () => {
      const { ana, secret, talk } = await world()
      await talk('one').get(secret)
      await talk('one').consents.request({ person: SECRET })
      const [request] = (await talk('two').consents.mine()).requests
      await talk('two').searches.save({ name: request?.person ?? '', query: 'words' })
      await talk('three').searches.list()
      expect(await labelOfNext(ana, talk('three'))).toEqual(OF_THE_SECRET)
    })

    it('[WR-2] a receipt repeats no corpus that the search made up', async () => {
      const { ana, secret, talk } = await world()
      await ana.remember({ ...LEAST, text: 'words', corpus: 'letters' })
      await talk('one').get(secret)
      const namesIn = async (corpus: string) => {
        const synonyms = [{ of: 'speech', terms: ['words'], corpus }]
        const { receipt } = await talk('one').search('speech', { corpus, synonyms })
        const { plan } = (await talk('two').receipts.get(receipt.searchRunId)) ?? {}
        // Whoever it works for reads all of what was asked.
        expect(JSON.stringify((await ana.receipts.get(receipt.searchRunId))?.plan)).toContain(corpus)
        return plan
      }
      const told = (corpus: string) => ({
        searchScope: { corpusScope: [corpus] },
        executorAssignments: [{ scopeRef: corpus }],
        queryExpansionsPlanned: [{}, { source: { corpus } }],
      })
      const madeUp = await namesIn(SECRET)
      expect(madeUp).toMatchObject(told('not_told'))
      expect(JSON.stringify(madeUp)).not.toContain(SECRET)
      expect(await namesIn('letters')).toMatchObject(told('letters'))
      expect(await labelOfNext(ana, talk('two'))).toEqual(OF_NOTHING)
    })
  })

  describe('from a metadata face', () => {
    const hyper = { ...STRICT, sensitivity: 'hyper' as const }
    const looks: Record<string, (agent: Handle, record: string) => Promise<unknown>> = {
      get: (agent, record) => agent.get(record),
      list: agent => agent.list({ tags: [SECRET] }),
      timeline: agent => agent.timeline({}),
      search: agent => agent.search(SECRET, { facets: [] }),
      retrieveGraph: agent => agent.retrieveGraph(SECRET),
    }

    it.each(Object.entries(looks))('[WR-2, TR-1] %s: tags label at one rank below', async (_, look) => {
      const { ana, secret, talk } = await world()
      await ana.forget(secret)
      const { id } = await ana.remember({ ...hyper, tags: [SECRET] })
      const shown = JSON.stringify(await look(talk('one'), id))
      expect(shown).toContain(`"face":"metadata"`)
      expect(shown).toContain(`"tags":["${SECRET}"]`)
      expect(await labelOfNext(ana, talk('one'))).toEqual(['high', null, 'public_open', ''])
      expect(await labelOfNext(ana, talk('two'))).toEqual(OF_NOTHING)
    })

    it('[WR-2, TR-3] so does a scope; without either there are no words, and nothing is labelled', async () => {
      const { ana, talk } = await world()
      const scoped = await ana.remember({ ...hyper, scope: SECRET })
      const bare = await ana.remember(hyper)
      expect(await talk('one').get(scoped.id)).toMatchObject({ face: 'metadata', scope: SECRET })
      expect(await labelOfNext(ana, talk('one'))).toEqual(['high', SECRET, 'public_open', ''])
      expect(await talk('two').get(bare.id)).toMatchObject({ face: 'metadata', tags: [], scope: null })
      expect(await labelOfNext(ana, talk('two'))).toEqual(OF_NOTHING)
    })

    it('[WR-2] a list of nothing but metadata has no words in it, and labels nothing', async () => {
      const { ana, talk } = await world()
      await talk('one').remember({ ...LEAST, text: 'x', tags: [SECRET], scope: SECRET })
      await ana.remember({ ...hyper, tags: [SECRET], scope: SECRET })
      const { records } = await talk('two').list({ face: 'metadata' })
      expect(records).toHaveLength(3)
      expect(JSON.stringify(records)).not.toContain(SECRET)
      expect(await labelOfNext(ana, talk('two'))).toEqual(OF_NOTHING)
    })
  })

  it.each(ERAS)('[WR-2] through MCP, from one conversation to the next, in the %s protocol', async era => {
    const { ana, credential, secret } = await world()
    const handler = makeMcpHandler(store.privity, { version: '1' })
    const talk = async (session: string) => {
      const headers: Record<string, string> = era === 'modern' ? { 'privity-session': session } : {}
      const { client } = await connectTo(handler, { credential, choosesSession: true }, era, headers)
      const call = async (name: string, given: Record<string, unknown>) =>
        answerOf(await client.callTool({ name, arguments: given }))
      const write = async () => {
        const records = [{ kind: 'note', text: 'what it makes of it', sensitivity: 'public' }]
        const written = (await call('remember', { records })) as OutputOf<'memory.remember'>
        return (await ana.get(written.records[0]?.id ?? ''))?.sensitivity
      }
      return { client, call, write }
    }
    const [one, two, three] = [await talk('one'), await talk('two'), await talk('three')]
    await one.call('get_memory', { record: secret })
    await one.call('request_consent', { person: SECRET })
    const tagged = await ana.remember({ ...STRICT, sensitivity: 'hyper', tags: [SECRET] })

    expect(JSON.stringify((await two.client.listResources()).resources)).not.toContain(SECRET)
    expect(await two.write()).toBe('public')
    expect(JSON.stringify(await two.call('my_consent_requests', {}))).toContain(SECRET)
    expect(await two.write()).toBe('high')

    expect(await three.write()).toBe('public')
    expect(await three.call('get_memory', { record: tagged.id })).toMatchObject({ tags: [SECRET] })
    expect(await three.write()).toBe('high')
  })
})
