import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Handle } from '../../src/handle.js'
import type { Privity } from '../../src/open.js'
import { SYSTEM_CLOCK } from '../../src/runtime/clock.js'
import { EndingProfiles } from '../../src/sharing/ending-profiles.js'
import { type SharedStore, sharedStore } from '../support/shared-store.js'
import { refusalOf } from '../support/sharing.js'
import { engines } from '../support/stores.js'

const MINUTE = 60_000
const INVALID = 'session_state_transition_invalid'
const RUNS = { pglite: 12, postgres: 40 } as const

/** A profile as the model has it. Nobody tells it that its time is over: it looks at the clock. */
interface Known {
  id: string
  state: 'draft' | 'active' | 'suspended' | 'revoked' | 'discarded'
  expiresAt: number | null
  version: number
  activatedAt: number | null
  revokedAt: number | null
  results: number | null
}

interface Model {
  now: number
  profiles: Known[]
}

interface Real {
  host: Handle
  pass(milliseconds: number): void
  sweep(): Promise<number>
  storedState(profile: string): Promise<string | undefined>
}

const isOver = (known: Known, now: number) => known.expiresAt !== null && known.expiresAt <= now

/** What whoever asks now is told of it. */
const stateOf = (known: Known, now: number) =>
  known.state === 'active' && isOver(known, now) ? 'expired' : known.state

const iso = (at: number | null) => (at === null ? null : new Date(at).toISOString())

async function expectAlike({ now }: Model, { host }: Real, known: Known): Promise<void> {
  const told = await host.profiles.get(known.id)
  if (known.state === 'discarded') return expect(told).toBeNull()
  expect(told).toMatchObject({
    profileState: stateOf(known, now),
    profileVersion: known.version,
    activatedAt: iso(known.activatedAt),
    revokedAt: iso(known.revokedAt),
    expiresAt: iso(known.expiresAt),
    maxResultCount: known.results,
  })
}

type Command = fc.AsyncCommand<Model, Real>

class Create implements Command {
  constructor(readonly minutes: number | null) {}
  check = () => true
  async run(model: Model, real: Real) {
    const expiresAt = this.minutes === null ? null : model.now + this.minutes * MINUTE
    const made = await real.host.profiles.create(
      expiresAt === null ? {} : { expiresAt: new Date(expiresAt).toISOString() },
    )
    const known: Known = {
      id: made.profile,
      state: 'draft',
      expiresAt,
      version: 1,
      activatedAt: null,
      revokedAt: null,
      results: null,
    }
    model.profiles.push(known)
    await expectAlike(model, real, known)
  }
  toString = () => `create(${this.minutes === null ? 'for ever' : `for ${this.minutes} minutes`})`
}

/** A step of one profile's life: what the model says of it is what the store does. */
abstract class Step implements Command {
  abstract readonly name: string
  constructor(readonly at: number) {}
  check = ({ profiles }: Readonly<Model>) => profiles.length > 0
  /** Changes what is known, or says with which code the step is refused. */
  abstract foresee(known: Known, now: number): string | null
  abstract take(host: Handle, profile: string, known: Known): Promise<unknown>
  async run(model: Model, real: Real) {
    const known = model.profiles[this.at % model.profiles.length] as Known
    const wasDiscarded = known.state === 'discarded'
    const refusal = wasDiscarded ? 'not_found' : this.foresee(known, model.now)
    if (refusal === null) known.version++
    const refused = await refusalOf(this.take(real.host, known.id, known))
    expect(refused?.reason ?? refused?.code ?? null, this.toString()).toBe(refusal)
    await expectAlike(model, real, known)
  }
  toString = () => `${this.name}(${this.at})`
}

class Update extends Step {
  readonly name = 'update'
  foresee(known: Known) {
    if (known.state !== 'draft') return INVALID
    known.results = (known.results ?? 0) + 1
    return null
  }
  take = (host: Handle, profile: string, { results }: Known) =>
    host.profiles.update({ profile, maxResultCount: results })
}

