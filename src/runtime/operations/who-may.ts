import { z } from 'zod'
import type { Capability } from '../../policy/capability.js'
import { type CapabilityPolicy, permits } from '../../policy/capability-policy.js'
import { findKindMismatch, refuseEverySpawn } from '../../policy/profile-binding.js'
import { AUDIENCES, type Audience } from '../../policy/vocabulary.js'
import { type LiveCredential, listLiveCredentials } from '../../storage/queries/live-credentials.js'
import { loadBindingsOf } from '../../storage/queries/profile-bindings.js'
import { linkOwner, loadChains, type ProfileRow } from '../../storage/queries/running-profile.js'
import { nextCursor } from '../fields.js'
import { name } from '../input.js'
import type { ClassBounds } from '../leases.js'
import { listNewestFirst, pageInput } from '../list-newest-first.js'
import { type Callers, mayCall, readOperation } from '../operation.js'
import { findProfileRefusal, type GatedProfile } from '../profile.js'
import { absent, type ReadRequest } from '../request.js'
import { gateCaller, SPAWN, type TenantFacts } from '../tenant-facts.js'
import { audience } from '../vocabulary.js'
import { byId, capability, viewCapability } from './capabilities.js'
import { pattern } from './policies.js'

const CALLERS = ['anyone', 'owner', 'host'] as const satisfies readonly Callers[]

/** What a policy says about a capability, why, and the result. */
const mayOrNot = z.object({
  policy: z.string().meta({ description: 'The policy, by its name.' }),
  audience: audience
    .nullable()
    .meta({ description: 'Whom a built-in policy is for; null for a policy of the tenant.' }),
  permitted: z.boolean().meta({ description: 'Whether the policy permits it.' }),
  reason: z
    .enum([
      'denied_by_pattern',
      'allowed_by_pattern',
      'deny_all_default',
      'allow_all_default',
      'inheritance_depth_exceeded',
    ])
    .meta({ description: 'What decided.' }),
  pattern: pattern.nullable().meta({ description: 'The pattern that decided; null if none did.' }),
  through: z
    .array(z.string())
    .meta({ description: 'The policies that were asked, its own first; the last one decided.' }),
  refusal: z
    .string()
    .nullable()
    .meta({ description: 'Why it does not run for them in the end, as a code; null if it does.' }),
})

/**
 * A key, link or profile that can be used now, and which of the capabilities asked about it may use. It contains no
 * secret.
 */
const credential = z.object({
  kind: z.enum(['key', 'link', 'profile']).meta({ description: 'What sort of credential it is.' }),
  id: z.string().meta({ description: 'The id of the credential.' }),
  name: z.string().meta({ description: 'Its name.' }),
  owner: z.string().meta({ description: 'Who made it.' }),
  audience: audience
    .nullable()
    .meta({ description: 'What sort of caller it is for; null for a profile that no key opens.' }),
  policy: z.string().meta({ description: 'The policy it is under, by its name.' }),
  profile: z.string().nullable().meta({ description: 'The profile it runs under, by its id; null if none.' }),
  expiresAt: z.string().nullable().meta({ description: 'When it expires; null if it does not.' }),
  may: z
    .array(
      z.object({
        capability: z.string().meta({
          description: 'The name of the capability, for example `memory.search`.',
          example: 'memory.search',
        }),
        permitted: z.boolean().meta({ description: 'Whether it may use the capability.' }),
        refusal: z.string().nullable().meta({ description: 'Why not, as a code; null if it may.' }),
      }),
    )
    .meta({ description: 'What it may do.' }),
})

/**
 * Tells who may use a capability, and why (CP-3): what each policy says, and the gate's result for every key, link
 * and profile. A host sees its whole tenant. An owner sees only what is theirs, and nothing of the tenant's policies.
 */
