import { PrivityError } from '../errors.js'
import type { CapabilityPattern, CapabilityPolicy } from '../policy/capability-policy.js'
import { currentState, type ProfileState, profileRefusal } from '../policy/profile-state.js'
import { type DocumentScope, meetViews, type SharedView } from '../policy/shared-view.js'
import { type EffectiveView, isRecipient } from '../policy/subject.js'
import { rank, VISIBILITY_CLASSES } from '../policy/vocabulary.js'
import type { Transaction } from '../storage/database.js'
import {
  type LinkFacts,
  linkOwner,
  loadRunningProfile,
  narrowSettings,
  type ProfileRow,
  profileOwner,
  type RunningRow,
  type SharedViewRow,
} from '../storage/queries/running-profile.js'
import type { RequestCaller } from './caller.js'
import { type Identity, unauthenticated } from './facts.js'
import { ChainPolicies } from './profile-policies.js'

/** The profile that a request runs under, as its snapshot has it. A request without one runs under none but its credential. */
export interface RunningProfile {
  readonly row: ProfileRow
  /** It, and those that spawned it, nearest first. */
  readonly chain: readonly ProfileRow[]
  readonly link: LinkFacts | null
  readonly sharedViews: readonly SharedView[]
  readonly viewRows: readonly SharedViewRow[]
  /** The typed policies that it and those that spawned it refer to: each of them narrows. */
  readonly policies: ChainPolicies
  /** How many results, tokens and bytes an answer may have at most (SP-10). */
  readonly most: { readonly results: number; readonly tokens: number; readonly bytes: number }
  readonly generations: ReadonlyMap<string, string | undefined>
}

/** Who a request is once its profile is known: never more than its credential (DE-3). */
export interface ProfileEntry {
  readonly caller: RequestCaller
  readonly identity: Identity
  readonly profile: RunningProfile
}

/** A profile in which nothing may run, and why (SP-5). */
export class ProfileNotActive extends Error {
  readonly reasonCode: string
  /** Why it ended, where a link did it: for the audit. */
  readonly endedBy: string | null

  constructor(reasonCode: string, endedBy: string | null) {
    super('the profile is not active')
    this.reasonCode = reasonCode
    this.endedBy = endedBy
  }
}

/** Reads the profile that a caller names or is bound to, and narrows the request to it. */
export async function enterProfile(
  tx: Transaction,
  caller: RequestCaller & { readonly profile: string },
  identity: Identity,
  now: Date,
  access: 'read' | 'write',
): Promise<ProfileEntry> {
  const running = await loadRunningProfile(tx, caller.tenant, caller.profile, { lock: access === 'write' })
  const [row] = running.chain
  // Somebody else's reads like one that is not there (NI-5).
  if (
    row === undefined ||
    row.actor !== caller.actor ||
    (row.linkId === null && row.owner !== caller.actingFor)
  )
    throw caller.profileIsBound ? unauthenticated() : new PrivityError('not_found', 'not found')
  const refused = findProfileRefusal(running.chain, now)
  if (refused !== null) throw refused
  const narrowed = { ...caller, ...boundsOf(caller, running.chain) }
  const isBound = isRecipient(caller.audience) || row.fields.boundByViews === true
  // An agent sees by the views of those for whom it works, as long as they are theirs; a link is its owner's.
  const theirs = running.views.filter(({ owner }) => row.linkId !== null || identity.principals.has(owner))
  const views = isBound ? viewsOf(running.chain, theirs) : null
  await narrowSettings(tx, {
    ceiling: narrowed.ceiling,
    floor: narrowed.floor,
    bound: views !== null,
    link: row.linkId === null ? null : linkOwner(row.linkId),
  })
  const policies = new ChainPolicies(running.chain, running.policies)
  const principals = new Set(identity.principals)
  // What is granted to a link is granted to whoever came by it.
  if (row.linkId !== null) principals.add(linkOwner(row.linkId))
  return {
    caller: narrowed,
    identity: { ...identity, principals, views },
    profile: {
      row,
      chain: running.chain,
      link: running.link,
      sharedViews: running.views.map(toSharedView),
      viewRows: running.views,
      policies,
      most: {
        results: least(running.chain, 'maxResultCount'),
        tokens: Math.min(least(running.chain, 'maxContextTokens'), ...outputTokens(policies)),
        bytes: least(running.chain, 'maxDocumentBytes'),
      },
      generations: restsOn(running),
    },
  }
}

/**
 * The state of a profile now, whatever jobs have run. It ends by its own time or by that of its revoked link, whichever
 * comes first; where they fall together it was let finish, and has expired. `expireProfiles` writes down the same (SP-2).
 */
export function stateOf(row: Pick<ProfileRow, 'state' | 'expiresAt' | 'endsAt'>, now: Date): ProfileState {
  const stored = { state: row.state, expiresAt: row.expiresAt?.getTime() ?? null }
  return isCut(row, now) ? 'revoked' : currentState(stored, now.getTime())
}

