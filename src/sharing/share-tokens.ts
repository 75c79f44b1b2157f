import { PrivityError } from '../errors.js'
import { readKey, TOKEN_PREFIX } from '../runtime/api-key.js'
import type { Credential } from '../runtime/caller.js'
import type { Clock } from '../runtime/clock.js'
import type { RequestOptions } from '../runtime/runtime.js'
import type { Database } from '../storage/database.js'
import { linkOwner } from '../storage/queries/running-profile.js'
import { findOpenableLink } from './find-openable-link.js'
import type { HostAlerts } from './host-alerts.js'

/** Authenticates people who have only the token of a link. */
export class ShareTokens {
  readonly #db: Database
  readonly #clock: Clock
  readonly #alerts: Pick<HostAlerts, 'note'>

  constructor(db: Database, clock: Clock, alerts: Pick<HostAlerts, 'note'>) {
    this.#db = db
    this.#clock = clock
    this.#alerts = alerts
  }

  /**
   * The credential for a token: the link itself, without any trust. Malformed, unknown, wrong and ended tokens get
   * the same answer, found in the same way, and a guessed tenant is never created (NI-5, ST-3).
   */
  async authenticate(
    input: { readonly token?: unknown },
    { requestId = this.#clock.newId('request') }: Pick<RequestOptions, 'requestId'> = {},
  ): Promise<Credential> {
    const presented = typeof input?.token === 'string' ? readKey(input.token, TOKEN_PREFIX) : null
    if (presented === null) throw absent(requestId)
    const { tenant, keyId } = presented
    const { link, full } = await this.#db.transaction(
      { access: 'read', role: 'privity_writer', settings: { 'privity.tenant': tenant } },
      tx => findOpenableLink(tx, presented, this.#clock.now()),
    )
    if (full !== undefined) this.#alerts.note(tenant, keyId, 'full')
    if (link === undefined) throw absent(requestId)
    return {
      tenant,
      actor: linkOwner(keyId),
      audience: 'recipient',
      trust: { maxSensitivity: 'public', scopes: ['share_link'] },
    }
  }
}

/** The same error as a request gets that came further, including the request id. */
const absent = (requestId: string) => Object.assign(new PrivityError('not_found', 'not found'), { requestId })
