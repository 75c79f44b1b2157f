import type { TargetKind } from './vocabulary.js'

/**
 * Everything about a record that a gate may look at. Values are plain strings, not enum types: a row from a newer
 * build may contain a value that this build does not know, and the gates must deny it (DE-2).
 */
export interface PolicyTuple {
  readonly tenant: string
  readonly vessel: string
  /** A principal: an actor's name, `group:<id>` or `role:<id>/<role>`. */
  readonly owner: string
  readonly session: string | null
  readonly relationship: string | null
  readonly kind: string
  /** For consented content: the type that was requested (CB-2). */
  readonly contentType: string | null
  /**
   * For a need: whether its owner confirmed it (RC-6). For common ground and agreements: whether all participants
   * did.
   */
  readonly confirmed: boolean
  /** For shared content: its addressees; empty means every participant (RC-5). */
  readonly addressees: readonly string[]
  readonly corpus: string | null
  readonly surface: string | null
  readonly markedShareable: boolean
  /** Whether this is a redacted twin, which is shown where only a substitute may be shown (OV-3). */
  readonly redacted: boolean
  /** For a chunk: whether it holds some of what a preview of its document shows (OV-1). */
  readonly opening: boolean
  readonly sensitivity: string
  /** The scopes that a caller must all hold, sorted and joined by `+`; null requires none (TR-4, TR-7). */
  readonly scope: string | null
  readonly visibilityClass: string
  /** Person keys, sorted. */
  readonly participants: readonly string[]
  readonly consentRecord: string | null
  /** The consent records of what this was derived from, sorted (CB-7). */
  readonly inputConsents: readonly string[]
  /** The targets of this record and of its sources that ever had an overlay, as sorted target keys. */
  readonly overlayTargets: readonly string[]
  /** The targets of this record itself, not of its sources, that were ever in the scope of a view, sorted. */
  readonly scopeTargets: readonly string[]
  /**
   * For a derived memory whose spans all resolved when it was written: where the cited documents stand, as sorted
   * place keys. Empty if it cites nothing, or something that could not be found.
   */
  readonly citedPlaces: readonly string[]
  readonly lifecycle: string
  /**
   * When a newer record replaced this one or its source; until then it was current. Null if it ended for another
   * reason.
   */
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
  opening: 0,
  sensitivity: 0,
  scope: 0,
  visibilityClass: 0,
  participants: 0,
  consentRecord: 0,
  inputConsents: 0,
  overlayTargets: 0,
  scopeTargets: 0,
  citedPlaces: 0,
  lifecycle: 0,
  endedAt: 0,
} satisfies Record<keyof PolicyTuple, 0>) as readonly (keyof PolicyTuple)[]

/**
 * Fields that differ between records of one compartment and still affect decisions. They are applied as conditions,
 * before any statistic.
 */
export interface RecordTimes {
  readonly createdAt: number
  readonly expiresAt: number | null
}

/**
 * The default values. A field with its default is left out of the encoding, so that adding a field changes no hash.
 */
const RESTING: Partial<PolicyTuple> = {
  confirmed: false,
  markedShareable: false,
  redacted: false,
  opening: false,
}

/**
 * Encodes equal tuples identically: keys are sorted and default values left out. The hash of the result is the
 * compartment's id.
 */
export function encodeTuple(tuple: PolicyTuple): string {
  const entries = Object.entries(tuple)
    .filter(([key, value]) => !isResting(key as keyof PolicyTuple, value))
    .sort(([a], [b]) => (a < b ? -1 : 1))
  return JSON.stringify(entries)
}

function isResting(key: keyof PolicyTuple, value: unknown): boolean {
  return value === null || (Array.isArray(value) && value.length === 0) || value === RESTING[key]
}

/** Names are unique only within an owner, so the key of a target includes its owner (NI-9). */
export function targetKey(kind: TargetKind, owner: string, ref: string): string {
  return JSON.stringify([kind, owner, ref])
}

/** Where a cited document stands: its surface, and the targets that name it or contain it. */
export interface CitedPlace {
  readonly surface: string | null
  readonly targets: readonly string[]
}

export const placeKey = ({ surface, targets }: CitedPlace): string =>
  JSON.stringify([surface, ...sortedSet(targets)])

export function placeOfKey(key: string): CitedPlace {
  const [surface, ...targets] = JSON.parse(key) as [string | null, ...string[]]
  return { surface, targets }
}

/** The owner in a target key or person key, under whom its facts are stored. */
export function ownerOfKey(key: string): string {
  const parts: unknown = JSON.parse(key)
  return Array.isArray(parts) && typeof parts[1] === 'string' ? parts[1] : ''
}

/** A person belongs to one owner (PC-6), whom the key includes so that the person's facts can be found. */
export function personKey(owner: string, personId: string): string {
  return JSON.stringify(['person', owner, personId])
}

export function personIdOf(key: string): string {
  const parts: unknown = JSON.parse(key)
  if (Array.isArray(parts) && parts[0] === 'person' && typeof parts[2] === 'string') return parts[2]
  throw new Error('not a person key')
}

/** The key of a corpus, as used by views. */
export function corpusKey(owner: string, corpus: string): string {
  return targetKey('corpus', owner, corpus)
}

/** Removes duplicates and sorts, so that equal sets have equal lists. */
export function sortedSet(values: Iterable<string>): readonly string[] {
  return [...new Set(values)].sort()
}
