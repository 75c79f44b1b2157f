import { isSecretOf, type PresentedKey } from '../runtime/api-key.js'
import { stateOf } from '../runtime/profile.js'
import type { Transaction } from '../storage/database.js'
import { countProfilesOfLink } from '../storage/queries/profiles.js'
import { loadChain } from '../storage/queries/running-profile.js'
import { loadOpenableLink, type OpenableLink } from '../storage/queries/share-links.js'
import { isLinkValid } from './share-link.js'

/**
 * The link that a token opens now. Unknown, revoked, expired or full, or granted in a host profile that is over: each is
 * found by the same statements, and none is told from another (ST-3, NI-5). Locked, everybody comes one after the other.
 */
export async function findOpenableLink(
  tx: Transaction,
  { tenant, keyId, secret }: PresentedKey,
  now: Date,
  options: { readonly lock?: boolean } = {},
): Promise<OpenableLink | undefined> {
  const link = await loadOpenableLink(tx, tenant, keyId, options)
  const hosts = await loadChain(tx, tenant, link?.ownerSessionRef ?? null)
  const profiles = await countProfilesOfLink(tx, tenant, keyId, now)
  if (!isSecretOf(link?.tokenHash, secret) || link === undefined || !isLinkValid(link, now)) return undefined
  // What was granted in a host profile is under it: once that is over, so is the link.
  const isUnderHost = link.ownerSessionRef === null || hosts.length > 0
  if (!isUnderHost || hosts.some(row => stateOf(row, now) !== 'active')) return undefined
  return profiles < link.rateLimits.maxRecipientSessionsConcurrent ? link : undefined
}
