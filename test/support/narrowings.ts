import { RESTRICTIONS, SENSITIVITIES, SURFACES, VISIBILITY_CLASSES } from '../../src/policy/index.js'
import type { EffectiveView } from '../../src/policy/subject.js'
import { sortedSet } from '../../src/policy/tuple.js'
import type { PolicyWorld, WorldCaller, WorldFacts, WorldRecord } from '../../src/testing/policy-world.js'
import { UNKNOWN_VALUES } from '../../src/testing/worlds.js'

/** A change of a world after which nobody may be shown more. `pick` chooses among what could be changed. */
export interface Narrowing {
  readonly name: string
  /** And after which nobody is shown anything. */
  readonly hidesAll: boolean
  narrow(world: PolicyWorld, pick: number): PolicyWorld
}

type Fields = WorldRecord['fields']

const choose = <T>(list: readonly T[], pick: number): T => {
  const chosen = list[pick % list.length]
  if (chosen === undefined) throw new Error('nothing to choose from')
  return chosen
}
const without = <T>(list: readonly T[], pick: number): readonly T[] =>
  list.length === 0 ? list : list.filter((_, at) => at !== pick % list.length)
const changed = <T>(list: readonly T[], pick: number, change: (item: T) => T): readonly T[] =>
  list.map((item, at) => (at === pick % list.length ? change(item) : item))
/** A rank above; the value itself if it is the highest or unknown. */
const above = (list: readonly string[], value: string, pick: number): string => {
  const at = list.indexOf(value)
  return at < 0 ? value : (list[Math.min(list.length - 1, at + 1 + (pick % 2))] ?? value)
}
const below = (list: readonly string[], value: string, pick: number): string =>
  above([...list].reverse(), value, pick)

const facts =
  (change: (facts: WorldFacts, pick: number) => Partial<WorldFacts>) =>
  (world: PolicyWorld, pick: number) => ({
    ...world,
    facts: { ...world.facts, ...change(world.facts, pick) },
  })
const fields =
  (change: (fields: Fields, pick: number) => Partial<Fields>) => (world: PolicyWorld, pick: number) => ({
    ...world,
    records: world.records.map(record => ({
      ...record,
      fields: { ...record.fields, ...change(record.fields, pick) },
    })),
  })
const times =
  (change: (times: WorldRecord['times']) => Partial<WorldRecord['times']>) => (world: PolicyWorld) => ({
    ...world,
    records: world.records.map(record => ({
      ...record,
      times: { ...record.times, ...change(record.times) },
    })),
  })
const callers =
  (change: (caller: WorldCaller, pick: number) => Partial<WorldCaller>) =>
  (world: PolicyWorld, pick: number) => ({
    ...world,
    callers: world.callers.map(caller => ({ ...caller, ...change(caller, pick) })),
  })
const views = (change: (view: EffectiveView, pick: number) => Partial<EffectiveView>) =>
  callers(({ views }, pick) => ({
    views: views && new Map([...views].map(([key, view]) => [key, { ...view, ...change(view, pick) }])),
  }))

const narrowing = (name: string, narrow: Narrowing['narrow']): Narrowing => ({
  name,
  narrow,
  hidesAll: false,
})
const hiding = (name: string, narrow: Narrowing['narrow']): Narrowing => ({ name, narrow, hidesAll: true })
const unknown = (pick: number) => choose(UNKNOWN_VALUES, pick)
const NOBODY = '["person","ann","00000000-0000-4000-8000-00000000dead"]'
const NO_CONSENT = '00000000-0000-4000-8000-00000000beef'

