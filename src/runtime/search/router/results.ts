import { z } from 'zod'
import { NONE, shownLevel } from '../../../policy/faces.js'
import { toSentences } from '../../../search/sentences.js'
import type { CardOf } from '../../../storage/queries/chunks.js'
import type { RecordRow } from '../../../storage/queries/fetch-records.js'
import type { SpanSource } from '../../../storage/queries/span-sources.js'
import { LONGEST_PASSAGE, PassageAllowance, requireDelivery } from '../../deliver.js'
import {
  documentPermissions,
  type SharedDocument,
  shareDocument,
  sharedDocument,
} from '../../document-view.js'
import { FRAMINGS, framingsFrom } from '../../framing.js'
import { pageAt } from '../../page-at.js'
import type { RecordView } from '../../record-view.js'
import { type ReadRequest, timesOf } from '../../request.js'
import { cutLongSnippets } from '../long-snippets.js'
import { describeMatch, snippet, versionSelectionDisclosure, viewResults } from '../run.js'
import { EXECUTOR_CLASSES } from './assign.js'
import type { RouteOutcome } from './route.js'
import { documentOf, findSpanContexts, resolveSpans, spansOf } from './spans.js'
import { strongerVersions, type UnitResult } from './unit-results.js'

/** The kinds of results (002 §10.1). */
export const RESULT_KINDS = [
  'filing_unit',
  'artifact_segment',
  'derived_memory',
  'topic_assignment',
  'court_disposition_observation',
  'binding_outcome',
] as const

const sourceSpan = z
  .object({
    document: z.string().meta({ description: 'The name of the document.' }),
    start: z.int().meta({ description: 'The first character, counted from 0.' }),
    end: z.int().meta({ description: 'The character after the last.' }),
    page: z.int().optional().meta({ description: 'The page it begins on, counted from 1.' }),
    lastPage: z.int().optional().meta({ description: 'The page it ends on, where that is another.' }),
    version: z.string().optional().meta({ description: 'The version of the document.' }),
    text: z.string().meta({ description: 'What stands there.' }),
    context: z
      .object({
        before: z.string().meta({ description: 'What stands before it.' }),
        after: z.string().meta({ description: 'What stands after it.' }),
        page: z.int().optional().meta({ description: 'The page it all begins on, counted from 1.' }),
        lastPage: z.int().optional().meta({ description: 'The page it all ends on, where that is another.' }),
      })
      .optional()
      .meta({ description: 'What stands before and after it. Only if asked for.' }),
  })
  .meta({ id: 'SourceSpan', description: 'A place in a source document, and what stands there.' })

export const routedResult = z
  .object({
    resultId: z.string().meta({ description: 'The id of the result.' }),
    resultKind: z.enum(RESULT_KINDS).meta({ description: 'What sort of result it is.' }),
    document: sharedDocument.meta({ description: 'The record, as it may be shown.' }),
    card: z.string().nullable().meta({
      description: 'The document that a segment is of, by its id; null if it is none or not visible.',
    }),
    // SR-14
    framing: z.enum(FRAMINGS).nullable().meta({
      description: '`stale` while a newer version waits or could not be read; null where there is no file.',
    }),
    score: z.number().meta({ description: 'How well it matches, after fusion.' }),
    foundBy: z.array(z.enum(EXECUTOR_CLASSES)).meta({ description: 'The executors that found it.' }),
    matchSurface: z.array(z.enum(['title', 'text'])).meta({ description: 'Where the words were found.' }),
    sourceSpans: z.array(sourceSpan).meta({
      description: 'Places in source documents that bear it out, best first, each visible in full.',
    }),
    derived: z
      .object({
        displayKind: z
          .enum(['synthesis_with_spans', 'synthesis_summary_no_spans'])
          .meta({ description: 'Whether it is shown with its source spans.' }),
        affordance: z
          .enum(['jump_to_source_per_span', 'synthesis_summary_framing_only'])
          .meta({ description: 'What may be done with it.' }),
        cuAuthority: z.number().nullable().meta({
          description:
            'How far it can be relied on, from 0 to 1: its confidence. Null for recipients, and for less than all of it.',
        }),
      })
      .nullable()
      .meta({ description: 'How something derived from sources may be shown; null for a source.' }),
    unitMatches: z.int().meta({ description: 'Number of ranked records of the same filing.' }),
    more: z
      .array(
        z.object({
          document: z.string().meta({ description: 'The record, by its id.' }),
          score: z.number().meta({ description: 'How well it matches, after fusion.' }),
          sourceSpans: z
            .array(sourceSpan)
            .meta({ description: 'Places in source documents that bear it out, best first.' }),
        }),
      )
      .meta({ description: 'The best of the others of the same filing.' }),
    versionSelectionDisclosure: versionSelectionDisclosure.meta({
      description:
        'Which version of its filing this is, and which visible ones gave way to it; null if there was one.',
    }),
    // SR-10
    supersededBy: z.array(z.string().nullable()).meta({
      description:
        'Stronger versions of its filing, such as an amended one, that do not match the question but can be seen.',
    }),
    snippet: snippet.meta({ description: 'The passages that match, and where.' }),
  })
  .meta({ id: 'DocumentResult', description: 'A filing that a search of documents found, and where.' })
