import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Handle } from '../../src/handle.js'
import { mayChangeState } from '../../src/mediation/session-state.js'
import type { Stage } from '../../src/policy/retrieval-contract.js'
import {
  isComplete,
  isPassed,
  isWaiting,
  mayEnterNext,
  type ParticipantProgress,
  type Progress,
  STAGE_GATES,
} from '../../src/policy/stages.js'
import { deep, few } from '../support/depth.js'
import { type Mediated, mediated } from '../support/mediated.js'
import { openMediation } from '../support/mediation.js'
import { engines } from '../support/stores.js'

type Act = `${'alice' | 'bob'} ${keyof ParticipantProgress}` | 'overlapIdentified' | 'agreementCreated'

/** Each gate of alice's, and the one thing that passes it (RC-9). */
// biome-ignore format: a table
const GATES: readonly (readonly [Stage, (typeof STAGE_GATES)[Stage][number], Act])[] = [
  [0, 'compactSigned',         'alice compactSigned'],
  [0, 'partnerCompactSigned',  'bob compactSigned'],
  [1, 'feelHeardConfirmed',    'alice feelHeardConfirmed'],
  [2, 'empathyDraftReady',     'alice empathyDraftReady'],
  [2, 'empathyConsented',      'alice empathyConsented'],
  [2, 'partnerConsented',      'bob empathyConsented'],
  [2, 'partnerValidated',      'alice empathyValidated'],
  [3, 'needsConfirmed',        'alice needsConfirmed'],
  [3, 'partnerNeedsConfirmed', 'bob needsConfirmed'],
  [3, 'commonGroundConfirmed', 'alice commonGroundConfirmed'],
  [4, 'strategiesSubmitted',   'alice strategiesSubmitted'],
  [4, 'rankingsSubmitted',     'alice rankingsSubmitted'],
  [4, 'overlapIdentified',     'overlapIdentified'],
  [4, 'agreementCreated',      'agreementCreated'],
]

const DONE: readonly Exclude<keyof ParticipantProgress, 'stage'>[] = [
  'compactSigned',
  'feelHeardConfirmed',
  'empathyDraftReady',
  'empathyConsented',
  'empathyValidated',
  'needsConfirmed',
  'commonGroundConfirmed',
  'strategiesSubmitted',
  'rankingsSubmitted',
]
const ACTS: readonly Act[] = [
  ...(['alice', 'bob'] as const).flatMap(who => DONE.map((what): Act => `${who} ${what}`)),
  'overlapIdentified',
  'agreementCreated',
]

/** How far the two are when exactly these things were done. */
function progress(done: readonly Act[], stage = 3): Progress {
  const of = (who: string) =>
    ({
      ...Object.fromEntries(DONE.map(what => [what, done.includes(`${who} ${what}` as Act)])),
      stage,
    }) as unknown as ParticipantProgress
  return {
    participants: new Map([
      ['alice', of('alice')],
      ['bob', of('bob')],
    ]),
    overlapIdentified: done.includes('overlapIdentified'),
    agreementCreated: done.includes('agreementCreated'),
  }
}
const without = (...missing: readonly Act[]) => progress(ACTS.filter(act => !missing.includes(act)))
const passed = (at: Progress, who = 'alice') =>
  GATES.filter(([, gate]) => isPassed(at, who, gate)).map(([, gate]) => gate)