const RESTRICTING: readonly Narrowing[] = [
  narrowing(
    'another overlay',
    facts(({ overlays }, pick) => ({
      overlays: [
        ...overlays,
        {
          target: choose(
            ['["corpus","ann","briefs"]', '["document","ann","d"]', '["segment","bob","s"]'],
            pick,
          ),
          restriction: choose([...RESTRICTIONS, ...UNKNOWN_VALUES], pick >> 2),
        },
      ],
    })),
  ),
  narrowing(
    'a grant taken away',
    facts(({ grants }, pick) => ({ grants: without(grants, pick) })),
  ),
  narrowing(
    'a membership that ended',
    facts(({ memberships }, pick) => ({ memberships: without(memberships, pick) })),
  ),
  narrowing(
    'a session that is gone',
    facts(({ sessions }, pick) => ({ sessions: without(sessions, pick) })),
  ),
  narrowing(
    'a consent that was revoked',
    facts(({ consents }, pick) => ({ consents: changed(consents, pick, c => ({ ...c, revoked: true })) })),
  ),
  narrowing(
    'a consent made inactive',
    facts(({ consents }, pick) => ({ consents: changed(consents, pick, c => ({ ...c, active: false })) })),
  ),
  narrowing(
    'a consent record that is gone',
    facts(({ consents }, pick) => ({ consents: without(consents, pick) })),
  ),
  narrowing(
    'a person who revokes',
    facts(({ people }, pick) => ({ people: changed(people, pick, p => ({ ...p, consent: 'revoked' })) })),
  ),
  narrowing(
    'a person who is gone',
    facts(({ people }, pick) => ({ people: without(people, pick) })),
  ),
  narrowing(
    'people who are no longer known as actors',
    facts(({ people }) => ({ people: people.map(p => ({ ...p, actor: null })) })),
  ),
  narrowing(
    'a participant at a lower stage than all',
    facts(({ sessions }, pick) => ({
      sessions: changed(sessions, pick, session => ({
        ...session,
        participants: [...session.participants, { actor: 'dee', stage: pick % 2 }],
      })),
    })),
  ),
  narrowing(
    'another participant',
    fields(f => ({ participants: sortedSet([...f.participants, NOBODY]) })),
  ),
  narrowing(
    'a higher sensitivity',
    fields((f, pick) => ({ sensitivity: above(SENSITIVITIES, f.sensitivity, pick) })),
  ),
  narrowing(
    'a higher visibility class',
    fields((f, pick) => ({ visibilityClass: above(VISIBILITY_CLASSES, f.visibilityClass, pick) })),
  ),
  narrowing(
    'a scope where there was none',
    fields(f => ({ scope: f.scope ?? 'work' })),
  ),
  narrowing(
    'one more scope',
    fields(f => ({ scope: f.scope === null ? 'other' : `${f.scope}+other` })),
  ),
  narrowing(
    'an addressee where there was none',
    fields(f => ({ addressees: f.addressees.length === 0 ? ['bob'] : f.addressees })),
  ),
  narrowing(
    'a need that is not confirmed',
    fields(() => ({ confirmed: false })),
  ),
  narrowing(
    'a record not marked shareable',
    fields(() => ({ markedShareable: false })),
  ),
  narrowing(
    'a memory that cites nothing',
    fields(() => ({ citedPlaces: [] })),
  ),
  narrowing(
    'a memory that cites something else too',
    fields(f => ({ citedPlaces: f.citedPlaces.length === 0 ? [] : [...f.citedPlaces, '[null]'] })),
  ),
  narrowing(
    'an original in place of a redacted twin',
    fields(() => ({ redacted: false })),
  ),
  narrowing(
    'a later piece of a document in place of its opening',
    fields(() => ({ opening: false })),
  ),
  narrowing(
    'a consent record that nobody has',
    fields(f => ({ consentRecord: f.consentRecord ?? NO_CONSENT })),
  ),
  narrowing(
    'another input',
    fields(f => ({ inputConsents: sortedSet([...f.inputConsents, NO_CONSENT]) })),
  ),
  narrowing(
    'an earlier expiry',
    times(t => ({ expiresAt: (t.expiresAt ?? t.createdAt) - 1 })),
  ),
  narrowing(
    'an expiry that is not a time',
    times(() => ({ expiresAt: Number.NaN })),
  ),
  narrowing(
    'a later creation',
    times(t => ({ createdAt: t.createdAt + 1 })),
  ),
  narrowing(
    'a creation that is not a time',
    times(() => ({ createdAt: Number.NaN })),
  ),
  narrowing(
    'a later moment',
    callers(c => ({ now: c.now + 3_600_000 })),
  ),
  narrowing(
    'a lower ceiling',
    callers(({ visibility: v }, pick) => ({
      visibility: v && { ...v, ceiling: below(VISIBILITY_CLASSES, v.ceiling, pick) },
    })),
  ),
  narrowing(
    'a higher floor',
    callers(({ visibility: v }, pick) => ({
      visibility: v && { ...v, floor: above(VISIBILITY_CLASSES, v.floor ?? 'public_open', pick) },
    })),
  ),
  narrowing(
    'a lower maximum of trust',
    callers(({ trust }, pick) => ({
      trust: trust && { ...trust, maxSensitivity: below(SENSITIVITIES, trust.maxSensitivity, pick) },
    })),
  ),
  narrowing(
    'fewer scopes',
    callers(({ trust }, pick) => ({
      trust: trust && {
        ...trust,
        scopes: new Set(trust.scopes === 'all' ? ['work', 'home'] : without([...trust.scopes], pick)),
      },
    })),
  ),
  narrowing(
    'consent respected',
    callers(() => ({ respectConsent: true })),
  ),
  narrowing(
    'a session that is not active',
    callers(({ mediation: m }) => ({ mediation: m && { ...m, active: false } })),
  ),
  narrowing(
    'a caller who becomes a recipient',
    // An agent's views open nothing to it, and are not what a link would give.
    callers(({ audience, views }) => ({ audience: 'recipient', views: audience === 'agent' ? null : views })),
  ),
  narrowing(
    'a view with a surface less',
    views((view, pick) => ({ surfaces: new Set(without([...view.surfaces], pick)) })),
  ),
  narrowing(
    'a view fewer',
    callers(({ views }, pick) => ({ views: views && new Map(without([...views], pick)) })),
  ),
  narrowing(
    'a view with a lower ceiling',
    views((view, pick) => ({
      visibilityClassCeiling: below(VISIBILITY_CLASSES, view.visibilityClassCeiling, pick),
    })),
  ),
  narrowing(
    'a view of an earlier moment',
    views(view => ({ snapshotAt: (view.snapshotAt ?? 0) - 3_600_000 })),
  ),
  narrowing(
    'a view that excludes memories',
    views(() => ({ derivedMemorySharePolicy: 'exclude_all' })),
  ),
  narrowing(
    'a view of memories with provenance only',
    views(() => ({ asksProvenance: true })),
  ),
  narrowing(
    'a view of marked memories only',
    views(({ derivedMemorySharePolicy: policy }) => ({
      derivedMemorySharePolicy:
        policy === 'include_with_provenance' ? 'include_only_user_marked_shareable' : policy,
    })),
  ),
  narrowing(
    'a view that excludes annotations',
    views(() => ({ hostAnnotationPolicy: 'exclude_all' })),
  ),
  narrowing(
    'a view of marked annotations only',
    views(({ hostAnnotationPolicy: policy }) => ({
      hostAnnotationPolicy: policy === 'include_all' ? 'include_marked_shareable' : policy,
    })),
  ),
  hiding(
    'a record of another tenant',
    fields(f => ({ tenant: `${f.tenant} and not` })),
  ),
  hiding(
    'a kind that is no evidence',
    fields((_, pick) => ({ kind: choose(['ai_synthesis', 'activity_rollup'], pick) })),
  ),
  hiding(
    'a record that no longer stands',
    fields((_, pick) => ({
      lifecycle: choose(['superseded', 'retracted', 'stale', 'forgotten'], pick),
      endedAt: null,
    })),
  ),
  narrowing(
    'a record of which nobody knows until when it was current',
    fields(() => ({ endedAt: null })),
  ),
  narrowing(
    'a record that was replaced earlier',
    fields(({ endedAt }) => ({
      endedAt: endedAt === null ? null : new Date(Date.parse(endedAt) - 3_600_000).toISOString(),
    })),
  ),
  narrowing(
    'a view that is live as well',
    views(() => ({ stoodAt: null })),
  ),
  narrowing(
    'one more scope of a view',
    views(({ scopes }) => ({ scopes: [...scopes, new Set(['["document","ann","d"]'])] })),
  ),
  hiding(
    'a scope that names nothing of what there is',
    callers(({ views }) => ({
      audience: 'recipient',
      views:
        views &&
        new Map(
          [...views].map(([key, view]) => [key, { ...view, scopes: [new Set(['["document","x","y"]'])] }]),
        ),
    })),
  ),
]

