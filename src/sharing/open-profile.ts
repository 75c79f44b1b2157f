import { randomBytes } from 'node:crypto'
import { PrivityError } from '../errors.js'
import { activationFailures } from '../policy/activation.js'
import { bindingDefaults, type ProfileBinding } from '../policy/profile-binding.js'
import { rank, VISIBILITY_CLASSES } from '../policy/vocabulary.js'
import { visibilityFor } from '../policy/watermark.js'
import { hashSecret, SECRET_BYTES, writeKey } from '../runtime/api-key.js'
import { RECIPIENT_SCOPES } from '../runtime/caller.js'
import type { KeyLimits } from '../runtime/operations/keys.js'
import type { WriteRequest } from '../runtime/request.js'
import { insertApiKey } from '../storage/queries/api-keys.js'
import { insertBinding } from '../storage/queries/profile-bindings.js'
import { insertProfile } from '../storage/queries/profiles.js'
import { linkOwner, profileOwner } from '../storage/queries/running-profile.js'
import type { LinkRequestRow, LinkRow } from '../storage/queries/share-links.js'
import { findViews } from '../storage/queries/shared-views.js'
import { insertWatermark } from '../storage/queries/watermarks.js'
import { hashProfile } from './profile-view.js'
import { sessionAddressOf } from './recipient-address.js'
import { newNumber } from './watermarks.js'

/** A profile that was opened with a link. Its key is shown once. */
export interface OpenedProfile {
  readonly profile: string
  readonly key: string
  readonly expiresAt: Date
}

/** Who a recipient is, as far as they proved it, and what they agreed to. */
export interface Recipient {
  readonly email: string | null
  readonly approved: Pick<LinkRequestRow, 'requestId' | 'name'> | null
  readonly agreementHash: string | null
}

/** Opens a profile for a recipient who has proved that the link is for them (ST-3). */
export async function openProfile(
  request: WriteRequest,
  link: LinkRow,
  { email, approved, agreementHash }: Recipient,
): Promise<OpenedProfile> {
  const opened = await insertLinkProfile(request, link, {
    identityMode: link.recipientIdentityMode,
    createdBy: linkOwner(link.linkId),
    recipientName: approved?.name ?? null,
    linkRequest: approved?.requestId ?? null,
    email,
    agreementHash,
    seconds: link.sessionSeconds,
  })
  return {
    profile: opened.profileId,
    key: await keyFor(request, opened, link),
    expiresAt: opened.expiresAt,
  }
}

/** How long a host looks as a recipient before they have to ask again. */
const PREVIEW_SECONDS = 1_800

/**
 * Opens a profile in which the host of a link looks as a recipient would. It is the profile that a recipient would get,
 * without a key, and nobody who came (DE-8).
 */
export async function openPreview(
  request: WriteRequest,
  link: LinkRow,
): Promise<{ readonly profile: string; readonly expiresAt: Date }> {
  const { profileId, expiresAt } = await insertLinkProfile(request, link, {
    identityMode: 'host_user',
    createdBy: request.caller.actor,
    recipientName: null,
    linkRequest: null,
    email: null,
    agreementHash: null,
    seconds: PREVIEW_SECONDS,
  })
  return { profile: profileId, expiresAt }
}

interface Opening {
  readonly identityMode: string
  readonly createdBy: string
  readonly recipientName: string | null
  readonly linkRequest: string | null
  readonly email: string | null
  readonly agreementHash: string | null
  readonly seconds: number
}