describe('gates', () => {
  it('[RC-9] are these and no more', () => {
    expect(
      Object.entries(STAGE_GATES).flatMap(([stage, gates]) => gates.map(gate => [Number(stage), gate])),
    ).toEqual(GATES.map(([stage, gate]) => [stage, gate]))
  })

  it.each(GATES)('[RC-9] stage %i: %s is passed by "%s" and by nothing else', (stage, gate, act) => {
    expect(passed(progress([act]))).toEqual([gate])
    const rest = without(act)
    expect(passed(rest)).toEqual(GATES.map(([, each]) => each).filter(each => each !== gate))
    for (const each of [0, 1, 2, 3, 4] as const) expect(isComplete(rest, 'alice', each)).toBe(each !== stage)
  })

  it('[RC-9] nobody passes a gate in a session that they are not in, nor one of a partner who is not there', () => {
    expect(passed(progress(ACTS), 'carol')).toEqual([])
    const alone: Progress = {
      ...progress(ACTS),
      participants: new Map([...progress(ACTS).participants].slice(0, 1)),
    }
    const partners = ['partnerCompactSigned', 'partnerConsented', 'partnerNeedsConfirmed']
    expect(passed(alone)).toEqual(GATES.map(([, gate]) => gate).filter(gate => !partners.includes(gate)))
  })

  /** Whether alice may enter the next stage, and whether she waits, when this alone is missing (RC-8, RC-9). */
  // biome-ignore format: a table
  const MISSING: readonly (readonly [Stage, Act | null, boolean, boolean])[] = [
    //  missing                        may enter  waits
    [0, null,                          true,      false],
    [0, 'alice compactSigned',         false,     false],
    [0, 'bob compactSigned',           false,     true ],
    [1, null,                          true,      false],
    [1, 'alice feelHeardConfirmed',    false,     false],
    [1, 'bob feelHeardConfirmed',      true,      false],
    [2, null,                          true,      false],
    [2, 'alice empathyDraftReady',     false,     false],
    [2, 'alice empathyConsented',      false,     false],
    [2, 'alice empathyValidated',      true,      true ],
    [2, 'bob empathyConsented',        true,      true ],
    [2, 'bob empathyDraftReady',       true,      false],
    [2, 'bob feelHeardConfirmed',      true,      false],
    [3, null,                          true,      false],
    [3, 'alice needsConfirmed',        false,     false],
    [3, 'alice commonGroundConfirmed', false,     false],
    [3, 'bob needsConfirmed',          false,     true ],
    [3, 'bob commonGroundConfirmed',   false,     false],
    [3, 'bob empathyValidated',        false,     false],
    [3, 'bob empathyDraftReady',       true,      false],
    [3, 'bob empathyConsented',        false,     false],
    [3, 'bob feelHeardConfirmed',      true,      false],
    [3, 'bob compactSigned',           false,     false],
    [3, 'alice empathyValidated',      false,     false],
    [3, 'bob strategiesSubmitted',     true,      false],
    [4, null,                          false,     false],
    [4, 'alice rankingsSubmitted',     false,     false],
    [4, 'overlapIdentified',           false,     false],
    [4, 'agreementCreated',            false,     false],
  ]
  it.each(
    MISSING,
  )('[RC-8] [RC-9] at stage %i without "%s": may go on %s, waits %s', (stage, missing, enters, waits) => {
    const at = missing === null ? progress(ACTS) : without(missing)
    expect(mayEnterNext(at, 'alice', stage)).toBe(enters)
    expect(isWaiting(at, 'alice', stage)).toBe(waits)
  })

  it('[RC-8] the last stage is not entered before the other has reached the one before it', () => {
    expect(mayEnterNext(progress(ACTS, 2), 'alice', 3)).toBe(false)
    expect(mayEnterNext(progress(ACTS, 3), 'alice', 3)).toBe(true)
  })
})

const STATES = ['CREATED', 'INVITED', 'ACTIVE', 'PAUSED', 'RESOLVED', 'ABANDONED'] as const
type State = (typeof STATES)[number]

/** From the first, to each of the others in their order: whether a session may go there. */
// biome-ignore format: a table
const TRANSITIONS: Readonly<Record<State, readonly (0 | 1)[]>> = {
  //           CREATED INVITED ACTIVE PAUSED RESOLVED ABANDONED
  CREATED:   [ 0,      1,      0,     0,     0,       1 ],
  INVITED:   [ 1,      0,      1,     0,     0,       1 ],
  ACTIVE:    [ 0,      0,      0,     1,     1,       1 ],
  PAUSED:    [ 0,      0,      1,     0,     1,       1 ],
  RESOLVED:  [ 0,      0,      0,     0,     0,       0 ],
  ABANDONED: [ 0,      0,      0,     0,     0,       0 ],
}

describe('session states', () => {
  it.each(
    STATES.flatMap(from => STATES.map((to, at) => [from, to, TRANSITIONS[from][at] === 1] as const)),
  )('[RC-8] from %s to %s: %s', (from, to, allowed) => expect(mayChangeState(from, to)).toBe(allowed))
})

