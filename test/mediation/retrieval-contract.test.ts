import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { validateRetrievalPlan } from '../../src/mediation/retrieval-plan.js'
import type { ContractFacts } from '../../src/policy/subject.js'
import { byHand, type Couple, type Mediated, mediated } from '../support/mediated.js'
import { engines } from '../support/stores.js'

const STAGES = [0, 1, 2, 3, 4] as const
const SOURCES = ['structured', 'vector', 'metadata'] as const
type Source = (typeof SOURCES)[number]
const LETTERS: Readonly<Record<Source, string>> = { structured: 's', vector: 'v', metadata: 'm' }

/**
 * What may be retrieved, written out from RC-3 to RC-7: s structured, v vector, m metadata, - nothing. The last column is
 * what a query of this type can say at all (RC-1).
 */
// biome-ignore format: a table
const TABLE: Readonly<Record<string, readonly string[]>> = {
  //                       stage 0  1     2     3     4     can be said
  session_metadata:      [ 'm',    'm',  'm',  '-',  '-',  'm'   ],
  relationship_metadata: [ 'm',    'm',  'm',  '-',  '-',  'm'   ],
  session_outcomes:      [ 's',    '-',  '-',  '-',  '-',  's'   ],
  user_event:            [ '-',    'sv', 'sv', '-',  '-',  'svm' ],
  emotional_reading:     [ '-',    'sv', 'sv', '-',  '-',  'svm' ],
  need:                  [ '-',    'sv', 'sv', 'sv', '-',  'svm' ],
  boundary:              [ '-',    's',  's',  '-',  '-',  's'   ],
  consented_content:     [ '-',    '-',  'sv', 's',  's',  'sv'  ],
  common_ground:         [ '-',    '-',  's',  's',  's',  's'   ],
  agreement:             [ '-',    '-',  's',  '-',  's',  's'   ],
  micro_experiment:      [ '-',    '-',  '-',  '-',  's',  's'   ],
  experiment_suggestion: [ '-',    '-',  '-',  '-',  'v',  'v'   ],
}
const TYPES = Object.keys(TABLE)
const SAYABLE = 5

const OF_USERS = ['user_event', 'emotional_reading', 'need', 'boundary']
const OF_NO_VESSEL = ['session_metadata', 'relationship_metadata', 'session_outcomes']

/** A query of this type with everything it needs beside its source. */
function queryOf(type: string, source: string, userId: string) {
  if (OF_NO_VESSEL.includes(type)) return { type, source }
  if (OF_USERS.includes(type)) return { type, source, vessel: 'user', userId }
  if (type === 'consented_content') return { type, source, vessel: 'shared', consentActive: true }
  return { type, source, vessel: type === 'experiment_suggestion' ? 'global' : 'shared' }
}

const allows = (type: string, source: Source, at: number) =>
  TABLE[type]?.[at]?.includes(LETTERS[source]) ?? false

const contract = (stage: number, more: Partial<ContractFacts> = {}): ContractFacts => ({
  purpose: 'turn',
  session: 's1',
  relationship: 'r1',
  stage,
  leastStage: stage,
  active: true,
  ...more,
})

const verdictOf = (query: unknown, at: ContractFacts) =>
  validateRetrievalPlan([query], at, 'alice', 'full').verdicts[0]

