import type { z } from 'zod'
import { NONE, shownLevel } from '../../../policy/faces.js'
import { sentenceStarts, wordEnd, wordStart } from '../../../search/sentences.js'
import type { RecordRow } from '../../../storage/queries/fetch-records.js'
import {
  type DocumentRange,
  fetchSpanSources,
  isInRange,
  type SpanSource,
} from '../../../storage/queries/span-sources.js'
import { span } from '../../draft.js'
import { pageAt } from '../../page-at.js'
import { type ReadRequest, timesOf } from '../../request.js'

export type Span = z.output<typeof span>

/** A span of a source, with its text as this caller sees it. */
export interface ResolvedSpan {
  readonly span: Span
  readonly text: string
  /** The records that the text comes from; showing the text shows them. */
  readonly from: readonly SpanSource[]
}

/** The stored spans of a record; invalid ones are ignored. */
export function spansOf({ spans }: Pick<RecordRow, 'spans'>): Span[] {
  return spans.flatMap(stored => {
    const read = span.safeParse(stored)
    return read.success ? [read.data] : []
  })
}

/** Reads the sources of spans and resolves them. The same statement runs whatever is found (NI-5). */
export async function loadSpans(
  request: ReadRequest,
  records: readonly WithSpans[],
): Promise<ResolvedSpan[][]> {
  return resolveSpans(request, await fetchSpanSources(request.tx, request.tenant, rangesIn(records)), records)
}

const rangesIn = (records: readonly WithSpans[]) =>
  records.flatMap(({ owner, spans }) =>
    spans.map(({ document, start, end }): DocumentRange => ({ owner, document, start, end })),
  )

/** An owner's record, as far as its spans go. */
interface WithSpans {
  readonly owner: string
  readonly spans: readonly Span[]
}

/**
 * Resolves the spans of records from sources that were read with them. A span is returned only if this caller sees
 * every character of it; a span into something hidden does not exist (NI-6, SR-9).
 */
export async function resolveSpans(
  request: ReadRequest,
  read: readonly SpanSource[],
  records: readonly WithSpans[],
): Promise<ResolvedSpan[][]> {
  const seen = await seenWithin(request, read, rangesIn(records))
  return records.map(({ owner, spans }) =>
    spans.flatMap(one => {
      const holding = seen.filter(source => holds(source, owner, one))
      // Two documents may have the same name if whoever added the second did not see the first.
      if (new Set(holding.map(documentOf)).size > 1) return []
      const text = textAt(one, holding)
      return text === null ? [] : [{ span: one, text, from: holding.filter(source => overlaps(source, one)) }]
    }),
  )
}

/** Those of some sources that hold a part of some ranges and that this caller sees in full. */
async function seenWithin(
  request: ReadRequest,
  read: readonly SpanSource[],
  ranges: readonly DocumentRange[],
): Promise<SpanSource[]> {
  const sources = read.filter(source => ranges.some(range => isInRange(source, range)))
  const faces = await request.faces(sources.map(row => ({ tuple: row.tuple, times: timesOf(row) })))
  return sources.filter((_, at) => shownLevel(faces[at] ?? NONE) === 'full')
}

/** Identifies a document by what its chunks have in common: author and time of creation. */
export const documentOf = ({ id, tuple, author, createdAt }: WrittenIn): string =>
  tuple.kind === 'segment' ? JSON.stringify([author, createdAt.getTime()]) : id
type WrittenIn = Pick<RecordRow, 'id' | 'tuple' | 'author' | 'createdAt'>

const overlaps = ({ start, text }: SpanSource, span: Span): boolean =>
  start < span.end && start + text.length > span.start

const holds = (source: SpanSource, owner: string, { document, version }: Span): boolean =>
  source.tuple.owner === owner &&
  (source.document === document || source.id === document) &&
  (version === undefined || source.version === version)

