import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Handle } from '../../src/handle.js'
import type { Privity } from '../../src/open.js'
import { SYSTEM_CLOCK } from '../../src/runtime/clock.js'
import { EndingProfiles } from '../../src/sharing/ending-profiles.js'
import { times } from '../support/depth.js'
import { SEED } from '../support/generated.js'
import { openBank, visit as visitBy } from '../support/share-links.js'
import { type SharedStore, sharedStore } from '../support/shared-store.js'
import { refusalOf } from '../support/sharing.js'
import { engines } from '../support/stores.js'

const MINUTE = 60_000
const INVALID = 'session_state_transition_invalid'
const RUNS = { pglite: 6, postgres: times(4, 20) }

/** A profile as the model has it. Nobody tells it that its time is over: it looks at the clock. */
interface Known {
  id: string
  state: 'draft' | 'active' | 'suspended' | 'revoked' | 'discarded'
  expiresAt: number | null
  /** When its revoked link lets it go on until. */
  endsAt: number | null
  version: number
  activatedAt: number | null
  revokedAt: number | null
  results: number | null
  /** Of a session that somebody opened: the link, until it is revoked, and who asks. */
  link: string | null
  guest: Handle | null
}

interface Model {
  now: number
  profiles: Known[]
}

interface Real {
  host: Handle
  /** Opens a session of so many minutes by a link of its own. */
  visit(minutes: number): Promise<Pick<Known, 'id' | 'guest'> & { link: string }>
  pass(milliseconds: number): void
  sweep(): Promise<number>
  storedState(profile: string): Promise<string | undefined>
}

const isOver = (known: Known, now: number) => known.expiresAt !== null && known.expiresAt <= now
const isCut = ({ endsAt }: Known, now: number) => endsAt !== null && endsAt <= now

/** What whoever asks now is told of it: what came to pass first holds, and one that is suspended does not expire. */
function stateOf(known: Known, now: number) {
  if (known.state === 'suspended') return isCut(known, now) ? 'revoked' : 'suspended'
  if (known.state !== 'active') return known.state
  const cutFirst = known.endsAt !== null && known.endsAt < (known.expiresAt ?? Number.POSITIVE_INFINITY)
  if (cutFirst) return isCut(known, now) ? 'revoked' : 'active'
  return isOver(known, now) ? 'expired' : 'active'
}

/** What was done in which situation, so that a run shows that it came to most of them. */
const met = new Set<string>()
const meet = (step: string, known: Known, now: number) => {
  const isLate = ['draft', 'suspended'].includes(known.state) && isOver(known, now)
  met.add(`${step} one that is ${stateOf(known, now)}${isLate ? ', past its expiry' : ''}`)
}
const iso = (at: number | null) => (at === null ? null : new Date(at).toISOString())

async function expectAlike({ now }: Model, { host }: Real, known: Known): Promise<void> {
  const told = await host.profiles.get(known.id)
  if (known.state === 'discarded') return expect(told).toBeNull()
  expect(told).toMatchObject({
    profileState: stateOf(known, now),
    profileVersion: known.version,
    activatedAt: iso(known.activatedAt),
    revokedAt: iso(stateOf(known, now) === 'revoked' ? (known.revokedAt ?? known.endsAt) : null),
    expiresAt: iso(known.expiresAt),
    endsAt: iso(known.endsAt),
    maxResultCount: known.results,
  })
}

type Command = fc.AsyncCommand<Model, Real>

/** Makes one, and takes it a few steps on so that every situation is come to often. */
const create = (minutes: number | null, steps: readonly ('activate' | 'suspend')[]): Command => ({
  check: () => true,
  async run(model, real) {
    const expiresAt = minutes === null ? null : model.now + minutes * MINUTE
    const made = await real.host.profiles.create(
      expiresAt === null ? {} : { expiresAt: new Date(expiresAt).toISOString() },
    )
    const known: Known = {
      id: made.profile,
      state: 'draft',
      expiresAt,
      endsAt: null,
      version: 1,
      activatedAt: null,
      revokedAt: null,
      results: null,
      link: null,
      guest: null,
    }
    const at = model.profiles.push(known) - 1
    await expectAlike(model, real, known)
    for (const step of steps) await take(step, STEPS[step], at).run(model, real)
  },
  toString: () => `create(${['for', minutes ?? 'ever', ...steps].join(' ')})`,
})

