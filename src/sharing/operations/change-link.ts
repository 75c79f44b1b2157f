import { z } from 'zod'
import { PrivityError } from '../../errors.js'
import { admitsAddress } from '../../policy/address-rules.js'
import { type CapabilityPattern, validatePolicy } from '../../policy/capability-policy.js'
import { linkId } from '../../runtime/fields.js'
import { id, moment, name } from '../../runtime/input.js'
import { writeOperation } from '../../runtime/operation.js'
import { pattern } from '../../runtime/operations/policies.js'
import { linkPolicy } from '../../runtime/profile.js'
import { absent, type WriteRequest } from '../../runtime/request.js'
import { lockProfilesOfLink, replaceProfileViews, saveProfile } from '../../storage/queries/profiles.js'
import { linkOwner, type ProfileRow, profileOwner } from '../../storage/queries/running-profile.js'
import { findLinks, type LinkRow, saveTerms } from '../../storage/queries/share-links.js'
import { findViews } from '../../storage/queries/shared-views.js'
import { addressOf, provedAddress } from '../recipient-address.js'
import { requireWholeCredential } from '../require-whole-credential.js'
import {
  addressRuleFields,
  noticeFields,
  openNotices,
  openRules,
  rateLimitFields,
  sealNotices,
  sealRules,
  sessionIdleSeconds,
  shareLink,
  viewLink,
} from '../share-link.js'
import { shareViews } from '../share-views.js'
import { requireAddresses, requireMailFor, requireViews } from './links.js'
import { findGrants, lockLink } from './revoke.js'

const input = z.strictObject({
  link: linkId,
  name: name.optional().meta({ description: 'Another name for it.', example: 'Filings for Berg' }),
  expiresAt: moment
    .nullable()
    .optional()
    .meta({ description: 'When it expires; null for never. Open sessions end then at the latest.' }),
  allowedActions: z
    .array(pattern)
    .min(1)
    .max(100)
    .optional()
    .meta({ description: 'What recipients may do from now on, in open sessions too.' }),
  rateLimits: z
    .strictObject(rateLimitFields)
    .partial()
    .optional()
    .meta({ description: 'How much recipients may ask for from now on.' }),
  views: z.array(id).min(1).max(50).optional().meta({
    description:
      'The views that it shares from now on, by their ids: it may leave out a corpus, and add views of one that it shares, which narrow it. To share more, grant another link.',
  }),
  sessionIdleSeconds: sessionIdleSeconds.optional(),
  allowList: addressRuleFields.allowList.optional(),
  denyList: addressRuleFields.denyList.optional(),
  notices: z
    .strictObject(noticeFields)
    .partial()
    .optional()
    .meta({ description: 'What you are told of. What is left out stays as it is.' }),
})
type Input = z.output<typeof input>

/**
 * Changes a link that was handed out, without a new address. Open sessions follow at their next request. What it shows
 * can only become less: whoever it was given to has not been told of more (ST-10).
 */
export const changeLink = writeOperation({
  name: 'links.change',
  route: 'PATCH /links/:link',
  summary: 'Change a share link without a new address',
  sample: world => ({ link: world.madeOrOther('link'), rateLimits: { maxQueriesPerHour: 1 } }),
  callers: 'owner',
  effects: ['share_link_changed'],
  reversibility: 'irreversible_external_effect',
  changesFacts: true,
  input,
  output: shareLink,
  async run(request, asked) {
    requireWholeCredential(request)
    const { tx, tenant, now } = request
    const link = await lockLink(request, asked.link)
    if (link.revokedAt !== null)
      throw new PrivityError('conflict', 'the link was revoked before', {
        reason: 'share_token_already_revoked',
      })
    if (asked.expiresAt != null && asked.expiresAt <= now)
      throw new PrivityError(
        'invalid_input',
        'expiresAt: must be in the future; to end the link now, revoke it',
      )
    const changed = {
      ...link,
      name: asked.name ?? link.name,
      expiresAt: asked.expiresAt === undefined ? link.expiresAt : asked.expiresAt,
      allowedActions: changedActions(request, link, asked.allowedActions),
      rateLimits: { ...link.rateLimits, ...definedOf(asked.rateLimits ?? {}) },
      viewIds: await narrowedViews(request, link, asked.views),
      sessionIdleSeconds: asked.sessionIdleSeconds ?? link.sessionIdleSeconds,
      addressRules: changedRules(request, link, asked),
      notices: changedNotices(request, link, asked.notices),
    }
    await saveTerms(tx, tenant, link.linkId, changed)
    for (const profile of await lockProfilesOfLink(tx, tenant, link.linkId, now)) {
      if (asked.views !== undefined) await replaceProfileViews(tx, tenant, profile.profileId, changed.viewIds)
      const follows = followingProfile(request, profile, changed)
      await saveProfile(tx, tenant, {
        ...follows,
        version: profile.version + 1,
        policyGeneration: request.generation,
      })
      request.changesFactsOf(profileOwner(profile.profileId))
    }
    request.changesFactsOf(linkOwner(link.linkId))
    return {
      output: await viewed(request, link.linkId),
      refs: [link.linkId],
      causes: await findGrants(request, link.linkId),
    }
  },
  replay: (request, [link = '']) => viewed(request, link),
})

