import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import { PrivityError } from '../../errors.js'
import { canMail } from '../../mail/enqueue.js'
import { type AddressRules, admitsAddress } from '../../policy/address-rules.js'
import { validatePolicy } from '../../policy/capability-policy.js'
import type { MarkingPolicy } from '../../policy/watermark.js'
import { hashSecret, SECRET_BYTES, TOKEN_PREFIX, writeKey } from '../../runtime/api-key.js'
import { linkId, nextCursor } from '../../runtime/fields.js'
import { id } from '../../runtime/input.js'
import { listNewestFirst, pageInput } from '../../runtime/list-newest-first.js'
import { readOperation, writeOperation } from '../../runtime/operation.js'
import { linkPolicy, stateOf } from '../../runtime/profile.js'
import { POLICY_OF_FIELD } from '../../runtime/profile-policies.js'
import { absent, type ReadRequest, type WriteRequest } from '../../runtime/request.js'
import { findOperationsAbout } from '../../storage/queries/operations.js'
import { findProfile } from '../../storage/queries/profiles.js'
import { linkOwner, listProfilePolicies, type SharedViewRow } from '../../storage/queries/running-profile.js'
import {
  type FileRequestTerms,
  findLinks,
  insertLink,
  type LinkRequestRow,
  type LinkRow,
  listLinks,
  listRequests,
  lockRequest,
  saveRequestState,
} from '../../storage/queries/share-links.js'
import { findViews, lockViews } from '../../storage/queries/shared-views.js'
import { hashPasscode } from '../passcode.js'
import { addressOf } from '../recipient-address.js'
import { requireWholeCredential } from '../require-whole-credential.js'
import { newLink, RECIPIENT_MODES, sealNotices, sealRules, shareLink, viewLink } from '../share-link.js'
import { fixSnapshot, shareViews } from '../share-views.js'
import { ownersOf } from './profiles.js'

export async function requireLink(request: ReadRequest, link: string): Promise<LinkRow> {
  const [row] = await findLinks(request.tx, request.tenant, ownersOf(request), [link])
  if (row === undefined) throw absent()
  return row
}

/** A link that was just granted. */
export const grantedLink = z.object({
  link: shareLink.meta({ description: 'The link.' }),
  token: z.string().nullable().meta({
    description: 'The token that opens the link. It is shown once: null when a request is repeated.',
  }),
})

/** Grants a link. Its token appears only in this answer (ST-1, ST-6). */
export const grantLink = writeOperation({
  name: 'links.grant',
  route: 'POST /links',
  summary: 'Share views by a link; what opens it is shown once',
  answeredOnce: true,
  sample: world => ({
    views: [world.madeOrOther('view')],
    ...world.pick([
      { recipientIdentityMode: 'anonymous_share_token' },
      { recipientIdentityMode: 'host_approved_named_external' },
      { recipientIdentityMode: 'email_bound', recipientEmail: 'berg@example.org' },
      { recipientIdentityMode: 'host_user' },
    ]),
    ...world.maybe(0.3, { maxSensitivity: world.pick(['public', 'high']) }),
    ...world.maybe(0.2, { hostSession: world.madeOrOther('profile') }),
  }),
  callers: 'owner',
  effects: ['share_link_grant'],
  reversibility: 'irreversible_external_effect',
  changesFacts: true,
  input: newLink,
  output: grantedLink.extend({
    asOf: z.string().nullable().meta({
      description:
        'The moment whose content its recipients see: when a snapshot of its views was first shared, which may be long ago; null if they see what is current.',
    }),
  }),
  async run(request, asked) {
    const { views, ...granted } = await grantLinkTo(request, asked, null)
    const asOf = earliestSnapshot(views.map(view => fixSnapshot(view, request.now)))
    return { ...granted, output: { ...granted.output, asOf } }
  },
  async replay(request, [linkId = '']) {
    const row = await requireLink(request, linkId)
    const views = await findViews(request.tx, request.tenant, [row.owner], row.viewIds)
    return { link: viewLink(request, row), token: null, asOf: earliestSnapshot(views) }
  },
})