describe('what a plan may hold', () => {
  for (const stage of STAGES) {
    const cells = TYPES.flatMap(type => SOURCES.map(source => ({ type, source })))

    it.each(cells)(`[RC-3] [RC-4] [RC-5] [RC-6] [RC-7] stage ${stage}: $type by $source`, ({
      type,
      source,
    }) => {
      const own = verdictOf(queryOf(type, source, 'alice'), contract(stage))
      if (allows(type, source, stage)) expect(own).toEqual({ type, source, verdict: 'runs', reason: null })
      else if (allows(type, source, SAYABLE))
        expect(own).toEqual({ type, source, verdict: 'dropped', reason: 'retrieval.forbidden_by_stage' })
      else
        expect(own).toEqual({
          type: null,
          source: null,
          verdict: 'dropped',
          reason: 'retrieval.not_representable',
        })

      // Somebody else's vessel never, whether they are there or not, and the two look the same.
      if (!OF_USERS.includes(type)) return
      const [ofPartner, ofNobody] = ['bob', 'nobody-at-all'].map(user =>
        verdictOf(queryOf(type, source, user), contract(stage)),
      )
      expect(ofPartner?.verdict).toBe('dropped')
      expect(ofNobody).toEqual(ofPartner)
      if (allows(type, source, SAYABLE)) expect(ofPartner?.reason).toBe('retrieval.of_another_user')
    })
  }

  it.each([-1, 5, 1.5, Number.NaN])('[RC-8] [DE-2] at stage %s, which there is not, nothing runs', stage => {
    const all = TYPES.flatMap(type => SOURCES.map(source => queryOf(type, source, 'alice')))
    expect(validateRetrievalPlan(all, contract(stage), 'alice', 'full').queries).toEqual([])
  })

  it.each(STAGES)('[RC-3] at stage %s of a session that is not active, nothing runs', stage => {
    const all = TYPES.flatMap(type => SOURCES.map(source => queryOf(type, source, 'alice')))
    const plan = validateRetrievalPlan(all, contract(stage, { active: false }), 'alice', 'full')
    expect(plan.queries).toEqual([])
    expect(plan.verdicts.map(({ reason }) => reason)).toContain('retrieval.session_not_active')
  })

  it('[RC-1] names of a session, a relationship or a stage in a query have no place, so they choose nothing', () => {
    for (const more of [{ stage: 2 }, { session: 's0' }, { relationship: 'r9' }, { sessionId: 's0' }])
      expect(verdictOf({ ...queryOf('need', 'structured', 'alice'), ...more }, contract(1))?.verdict).toBe(
        'dropped',
      )
  })
})

/** Which records a turn of alice's brings, by stage, source and type: each named as in the world below. */
// biome-ignore format: a table
const BROUGHT: Readonly<Record<number, Partial<Record<Source, Record<string, readonly string[]>>>>> = {
  0: {
    structured: { session_outcomes: ['agreement prior'] },
  },
  1: {
    structured: {
      user_event: ['event', 'event prior', 'event far'],
      emotional_reading: ['reading', 'reading prior'],
      need: ['need', 'need unconfirmed', 'need prior'],
      boundary: ['boundary', 'boundary prior'],
    },
    vector: {
      user_event: ['event', 'event prior'],
      emotional_reading: ['reading', 'reading prior'],
      need: ['need', 'need unconfirmed', 'need prior'],
    },
  },
  2: {
    structured: {
      user_event: ['event', 'event prior', 'event far'],
      emotional_reading: ['reading', 'reading prior'],
      need: ['need', 'need unconfirmed', 'need prior'],
      boundary: ['boundary', 'boundary prior'],
      consented_content: ['in event', 'in pattern', 'in need', 'in boundary', 'in prior', 'attempt', 'attempt prior', 'out need', 'out need prior'],
      common_ground: ['ground', 'ground unconfirmed', 'ground prior'],
      agreement: ['agreement', 'agreement prior', 'agreement stale'],
    },
    vector: {
      user_event: ['event', 'event prior'],
      emotional_reading: ['reading', 'reading prior'],
      need: ['need', 'need unconfirmed', 'need prior'],
      consented_content: ['in event', 'in pattern', 'in need', 'in boundary', 'in prior', 'out need', 'out need prior'],
    },
  },
  3: {
    structured: {
      need: ['need', 'need prior'],
      consented_content: ['in need', 'in boundary', 'in prior', 'out need', 'out need prior'],
      common_ground: ['ground', 'ground unconfirmed', 'ground prior'],
    },
    vector: { need: ['need', 'need prior'] },
  },
  4: {
    structured: {
      consented_content: ['in event', 'in pattern', 'in need', 'in boundary', 'in prior', 'attempt', 'attempt prior', 'strategy', 'strategy prior', 'out need', 'out need prior'],
      common_ground: ['ground', 'ground prior'],
      agreement: ['agreement', 'agreement prior', 'agreement stale'],
      micro_experiment: ['experiment', 'experiment prior', 'experiment stale', 'experiment stale prior'],
    },
  },
}

/** At which stages figures about sessions are told. */
const FIGURES: Readonly<Record<number, readonly string[]>> = {
  0: ['relationship_metadata', 'session_metadata'],
  1: ['relationship_metadata', 'session_metadata'],
  2: ['relationship_metadata', 'session_metadata'],
  3: [],
  4: [],
}

