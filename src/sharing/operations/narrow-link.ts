import { z } from 'zod'
import { PrivityError } from '../../errors.js'
import type { CapabilityRegistry } from '../../policy/capability.js'
import { type CapabilityPattern, matches, validatePolicy } from '../../policy/capability-policy.js'
import { linkId } from '../../runtime/fields.js'
import { moment, name } from '../../runtime/input.js'
import { writeOperation } from '../../runtime/operation.js'
import { pattern } from '../../runtime/operations/policies.js'
import { linkPolicy } from '../../runtime/profile.js'
import { absent, type WriteRequest } from '../../runtime/request.js'
import { lockProfilesOfLink, saveProfile } from '../../storage/queries/profiles.js'
import { linkOwner, profileOwner } from '../../storage/queries/running-profile.js'
import { findLinks, type RateLimits, saveNarrowing } from '../../storage/queries/share-links.js'
import { requireWholeCredential } from '../require-whole-credential.js'
import { rateLimitFields, shareLink, viewLink } from '../share-link.js'
import { lockLink } from './revoke.js'

/**
 * Narrows a link that was handed out, without a new address: it ends earlier, allows less, or is used less. What it
 * allows more of needs another grant (ST-10).
 */
export const narrowLink = writeOperation({
  name: 'links.narrow',
  route: 'PATCH /links/:link',
  summary: 'Let a share link end earlier or allow less',
  sample: world => ({ link: world.madeOrOther('link'), rateLimits: { maxQueriesPerHour: 1 } }),
  callers: 'owner',
  effects: ['share_link_narrowed'],
  reversibility: 'compensating_operation_only',
  changesFacts: true,
  input: z.strictObject({
    link: linkId,
    name: name.optional().meta({ description: 'Another name for it.', example: 'Filings for Berg' }),
    expiresAt: moment
      .optional()
      .meta({ description: 'When it expires: earlier than now planned. Its sessions end then.' }),
    allowedActions: z
      .array(pattern)
      .min(1)
      .max(100)
      .optional()
      .meta({ description: 'What recipients may still do, of what they may now.' }),
    rateLimits: z
      .strictObject(rateLimitFields)
      .partial()
      .optional()
      .meta({ description: 'How much recipients may ask for: at most what they may now.' }),
  }),
  output: shareLink,
  async run(request, asked) {
    requireWholeCredential(request)
    const { tx, tenant, now } = request
    const link = await lockLink(request, asked.link)
    if (link.revokedAt !== null)
      throw new PrivityError('conflict', 'the link was revoked before', {
        reason: 'share_token_already_revoked',
      })
    const expiresAt = asked.expiresAt ?? link.expiresAt
    if (
      asked.expiresAt !== undefined &&
      (asked.expiresAt <= now || (link.expiresAt ?? asked.expiresAt) < asked.expiresAt)
    )
      throw cannotWiden('expiresAt', 'must be in the future and no later than it expires now')
    const allowedActions = narrowedActions(request, link, asked.allowedActions)
    const rateLimits = narrowedLimits(link.rateLimits, asked.rateLimits ?? {})
    await saveNarrowing(tx, tenant, link.linkId, {
      name: asked.name ?? link.name,
      expiresAt,
      allowedActions,
      rateLimits,
    })
    const profiles = await lockProfilesOfLink(tx, tenant, link.linkId, now)
    for (const profile of profiles) {
      if (expiresAt === null || (profile.expiresAt !== null && profile.expiresAt <= expiresAt)) continue
      await saveProfile(tx, tenant, {
        ...profile,
        expiresAt,
        version: profile.version + 1,
        policyGeneration: request.generation,
      })
      request.changesFactsOf(profileOwner(profile.profileId))
    }
    request.changesFactsOf(linkOwner(link.linkId))
    return { output: await viewed(request, link.linkId), refs: [link.linkId] }
  },
  replay: (request, [link = '']) => viewed(request, link),
})

async function viewed(request: WriteRequest, link: string): Promise<z.input<typeof shareLink>> {
  const [row] = await findLinks(request.tx, request.tenant, [...request.parts.identity.principals], [link])
  if (row === undefined) throw absent()
  return viewLink(request, row)
}

const cannotWiden = (field: string, what: string) =>
  new PrivityError('invalid_input', `${field}: ${what}; grant another link to allow more`)

function narrowedActions(
  { parts }: WriteRequest,
  link: { readonly linkId: string; readonly allowedActions: readonly unknown[] },
  asked: readonly CapabilityPattern[] | undefined,
): readonly CapabilityPattern[] {
  const known = link.allowedActions as readonly CapabilityPattern[]
  if (asked === undefined) return known
  const { registry } = parts.tenantFacts
  validatePolicy(linkPolicy({ linkId: link.linkId, allowedActions: asked }), registry)
  if (!asked.every(one => isWithin(one, known, registry)))
    throw cannotWiden('allowedActions', 'must be of what the link allows now')
  return asked
}

/** Whether a pattern allows nothing that the known ones do not, whatever is registered later. */
function isWithin(
  asked: CapabilityPattern,
  known: readonly CapabilityPattern[],
  registry: CapabilityRegistry,
): boolean {
  if (asked.kind === 'exact') return known.some(one => matches(one, asked.capability, 'allow', registry))
  return known.some(one => JSON.stringify(one) === JSON.stringify(asked))
}

function narrowedLimits(
  known: RateLimits,
  asked: { readonly [Limit in keyof RateLimits]?: number | undefined },
): RateLimits {
  const limits: { -readonly [Limit in keyof RateLimits]: number } = { ...known }
  for (const limit of Object.keys(known) as (keyof RateLimits)[]) {
    const wanted = asked[limit]
    if (wanted === undefined) continue
    if (wanted > known[limit]) throw cannotWiden(`rateLimits.${limit}`, `must be at most ${known[limit]}`)
    limits[limit] = wanted
  }
  return limits
}
