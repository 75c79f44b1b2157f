import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Handle } from '../../src/handle.js'
import { transformBuiltIn } from '../../src/mediation/transformation.js'
import type { Privity } from '../../src/open.js'
import type { ChatMessage, ChatModel } from '../../src/runtime/completions.js'
import { deep, few } from '../support/depth.js'
import { type Couple, type Mediated, mediated } from '../support/mediated.js'
import { findGround, openMediation, shareAttempt, shareNeed } from '../support/mediation.js'
import { dumpTables } from '../support/shared-store.js'
import { engines } from '../support/stores.js'

const DAY = 86_400_000
/** In every original here, and in nothing that may be shared. */
const CANARY = 'zanzibarquartz'
const EVENT = `Nobody said thanks for the ${CANARY} dinner that took me all afternoon`
const GOOD_EDIT = 'I feel unseen, and I wish for a word of thanks.'

type Item = Parameters<Handle['vessel']['write']>[0]['items'][number]
const event = (text = EVENT): Item => ({ type: 'user_event', text })
const need = (text = `Some ${CANARY} peace in the evening`): Item => ({
  type: 'need',
  category: 'CONNECTION',
  text,
})
const boundary = (text = `No ${CANARY} calls at dinner`): Item => ({ type: 'boundary', text })
const reading: Item = { type: 'emotional_reading', intensity: 5, text: `So ${CANARY} tired of it` }