class Activate extends Step {
  readonly name = 'activate'
  foresee(known: Known, now: number) {
    if (known.state !== 'draft') return 'session_already_activated'
    if (isOver(known, now)) return INVALID
    known.state = 'active'
    known.activatedAt = now
    return null
  }
  take = (host: Handle, profile: string) => host.profiles.activate(profile)
}

class Suspend extends Step {
  readonly name = 'suspend'
  foresee(known: Known, now: number) {
    if (stateOf(known, now) !== 'active') return INVALID
    known.state = 'suspended'
    return null
  }
  take = (host: Handle, profile: string) => host.profiles.suspend({ profile })
}

class Resume extends Step {
  readonly name = 'resume'
  foresee(known: Known, now: number) {
    if (known.state !== 'suspended' || isOver(known, now)) return INVALID
    known.state = 'active'
    return null
  }
  take = (host: Handle, profile: string) => host.profiles.resume(profile)
}

class Revoke extends Step {
  readonly name = 'revoke'
  foresee(known: Known, now: number) {
    if (!['active', 'suspended'].includes(stateOf(known, now))) return INVALID
    known.state = 'revoked'
    known.revokedAt = now
    return null
  }
  take = (host: Handle, profile: string) => host.profiles.revoke({ profile })
}

class Discard extends Step {
  readonly name = 'discard'
  foresee(known: Known) {
    if (known.state !== 'draft') return INVALID
    known.state = 'discarded'
    return null
  }
  take = (host: Handle, profile: string) => host.profiles.discard(profile)
}

/** Asks something under a profile: nothing runs unless it is active now. */
class Use extends Step {
  readonly name = 'use'
  foresee(known: Known, now: number) {
    const state = stateOf(known, now)
    known.version-- // nothing of it changes
    if (state === 'active') return null
    known.version++
    return state === 'draft' ? 'session.profile_not_yet_activated' : `session.profile_${state}`
  }
  take = (host: Handle, profile: string) => host.profiles.current({ profile })
}

class Pass implements Command {
  constructor(readonly minutes: number) {}
  check = () => true
  async run(model: Model, real: Real) {
    model.now += this.minutes * MINUTE
    real.pass(this.minutes * MINUTE)
    for (const known of model.profiles) await expectAlike(model, real, known)
  }
  toString = () => `pass(${this.minutes} minutes)`
}

/** Writes down which have ended, and changes no answer. */
class Sweep implements Command {
  check = () => true
  async run(model: Model, real: Real) {
    await real.sweep()
    for (const known of model.profiles) {
      await expectAlike(model, real, known)
      const stored = await real.storedState(known.id)
      expect(stored ?? 'discarded').toBe(stateOf(known, model.now))
    }
  }
  toString = () => 'sweep'
}

const which = fc.nat({ max: 3 })
const commands = fc.commands(
  [
    fc.option(fc.integer({ min: 1, max: 30 }), { nil: null, freq: 2 }).map(minutes => new Create(minutes)),
    which.map(at => new Update(at)),
    which.map(at => new Activate(at)),
    which.map(at => new Activate(at)),
    which.map(at => new Suspend(at)),
    which.map(at => new Resume(at)),
    which.map(at => new Revoke(at)),
    which.map(at => new Discard(at)),
    which.map(at => new Use(at)),
    fc.integer({ min: 1, max: 20 }).map(minutes => new Pass(minutes)),
    fc.constant(new Sweep()),
  ],
  { maxCommands: 40 },
)

describe.each(engines)('the life of a profile on %s', engine => {
  let store: SharedStore
  let privity: Privity
  let now = Date.parse('2026-01-01T00:00:00.000Z')
  const clock = { ...SYSTEM_CLOCK, now: () => new Date(now) }

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
        const real: Real = {
          host: privity.as({ tenant, actor: 'hana' }),
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
      { numRuns: RUNS[engine] },
    )
  })
})
