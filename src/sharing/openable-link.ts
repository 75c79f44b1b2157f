import { isSecretOf, type PresentedKey } from '../runtime/api-key.js'
import { stateOf } from '../runtime/profile.js'
import type { Transaction } from '../storage/database.js'
import { countSessionsOfLink } from '../storage/queries/profiles.js'
import { loadChain } from '../storage/queries/running-profile.js'
import { loadOpenableLink, type OpenableLink } from '../storage/queries/share-links.js'
import { stands } from './share-link.js'

/**
 * The link that a token opens now. Unknown, revoked, expired or full, or granted in a host session that is over: each is
 * found by the same statements, and none is told from another (ST-3, NI-5). Locked, everybody comes one after the other.
 */
export async function findOpenable(
  tx: Transaction,
  { tenant, keyId, secret }: PresentedKey,
  now: Date,
  options: { readonly lock?: boolean } = {},
): Promise<OpenableLink | undefined> {
  const link = await loadOpenableLink(tx, tenant, keyId, options)
  const hosts = await loadChain(tx, tenant, link?.ownerSessionRef ?? null)
  const sessions = await countSessionsOfLink(tx, tenant, keyId, now)
  if (!isSecretOf(link?.tokenHash, secret) || link === undefined || !stands(link, now)) return undefined
  // What was granted in a host session is under it: once that is over, so is the link.
  const isUnderHost = link.ownerSessionRef === null || hosts.length > 0
  if (!isUnderHost || hosts.some(row => stateOf(row, now) !== 'active')) return undefined
  return sessions < link.rateLimits.maxRecipientSessionsConcurrent ? link : undefined
}
