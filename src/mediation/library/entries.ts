import { createHash } from 'node:crypto'
import type { Transaction } from '../../storage/database.js'
import {
  type ContributionKey,
  type LibraryContributionRow,
  listStanding,
} from '../../storage/queries/library-contributions.js'
import type { NeedCategory } from '../needs.js'
import { CURATED } from './curated.js'

interface Words {
  readonly id: string
  readonly title: string
  readonly text: string
  readonly needs: readonly string[]
  readonly durationDays: number
}

/**
 * An experiment in the library. The class is not exported, so entries only come from `CURATED_ENTRIES` and
 * `standingEntries`: no record can become one, and the index of the library accepts nothing else (RC-14).
 */
class Entry {
  readonly id: string
  readonly title: string
  readonly text: string
  readonly needs: readonly string[]
  readonly durationDays: number
  readonly source: 'curated' | 'contributed'
  /** Identifies the text of the entry. */
  readonly hash: string
  /** The tenant that the entry was contributed to; null for entries that ship with the product. */
  readonly #tenant: string | null

  constructor(tenant: string | null, { id, title, text, needs, durationDays }: Words) {
    this.#tenant = tenant
    this.id = id
    this.title = title
    this.text = text
    this.needs = needs
    this.durationDays = durationDays
    this.source = tenant === null ? 'curated' : 'contributed'
    this.hash = createHash('sha256').update(entryText({ title, text })).digest('base64')
  }

  /** Throws for an object that only looks like an entry, because it lacks the private field. */
  static tenantOf(entry: Entry): string | null {
    return entry.#tenant
  }
}

export type TrustedEntry = Entry

export const tenantOf = Entry.tenantOf

/** The text of an entry that is embedded. */
export const entryText = ({ title, text }: Pick<TrustedEntry, 'title' | 'text'>): string =>
  `${title}\n${text}`

export const CURATED_ENTRIES: readonly TrustedEntry[] = CURATED.map(experiment => new Entry(null, experiment))

/** A contributed entry and its position in the list. */
export interface StandingEntry {
  readonly entry: TrustedEntry
  readonly key: ContributionKey
}

/** The entries of a tenant that were contributed and not withdrawn, newest first. */
export async function standingEntries(
  tx: Transaction,
  tenant: string,
  need: NeedCategory | null,
  before: ContributionKey | null,
  limit: number,
): Promise<StandingEntry[]> {
  const rows: LibraryContributionRow[] = await listStanding(tx, tenant, need, before, limit)
  return rows.map(row => ({ entry: new Entry(tenant, { ...row, id: row.entryId }), key: row }))
}