/** DE-2: a value that is not known, and a fact that is not there. */
const UNKNOWING: readonly Narrowing[] = [
  hiding(
    'an unknown vessel',
    fields((_, pick) => ({ vessel: unknown(pick) })),
  ),
  hiding(
    'an unknown kind',
    fields((_, pick) => ({ kind: unknown(pick) })),
  ),
  hiding(
    'an unknown sensitivity',
    fields((_, pick) => ({ sensitivity: unknown(pick) })),
  ),
  hiding(
    'an unknown visibility class',
    fields((_, pick) => ({ visibilityClass: unknown(pick) })),
  ),
  hiding(
    'an unknown lifecycle',
    fields((_, pick) => ({ lifecycle: unknown(pick) })),
  ),
  narrowing(
    'an unknown owner',
    fields((_, pick) => ({ owner: unknown(pick) })),
  ),
  narrowing(
    'an unknown session',
    fields((_, pick) => ({ session: unknown(pick) })),
  ),
  narrowing(
    'an unknown relationship',
    fields((f, pick) => ({ relationship: f.relationship === null ? null : unknown(pick) })),
  ),
  narrowing(
    'an unknown content type',
    fields((_, pick) => ({ contentType: unknown(pick) })),
  ),
  narrowing(
    'an unknown surface',
    fields((_, pick) => ({ surface: unknown(pick) })),
  ),
  narrowing('an unknown surface that a view exposes', (world, pick) =>
    views(() => ({ surfaces: new Set([...SURFACES, ...UNKNOWN_VALUES]) }))(
      fields(() => ({ surface: unknown(pick) }))(world, pick),
      pick,
    ),
  ),
  narrowing(
    'an unknown scope',
    fields((_, pick) => ({ scope: unknown(pick) })),
  ),
  narrowing(
    'an unknown restriction',
    facts(({ overlays }, pick) => ({
      overlays: changed(overlays, pick, o => ({ ...o, restriction: unknown(pick) })),
    })),
  ),
  narrowing(
    'an unknown consent of a person',
    facts(({ people }, pick) => ({ people: changed(people, pick, p => ({ ...p, consent: unknown(pick) })) })),
  ),
  narrowing(
    'an unknown decision',
    facts(({ consents }, pick) => ({
      consents: changed(consents, pick, c => ({ ...c, decision: unknown(pick) })),
    })),
  ),
  narrowing(
    'an unknown audience',
    callers(({ audience, views }, pick) => ({
      audience: unknown(pick),
      views: audience === 'agent' ? null : views,
    })),
  ),
  hiding(
    'an unknown maximum of trust',
    callers(({ trust }, pick) => ({ trust: trust && { ...trust, maxSensitivity: unknown(pick) } })),
  ),
  hiding(
    'no trust at all',
    callers(() => ({ trust: null })),
  ),
  hiding(
    'an unknown ceiling',
    callers(({ visibility: v }, pick) => ({ visibility: v && { ...v, ceiling: unknown(pick) } })),
  ),
  hiding(
    'an unknown floor',
    callers(({ visibility: v }, pick) => ({ visibility: v && { ...v, floor: unknown(pick) } })),
  ),
  hiding(
    'no ceiling at all',
    callers(() => ({ visibility: null })),
  ),
  hiding('an unknown stage', (world, pick) =>
    callers(({ mediation: m }) => ({
      mediation: m ?? { session: 'first', active: true, purpose: 'turn' as const },
    }))(
      facts(({ sessions }) => ({
        sessions: sessions.map(session => ({
          ...session,
          participants: session.participants.map(participant => ({
            ...participant,
            stage: choose([-1, 5, 0.5, Number.NaN, Number.POSITIVE_INFINITY], pick),
          })),
        })),
      }))(world, pick),
      pick,
    ),
  ),
  narrowing(
    'no views at all',
    callers(({ audience, views }) => ({ views: audience === 'agent' ? views : null })),
  ),
  narrowing(
    'an unknown ceiling of a view',
    views((_, pick) => ({ visibilityClassCeiling: unknown(pick) })),
  ),
  narrowing(
    'an unknown policy of memories',
    views((_, pick) => ({ derivedMemorySharePolicy: unknown(pick) })),
  ),
  narrowing(
    'an unknown policy of annotations',
    views((_, pick) => ({ hostAnnotationPolicy: unknown(pick) })),
  ),
  narrowing(
    'a snapshot that is not a time',
    views(() => ({ snapshotAt: Number.NaN })),
  ),
  narrowing(
    'a clock that is not a time',
    callers(() => ({ now: Number.NaN })),
  ),
]

export const NARROWINGS: readonly Narrowing[] = [...RESTRICTING, ...UNKNOWING]
