import { isSecretOf, type PresentedKey } from '../runtime/api-key.js'
import { stateOf } from '../runtime/profile.js'
import type { Transaction } from '../storage/database.js'
import { countProfilesOfLink } from '../storage/queries/profiles.js'
import { loadChain } from '../storage/queries/running-profile.js'
import { loadOpenableLink, type OpenableLink } from '../storage/queries/share-links.js'
import { isLinkValid } from './share-link.js'

/**
 * The link that a token opens now. A link that is unknown, revoked, expired or full, or whose host profile has ended,
 * is looked up with the same statements and looks the same (ST-3, NI-5). With `lock`, requests for a link take turns.
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
  // A link that was granted in a host profile ends with that profile.
  const isUnderHost = link.ownerSessionRef === null || hosts.length > 0
  if (!isUnderHost || hosts.some(row => stateOf(row, now) !== 'active')) return undefined
  return profiles < link.rateLimits.maxRecipientSessionsConcurrent ? link : undefined
}
