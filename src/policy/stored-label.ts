import { askGate } from './decide.js'
import { shownLevel } from './faces.js'
import { participants } from './gates/participants.js'
import { trust } from './gates/trust.js'
import { visibility } from './gates/visibility.js'
import { EVERY_SCOPE, joinScopes, type Label, LEAST_LABEL, lowers } from './labels.js'
import { isBoundByViews, type Subject } from './subject.js'
import { type PolicyTuple, personKey } from './tuple.js'

/**
 * The label of something that is stored beside records, such as a saved search. It is what its author was shown, or
 * could have been where that is not tracked (NI-10).
 */
export interface StoredLabel extends Label {
  /** What binds its author to views: a profile, or that it came as a recipient; null if nothing does. */
  readonly profile?: string | null
  /** What an agent had really been shown; null if nothing. Left out by labels that are that and nothing else. */
  readonly shown?: Label | null
}

/** Stands for everybody, whether they consent or not. It is nobody's person, so nobody can grant consent for it. */
const EVERYBODY = personKey('', '')

/** The label of what somebody wrote who sees everything. A label that is not known counts as this one. */
export const STRICTEST_LABEL: StoredLabel = {
  sensitivity: 'hyper',
  scope: EVERY_SCOPE,
  visibilityClass: 'firewalled',
  participants: [EVERYBODY],
  profile: null,
}

/** What a credential, or a request under it, sees at most. */
export interface Sight extends Pick<Subject, 'trust' | 'respectConsent'> {
  readonly ceiling: string
  readonly profile: string | null
}

/** The strictest label that somebody with this sight can be shown. Without trust, nothing is shown at all. */
export function clearanceOf({ trust, respectConsent, ceiling, profile }: Sight): StoredLabel {
  if (trust === null) return { ...LEAST_LABEL, profile }
  return {
    sensitivity: trust.maxSensitivity,
    scope: trust.scopes === 'all' ? EVERY_SCOPE : [...trust.scopes].reduce<string | null>(joinScopes, null),
    visibilityClass: ceiling,
    participants: respectConsent ? [] : [EVERYBODY],
    profile,
  }
}

/** The gates that a label alone decides. */
const GATES_OF_LABELS = [trust, visibility, participants]

/**
 * Whether a subject sees something stored under this label: it passes the gates that a record of that label would, in
 * full. Whoever is bound by views sees only what was stored under the same profile. What was stored under another one
 * tells of that profile or its link, so it has the strictest label for everybody else (NI-10).
 */
export function seesStored(subject: Subject, profile: string | null, label: StoredLabel | null): boolean {
  const known = label ?? STRICTEST_LABEL
  const by = known.profile ?? null
  if (isBoundByViews(subject) && by !== profile) return false
  const stored = by === null || by === profile ? known : STRICTEST_LABEL
  const fields = { ...stored, session: null } as unknown as PolicyTuple
  return GATES_OF_LABELS.every(gate => shownLevel(askGate(gate, subject, fields).face) === 'full')
}

/** What whoever reads something under this label is exposed to (WR-2). */
export function exposureOf(label: StoredLabel | null): Label | null {
  return label === null || label.shown === undefined ? label : label.shown
}

/** Whether everything that may be shown under the clearance `less` may be shown under `more` as well. */
export function covers(more: StoredLabel, less: StoredLabel): boolean {
  const profile = more.profile ?? null
  return !lowers(less, more) && (profile === null || profile === less.profile)
}
