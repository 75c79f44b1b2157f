import { asData, dataJson } from '../../data-markers.js'
import type { Tokenizer } from '../../tokenizer.js'
import type { DescribedResult } from './results.js'

/** The source of a citation number in a bundle: exactly the span of a document that was quoted under it. */
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

/**
 * Kinds of items that are no place in a document (002 §19.1 and others). They are listed apart from the sources
 * (SR-16).
 */
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

/**
 * The text for a model: the best passages and items that fit whole into the budget. Surrounding context is dropped
 * first.
 */
export function writeCitedText(
  question: string,
  described: readonly DescribedResult[],
  budget: number,
  notice: string | null,
  tokenizer: Tokenizer,
): CitedText {
  const count = (text: string) => tokenizer.count(text)
  const rest = notice === null ? {} : { notice }
  // If the question leaves no room, it is left out: whoever asked it knows it.
  const asked = [{ question }, {}].find(one => count(asData({ ...one, sources: [], ...rest })) <= budget)
  const told = { sources: [] as object[], items: [] as object[] }
  const citations: BundleCitation[] = []
  const items: CitedItem[] = []
  let leftOut = 0
  const render = ({ sources, items }: typeof told) =>
    asData({ ...asked, sources, ...(items.length === 0 ? {} : { items }), ...rest })
  // Tokens are counted piece by piece, because counting the whole text each time would be quadratic. The empty list
  // of items is included.
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
  // In rare cases, pieces need more tokens together than apart, so the whole text is checked.
  while (count(text) > budget && told.sources.length + told.items.length > 0) {
    const last = told.items.length > 0 ? [told.items, items] : [told.sources, citations]
    for (const list of last) list.pop()
    leftOut++
    text = render(told)
  }
  return { text, citations, items, leftOut }
}

/** Tokens for the comma between two pieces, and for a bracket beside it. */
const BETWEEN = 2

/**
 * The spans of a result that can be cited. A card describes a file and is no place in it, so if the card was found
 * first, the best of the file's passages takes its place.
 */
export const citableSpans = ({ result }: DescribedResult): readonly SourceSpan[] =>
  result.sourceSpans.length > 0 || result.derived !== null
    ? result.sourceSpans
    : (result.more.find(({ sourceSpans }) => sourceSpans.length > 0)?.sourceSpans ?? [])

type SourceSpan = DescribedResult['result']['sourceSpans'][number]

/** A quoted span of a document. */
type QuotedSpan = SourceSpan

/** A span together with its surrounding context. */
function widened({ context, ...span }: SourceSpan): QuotedSpan {
  if (context === undefined) return span
  const { before, after, page = span.page, lastPage } = context
  const { lastPage: _, ...own } = span
  return {
    ...own,
    start: span.start - before.length,
    end: span.end + after.length,
    text: `${before}${span.text}${after}`,
    ...(page === undefined ? {} : { page }),
    ...(lastPage === undefined || lastPage === page ? {} : { lastPage }),
  }
}

/** Whether a span was already quoted. Names of documents are unique per owner only. */
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

/** Marks a document that was read only in part, or has a newer version that is not read yet (SR-14). */
const framed = ({ framing }: DescribedResult['result']) =>
  framing === null || framing === 'current' ? {} : { framing }

/**
 * A result that is no place in a document: a card, a note, the beginning of a document that is only partly visible.
 */
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
