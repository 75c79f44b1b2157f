import { asData, dataJson } from '../../data-markers.js'
import type { Tokenizer } from '../../tokenizer.js'
import type { DescribedResult } from './results.js'

/** The source of a citation number in a bundle: exactly the span of a document that was quoted under it. */
export interface BundleCitation {
  readonly ref: number
  readonly from: DescribedResult
  /** Further results whose passages this one holds. */
  readonly also: readonly DescribedResult[]
  readonly document: string
  readonly version: string | undefined
  readonly start: number
  readonly end: number
  /** The text that the number stands for. */
  readonly text: string
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
 * The text for a model: the best passages and items that fit whole into the budget, best first. Passages of one document
 * that overlap are told as one. Surrounding context is dropped first.
 */
export function writeCitedText(
  question: string,
  described: readonly DescribedResult[],
  budget: number,
  notice: string | null,
  tokenizer: Tokenizer,
  rankOf: (record: string) => number = () => 0,
): CitedText {
  const count = (text: string) => tokenizer.count(text)
  const rest = notice === null ? {} : { notice }
  // If the question leaves no room, it is left out: whoever asked it knows it.
  const asked = [{ question }, {}].find(one => count(asData({ ...one, sources: [], ...rest })) <= budget)
  const told: ToldSource[] = []
  const items: { readonly item: object; readonly cited: CitedItem }[] = []
  let leftOut = 0
  const sourceAt = ({ from, span }: ToldSource, at: number) => sourceOf(at + 1, from, span)
  const render = () =>
    asData({
      ...asked,
      sources: told.map(sourceAt),
      ...(items.length === 0 ? {} : { items: items.map(({ item }) => item) }),
      ...rest,
    })
  // Tokens are counted piece by piece, because counting the whole text each time would be quadratic. The empty list
  // of items is included.
  let left = asked === undefined ? 0 : budget - count(asData({ ...asked, sources: [], items: [], ...rest }))
  const costOf = (piece: object) => count(dataJson(piece)) + BETWEEN
  const take = (piece: object): boolean => {
    const tokens = costOf(piece)
    if (tokens > left) return false
    left -= tokens
    return true
  }
  const tellSpan = (from: DescribedResult, span: SourceSpan) => {
    const known = told.findIndex(one => meets(from, widened(span), one))
    const other = told[known]
    if (other !== undefined) {
      // What goes on where another passage ends is told with it, or else without what stands around it.
      const joined = join(other.span, widened(span))
      const more = costOf(sourceOf(known + 1, other.from, joined)) - costOf(sourceAt(other, known))
      if (more <= left) {
        left -= more
        told[known] = { ...other, span: joined, also: [...other.also, from] }
        return
      }
      if (meets(from, span, other)) {
        leftOut++
        return
      }
    }
    const found = [widened(span), span].find(
      one => !told.some(before => meets(from, one, before)) && take(sourceOf(told.length + 1, from, one)),
    )
    if (found === undefined) leftOut++
    else told.push({ from, also: [], span: found })
  }
  const passages = described
    .flatMap(from => passagesOf(from).map(passage => ({ from, ...passage })))
    .sort((a, b) => rankOf(a.record) - rankOf(b.record))
  for (const { from, span } of passages)
    if (!told.some(before => isWithin(from, span, before))) tellSpan(from, span)
  for (const from of described) {
    const item = itemOf(from)
    if (item === null) continue
    if (take(item)) items.push({ item, cited: { from, itemKind: item.itemKind } })
    else leftOut++
  }
  let text = asked === undefined ? '' : render()
  // In rare cases, pieces need more tokens together than apart, so the whole text is checked.
  while (asked !== undefined && count(text) > budget && told.length + items.length > 0) {
    if (items.length > 0) items.pop()
    else told.pop()
    leftOut++
    text = render()
  }
  return {
    text,
    citations: asked === undefined ? [] : told.map(citationOf),
    items: asked === undefined ? [] : items.map(({ cited }) => cited),
    leftOut,
  }
}

/** A passage that is told, and every result that it stands for. */
interface ToldSource {
  readonly from: DescribedResult
  readonly also: readonly DescribedResult[]
  readonly span: SourceSpan
}

function citationOf({ from, also, span }: ToldSource, at: number): BundleCitation {
  const { document, version, start, end, text, page, lastPage } = span
  return { ref: at + 1, from, also, document, version, start, end, text, page, lastPage }
}

/** Every passage of a result that can be cited, with the record that it stands in. */
function passagesOf({ result }: DescribedResult): { readonly record: string; readonly span: SourceSpan }[] {
  return [{ document: result.document.document, sourceSpans: result.sourceSpans }, ...result.more].flatMap(
    ({ document, sourceSpans }) => sourceSpans.map(span => ({ record: document, span })),
  )
}

/** Tokens for the comma between two pieces, and for a bracket beside it. */
const BETWEEN = 2

/** Whether something of a result can be cited. A card describes a file and is no place in it. */
export const isCitable = (described: DescribedResult): boolean => passagesOf(described).length > 0

type SourceSpan = DescribedResult['result']['sourceSpans'][number]

/** A span together with its surrounding context. */
function widened({ context, ...span }: SourceSpan): SourceSpan {
  if (context === undefined) return span
  const { before, after, page = span.page, lastPage = span.lastPage } = context
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

/** Whether two stretches are of one document. Names of documents are unique per owner only. */
const isSameDocument = (from: DescribedResult, span: SourceSpan, told: ToldSource): boolean =>
  from.owner === told.from.owner &&
  span.document === told.span.document &&
  (span.version ?? told.span.version) === (told.span.version ?? span.version)

/** Whether a span was already quoted. */
const isWithin = (from: DescribedResult, span: SourceSpan, told: ToldSource): boolean =>
  isSameDocument(from, span, told) && span.start >= told.span.start && span.end <= told.span.end

/** Whether two stretches overlap or adjoin. */
const meets = (from: DescribedResult, span: SourceSpan, told: ToldSource): boolean =>
  isSameDocument(from, span, told) && span.start <= told.span.end && span.end >= told.span.start

/** One stretch of two that meet. */
function join(told: SourceSpan, span: SourceSpan): SourceSpan {
  const [first, second] = told.start <= span.start ? [told, span] : [span, told]
  const { lastPage: _, context: __, ...begins } = first
  const last = second.end > first.end ? second : first
  const lastPage = last.lastPage ?? last.page
  return {
    ...begins,
    end: last.end,
    text: first.text + second.text.slice(Math.max(0, first.end - second.start)),
    ...(lastPage === undefined || lastPage === first.page ? {} : { lastPage }),
  }
}

/** A source as the model reads it: what the document is, which case it is of, where it stands, and what it says. */
const sourceOf = (ref: number, { result }: DescribedResult, { page, lastPage, text }: SourceSpan) => ({
  ref,
  title: result.document.title,
  ...describedBy(result.document.title ?? '', result.document.fields),
  ...(page === undefined
    ? { page: null }
    : lastPage === undefined
      ? { page }
      : { pages: `${page}-${lastPage}` }),
  text,
  ...(result.derived === null ? {} : { derived: true }),
  ...framed(result),
})

/** Type, day, case and author of a document, as far as they are known and shown. */
function describedBy(title: string, fields: Readonly<Record<string, unknown>>): Record<string, string> {
  const { documentType, caseNumber, author } = fields
  const dated = ['rulingDate', 'filingDate', 'sentDate', 'effectiveDate'].map(field => fields[field])
  const date = dated.find(
    (one): one is { date: string } => typeof (one as { date?: unknown })?.date === 'string',
  )
  return {
    ...(typeof documentType === 'string' && documentType !== 'other' ? { type: documentType } : {}),
    ...(date === undefined ? {} : { date: date.date }),
    ...(typeof caseNumber === 'string' && !title.includes(caseNumber) ? { case: caseNumber } : {}),
    ...(typeof author === 'string' ? { by: author } : {}),
  }
}

/**
 * Marks a document that was read only in part, has a newer version that is not read yet (SR-14), or was amended by another
 * (SR-10).
 */
const framed = ({ framing, supersededBy }: DescribedResult['result']) => ({
  ...(framing === null || framing === 'current' ? {} : { framing }),
  ...(supersededBy.length === 0 ? {} : { supersededBy }),
})

/**
 * A result that is no place in a document: a card, a note, the beginning of a document that is only partly visible.
 */
function itemOf(described: DescribedResult) {
  const { result, views } = described
  const text = views[0]?.payload?.text ?? ''
  if (isCitable(described) || text === '') return null
  const { title, face, fields } = result.document
  if (result.derived !== null)
    return { itemKind: 'synthesis_summary_no_spans' as const, framing: 'summary without spans', title, text }
  return face === 'full'
    ? { itemKind: 'document_metadata' as const, title, text, fields, ...framed(result) }
    : { itemKind: 'document_preview' as const, title, text }
}
