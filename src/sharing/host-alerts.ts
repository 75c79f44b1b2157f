import { queueMail } from '../mail/enqueue.js'
import type { HostEvent } from '../policy/host-notices.js'
import type { Clock } from '../runtime/clock.js'
import type { KeyRing } from '../runtime/key-ring.js'
import { asWriter } from '../runtime/sending.js'
import type { Database, Transaction } from '../storage/database.js'
import { countSince, type DigestCounts, takeDueDigests } from '../storage/queries/link-digests.js'
import { listTenants } from '../storage/queries/list-tenants.js'
import { loadOpenableLink } from '../storage/queries/share-links.js'
import { openNotices } from './share-link.js'
import { REPEATED_MS, type Telling, tell } from './tell-host.js'

const SWEEP_MS = 60_000
/** How many links wait to be told of at most; beyond that, somebody only hammers at them. */
const MOST_WAITING = 1_000

/** What is sent, and whether mail can be. */
interface Sender {
  readonly mails: boolean
  noteWork(tenant: string): void
}

/**
 * Tells hosts, after the answer, of what happened at their links where the answer must not show it by its time: whoever
 * finds a link full learns nothing else than whoever has a wrong token (ST-3). It also mails the digests that are due.
 */
export class HostAlerts {
  readonly #db: Database
  readonly #keys: Pick<KeyRing, 'secrets'>
  readonly #clock: Clock
  readonly #sender: Sender
  readonly #timer: NodeJS.Timeout | undefined
  readonly #waiting = new Map<string, { tenant: string; linkId: string; event: HostEvent }>()
  /** When each of these was noted last, so that whoever repeats it costs nothing. */
  readonly #noted = new Map<string, number>()
  #working: Promise<void> = Promise.resolve()
  #closed = false

  constructor(
    db: Database,
    keys: Pick<KeyRing, 'secrets'>,
    clock: Clock,
    sender: Sender,
    { sweeps }: { readonly sweeps: boolean },
  ) {
    this.#db = db
    this.#keys = keys
    this.#clock = clock
    this.#sender = sender
    if (sweeps) this.#timer = setInterval(() => void this.sweep(), SWEEP_MS).unref()
  }

  /** Tells the host of a link of something, soon. */
  note(tenant: string, linkId: string, event: 'refused' | 'full'): void {
    if (this.#closed || this.#waiting.size >= MOST_WAITING) return
    const key = JSON.stringify([tenant, linkId, event])
    if (this.#waiting.has(key)) return
    const now = this.#clock.now().getTime()
    if (now - (this.#noted.get(key) ?? Number.NEGATIVE_INFINITY) < REPEATED_MS) return
    if (this.#noted.size >= MOST_WAITING) this.#noted.clear()
    this.#noted.set(key, now)
    this.#waiting.set(key, { tenant, linkId, event })
    // What cannot be told now is told when it happens again.
    this.#working = this.#working.then(() => this.#tell(key)).catch(() => void this.#noted.delete(key))
  }

  async #tell(key: string): Promise<void> {
    const noted = this.#waiting.get(key)
    this.#waiting.delete(key)
    if (noted === undefined) return
    const { tenant, linkId, event } = noted
    const sends = await this.#db.transaction(asWriter(tenant), async tx => {
      const link = await loadOpenableLink(tx, tenant, linkId)
      return link !== undefined && (await tell(this.#within(tx, tenant), link, { event }, this.#sender.mails))
    })
    if (sends) this.#sender.noteWork(tenant)
  }

  #within(tx: Transaction, tenant: string): Telling {
    return {
      tx,
      tenant,
      now: this.#clock.now(),
      parts: { clock: this.#clock, secrets: this.#keys.secrets },
    }
  }

  /** Mails every digest that is due; returns how many. */
  async sweep(): Promise<number> {
    const tenants = await listTenants(this.#db).catch(() => [])
    let mailed = 0
    for (const { tenant } of tenants) {
      if (this.#closed) break
      // What cannot be sent now is sent next time.
      const sent = await this.#mailDigests(tenant).catch(() => 0)
      if (sent > 0) this.#sender.noteWork(tenant)
      mailed += sent
    }
    return mailed
  }

  #mailDigests(tenant: string): Promise<number> {
    return this.#db.transaction(asWriter(tenant), async tx => {
      const telling = this.#within(tx, tenant)
      let mailed = 0
      for (const { linkId, since } of await takeDueDigests(tx, tenant, telling.now)) {
        const link = await loadOpenableLink(tx, tenant, linkId)
        if (link === undefined) continue
        const { email, events } = openNotices(telling.parts, link)
        if (email === null || !this.#sender.mails) continue
        await queueMail(telling, {
          to: email,
          subject: `What happened with “${link.name.replace(/[\p{Cc}\u2028\u2029]/gu, ' ')}”`.slice(0, 200),
          text: digestOf(link.name, since, events, await countSince(tx, tenant, linkId, since)),
          about: { owner: link.owner, link: linkId, purpose: 'notice' },
        })
        mailed++
      }
      return mailed
    })
  }

  async close(): Promise<void> {
    this.#closed = true
    clearInterval(this.#timer)
    await this.#working
  }
}

const LINES: Readonly<Record<HostEvent, (count: number) => string>> = {
  opened: count => `Sessions opened: ${count}`,
  downloaded: count => `Documents downloaded: ${count}`,
  uploaded: count => `Files sent to you: ${count}`,
  refused: count => `Attempts that were refused: ${count}`,
  locked: count => `Times it was locked: ${count}`,
  full: count => `Times it was full: ${count}`,
}

function digestOf(name: string, since: Date, events: readonly HostEvent[], counts: DigestCounts): string {
  const lines = events.filter(event => counts[event] > 0).map(event => LINES[event](counts[event]))
  const from = since.toISOString().slice(0, 16).replace('T', ' ')
  return `“${name}”, since ${from} UTC:\n\n${lines.join('\n')}\n\nThe log of the link tells who did what and when.\n`
}
