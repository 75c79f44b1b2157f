import { asData, dataJson } from '../../data-markers.js'
import type { Tokenizer } from '../../tokenizer.js'
import type { DescribedResult } from './results.js'

/** What a number in a bundle stands for: exactly the stretch of a document that was told under it. */
export interface BundleCitation {
  readonly ref: number
  readonly from: DescribedResult
  readonly document: string
  readonly version: string | undefined
  readonly start: number
  readonly end: number
  readonly page: number | undefined
  readonly lastPage: number | undefined
}

/** 002 §19.1, and what else is no place in a document: told beside the sources, and never as one of them (SR-16). */
export const ITEM_KINDS = ['document_metadata', 'document_preview', 'synthesis_summary_no_spans'] as const
export type ItemKind = (typeof ITEM_KINDS)[number]

export interface CitedItem {
  readonly from: DescribedResult
  readonly itemKind: ItemKind
}

export interface CitedText {
  readonly text: string
  readonly citations: readonly BundleCitation[]
  readonly items: readonly CitedItem[]
  readonly leftOut: number
}

/** What a model is told: passages and what cannot be cited, best first, as many as fit whole; context goes first. */
export function writeCitedText(
  question: string,
  described: readonly DescribedResult[],
  budget: number,
  notice: string | null,
  tokenizer: Tokenizer,
): CitedText {
  const count = (text: string) => tokenizer.count(text)
  const rest = notice === null ? {} : { notice }
  // A question that leaves no room is known to whoever asked it.
  const asked = [{ question }, {}].find(one => count(asData({ ...one, sources: [], ...rest })) <= budget)
  const told = { sources: [] as object[], items: [] as object[] }
  const citations: BundleCitation[] = []
  const items: CitedItem[] = []
  let leftOut = 0
  const render = ({ sources, items }: typeof told) =>
    asData({ ...asked, sources, ...(items.length === 0 ? {} : { items }), ...rest })
  // Piece by piece, as to count the whole for each would take the square of it. The empty list of items is in.
  let left = asked === undefined ? 0 : budget - count(asData({ ...asked, sources: [], items: [], ...rest }))
  const take = (piece: object): boolean => {
    const tokens = count(dataJson(piece)) + BETWEEN
    if (tokens > left) return false
    left -= tokens
    return true
  }
  const tellSpan = (from: DescribedResult, span: SourceSpan) => {
    const ref = citations.length + 1
    const stretches: readonly QuotedSpan[] = [widened(span), span]
    const found = stretches.find(one => take(sourceOf(ref, from, one)))
    if (found === undefined) {
      leftOut++
      return
    }
    told.sources.push(sourceOf(ref, from, found))
    const { document, version, start, end, page, lastPage } = found
    citations.push({ ref, from, document, version, start, end, page, lastPage })
  }
  for (const from of described) {
    for (const span of citableSpans(from))
      if (!citations.some(other => isWithin(from, span, other))) tellSpan(from, span)
    const item = itemOf(from)
    if (item === null) continue
    if (take(item)) {
      told.items.push(item)
      items.push({ from, itemKind: item.itemKind })
    } else leftOut++
  }
  if (asked === undefined) return { text: '', citations, items, leftOut }
  let text = render(told)
  // Pieces may come to more together than apart, if hardly ever: the whole text has to fit.
  while (count(text) > budget && told.sources.length + told.items.length > 0) {
    const last = told.items.length > 0 ? [told.items, items] : [told.sources, citations]
    for (const list of last) list.pop()
    leftOut++
    text = render(told)
  }
  return { text, citations, items, leftOut }
}

/** The comma between two pieces, and what a bracket beside it may cost. */
const BETWEEN = 2

/**
 * The places of a result that can be cited. A card says what a file is and is no place in it: where it was found first,
 * the best of the file's passages stands for it.
 */
export const citableSpans = ({ result }: DescribedResult): readonly SourceSpan[] =>
  result.sourceSpans.length > 0 || result.derived !== null
    ? result.sourceSpans
    : (result.more.find(({ sourceSpans }) => sourceSpans.length > 0)?.sourceSpans ?? [])

type SourceSpan = DescribedResult['result']['sourceSpans'][number]

/** A stretch that is told, and where it stands. */
type QuotedSpan = SourceSpan & { readonly lastPage?: number }

/** A span together with what stands around it. */
function widened({ context, ...span }: SourceSpan): QuotedSpan {
  if (context === undefined) return span
  const { before, after, page = span.page, lastPage } = context
  return {
    ...span,
    start: span.start - before.length,
    end: span.end + after.length,
    text: `${before}${span.text}${after}`,
    ...(page === undefined ? {} : { page }),
    ...(lastPage === undefined || lastPage === page ? {} : { lastPage }),
  }
}

/** A place that was told of already. Names of documents are an owner's. */
const isWithin = (from: DescribedResult, span: SourceSpan, told: BundleCitation): boolean =>
  from.owner === told.from.owner &&
  span.document === told.document &&
  (span.version ?? told.version) === (told.version ?? span.version) &&
  span.start >= told.start &&
  span.end <= told.end

const sourceOf = (ref: number, { result }: DescribedResult, { page, text }: QuotedSpan) => ({
  ref,
  title: result.document.title,
  page: page ?? null,
  text,
  ...(result.derived === null ? {} : { derived: true }),
  ...framed(result),
})

/** What is told of a document whose newer version is not read yet, or that was read in part, says so (SR-14). */
const framed = ({ framing }: DescribedResult['result']) =>
  framing === null || framing === 'current' ? {} : { framing }

/** What was found and is no place in a document: a card, a note, the beginning of what is seen in part. */
function itemOf(described: DescribedResult) {
  const { result, views } = described
  const text = views[0]?.payload?.text ?? ''
  if (citableSpans(described).length > 0 || text === '') return null
  const { title, face, fields } = result.document
  if (result.derived !== null)
    return { itemKind: 'synthesis_summary_no_spans' as const, framing: 'summary without spans', title, text }
  return face === 'full'
    ? { itemKind: 'document_metadata' as const, title, text, fields, ...framed(result) }
    : { itemKind: 'document_preview' as const, title, text }
}