describe.each(engines)('the consensual bridge on %s', engine => {
  let world: Mediated
  beforeAll(async () => {
    world = await mediated(engine)
  })
  afterAll(() => world.dispose())

  async function at(stage: number, partners = stage, on = world.privity) {
    const couple = await world.couple(on)
    await world.setStage(couple, 'alice', stage)
    await world.setStage(couple, 'bob', partners)
    return couple
  }
  const write = async (who: Handle, session: string, ...items: Item[]) =>
    (await who.vessel.write({ session, items })).items.map(({ id }) => id)
  const pending = async (who: Handle, session: string) => (await who.bridge.pending(session)).pendingRequests
  /** Alice at stage 2 is asked for one event. */
  async function asked(on = world.privity) {
    const couple = await at(2, 2, on)
    const [original = ''] = await write(couple.alice, couple.session, event())
    const [request] = await pending(couple.alice, couple.session)
    if (request === undefined) throw new Error('nothing was asked for')
    return { ...couple, original, request }
  }
  async function granted() {
    const before = await asked()
    const { alice, session, request } = before
    const decided = await alice.bridge.decide({ session, consentRequestId: request.id, decision: 'GRANTED' })
    return { ...before, decided, consentRecordId: decided.consentRecord.id }
  }

  it('[CB-4] checks a wording before it is shared, for who sees the original, and decides nothing', async () => {
    const { alice, bob, session, request } = await asked()
    const check = (who: Handle, editedContent: string) =>
      who.bridge.screen({ session, consentRequestId: request.id, editedContent })
    expect(await check(alice, EVENT)).toMatchObject({ shareable: false, reason: 'bridge_repeats_original' })
    expect(await check(alice, GOOD_EDIT)).toEqual({ shareable: true, reason: null, description: null })
    await expect(check(bob, GOOD_EDIT)).rejects.toMatchObject({ code: 'not_found' })
    expect(await pending(alice, session)).toHaveLength(1)
  })
  const sharedRows = (tenant: string) =>
    world.store.sql<{
      kind: string
      text: string
      decision: string | null
      owner: string
      by: string | null
    }>(
      `select r.kind, r.text, r.owner, c.decision, c.owner as by
       from privity.records r
       left join privity.consent_records c
         on c.tenant_id = r.tenant_id and c.consent_record_id = r.consent_record
       where r.tenant_id = $1 and r.vessel = 'shared'
       order by r.created_at, r.record_id`,
      [tenant],
    )
  /** What a person is told of what was shared, by a turn and by looking. */
  async function seenBy(who: Handle, session: string) {
    const queries = [
      { type: 'consented_content', vessel: 'shared', source: 'structured', consentActive: true },
    ]
    const { bundle } = await who.turns.context({ session, message: 'What did we agree on?', queries })
    const { items } = await who.shared.list({ session })
    return { turn: bundle.items.map(({ text }) => text), list: items.map(({ text }) => text) }
  }

  it('[CB-1] answers have exactly the fields of the bridge’s contract', async () => {
    const { alice, session, original, request } = await asked()
    expect(await alice.bridge.pending(session)).toEqual({
      pendingRequests: [
        {
          id: expect.any(String),
          contentType: 'EVENT_SUMMARY',
          contentDescription: expect.any(String),
          transformedPreview: expect.any(String),
          originalContentId: original,
          originalContentSummary: EVENT,
        },
      ],
    })
    const record = {
      id: expect.any(String),
      contentType: 'EVENT_SUMMARY',
      decision: 'GRANTED',
      decidedAt: '2026-01-01T00:00:00.000Z',
      revokedAt: null,
      contentDescription: request.contentDescription,
    }
    const decided = await alice.bridge.decide({ session, consentRequestId: request.id, decision: 'GRANTED' })
    expect(decided).toEqual({
      recorded: true,
      consentRecord: record,
      sharedContent: {
        id: expect.any(String),
        sourceUserId: 'alice',
        transformedContent: request.transformedPreview,
        consentedAt: '2026-01-01T00:00:00.000Z',
        consentActive: true,
      },
    })
    expect(await alice.bridge.history(session)).toEqual({ records: [record] })
    expect(await alice.bridge.revoke({ session, consentRecordId: decided.consentRecord.id })).toEqual({
      revoked: true,
      revokedAt: '2026-01-01T00:00:00.000Z',
    })
    expect(await pending(alice, session)).toEqual([])

    const second = await asked()
    const denied = await second.alice.bridge.decide({
      session: second.session,
      consentRequestId: second.request.id,
      decision: 'DENIED',
    })
    expect(denied).toEqual({ recorded: true, consentRecord: { ...record, decision: 'DENIED' } })
  })

  it('[CB-1] a summary of a long original is its beginning', async () => {
    const { alice, session } = await at(2)
    await write(alice, session, event(`${'🙂é'.repeat(500)} and more. I am sad about the kids.`))
    const [request] = await pending(alice, session)
    expect(request?.originalContentSummary).toBe(`${'🙂é'.repeat(100)}…`)
  })

  describe('what is asked for', () => {
    // biome-ignore format: a table
    const ASKED: readonly (readonly [number, readonly string[]])[] = [
      [0, []],
      [1, []],
      [2, ['EVENT_SUMMARY']],
      [3, ['BOUNDARY', 'IDENTIFIED_NEED']],
      [4, []],
    ]
    const stages = ASKED.filter(([stage]) => deep || stage === 2 || stage === 3)
    it.each(stages)('[CB-2] at stage %i the runtime asks by itself for %j', async (stage, types) => {
      const couple = await at(3)
      const { alice, session } = couple
      const [sure = ''] = await write(alice, session, need())
      await alice.vessel.confirmNeeds({ session, needs: [sure] })
      for (const { id } of await pending(alice, session))
        await alice.bridge.decide({ session, consentRequestId: id, decision: 'DENIED' })
      await world.setStage(couple, 'alice', stage)
      // A need that is not confirmed is not asked for; the one that was denied is not asked for again.
      await write(alice, session, event(), need(`More ${CANARY} sleep`), boundary(), reading)
      const contentTypes = (await pending(alice, session)).map(({ contentType }) => contentType).sort()
      expect(contentTypes).toEqual(types.filter(type => type !== 'IDENTIFIED_NEED'))
      if (stage !== 3) return
      const { items } = await alice.vessel.list({ session, types: ['need'] })
      await alice.vessel.confirmNeeds({ session, needs: items.map(({ id }) => id) })
      expect((await pending(alice, session)).map(({ contentType }) => contentType).sort()).toEqual(types)
    })

    it('[CB-2] on entering a stage for what is there, on writing for what comes, and never twice', async () => {
      const { alice, bob, session } = await openMediation(world.privity, { stage: 1 })
      const [first] = await write(alice, session, event())
      expect(await pending(alice, session)).toEqual([])
      await alice.stages.confirmHeard(session)
      await alice.stages.advance(session)
      const originals = async () =>
        (await pending(alice, session)).map(({ originalContentId }) => originalContentId)
      expect(await originals()).toEqual([first])
      world.clock.advance(1_000)
      const [second] = await write(
        alice,
        session,
        event('Another evening with no word at all, and I was sad'),
      )
      expect(await originals()).toEqual([first, second])
      for (const { id } of await pending(alice, session))
        await alice.bridge.decide({ session, consentRequestId: id, decision: 'DENIED' })
      await write(alice, session, reading)
      expect(await originals()).toEqual([])
      expect(await pending(bob, session)).toEqual([])
    })

    it('[CB-10] at most three at once; as some are decided, the rest is asked for', async () => {
      const { alice, session } = await at(2)
      const events = Array.from({ length: 7 }, (_, at) => event(`I felt sad about the kids, ${CANARY} ${at}`))
      await write(alice, session, ...events)
      const first = await pending(alice, session)
      expect(first).toHaveLength(3)
      for (const { id } of first.slice(0, 2))
        await alice.bridge.decide({ session, consentRequestId: id, decision: 'DENIED' })
      expect(await pending(alice, session)).toHaveLength(3)
      const seen = new Set(first.map(({ originalContentId }) => originalContentId))
      for (let left = await pending(alice, session); left.length > 0; left = await pending(alice, session))
        for (const { id, originalContentId } of left) {
          seen.add(originalContentId)
          await alice.bridge.decide({ session, consentRequestId: id, decision: 'DENIED' })
        }
      expect(seen.size).toBe(7)
    })

    it('[CB-8] what was shared before the partner could see it is announced when they can, by its id', async () => {
      const { alice, bob, session } = await at(2, 1)
      await write(alice, session, event())
      const [request] = await pending(alice, session)
      const consentRequestId = request?.id ?? ''
      const { sharedContent } = await alice.bridge.decide({ session, consentRequestId, decision: 'GRANTED' })
      const told = async () =>
        (await bob.notifications.list({})).notifications
          .filter(({ type }) => type.startsWith('consent.'))
          .map(({ type, refs }) => [type, refs.content])
      expect(await told()).toEqual([])
      await bob.stages.confirmHeard(session)
      await bob.stages.advance(session)
      expect(await told()).toEqual([['consent.granted', sharedContent?.id]])
    })

    it('[CB-10] never for small talk; what nothing is recognised in, its owner words or keeps', async () => {
      const { alice, session } = await at(2)
      const greetings = ['Hi', 'Good morning', 'How was your day?', 'ok', 'Hola', 'Guten Abend', 'À demain']
      const [first = ''] = await write(alice, session, ...greetings.map(text => event(text)))
      expect(await pending(alice, session)).toEqual([])
      await alice.bridge.request({ session, content: first, contentType: 'EVENT_SUMMARY' })
      const [request] = await pending(alice, session)
      const decide = (more: object) =>
        alice.bridge.decide({ session, consentRequestId: request?.id ?? '', decision: 'GRANTED', ...more })
      expect(request?.transformedPreview).toBe('')
      await expect(decide({})).rejects.toMatchObject({ code: 'invalid_input', reason: 'bridge_text_empty' })
      expect((await decide({ editedContent: GOOD_EDIT })).sharedContent?.transformedContent).toBe(GOOD_EDIT)
    })

    it('[CB-4] [CB-10] an edit of a boundary keeps its words, and an edit of an event does not', async () => {
      const { alice, session } = await at(3)
      const words = 'Please no shouting in front of the children.'
      await write(alice, session, boundary('No shouting in front of the children'))
      const [request] = await pending(alice, session)
      expect(request?.transformedPreview).toMatch(/boundary.*children.*calm/)
      const consentRequestId = request?.id ?? ''
      const attack = { session, consentRequestId, decision: 'GRANTED' as const, editedContent: 'You idiot.' }
      await expect(alice.bridge.decide(attack)).rejects.toMatchObject({ reason: 'bridge_attacks' })
      const decided = await alice.bridge.decide({ ...attack, editedContent: words })
      expect(decided.sharedContent?.transformedContent).toBe(words)
    })

    it('[CB-10] what is shared has a label of its own, whatever that of its original is', async () => {
      const { alice, bob, session } = await at(2)
      for (const sensitivity of ['low', 'hyper'] as const)
        await write(alice, session, { ...event(`I felt sad about the kids ${sensitivity}`), sensitivity })
      for (const { id } of await pending(alice, session))
        await alice.bridge.decide({ session, consentRequestId: id, decision: 'GRANTED' })
      const { items } = await bob.shared.list({ session })
      const labels = await world.store.sql<{ label: string }>(
        `select distinct sensitivity || ' ' || visibility_class as label
         from privity.records
         where record_id = any ($1::uuid[])`,
        [items.map(({ id }) => id)],
      )
      expect(items).toHaveLength(2)
      expect(labels).toHaveLength(1)
    })

    it('[CB-2] an app asks for one of these types, of a record that fits it, from its stage on', async () => {
      const couple = await at(3)
      const { alice, bob, session } = couple
      await world.setStage(couple, 'alice', 1)
      const [ofEvent = '', ofNeed = '', ofBoundary = '', ofReading = ''] = await write(
        alice,
        session,
        event(),
        need(),
        boundary(),
        reading,
      )
      const fits: Record<string, [string, number]> = {
        EVENT_SUMMARY: [ofEvent, 2],
        EMOTIONAL_PATTERN: [ofReading, 2],
        IDENTIFIED_NEED: [ofNeed, 3],
        BOUNDARY: [ofBoundary, 3],
      }
      const ask = (who: Handle, content: string, contentType: string, inSession = session) =>
        who.bridge.request({ session: inSession, content, contentType: contentType as 'BOUNDARY' })
      for (const stage of deep ? [1, 2, 3, 4] : [1, 3]) {
        await world.setStage(couple, 'alice', stage)
        if (stage === 3) {
          await expect(ask(alice, ofNeed, 'IDENTIFIED_NEED')).rejects.toMatchObject({
            code: 'conflict',
            reason: 'bridge_need_not_confirmed',
          })
          await alice.vessel.confirmNeeds({ session, needs: [ofNeed] })
        }
        for (const [type, [content, least]] of Object.entries(fits)) {
          const others = Object.entries(fits).filter(([other]) => other !== type)
          for (const [, [wrong]] of few(others, 1))
            if (stage >= least)
              await expect(ask(alice, wrong, type)).rejects.toMatchObject({ code: 'not_found' })
          const before = await pending(alice, session)
          if (stage < least)
            await expect(ask(alice, content, type)).rejects.toMatchObject({
              code: 'conflict',
              reason: 'session.stage_not_reached',
            })
          else expect(await ask(alice, content, type)).toEqual({ requested: true })
          const known = new Set(before.map(({ originalContentId }) => originalContentId))
          const after = (await pending(alice, session)).map(({ originalContentId }) => originalContentId)
          expect(after.sort()).toEqual(
            [...known, ...(stage < least ? [] : [content])]
              .filter((each, at, all) => all.indexOf(each) === at)
              .sort(),
          )
        }
      }
      for (const type of [
        'EMPATHY_DRAFT',
        'EMPATHY_ATTEMPT',
        'STRATEGY_PROPOSAL',
        'event_summary',
        'SOMETHING',
      ])
        await expect(ask(alice, ofEvent, type)).rejects.toMatchObject({ code: 'invalid_input' })
      // Somebody else's record, another session's, and one that is not there are one answer.
      await world.setStage(couple, 'alice', 2)
      const [ofBob = ''] = await write(bob, session, event('Late again, and nobody called, I was sad'))
      const other = await world.couple(world.privity, couple.tenant)
      await world.setStage(other, 'alice', 2)
      const [elsewhere = ''] = await write(
        other.alice,
        other.session,
        event('Another house, another evening, and I was sad'),
      )
      const plain = await alice.remember({ kind: 'episodic', text: 'A walk by the river.' })
      for (const content of [ofBob, elsewhere, plain.id, crypto.randomUUID()])
        await expect(ask(alice, content, 'EVENT_SUMMARY')).rejects.toMatchObject({
          code: 'not_found',
          message: 'not found',
        })
      const carol = world.privity.as({ tenant: couple.tenant, actor: 'carol' })
      await expect(ask(carol, ofEvent, 'EVENT_SUMMARY')).rejects.toMatchObject({ code: 'not_found' })
      // An agent asks for its principal, who decides; it neither reads what is asked nor decides.
      const fresh = await at(2)
      const [kept = ''] = await write(fresh.alice, fresh.session, reading)
      const agent = fresh.agentOf('alice')
      await expect(ask(fresh.agentOf('bob'), kept, 'EMOTIONAL_PATTERN', fresh.session)).rejects.toMatchObject(
        { code: 'not_found' },
      )
      await ask(agent, kept, 'EMOTIONAL_PATTERN', fresh.session)
      const [request] = await pending(fresh.alice, fresh.session)
      expect(request?.originalContentId).toBe(kept)
      await expect(agent.bridge.pending(fresh.session)).rejects.toMatchObject({ code: 'not_allowed' })
      await expect(
        agent.bridge.decide({
          session: fresh.session,
          consentRequestId: request?.id ?? '',
          decision: 'GRANTED',
        }),
      ).rejects.toMatchObject({ code: 'not_allowed' })
    })

    it('[CB-2] a request that is open is not made twice', async () => {
      const { alice, session, original, request } = await asked()
      await alice.bridge.request({ session, content: original, contentType: 'EVENT_SUMMARY' })
      expect((await pending(alice, session)).map(({ id }) => id)).toEqual([request.id])
    })

    it('[CB-1] [TR-1] what its owner may not see in full now is not told by asking about it either', async () => {
      const { alice, session, request } = await asked()
      const less = { trust: { maxSensitivity: 'low' as const } }
      expect(JSON.stringify(await alice.bridge.pending(session, less))).not.toContain(CANARY)
      // Nor can its words be guessed at by edits.
      for (const editedContent of [GOOD_EDIT, `I feel sad. ${EVENT}`])
        await expect(
          alice.bridge.decide(
            { session, consentRequestId: request.id, decision: 'GRANTED', editedContent },
            less,
          ),
        ).rejects.toMatchObject({ code: 'not_found' })
      expect(await pending(alice, session)).toHaveLength(1)
    })
  })

  describe('what moves', () => {
    it('[CB-3] nothing stands in the shared vessel without a granted record of its owner', async () => {
      const mediation = await openMediation(world.privity, { stage: 2 })
      const { alice, bob, session, tenant } = mediation
      await write(alice, session, event(), event('A second evening with no word, and I was sad'), reading)
      expect(await sharedRows(tenant)).toEqual([])
      const [first, second] = await pending(alice, session)
      await alice.bridge.decide({ session, consentRequestId: first?.id ?? '', decision: 'DENIED' })
      expect(await sharedRows(tenant)).toEqual([])
      await alice.bridge.decide({ session, consentRequestId: second?.id ?? '', decision: 'GRANTED' })
      await shareAttempt(bob, session, 'I imagine that evenings feel long to you.')
      const rows = await sharedRows(tenant)
      expect(rows.map(({ kind, owner, decision, by }) => ({ kind, owner, decision, by }))).toEqual(
        expect.arrayContaining([
          { kind: 'consented_content', owner: 'alice', decision: 'GRANTED', by: 'alice' },
          { kind: 'empathy_attempt', owner: 'bob', decision: 'GRANTED', by: 'bob' },
        ]),
      )
      expect(rows).toHaveLength(2)
    })

    it('[CB-3] [CB-4] what moves is a transformation, for every type: none of the original’s words that are its own', async () => {
      const { alice, session, tenant } = await at(3)
      const ids = await write(alice, session, event(), need(), boundary(), reading)
      await alice.vessel.confirmNeeds({ session, needs: ids.slice(1, 2) })
      const types = ['EVENT_SUMMARY', 'IDENTIFIED_NEED', 'BOUNDARY', 'EMOTIONAL_PATTERN'] as const
      for (const [at, contentType] of types.entries())
        await alice.bridge.request({ session, content: ids[at] ?? '', contentType })
      for (const { id } of await pending(alice, session))
        await alice.bridge.decide({ session, consentRequestId: id, decision: 'GRANTED' })
      const rows = await sharedRows(tenant)
      expect(rows).toHaveLength(4)
      for (const { text } of rows) {
        expect(text).not.toContain(CANARY)
        expect(text.split(/[.!?]+(?:\s|$)/).filter(Boolean).length).toBeLessThanOrEqual(3)
      }
    })

    it('[CB-5] the preview is what is shared, to the letter', async () => {
      const { bob, session, request, decided } = await granted()
      expect(decided.sharedContent?.transformedContent).toBe(request.transformedPreview)
      expect(await seenBy(bob, session)).toEqual({
        turn: [request.transformedPreview],
        list: [request.transformedPreview],
      })
    })

    it('[CB-4] an edit that passes the screen is shared in place of the preview', async () => {
      const { alice, bob, session, request } = await asked()
      const { sharedContent } = await alice.bridge.decide({
        session,
        consentRequestId: request.id,
        decision: 'GRANTED',
        editedContent: `  ${GOOD_EDIT} `,
      })
      expect(sharedContent?.transformedContent).toBe(GOOD_EDIT)
      expect((await seenBy(bob, session)).list).toEqual([GOOD_EDIT])
    })

    const REFUSED: [reason: string, edit: string][] = [
      ['bridge_repeats_original', `I feel sad. ${EVENT}.`],
      [
        'bridge_repeats_original',
        'I feel it: NOBODY, said… thanks—for the dinner I need!'.replace('the', `the ${CANARY}`),
      ],
      ['bridge_attacks', 'I feel that you are an idiot.'],
      ['bridge_accuses', 'You never thank me, and I feel hurt.'],
      ['bridge_too_many_sentences', 'I feel sad. I feel low. I feel tired. I feel alone.'],
      ['bridge_text_empty', '   '],
      ['bridge_not_about_need', 'The dinner was at eight.'],
      ['bridge_text_too_long', `I feel ${'very '.repeat(250)}sad.`],
    ]
    it.each(
      few(REFUSED, 3),
    )('[CB-4] an edit is refused with %s, nothing is stored, and the request stays open', async (reason, editedContent) => {
      const { alice, session, tenant, request } = await asked()
      await expect(
        alice.bridge.decide({ session, consentRequestId: request.id, decision: 'GRANTED', editedContent }),
      ).rejects.toMatchObject({ code: 'invalid_input', reason })
      expect(await sharedRows(tenant)).toEqual([])
      expect((await alice.bridge.history(session)).records).toEqual([])
      expect(await pending(alice, session)).toEqual([request])
    })
  })

  describe('a decision', () => {
    it('[CB-5, NI-5] is made once, by its owner, in time, and an edit belongs to granting', async () => {
      const { alice, bob, session, tenant, request } = await asked()
      const decide = (who: Handle, decision: 'GRANTED' | 'DENIED', more = {}) =>
        who.bridge.decide({ session, consentRequestId: request.id, decision, ...more })
      await expect(decide(alice, 'DENIED', { editedContent: GOOD_EDIT })).rejects.toMatchObject({
        code: 'invalid_input',
      })
      // Another's request, one that is not there and what is no id are one answer.
      const missing = { code: 'not_found', message: 'not found' }
      await expect(decide(bob, 'GRANTED')).rejects.toMatchObject(missing)
      for (const consentRequestId of [crypto.randomUUID(), 'consent_req_001'])
        await expect(
          alice.bridge.decide({ session, consentRequestId, decision: 'GRANTED' }),
        ).rejects.toMatchObject(missing)
      const carol = world.privity.as({ tenant, actor: 'carol' })
      await expect(decide(carol, 'GRANTED')).rejects.toMatchObject(missing)
      const other = await world.couple(world.privity, tenant)
      await expect(
        other.alice.bridge.decide({
          session: other.session,
          consentRequestId: request.id,
          decision: 'GRANTED',
        }),
      ).rejects.toMatchObject(missing)
      expect(await sharedRows(tenant)).toEqual([])

      await decide(alice, 'GRANTED')
      for (const again of ['GRANTED', 'DENIED'] as const)
        await expect(decide(alice, again)).rejects.toMatchObject({
          code: 'conflict',
          reason: 'bridge_already_decided',
        })
      expect(await sharedRows(tenant)).toHaveLength(1)
      expect((await alice.bridge.history(session)).records).toHaveLength(1)
    })

    it('[CB-5] comes too late after 30 days, and not a moment before', async () => {
      const [late, early] = [await asked(), await asked()]
      world.clock.advance(30 * DAY - 1)
      expect(await pending(late.alice, late.session)).toHaveLength(1)
      await early.alice.bridge.decide({
        session: early.session,
        consentRequestId: early.request.id,
        decision: 'GRANTED',
      })
      world.clock.advance(1)
      expect(await pending(late.alice, late.session)).toEqual([])
      for (const decision of ['GRANTED', 'DENIED'] as const)
        await expect(
          late.alice.bridge.decide({ session: late.session, consentRequestId: late.request.id, decision }),
        ).rejects.toMatchObject({ code: 'conflict', reason: 'bridge_request_expired' })
      expect(await sharedRows(late.tenant)).toEqual([])
      // It can be asked for anew, and stays too late.
      await late.alice.bridge.request({
        session: late.session,
        content: late.original,
        contentType: 'EVENT_SUMMARY',
      })
      const [anew] = await pending(late.alice, late.session)
      expect(anew?.id).not.toBe(late.request.id)
      await expect(
        late.alice.bridge.decide({
          session: late.session,
          consentRequestId: late.request.id,
          decision: 'GRANTED',
        }),
      ).rejects.toMatchObject({ code: 'conflict', reason: 'bridge_request_expired' })
    })

    it('[CB-5] comes too late after as many days as are set', async () => {
      const hasty = await world.instance({ mediation: { requestDays: 2 } })
      const couple = await world.couple(hasty)
      await world.setStage(couple, 'alice', 2)
      const { alice, session } = couple
      await write(alice, session, event())
      world.clock.advance(2 * DAY - 1)
      const [request] = await pending(alice, session)
      expect(request).toBeDefined()
      world.clock.advance(1)
      expect(await pending(alice, session)).toEqual([])
      await expect(
        alice.bridge.decide({ session, consentRequestId: request?.id ?? '', decision: 'DENIED' }),
      ).rejects.toMatchObject({ reason: 'bridge_request_expired' })
    })

    it('[RC-6] a need is not granted once it is no longer confirmed', async () => {
      const { alice, session } = await at(3)
      const [kept = ''] = await write(alice, session, need())
      await alice.vessel.confirmNeeds({ session, needs: [kept] })
      const [request] = await pending(alice, session)
      await alice.vessel.confirmNeeds({ session, needs: [kept], confirmed: false })
      const decide = () =>
        alice.bridge.decide({ session, consentRequestId: request?.id ?? '', decision: 'GRANTED' })
      await expect(decide()).rejects.toMatchObject({
        code: 'conflict',
        reason: 'bridge_need_not_confirmed',
      })
      await alice.vessel.confirmNeeds({ session, needs: [kept] })
      expect(await decide()).toMatchObject({ recorded: true })
    })

    it('[CB-8] an agent does not ask again soon for what was denied, nor for what is not to be asked, and is not told so', async () => {
      const { alice, session, original, request, agentOf } = await asked()
      const agent = agentOf('alice')
      await alice.bridge.decide({ session, consentRequestId: request.id, decision: 'DENIED' })
      const ask = (who: Handle, content = original) =>
        who.bridge.request({ session, content, contentType: 'EVENT_SUMMARY' })
      expect(await ask(agent)).toEqual({ requested: true })
      expect(await pending(alice, session)).toEqual([])
      world.clock.advance(7 * DAY)
      expect(await ask(agent)).toEqual({ requested: true })
      const [again] = await pending(alice, session)
      expect(again?.originalContentId).toBe(original)
      await alice.bridge.decide({ session, consentRequestId: again?.id ?? '', decision: 'DENIED' })
      // Its owner asks whenever they like.
      await ask(alice)
      expect(await pending(alice, session)).toHaveLength(1)
      const [quiet = ''] = await write(alice, session, { ...event('For myself alone'), ask: false })
      expect(await ask(agent, quiet)).toEqual({ requested: true })
      expect(await pending(alice, session)).toHaveLength(1)
      await ask(alice, quiet)
      expect(await pending(alice, session)).toHaveLength(2)
    })

    it('[CB-5] of many at once, over two Privity on one store, exactly one wins', async () => {
      const other = await world.instance()
      for (let round = 0; round < 3; round++) {
        const { alice, session, tenant, request } = await asked()
        const elsewhere = other.as({ tenant, actor: 'alice' })
        const settled = await Promise.allSettled(
          (['GRANTED', 'DENIED', 'GRANTED', 'DENIED'] as const).map((decision, at) =>
            (at < 2 ? alice : elsewhere).bridge.decide({ session, consentRequestId: request.id, decision }),
          ),
        )
        const won = settled.flatMap(result => (result.status === 'fulfilled' ? [result.value] : []))
        expect(won).toHaveLength(1)
        for (const result of settled)
          if (result.status === 'rejected')
            expect(result.reason).toMatchObject({ code: 'conflict', reason: 'bridge_already_decided' })
        expect((await alice.bridge.history(session)).records).toEqual([won[0]?.consentRecord])
        expect(await sharedRows(tenant)).toHaveLength(won[0]?.consentRecord.decision === 'GRANTED' ? 1 : 0)
      }
    })

    it('[CB-5] repeated with its key, it is the same decision', async () => {
      const { alice, session, request } = await asked()
      const decide = () =>
        alice.bridge.decide(
          { session, consentRequestId: request.id, decision: 'GRANTED' },
          { idempotencyKey: 'once' },
        )
      expect(await decide()).toEqual(await decide())
    })

    it('[CB-5] [NI-7] repeated with its key, it tells what is seen now', async () => {
      const { alice, session, request } = await asked()
      const decide = (more = {}) =>
        alice.bridge.decide(
          { session, consentRequestId: request.id, decision: 'GRANTED' },
          { idempotencyKey: 'once', ...more },
        )
      const { consentRecord } = await decide()
      expect(await decide()).toMatchObject({ recorded: true, consentRecord })
      // Whoever sees less is another caller, whose keys are its own, and for whom the request is not there (NI-10, NI-11).
      await expect(decide({ trust: { maxSensitivity: 'low' } })).rejects.toMatchObject({ code: 'not_found' })
      const { revokedAt } = await alice.bridge.revoke({ session, consentRecordId: consentRecord.id })
      expect(await decide()).toMatchObject({
        consentRecord: { ...consentRecord, revokedAt },
        sharedContent: { consentActive: false },
      })
    })

    it('[CB-5] is not made in a session that has ended', async () => {
      const { alice, session, request } = await asked()
      await alice.sessions.setState({ session, state: 'ABANDONED' })
      await expect(
        alice.bridge.decide({ session, consentRequestId: request.id, decision: 'GRANTED' }),
      ).rejects.toMatchObject({ code: 'session_state_transition_invalid' })
    })
  })

  describe('taking it back', () => {
    it('[CB-6] holds from the next request on, keeps the rows, and is told the same each time', async () => {
      const { alice, bob, session, tenant, decided, consentRecordId } = await granted()
      const { transformedContent = '' } = decided.sharedContent ?? {}
      expect((await seenBy(bob, session)).turn).toEqual([transformedContent])
      world.clock.advance(DAY)
      const first = await alice.bridge.revoke({ session, consentRecordId })
      expect(first).toEqual({ revoked: true, revokedAt: world.clock.now().toISOString() })
      expect(await seenBy(bob, session)).toEqual({ turn: [], list: [] })
      world.clock.advance(DAY)
      expect(await alice.bridge.revoke({ session, consentRecordId })).toEqual(first)
      expect((await alice.bridge.history(session)).records).toEqual([
        { ...decided.consentRecord, revokedAt: first.revokedAt },
      ])
      expect(await sharedRows(tenant)).toHaveLength(1)
      const rows = await world.store.sql(
        `select consent_active, revoked_at is null as stands from privity.consent_records where tenant_id = $1`,
        [tenant],
      )
      expect(rows).toEqual([{ consent_active: false, stands: false }])
      const { entries } = await alice.audit.list()
      expect(
        entries.filter(({ operation, outcome }) => operation === 'bridge.revoke' && outcome === 'ok'),
      ).toHaveLength(2)
    })

    it('[CB-6] another Privity on the store sees it at once', async () => {
      const { alice, session, tenant, consentRecordId } = await granted()
      const elsewhere = (await world.instance()).as({ tenant, actor: 'bob' })
      expect((await seenBy(elsewhere, session)).turn).toHaveLength(1)
      await alice.bridge.revoke({ session, consentRecordId })
      expect(await seenBy(elsewhere, session)).toEqual({ turn: [], list: [] })
    })

    const CHANGES = [`set revoked_at = now()`, `set consent_active = false`, `set decision = 'DENIED'`]
    it.each(
      deep ? [...CHANGES, `set decision = 'something else'`] : CHANGES,
    )('[CB-6] each of the three conditions is enough to hide it: %s', async change => {
      const { bob, session, tenant, consentRecordId } = await granted()
      await world.store.sql(
        `update privity.consent_records ${change} where tenant_id = $1 and consent_record_id = $2`,
        [tenant, consentRecordId],
      )
      expect(await seenBy(bob, session)).toEqual({ turn: [], list: [] })
    })

    it('[CB-6] is for who gave it, of what was given; also once the session has ended', async () => {
      const { alice, bob, session, tenant, consentRecordId } = await granted()
      const missing = { code: 'not_found', message: 'not found' }
      await expect(bob.bridge.revoke({ session, consentRecordId })).rejects.toMatchObject(missing)
      for (const wrong of [crypto.randomUUID(), 'consent_rec_001'])
        await expect(alice.bridge.revoke({ session, consentRecordId: wrong })).rejects.toMatchObject(missing)
      const other = await world.couple(world.privity, tenant)
      await expect(alice.bridge.revoke({ session: other.session, consentRecordId })).rejects.toMatchObject(
        missing,
      )
      await bob.sessions.setState({ session, state: 'RESOLVED' })
      expect(await alice.bridge.revoke({ session, consentRecordId })).toMatchObject({ revoked: true })

      const second = await asked()
      const denied = await second.alice.bridge.decide({
        session: second.session,
        consentRequestId: second.request.id,
        decision: 'DENIED',
      })
      await expect(
        second.alice.bridge.revoke({ session: second.session, consentRecordId: denied.consentRecord.id }),
      ).rejects.toMatchObject({ code: 'conflict', reason: 'bridge_nothing_to_revoke' })
    })

    it('[CB-6] [CB-8] sharing again is a new request, and history tells every decision with its times', async () => {
      const { alice, bob, session, original, consentRecordId } = await granted()
      world.clock.advance(1_000)
      const { revokedAt } = await alice.bridge.revoke({ session, consentRecordId })
      await write(alice, session, reading)
      expect(await pending(alice, session)).toEqual([])
      const ask = async () => {
        await alice.bridge.request({ session, content: original, contentType: 'EVENT_SUMMARY' })
        const [request] = await pending(alice, session)
        return request?.id ?? ''
      }
      world.clock.advance(1_000)
      await alice.bridge.decide({ session, consentRequestId: await ask(), decision: 'DENIED' })
      world.clock.advance(1_000)
      const again = await alice.bridge.decide({ session, consentRequestId: await ask(), decision: 'GRANTED' })
      expect((await seenBy(bob, session)).list).toEqual([again.sharedContent?.transformedContent])
      const { records } = await alice.bridge.history(session)
      expect(records.map(({ decision, revokedAt: until }) => [decision, until])).toEqual([
        ['GRANTED', null],
        ['DENIED', null],
        ['GRANTED', revokedAt],
      ])
      expect(records.map(({ decidedAt }) => decidedAt)).toEqual(
        records
          .map(({ decidedAt }) => decidedAt)
          .sort()
          .reverse(),
      )
      expect((await bob.bridge.history(session)).records).toEqual([])
    })
  })

  describe('a partner', () => {
    /** All that bob can ask, answered. */
    async function viewOf({ session, bob, agentOf }: Couple): Promise<string> {
      const agent = agentOf('bob')
      const settle = async (name: string, answer: Promise<unknown>) =>
        [
          name,
          await answer.catch((error: Error & { code?: string; reason?: string }) => [
            error.code,
            error.message,
            error.reason,
          ]),
        ] as const
      const turn = async (who: Handle) => {
        const { turn: _, ...rest } = await who.turns.context({ session, message: 'What did we agree on?' })
        return rest
      }
      const answers = [
        await settle('session', bob.sessions.get(session)),
        await settle('sessions', bob.sessions.list()),
        await settle('stages', bob.stages.get(session)),
        await settle('stages of an agent', agent.stages.get(session)),
        await settle('vessel', bob.vessel.list({ session })),
        await settle('pending', bob.bridge.pending(session)),
        await settle('history', bob.bridge.history(session)),
        await settle('shared', bob.shared.list({ session })),
        await settle('turn', turn(bob)),
        await settle('turn of an agent', turn(agent)),
        await settle('agreements', bob.agreements.list({ session, proposed: true })),
        await settle('pool', bob.strategies.pool(session)),
        await settle('ground', bob.commonGround.find(session)),
        await settle('notifications', bob.notifications.list()),
        await settle('memory', bob.list()),
        await settle(
          'search',
          bob.search('dinner').then(({ results }) => results),
        ),
        await settle(
          'completion',
          bob.complete('zanz').then(({ completions }) => completions),
        ),
        await settle('timeline', bob.timeline()),
        await settle('people', bob.people.list()),
        await settle(
          'audit of others',
          bob.audit
            .list({ limit: 200 })
            .then(({ entries }) => entries.filter(({ for: who }) => who !== 'bob')),
        ),
        await settle('why', bob.requests.whyRefused(crypto.randomUUID())),
      ]
      return JSON.stringify(answers, null, 1)
    }

    it.each(
      few([2, 3], 1),
    )('[CB-8] [NI-8] at stage %i learns of no request and no denial, by any operation', async stage => {
      const couple = await at(stage)
      const { alice, session } = couple
      await viewOf(couple)
      const nothing = await viewOf(couple)
      await write(alice, session, event(), boundary(), reading)
      if (stage === 2) {
        const { items } = await alice.vessel.list({ session, types: ['emotional_reading'] })
        await alice.bridge.request({ session, content: items[0]?.id ?? '', contentType: 'EMOTIONAL_PATTERN' })
      }
      const open = await pending(alice, session)
      expect(open.length).toBeGreaterThan(0)
      expect(await viewOf(couple)).toBe(nothing)
      for (const { id } of open)
        await alice.bridge.decide({ session, consentRequestId: id, decision: 'DENIED' })
      expect(await viewOf(couple)).toBe(nothing)
      expect((await alice.bridge.history(session)).records).toHaveLength(open.length)
      // The view does tell of what is shared, so it would have told of the rest.
      const [more = ''] = await write(
        alice,
        session,
        stage === 2 ? event('One more evening alone') : boundary('Not at night'),
      )
      const [last] = await pending(alice, session)
      expect(last?.originalContentId).toBe(more)
      expect(await viewOf(couple)).toBe(nothing)
      await alice.bridge.decide({ session, consentRequestId: last?.id ?? '', decision: 'GRANTED' })
      expect(await viewOf(couple)).not.toBe(nothing)
    })

    it('[CB-8] what alice is asked reaches nobody but her, notifications among it', async () => {
      const { alice, bob, session } = await asked()
      const types = async (who: Handle) =>
        (await who.notifications.list()).notifications.map(({ type }) => type)
      expect(await types(alice)).toContain('consent.requested')
      expect(await types(bob)).not.toContain('consent.requested')
      const [request] = await pending(alice, session)
      await alice.bridge.decide({ session, consentRequestId: request?.id ?? '', decision: 'DENIED' })
      expect((await types(bob)).filter(type => type.startsWith('consent.'))).toEqual([])
    })

    it('[RC-8] who is behind stage 2 sees nothing that was shared, and is not told of it', async () => {
      const couple = await at(2, 1)
      const { alice, bob, session } = couple
      await write(alice, session, event())
      const [request] = await pending(alice, session)
      await alice.bridge.decide({ session, consentRequestId: request?.id ?? '', decision: 'GRANTED' })
      expect(await seenBy(bob, session)).toEqual({ turn: [], list: [] })
      const { notifications } = await bob.notifications.list()
      expect(notifications.filter(({ type }) => type.startsWith('consent.'))).toEqual([])
      await world.setStage(couple, 'bob', 2)
      expect((await seenBy(bob, session)).list).toEqual([request?.transformedPreview])
    })
  })

  describe('what is erased', () => {
    const standing = (tenant: string) =>
      world.store.sql(
        `select consent_record_id from privity.consent_records
         where tenant_id = $1 and decision = 'GRANTED' and (consent_active or revoked_at is null)`,
        [tenant],
      )
    /** Rows of anybody's tables in which some text is left; a text of this tenant alone. */
    const left = async (...texts: string[]) =>
      (await dumpTables(world.store.sql)).filter(({ row }) =>
        texts.some(text => text !== '' && row.includes(text)),
      )

    /** Alice shared an event under words that nobody else uses, and both agreed on something. */
    async function lived(mark: string) {
      const mediation = await openMediation(world.privity, { stage: 4 })
      const { alice, bob, session } = mediation
      const host = world.privity.as({ tenant: mediation.tenant, actor: 'warden', audience: 'host' })
      const [original = ''] = await write(
        alice,
        session,
        event(`Nobody thanked me for the ${mark}original dinner`),
      )
      await alice.bridge.request({ session, content: original, contentType: 'EVENT_SUMMARY' })
      const [request] = await pending(alice, session)
      const words = `I feel a wish for ${mark}shared thanks.`
      await alice.bridge.decide({
        session,
        consentRequestId: request?.id ?? '',
        decision: 'GRANTED',
        editedContent: words,
      })
      // Asked for once more, and open.
      await alice.bridge.request({ session, content: original, contentType: 'EVENT_SUMMARY' })
      const strategy = await alice.strategies.submit({
        session,
        content: `We could cook ${mark}strategy together on Sundays.`,
      })
      await bob.strategies.submit({ session, content: `We could walk ${mark}partners together on Fridays.` })
      const agreement = await bob.agreements.propose({
        session,
        text: `On Sundays we cook ${mark}agreed.`,
        proposals: [strategy.id],
      })
      await alice.agreements.agree({ session, agreement: agreement.id })
      await bob.turns.context({ session, message: 'What did we agree on?' })
      return { ...mediation, host, original, words, strategy, agreement }
    }

    it('[CB-9] [CB-7] forgetting an original takes what was shared of it, to the last byte', async () => {
      const { alice, bob, session, original, words } = await lived('forgetmark')
      expect((await bob.shared.list({ session })).items.map(({ text }) => text)).toContain(words)
      expect((await left('forgetmarkoriginal', 'forgetmarkshared')).length).toBeGreaterThan(1)
      await alice.forget(original)
      expect(await left('forgetmarkoriginal', 'forgetmarkshared')).toEqual([])
      expect((await bob.shared.list({ session })).items.map(({ text }) => text)).not.toContain(words)
      expect(await pending(alice, session)).toEqual([])
      const { records } = await alice.bridge.history(session)
      expect(records.find(({ contentType }) => contentType === 'EVENT_SUMMARY')).toMatchObject({
        decision: 'GRANTED',
      })
      const rows = await world.store.sql<{ consent_active: boolean }>(
        `select consent_active from privity.consent_records where original_id = $1`,
        [original],
      )
      expect(rows).toEqual([{ consent_active: false }])
    })

    it('[CB-9] leaving ends the session and takes back all that was given; the agreement stays, flagged', async () => {
      const { alice, bob, session, tenant, words, agreement } = await lived('leavemark')
      const before = (await alice.bridge.history(session)).records.filter(
        ({ revokedAt }) => revokedAt === null,
      )
      const { left: gone, revoked, erased } = await alice.sessions.leave({ session })
      expect({ gone, revoked, erased }).toEqual({ gone: true, revoked: before.length, erased: 0 })
      expect((await bob.sessions.get(session)).state).toBe('ABANDONED')
      const items = (await bob.shared.list({ session })).items
      expect(items.filter(({ source }) => source === 'partner')).toEqual([])
      expect(items.map(({ text }) => text)).not.toContain(words)
      const { agreements } = await bob.agreements.list({ session })
      expect(agreements).toMatchObject([{ id: agreement.id, hasStaleInputs: true }])
      const rows = await world.store.sql(
        `select 1 from privity.consent_records where tenant_id = $1 and owner = 'alice' and (consent_active or revoked_at is null)
         and decision = 'GRANTED'`,
        [tenant],
      )
      expect(rows).toEqual([])
      // Her own side is still hers to read.
      expect((await alice.vessel.list({ session })).items.length).toBeGreaterThan(0)
    })

    it('[CB-9] leaving with erasure leaves no byte of one’s own side, and the partner’s as it was', async () => {
      const { alice, bob, session, agreement } = await lived('erasemark')
      const vessel = await bob.vessel.list({ session })
      const { erased } = await alice.sessions.leave({ session, erase: true })
      expect(erased).toBeGreaterThan(3)
      expect(await left('erasemarkoriginal', 'erasemarkshared', 'erasemarkstrategy')).toEqual([])
      expect((await left('erasemarkpartners')).length).toBeGreaterThan(0)
      expect((await alice.vessel.list({ session })).items).toEqual([])
      expect(await pending(alice, session)).toEqual([])
      expect(await bob.vessel.list({ session })).toEqual(vessel)
      const { agreements } = await bob.agreements.list({ session })
      expect(agreements).toMatchObject([{ id: agreement.id, hasStaleInputs: true }])
    })

    it('[CB-9] deleting a session leaves nothing of it, and nothing active', async () => {
      const { alice, bob, host, session, tenant } = await lived('deletemark')
      expect((await left('deletemark')).length).toBeGreaterThan(4)
      await expect(alice.sessions.delete(session)).rejects.toMatchObject({ code: 'not_allowed' })
      await host.sessions.delete(session)
      expect(await left('deletemark')).toEqual([])
      expect(await standing(tenant)).toEqual([])
      for (const table of [
        'records',
        'turns',
        'bridge_requests',
        'strategy_rankings',
        'session_participants',
        'session_invitations',
      ])
        expect(
          await world.store.sql(`select 1 from privity.${table} where tenant_id = $1`, [tenant]),
        ).toEqual([])
      for (const person of [alice, bob]) {
        await expect(person.sessions.get(session)).rejects.toMatchObject({ code: 'not_found' })
        await expect(person.shared.list({ session })).rejects.toMatchObject({ code: 'not_found' })
        await expect(person.turns.context({ session, message: 'hello' })).rejects.toMatchObject({
          code: 'not_found',
        })
      }
    })

    it('[CB-9] common ground goes with the need that it rests on', async () => {
      const mediation = await openMediation(world.privity, { stage: 3 })
      const { alice, bob, session } = mediation
      const { ofAlice } = await findGround(mediation, 'SAFETY')
      await shareNeed(bob, session, 'FAIRNESS', 'An even share of the chores')
      await alice.forget(ofAlice.need)
      const { items } = await bob.shared.list({ session, types: ['common_ground', 'consented_content'] })
      expect(items.map(({ source }) => source)).toEqual(['you', 'you'])
    })
  })

  describe('with a model that words it', () => {
    const told: string[] = []
    let answers: (messages: readonly ChatMessage[]) => Promise<string>
    const modelOf = (local: boolean): ChatModel => ({
      name: local ? 'here' : 'elsewhere',
      local,
      complete: messages => {
        told.push(messages.map(({ content }) => content).join('\n'))
        return answers(messages)
      },
    })
    let remote: Privity
    let local: Privity
    beforeAll(async () => {
      remote = await world.instance({ mediation: { model: modelOf(false) } })
      local = await world.instance({ mediation: { model: modelOf(true) } })
    })
    const builtIn = (original = '') => transformBuiltIn(EVENT, 'EVENT_SUMMARY', { wording: original }).text

    it('[CB-4] what it says is the preview, where it passes the screen', async () => {
      told.length = 0
      answers = async () => ` ${GOOD_EDIT}\n`
      const { request } = await asked(remote)
      expect(request.transformedPreview).toBe(GOOD_EDIT)
      expect(told).toHaveLength(1)
      expect(told[0]).toContain(CANARY)
    })

    const UNUSABLE: [how: string, answer: () => Promise<string>][] = [
      ['repeats the original', async () => `I feel sad. ${EVENT}`],
      ['accuses', async () => 'You never thank me, and I feel hurt.'],
      ['attacks', async () => 'I feel that my partner is an idiot.'],
      ['goes on and on', async () => 'I feel sad. I feel low. I feel tired. I feel alone.'],
      ['says nothing', async () => ''],
      ['speaks of something else', async () => 'Here is the sentence as requested:'],
      ['fails', () => Promise.reject(new Error('down'))],
    ]
    it.each(few(UNUSABLE, 3))('[CB-4] one that %s is replaced by the built-in one', async (_, answer) => {
      answers = answer
      const { request } = await asked(remote)
      expect(request.transformedPreview).toBe(builtIn(request.originalContentId))
    })

    it.each(
      few(['sealed', 'firewalled'] as const, 1),
    )('[OV-4] [CB-4] %s text goes to no model that is not local', async visibilityClass => {
      answers = async () => GOOD_EDIT
      for (const [on, sent] of [
        [remote, 0],
        [local, 1],
      ] as const) {
        told.length = 0
        const { alice, session } = await at(2, 2, on)
        await write(alice, session, { ...event(), visibilityClass })
        expect(told).toHaveLength(sent)
        const [request] = await pending(alice, session)
        expect(request?.transformedPreview).toBe(sent === 1 ? GOOD_EDIT : builtIn(request?.originalContentId))
      }
    })
  })
})