/** Somebody comes by a link: their session is active at once, and may be suspended. */
const visit = (minutes: number, suspends: boolean): Command => ({
  check: () => true,
  async run(model, real) {
    const known: Known = {
      ...(await real.visit(minutes)),
      state: 'active',
      expiresAt: model.now + minutes * MINUTE,
      endsAt: null,
      version: 1,
      activatedAt: model.now,
      revokedAt: null,
      results: null,
    }
    const at = model.profiles.push(known) - 1
    await expectAlike(model, real, known)
    if (suspends) await take('suspend', STEPS.suspend, at).run(model, real)
  },
  toString: () => `visit(for ${minutes} minutes${suspends ? ', suspended' : ''})`,
})

/** Revokes the link of a session, which goes on for a while, to its own end, or not at all. */
const revokeLink = (at: number, grace: number | 'complete' | 'none'): Command => ({
  check: ({ profiles }) => profiles.some(({ link }) => link !== null),
  async run(model, real) {
    const sessions = model.profiles.filter(({ link }) => link !== null)
    const known = sessions[at % sessions.length] as Known
    meet('revoke the link of', known, model.now)
    await real.host.links.revoke({
      link: known.link ?? '',
      reason: 'over',
      ...(grace === 'none'
        ? {}
        : grace === 'complete'
          ? { activeSessionDisposition: 'allow_session_complete' as const }
          : {
              activeSessionDisposition: 'terminate_after_grace' as const,
              activeSessionGracePeriodSeconds: grace * 60,
            }),
    })
    known.link = null
    // One that is past its expiry has ended, or cannot be resumed.
    if (['active', 'suspended'].includes(stateOf(known, model.now)) && !isOver(known, model.now)) {
      const expiresAt = known.expiresAt ?? Number.POSITIVE_INFINITY
      known.version++
      if (grace === 'none') Object.assign(known, { state: 'revoked', revokedAt: model.now })
      else known.endsAt = grace === 'complete' ? expiresAt : Math.min(expiresAt, model.now + grace * MINUTE)
    }
    await expectAlike(model, real, known)
  },
  toString: () => `revokeLink(${at}, ${grace})`,
})

/** A step of a profile's life: what becomes of it, or with what it is refused. */
interface Step {
  foresee(known: Known, now: number): Partial<Known> | string
  take(host: Handle, known: Known): Promise<unknown>
}

/** Every step but using it; what is done counts as a version. */
const STEPS = {
  update: {
    foresee: ({ state, results }) => (state === 'draft' ? { results: (results ?? 0) + 1 } : INVALID),
    take: (host, { id, results }) =>
      host.profiles.update({ profile: id, maxResultCount: (results ?? 0) + 1 }),
  },
  activate: {
    foresee(known, now) {
      if (known.state !== 'draft') return 'session_already_activated'
      return isOver(known, now) ? INVALID : { state: 'active', activatedAt: now }
    },
    take: (host, { id }) => host.profiles.activate(id),
  },
  suspend: {
    foresee: (known, now) => (stateOf(known, now) === 'active' ? { state: 'suspended' } : INVALID),
    take: (host, { id }) => host.profiles.suspend({ profile: id }),
  },
  resume: {
    foresee: (known, now) =>
      stateOf(known, now) === 'suspended' && !isOver(known, now) ? { state: 'active' } : INVALID,
    take: (host, { id }) => host.profiles.resume(id),
  },
  revoke: {
    foresee: (known, now) =>
      ['active', 'suspended'].includes(stateOf(known, now)) ? { state: 'revoked', revokedAt: now } : INVALID,
    take: (host, { id }) => host.profiles.revoke({ profile: id }),
  },
  discard: {
    foresee: ({ state }) => (state === 'draft' ? { state: 'discarded' } : INVALID),
    take: (host, { id }) => host.profiles.discard(id),
  },
} satisfies Readonly<Record<string, Step>>

const take = (name: string, { foresee, take }: Step, at: number): Command => ({
  check: ({ profiles }) => profiles.length > 0,
  async run(model, real) {
    const known = model.profiles[at % model.profiles.length] as Known
    meet(name, known, model.now)
    const foreseen = known.state === 'discarded' ? 'not_found' : foresee(known, model.now)
    const refused = await refusalOf(take(real.host, known))
    expect(refused?.reason ?? refused?.code ?? null, name).toBe(
      typeof foreseen === 'string' ? foreseen : null,
    )
    if (typeof foreseen !== 'string') Object.assign(known, foreseen, { version: known.version + 1 })
    await expectAlike(model, real, known)
  },
  toString: () => `${name}(${at})`,
})

