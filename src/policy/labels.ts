import { sortedSet } from './tuple.js'
import { rank, SENDABLE_CLASSES, SENSITIVITIES, VISIBILITY_CLASSES } from './vocabulary.js'

/**
 * The label that travels with content: what is written from it must be labelled at least as strictly (TR-7, WR-2).
 */
export interface Label {
  readonly sensitivity: string
  readonly scope: string | null
  readonly visibilityClass: string
  readonly participants: readonly string[]
}

/** The neutral label: joining it changes nothing. */
export const LEAST_LABEL: Label = {
  sensitivity: 'public',
  scope: null,
  visibilityClass: 'public_open',
  participants: [],
}

/**
 * The least strict label that is at least as strict as each of them: highest sensitivity and class, all scopes, all
 * people.
 */
export function joinLabels(...labels: readonly Label[]): Label {
  return labels.reduce(
    (a, b) => ({
      sensitivity: higher(SENSITIVITIES, a.sensitivity, b.sensitivity),
      scope: joinScopes(a.scope, b.scope),
      visibilityClass: higher(VISIBILITY_CLASSES, a.visibilityClass, b.visibilityClass),
      participants: joinPeople(a.participants, b.participants),
    }),
    LEAST_LABEL,
  )
}

/**
 * The label of what a metadata face shows: the record's scope, and one sensitivity below its own, because that is
 * enough to see the face (TR-1). The face does not show the class and the people (TR-3), so later writes must not
 * reveal them.
 */
export function metadataLabel({ sensitivity, scope }: Label): Label {
  const below = SENSITIVITIES[rank(SENSITIVITIES, sensitivity) - 1]
  return { ...LEAST_LABEL, sensitivity: below ?? sensitivity, scope }
}

/**
 * The label that a source passes on into a vessel (TR-7). What crosses into a shared vessel does so by an act of its
 * owner, and has a label of its own: that of its source would tell others about what was not shared, and let one
 * participant control what belongs to all (NI-12). Only what must stay on this machine stays there (OV-4).
 */
export function labelFor(vessel: string, source: Label): Label {
  if (vessel !== 'shared') return source
  return isKeptLocal(source.visibilityClass)
    ? { ...LEAST_LABEL, visibilityClass: source.visibilityClass }
    : LEAST_LABEL
}

/** Whether `after` is less strict than `before` in any respect. */
export function lowers(before: Label, after: Label): boolean {
  return !sameLabel(joinLabels(before, after), joinLabels(after))
}

export function sameLabel(a: Label, b: Label): boolean {
  return (
    a.sensitivity === b.sensitivity &&
    a.scope === b.scope &&
    a.visibilityClass === b.visibilityClass &&
    a.participants.length === b.participants.length &&
    a.participants.every((person, at) => person === b.participants[at])
  )
}

/** Sealed and firewalled text stays on this machine, and so does text of an unknown class (OV-4). */
export function isKeptLocal(visibilityClass: string): boolean {
  return !SENDABLE_CLASSES.includes(visibilityClass)
}

/** Readable only by those who hold every scope there is. No scope has this name, because names are not empty. */
export const EVERY_SCOPE = ''

/** The scopes that a caller must all hold. */
export function splitScope(scope: string | null): readonly string[] {
  return scope === null ? [] : scope.split('+')
}

/** @param a sorted, and kept as it is if it has all of them: most labels of an answer add nobody */
function joinPeople(a: readonly string[], b: readonly string[]): readonly string[] {
  return b.every(person => a.includes(person)) ? a : sortedSet([...a, ...b])
}

/** What is made from two scopes is readable only by those who hold both. */
export function joinScopes(a: string | null, b: string | null): string | null {
  if (a === null && b === null) return null
  const scopes = sortedSet([...splitScope(a), ...splitScope(b)])
  if (scopes.includes(EVERY_SCOPE)) return EVERY_SCOPE
  return scopes.length === 0 ? null : scopes.join('+')
}

/** An unknown value counts as the highest: it denies, and joining must keep that. */
function higher(list: readonly string[], a: string, b: string): string {
  if (Number.isNaN(rank(list, a))) return a
  return rank(list, b) <= rank(list, a) ? a : b
}