type RoutedResult = z.input<typeof routedResult>

/** A result, with everything that must be recorded as shown. */
export interface DescribedResult {
  readonly found: UnitResult
  readonly owner: string
  /** The faces of its record and of the others of its filing. */
  readonly views: readonly RecordView[]
  /** The visibility classes of these records. */
  readonly classes: readonly string[]
  /** Further records that the text of the spans comes from. */
  readonly sources: readonly Pick<RecordRow, 'id' | 'tuple'>[]
  /** The document that each source span belongs to, and those of the others of its filing. */
  readonly spanDocuments: readonly string[]
  readonly moreDocuments: readonly (readonly string[])[]
  /** Everything that was read around the places that it speaks of. */
  readonly around: readonly SpanSource[]
  /** Whether it shows more of a document than the passages of a search do, which counts as reading it. */
  readonly isRead: boolean
  readonly result: RoutedResult
}

/** Records what is shown with a result. */
export function showDescribed(request: ReadRequest, { views, sources, isRead }: DescribedResult): void {
  for (const view of views) request.show(view, 'without its text')
  for (const source of sources) request.showRow(source, 'full')
  if (isRead) request.noteView()
}

/** How many others of the same filing a search shows unless it is asked for more. */
export const MOST_OTHERS = 4

export interface DescribeOptions {
  readonly mostOthers?: number | undefined
  readonly reach?: number
}
const PASSAGES = { passages: 2, length: 300 }

/**
 * Results as this caller sees them, with the source spans that support them (SR-9, SR-13, SR-16). `reach` is how many
 * characters around each span are wanted later.
 */
