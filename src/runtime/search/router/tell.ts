import { asData } from '../../data-markers.js'
import { countTokens } from '../../token-count.js'
import type { Described } from './results.js'

/** What a number in a bundle stands for: exactly the stretch of a document that was told under it. */
export interface Cited {
  readonly ref: number
  readonly from: Described
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

export interface ToldItem {
  readonly from: Described
  readonly itemKind: ItemKind
}

export interface Told {
  readonly text: string
  readonly citations: readonly Cited[]
  readonly items: readonly ToldItem[]
  readonly leftOut: number
}

/** What a model is told: passages and what cannot be cited, best first, as many as fit whole; context goes first. */
export function tell(
  question: string,
  described: readonly Described[],
  budget: number,
  notice: string | null,
): Told {
  const rest = notice === null ? {} : { notice }
  // A question that leaves no room is known to whoever asked it.
  const asked = [{ question }, {}].find(
    one => countTokens(asData({ ...one, sources: [], ...rest })) <= budget,
  )
  const told = { sources: [] as object[], items: [] as object[] }
  const citations: Cited[] = []
  const items: ToldItem[] = []
  let leftOut = 0
  const render = ({ sources, items }: typeof told) =>
    asData({ ...asked, sources, ...(items.length === 0 ? {} : { items }), ...rest })
  const fits = (more: Partial<typeof told>) =>
    asked !== undefined &&
    countTokens(
      render({
        sources: [...told.sources, ...(more.sources ?? [])],
        items: [...told.items, ...(more.items ?? [])],
      }),
    ) <= budget
  const tellSpan = (from: Described, span: SourceSpan) => {
    const ref = citations.length + 1
    const stretches: readonly Stretch[] = [widened(span), span]
    const found = stretches.find(one => fits({ sources: [sourceOf(ref, from, one)] }))
    if (found === undefined) {
      leftOut++
      return
    }
    told.sources.push(sourceOf(ref, from, found))
    const { document, version, start, end, page, lastPage } = found
    citations.push({ ref, from, document, version, start, end, page, lastPage })
  }
  for (const from of described) {
    for (const span of citable(from))
      if (!citations.some(other => isWithin(from, span, other))) tellSpan(from, span)
    const item = itemOf(from)
    if (item === null) continue
    if (fits({ items: [item] })) {
      told.items.push(item)
      items.push({ from, itemKind: item.itemKind })
    } else leftOut++
  }
  return { text: asked === undefined ? '' : render(told), citations, items, leftOut }
}

/**
 * The places of a result that can be cited. A card says what a file is and is no place in it: where it was found first,
 * the best of the file's passages stands for it.
 */
export const citable = ({ result }: Described): readonly SourceSpan[] =>
  result.sourceSpans.length > 0 || result.derived !== null
    ? result.sourceSpans
    : (result.more.find(({ sourceSpans }) => sourceSpans.length > 0)?.sourceSpans ?? [])

type SourceSpan = Described['result']['sourceSpans'][number]

/** A stretch that is told, and where it stands. */
type Stretch = SourceSpan & { readonly lastPage?: number }

/** A span together with what stands around it. */
function widened({ context, ...span }: SourceSpan): Stretch {
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
const isWithin = (from: Described, span: SourceSpan, told: Cited): boolean =>
  from.owner === told.from.owner &&
  span.document === told.document &&
  (span.version ?? told.version) === (told.version ?? span.version) &&
  span.start >= told.start &&
  span.end <= told.end

const sourceOf = (ref: number, { result }: Described, { page, text }: Stretch) => ({
  ref,
  title: result.document.title,
  page: page ?? null,
  text,
  ...(result.derived === null ? {} : { derived: true }),
  ...framed(result),
})

/** What is told of a document whose newer version is not read yet, or that was read in part, says so (SR-14). */
const framed = ({ framing }: Described['result']) =>
  framing === null || framing === 'current' ? {} : { framing }

/** What was found and is no place in a document: a card, a note, the beginning of what is seen in part. */
function itemOf(described: Described) {
  const { result, views } = described
  const text = views[0]?.payload?.text ?? ''
  if (citable(described).length > 0 || text === '') return null
  const { title, face, fields } = result.document
  if (result.derived !== null)
    return { itemKind: 'synthesis_summary_no_spans' as const, framing: 'summary without spans', title, text }
  return face === 'full'
    ? { itemKind: 'document_metadata' as const, title, text, fields, ...framed(result) }
    : { itemKind: 'document_preview' as const, title, text }
}