export const whoMay = readOperation({
  name: 'capabilities.who',
  route: 'GET /capabilities/who',
  summary: 'Ask who may use a capability, or those of a namespace, and why',
  sample: world => ({
    of: world.pick(['memory.get', 'memory.forget', 'agents.spawn', 'keys', 'no.such']),
    limit: world.pick([1, 2, 50]),
  }),
  callers: 'owner',
  /** The name of a capability, or of a namespace for all capabilities in it, and the page of credentials. */
  input: z.strictObject({
    of: name.meta({
      description: 'A capability by its name, or a namespace for everything in it.',
      example: 'memory.search',
    }),
    ...pageInput,
  }),
  output: z.object({
    capabilities: z
      .array(
        capability.extend({
          leaseClass: z
            .string()
            .nullable()
            .meta({ description: 'The class of capacity that a call takes; null if none.' }),
          limits: z
            .object({
              total: z.int().meta({ description: 'Most calls at once.' }),
              perCredential: z.int().meta({ description: 'Most calls at once by one credential.' }),
              seconds: z.int().meta({
                description: 'Seconds after which a call that was not given back no longer counts.',
              }),
            })
            .nullable()
            .meta({ description: 'How much capacity there is; null for no bound.' }),
          callers: z.enum(CALLERS).meta({ description: 'Who may call it at all, whatever a policy says.' }),
          who: z.array(mayOrNot).meta({ description: 'What each policy says.' }),
        }),
      )
      .meta({ description: 'The capabilities, and which policies permit them.' }),
    credentials: z
      .array(credential)
      .meta({ description: 'The credentials, newest first, and what each may do.' }),
    cursor: nextCursor,
  }),
  async run(request, { of, limit, cursor: after }) {
    const { tenantFacts, capacityOf } = request.parts
    const asked = [...tenantFacts.registry.capabilities.values()]
      .filter(known => known.capabilityId === of || known.namespace === of)
      .sort(byId)
    if (asked.length === 0) throw absent()
    const isHost = request.caller.audience === 'host'
    const policies = policiesOf(tenantFacts).filter(({ audience }) => isHost || audience !== null)
    const owners = isHost ? null : [...request.parts.identity.principals]
    const { rows, cursor } = await listNewestFirst(
      request,
      ['capabilities.who'],
      { limit, cursor: after },
      // Names of keys, links and sessions are told to whoever sees everything (NI-10).
      async (before, most) =>
        request.seesEverything
          ? listLiveCredentials(request.tx, request.tenant, owners, request.now, before, most)
          : [],
      row => row,
    )
    return {
      capabilities: asked.map(known => {
        const leaseClass = known.metadata.capacityLeaseClass ?? null
        return {
          ...viewCapability(known),
          leaseClass,
          limits: leaseClass === null ? null : limitsOf(capacityOf(leaseClass)),
          callers: callersOf(known, tenantFacts),
          who: policies.map(one => whetherAndWhy(known, one, tenantFacts)),
        }
      }),
      credentials: await viewCredentials(request, rows, asked),
      cursor,
    }
  },
})

const callersOf = ({ capabilityId }: Capability, { callers }: TenantFacts) =>
  callers.get(capabilityId) ?? 'anyone'

const limitsOf = (bounds: ClassBounds | null) =>
  bounds && { total: bounds.total, perCredential: bounds.perCredential, seconds: bounds.seconds }

interface HeldPolicy {
  readonly policy: CapabilityPolicy
  readonly audience: Audience | null
}

/** The built-in policies by audience, then the tenant's policies by name. */
function policiesOf({ policies, builtInPolicies }: TenantFacts): HeldPolicy[] {
  const byName = [...policies.values()].sort((a, b) => (a.policyId < b.policyId ? -1 : 1))
  return [
    ...AUDIENCES.map(audience => ({ policy: builtInPolicies[audience], audience })),
    ...byName.map(policy => ({ policy, audience: null })),
  ]
}

function whetherAndWhy(
  known: Capability,
  { policy, audience }: HeldPolicy,
  facts: TenantFacts,
): z.input<typeof mayOrNot> {
  const { permitted, reason, pattern, through } = permits(
    known.capabilityId,
    policy,
    ref => facts.policies.get(ref),
    facts.registry,
  )
  const asker = { audience, policy: audience === null ? policy.policyId : null, over: null, profile: null }
  const refusal = refusalFor(known, asker, facts)
  return { policy: policy.policyId, audience, permitted, reason, pattern, through: [...through], refusal }
}