export async function describeResults(
  request: ReadRequest,
  routed: RouteOutcome,
  found: readonly UnitResult[],
  { mostOthers = MOST_OTHERS, reach = 0 }: DescribeOptions = {},
): Promise<DescribedResult[]> {
  const items = found.flatMap(({ item, others }) => [
    item,
    ...others.slice(0, mostOthers).map(other => other.item),
  ])
  const { rows: fetched, evidence } = await request.fetchWithEvidence(items.map(({ id }) => id).sort(), reach)
  const results = await viewResults(request, routed, items, fetched)
  const views = new Map(results.map(({ item, view }) => [item.id, view] as const))
  // No face of a document shows its confidence to those whom views bind.
  const knowsConfidence = request.parts.identity.views === null
  const rows = new Map(results.map(({ item, row }) => [item.id, row] as const))
  const derived = [...rows.values()].filter(row => !isSource(row) && views.get(row.id)?.face === 'full')
  const resolved = await resolveSpans(
    request,
    evidence.sources,
    derived.map(row => ({ owner: row.tuple.owner, spans: spansOf(row) })),
  )
  const spans = new Map(derived.map((row, at) => [row.id, resolved[at] ?? []]))
  const cards = await seenCards(request, evidence.cards)
  const framings = framingsFrom(evidence.files, [
    ...new Set([
      ...[...cards.values()].flatMap(({ id, isWhole }) => (isWhole ? [id] : [])),
      ...[...rows.values()].flatMap(({ id, tuple }) =>
        tuple.kind === 'document' && views.get(id)?.face === 'full' ? [id] : [],
      ),
    ]),
  ])
  const stronger = strongerVersions(routed.visible.segments, found)
  const may = documentPermissions(request)
  const allowance = new PassageAllowance(request)
  const long = await cutLongSnippets(request, results, routed.words, PASSAGES, allowance)
  const matchOf = (row: RecordRow, view: RecordView) =>
    describeMatch({ row, view: { ...view, tags: [] } }, routed.words, PASSAGES, allowance, long)
  const spansFor = (row: RecordRow, view: RecordView, { bestFirst }: ReturnType<typeof matchOf>): Support => {
    if (view.face !== 'full') return NO_SPANS
    const found = spans.get(row.id)?.filter(({ from, text }) => allowance.quotes(from, text.length))
    if (found !== undefined)
      return {
        spans: found.map(({ span, text }) => ({ ...span, text })),
        sources: found.flatMap(({ from }) => from),
        documents: found.map(({ from: [first] }) => (first === undefined ? '' : documentOf(first))),
      }
    const passages = placesOf(row, bestFirst, request.deliveryRights.mayView)
    return { spans: passages, sources: [], documents: passages.map(() => documentOf(row)) }
  }
  return found.flatMap((one): DescribedResult[] => {
    const { item, score, filing, left } = one
    const [row, view] = [rows.get(item.id), views.get(item.id)]
    const document =
      row === undefined || view === undefined ? null : shareDocument(request, row, view.face, may)
    if (row === undefined || view === undefined || document === null) return []
    const match = matchOf(row, view)
    const { matchSurface, snippet } = match
    const { spans: sourceSpans, sources, documents } = spansFor(row, view, match)
    const further = one.others.slice(0, mostOthers).flatMap(({ item: { id }, score }) => {
      const [other, seen] = [rows.get(id), views.get(id)]
      if (other === undefined || seen === undefined) return []
      return [{ row: other, view: seen, score, ...spansFor(other, seen, matchOf(other, seen)) }]
    })
    const quoted = [...sourceSpans, ...further.flatMap(({ spans }) => spans)]
    return [
      {
        found: one,
        owner: row.tuple.owner,
        views: [view, ...further.map(other => other.view)],
        classes: [row, ...further.map(other => other.row)].map(({ tuple }) => tuple.visibilityClass),
        sources: [...sources, ...further.flatMap(other => other.sources)],
        spanDocuments: documents,
        moreDocuments: further.map(other => other.documents),
        around: evidence.sources,
        isRead: quoted.some(({ text }) => text.length > LONGEST_PASSAGE),
        result: {
          resultId: request.parts.clock.newId('search'),
          resultKind: kindOf(document),
          document,
          card: cards.get(item.id)?.id ?? null,
          framing:
            view.face === 'full' && isSource(row)
              ? (framings.get(cards.get(item.id)?.id ?? item.id) ?? null)
              : null,
          score,
          foundBy: routed.foundBy(item.id),
          matchSurface: matchSurface.filter(surface => surface !== 'tags'),
          sourceSpans,
          derived: isSource(row)
            ? null
            : displayOf(
                sourceSpans.length > 0,
                knowsConfidence && view.face === 'full' ? row.confidence : null,
              ),
          supersededBy: stronger(filing),
          unitMatches: 1 + one.others.length,
          more: further.map(({ row, score, spans }) => ({ document: row.id, score, sourceSpans: spans })),
          versionSelectionDisclosure:
            filing === null || left.length === 0
              ? null
              : {
                  selectedVersion: filing.version,
                  excludedVersions: [...left],
                  selectionBasis: 'legal_version_kind_precedence',
                },
          snippet,
        },
      },
    ]
  })
}

/** The cards of chunks, as far as they are visible. */
async function seenCards(
  request: ReadRequest,
  found: readonly CardOf[],
): Promise<Map<string, { readonly id: string; readonly isWhole: boolean }>> {
  const faces = await request.faces(found.map(card => ({ tuple: card.tuple, times: timesOf(card) })))
  return new Map(
    found.flatMap(({ segment, id }, at) => {
      const level = shownLevel(faces[at] ?? NONE)
      return level === 'none' ? [] : [[segment, { id, isWhole: level === 'full' }] as const]
    }),
  )
}

/** The spans that support a result, the records their text comes from, and the documents of these. */
interface Support {
  readonly spans: RoutedResult['sourceSpans']
  readonly sources: DescribedResult['sources']
  readonly documents: readonly string[]
}
const NO_SPANS: Support = { spans: [], sources: [], documents: [] }

const isSource = ({ tuple }: Pick<RecordRow, 'tuple'>): boolean =>
  tuple.kind === 'document' || tuple.kind === 'segment'

function kindOf({ kind, surface }: SharedDocument): RoutedResult['resultKind'] {
  if (surface === 'court_disposition_observations') return 'court_disposition_observation'
  if (surface === 'neutral_topics' || surface === 'host_topics') return 'topic_assignment'
  if (kind === 'document') return 'filing_unit'
  return kind === 'segment' ? 'artifact_segment' : 'derived_memory'
}

/** A derived record is never shown as evidence: it leads to its sources, or is marked as a summary (SR-16). */
const displayOf = (hasSpans: boolean, cuAuthority: number | null): NonNullable<RoutedResult['derived']> => ({
  ...(hasSpans
    ? { displayKind: 'synthesis_with_spans', affordance: 'jump_to_source_per_span' }
    : { displayKind: 'synthesis_summary_no_spans', affordance: 'synthesis_summary_framing_only' }),
  cuAuthority,
})

