import type { StoredLabel } from '../../policy/stored-label.js'
import type { Transaction } from '../database.js'

/** A search that a caller saved, and what it found when it was last run. */
export interface SavedSearchRow {
  readonly savedSearchId: string
  readonly name: string
  /** The question, sealed. */
  readonly question: string
  /** The label of everything that the saver could be shown; null counts as the strictest (NI-10). */
  readonly label: StoredLabel | null
  /** Digests of face versions by record: from the last run, and from the one before. */
  readonly seen: Readonly<Record<string, string>>
  readonly seenBefore: Readonly<Record<string, string>>
  readonly createdAt: Date
  readonly checkedAt: Date | null
  /** The digest of the clearance that it was saved with. */
  readonly credential: string
}

/** The owner of saved searches: the actor who saved them, and nobody else who works for the same person. */
export interface Saver {
  readonly actorId: string
  readonly forId: string
}

/** Returns false if one of that name was saved with the same credential; what others saved tells it nothing. */
export async function insertSavedSearch(
  tx: Transaction,
  tenant: string,
  { actorId, forId, credential }: Saver & { readonly credential: string },
  saved: Pick<SavedSearchRow, 'savedSearchId' | 'name' | 'question' | 'label' | 'createdAt'>,
): Promise<boolean> {
  const rows = await tx.query(INSERT_SAVED, [
    tenant,
    saved.savedSearchId,
    actorId,
    forId,
    saved.name,
    saved.question,
    saved.createdAt,
    saved.label === null ? null : JSON.stringify(saved.label),
    credential,
  ])
  return rows.length > 0
}

const INSERT_SAVED = `
  insert into privity.saved_searches
    (tenant_id, saved_search_id, actor_id, for_id, name, question, created_at, label, credential)
  values ($1, $2, $3, $4, $5, $6, $7, $8::jsonb, $9)
  on conflict (tenant_id, actor_id, for_id, name, credential) do nothing
  returning 1`

const COLUMNS = `
    saved_search_id as "savedSearchId",
    name,
    question,
    label,
    seen,
    seen_before as "seenBefore",
    created_at as "createdAt",
    checked_at as "checkedAt",
    credential`

export async function loadSavedSearch(
  tx: Transaction,
  tenant: string,
  { actorId, forId }: Saver,
  id: string,
  mode: 'read' | 'lock',
): Promise<SavedSearchRow | undefined> {
  const [row] = await tx.query<SavedSearchRow>(mode === 'read' ? LOAD_SAVED : LOCK_SAVED, [
    tenant,
    id,
    actorId,
    forId,
  ])
  return row
}

const LOAD_SAVED = `
  select ${COLUMNS}
  from privity.saved_searches
  where tenant_id = $1
    and saved_search_id = $2
    and actor_id = $3
    and for_id = $4`
const LOCK_SAVED = `${LOAD_SAVED}
  for update`

export function listSavedSearches(
  tx: Transaction,
  tenant: string,
  { actorId, forId }: Saver,
): Promise<SavedSearchRow[]> {
  return tx.query<SavedSearchRow>(LIST_SAVED, [tenant, actorId, forId])
}

const LIST_SAVED = `
  select ${COLUMNS}
  from privity.saved_searches
  where tenant_id = $1
    and actor_id = $2
    and for_id = $3
  order by name, created_at, saved_search_id`

export async function markSavedSearch(
  tx: Transaction,
  tenant: string,
  id: string,
  seen: Readonly<Record<string, string>>,
  now: Date,
): Promise<void> {
  await tx.query(MARK_SAVED, [tenant, id, JSON.stringify(seen), now])
}

const MARK_SAVED = `
  update privity.saved_searches
  set seen_before = seen, seen = $3::jsonb, checked_at = $4
  where tenant_id = $1
    and saved_search_id = $2`

export async function deleteSavedSearch(tx: Transaction, tenant: string, id: string): Promise<void> {
  await tx.query(DELETE_SAVED, [tenant, id])
}

const DELETE_SAVED = `
  delete from privity.saved_searches
  where tenant_id = $1
    and saved_search_id = $2`
