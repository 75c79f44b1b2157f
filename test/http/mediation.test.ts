import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { builtIn } from '../../src/embedding/built-in.js'
import type { Method } from '../../src/runtime/operation.js'
import { openMediation } from '../support/mediation.js'
import { openTestServer, type TestServer } from '../support/server.js'
import { engines } from '../support/stores.js'
import { openReceiver, type Receiver } from '../support/webhooks.js'

const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/
const isoTime = expect.stringMatching(ISO)
const ABSENT = '00000000-0000-4000-8000-000000000000'
const anId = expect.stringMatching(/^[\w-]{8,}$/)

/** Words that nobody says by chance, one in each private text of each of the two. */
const SECRETS = {
  mara: {
    event: 'quincemoss',
    reading: 'plumhollow',
    need: 'saltferry',
    boundary: 'gorsegate',
    draft: 'tinorchard',
    message: 'rookpebble',
  },
  jonah: {
    event: 'brackenlamp',
    reading: 'silvermitten',
    need: 'cobblewren',
    boundary: 'flintmeadow',
    draft: 'owlkettle',
    message: 'thistledrum',
  },
} as const
type Name = keyof typeof SECRETS
const NAMES = Object.keys(SECRETS) as Name[]
const OTHER: Record<Name, Name> = { mara: 'jonah', jonah: 'mara' }

function countEach(types: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const type of types) counts[type] = (counts[type] ?? 0) + 1
  return counts
}