/** Asks something under a profile: nothing runs unless it is active now. */
const use = (at: number): Command => ({
  check: ({ profiles }) => profiles.length > 0,
  async run(model, { host }) {
    const known = model.profiles[at % model.profiles.length] as Known
    meet('use', known, model.now)
    const state = stateOf(known, model.now)
    const refused = await refusalOf(
      known.guest === null ? host.profiles.current({ profile: known.id }) : known.guest.profiles.current(),
    )
    expect(refused?.reason ?? refused?.code ?? null, 'use').toBe(REFUSALS[state])
  },
  toString: () => `use(${at})`,
})
const REFUSALS = {
  draft: 'session.profile_not_yet_activated',
  active: null,
  suspended: 'session.profile_suspended',
  expired: 'session.profile_expired',
  revoked: 'session.profile_revoked',
  discarded: 'not_found',
}

const pass = (minutes: number): Command => ({
  check: () => true,
  async run(model, real) {
    model.now += minutes * MINUTE
    real.pass(minutes * MINUTE)
    for (const known of model.profiles) await expectAlike(model, real, known)
  },
  toString: () => `pass(${minutes} minutes)`,
})

/** Writes down which have ended, and changes no answer. */
const sweep: Command = {
  check: () => true,
  async run(model, real) {
    await real.sweep()
    for (const known of model.profiles) {
      await expectAlike(model, real, known)
      expect((await real.storedState(known.id)) ?? 'discarded').toBe(stateOf(known, model.now))
    }
  },
  toString: () => 'sweep',
}

const which = fc.nat({ max: 5 })
const commands = fc.commands(
  [
    fc
      .tuple(
        fc.option(fc.integer({ min: 1, max: 6 }), { nil: null, freq: 5 }),
        fc.constantFrom([], ['activate'] as const, ['activate', 'suspend'] as const),
      )
      .map(([minutes, steps]) => create(minutes, steps)),
    fc.tuple(fc.integer({ min: 1, max: 6 }), fc.boolean()).map(asked => visit(...asked)),
    fc
      .tuple(which, fc.oneof(fc.integer({ min: 1, max: 4 }), fc.constantFrom('complete', 'none')))
      .map(asked => revokeLink(...asked)),
    ...Object.entries(STEPS).map(([name, step]) => which.map(at => take(name, step, at))),
    which.map(use),
    fc.integer({ min: 1, max: 4 }).map(pass),
    fc.integer({ min: 1, max: 4 }).map(pass),
    fc.constant(sweep),
  ],
  { maxCommands: 40, size: '+1' },
)

describe.each(engines)('the life of a profile on %s', engine => {
  let store: SharedStore
  let privity: Privity
  let now = Date.parse('2026-01-01T00:00:00.000Z')
  // It moves only when the model says so.
  const clock = { ...SYSTEM_CLOCK, now: () => new Date(now), elapsed: () => 0 }

  beforeAll(async () => {
    store = await sharedStore(engine)
    privity = await store.instance(clock)
  })
  afterAll(async () => {
    await privity?.close()
    await store?.dispose()
  })

  it('[SP-2, SP-5] goes as the model says, whatever is done to it and whenever', async () => {
    const ending = new EndingProfiles(store.db, clock, { sweeps: false })
    await fc.assert(
      fc.asyncProperty(commands, async steps => {
        const tenant = store.tenant()
        const bank = await openBank(privity, tenant)
        const real: Real = {
          host: bank.host,
          visit: async minutes => {
            const granted = await bank.grant({ sessionSeconds: minutes * 60 })
            const { profile, handle } = await visitBy(privity, granted)
            return { id: profile, guest: handle, link: granted.link }
          },
          pass: milliseconds => {
            now += milliseconds
          },
          sweep: () => ending.sweep(),
          storedState: async profile =>
            (
              await store.sql<{ state: string }>(
                'select state from privity.profiles where tenant_id = $1 and profile_id = $2',
                [tenant, profile],
              )
            )[0]?.state,
        }
        const model: Model = { now, profiles: [] }
        await fc.asyncModelRun(() => ({ model, real }), steps)
        const { profiles } = await real.host.profiles.list({ limit: 100 })
        const kept = model.profiles.filter(({ state }) => state !== 'discarded')
        expect(profiles.map(({ profile, profileState }) => [profile, profileState]).sort()).toEqual(
          kept.map(known => [known.id, stateOf(known, model.now)]).sort(),
        )
      }),
      { numRuns: RUNS[engine], seed: SEED },
    )
    // Most situations, and each of them in profiles.test.ts.
    if (engine === 'postgres') expect(met.size).toBeGreaterThan(times(20, 30))
  }, 180_000)
})
