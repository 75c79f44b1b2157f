import type { Embeddings } from '../../runtime/embedding/embeddings.js'
import type { ReadRequest } from '../../runtime/request.js'
import { CURATED_ENTRIES, standingEntries } from './entries.js'
import { LibraryIndex } from './library-index.js'

/** Something to try that is near to what was said. Who gave it is not told. */
export interface ExperimentSuggestion {
  readonly id: string
  readonly title: string
  readonly text: string
  readonly needs: readonly string[]
  readonly durationDays: number
  readonly source: 'curated' | 'contributed'
  /** A cosine distance. */
  readonly distance: number
}

/** Of what people gave, so many of the newest are compared. */
const MOST_CONTRIBUTIONS = 2_000

/** What has nothing to do with what was said, or points the other way, is no suggestion. */
const MAX_DISTANCE = 1

/** One index for the providers of a store. */
const indexes = new WeakMap<Embeddings, LibraryIndex>()

function indexOf({ parts: { embeddings, clock } }: ReadRequest): LibraryIndex {
  const index = indexes.get(embeddings) ?? new LibraryIndex(embeddings.providers, clock)
  indexes.set(embeddings, index)
  return index
}

/**
 * The entries of the library that are nearest to a message (RC-7); none without an embedding provider. What has to be
 * embedded first is waited for outside of the request's snapshot, which then begins again.
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

/** Lets go of the vectors of a tenant: something of it is withdrawn. What stands is embedded again when it is asked for. */
export function forgetVectors(request: ReadRequest): void {
  indexes.get(request.parts.embeddings)?.keepOnly(request.tenant, [])
}
