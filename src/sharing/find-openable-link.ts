import { isSecretOf, type PresentedKey } from '../runtime/api-key.js'
import { stateOf } from '../runtime/profile.js'
import type { Transaction } from '../storage/database.js'
import { countProfilesOfLink } from '../storage/queries/profiles.js'
import { loadChain } from '../storage/queries/running-profile.js'
import { loadOpenableLink, type OpenableLink } from '../storage/queries/share-links.js'
import { isLinkValid } from './share-link.js'

/** A link that a token opens now, or that it would open if it were not full. */
export interface FoundLink {
  readonly link: OpenableLink | undefined
  readonly full: OpenableLink | undefined
}

const NOT_FOUND: FoundLink = { link: undefined, full: undefined }

/**
 * The link that a token opens now. A link that is unknown, revoked, expired or full, or whose host profile has ended,
 * is looked up with the same statements and looks the same (ST-3, NI-5). With `lock`, requests for a link take turns.
 */
export async function findOpenableLink(
  tx: Transaction,
  { tenant, keyId, secret }: PresentedKey,
  now: Date,
  options: { readonly lock?: boolean } = {},
): Promise<FoundLink> {
  const link = await loadOpenableLink(tx, tenant, keyId, options)
  const hosts = await loadChain(tx, tenant, link?.ownerSessionRef ?? null)
  const profiles = await countProfilesOfLink(tx, tenant, keyId, now)
  if (!isSecretOf(link?.tokenHash, secret) || link === undefined || !isLinkValid(link, now)) return NOT_FOUND
  // A link that was granted in a host profile ends with that profile.
  const isUnderHost = link.ownerSessionRef === null || hosts.length > 0
  if (!isUnderHost || hosts.some(row => stateOf(row, now) !== 'active')) return NOT_FOUND
  const isFull = profiles >= link.rateLimits.maxRecipientSessionsConcurrent
  return isFull ? { link: undefined, full: link } : { link, full: undefined }
}