/** The text around a span in the same part, as far as it is visible without a gap. */
export interface SpanContext {
  readonly before: string
  readonly after: string
  /** The pages on which the context begins and on which its last chunk begins, if known. */
  readonly page?: number
  readonly lastPage?: number
}

/** Up to this many characters before and after each span, from those of some sources that this caller sees. */
export async function findSpanContexts(
  request: ReadRequest,
  read: readonly SpanSource[],
  spans: readonly { readonly owner: string; readonly span: Span; readonly document: string }[],
  characters: number,
): Promise<SpanContext[]> {
  const seen = await seenWithin(
    request,
    read,
    spans.map(({ owner, span: { document, start, end } }) => ({
      owner,
      document,
      start: Math.max(0, start - characters),
      end: end + characters,
    })),
  )
  return spans.map(({ owner, document, span: { start, end, ...span } }) => {
    const near = seen.filter(
      source => documentOf(source) === document && holds(source, owner, { start, end, ...span }),
    )
    const partAt = (place: number) => near.filter(source => source.part === holding(near, place)?.part)
    const reaches = (from: number, to: number, within: readonly SpanSource[]) =>
      textAt({ ...span, start: from, end: to }, within)
    const [opening, closing] = [partAt(start), partAt(end - 1)]
    const own = reaches(start, end, near) ?? ''
    const { before, after } = wholeSentences(
      widest(characters, by => reaches(start - by, start, opening)),
      own,
      widest(characters, by => reaches(end, end + by, closing)),
      characters,
    )
    const told = { ...span, start: start - before.length, end: end + after.length }
    for (const source of near) if (overlaps(source, told)) request.showRow(source, 'full')
    const page = pageOf(near, told.start)
    const lastPage = pageOf(near, told.end - 1)
    return {
      before,
      after,
      ...(page === null ? {} : { page }),
      ...(lastPage === null ? {} : { lastPage }),
    }
  })
}

/**
 * Cuts what stands around a span to whole sentences, or to whole words where there is no sentence. What is shorter than
 * was asked for begins or ends with its part, and is whole.
 */
function wholeSentences(
  before: string,
  own: string,
  after: string,
  asked: number,
): { readonly before: string; readonly after: string } {
  const text = `${before}${own}${after}`
  const starts = sentenceStarts(text)
  const [opens, closes] = [before.length, before.length + own.length]
  const first = starts.find(at => at > 0 && at <= opens) ?? Math.min(opens, wordStart(text, 1))
  const last =
    starts.findLast(at => at < text.length && at >= closes) ??
    Math.max(closes, wordEnd(text, text.length - 1))
  return {
    before: text.slice(before.length < asked ? 0 : first, opens),
    after: text.slice(closes, after.length < asked ? text.length : last).trimEnd(),
  }
}

const pageOf = (sources: readonly SpanSource[], place: number): number | null =>
  pageAt(holding(sources, place)?.spans ?? [], place)

const holding = (sources: readonly SpanSource[], place: number): SpanSource | undefined =>
  sources.find(({ start, text }) => start <= place && place < start + text.length)

/** Finds the longest stretch by binary search: if a length is visible without a gap, so is every shorter one. */
function widest(most: number, reaches: (by: number) => string | null): string {
  let [least, beyond] = [0, most + 1]
  let text = ''
  while (beyond - least > 1) {
    const by = (least + beyond) >>> 1
    const found = reaches(by)
    if (found === null) beyond = by
    else {
      least = by
      text = found
    }
  }
  return text
}

/** The text of a span, joined from visible chunks; null if part of it is not visible. */
function textAt({ start, end }: Span, sources: readonly SpanSource[]): string | null {
  if (start < 0) return null
  let at = start
  let text = ''
  for (const source of [...sources].sort((a, b) => a.start - b.start)) {
    const beyond = source.start + source.text.length
    if (source.start > at || beyond <= at) continue
    const upTo = Math.min(end, beyond)
    text += source.text.slice(at - source.start, upTo - source.start)
    at = upTo
    if (at >= end) break
  }
  return at >= end && end > start ? text : null
}
