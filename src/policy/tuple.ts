import type { TargetKind } from './vocabulary.js'

/**
 * Everything a gate may look at on a record. Values are plain strings, not enum types: a row written by a newer
 * build may hold a value this one does not know, and the gates must meet it and deny (DE-2).
 */
export interface PolicyTuple {
  readonly tenant: string
  readonly vessel: string
  /** A principal: an actor's name, `group:<id>` or `role:<id>/<role>`. */
  readonly owner: string
  readonly session: string | null
  readonly relationship: string | null
  readonly kind: string
  /** Of consented content: what was asked for (CB-2). */
  readonly contentType: string | null
  /** Of a need: whether its owner confirmed it (RC-6); of common ground and agreements: whether all participants did. */
  readonly confirmed: boolean
  /** Of shared content: whom it is for; nobody named means every participant (RC-5). */
  readonly addressees: readonly string[]
  readonly corpus: string | null
  readonly surface: string | null
  readonly markedShareable: boolean
  /** A redacted twin: what stands in where only a substitute may be shown (OV-3). */
  readonly redacted: boolean
  readonly sensitivity: string
  /** Scopes that must all be held, sorted and joined by `+`; null passes everywhere (TR-4, TR-7). */
  readonly scope: string | null
  readonly visibilityClass: string
  /** Person keys, sorted. */
  readonly participants: readonly string[]
  readonly consentRecord: string | null
  /** Consent records of what this was derived from, sorted (CB-7). */
  readonly inputConsents: readonly string[]
  /** Those targets of this record and of its sources that ever had an overlay, as target keys, sorted. */
  readonly overlayTargets: readonly string[]
  /** Those targets of this record itself, not of its sources, that ever stood in the scope of a view, sorted. */
  readonly scopeTargets: readonly string[]
  readonly lifecycle: string
  /** When a newer record took its place or its source's: until then it was current. Null for whatever ended otherwise. */
  readonly endedAt: string | null
}

export const TUPLE_FIELDS = Object.keys({
  tenant: 0,
  vessel: 0,
  owner: 0,
  session: 0,
  relationship: 0,
  kind: 0,
  contentType: 0,
  confirmed: 0,
  addressees: 0,
  corpus: 0,
  surface: 0,
  markedShareable: 0,
  redacted: 0,
  sensitivity: 0,
  scope: 0,
  visibilityClass: 0,
  participants: 0,
  consentRecord: 0,
  inputConsents: 0,
  overlayTargets: 0,
  scopeTargets: 0,
  lifecycle: 0,
  endedAt: 0,
} satisfies Record<keyof PolicyTuple, 0>) as readonly (keyof PolicyTuple)[]

/** What differs between records of one compartment and still decides: applied as conditions, before any statistic. */
export interface RecordTimes {
  readonly createdAt: number
  readonly expiresAt: number | null
}

/** A field that holds its resting value is left out of the encoding, so that a field added later changes no hash. */
const RESTING: Partial<PolicyTuple> = { confirmed: false, markedShareable: false, redacted: false }

/** One spelling for equal tuples: keys sorted, resting values left out. Its hash is the compartment's id. */
export function encodeTuple(tuple: PolicyTuple): string {
  const entries = Object.entries(tuple)
    .filter(([key, value]) => !isResting(key as keyof PolicyTuple, value))
    .sort(([a], [b]) => (a < b ? -1 : 1))
  return JSON.stringify(entries)
}

function isResting(key: keyof PolicyTuple, value: unknown): boolean {
  return value === null || (Array.isArray(value) && value.length === 0) || value === RESTING[key]
}

/** Names are unique per owner only, so a target is named together with its owner (NI-9). */
export function targetKey(kind: TargetKind, owner: string, ref: string): string {
  return JSON.stringify([kind, owner, ref])
}

/** The owner a target key or person key was made with: where its facts are kept. */
export function ownerOfKey(key: string): string {
  const parts: unknown = JSON.parse(key)
  return Array.isArray(parts) && typeof parts[1] === 'string' ? parts[1] : ''
}

/** A person belongs to one owner (PC-6), and the key says to whom, so that their facts can be found. */
export function personKey(owner: string, personId: string): string {
  return JSON.stringify(['person', owner, personId])
}

export function personIdOf(key: string): string {
  const parts: unknown = JSON.parse(key)
  if (Array.isArray(parts) && parts[0] === 'person' && typeof parts[2] === 'string') return parts[2]
  throw new Error('not a person key')
}

/** A corpus as a view knows it. */
export function corpusKey(owner: string, corpus: string): string {
  return targetKey('corpus', owner, corpus)
}

/** Equal sets get one spelling. */
export function sortedSet(values: Iterable<string>): readonly string[] {
  return [...new Set(values)].sort()
}