/** Grants a link on these terms: one that shares views, or one that only takes files in and has none. */
export async function grantLinkTo(
  request: WriteRequest,
  asked: z.output<typeof newLink>,
  fileRequest: FileRequestTerms | null,
) {
  requireWholeCredential(request)
  const { clock } = request.parts
  const rules = { allow: asked.allowList ?? [], deny: asked.denyList ?? [] }
  const mode = requireIdentity(request, asked, rules)
  requireMailFor(request, asked.notices)
  const watermarkPolicy = requireWatermarks(asked)
  const hostProfile = await requireHostProfile(request, asked.hostSession)
  const views = await requireViews(request, asked.views, hostProfile)
  const owner = views[0]?.owner ?? request.caller.actingFor
  const policyRefs = await requirePolicies(request, owner, asked.policyRefs)
  const linkId = clock.newId('link')
  validatePolicy(
    linkPolicy({ linkId, allowedActions: asked.allowedActions }),
    request.parts.tenantFacts.registry,
  )
  if (asked.expiresAt !== undefined && asked.expiresAt <= request.now)
    throw new PrivityError('invalid_input', 'expiresAt: must be in the future')
  const { passcode } = asked
  const passcodeHash =
    passcode === undefined ? null : request.parts.prepared.of('hash', () => hashPasscode(passcode))
  const secret = clock.newSecret?.(SECRET_BYTES) ?? randomBytes(SECRET_BYTES)
  const row = {
    linkId,
    // The link belongs to the owner of the views, so a group keeps its links when a member leaves.
    owner,
    createdBy: request.caller.actor,
    name: asked.name ?? views[0]?.name ?? '',
    ownerSessionRef: hostProfile,
    viewIds: views.map(({ viewId }) => viewId),
    documentAccessPolicyRef: await requirePolicy(request, owner, asked.documentAccessPolicyRef),
    allowedActions: asked.allowedActions,
    recipientIdentityMode: mode,
    recipientEmail:
      asked.recipientEmail === undefined
        ? null
        : request.parts.secrets.seal(asked.recipientEmail, addressOf({ linkId })),
    approvedName: asked.approvedName ?? null,
    maxSensitivity: asked.maxSensitivity,
    sessionSeconds: asked.sessionSeconds,
    rateLimits: asked.rateLimits,
    watermarkDownloads: watermarkPolicy !== null && watermarkPolicy.appliesTo !== 'displayed_content',
    watermarkPolicy,
    auditVisibility: asked.auditVisibility,
    policyRefs,
    sessionIdleSeconds: asked.sessionIdleSeconds,
    agreement: asked.agreement ?? null,
    addressRules: sealRules(request.parts, rules, { linkId }),
    notices: sealNotices(request.parts, asked.notices, { linkId }),
    copyOf: null,
    fileRequest,
    expiresAt: asked.expiresAt ?? null,
    createdAt: request.now,
  }
  await insertLink(request.tx, request.tenant, row, { tokenHash: hashSecret(secret), passcodeHash })
  await shareViews(request, views, row)
  request.changesFactsOf(linkOwner(linkId))
  return {
    output: {
      link: viewLink(request, await requireLink(request, linkId)),
      token: writeKey({ tenant: request.tenant, keyId: linkId, secret }, TOKEN_PREFIX),
    },
    views,
    refs: [linkId],
    // It follows from the session in whose name it is granted, and from the views that it shares.
    causes: await findOperationsAbout(
      request.tx,
      request.tenant,
      ['profiles.create', 'views.create'],
      [...row.viewIds, ...(hostProfile === null ? [] : [hostProfile])],
    ),
  }
}

/** Of several snapshots the earliest applies (SV-2). */
function earliestSnapshot(views: readonly SharedViewRow[]): string | null {
  const times = views.flatMap(({ snapshotAt }) => snapshotAt?.getTime() ?? [])
  return times.length === 0 ? null : new Date(Math.min(...times)).toISOString()
}