interface Asker {
  readonly audience: Audience | null
  readonly policy: string | null
  /** The reason why its profile is not active, or null. */
  readonly over: string | null
  readonly profile: GatedProfile | null
}

/**
 * Makes the same checks as a request, in the same order. Capacity counts as granted, because it is taken at run time.
 */
function refusalFor(
  known: Capability,
  { audience, policy, over, profile }: Asker,
  facts: TenantFacts,
): string | null {
  if (audience !== null && !mayCall(callersOf(known, facts), audience)) return 'session.audience_not_allowed'
  if (over !== null) return over
  // Only callers whom nothing else restricts may name a policy or a profile.
  const caller = { audience: audience ?? 'host', policy }
  const verdict = gateCaller(known.capabilityId, caller, facts, 'granted', profile)
  return verdict.permitted ? null : verdict.reasonCode
}

async function viewCredentials(
  request: ReadRequest,
  rows: readonly LiveCredential[],
  asked: readonly Capability[],
): Promise<z.input<typeof credential>[]> {
  const profiles = rows.flatMap(({ profileId }) => profileId ?? [])
  const chains = await loadChains(request.tx, request.tenant, [...new Set(profiles)])
  const viewed: z.input<typeof credential>[] = []
  for (const row of rows) {
    const chain = chains.get(row.profileId ?? '') ?? []
    viewed.push({
      kind: row.kind,
      id: row.id,
      name: row.name,
      owner: row.owner,
      audience: row.audience,
      policy: policyOf(row, chain),
      profile: row.profileId,
      expiresAt: row.expiresAt?.toISOString() ?? null,
      may: await mayOf(request, row, chain, asked),
    })
  }
  return viewed
}

/** The policy of its link or profile, or else of its key. */
function policyOf({ kind, linkId, audience, policy }: LiveCredential, [row]: readonly ProfileRow[]): string {
  if (linkId !== null) return linkOwner(linkId)
  return (kind === 'profile' ? row?.fields.capabilityPolicyRef : policy) ?? `built-in:${audience}`
}

/** What each capability would answer to a request with this credential. */
async function mayOf(
  request: ReadRequest,
  { kind, audience, policy, profileId, linkId, allowedActions }: LiveCredential,
  chain: readonly ProfileRow[],
  asked: readonly Capability[],
): Promise<z.input<typeof credential>['may']> {
  // Whoever opens a link gets a profile of their own, under the one that the link was granted in.
  const own = kind === 'link' ? [{ linkId, fields: {}, sessionKind: 'share_link_session' }] : []
  const sessions = [...own, ...chain]
  const link = linkId === null || allowedActions === null ? null : { linkId, allowedActions }
  const isGone = profileId !== null && chain.length === 0
  const over = isGone
    ? 'session.key_not_standing'
    : (findProfileRefusal(chain, request.now)?.reasonCode ?? null)
  const asker = { audience, policy, over, profile: sessions.length === 0 ? null : { chain: sessions, link } }
  const may: z.input<typeof credential>['may'] = []
  for (const known of asked) {
    const gated = refusalFor(known, asker, request.parts.tenantFacts)
    const refusal = gated ?? (known.capabilityId === SPAWN ? await spawnRefusal(request, chain) : null)
    may.push({ capability: known.capabilityId, permitted: refusal === null, refusal })
  }
  return may
}

/** Why a profile may start no agent; the profile of a host is bound only when it first starts one (SP-6). */
async function spawnRefusal(request: ReadRequest, [row]: readonly ProfileRow[]): Promise<string | null> {
  if (row === undefined) return null
  const bindings = await loadBindingsOf(request.tx, request.tenant, row, request.now)
  const isUnbound = row.sessionKind === 'host_session' && row.fields.nativeSessionScopeBindingRef == null
  if (bindings === null) return isUnbound ? null : 'native_session_fork_forbidden'
  return findKindMismatch(row.sessionKind, bindings[0]?.bindingKind ?? '') ?? refuseEverySpawn(bindings)
}
