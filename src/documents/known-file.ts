import { PrivityError } from '../errors.js'
import type { ReadRequest, WriteRequest } from '../runtime/request.js'
import type { RecordRow } from '../storage/queries/fetch-records.js'
import { lockRecords } from '../storage/queries/lock.js'
import { setRole } from '../storage/queries/set-role.js'
import { findCards, findSources, lockDocument, type SourceRow } from '../storage/queries/sources.js'

/**
 * A file as one caller knows it. What the caller does not see in full does not exist for it: whoever brings a file of a name
 * that is hidden from it makes a document of its own, and learns nothing (NI-5). Whoever sees both replaces both.
 */
export interface KnownFile {
  readonly owner: string
  readonly document: string
  /** What stands now: one card, as a rule. */
  readonly cards: readonly RecordRow[]
  /** Versions, newest first: those of the cards, and those that were not read. */
  readonly sources: readonly SourceRow[]
}

/** Looks for a file that the caller may change. Nobody else makes a version of it until the request ends. */
export async function lockFile(request: WriteRequest, owner: string, document: string): Promise<KnownFile> {
  request.requireOwner(owner)
  const { tx, tenant } = request
  await lockDocument(tx, tenant, owner, document)
  const found = (await readAsCaller(request, () => findCards(tx, tenant, owner, document))).map(
    ({ id }) => id,
  )
  await lockRecords(tx, tenant, found, 'exclusive')
  // Again, as one may have been replaced or raised meanwhile.
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
    // What waits to replace a card is there for whoever sees that card, or where that card is gone.
    sources: sources.filter(({ recordId, follows }) =>
      recordId === null
        ? follows === null || seen.has(follows) || !found.includes(follows)
        : seen.has(recordId),
    ),
  }
}

/** Reads under row-level security inside of a write. */
export async function readAsCaller<T>(request: ReadRequest, read: () => Promise<T>): Promise<T> {
  await setRole(request.tx, 'privity_app')
  const answer = await read()
  await setRole(request.tx, request.role)
  return answer
}

/** A document lies in one corpus: what is shared of a corpus must not move out of sight by a new version. */
export function requireCorpus({ cards, sources }: KnownFile, corpus: string): void {
  const corpora = [...cards.map(({ tuple }) => tuple.corpus), ...sources.map(source => source.corpus)]
  if (corpora.some(known => known !== corpus))
    throw new PrivityError('conflict', 'a document of this name lies in another corpus')
}