/** The policies that profiles of a link refer to must exist, as for any profile that is activated (SP-3). */
async function requirePolicies(
  { tx, tenant }: WriteRequest,
  owner: string,
  asked: z.output<typeof newLink>['policyRefs'],
): Promise<Readonly<Record<string, string>>> {
  const policies = await listProfilePolicies(tx, tenant, [owner])
  const given = Object.entries(asked).filter(
    (one): one is [keyof typeof asked, string] => one[1] !== undefined,
  )
  for (const [field, ref] of given)
    if (!policies.some(({ kind, policyId }) => kind === POLICY_OF_FIELD[field] && policyId === ref))
      throw new PrivityError(
        'invalid_input',
        `policyRefs.${field}: unknown policy; create it first with profiles.set_policy`,
      )
  return Object.fromEntries(given)
}

/** Each way for a recipient to prove their identity needs certain fields and accepts no others (ST-2). */
function requireIdentity(
  request: WriteRequest,
  asked: z.output<typeof newLink>,
  rules: AddressRules,
): (typeof RECIPIENT_MODES)[number] {
  const mode = RECIPIENT_MODES.find(one => one === asked.recipientIdentityMode)
  if (mode === undefined)
    throw new PrivityError(
      'invalid_input',
      'recipientIdentityMode: must be anonymous_share_token, email_bound, passcode_required or host_approved_named_external',
    )
  requireAddresses(mode, asked.recipientEmail, rules)
  if (mode === 'passcode_required' && asked.passcode === undefined)
    throw new PrivityError('invalid_input', 'passcode: must be given')
  if (mode !== 'passcode_required' && mode !== 'email_bound' && asked.passcode !== undefined)
    throw new PrivityError('invalid_input', 'passcode: this link asks for none')
  if (mode !== 'host_approved_named_external' && asked.approvedName !== undefined)
    throw new PrivityError(
      'invalid_input',
      'approvedName: is only for links with recipientIdentityMode host_approved_named_external',
    )
  if (mode === 'email_bound' && !canMail(request))
    throw new PrivityError(
      'setup_incomplete',
      'no mailer is configured, so no code can be sent; set PRIVITY_MAIL_FOLDER or pass a mailer to open',
    )
  return mode
}

/** Addresses are for links that let people in by one, and such a link needs some (ST-2, ST-10). */
export function requireAddresses(
  mode: string,
  meant: string | undefined,
  { allow, deny }: AddressRules,
): void {
  if (mode === 'email_bound') {
    if (meant === undefined && allow.length === 0)
      throw new PrivityError('invalid_input', 'recipientEmail: a link bound to an address needs one')
    if (meant !== undefined && !admitsAddress(meant, { allow, deny }, meant))
      throw new PrivityError('invalid_input', 'denyList: must not keep out recipientEmail')
    return
  }
  if (meant !== undefined)
    throw new PrivityError('invalid_input', 'recipientEmail: this link is bound to no address')
  if (allow.length + deny.length > 0)
    throw new PrivityError(
      'invalid_input',
      `${allow.length > 0 ? 'allowList' : 'denyList'}: needs a link with recipientIdentityMode email_bound`,
    )
}

/** Notices that are mailed need a mailer (ST-9). */
export function requireMailFor(request: WriteRequest, { email }: { readonly email: string | null }): void {
  if (email !== null && !canMail(request))
    throw new PrivityError(
      'setup_incomplete',
      'notices.email: no mailer is configured; set PRIVITY_SMTP_URL or pass a mailer to open, or leave it out',
    )
}