describe.each(engines)('a mediation over HTTP on %s', engine => {
  let server: TestServer
  let receiver: Receiver
  beforeAll(async () => {
    const webhooks = { allowPrivate: true }
    server = await openTestServer(engine, {}, { embedding: [builtIn()], webhooks })
    receiver = await openReceiver()
  })
  afterAll(async () => {
    await server.dispose()
    await receiver.close()
  })

  /** Someone who asks with a key. Whatever they are answered holds no private word of the other. */
  async function asker(tenant: string, name: Name, audience: 'owner' | 'agent') {
    const key = await server.keyFor(
      audience === 'owner'
        ? { tenant, actor: name }
        : { tenant, actor: 'mediator', audience, for: name, trust: { maxSensitivity: 'high' } },
    )
    let answers = 0
    return {
      async tell(method: Method, path: string, body?: unknown) {
        const answer = await server.ask(method, `/api/v1${path}`, {
          key,
          ...(body === undefined ? {} : { body }),
        })
        answers++
        const heard = answer.text.toLowerCase()
        for (const secret of Object.values(SECRETS[OTHER[name]]))
          expect(heard, `${name} is told ${secret} by ${method} ${path}`).not.toContain(secret)
        return answer
      },
      async ask(method: Method, path: string, body?: unknown) {
        const answer = await this.tell(method, path, body)
        expect(answer.body, `${name}: ${method} ${path}`).toMatchObject({ success: true })
        return answer.body.data
      },
      answers: () => answers,
    }
  }

  it('[RC-5, RC-6, RC-7, RC-8, RC-9, RC-10, RC-12, RC-15, CB-2, CB-3, CB-6, CB-7, CB-8] goes from the first stage to an agreement, and neither is told a private word of the other', async () => {
    const tenant = server.tenant()
    const [mara, jonah] = [await asker(tenant, 'mara', 'owner'), await asker(tenant, 'jonah', 'owner')]
    const people = { mara, jonah }
    const agents = {
      mara: await asker(tenant, 'mara', 'agent'),
      jonah: await asker(tenant, 'jonah', 'agent'),
    }
    const host = server.privity.as({ tenant, actor: 'warden', audience: 'host' })
    await host.webhooks.create({ url: receiver.url })
    const { id: session, state } = await mara.ask('POST', '/sessions', { participants: ['jonah'] })
    expect(state).toBe('INVITED')
    const at = `/sessions/${session}`
    expect(await jonah.ask('POST', `${at}/join`)).toMatchObject({
      state: 'ACTIVE',
      participants: NAMES.toSorted(),
    })

    /** Everything that somebody can read, read by everybody, in whatever stage they are. */
    async function lookAround(stage: number) {
      const bundles = {} as Record<Name, string>
      for (const name of NAMES) {
        for (const path of [
          '',
          '/stages',
          '/vessel',
          '/consent/pending',
          '/consent/history',
          '/shared',
          '/agreements?proposed=true&prior=true',
          '/turns',
        ])
          await people[name].ask('GET', at + path)
        await people[name].tell('GET', `${at}/strategies`)
        for (const path of ['/sessions', '/notifications', '/records', '/library?limit=3', '/receipts'])
          await people[name].ask('GET', path)
        // What is said in a mediation is no memory that is searched.
        const searched = await people[name].ask('POST', '/search', { query: 'Sunday work lonely thank need' })
        expect(searched.results).toEqual([])
        const turns = [
          [agents[name], `What did we agree on about ${SECRETS[name].message}?`],
          [agents[name], 'I feel alone with the work at home. Does anybody see it?'],
          [people[name], 'What does my partner need, and what happened on Sunday?'],
        ] as const
        const told: string[] = []
        for (const [who, said] of turns) {
          const answer = await who.ask('POST', `${at}/turns`, { turn: randomUUID(), message: said })
          expect(answer.stage).toBe(stage)
          expect(answer.bundle.text).toContain('<privity-data>')
          expect(answer.bundle.tokens).toBeLessThanOrEqual(answer.bundle.tokenBudget)
          for (const item of answer.bundle.items)
            expect(item).toMatchObject({ stageScope: stage, face: 'full', consentState: expect.any(String) })
          told.push(answer.bundle.text)
        }
        bundles[name] = told.join('\n').toLowerCase()
        // Decisions are a person's own, and no model sees what waits for one.
        for (const path of ['/vessel', '/consent/pending', '/consent/history', '/shared'])
          expect((await agents[name].tell('GET', at + path)).status, `an agent: ${path}`).toBe(403)
      }
      return bundles
    }
    const advance = async () => {
      for (const name of NAMES) await people[name].ask('POST', `${at}/advance`)
    }

    // To anybody else there is no such session.
    const stranger = await server.keyFor({ tenant, actor: 'tom' })
    for (const path of ['', '/stages', '/vessel', '/shared', '/consent/pending', '/consent/history']) {
      const [found, unknown] = await Promise.all(
        [at, `/sessions/${ABSENT}`].map(each =>
          server.ask('GET', `/api/v1${each}${path}`, { key: stranger }),
        ),
      )
      expect([found?.status, found?.body.error.message]).toEqual([404, unknown?.body.error.message])
    }

    // Stage 0: nobody goes on before both have signed.
    await lookAround(0)
    await mara.ask('POST', `${at}/compact`)
    const early = await mara.tell('POST', `${at}/advance`)
    expect([early.status, early.body.error.code]).toEqual([409, 'conflict'])
    await jonah.ask('POST', `${at}/compact`)
    await advance()

    // Stage 1: each tells their own mediator, which keeps it in their own vessel.
    const wrong = await mara.tell('POST', `${at}/vessel`, { items: [{ type: 'event', text: 'Sunday' }] })
    expect(wrong.body.error.message).toBe(
      'items.0.type: must be one of user_event, emotional_reading, need, boundary',
    )
    const kept = {} as Record<Name, { event: string; need: string; boundary: string }>
    for (const name of NAMES) {
      const { event, reading, need, boundary } = SECRETS[name]
      const { items } = await agents[name].ask('POST', `${at}/vessel`, {
        items: [
          {
            type: 'user_event',
            text: `On Sunday the ${event} was left to me alone, and nobody saw the work.`,
          },
          {
            type: 'emotional_reading',
            intensity: 6,
            emotion: 'lonely',
            text: `Lonely, as with the ${reading}.`,
          },
        ],
      })
      const own = await people[name].ask('POST', `${at}/vessel`, {
        items: [
          {
            type: 'need',
            category: 'RECOGNITION',
            text: `Somebody should thank me for the ${need} once.`,
            derivedFrom: [items[0].id],
          },
          { type: 'boundary', text: `Nobody goes through the ${boundary} without asking me.` },
        ],
      })
      kept[name] = { event: items[0].id, need: own.items[0].id, boundary: own.items[1].id }
    }
    const first = await lookAround(1)
    for (const name of NAMES)
      expect(first[name], 'a check that could not fail').toContain(SECRETS[name].reading)
    for (const name of NAMES) await people[name].ask('POST', `${at}/feel-heard`)
    await advance()

    // Stage 2: Mara lets an event cross in her own words, Jonah does not.
    const preview = {} as Record<Name, string>
    for (const name of NAMES) {
      const { pendingRequests } = await people[name].ask('GET', `${at}/consent/pending`)
      expect(pendingRequests).toMatchObject([
        { contentType: 'EVENT_SUMMARY', originalContentId: kept[name].event },
      ])
      preview[name] = pendingRequests[0].transformedPreview
      const decision = {
        mara: {
          decision: 'GRANTED',
          editedContent: 'I felt on my own last weekend, and I wish for some help.',
        },
        jonah: { decision: 'DENIED' },
      }[name]
      await people[name].ask('POST', `${at}/consent/decide`, {
        consentRequestId: pendingRequests[0].id,
        ...decision,
      })
    }
    const guesses = {
      mara: 'I imagine that you are tired when the evening comes.',
      jonah: 'I imagine that you feel left alone with much.',
    }
    const attempts = {} as Record<Name, string>
    for (const name of NAMES) {
      const words = `Not sure of this: ${SECRETS[name].draft} keeps them busy, and it hurts them.`
      const draft = await people[name].ask('POST', `${at}/empathy/draft`, { text: words, ready: true })
      const shared = await people[name].ask('POST', `${at}/empathy/share`, {
        draft: draft.id,
        content: guesses[name],
      })
      attempts[name] = shared.id
    }
    const second = await lookAround(2)
    expect(second.jonah).toContain('i felt on my own last weekend')
    expect(second.jonah).not.toContain(preview.mara.toLowerCase())
    expect(second.mara).not.toContain(preview.jonah.toLowerCase())
    for (const name of NAMES) expect(second[name]).toContain(SECRETS[name].event)
    for (const name of NAMES)
      await people[name].ask('POST', `${at}/empathy/validate`, {
        attempt: attempts[OTHER[name]],
        validated: true,
        feedback: 'Yes, that is how it feels.',
      })
    await advance()

    // Stage 3: both confirm and share the same need. A boundary of Mara's crosses, and is taken back again.
    for (const name of NAMES) {
      await people[name].ask('POST', `${at}/needs/confirm`, { needs: [kept[name].need] })
      const { pendingRequests } = await people[name].ask('GET', `${at}/consent/pending`)
      const types = pendingRequests.map((asked: { contentType: string }) => asked.contentType).sort()
      expect(types).toEqual(['BOUNDARY', 'IDENTIFIED_NEED'])
      for (const { id, contentType, transformedPreview } of pendingRequests) {
        const granted = contentType === 'IDENTIFIED_NEED' || name === 'mara'
        // Where nothing is recognised, the owner words it.
        const words = transformedPreview || 'I need quiet evenings.'
        const edit = granted && transformedPreview === '' ? { editedContent: words } : {}
        const decided = await people[name].ask('POST', `${at}/consent/decide`, {
          consentRequestId: id,
          decision: granted ? 'GRANTED' : 'DENIED',
          ...edit,
        })
        if (contentType === 'BOUNDARY' && granted) {
          const seen = await jonah.tell('GET', `${at}/shared`)
          expect(seen.text).toContain(JSON.stringify(words))
          await mara.ask('POST', `${at}/consent/revoke`, { consentRecordId: decided.consentRecord.id })
          expect((await jonah.tell('GET', `${at}/shared`)).text).not.toContain(JSON.stringify(words))
        }
      }
    }
    const { commonGround } = await mara.ask('POST', `${at}/common-ground/find`)
    expect(commonGround).toMatchObject([{ category: 'RECOGNITION', confirmed: false }])
    const [ground] = commonGround
    const third = await lookAround(3)
    for (const name of NAMES) {
      expect(third[name]).toContain(SECRETS[name].need)
      expect(third[name], 'no events any more').not.toContain(SECRETS[name].event)
      expect(third[name]).toContain('we both need appreciation')
      await people[name].ask('POST', `${at}/common-ground/${ground.id}/confirm`)
    }
    await advance()

    // Stage 4: strategies without names, a ranking of each, and what both agree to.
    const ideas = {
      mara: 'We could thank each other for one thing at dinner.',
      jonah: 'On Sundays we could cook together.',
    }
    const proposed = {} as Record<Name, { id: string; consentRecordId: string }>
    for (const name of NAMES)
      proposed[name] = await people[name].ask('POST', `${at}/strategies`, {
        content: ideas[name],
        commonGround: [ground.id],
      })
    const { strategies } = await jonah.ask('GET', `${at}/strategies`)
    expect(strategies.map((each: { content: string }) => each.content).sort()).toEqual(
      Object.values(ideas).sort(),
    )
    const ids = strategies.map((each: { id: string }) => each.id)
    for (const name of NAMES) await people[name].ask('POST', `${at}/strategies/rank`, { proposals: ids })
    const agreement = await mara.ask('POST', `${at}/agreements`, {
      text: 'At dinner we each thank the other for one thing.',
      proposals: [proposed.mara.id],
    })
    expect(agreement).toMatchObject({ agreedAt: null, agreedByYou: true, hasStaleInputs: false })
    expect(await jonah.ask('GET', `${at}/agreements`)).toEqual({ agreements: [] })
    expect(await jonah.ask('POST', `${at}/agreements/${agreement.id}/agree`)).toMatchObject({
      agreedAt: isoTime,
    })
    await jonah.ask('POST', `${at}/experiments`, {
      text: 'A week of thanks at dinner.',
      agreement: agreement.id,
    })
    const last = await lookAround(4)
    for (const name of NAMES) {
      expect(last[name]).toContain('at dinner we each thank the other for one thing.')
      expect(last[name]).toContain('a week of thanks at dinner.')
      for (const kind of ['event', 'reading', 'need', 'boundary', 'draft'] as const)
        expect(last[name], 'no vessel of anybody').not.toContain(SECRETS[name][kind])
      const { stages, stage } = await people[name].ask('GET', `${at}/stages`)
      expect([stage, stages.every((each: { complete: boolean }) => each.complete)]).toEqual([4, true])
    }
    // What an agreement rests on is taken back: the agreement stays, and says so.
    await mara.ask('POST', `${at}/consent/revoke`, { consentRecordId: proposed.mara.consentRecordId })
    const { agreements } = await jonah.ask('GET', `${at}/agreements`)
    expect(agreements).toMatchObject([
      { hasStaleInputs: true, staleReason: 'Source strategy consent revoked', status: 'ACTIVE' },
    ])
    const pool = await jonah.ask('GET', `${at}/strategies`)
    expect(pool.strategies.map(({ content }: { content: string }) => content)).toEqual([ideas.jonah])

    // A turn is planned once. Its answer can be fetched again, for the same words.
    const turn = { turn: 'the last one', message: 'What did we agree on?' }
    const { bundle } = await agents.jonah.ask('POST', `${at}/turns`, turn)
    expect(bundle.text).toContain('(based on content no longer shared)')
    expect((await agents.jonah.ask('POST', `${at}/turns`, turn)).bundle).toEqual(bundle)
    const again = await agents.jonah.tell('POST', `${at}/turns`, { ...turn, message: 'And what else?' })
    expect([again.status, again.body.error.code]).toEqual([409, 'conflict'])
    expect((await jonah.ask('GET', `${at}/consent/history`)).records).toHaveLength(5)
    expect(await mara.ask('POST', `${at}/state`, { state: 'RESOLVED' })).toMatchObject({ state: 'RESOLVED' })
    // Each was told exactly this, and the webhook all of it.
    const told = async (name: Name): Promise<string[]> => {
      const { notifications } = await people[name].ask('GET', '/notifications?limit=200')
      return notifications.map(({ type }: { type: string }) => type)
    }
    expect(countEach(await told('mara'))).toEqual({
      'session.joined': 1,
      'session.state_changed': 1,
      'stage.ready': 4,
      'consent.requested': 3,
      'consent.granted': 3,
      'empathy.validated': 1,
      'strategies.overlap': 1,
      'agreement.reached': 1,
      'experiment.planned': 1,
    })
    expect(countEach(await told('jonah'))).toEqual({
      'session.invited': 1,
      'session.state_changed': 1,
      'stage.ready': 4,
      'consent.requested': 3,
      'consent.granted': 5,
      'consent.revoked': 2,
      'empathy.validated': 1,
      'strategies.overlap': 1,
      'agreement.proposed': 1,
    })
    const toldAll = [...(await told('mara')), ...(await told('jonah'))]
    await receiver.until(toldAll.length)
    expect(countEach(receiver.received.map(({ body }) => String(body.type)))).toEqual(countEach(toldAll))
    // So that nobody thins this out unnoticed.
    for (const name of NAMES) expect(people[name].answers() + agents[name].answers()).toBeGreaterThan(100)
  }, 240_000)

  describe('the four endpoints of the bridge', () => {
    const run = promisify(execFile)
    /** As it is typed. What curl adds by itself is part of it: no type of the content is given. */
    async function typed(command: string): Promise<unknown> {
      const { stdout } = await run('sh', ['-c', command])
      return JSON.parse(stdout)
    }

    it('[CB-1, CB-6] answer what is typed with curl, in exactly these fields', async () => {
      const tenant = server.tenant()
      const { session, alice } = await openMediation(server.privity, { stage: 3, tenant })
      const key = await server.keyFor({ tenant, actor: 'alice' })
      const text = 'I need to feel like my efforts at home are seen and appreciated'
      const { items } = await alice.vessel.write({
        session,
        items: [{ type: 'need', category: 'RECOGNITION', text }],
      })
      const need = items[0]?.id ?? ''
      await alice.vessel.confirmNeeds({ session, needs: [need] })
      const at = `${server.url}/api/v1/sessions/${session}/consent`

      const pending = await typed(`curl ${at}/pending -H "Authorization: Bearer ${key}"`)
      expect(pending).toEqual({
        success: true,
        data: {
          pendingRequests: [
            {
              id: anId,
              contentType: 'IDENTIFIED_NEED',
              contentDescription: 'Your need for appreciation, about our home',
              transformedPreview: expect.stringMatching(/\S.*\.$/),
              originalContentId: need,
              originalContentSummary: text,
            },
          ],
        },
      })
      const [asked] = (pending as { data: { pendingRequests: [{ id: string }] } }).data.pendingRequests

      const decided = await typed(`curl -X POST ${at}/decide \\
  -H "Authorization: Bearer ${key}" \\
  -d '{
    "consentRequestId": "${asked.id}",
    "decision": "GRANTED",
    "editedContent": "I have a need to feel recognized for my contributions at home."
  }'`)
      const consentRecord = {
        id: anId,
        contentType: 'IDENTIFIED_NEED',
        decision: 'GRANTED',
        decidedAt: isoTime,
        revokedAt: null,
        contentDescription: 'Your need for appreciation, about our home',
      }
      expect(decided).toEqual({
        success: true,
        data: {
          recorded: true,
          consentRecord,
          sharedContent: {
            id: anId,
            sourceUserId: 'alice',
            transformedContent: 'I have a need to feel recognized for my contributions at home.',
            consentedAt: isoTime,
            consentActive: true,
          },
        },
      })
      const { id } = (decided as { data: { consentRecord: { id: string } } }).data.consentRecord
      expect(await typed(`curl ${at}/pending -H "Authorization: Bearer ${key}"`)).toEqual({
        success: true,
        data: { pendingRequests: [] },
      })

      const revoke = `curl -X POST ${at}/revoke -H "Authorization: Bearer ${key}" -d '{ "consentRecordId": "${id}" }'`
      const revoked = await typed(revoke)
      expect(revoked).toEqual({ success: true, data: { revoked: true, revokedAt: isoTime } })
      expect(await typed(revoke)).toEqual(revoked)
      const { revokedAt } = (revoked as { data: { revokedAt: string } }).data

      const history = await typed(`curl ${at}/history -H "Authorization: Bearer ${key}"`)
      expect(history).toEqual({ success: true, data: { records: expect.any(Array) } })
      const { records } = (history as { data: { records: object[] } }).data
      expect(records[0]).toEqual({ ...consentRecord, id, revokedAt })
      for (const record of records)
        expect(Object.keys(record).sort()).toEqual(Object.keys(consentRecord).sort())
    })

    it('[CB-1, CB-5] denies without shared content, and says once what cannot be decided', async () => {
      const tenant = server.tenant()
      const { session, alice } = await openMediation(server.privity, { stage: 2, tenant })
      const [key, bobs] = [
        await server.keyFor({ tenant, actor: 'alice' }),
        await server.keyFor({ tenant, actor: 'bob' }),
      ]
      await alice.vessel.write({
        session,
        items: [{ type: 'user_event', text: 'I am sad that the dishes were mine again on Sunday' }],
      })
      const [asked] = (await alice.bridge.pending(session)).pendingRequests
      const decide = (as: string, decision: object) =>
        typed(
          `curl -X POST ${server.url}/api/v1/sessions/${session}/consent/decide -H "Authorization: Bearer ${as}" -d '${JSON.stringify({ consentRequestId: asked?.id, ...decision })}'`,
        )
      const refusal = (code: string) => ({ success: false, error: expect.objectContaining({ code }) })
      expect(await decide(bobs, { decision: 'GRANTED' })).toEqual(refusal('not_found'))
      expect(await decide(key, { decision: 'DENIED', editedContent: 'I need rest.' })).toEqual(
        refusal('invalid_input'),
      )
      expect(await decide(key, { decision: 'GRANTED', editedContent: 'You never do the dishes.' })).toEqual(
        refusal('invalid_input'),
      )
      const denied = await decide(key, { decision: 'DENIED' })
      expect(denied).toEqual({
        success: true,
        data: {
          recorded: true,
          consentRecord: {
            id: anId,
            contentType: 'EVENT_SUMMARY',
            decision: 'DENIED',
            decidedAt: isoTime,
            revokedAt: null,
            contentDescription: expect.any(String),
          },
        },
      })
      expect(await decide(key, { decision: 'GRANTED' })).toEqual(refusal('conflict'))
    })
  })
})