describe.each(engines)('stages on %s', engine => {
  let world: Mediated
  beforeAll(async () => {
    world = await mediated(engine)
  })
  afterAll(() => world.dispose())

  const gatesOf = async (who: Handle, session: string) => {
    const { stages } = await who.stages.get(session)
    return stages.flatMap(({ gates }) => Object.entries(gates).flatMap(([gate, is]) => (is ? [gate] : [])))
  }
  const stageOf = async (who: Handle, session: string) => (await who.stages.get(session)).stage
  const words = {
    alice: 'I imagine that evenings feel long to you.',
    bob: 'I imagine that mornings feel hectic to you.',
  }

  it('[RC-9] [NI-8] each thing that is done passes the gates it should, of both, and tells nothing else', async () => {
    const { alice, bob, session } = await openMediation(world.privity)
    const people = { alice, bob }
    let before = { alice: await gatesOf(alice, session), bob: await gatesOf(bob, session) }
    expect(before).toEqual({ alice: [], bob: [] })

    /** Does something; exactly these gates of each are passed by it. */
    async function does<T>(act: () => Promise<T>, ofAlice: string[] = [], ofBob: string[] = []): Promise<T> {
      const result = await act()
      const after = { alice: await gatesOf(alice, session), bob: await gatesOf(bob, session) }
      const fresh = (who: 'alice' | 'bob') => after[who].filter(gate => !before[who].includes(gate))
      expect({ alice: fresh('alice'), bob: fresh('bob') }).toEqual({ alice: ofAlice, bob: ofBob })
      expect(before.alice.filter(gate => !after.alice.includes(gate))).toEqual([])
      before = after
      return result
    }
    const shareNeed = async (who: 'alice' | 'bob', own: string[], others: string[]) => {
      const person = people[who]
      const text = who === 'alice' ? 'Somebody who sees the work' : 'A word for what gets done'
      const { items } = await does(() =>
        person.vessel.write({ session, items: [{ type: 'need', category: 'RECOGNITION', text }] }),
      )
      const needs = items.map(({ id }) => id)
      await does(
        () => person.vessel.confirmNeeds({ session, needs }),
        ...((who === 'alice' ? [own, others] : [others, own]) as [string[], string[]]),
      )
      const { pendingRequests } = await person.bridge.pending(session)
      const asked = pendingRequests.find(({ originalContentId }) => needs.includes(originalContentId))
      await does(() =>
        person.bridge.decide({ session, consentRequestId: asked?.id ?? '', decision: 'GRANTED' }),
      )
    }

    await does(() => alice.stages.signCompact(session), ['compactSigned'], ['partnerCompactSigned'])
    await does(() => bob.stages.signCompact(session), ['partnerCompactSigned'], ['compactSigned'])
    for (const person of [alice, bob]) await does(() => person.stages.advance(session))
    await does(() => alice.stages.confirmHeard(session), ['feelHeardConfirmed'])
    await does(() => bob.stages.confirmHeard(session), [], ['feelHeardConfirmed'])
    for (const person of [alice, bob]) await does(() => person.stages.advance(session))

    const unready = await does(() => alice.empathy.draft({ session, text: `A first try. ${words.alice}` }))
    const draft = await does(
      () =>
        alice.empathy.draft({
          session,
          text: `A second try. ${words.alice}`,
          ready: true,
          draft: unready.id,
        }),
      ['empathyDraftReady'],
    )
    const ofAlice = await does(
      () => alice.empathy.share({ session, draft: draft.id, content: words.alice }),
      ['empathyConsented'],
      ['partnerConsented'],
    )
    const theirs = await does(
      () => bob.empathy.draft({ session, text: words.bob, ready: true }),
      [],
      ['empathyDraftReady'],
    )
    const ofBob = await does(
      () => bob.empathy.share({ session, draft: theirs.id, content: words.bob }),
      ['partnerConsented'],
      ['empathyConsented'],
    )
    await does(() => bob.empathy.validate({ session, attempt: ofAlice.id, validated: false }))
    await does(
      () => bob.empathy.validate({ session, attempt: ofAlice.id, validated: true }),
      ['partnerValidated'],
    )
    await does(
      () => alice.empathy.validate({ session, attempt: ofBob.id, validated: true }),
      [],
      ['partnerValidated'],
    )
    for (const person of [alice, bob]) await does(() => person.stages.advance(session))

    await shareNeed('alice', ['needsConfirmed'], ['partnerNeedsConfirmed'])
    await shareNeed('bob', ['needsConfirmed'], ['partnerNeedsConfirmed'])
    const { commonGround } = await does(() => bob.commonGround.find(session))
    const ground = commonGround[0]?.id ?? ''
    await does(() => alice.commonGround.confirm({ session, commonGround: ground }), ['commonGroundConfirmed'])
    await does(
      () => bob.commonGround.confirm({ session, commonGround: ground }),
      [],
      ['commonGroundConfirmed'],
    )
    for (const person of [alice, bob]) await does(() => person.stages.advance(session))

    const first = await does(
      () => alice.strategies.submit({ session, content: 'We could cook together on Sundays.' }),
      ['strategiesSubmitted'],
    )
    const second = await does(
      () => bob.strategies.submit({ session, content: 'We could walk together on Fridays.' }),
      [],
      ['strategiesSubmitted'],
    )
    await does(() => alice.strategies.rank({ session, proposals: [first.id] }), ['rankingsSubmitted'])
    await does(() => bob.strategies.rank({ session, proposals: [second.id] }), [], ['rankingsSubmitted'])
    // Only once the other adds something is there a reason to rank anew.
    await does(() => alice.strategies.submit({ session, content: 'We could read to each other.' }))
    await does(
      () => bob.strategies.rank({ session, proposals: [second.id, first.id] }),
      ['overlapIdentified'],
      ['overlapIdentified'],
    )
    const proposed = await does(() =>
      alice.agreements.propose({ session, text: 'On Sundays we cook.', proposals: [first.id] }),
    )
    await does(
      () => bob.agreements.agree({ session, agreement: proposed.id }),
      ['agreementCreated'],
      ['agreementCreated'],
    )

    for (const person of [alice, bob]) {
      const view = await person.stages.get(session)
      expect(view.stages.map(({ complete }) => complete)).toEqual([true, true, true, true, true])
      expect(view).toMatchObject({ stage: 4, waiting: false, mayAdvance: false })
      expect(view.stages.every(({ enteredAt }) => enteredAt !== null)).toBe(true)
      await expect(person.stages.advance(session)).rejects.toMatchObject({ code: 'conflict' })
    }
  })

  it('[RC-9] what is taken back closes its gates again, and moves nobody to an earlier stage', async () => {
    const { alice, bob, session } = await openMediation(world.privity, { stage: 3 })
    const { records } = await alice.bridge.history(session)
    const attempt = records.find(({ contentType }) => contentType === 'EMPATHY_ATTEMPT')
    await alice.bridge.revoke({ session, consentRecordId: attempt?.id ?? '' })
    const gates = async (who: Handle) => (await who.stages.get(session)).stages[2]?.gates
    expect(await gates(alice)).toEqual({
      empathyDraftReady: true,
      empathyConsented: false,
      partnerConsented: true,
      partnerValidated: false,
    })
    expect(await gates(bob)).toEqual({
      empathyDraftReady: true,
      empathyConsented: true,
      partnerConsented: false,
      partnerValidated: true,
    })
    expect(await stageOf(alice, session)).toBe(3)
  })

  it('[RC-8] stages 1 to 3 are gone through in one’s own time; 0 and 4 take both', async () => {
    const { alice, bob, session } = await openMediation(world.privity)
    const refused = { code: 'conflict', reason: 'session.stage_gates_open' }
    await expect(alice.stages.advance(session)).rejects.toMatchObject(refused)
    expect(await alice.stages.signCompact(session)).toMatchObject({ waiting: true, mayAdvance: false })
    await expect(alice.stages.advance(session)).rejects.toMatchObject(refused)
    await bob.stages.signCompact(session)
    expect(await alice.stages.get(session)).toMatchObject({ waiting: false, mayAdvance: true })
    expect(await alice.stages.advance(session)).toMatchObject({ stage: 1, mayAdvance: false, waiting: false })
    expect(await stageOf(bob, session)).toBe(0)

    await expect(alice.stages.advance(session)).rejects.toMatchObject(refused)
    await alice.stages.confirmHeard(session)
    await alice.stages.advance(session)
    await expect(alice.stages.advance(session)).rejects.toMatchObject(refused)
    const { id: draft } = await alice.empathy.draft({ session, text: words.alice, ready: true })
    await expect(alice.stages.advance(session)).rejects.toMatchObject(refused)
    await alice.empathy.share({ session, draft, content: words.alice })
    // Bob has not left stage 0: his gates hold back that her stage is complete, not that she goes on.
    expect(await alice.stages.get(session)).toMatchObject({ waiting: true, mayAdvance: true })
    expect(await alice.stages.advance(session)).toMatchObject({ stage: 3 })
    expect(await stageOf(bob, session)).toBe(0)
    await expect(alice.stages.advance(session)).rejects.toMatchObject(refused)
    const { stages } = await alice.stages.get(session)
    expect(stages.map(({ enteredAt }) => enteredAt !== null)).toEqual([true, true, true, true, false])
    expect(stages.map(({ complete }) => complete)).toEqual([true, true, false, false, false])
  })

  it('[RC-8] what belongs to a stage is refused before it', async () => {
    const { alice, session } = await openMediation(world.privity)
    const early = { code: 'conflict', reason: 'session.stage_not_reached' }
    await expect(alice.stages.confirmHeard(session)).rejects.toMatchObject(early)
    await expect(alice.empathy.draft({ session, text: words.alice })).rejects.toMatchObject(early)
    const { items } = await alice.vessel.write({
      session,
      items: [{ type: 'need', category: 'SAFETY', text: 'Quiet evenings' }],
    })
    await expect(
      alice.vessel.confirmNeeds({ session, needs: items.map(({ id }) => id) }),
    ).rejects.toMatchObject(early)
    await expect(alice.commonGround.find(session)).rejects.toMatchObject(early)
    await expect(alice.strategies.submit({ session, content: 'We could walk.' })).rejects.toMatchObject(early)
  })

  it('[RC-8] [DE-3] nobody can claim a stage: there is no field for it', async () => {
    const { alice, session, tenant, agentFor } = await openMediation(world.privity, { stage: 1 })
    const credential = { tenant, actor: 'alice' }
    for (const [operation, input] of [
      ['stages.advance', { session }],
      ['stages.get', { session }],
      ['turns.context', { session, message: 'hello' }],
      ['vessel.write', { session, items: [{ type: 'user_event', text: 'x' }] }],
      ['shared.list', { session }],
      ['bridge.pending', { session }],
    ] as const)
      for (const claim of [{ stage: 4 }, { leastStage: 4 }, { toStage: 4 }, { contract: { stage: 4 } }])
        await expect(
          world.privity.invoke(credential, operation, { ...input, ...claim }),
        ).rejects.toMatchObject({
          code: 'invalid_input',
        })
    expect(await stageOf(alice, session)).toBe(1)
    expect((await alice.turns.context({ session, message: 'hello' })).stage).toBe(1)
    // And an agent takes nobody further.
    for (const act of ['advance', 'confirmHeard', 'signCompact'] as const)
      await expect(agentFor('alice').stages[act](session)).rejects.toMatchObject({ code: 'not_allowed' })
    const carol = world.privity.as({ tenant, actor: 'carol' })
    for (const act of ['advance', 'confirmHeard', 'signCompact', 'get'] as const)
      await expect(carol.stages[act](session)).rejects.toMatchObject({ code: 'not_found' })
  })

  it('[NI-8] of a partner, gates tell that they are passed, and nothing tells how far they are', async () => {
    const { alice, bob, session } = await openMediation(world.privity, { stage: 1 })
    const before = await alice.stages.get(session)
    await bob.stages.confirmHeard(session)
    await bob.stages.advance(session)
    await bob.empathy.draft({ session, text: words.bob, ready: true })
    expect(await alice.stages.get(session)).toEqual(before)
    expect(JSON.stringify(await alice.sessions.get(session))).not.toContain('stage')
  })

  it('[RC-8] two steps at once are one step', async () => {
    const { alice, session } = await openMediation(world.privity, { stage: 1 })
    await alice.stages.confirmHeard(session)
    const settled = await Promise.allSettled([1, 2, 3].map(() => alice.stages.advance(session)))
    expect(settled.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(await stageOf(alice, session)).toBe(2)
  })

  describe('a session', () => {
    /** A session of alice and bob in this state, by what people do. */
    async function inState(state: State) {
      const tenant = world.store.tenant()
      const alice = world.privity.as({ tenant, actor: 'alice' })
      const bob = world.privity.as({ tenant, actor: 'bob' })
      const { id: session } = await alice.sessions.create({
        participants: ['bob'],
        invite: state !== 'CREATED',
      })
      if (state !== 'CREATED' && state !== 'INVITED') await bob.sessions.join(session)
      if (state === 'PAUSED' || state === 'RESOLVED' || state === 'ABANDONED')
        await alice.sessions.setState({ session, state })
      expect((await alice.sessions.get(session)).state).toBe(state)
      return { tenant, alice, bob, session }
    }
    const invalid = { code: 'session_state_transition_invalid', reason: 'session_state_transition_invalid' }

    it.each(STATES)('[RC-8] that is %s goes where it may, and nowhere else', async from => {
      // Nobody sets the first two: one such is enough outside the deep run.
      const targets = [...STATES.entries()].filter(([, to]) => deep || to !== 'INVITED')
      let made: Awaited<ReturnType<typeof inState>> | undefined
      for (const [at, to] of targets) {
        made ??= await inState(from)
        const { alice, session } = made
        // Inviting and joining make those two, and nobody sets them; only joining makes a session active at first.
        const allowed = TRANSITIONS[from][at] === 1 && !(from === 'INVITED' && to === 'ACTIVE')
        const set = alice.sessions.setState({ session, state: to as 'PAUSED' })
        if (to === 'CREATED' || to === 'INVITED')
          await expect(set).rejects.toMatchObject({ code: 'invalid_input' })
        else if (allowed) expect(await set).toMatchObject({ state: to })
        else await expect(set).rejects.toMatchObject(invalid)
        const { state } = await alice.sessions.get(session)
        expect(state).toBe(allowed && to !== 'CREATED' && to !== 'INVITED' ? to : from)
        // What refused stays as it was, and is asked again.
        if (state !== from) made = undefined
      }
    })

    // biome-ignore format: a table
    const DEEDS: Readonly<Record<State, Readonly<Record<string, string>>>> = {
      CREATED:   { write: 'yes',   sign: 'yes',   advance: 'conflict', join: 'not_found', leave: 'ABANDONED' },
      INVITED:   { write: 'yes',   sign: 'yes',   advance: 'conflict', join: 'ACTIVE',    leave: 'ABANDONED' },
      ACTIVE:    { write: 'yes',   sign: 'yes',   advance: 'conflict', join: 'not_found', leave: 'ABANDONED' },
      PAUSED:    { write: 'yes',   sign: 'yes',   advance: 'conflict', join: 'not_found', leave: 'ABANDONED' },
      RESOLVED:  { write: 'ended', sign: 'ended', advance: 'ended',    join: 'not_found', leave: 'RESOLVED'  },
      ABANDONED: { write: 'ended', sign: 'ended', advance: 'ended',    join: 'not_found', leave: 'ABANDONED' },
    }
    it.each(few(STATES, 3))('[RC-8] that is %s takes what it takes', async state => {
      const { alice, bob, session } = await inState(state)
      const outcome = async (deed: Promise<unknown>) =>
        deed.then(
          () => 'yes',
          ({ code }: { code: string }) => (code === invalid.code ? 'ended' : code),
        )
      const expected = DEEDS[state]
      const write = alice.vessel.write({ session, items: [{ type: 'user_event', text: 'A long day' }] })
      expect(await outcome(write)).toBe(expected.write)
      expect(await outcome(alice.stages.signCompact(session))).toBe(expected.sign)
      expect(await outcome(alice.stages.advance(session))).toBe(expected.advance)
      const joined = await outcome(bob.sessions.join(session))
      expect(joined === 'yes' ? (await bob.sessions.get(session)).state : joined).toBe(expected.join)
      await alice.sessions.leave({ session })
      expect((await alice.sessions.get(session)).state).toBe(expected.leave)
    })

    it('[RC-8] that is paused lets nobody go on, though their gates are passed', async () => {
      const { alice, bob, session } = await openMediation(world.privity)
      for (const person of [alice, bob]) await person.stages.signCompact(session)
      await bob.sessions.setState({ session, state: 'PAUSED' })
      expect(await alice.stages.get(session)).toMatchObject({ mayAdvance: false })
      await expect(alice.stages.advance(session)).rejects.toMatchObject({
        code: 'conflict',
        reason: 'session.not_active',
      })
      await alice.sessions.setState({ session, state: 'ACTIVE' })
      expect(await alice.stages.advance(session)).toMatchObject({ stage: 1 })
    })

    it('[RC-8] that is paused tells nobody that they can go on, until it goes on itself', async () => {
      const { alice, bob, session } = await openMediation(world.privity, { stage: 1 })
      const ready = async (person: Handle) =>
        (await person.notifications.list({ limit: 200 })).notifications.filter(
          ({ type }) => type === 'stage.ready',
        ).length
      const before = await ready(alice)
      await bob.sessions.setState({ session, state: 'PAUSED' })
      await alice.stages.confirmHeard(session)
      expect(await ready(alice)).toBe(before)
      const other = await ready(bob)
      await bob.sessions.setState({ session, state: 'ACTIVE' })
      expect([await ready(alice), await ready(bob)]).toEqual([before + 1, other])
    })

    it('[RC-8] is declined once and for all', async () => {
      const { alice, bob, session } = await inState('INVITED')
      await bob.sessions.decline(session)
      expect(await alice.sessions.get(session)).toMatchObject({
        state: 'CREATED',
        invited: [],
        participants: ['alice'],
      })
      await expect(bob.sessions.get(session)).rejects.toMatchObject({ code: 'not_found' })
      await expect(bob.sessions.join(session)).rejects.toMatchObject({ code: 'not_found' })
      // Asked again and again would be a flood: for another try there is another session.
      await expect(alice.sessions.invite(session)).rejects.toMatchObject({ code: 'conflict' })
      await expect(bob.sessions.join(session)).rejects.toMatchObject({ code: 'not_found' })
      expect((await bob.notifications.list()).notifications.map(({ type }) => type)).toEqual([
        'session.invited',
      ])
      const { id: another } = await alice.sessions.create({ participants: ['bob'] })
      expect(await bob.sessions.join(another)).toMatchObject({ state: 'ACTIVE' })
      await expect(alice.sessions.invite(another)).rejects.toMatchObject({ code: 'conflict' })
    })

    it('[RC-8] with one who has not joined is at no stage for both: nothing of a partner is passed', async () => {
      const { alice, session } = await inState('INVITED')
      await alice.stages.signCompact(session)
      expect(await alice.stages.get(session)).toMatchObject({ stage: 0, waiting: true, mayAdvance: false })
    })

    it('[NI-10] a host lists every session and what was done in one, and a narrowed key of the host none', async () => {
      const { alice, session, tenant } = await openMediation(world.privity, { stage: 1 })
      const host = world.privity.as({ tenant, actor: 'host', audience: 'host' })
      expect((await host.sessions.list({})).sessions.map(({ id }) => id)).toEqual([session])
      expect((await host.audit.operations({ of: session })).operations.map(({ name }) => name)).toContain(
        'stages.advance',
      )
      expect((await host.audit.list({ operation: 'stages.advance', outcome: 'ok' })).entries.length).toBe(2)
      expect((await host.audit.list({ operation: 'stages.advance', outcome: 'conflict' })).entries).toEqual(
        [],
      )
      const narrow = world.privity.as({
        tenant,
        actor: 'host',
        audience: 'host',
        trust: { maxSensitivity: 'low' },
      })
      expect((await narrow.sessions.list({})).sessions).toEqual([])
      await expect(narrow.sessions.get(session)).rejects.toMatchObject({ code: 'not_found' })
      expect((await narrow.audit.operations({ of: session })).operations).toEqual([])
      expect((await alice.sessions.list({})).sessions).toHaveLength(1)
    })

    it('[NI-5] of others is not there: to look at, to change or to leave', async () => {
      const { tenant, session } = await inState('ACTIVE')
      const carol = world.privity.as({ tenant, actor: 'carol' })
      const missing = { code: 'not_found', message: 'not found' }
      for (const named of [session, 'no-such-session']) {
        await expect(carol.sessions.get(named)).rejects.toMatchObject(missing)
        await expect(carol.sessions.join(named)).rejects.toMatchObject(missing)
        await expect(carol.sessions.decline(named)).rejects.toMatchObject(missing)
        await expect(carol.sessions.invite(named)).rejects.toMatchObject(missing)
        await expect(carol.sessions.leave({ session: named })).rejects.toMatchObject(missing)
        await expect(carol.sessions.setState({ session: named, state: 'PAUSED' })).rejects.toMatchObject(
          missing,
        )
      }
      expect((await carol.sessions.list()).sessions).toEqual([])
    })
  })
})