/** How copies are marked; null if they are not (ST-4). */
function requireWatermarks({
  watermarkDownloads,
  watermarkPolicy,
  recipientIdentityMode,
}: z.output<typeof newLink>): MarkingPolicy | null {
  const provesAddress = recipientIdentityMode === 'email_bound'
  if (watermarkPolicy === undefined)
    return watermarkDownloads
      ? {
          appliesTo: 'downloaded_artifacts',
          watermarkKind: provesAddress ? 'user_email' : 'session_id',
          watermarkVisibility: 'both',
        }
      : null
  if (!watermarkDownloads && watermarkPolicy.appliesTo !== 'displayed_content')
    throw new PrivityError(
      'invalid_input',
      'watermarkPolicy.appliesTo: must be displayed_content where watermarkDownloads is false',
    )
  if (watermarkPolicy.watermarkKind === 'user_email' && !provesAddress)
    throw new PrivityError(
      'invalid_input',
      'watermarkPolicy.watermarkKind: user_email needs a link that is bound to an address',
    )
  return watermarkPolicy
}

/** A policy of the link's owner. Somebody else's policy looks as if it did not exist (NI-5). */
async function requirePolicy(
  request: WriteRequest,
  owner: string,
  ref: string | undefined,
): Promise<string | null> {
  if (ref === undefined) return null
  const policies = await listProfilePolicies(request.tx, request.tenant, [owner])
  if (
    !policies.some(
      ({ kind, policyId }) => kind === POLICY_OF_FIELD.documentAccessPolicyRef && policyId === ref,
    )
  )
    throw absent()
  return ref
}

/**
 * Links are granted in an active host profile: the caller's or a named one. Working without a profile counts too
 * (ST-1).
 */
async function requireHostProfile(request: WriteRequest, asked: string | undefined): Promise<string | null> {
  const running = request.parts.profile?.row
  const profileId = asked ?? running?.profileId
  if (profileId === undefined) return null
  const row =
    profileId === running?.profileId
      ? running
      : await findProfile(request.tx, request.tenant, ownersOf(request), profileId)
  if (row === undefined) throw absent()
  if (row.sessionKind !== 'host_session' || stateOf(row, request.now) !== 'active')
    throw new PrivityError('conflict', 'the host session is not active; activate or resume it first', {
      reason: 'share_link_grant_blocked_host_session_not_active',
    })
  return row.profileId
}

/** Views of the host, created in the same profile. A missing view and somebody else's look the same (NI-5). */
export async function requireViews(
  request: WriteRequest,
  asked: readonly string[],
  hostProfile: string | null,
): Promise<SharedViewRow[]> {
  const ids = [...new Set(asked)]
  const rows = await lockViews(request.tx, request.tenant, ownersOf(request), ids)
  const isOne = rows.every(({ owner }) => owner === rows[0]?.owner)
  const isOfProfile = rows.every(({ ownerSessionRef }) => ownerSessionRef === hostProfile)
  if (rows.length < ids.length || !isOne || !isOfProfile)
    throw new PrivityError('not_found', 'a view does not exist, or belongs to another host session', {
      reason: 'share_link_grant_blocked_invalid_view_ref',
    })
  return rows
}

export const getLink = readOperation({
  name: 'links.get',
  route: 'GET /links/:link',
  summary: 'Read one of your share links',
  positional: ['link'],
  sample: world => ({ link: world.madeOrOther('link') }),
  callers: 'owner',
  needsWholeSight: { otherwise: null },
  input: z.strictObject({ link: linkId }),
  output: shareLink.nullable(),
  async run(request, { link }) {
    const [row] = await findLinks(request.tx, request.tenant, ownersOf(request), [link])
    return row === undefined ? null : viewLink(request, row)
  },
})

export const listLinksOf = readOperation({
  name: 'links.list',
  route: 'GET /links',
  summary: 'List your share links',
  sample: world => ({ limit: world.pick([1, 2, 50]) }),
  callers: 'owner',
  needsWholeSight: { otherwise: { links: [], cursor: null } },
  input: z.strictObject(pageInput),
  output: z.object({
    links: z.array(shareLink).meta({ description: 'The links, newest first.' }),
    cursor: nextCursor,
  }),
  async run(request, asked) {
    const { rows, cursor } = await listNewestFirst(
      request,
      ['links.list'],
      { limit: asked.limit, cursor: asked.cursor },
      (before, most) => listLinks(request.tx, request.tenant, ownersOf(request), before, most),
      row => ({ createdAt: row.createdAt, id: row.linkId }),
    )
    return { links: rows.map(row => viewLink(request, row)), cursor }
  },
})

