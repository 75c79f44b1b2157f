import { sortedSet } from './tuple.js'
import { rank, SENDABLE_CLASSES, SENSITIVITIES, VISIBILITY_CLASSES } from './vocabulary.js'

/** What travels with content: whoever writes from it writes under at least this (TR-7, WR-2). */
export interface Label {
  readonly sensitivity: string
  readonly scope: string | null
  readonly visibilityClass: string
  readonly participants: readonly string[]
}

/** The label of nothing at all: joining it changes no other. */
export const LEAST_LABEL: Label = {
  sensitivity: 'public',
  scope: null,
  visibilityClass: 'public_open',
  participants: [],
}

/** The least label that is at least as strict as each: highest sensitivity and class, all scopes, all people. */
export function joinLabels(...labels: readonly Label[]): Label {
  return labels.reduce(
    (a, b) => ({
      sensitivity: higher(SENSITIVITIES, a.sensitivity, b.sensitivity),
      scope: joinScopes(a.scope, b.scope),
      visibilityClass: higher(VISIBILITY_CLASSES, a.visibilityClass, b.visibilityClass),
      participants: sortedSet([...a.participants, ...b.participants]),
    }),
    LEAST_LABEL,
  )
}

/**
 * The label of what a metadata face shows: of the sensitivity that is enough to be shown it, one below (TR-1), and of
 * its scope. Its class and its people it does not show (TR-3), so what is written after it must not tell of them.
 */
export function metadataLabel({ sensitivity, scope }: Label): Label {
  const below = SENSITIVITIES[rank(SENSITIVITIES, sensitivity) - 1]
  return { ...LEAST_LABEL, sensitivity: below ?? sensitivity, scope }
}

/** Whether `after` is anywhere less strict than `before`. */
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

/** Sealed and firewalled text stays on this machine; so does a class that the list does not know (OV-4). */
export function isKeptLocal(visibilityClass: string): boolean {
  return !SENDABLE_CLASSES.includes(visibilityClass)
}

/** The scopes a caller must hold, every one of them. */
export function splitScope(scope: string | null): readonly string[] {
  return scope === null ? [] : scope.split('+')
}

/** Something made from two scopes is readable only by those who hold both. */
export function joinScopes(a: string | null, b: string | null): string | null {
  const scopes = sortedSet([...splitScope(a), ...splitScope(b)])
  return scopes.length === 0 ? null : scopes.join('+')
}

/** A value the list does not know counts as the highest: it denies, and joining must not lose that. */
function higher(list: readonly string[], a: string, b: string): string {
  if (Number.isNaN(rank(list, a))) return a
  return rank(list, b) <= rank(list, a) ? a : b
}
