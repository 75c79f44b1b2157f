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
import { agentNameOf } from './agent-caller.js'
import type { RequestCaller } from './caller.js'
import { type Identity, unauthenticated } from './facts.js'
import { ChainPolicies } from './profile-policies.js'

/** The profile that a request runs under, as its snapshot sees it. Without one, only the credential applies. */
export interface RunningProfile {
  readonly row: ProfileRow
  /** The profile and those that spawned it, nearest first. */
  readonly chain: readonly ProfileRow[]
  readonly link: LinkFacts | null
  readonly sharedViews: readonly SharedView[]
  readonly viewRows: readonly SharedViewRow[]
  /** The typed policies that the chain refers to; each of them narrows. */
  readonly policies: ChainPolicies
  /** The maximum of results, tokens and bytes in an answer (SP-10). */
  readonly most: { readonly results: number; readonly tokens: number; readonly bytes: number }
  readonly generations: ReadonlyMap<string, string | undefined>
}

/** The caller and its identity after its profile was applied. They never allow more than the credential (DE-3). */
export interface ProfileEntry {
  readonly caller: RequestCaller
  readonly identity: Identity
  readonly profile: RunningProfile
}

/** Thrown if the profile is not active, with the reason (SP-5). */
export class ProfileNotActive extends Error {
  readonly reasonCode: string
  /** Why it ended, if a link ended it. This is for the audit. */
  readonly endedBy: string | null

  constructor(reasonCode: string, endedBy: string | null) {
    super('the profile is not active')
    this.reasonCode = reasonCode
    this.endedBy = endedBy
  }
}

/** Loads the profile that a caller names or is bound to, and narrows the request to it. */
export async function enterProfile(
  tx: Transaction,
  caller: RequestCaller & { readonly profile: string },
  identity: Identity,
  now: Date,
  access: 'read' | 'write',
): Promise<ProfileEntry> {
  const running = await loadRunningProfile(tx, caller.tenant, caller.profile, { lock: access === 'write' })
  const [row] = running.chain
  // Somebody else's profile gets the same answer as one that does not exist (NI-5).
  if (
    row === undefined ||
    // A model that comes with a person's credential may be narrowed to the profiles of that person.
    (row.actor !== caller.actor && agentNameOf(row.actor) !== caller.actor) ||
    (row.linkId === null && row.owner !== caller.actingFor)
  )
    throw caller.profileIsBound ? unauthenticated() : new PrivityError('not_found', 'not found')
  const entry = applyProfile(running, row, caller, identity, now)
  await narrowSettings(tx, {
    ceiling: entry.caller.ceiling,
    floor: entry.caller.floor,
    bound: entry.identity.views !== null,
    link: row.linkId === null ? null : linkOwner(row.linkId),
  })
  return entry
}

/** A recipient's entry into the profile of a link, to explain what they would be shown; the request itself stays. */
export async function enterAsRecipient(
  tx: Transaction,
  caller: RequestCaller & { readonly profile: string },
  identity: Identity,
  now: Date,
): Promise<ProfileEntry> {
  const running = await loadRunningProfile(tx, caller.tenant, caller.profile)
  const [row] = running.chain
  if (row === undefined) throw new PrivityError('not_found', 'not found')
  return applyProfile(running, row, caller, identity, now)
}