describe.each(engines)('what a turn brings on %s', engine => {
  let world: Mediated
  let now: Couple
  const names = new Map<string, string>()
  const note = (name: string, id: string | undefined) => names.set(id ?? '', name)

  beforeAll(async () => {
    world = await mediated(engine, { embedding: [byHand] })
    const before = await world.couple()
    const { tenant } = before
    now = await world.couple(world.privity, tenant)
    const carol = world.privity.as({ tenant, actor: 'carol' })
    const other = await now.alice.sessions.create({ participants: ['carol'] })
    await carol.sessions.join(other.id)
    const third = { ...now, session: other.id, relationship: other.relationship, bob: carol }
    expect(now.relationship).toBe(before.relationship)

    for (const [suffix, at] of [
      ['', now],
      [' prior', before],
      [' other', third],
    ] as const)
      await build(suffix, at)
    await world.privity.caughtUp()
  })
  afterAll(() => world.dispose())

  /** Everything there is to be kept in one session of alice and somebody. */
  async function build(suffix: string, at: Couple): Promise<void> {
    const { session, alice, bob: partner, tenant, relationship } = at
    const partnerName = suffix === ' other' ? 'carol' : 'bob'
    for (const actor of ['alice', partnerName]) await world.setStage(at, actor, 3)

    const keep = async (
      who: typeof alice,
      name: string,
      item: Parameters<typeof alice.vessel.write>[0]['items'][number],
    ) => {
      const { items } = await who.vessel.write({ session, items: [item] })
      note(name, items[0]?.id)
      return items[0]?.id ?? ''
    }
    const need = { type: 'need', category: 'CONNECTION' } as const
    await keep(alice, `event${suffix}`, { type: 'user_event', text: 'The dishes stood there again.' })
    await keep(alice, `reading${suffix}`, {
      type: 'emotional_reading',
      intensity: 5,
      text: 'Tired of it all.',
    })
    const own = await keep(alice, `need${suffix}`, { ...need, text: 'Somebody who helps in the evening.' })
    await keep(alice, `boundary${suffix}`, { type: 'boundary', text: 'No talk of money after nine.' })
    await alice.vessel.confirmNeeds({ session, needs: [own] })

    const theirs = {
      event: await keep(partner, `their event${suffix}`, {
        type: 'user_event',
        text: 'I was sad in the evening that nobody asked how the day was.',
      }),
      pattern: await keep(partner, `their reading${suffix}`, {
        type: 'emotional_reading',
        intensity: 4,
        text: 'Lonely on most evenings.',
      }),
      need: await keep(partner, `their need${suffix}`, {
        ...need,
        text: 'A hand with the children at night.',
      }),
      boundary: await keep(partner, `their boundary${suffix}`, {
        type: 'boundary',
        text: 'Nobody reads my messages.',
      }),
      revoked: await keep(partner, `their second need${suffix}`, {
        ...need,
        text: 'Somebody who remembers the shopping.',
      }),
      denied: await keep(partner, `their third need${suffix}`, {
        ...need,
        text: 'Peace before breakfast on workdays.',
      }),
      pending: await keep(partner, `their fourth need${suffix}`, {
        ...need,
        text: 'Long walks on most weekends.',
      }),
    }
    await partner.vessel.confirmNeeds({
      session,
      needs: [theirs.need, theirs.revoked, theirs.denied, theirs.pending],
    })

    const share = async (
      who: typeof alice,
      name: string,
      content: string,
      contentType: 'EVENT_SUMMARY' | 'EMOTIONAL_PATTERN' | 'IDENTIFIED_NEED' | 'BOUNDARY',
      decision: 'GRANTED' | 'DENIED' = 'GRANTED',
    ) => {
      await who.bridge.request({ session, content, contentType })
      const { pendingRequests } = await who.bridge.pending(session)
      const asked = pendingRequests.find(({ originalContentId }) => originalContentId === content)
      const answer = await who.bridge.decide({ session, consentRequestId: asked?.id ?? '', decision })
      if (answer.sharedContent !== undefined) note(name, answer.sharedContent.id)
      return answer.consentRecord.id
    }
    await share(alice, `out need${suffix}`, own, 'IDENTIFIED_NEED')
    // Of sessions but this one, one of them is enough to tell.
    const granted = await share(
      partner,
      suffix === '' ? 'in need' : `in${suffix}`,
      theirs.need,
      'IDENTIFIED_NEED',
    )
    if (suffix === '') {
      await share(partner, 'in event', theirs.event, 'EVENT_SUMMARY')
      await share(partner, 'in pattern', theirs.pattern, 'EMOTIONAL_PATTERN')
      await share(partner, 'in boundary', theirs.boundary, 'BOUNDARY')
      await share(partner, 'in denied', theirs.denied, 'IDENTIFIED_NEED', 'DENIED')
      await partner.bridge.request({ session, content: theirs.pending, contentType: 'IDENTIFIED_NEED' })
      await keep(alice, 'event far', { type: 'user_event', text: 'Something else, at cosine 0.69 of all.' })
      await keep(alice, 'need unconfirmed', { ...need, text: 'More time for the garden.' })
    }
    const revoked = await share(partner, `in revoked${suffix}`, theirs.revoked, 'IDENTIFIED_NEED')
    await partner.bridge.revoke({ session, consentRecordId: revoked })

    const shared = { tenant, session, relationship, vessel: 'shared', owner: `session:${session}` }
    const put = async (name: string, given: Omit<Parameters<Mediated['put']>[0], 'tenant' | 'text'>) =>
      note(name + suffix, await world.put({ ...shared, ...given, text: `${name}${suffix}` }))
    await put('ground', { kind: 'common_ground', confirmed: true, inputConsents: [granted] })
    await put('ground stale', {
      kind: 'common_ground',
      confirmed: true,
      inputConsents: [granted, revoked].sort(),
    })
    await put('agreement', { kind: 'agreement', confirmed: true, inputConsents: [granted] })
    await put('agreement proposed', { kind: 'agreement', inputConsents: [granted] })
    await put('experiment', { kind: 'micro_experiment', inputConsents: [granted] })
    await put('experiment stale', { kind: 'micro_experiment', inputConsents: [revoked] })
    await put('strategy', {
      kind: 'strategy_proposal',
      owner: partnerName,
      addressees: ['alice'],
      consentRecord: granted,
    })
    await put('attempt', {
      kind: 'empathy_attempt',
      owner: partnerName,
      addressees: ['alice'],
      consentRecord: granted,
    })
    await put('synthesis shared', { kind: 'ai_synthesis' })
    await put('synthesis', { kind: 'ai_synthesis', vessel: 'user', owner: 'alice' })
    await put('draft', { kind: 'empathy_draft', vessel: 'user', owner: 'alice' })
    await put('without consent', {
      kind: 'consented_content',
      owner: partnerName,
      contentType: 'IDENTIFIED_NEED',
    })
    if (suffix === '') {
      await put('ground unconfirmed', { kind: 'common_ground', inputConsents: [granted] })
      await put('agreement stale', { kind: 'agreement', confirmed: true, inputConsents: [revoked] })
    }
  }

  const QUERIES = TYPES.flatMap(type =>
    SOURCES.flatMap(source =>
      (OF_USERS.includes(type) ? ['alice', 'bob', 'nobody-at-all'] : ['']).map(user =>
        queryOf(type, source, user),
      ),
    ),
  )
  /** Of those, the ones that can be said: few enough for one plan. */
  const SAID = QUERIES.filter(({ type, source }) => allows(type, source as Source, SAYABLE))
  const message = 'What did we agree on about the house?'

  /** One turn, as its records by type. */
  async function broughtBy(queries: unknown, who = now.alice) {
    const { bundle } = await who.turns.context({
      session: now.session,
      message,
      queries,
      tokenBudget: 100_000,
    })
    expect(bundle.leftOut).toBe(0)
    const brought: Record<string, string[]> = {}
    for (const { type, provenance } of bundle.items)
      if (provenance.record !== null)
        brought[type] = [...(brought[type] ?? []), names.get(provenance.record) ?? 'not known'].sort()
    return { brought, items: bundle.items }
  }
  const sorted = (expected: Record<string, readonly string[]> = {}) =>
    Object.fromEntries(Object.entries(expected).map(([type, list]) => [type, [...list].sort()]))

  async function atStage(stage: number, partners = stage): Promise<void> {
    await world.setStage(now, 'alice', stage)
    await world.setStage(now, 'bob', partners)
  }

  for (const stage of STAGES)
    it.each(SOURCES)(`[RC-3] [RC-4] [RC-5] [RC-6] [RC-7] [RC-11] stage ${stage} by %s`, async source => {
      await atStage(stage)
      const { brought, items } = await broughtBy(QUERIES.filter(query => query.source === source))
      expect(brought).toEqual(sorted(BROUGHT[stage]?.[source]))
      const rest = items.filter(({ provenance }) => provenance.record === null)
      if (source === 'metadata') {
        expect(rest.map(({ type }) => type).sort()).toEqual(FIGURES[stage])
        if (stage < 3) {
          expect(rest.map(({ text }) => text).sort()).toEqual([
            '2 sessions since 2026-01-01.',
            'A session of 2026-01-01: ACTIVE.',
          ])
        }
      } else if (source === 'vector' && stage === 4) {
        expect(rest.length).toBeGreaterThan(0)
        expect(new Set(rest.map(({ type, provenance }) => `${type} ${provenance.from}`))).toEqual(
          new Set(['experiment_suggestion library']),
        )
      } else expect(rest).toEqual([])
    })

  it.each(
    STAGES,
  )('[RC-5] everything asked for at once, at stage %s, brings each record once', async stage => {
    await atStage(stage)
    const { brought } = await broughtBy(SAID)
    const expected = sorted(BROUGHT[stage]?.structured)
    // What both sources bring is told under the first of them.
    expect(brought).toEqual(expected)
  })

  it.each(STAGES)('[RC-3] [RC-16] a paused session at stage %s leaves the message alone', async stage => {
    await atStage(stage)
    await now.alice.sessions.setState({ session: now.session, state: 'PAUSED' })
    try {
      const { items } = await broughtBy(SAID)
      expect(items).toEqual([])
    } finally {
      await now.bob.sessions.setState({ session: now.session, state: 'ACTIVE' })
    }
  })

  it.each([
    [2, 0],
    [2, 1],
    [3, 0],
    [3, 1],
    [4, 1],
  ])('[RC-8] at stage %i, shared types wait for a partner who is at %i; own ones do not', async (stage, partners) => {
    await atStage(stage, partners)
    const { brought } = await broughtBy(SAID)
    const { consented_content, common_ground, agreement, micro_experiment, ...own } =
      BROUGHT[stage]?.structured ?? {}
    expect(brought).toEqual(sorted(own))
  })

  it('[RC-8] a partner further on changes nothing', async () => {
    await atStage(1, 3)
    expect((await broughtBy(SAID)).brought).toEqual(sorted(BROUGHT[1]?.structured))
  })

  it('[RC-3] what may not be told takes no place from what may', async () => {
    const before = await world.couple()
    const { tenant, relationship } = before
    const here = await world.couple(world.privity, tenant)
    const agreed = (session: string) =>
      world.put({
        tenant,
        relationship,
        session,
        vessel: 'shared',
        owner: `session:${session}`,
        kind: 'agreement',
        confirmed: true,
        text: 'On Sundays we cook.',
      })
    const prior = await agreed(before.session)
    world.clock.advance(1_000)
    for (let count = 0; count < 25; count++) await agreed(here.session)
    const { bundle } = await here.alice.turns.context({
      session: here.session,
      message,
      queries: [queryOf('session_outcomes', 'structured', '')],
    })
    expect(bundle.items.map(({ provenance }) => provenance.record)).toEqual([prior])
  })

  it('[RC-4] a cosine distance of 0.3 is too far, and just under it is near', async () => {
    const here = await world.couple()
    await world.setStage(here, 'alice', 1)
    const { items } = await here.alice.vessel.write({
      session: here.session,
      items: ['cosine 0.69', 'cosine 0.701', 'cosine 0.95'].map(text => ({
        type: 'user_event' as const,
        text,
      })),
    })
    await world.privity.caughtUp()
    const { bundle } = await here.alice.turns.context({
      session: here.session,
      message: 'How was it?',
      queries: [queryOf('user_event', 'vector', 'alice')],
    })
    expect(bundle.items.map(({ provenance }) => provenance.record)).toEqual([items[2]?.id, items[1]?.id])
  })

  it('[RC-4] without an embedding provider nothing is near, and structured queries still run', async () => {
    const blind = await world.instance({ embedding: [] })
    await atStage(1)
    const alice = blind.as({ tenant: now.tenant, actor: 'alice' })
    expect(
      (
        await broughtBy(
          QUERIES.filter(({ source }) => source === 'vector'),
          alice,
        )
      ).brought,
    ).toEqual({})
    expect((await broughtBy(SAID, alice)).brought).toEqual(sorted(BROUGHT[1]?.structured))
  })
})