/** Where in its document the passages of a source are, best first. A card describes its document and is no place in it. */
function placesOf(
  row: RecordRow,
  passages: readonly { readonly start: number; readonly end: number; readonly text: string }[],
  mayView: boolean,
): RoutedResult['sourceSpans'] {
  if ('parts' in row.fields) return []
  const start = spansOf(row)[0]?.start ?? 0
  // Whoever may not read documents gets exactly the passage that was allowed.
  const places = mayView
    ? mergeStretches(passages.map(passage => toSentences(row.text, passage, LONGEST_PASSAGE)))
    : passages
  return places.map(passage => ({
    document: row.document ?? row.id,
    start: start + passage.start,
    end: start + passage.end,
    ...pagesOf(row.spans, start + passage.start, start + passage.end),
    ...(row.version === null ? {} : { version: row.version }),
    text: row.text.slice(passage.start, passage.end),
  }))
}

/**
 * Joins a stretch with an earlier one that it overlaps, as long as they are no longer than a passage together. Otherwise
 * the later one keeps what the earlier does not have.
 */
function mergeStretches(stretches: readonly { readonly start: number; readonly end: number }[]) {
  const merged: { start: number; end: number }[] = []
  for (let { start, end } of stretches) {
    let joined = false
    for (const other of merged) {
      if (start >= other.end || end <= other.start) continue
      const [from, to] = [Math.min(start, other.start), Math.max(end, other.end)]
      joined =
        to - from <= LONGEST_PASSAGE && !merged.some(one => one !== other && from < one.end && to > one.start)
      if (joined) {
        other.start = from
        other.end = to
        break
      }
      if (start < other.start) end = other.start
      else start = Math.min(end, other.end)
    }
    if (!joined && start < end) merged.push({ start, end })
  }
  return merged
}

/** The pages on which a stretch of a chunk begins and ends. */
function pagesOf(
  spans: readonly unknown[],
  start: number,
  end: number,
): { page?: number; lastPage?: number } {
  const [page, lastPage] = [pageAt(spans, start), pageAt(spans, Math.max(start, end - 1))]
  if (page === null || lastPage === null) return {}
  return page === lastPage ? { page } : { page, lastPage }
}

/** Adds the surrounding context to each span, which is to let the documents be read. */
export async function withContext(
  request: ReadRequest,
  described: readonly DescribedResult[],
  characters: number,
): Promise<DescribedResult[]> {
  if (characters === 0) return [...described]
  requireDelivery(request, 'text')
  const asked = described.flatMap(({ owner, spanDocuments, moreDocuments, result }) => [
    ...result.sourceSpans.map((span, at) => ({ owner, span, document: spanDocuments[at] ?? '' })),
    ...result.more.flatMap(({ sourceSpans }, nth) =>
      sourceSpans.map((span, at) => ({ owner, span, document: moreDocuments[nth]?.[at] ?? '' })),
    ),
  ])
  const around = await findSpanContexts(request, described[0]?.around ?? [], asked, characters)
  let at = 0
  const inContext = (spans: RoutedResult['sourceSpans']) =>
    spans.map(span => ({ ...span, context: { ...(around[at++] ?? { before: '', after: '' }) } }))
  return described.map(one => ({
    ...one,
    isRead: one.isRead || one.result.sourceSpans.length > 0,
    result: {
      ...one.result,
      sourceSpans: inContext(one.result.sourceSpans),
      more: one.result.more.map(other => ({ ...other, sourceSpans: inContext(other.sourceSpans) })),
    },
  }))
}

/** The same without the passages of a record that what stands around a better one holds already. */
export const withoutRepeats = (result: RoutedResult): RoutedResult => ({
  ...result,
  sourceSpans: eachOnce(result.sourceSpans),
  more: result.more.map(other => ({ ...other, sourceSpans: eachOnce(other.sourceSpans) })),
})

type Span = RoutedResult['sourceSpans'][number]

function eachOnce(spans: readonly Span[]): Span[] {
  const kept: Span[] = []
  const holds = ({ document, version, start, end, context }: Span, span: Span) =>
    context !== undefined &&
    document === span.document &&
    version === span.version &&
    start - context.before.length <= span.start &&
    end + context.after.length >= span.end
  for (const span of spans) if (!kept.some(better => holds(better, span))) kept.push(span)
  return kept
}

/** The documents that these results rest on, by owner and name. */
export function sourcesOf(described: readonly DescribedResult[]): Set<string> {
  return new Set(
    described.flatMap(({ owner, result }) =>
      [...result.sourceSpans, ...result.more.flatMap(one => one.sourceSpans)].map(({ document }) =>
        JSON.stringify([owner, document]),
      ),
    ),
  )
}
