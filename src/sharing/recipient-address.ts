import type { Secrets } from '../runtime/secrets.js'
import type { LinkRow } from '../storage/queries/share-links.js'

/** What opens and closes addresses: who is meant is nobody else's business. */
export interface Sealing {
  readonly secrets: Secrets
}

/** The context that the encrypted address of a recipient is bound to. */
export const addressOf = ({ linkId }: Pick<LinkRow, 'linkId'>) =>
  JSON.stringify(['recipient of a link', linkId])

/** The address that whoever is in a session proved; null if they proved none. */
export function provedAddress(
  { secrets }: Sealing,
  session: {
    readonly profileId: string
    readonly linkId: string | null
    readonly ownEmail: string | null
    readonly linkEmail: string | null
  },
): string | null {
  const { profileId, linkId, ownEmail, linkEmail } = session
  if (ownEmail !== null) return secrets.open(ownEmail, sessionAddressOf({ profileId }))
  return linkEmail === null || linkId === null ? null : secrets.open(linkEmail, addressOf({ linkId }))
}

/** The context that the encrypted address of a session is bound to. */
export const sessionAddressOf = ({ profileId }: { readonly profileId: string }) =>
  JSON.stringify(['recipient in a session', profileId])