async function viewed(request: WriteRequest, link: string): Promise<z.input<typeof shareLink>> {
  const [row] = await findLinks(request.tx, request.tenant, [...request.parts.identity.principals], [link])
  if (row === undefined) throw absent()
  return viewLink(request, row)
}

/** An open session ends with its link, and at once if its address may not come any more. */
function followingProfile({ parts, now }: WriteRequest, profile: ProfileRow, link: LinkRow): ProfileRow {
  const { expiresAt } = link
  const isLater = expiresAt !== null && (profile.expiresAt === null || profile.expiresAt > expiresAt)
  const idleAt =
    link.sessionIdleSeconds === null ? null : new Date(now.getTime() + link.sessionIdleSeconds * 1_000)
  const follows = { ...profile, idleAt, ...(isLater ? { expiresAt } : {}) }
  if (link.recipientIdentityMode !== 'email_bound' || profile.identityMode === 'host_user') return follows
  const { profileId, linkId: of, recipientEmail: ownEmail } = profile
  const meant = link.recipientEmail
  const address = provedAddress(parts, { profileId, linkId: of, ownEmail, linkEmail: meant })
  const meantAddress = meant === null ? null : parts.secrets.open(meant, addressOf(link))
  if (address !== null && admitsAddress(address, openRules(parts, link), meantAddress)) return follows
  return { ...follows, state: 'revoked', revokedAt: now, revokedReasonCode: 'share_token_revoked' }
}

function changedActions(
  { parts }: WriteRequest,
  { linkId: of, allowedActions, fileRequest }: LinkRow,
  asked: readonly CapabilityPattern[] | undefined,
): LinkRow['allowedActions'] {
  if (asked === undefined) return allowedActions
  if (fileRequest !== null)
    throw new PrivityError(
      'invalid_input',
      'allowedActions: this link only takes files in; to share something, grant another link',
    )
  validatePolicy(linkPolicy({ linkId: of, allowedActions: asked }), parts.tenantFacts.registry)
  return asked
}

/**
 * Views of one corpus show only what all of them show. So a view that is left out shows more, unless all of its corpus
 * go, and one that is added shows less, unless its corpus is new.
 */
async function narrowedViews(
  request: WriteRequest,
  link: LinkRow,
  asked: readonly string[] | undefined,
): Promise<readonly string[]> {
  if (asked === undefined) return link.viewIds
  const { tx, tenant } = request
  const views = await requireViews(request, asked, link.ownerSessionRef)
  const known = await findViews(tx, tenant, [link.owner], link.viewIds)
  const corpora = new Set(known.map(({ corpus }) => corpus))
  const kept = new Set(views.map(({ viewId }) => viewId))
  const isNew = views.some(({ corpus, owner }) => owner !== link.owner || !corpora.has(corpus))
  const isMore = known.some(
    ({ viewId, corpus }) => !kept.has(viewId) && views.some(view => view.corpus === corpus),
  )
  if (isNew || isMore)
    throw new PrivityError(
      'invalid_input',
      'views: must show no more than the link shows now; to share more, grant another link',
    )
  await shareViews(request, views, link)
  return views.map(({ viewId }) => viewId)
}

function changedRules(request: WriteRequest, link: LinkRow, { allowList, denyList }: Input): string | null {
  const { parts } = request
  if (allowList === undefined && denyList === undefined) return link.addressRules
  const known = openRules(parts, link)
  const rules = { allow: allowList ?? known.allow, deny: denyList ?? known.deny }
  const meant =
    link.recipientEmail === null ? undefined : parts.secrets.open(link.recipientEmail, addressOf(link))
  requireAddresses(link.recipientIdentityMode, meant, rules)
  return sealRules(parts, rules, link)
}

function changedNotices(request: WriteRequest, link: LinkRow, asked: Input['notices']): LinkRow['notices'] {
  if (asked === undefined) return link.notices
  const notices = { ...openNotices(request.parts, link), ...definedOf(asked) }
  requireMailFor(request, notices)
  return sealNotices(request.parts, notices, link)
}

type Defined<Given> = { [Field in keyof Given]: Exclude<Given[Field], undefined> }
const definedOf = <Given extends object>(given: Given) =>
  Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as Defined<Given>
