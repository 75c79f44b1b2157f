import type { Embeddings } from '../../runtime/embedding/embeddings.js'
import type { ReadRequest } from '../../runtime/request.js'
import { CURATED_ENTRIES, standingEntries } from './entries.js'
import { LibraryIndex } from './library-index.js'

/** An experiment close to what was said. It does not tell who contributed it. */
export interface ExperimentSuggestion {
  readonly id: string
  readonly title: string
  readonly text: string
  readonly needs: readonly string[]
  readonly durationDays: number
  readonly source: 'curated' | 'contributed'
  /** Cosine distance. */
  readonly distance: number
}

/** How many of the newest contributions are compared. */
const MOST_CONTRIBUTIONS = 2_000

/** At a cosine distance of 1 or more, an entry is unrelated to the message or contrary to it. */
const MAX_DISTANCE = 1

/** One index per set of embedding providers. */
const indexes = new WeakMap<Embeddings, LibraryIndex>()

function indexOf({ parts: { embeddings, clock } }: ReadRequest): LibraryIndex {
  const index = indexes.get(embeddings) ?? new LibraryIndex(embeddings.providers, clock)
  indexes.set(embeddings, index)
  return index
}

/**
 * The library entries nearest to a message (RC-7); none without an embedding provider. If entries must be embedded
 * first, that happens outside of the request's snapshot, which then starts again.
 */
export async function suggestExperiments(
  request: ReadRequest,
  message: string,
  limit: number,
): Promise<ExperimentSuggestion[]> {
  const { tx, tenant, parts } = request
  if (parts.embeddings.providers.length === 0) return []
  const meaning = parts.meanings.of({ text: message, nearWordsOf: [] })
  const standing = await standingEntries(tx, tenant, null, null, MOST_CONTRIBUTIONS)
  const contributed = standing.map(({ entry }) => entry)
  const index = indexOf(request)
  index.keepOnly(tenant, contributed)
  const suggested = index.suggest(meaning, [...CURATED_ENTRIES, ...contributed], limit, MAX_DISTANCE)
  return suggested.map(({ entry: { id, title, text, needs, durationDays, source }, distance }) => ({
    id,
    title,
    text,
    needs,
    durationDays,
    source,
    distance,
  }))
}

/** Drops the vectors of a tenant after a withdrawal. The remaining entries are embedded again when needed. */
export function forgetVectors(request: ReadRequest): void {
  indexes.get(request.parts.embeddings)?.keepOnly(request.tenant, [])
}