async function insertLinkProfile(request: WriteRequest, link: LinkRow, opening: Opening) {
  const { tx, tenant, now } = request
  const { clock, identity } = request.parts
  const views = await findViews(tx, tenant, [link.owner], link.viewIds)
  const profileId = clock.newId('profile')
  const bindingId = clock.newId('binding')
  const actor = `recipient:${profileId}`
  const ceilings = views.map(view => view.visibilityClassCeiling)
  const ceiling = VISIBILITY_CLASSES[Math.max(0, ...ceilings.map(one => rank(VISIBILITY_CLASSES, one) || 0))]
  const lasts = new Date(now.getTime() + opening.seconds * 1_000)
  const expiresAt = link.expiresAt !== null && link.expiresAt < lasts ? link.expiresAt : lasts
  const base = {
    owner: link.owner,
    actor,
    sessionKind: 'share_link_session',
    identityMode: opening.identityMode,
    linkId: link.linkId,
    // A link granted in a host profile sees and does no more than that profile, and ends with it.
    parentProfile: link.ownerSessionRef,
    fields: {
      ...link.policyRefs,
      capabilityPolicyRef: linkOwner(link.linkId),
      documentAccessPolicyRef: link.documentAccessPolicyRef,
      sourcePolicySnapshotRef: identity.tenantGeneration ?? 'built-in',
      visibilityClassCeiling: ceiling ?? 'public_open',
      nativeSessionScopeBindingRef: bindingId,
      auditScope: link.auditVisibility,
    },
    expiresAt,
    views: views.map(({ viewId }) => viewId),
  }
  const failed = activationFailures(
    {
      sessionKind: base.sessionKind,
      ...base.fields,
      sharedCorpusViewRefs: base.views,
      shareTokenId: link.linkId,
      originatingShareRef: link.linkId,
      takesFilesOnly: link.fileRequest !== null,
      parentIsHost: false,
    },
    (kind, ref) => kind !== 'shared_corpus_view' || views.some(({ viewId }) => viewId === ref),
  )
  if (failed.length > 0 || views.length < link.viewIds.length)
    throw new PrivityError('internal', 'what the link shares is not there')
  await insertProfile(tx, tenant, {
    ...base,
    profileId,
    recipientName: opening.recipientName,
    linkRequest: opening.linkRequest,
    recipientEmail:
      opening.email === null
        ? null
        : request.parts.secrets.seal(opening.email, sessionAddressOf({ profileId })),
    agreementHash: opening.agreementHash,
    idleAt:
      link.sessionIdleSeconds === null ? null : new Date(now.getTime() + link.sessionIdleSeconds * 1_000),
    state: 'active',
    createdBy: opening.createdBy,
    createdAt: now,
    activatedAt: now,
    version: 1,
    hash: hashProfile(base),
    policyGeneration: request.generation,
  })
  const binding: Omit<ProfileBinding, 'childrenCount'> = {
    ...bindingDefaults('share_link_session'),
    bindingId,
    ecSessionId: profileId,
    openclawNativeSessionId: bindingId,
    bindingKind: 'share_link_session',
    inheritedCapabilityPolicyRef: linkOwner(link.linkId),
    inheritedShareTokenPolicyRef: link.linkId,
    inheritedVisibilityConstraints: [...new Set(ceilings)].sort(),
    watermarkPolicy: link.watermarkPolicy,
    parentRef: null,
  }
  await insertBinding(tx, tenant, { bindingId, profileId, parentBinding: null, binding, createdAt: now })
  if (link.watermarkPolicy !== null)
    await insertWatermark(tx, tenant, {
      number: newNumber(clock),
      linkId: link.linkId,
      profileId,
      downloadId: null,
      recordId: null,
      kind: link.watermarkPolicy.watermarkKind,
      visibility: visibilityFor(link.watermarkPolicy, 'displayed_content'),
      at: now,
    })
  request.changesFactsOf(profileOwner(profileId))
  return { ...base, profileId }
}

/** The key that a recipient uses. It opens only this profile. */
async function keyFor(
  request: WriteRequest,
  {
    actor,
    profileId,
    expiresAt,
    fields,
  }: {
    readonly actor: string
    readonly profileId: string
    readonly expiresAt: Date
    readonly fields: { readonly visibilityClassCeiling: string }
  },
  link: LinkRow,
): Promise<string> {
  const { clock } = request.parts
  const keyId = clock.newId('key')
  const secret = clock.newSecret?.(SECRET_BYTES) ?? randomBytes(SECRET_BYTES)
  const credential: KeyLimits = {
    actor,
    audience: 'recipient',
    for: actor,
    trust: {
      maxSensitivity: link.maxSensitivity as KeyLimits['trust']['maxSensitivity'],
      scopes: [...RECIPIENT_SCOPES],
    },
    policy: null,
    visibility: { ceiling: fields.visibilityClassCeiling as KeyLimits['visibility']['ceiling'], floor: null },
    session: '',
    choosesSession: false,
    profile: profileId,
  }
  await insertApiKey(request.tx, request.tenant, {
    keyId,
    owner: actor,
    name: 'session',
    secretHash: hashSecret(secret),
    credential,
    madeWith: null,
    createdBy: linkOwner(link.linkId),
    createdAt: request.now,
    expiresAt,
    profileId,
    label: request.clearance,
    makerDigest: request.credential,
  })
  return writeKey({ tenant: request.tenant, keyId, secret })
}
