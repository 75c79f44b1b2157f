import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import { PrivityError } from '../../errors.js'
import { hashSecret, SECRET_BYTES, TOKEN_PREFIX, writeKey } from '../../runtime/api-key.js'
import { linkId } from '../../runtime/fields.js'
import { name } from '../../runtime/input.js'
import { writeOperation } from '../../runtime/operation.js'
import { absent, type WriteRequest } from '../../runtime/request.js'
import { linkOwner } from '../../storage/queries/running-profile.js'
import { findLinks, insertLink, type LinkRow, type OpenableLink } from '../../storage/queries/share-links.js'
import { addressOf } from '../recipient-address.js'
import { requireWholeCredential } from '../require-whole-credential.js'
import {
  email,
  isLinkValid,
  openNotices,
  openRules,
  sealNotices,
  sealRules,
  shareLink,
  viewLink,
} from '../share-link.js'
import { requireAddresses } from './links.js'
import { ownersOf } from './profiles.js'
import { findGrants, lockLink } from './revoke.js'

const recipient = z
  .strictObject({
    email: email.optional().meta({
      description: 'Their address, for a link of mode `email_bound`.',
      example: 'berg@example.com',
    }),
    name: name.optional().meta({ description: 'What to call them.', example: 'Berg' }),
  })
  .refine(one => one.email !== undefined || one.name !== undefined, {
    message: 'must have an email or a name',
  })
type NewRecipient = z.output<typeof recipient>

const copies = z.object({
  copies: z
    .array(
      z.object({
        link: shareLink.meta({ description: 'The link.' }),
        token: z.string().nullable().meta({
          description: 'The token that opens it. It is shown once: null when a request is repeated.',
        }),
      }),
    )
    .meta({ description: 'A link for each recipient, in the order they were named.' }),
})

/**
 * Grants the terms of a link to several people, each with a link of their own: what each does is told apart, and each
 * can be ended without the others (ST-10).
 */
export const copyLink = writeOperation({
  name: 'links.copy',
  route: 'POST /links/:link/copies',
  summary: 'Give several recipients a link of their own with the terms of another',
  answeredOnce: true,
  sample: world => ({ link: world.madeOrOther('link'), recipients: [{ name: world.word() }] }),
  callers: 'owner',
  effects: ['share_link_grant'],
  reversibility: 'irreversible_external_effect',
  changesFacts: true,
  input: z.strictObject({
    link: linkId,
    recipients: z
      .array(recipient)
      .min(1)
      .max(100)
      .meta({ description: 'Who gets a link.', example: [{ email: 'berg@example.com', name: 'Berg' }] }),
  }),
  output: copies,
  async run(request, { link: of, recipients }) {
    requireWholeCredential(request)
    const link = await lockLink(request, of)
    if (!isLinkValid(link, request.now))
      throw new PrivityError('conflict', 'the link is revoked or has expired; grant another one')
    const made: { linkId: string; token: string }[] = []
    for (const one of recipients) made.push(await insertCopy(request, link, one))
    const rows = await findLinks(
      request.tx,
      request.tenant,
      ownersOf(request),
      made.map(copy => copy.linkId),
    )
    const output = made.map(({ linkId: id, token }) => {
      const row = rows.find(known => known.linkId === id)
      if (row === undefined) throw absent()
      return { link: viewLink(request, row), token }
    })
    return {
      output: { copies: output },
      refs: made.map(copy => copy.linkId),
      causes: await findGrants(request, of),
    }
  },
  async replay(request, refs) {
    const rows = await findLinks(request.tx, request.tenant, ownersOf(request), refs)
    const known = new Map(rows.map(row => [row.linkId, row]))
    const found = refs.flatMap(ref => known.get(ref) ?? [])
    return { copies: found.map(row => ({ link: viewLink(request, row), token: null })) }
  },
})

async function insertCopy(request: WriteRequest, link: OpenableLink, to: NewRecipient) {
  const { tx, tenant, now, parts } = request
  const { clock, secrets } = parts
  const copyId = clock.newId('link')
  const isBound = link.recipientIdentityMode === 'email_bound'
  const rules = openRules(parts, link)
  if (isBound && to.email === undefined)
    throw new PrivityError('invalid_input', 'recipients: each needs an email for a link bound to an address')
  requireAddresses(link.recipientIdentityMode, to.email, isBound ? { allow: [], deny: rules.deny } : rules)
  const secret = clock.newSecret?.(SECRET_BYTES) ?? randomBytes(SECRET_BYTES)
  const row: Parameters<typeof insertLink>[2] = {
    ...termsOf(link),
    linkId: copyId,
    name: `${link.name}: ${to.name ?? to.email}`.slice(0, 200),
    createdBy: request.caller.actor,
    recipientEmail: to.email === undefined ? null : secrets.seal(to.email, addressOf({ linkId: copyId })),
    approvedName: link.recipientIdentityMode === 'host_approved_named_external' ? (to.name ?? null) : null,
    // Each is for one address; whoever is kept out stays out.
    addressRules: sealRules(parts, { allow: [], deny: rules.deny }, { linkId: copyId }),
    notices: sealNotices(parts, openNotices(parts, link), { linkId: copyId }),
    copyOf: link.copyOf ?? link.linkId,
    createdAt: now,
  }
  await insertLink(tx, tenant, row, { tokenHash: hashSecret(secret), passcodeHash: link.passcodeHash })
  request.changesFactsOf(linkOwner(copyId))
  return { linkId: copyId, token: writeKey({ tenant, keyId: copyId, secret }, TOKEN_PREFIX) }
}

/** What a copy has of a link: its terms, and nothing of what happened to it. */
function termsOf(link: LinkRow) {
  return {
    owner: link.owner,
    ownerSessionRef: link.ownerSessionRef,
    viewIds: link.viewIds,
    documentAccessPolicyRef: link.documentAccessPolicyRef,
    allowedActions: link.allowedActions,
    recipientIdentityMode: link.recipientIdentityMode,
    maxSensitivity: link.maxSensitivity,
    sessionSeconds: link.sessionSeconds,
    sessionIdleSeconds: link.sessionIdleSeconds,
    rateLimits: link.rateLimits,
    watermarkDownloads: link.watermarkDownloads,
    watermarkPolicy: link.watermarkPolicy,
    auditVisibility: link.auditVisibility,
    policyRefs: link.policyRefs,
    agreement: link.agreement,
    fileRequest: link.fileRequest,
    expiresAt: link.expiresAt,
  }
}
