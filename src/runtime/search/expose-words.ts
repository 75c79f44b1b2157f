import type { CompartmentTable } from '../../policy/compartments.js'
import { type Label, metadataLabel } from '../../policy/labels.js'
import { isAgentAudience } from '../../policy/subject.js'
import { METADATA_LEVEL } from '../../search/mask.js'
import { documentsWith } from '../../search/suggest.js'
import type { VisibleSegment } from '../index/visible-set.js'
import type { ReadRequest } from '../request.js'
import type { SuggestedQuery } from './execute.js'

/**
 * Records that an answer tells these words, which come from the visible records that have them: an agent is exposed to
 * the labels of all of those (WR-2).
 */
export function exposeWords(
  request: ReadRequest,
  visible: readonly VisibleSegment[],
  words: Iterable<string>,
): void {
  if (!isAgentAudience(request.caller.audience)) return
  const told = [...words]
  if (told.length === 0) return
  for (const part of visible) exposeDocuments(request, part, documentsWithAny(part, told))
}

function* documentsWithAny(part: VisibleSegment, words: readonly string[]): Iterable<number> {
  for (const word of words) yield* documentsWith(part, word)
}

/** The same for the words that a search tells beside its results: a suggested spelling, and what it was expanded by. */
export function exposeHints(
  request: ReadRequest,
  visible: readonly VisibleSegment[],
  hints: {
    readonly suggestion: SuggestedQuery | null
    readonly expansions: readonly { readonly appliedTerms: readonly string[] }[]
  },
): void {
  exposeWords(request, visible, [
    ...(hints.suggestion?.terms.map(({ to }) => to) ?? []),
    ...hints.expansions.flatMap(({ appliedTerms }) => appliedTerms),
  ])
}

/** The same for words, tags and names of these documents of a segment. */
export function exposeDocuments(
  request: ReadRequest,
  { segment, mask, table }: VisibleSegment,
  documents: Iterable<number>,
): void {
  if (!isAgentAudience(request.caller.audience)) return
  const known = new Set<number>()
  for (const document of documents) {
    const compartment = segment.data.compartments[document] as number
    const isMetadata = mask.levels[document] === METADATA_LEVEL
    const key = 2 * compartment + (isMetadata ? 1 : 0)
    if (known.has(key)) continue
    known.add(key)
    const label = labelAt(table, compartment)
    request.expose(isMetadata ? metadataLabel(label) : label)
  }
}

/** The label of a compartment, without the rest of its tuple: a frequent word stands in very many of them. */
const labelAt = (table: CompartmentTable, compartment: number): Label => ({
  sensitivity: table.value('sensitivity', compartment),
  scope: table.value('scope', compartment),
  visibilityClass: table.value('visibilityClass', compartment),
  participants: table.value('participants', compartment),
})
