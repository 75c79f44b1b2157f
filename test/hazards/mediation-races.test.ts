import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { NEED_CATEGORIES } from '../../src/mediation/needs.js'
import { open, type Privity } from '../../src/open.js'
import type { Child, Program } from '../support/child.js'
import { times } from '../support/depth.js'
import { findGround, type Mediation, openMediation } from '../support/mediation.js'
import { type Invoke, type Remote, remote, remoteProgram } from '../support/remote.js'
import { freshDatabase } from '../support/stores.js'

/** How often each race is run. */
const RACES = Number(process.env.PRIVITY_RACES ?? times(1, 12))
/** A turn stands still before each of its statements in the deep run, and before some in `npm test`. */
const STEP = times(5, 1)
/** How often a process is ended in the middle of deciding. */
const KILLS = Number(process.env.PRIVITY_CRASHES ?? times(3, 6))

const WORDING = 'I feel calm when we plan the week together.'

describe('races of a mediation on postgres', () => {
  let database: { url: string; drop(): Promise<void> }
  let elsewhere: Program
  let child: Child
  let other: Remote
  let a: Privity
  let b: Privity
  /** Two pools here, and a process elsewhere. */
  let places: Invoke[]
  /** A mediation in which both are in stage 2. */
  let pair: Mediation

  beforeAll(async () => {
    ;[database, elsewhere] = await Promise.all([freshDatabase(), remoteProgram()])
    a = await open({ databaseUrl: database.url, embedding: [] })
    b = await open({ databaseUrl: database.url, embedding: [] })
    ;[child, other] = await another()
    places = [a.invoke, b.invoke, other.invoke]
    pair = await openMediation(a, { stage: 2 })
  }, 120_000)
  afterAll(async () => {
    await Promise.race([child?.end(), sleep(10_000)])
    await child?.kill()
    await Promise.all([a?.close(), b?.close()])
    await Promise.all([database?.drop(), elsewhere?.dispose()])
  })

  async function another(): Promise<[Child, Remote]> {
    const started = elsewhere.start(database.url)
    await started.line()
    return [started, remote(started)]
  }

  /** Somebody of a mediation, asking at any place. */
  const as =
    (actor: string, { tenant, session }: Mediation = pair) =>
    (at: Invoke, name: string, input: object = {}) =>
      at({ tenant, actor }, name, { session, ...input })
  const at = (turn: number): Invoke => places[turn % places.length] ?? a.invoke

  /** What several at once came to. */
  async function race(...running: Promise<unknown>[]) {
    const outcomes = await Promise.allSettled(running)
    return {
      won: outcomes.flatMap(outcome => (outcome.status === 'fulfilled' ? [outcome.value] : [])),
      lost: outcomes.flatMap(outcome => (outcome.status === 'rejected' ? [codeOf(outcome.reason)] : [])),
    }
  }
  /** Elsewhere, an error is its code. */
  const codeOf = (error: { code?: string; message: string }) => error.code ?? error.message

  /** Something of bob's that he is asked to share. */
  async function asked({ bob, session }: Mediation = pair) {
    const { items } = await bob.vessel.write({
      session,
      items: [
        {
          type: 'user_event',
          text: 'the kettle stood on the cold balcony all night, and I am sad about the dishes',
        },
      ],
    })
    const { pendingRequests } = await bob.bridge.pending(session)
    const found = pendingRequests.find(({ originalContentId }) => originalContentId === items[0]?.id)
    if (found === undefined) throw new Error('bob was not asked')
    return found.id
  }
  const grant = (consentRequestId: string, editedContent = WORDING) => ({
    consentRequestId,
    decision: 'GRANTED',
    editedContent,
  })
  interface Decided {
    readonly consentRecord: { id: string; decision: string }
    readonly sharedContent?: { id: string; transformedContent: string }
  }
  async function shared(where: Invoke = a.invoke, mediation: Mediation = pair) {
    const granted = (await as('bob', mediation)(
      where,
      'bridge.decide',
      grant(await asked(mediation)),
    )) as Decided
    return { consent: granted.consentRecord.id, content: granted.sharedContent?.id ?? '' }
  }
  const sharedIds = async (where: Invoke, who = 'alice', mediation: Mediation = pair) => {
    const { items } = (await as(who, mediation)(where, 'shared.list', { limit: 200 })) as {
      items: { id: string; text: string }[]
    }
    return items
  }

  it('[CB-5] of many decisions at once, in several processes, one counts', async () => {
    for (let round = 0; round < RACES; round++) {
      const request = await asked()
      const before = new Set((await sharedIds(a.invoke)).map(({ id }) => id))
      const { won, lost } = await race(
        ...[0, 1, 2, 3, 4].map(turn =>
          as('bob')(at(round + turn), 'bridge.decide', grant(request, `I feel calm on day ${turn}.`)),
        ),
      )
      expect(won).toHaveLength(1)
      expect(lost).toEqual(['conflict', 'conflict', 'conflict', 'conflict'])
      const { sharedContent } = won[0] as Decided
      for (const where of places) {
        const after = (await sharedIds(where)).filter(({ id }) => !before.has(id))
        expect(after).toMatchObject([{ id: sharedContent?.id, text: sharedContent?.transformedContent }])
      }
    }
  }, 600_000)

  it('[CB-5] a grant and a denial at once are one of the two, whole', async () => {
    for (let round = 0; round < RACES; round++) {
      const request = await asked()
      const before = (await sharedIds(a.invoke)).length
      const { won, lost } = await race(
        as('bob')(at(round), 'bridge.decide', grant(request)),
        as('bob')(at(round + 1), 'bridge.decide', { consentRequestId: request, decision: 'DENIED' }),
      )
      expect(lost).toEqual(['conflict'])
      const [{ consentRecord, sharedContent }] = won as [Decided]
      expect(sharedContent !== undefined).toBe(consentRecord.decision === 'GRANTED')
      expect(await sharedIds(b.invoke)).toHaveLength(before + (sharedContent === undefined ? 0 : 1))
      const { records } = await pair.bob.bridge.history(pair.session)
      expect(records.filter(({ id }) => id === consentRecord.id)).toMatchObject([consentRecord])
    }
  }, 600_000)

  it('[CB-6] what is taken back while something else is granted, or as soon as it is granted, is gone', async () => {
    for (let round = 0; round < RACES; round++) {
      const first = await shared(at(round))
      const request = await asked()
      const revoke = (where: Invoke, consentRecordId: string) =>
        as('bob')(where, 'bridge.revoke', { consentRecordId })
      // The grant is taken back as soon as it can be seen, which may be before its own answer.
      const deciding = as('bob')(at(round + 1), 'bridge.decide', grant(request)) as Promise<Decided>
      const known = new Set((await pair.bob.bridge.history(pair.session)).records.map(({ id }) => id))
      const takeBack = async (where: Invoke) => {
        for (;;) {
          const { records } = (await as('bob')(where, 'bridge.history')) as { records: { id: string }[] }
          const made = records.find(({ id }) => !known.has(id))
          if (made !== undefined) return revoke(where, made.id)
          const settled = await Promise.race([deciding, sleep(1, null)])
          if (settled !== null) return revoke(where, settled.consentRecord.id)
        }
      }
      const { won, lost } = await race(
        revoke(at(round), first.consent),
        revoke(at(round + 1), first.consent),
        takeBack(at(round + 2)),
      )
      expect(lost).toEqual([])
      const times = won.slice(0, 2).map(answer => (answer as { revokedAt: string }).revokedAt)
      expect(new Set(times).size).toBe(1)
      const { sharedContent } = await deciding
      for (const where of places) {
        const ids = (await sharedIds(where)).map(({ id }) => id)
        expect(ids).not.toContain(first.content)
        expect(ids).not.toContain(sharedContent?.id)
      }
    }
  }, 600_000)

  /** What may show what bob has shared: to alice, and to the mediator who works for her. */
  const mediator = () => ({
    tenant: pair.tenant,
    actor: 'mediator',
    audience: 'agent' as const,
    for: 'alice',
    trust: { maxSensitivity: 'high' as const },
  })
  let turns = 0
  const readers: Readonly<Record<string, () => [Parameters<Invoke>[0], string, object]>> = {
    'shared.list': () => [
      { tenant: pair.tenant, actor: 'alice' },
      'shared.list',
      { session: pair.session, limit: 200 },
    ],
    'turns.context': () => [
      mediator(),
      'turns.context',
      { session: pair.session, message: 'What did we share?', turn: `turn ${turns++}`, tokenBudget: 100_000 },
    ],
  }

  it('[NI-7, CB-6] no turn and no list that begins after a revocation has committed shows it, in any process', async () => {
    let before = 0
    const reads = (where: Invoke) =>
      Object.values(readers).map(async ask => JSON.stringify(await where(...ask())))
    for (let round = 0; round < RACES; round++) {
      const { consent, content } = await shared(at(round))
      const warm = await Promise.all(places.flatMap(reads))
      before += warm.filter(answer => answer.includes(content)).length
      const underWay = [...reads(at(round + 1)), ...reads(at(round + 2))]
      await as('bob')(at(round), 'bridge.revoke', { consentRecordId: consent })
      const after = await Promise.all(places.flatMap(reads))
      for (const answer of after) expect(answer).not.toContain(content)
      await Promise.all(underWay)
    }
    expect(before).toBe(RACES * places.length * Object.keys(readers).length)
  }, 600_000)

  it.each(
    Object.keys(readers),
  )('[NI-7, CB-6] %s that stands still before any one of its statements shows nothing of after a revocation', async name => {
    const ask = readers[name]
    if (ask === undefined) throw new Error('no such reader')
    const step = name === 'turns.context' ? STEP : 1
    for (let before = 1; ; before += step) {
      const { consent, content } = await shared(b.invoke)
      const result = await other.invokeStopped(...ask(), before, async () => {
        await as('bob')(b.invoke, 'bridge.revoke', { consentRecordId: consent })
        await rewrite(content, `written after ${before}`)
      })
      if (result === null) {
        expect(before).toBeGreaterThan(2)
        break
      }
      const answer = JSON.stringify(result.answer)
      expect(answer, result.statements.at(-1)).not.toContain(`written after ${before}`)
      if (!isDecided(result.statements)) expect(answer, result.statements.at(-1)).not.toContain(content)
    }
  }, 600_000)

  async function rewrite(record: string, text: string): Promise<void> {
    const client = new pg.Client({ connectionString: database.url })
    await client.connect()
    await client.query('update privity.records set text = $2 where record_id = $1', [record, text])
    await client.end()
  }

  /** Whether the entry is written: the statement that writes it is the last look at the facts. */
  const isDecided = (statements: readonly string[]) =>
    statements.slice(0, -1).some(sql => sql.includes('privity.write_audit_'))

  it('[RC-12] of many turns with one name, one has it', async () => {
    for (let round = 0; round < RACES; round++) {
      const turn = `raced ${round}`
      const { won, lost } = await race(
        ...[0, 1, 2, 3].map(each =>
          at(round + each)(mediator(), 'turns.context', {
            session: pair.session,
            message: `What did we say on day ${each}?`,
            turn,
          }),
        ),
      )
      expect(won).toHaveLength(1)
      expect(lost).toEqual(['conflict', 'conflict', 'conflict'])
    }
    const { turns: listed } = await pair.alice.turns.list({ session: pair.session, limit: 200 })
    expect(listed.filter(({ turn }) => turn.startsWith('raced'))).toHaveLength(Math.min(RACES, 200))
  }, 600_000)

  it('[RC-8] an invitation is answered once, and a stage is entered once', async () => {
    for (let round = 0; round < RACES; round++) {
      const tenant = `seats-${round}`
      const alice = a.as({ tenant, actor: 'alice' })
      const { id: session } = await alice.sessions.create({ participants: ['bob'] })
      const who = { ...pair, tenant, session }
      const declines = round % 3 === 2
      const answers = await race(
        as('bob', who)(at(round), 'sessions.join'),
        as('bob', who)(at(round + 1), declines ? 'sessions.decline' : 'sessions.join'),
      )
      expect(answers.won).toHaveLength(1)
      expect(answers.lost).toEqual(['not_found'])
      const { notifications } = await alice.notifications.list()
      const joined = notifications.filter(({ type }) => type === 'session.joined').length
      const { state, participants } = await alice.sessions.get(session)
      expect([state, participants.length]).toEqual(joined === 1 ? ['ACTIVE', 2] : ['CREATED', 1])
      if (state !== 'ACTIVE') continue

      const signed = await race(
        as('alice', who)(at(round), 'stages.sign_compact'),
        as('bob', who)(at(round + 1), 'stages.sign_compact'),
      )
      expect(signed.lost).toEqual([])
      const entered = await race(
        as('alice', who)(at(round), 'stages.advance'),
        as('alice', who)(at(round + 1), 'stages.advance'),
        as('bob', who)(at(round + 2), 'stages.advance'),
      )
      expect(entered.won).toHaveLength(2)
      expect(entered.lost).toEqual(['conflict'])
      expect(await alice.stages.get(session)).toMatchObject({ stage: 1 })
    }
  }, 600_000)

  it('[CB-5, RC-9] confirmations at once are all counted, and ask once', async () => {
    const mediation = await openMediation(a, { stage: 3 })
    const { alice, bob, session } = mediation
    for (const [round, category] of NEED_CATEGORIES.slice(0, Math.max(2, RACES)).entries()) {
      const { items } = await bob.vessel.write({
        session,
        items: [{ type: 'need', category, text: 'a window towards the orchard and the thunder' }],
      })
      const needs = items.map(({ id }) => id)
      const confirmed = await race(
        ...[0, 1, 2].map(turn => as('bob', mediation)(at(round + turn), 'vessel.confirm_needs', { needs })),
      )
      expect(confirmed.lost).toEqual([])
      const { pendingRequests } = await bob.bridge.pending(session)
      expect(
        pendingRequests.filter(({ originalContentId }) => needs.includes(originalContentId)),
      ).toHaveLength(1)

      const { ground } = await findGround(mediation, category)
      const both = await race(
        as('alice', mediation)(at(round), 'common_ground.confirm', { commonGround: ground.id }),
        as('bob', mediation)(at(round + 1), 'common_ground.confirm', { commonGround: ground.id }),
      )
      expect(both.lost).toEqual([])
      const found = await race(
        ...[0, 1, 2].map(turn => as('alice', mediation)(at(round + turn), 'common_ground.find')),
      )
      for (const answer of found.won) {
        const { commonGround } = answer as { commonGround: { category: string; confirmed: boolean }[] }
        expect(commonGround.filter(each => each.category === category)).toMatchObject([{ confirmed: true }])
      }
      expect((await alice.shared.list({ session, types: ['common_ground'] })).items).toHaveLength(round + 1)
    }
  }, 600_000)

  it('[CB-5, DE-3] a process that is killed in the middle of deciding leaves the request open or decided, whole', async () => {
    const left = { open: 0, decided: 0 }
    let killed = 0
    const decision = async () => {
      const request = await asked()
      return { request, input: { session: pair.session, ...grant(request) } }
    }
    const bob = { tenant: pair.tenant, actor: 'bob' }
    await other.invoke(bob, 'bridge.decide', (await decision()).input)
    const last = other.statements
    for (let kill = 0; kill < KILLS; kill++) {
      const { request, input } = await decision()
      const before = new Set((await sharedIds(a.invoke)).map(({ id }) => id))
      const [doomed, its] = await another()
      // From behind the last statement (a new process has a few more) back to the first.
      const until = last + 8 - Math.floor((kill * (last + 6)) / KILLS)
      // What else a process does now and then counts too: one may be done before its time has come.
      if (await its.killedBefore(bob, 'bridge.decide', input, until)) killed++
      await doomed.kill()
      const { pendingRequests } = await pair.bob.bridge.pending(pair.session)
      const isOpen = pendingRequests.some(({ id }) => id === request)
      const made = (await sharedIds(b.invoke)).filter(({ id }) => !before.has(id))
      expect(made).toHaveLength(isOpen ? 0 : 1)
      left[isOpen ? 'open' : 'decided']++
      const { won, lost } = await race(as('bob')(a.invoke, 'bridge.decide', grant(request)))
      expect([won.length, lost]).toEqual(isOpen ? [1, []] : [0, ['conflict']])
      expect((await sharedIds(b.invoke)).filter(({ id }) => !before.has(id))).toHaveLength(1)
    }
    expect(killed).toBeGreaterThan(KILLS / 2)
    if (KILLS > 3) expect(Math.min(left.open, left.decided)).toBeGreaterThan(0)
  }, 600_000)
})
