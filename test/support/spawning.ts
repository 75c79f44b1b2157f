import { randomUUID } from 'node:crypto'
import type { Privity } from '../../src/open.js'
import { bindingDefaults, type ProfileBinding } from '../../src/policy/profile-binding.js'
import type { Credential } from '../../src/runtime/caller.js'
import type { RequestOptions } from '../../src/runtime/runtime.js'
import { insertBinding } from '../../src/storage/queries/profile-bindings.js'
import { insertProfile, type NewProfile } from '../../src/storage/queries/profiles.js'
import { insertView } from '../../src/storage/queries/shared-views.js'
import type { SharedStore } from './shared-store.js'

/** What agents.spawn answers. */
export interface Spawned {
  readonly profile: {
    readonly profile: string
    readonly profileState: string
    readonly parentProfileRef: string
    readonly originUserRef: string
    readonly capabilityPolicyRef: string
    readonly nativeSessionScopeBindingRef: string
    readonly visibilityClassCeiling: string
    readonly sessionKind: string
    readonly identityMode: string
    readonly expiresAt: string | null
    readonly sharedCorpusViewRefs: readonly string[]
    readonly revokedReasonCode: string | null
  }
  readonly binding: ProfileBinding
  readonly key: { readonly id: string; readonly expiresAt: string | null } | null
  readonly secret: string | null
}

/** Starts a sub-agent. */
export async function spawn(
  privity: Privity,
  by: Credential,
  input: Record<string, unknown> = {},
  options?: RequestOptions,
): Promise<Spawned> {
  const asked = { agent: 'worker', maxSensitivity: 'hyper', ...input }
  return (await privity.invoke(by, 'agents.spawn', asked, options)) as Spawned
}

/** Who a sub-agent is, by the key that it was given. */
export async function enter(privity: Privity, { secret }: Pick<Spawned, 'secret'>): Promise<Credential> {
  return (await privity.authenticate(secret ?? '')).credential
}

/** A profile that is already there, as no operation would make it. */
export async function plantProfile(
  { db }: SharedStore,
  tenant: string,
  profile: Partial<NewProfile> & Pick<NewProfile, 'owner' | 'actor'>,
): Promise<string> {
  const profileId = profile.profileId ?? randomUUID()
  await db.transaction({ access: 'write', role: null, settings: {} }, tx =>
    insertProfile(tx, tenant, {
      sessionKind: 'host_session',
      identityMode: 'host_user',
      state: 'active',
      linkId: null,
      parentProfile: null,
      fields: { capabilityPolicyRef: 'built-in:owner' },
      expiresAt: null,
      createdBy: profile.actor,
      createdAt: new Date('2026-01-01'),
      activatedAt: new Date('2026-01-01'),
      version: 1,
      hash: 'planted',
      policyGeneration: null,
      views: [],
      ...profile,
      profileId,
    }),
  )
  return profileId
}

/** An active session of somebody's own, bound with less than its kind has. */
export async function bindSession(
  privity: Privity,
  by: Credential,
  terms: Record<string, unknown>,
  draft: Record<string, unknown> = {},
): Promise<string> {
  const { profile } = (await privity.invoke(by, 'profiles.create', draft)) as { profile: string }
  await privity.invoke(by, 'profiles.bind', { profile, ...terms })
  await privity.invoke(by, 'profiles.activate', { profile })
  return profile
}

/** A binding that is already there, as no operation would make it. */
export async function plantBinding(
  { db }: SharedStore,
  tenant: string,
  profileId: string,
  terms: Partial<ProfileBinding> = {},
): Promise<string> {
  const bindingId = terms.bindingId ?? randomUUID()
  await db.transaction({ access: 'write', role: null, settings: {} }, tx =>
    insertBinding(tx, tenant, {
      bindingId,
      profileId,
      parentBinding: terms.parentRef ?? null,
      binding: {
        ...bindingDefaults('host_session'),
        ecSessionId: profileId,
        openclawNativeSessionId: profileId,
        bindingKind: 'host_session',
        inheritedCapabilityPolicyRef: 'built-in:owner',
        inheritedShareTokenPolicyRef: null,
        inheritedVisibilityConstraints: [],
        parentRef: null,
        ...terms,
        bindingId,
      },
      createdAt: new Date('2026-01-01'),
    }),
  )
  return bindingId
}

/** A view of one of an owner's corpora. */
export async function plantView(
  { db }: SharedStore,
  tenant: string,
  view: { readonly owner: string; readonly corpus: string; readonly exposedSurfaces?: readonly string[] },
): Promise<string> {
  const viewId = randomUUID()
  await db.transaction({ access: 'write', role: null, settings: {} }, tx =>
    insertView(
      tx,
      tenant,
      {
        viewId,
        name: view.corpus,
        ownerSessionRef: null,
        exposedSurfaces: ['source_documents', 'filing_metadata'],
        derivedMemorySharePolicy: 'exclude_all',
        hostAnnotationPolicy: 'exclude_all',
        viewTemporalMode: 'live_view',
        snapshotAt: null,
        documentScope: { kind: 'all_documents' },
        visibilityClassCeiling: 'firewalled',
        disclosesExclusions: false,
        excludedCount: null,
        sharedAt: null,
        createdAt: new Date('2026-01-01'),
        ...view,
      },
      null,
    ),
  )
  return viewId
}

/** Why spawning was refused, as the audit has it, oldest first. */
export async function refusedSpawns(privity: Privity, tenant: string): Promise<(string | null)[]> {
  const host: Credential = { tenant, actor: 'warden', audience: 'host' }
  const { entries } = (await privity.invoke(host, 'audit.list', { limit: 200 })) as {
    entries: { operation: string; outcome: string; reason: string | null }[]
  }
  return entries
    .filter(({ operation, outcome }) => operation === 'agents.spawn' && outcome !== 'ok')
    .map(({ reason }) => reason)
    .reverse()
}

/** Somebody who came by a link of this owner's. */
export async function recipientOf(privity: Privity, by: Credential): Promise<Credential> {
  const { view } = (await privity.invoke(by, 'views.create', { corpus: 'shared' })) as { view: string }
  const { token } = (await privity.invoke(by, 'links.grant', {
    views: [view],
    recipientIdentityMode: 'anonymous_share_token',
  })) as { token: string }
  const nobody: Credential = {
    tenant: by.tenant,
    actor: 'nobody',
    audience: 'recipient',
    trust: { maxSensitivity: 'low' },
  }
  const { key } = (await privity.invoke(nobody, 'links.redeem', { token })) as { key: string }
  return (await privity.authenticate(key)).credential
}
