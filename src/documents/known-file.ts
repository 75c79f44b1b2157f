import { PrivityError } from '../errors.js'
import type { ReadRequest, WriteRequest } from '../runtime/request.js'
import type { RecordRow } from '../storage/queries/fetch-records.js'
import { lockRecords } from '../storage/queries/lock.js'
import { setRole } from '../storage/queries/set-role.js'
import { findCards, findSources, lockDocument, type SourceRow } from '../storage/queries/sources.js'

/**
 * A file as one caller knows it. What the caller does not see in full does not exist for it: ingesting a file whose
 * name is hidden from the caller creates a separate document and reveals nothing (NI-5). Whoever sees both replaces
 * both.
 */
export interface KnownFile {
  readonly owner: string
  readonly document: string
  /** The current cards, as a rule one. */
  readonly cards: readonly RecordRow[]
  /** Versions, newest first: those that the cards were made from, and those that have not been read. */
  readonly sources: readonly SourceRow[]
}

/** Finds a file that the caller may change, and locks it: nobody else can add a version until the request ends. */
export async function lockFile(request: WriteRequest, owner: string, document: string): Promise<KnownFile> {
  request.requireOwner(owner)
  const { tx, tenant } = request
  await lockDocument(tx, tenant, owner, document)
  const found = (await readAsCaller(request, () => findCards(tx, tenant, owner, document))).map(
    ({ id }) => id,
  )
  await lockRecords(tx, tenant, found, 'exclusive')
  // Decide again, because a card may have been replaced or relabelled before we got the lock.
  const decided = await request.fetchVisible(found)
  const cards = found.flatMap(id => {
    const card = decided.get(id)
    return card?.level === 'full' ? [card.row] : []
  })
  const seen = new Set(cards.map(({ id }) => id))
  const sources = await readAsCaller(request, () => findSources(tx, tenant, owner, document))
  return {
    owner,
    document,
    cards,
    // A version that waits to replace a card is visible to whoever sees that card, or if that card is gone.
    sources: sources.filter(({ recordId, follows }) =>
      recordId === null
        ? follows === null || seen.has(follows) || !found.includes(follows)
        : seen.has(recordId),
    ),
  }
}

/** Reads under row-level security inside a write transaction. */
export async function readAsCaller<T>(request: ReadRequest, read: () => Promise<T>): Promise<T> {
  await setRole(request.tx, 'privity_app')
  const answer = await read()
  await setRole(request.tx, request.role)
  return answer
}

/** A document stays in one corpus, so that a new version cannot remove what views of that corpus share. */
export function requireCorpus({ cards, sources }: KnownFile, corpus: string): void {
  const corpora = [...cards.map(({ tuple }) => tuple.corpus), ...sources.map(source => source.corpus)]
  if (corpora.some(known => known !== corpus))
    throw new PrivityError(
      'conflict',
      'a document with this name exists in another corpus; choose another name or that corpus',
    )
}