/** Whether the time that its revoked link left it has run out. What is suspended does not expire, and is cut all the same. */
function isCut({ state, expiresAt, endsAt }: Parameters<typeof stateOf>[0], now: Date): boolean {
  if (endsAt === null || endsAt > now) return false
  return state === 'suspended' || (state === 'active' && (expiresAt === null || endsAt < expiresAt))
}

/** Why nothing runs under a profile or what spawned it; null when they are all active (SP-5). */
export function findProfileRefusal(chain: readonly ProfileRow[], now: Date): ProfileNotActive | null {
  for (const row of chain) {
    const reason = profileRefusal(stateOf(row, now))
    if (reason !== null) return new ProfileNotActive(reason, row.revokedReasonCode ?? row.endsReason)
  }
  return null
}

/** Every profile of a chain narrows: a child never sees more than what spawned it. */
function boundsOf({ ceiling, floor }: RequestCaller, chain: readonly ProfileRow[]) {
  const bounds = { ceiling, floor }
  for (const { fields } of chain) {
    if (fields.visibilityClassCeiling) bounds.ceiling = lowest(bounds.ceiling, fields.visibilityClassCeiling)
    if (fields.sourceVisibilityFloor)
      bounds.floor =
        bounds.floor === null
          ? fields.sourceVisibilityFloor
          : highest(bounds.floor, fields.sourceVisibilityFloor)
  }
  return bounds
}

const classRank = (visibilityClass: string) => rank(VISIBILITY_CLASSES, visibilityClass)
// A class that is not known is kept, and denies (DE-2).
const lowest = (a: string, b: string) => (classRank(a) <= classRank(b) || Number.isNaN(classRank(a)) ? a : b)
const highest = (a: string, b: string) => (classRank(a) >= classRank(b) || Number.isNaN(classRank(a)) ? a : b)

function least(
  chain: readonly ProfileRow[],
  field: 'maxResultCount' | 'maxContextTokens' | 'maxDocumentBytes',
) {
  return Math.min(...chain.map(({ fields }) => fields[field] ?? Number.POSITIVE_INFINITY))
}

/** What its policies let a context for a model have; one that is not there any more, nothing (DE-2). */
function outputTokens(policies: ChainPolicies): number[] {
  return policies
    .all('output_policy')
    .map(policy => (policy === undefined ? 0 : (policy.maxOutputTokens ?? Number.POSITIVE_INFINITY)))
}

/** What its views show together; what any profile of the chain says of host notes and derived memories narrows them. */
function viewsOf(
  chain: readonly ProfileRow[],
  views: readonly SharedViewRow[],
): ReadonlyMap<string, EffectiveView> {
  const shared = views.map(toSharedView)
  const narrowed = chain.flatMap(({ fields }) =>
    shared.map(view => ({
      ...view,
      derivedMemorySharePolicy: fields.derivedMemorySharePolicy ?? view.derivedMemorySharePolicy,
      hostAnnotationPolicy: fields.hostAnnotationPolicy ?? view.hostAnnotationPolicy,
    })),
  )
  return meetViews([...shared, ...narrowed])
}

export function toSharedView(row: SharedViewRow): SharedView {
  return {
    ...row,
    snapshotAt: row.snapshotAt?.getTime() ?? null,
    // As it was checked when the view was made; whatever is not known shows nothing.
    documentScope: row.documentScope as DocumentScope,
  }
}

function restsOn({ chain, link, generations }: RunningRow): ReadonlyMap<string, string | undefined> {
  const owners = [
    ...chain.flatMap(({ profileId, owner }) => [profileOwner(profileId), owner]),
    ...(link === null ? [] : [linkOwner(link.linkId)]),
  ]
  return new Map(owners.map(owner => [owner, generations.get(owner)]))
}

/** What whoever comes by a link may do, beside what the link allows: look after their own profile. */
const OWN_PROFILE = [
  'profiles.current',
  'profiles.leave',
  'profiles.log',
  'views.changes',
  'signals.record',
  'receipts.get',
  'requests.why_refused',
  'capabilities.check',
]

/** What of a profile decides what may be done under it. */
export interface GatedProfile {
  readonly chain: readonly Pick<ProfileRow, 'linkId' | 'fields' | 'sessionKind'>[]
  readonly link: Pick<LinkFacts, 'linkId' | 'allowedActions'> | null
}

/** The policies of a profile, all of which have to permit what is done; one that is missing blocks (CP-3). */
export function policiesOf(
  { chain, link }: GatedProfile,
  named: (ref: string) => CapabilityPolicy | undefined,
): readonly (CapabilityPolicy | undefined)[] {
  return chain.map(({ linkId, fields }) =>
    linkId === null ? named(fields.capabilityPolicyRef ?? '') : link === null ? undefined : linkPolicy(link),
  )
}

export function linkPolicy({
  linkId,
  allowedActions,
}: Pick<LinkFacts, 'linkId' | 'allowedActions'>): CapabilityPolicy {
  return {
    policyId: linkOwner(linkId),
    mode: 'deny_all_except',
    allowedCapabilities: [
      ...(allowedActions as readonly CapabilityPattern[]),
      ...OWN_PROFILE.map(capability => ({ kind: 'exact', capability }) as const),
    ],
    deniedCapabilities: [],
  }
}