const linkRequest = z
  .object({
    request: z.string().meta({ description: 'The id of the request.' }),
    link: z.string().meta({ description: 'The link, by its id.' }),
    name: z.string().meta({ description: 'The name that the recipient gave.' }),
    state: z.string().meta({ description: 'Whether it is pending, approved, declined or used.' }),
    createdAt: z.string().meta({ description: 'When it was asked.' }),
    decidedAt: z.string().nullable().meta({ description: 'When it was decided; null until then.' }),
    session: z
      .string()
      .nullable()
      .meta({ description: 'The session that was opened by it, by its id; null if none.' }),
  })
  .meta({ id: 'LinkRequest', description: 'Somebody who waits to be let in by name.' })

const viewRequest = (row: LinkRequestRow): z.input<typeof linkRequest> => ({
  request: row.requestId,
  link: row.linkId,
  name: row.name,
  state: row.state,
  createdAt: row.createdAt.toISOString(),
  decidedAt: row.decidedAt?.toISOString() ?? null,
  session: row.profileId,
})

/** Lists who is waiting to be let in, by the name they gave. */
export const listLinkRequests = readOperation({
  name: 'links.requests',
  route: 'GET /link-requests',
  summary: 'List who is waiting for approval to open your links',
  sample: world => ({
    limit: world.pick([1, 50]),
    ...world.maybe(0.3, { link: world.madeOrOther('link') }),
  }),
  callers: 'owner',
  needsWholeSight: { otherwise: { requests: [], cursor: null } },
  input: z.strictObject({
    ...pageInput,
    link: id.optional().meta({ description: 'Only requests for this link.' }),
    state: z
      .enum(['pending', 'approved', 'declined', 'used'])
      .optional()
      .meta({ description: 'Only requests in this state.', example: 'pending' }),
  }),
  output: z.object({
    requests: z.array(linkRequest).meta({ description: 'The requests, newest first.' }),
    cursor: nextCursor,
  }),
  async run(request, { link = null, state = null, ...asked }) {
    const { rows, cursor } = await listNewestFirst(
      request,
      ['links.requests', link, state],
      { limit: asked.limit, cursor: asked.cursor },
      (before, most) =>
        listRequests(request.tx, request.tenant, ownersOf(request), { link, state }, before, most),
      row => ({ createdAt: row.createdAt, id: row.requestId }),
    )
    return { requests: rows.map(viewRequest), cursor }
  },
})

/** Approves or denies a request. The decision is final. */
export const decideLinkRequest = writeOperation({
  name: 'links.decide',
  route: 'POST /link-requests/:request/decide',
  summary: 'Approve or decline a request to open a link',
  sample: world => ({
    request: world.madeOrOther('link_request'),
    decision: world.pick(['approve', 'decline']),
  }),
  callers: 'owner',
  effects: ['link_request_decided'],
  reversibility: 'compensating_operation_only',
  changesFacts: false,
  input: z.strictObject({
    request: id.meta({ description: 'The request, by its id.' }),
    decision: z
      .enum(['approve', 'decline'])
      .meta({ description: 'Whether to let them in.', example: 'approve' }),
  }),
  output: linkRequest,
  async run(request, { request: requestId, decision }) {
    requireWholeCredential(request)
    const row = await lockRequest(request.tx, request.tenant, ownersOf(request), requestId)
    if (row === undefined) throw absent()
    if (row.state !== 'pending') throw new PrivityError('conflict', 'this was already decided')
    const state = decision === 'approve' ? 'approved' : 'declined'
    await saveRequestState(request.tx, request.tenant, requestId, state, request.now)
    return { output: viewRequest({ ...row, state, decidedAt: request.now }), refs: [requestId] }
  },
  async replay(request, [requestId = '']) {
    const row = await lockRequest(request.tx, request.tenant, ownersOf(request), requestId)
    if (row === undefined) throw absent()
    return viewRequest(row)
  },
})