/** The caller and its identity under a profile; nothing runs under one that is not active (SP-5). */
function applyProfile(
  running: RunningRow,
  row: ProfileRow,
  caller: RequestCaller,
  identity: Identity,
  now: Date,
): ProfileEntry {
  const refused = findProfileRefusal(running.chain, now)
  if (refused !== null) throw refused
  const narrowed = { ...caller, ...boundsOf(caller, running.chain) }
  const isBound = isRecipient(caller.audience) || row.fields.boundByViews === true
  // An agent sees by the views of its principals only; through a link, the views of the link's owner apply.
  const theirs = running.views.filter(({ owner }) => row.linkId !== null || identity.principals.has(owner))
  const views = isBound ? viewsOf(running.chain, theirs) : null
  const policies = new ChainPolicies(running.chain, running.policies)
  const principals = new Set(identity.principals)
  // Grants to a link apply to whoever came by it.
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
 * The state of a profile now, whatever jobs have run. It ends at its own time, after a time without use, or at that of
 * its revoked link, whichever is first. If the last is the same as another, it was allowed to finish and has expired.
 * `expireProfiles` stores the same result (SP-2).
 */
export function stateOf(
  row: Pick<ProfileRow, 'state' | 'expiresAt' | 'idleAt' | 'endsAt'>,
  now: Date,
): ProfileState {
  return isCut(row, now) ? 'revoked' : currentState(storedState(row), now.getTime())
}

/** The state of a profile as it is stored, with the time at which it expires if nothing happens before. */
export const storedState = (row: Pick<ProfileRow, 'state' | 'expiresAt' | 'idleAt'>) => ({
  state: row.state,
  expiresAt: expiryOf(row)?.getTime() ?? null,
})

/** A suspended profile cannot be used, so it does not end for want of use. */
function expiryOf({
  state,
  expiresAt,
  idleAt,
}: Pick<ProfileRow, 'state' | 'expiresAt' | 'idleAt'>): Date | null {
  if (idleAt === null || state !== 'active') return expiresAt
  if (expiresAt === null) return idleAt
  return idleAt < expiresAt ? idleAt : expiresAt
}

/**
 * Whether the grace period of its revoked link is over. A suspended profile does not expire, but this still ends it.
 */
function isCut({ endsAt, ...row }: Parameters<typeof stateOf>[0], now: Date): boolean {
  if (endsAt === null || endsAt > now) return false
  const { state } = row
  const expiresAt = expiryOf(row)
  return state === 'suspended' || (state === 'active' && (expiresAt === null || endsAt < expiresAt))
}

/** The reason why a profile of the chain is not active; null if all are (SP-5). */
export function findProfileRefusal(chain: readonly ProfileRow[], now: Date): ProfileNotActive | null {
  for (const row of chain) {
    const reason = profileRefusal(stateOf(row, now))
    if (reason !== null) return new ProfileNotActive(reason, row.revokedReasonCode ?? row.endsReason)
  }
  return null
}

/** Every profile of a chain narrows: a child never sees more than the profile that spawned it. */
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
// An unknown class is kept, and denies (DE-2).
const lowest = (a: string, b: string) => (classRank(a) <= classRank(b) || Number.isNaN(classRank(a)) ? a : b)
const highest = (a: string, b: string) => (classRank(a) >= classRank(b) || Number.isNaN(classRank(a)) ? a : b)

function least(
  chain: readonly ProfileRow[],
  field: 'maxResultCount' | 'maxContextTokens' | 'maxDocumentBytes',
) {
  return Math.min(...chain.map(({ fields }) => fields[field] ?? Number.POSITIVE_INFINITY))
}

/** The token limits of its output policies. A policy that no longer exists allows nothing (DE-2). */
function outputTokens(policies: ChainPolicies): number[] {
  return policies
    .all('output_policy')
    .map(policy => (policy === undefined ? 0 : (policy.maxOutputTokens ?? Number.POSITIVE_INFINITY)))
}

/**
 * What the views show together, narrowed by what any profile of the chain says about host notes and derived memories.
 */
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
    // The scope was checked when the view was created; anything unknown shows nothing.
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

/** What a caller who came by a link may do for their own profile, in addition to what the link allows. */
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

/** The parts of a profile that decide what may be done under it. */
export interface GatedProfile {
  readonly chain: readonly Pick<ProfileRow, 'linkId' | 'fields' | 'sessionKind'>[]
  readonly link: Pick<LinkFacts, 'linkId' | 'allowedActions'> | null
}

/** The capability policies of a profile. All of them must permit a capability; a missing one blocks it (CP-3). */
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
