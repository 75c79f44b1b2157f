import { z } from 'zod'
import { NONE, shownLevel } from '../../../policy/faces.js'
import type { Ranked } from '../../../search/rank.js'
import { fetchRecords, type RecordRow } from '../../../storage/queries/fetch-records.js'
import { fetchCardsOf } from '../../../storage/queries/segments.js'
import { mayDo, type SharedDocument, shareDocument, sharedDocument } from '../../document-view.js'
import { FRAMINGS, framingsOf } from '../../framing.js'
import type { RecordView } from '../../record-view.js'
import { type ReadRequest, timesOf } from '../../request.js'
import { describeMatch, fetchResults, snippet, versionSelectionDisclosure } from '../run.js'
import { EXECUTOR_CLASSES } from './assign.js'
import type { Routed } from './route.js'
import { documentOf, resolveSpans, spansOf, surroundingsOf } from './spans.js'
import type { Gathered } from './versions.js'

/** 002 §10.1: what a result is. */
export const RESULT_KINDS = [
  'filing_unit',
  'artifact_segment',
  'derived_memory',
  'topic_assignment',
  'court_disposition_observation',
  'binding_outcome',
] as const

const sourceSpan = z.object({
  document: z.string(),
  start: z.int(),
  end: z.int(),
  page: z.int().optional(),
  version: z.string().optional(),
  /** What stands there. */
  text: z.string(),
  /** What stands before and after it, where that was asked for. */
  context: z
    .object({
      before: z.string(),
      after: z.string(),
      /** The pages of all of it, where they are known. */
      page: z.int().optional(),
      lastPage: z.int().optional(),
    })
    .optional(),
})

export const routedResult = z.object({
  resultId: z.string(),
  resultKind: z.enum(RESULT_KINDS),
  document: sharedDocument,
  /** The document that a segment is of, to be read whole; null where it is none, or not seen. */
  card: z.string().nullable(),
  /** Of what was read in a file: `stale` while a newer version waits or could not be read, for whoever sees that (SR-14). */
  framing: z.enum(FRAMINGS).nullable(),
  /** After fusion. */
  score: z.number(),
  /** Which executors found it. */
  foundBy: z.array(z.enum(EXECUTOR_CLASSES)),
  matchSurface: z.array(z.enum(['title', 'text'])),
  /** Places in source documents that bear it out, each of them visible in full. */
  sourceSpans: z.array(sourceSpan),
  /** Of what was derived from sources: how it may be shown (002 §19.1). Null where it is a source itself. */
  derived: z
    .object({
      displayKind: z.enum(['synthesis_with_spans', 'synthesis_summary_no_spans']),
      affordance: z.enum(['jump_to_source_per_span', 'synthesis_summary_framing_only']),
    })
    .nullable(),
  /** How many records of the same filing unit are among those that were ranked, and the best of the others. */
  unitMatches: z.int(),
  more: z.array(z.object({ document: z.string(), sourceSpans: z.array(sourceSpan) })),
  versionSelectionDisclosure,
  snippet,
})
type RoutedResult = z.input<typeof routedResult>

/** A result with what the answer has to note that it shows. */
export interface Described {
  readonly found: Gathered
  readonly owner: string
  readonly views: readonly RecordView[]
  /** Further records whose words the spans are. */
  readonly sources: readonly Pick<RecordRow, 'id' | 'tuple'>[]
  /** The document that each source span is in. */
  readonly spanDocuments: readonly string[]
  readonly result: RoutedResult
}

/** Notes what is shown with a result. */
export function showDescribed(request: ReadRequest, { views, sources }: Described): void {
  for (const view of views) request.show(view)
  for (const source of sources) request.showRow(source, 'full')
}

const MOST_OTHERS = 4
const PASSAGES = { passages: 2, length: 300 }

/** Results as this caller sees them, with the places in sources that bear them out (SR-9, SR-13, SR-16). */
export async function describeResults(
  request: ReadRequest,
  routed: Routed,
  found: readonly Gathered[],
): Promise<Described[]> {
  const items = found.flatMap(({ item, others }) => [item, ...others.slice(0, MOST_OTHERS)])
  const views = new Map(
    (await fetchResults(request, routed, items)).map(({ item, view }) => [item.id, view] as const),
  )
  const ids = items.map(({ id }) => id).sort()
  const rows = new Map((await fetchRecords(request.tx, request.tenant, ids)).map(row => [row.id, row]))
  const derived = [...rows.values()].filter(row => !isSource(row) && views.get(row.id)?.face === 'full')
  const resolved = await resolveSpans(
    request,
    derived.map(row => ({ owner: row.tuple.owner, spans: spansOf(row) })),
  )
  const spans = new Map(derived.map((row, at) => [row.id, resolved[at] ?? []]))
  const cards = await cardsOf(request, ids)
  const framings = await framingsOf(request, [
    ...new Set([
      ...[...cards.values()].flatMap(({ id, isWhole }) => (isWhole ? [id] : [])),
      ...[...rows.values()].flatMap(({ id, tuple }) =>
        tuple.kind === 'document' && views.get(id)?.face === 'full' ? [id] : [],
      ),
    ]),
  ])
  const may = mayDo(request)
  const spansFor = ({ id }: Ranked): BorneOut => {
    const [row, view] = [rows.get(id), views.get(id)]
    if (row === undefined || view === undefined || view.face !== 'full') return NO_SPANS
    const found = spans.get(id)
    if (found !== undefined)
      return {
        spans: found.map(({ span, text }) => ({ ...span, text })),
        sources: found.flatMap(({ from }) => from),
        documents: found.map(({ from: [first] }) => (first === undefined ? '' : documentOf(first))),
      }
    const passages = passagesOf(row, view, routed.words)
    return { spans: passages, sources: [], documents: passages.map(() => documentOf(row)) }
  }
  return found.flatMap((one): Described[] => {
    const { item, score, filing, left } = one
    const [row, view] = [rows.get(item.id), views.get(item.id)]
    const document =
      row === undefined || view === undefined ? null : shareDocument(request, row, view.face, may)
    if (row === undefined || view === undefined || document === null) return []
    const others = one.others.slice(0, MOST_OTHERS).filter(({ id }) => views.has(id))
    const { spans: sourceSpans, sources, documents } = spansFor(item)
    const further = others.map(other => ({ document: other.id, ...spansFor(other) }))
    const { matchSurface, snippet } = describeMatch({ ...view, tags: [] }, routed.words, PASSAGES)
    return [
      {
        found: one,
        owner: row.tuple.owner,
        views: [view, ...others.flatMap(({ id }) => views.get(id) ?? [])],
        sources: [...sources, ...further.flatMap(other => other.sources)],
        spanDocuments: documents,
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
          derived: isSource(row) ? null : displayOf(sourceSpans.length > 0),
          unitMatches: 1 + one.others.length,
          more: further.map(({ document, spans }) => ({ document, sourceSpans: spans })),
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

/** The cards of segments, as far as they are seen. */
async function cardsOf(
  request: ReadRequest,
  segments: readonly string[],
): Promise<Map<string, { readonly id: string; readonly isWhole: boolean }>> {
  const found = await fetchCardsOf(request.tx, request.tenant, segments)
  const faces = await request.faces(found.map(card => ({ tuple: card.tuple, times: timesOf(card) })))
  return new Map(
    found.flatMap(({ segment, id }, at) => {
      const level = shownLevel(faces[at] ?? NONE)
      return level === 'none' ? [] : [[segment, { id, isWhole: level === 'full' }] as const]
    }),
  )
}

/** What bears a result out, the records whose words that is, and the documents they are of. */
interface BorneOut {
  readonly spans: RoutedResult['sourceSpans']
  readonly sources: Described['sources']
  readonly documents: readonly string[]
}
const NO_SPANS: BorneOut = { spans: [], sources: [], documents: [] }

const isSource = ({ tuple }: Pick<RecordRow, 'tuple'>): boolean =>
  tuple.kind === 'document' || tuple.kind === 'segment'

function kindOf({ kind, surface }: SharedDocument): RoutedResult['resultKind'] {
  if (surface === 'court_disposition_observations') return 'court_disposition_observation'
  if (surface === 'neutral_topics' || surface === 'host_topics') return 'topic_assignment'
  if (kind === 'document') return 'filing_unit'
  return kind === 'segment' ? 'artifact_segment' : 'derived_memory'
}

/** Never as evidence: what was derived leads to its sources, or says that it is a summary (SR-16). */
const displayOf = (hasSpans: boolean): NonNullable<RoutedResult['derived']> =>
  hasSpans
    ? { displayKind: 'synthesis_with_spans', affordance: 'jump_to_source_per_span' }
    : { displayKind: 'synthesis_summary_no_spans', affordance: 'synthesis_summary_framing_only' }

/** Where in its document the passages of a source stand. A card speaks of its document and is no place in it. */
function passagesOf(
  row: RecordRow,
  view: RecordView,
  words: ReadonlySet<string>,
): RoutedResult['sourceSpans'] {
  if ('parts' in row.fields) return []
  const [own] = spansOf(row)
  const { start, page } = own ?? { start: 0, page: undefined }
  return describeMatch({ ...view, tags: [] }, words, PASSAGES).snippet.passages.map(passage => ({
    document: row.document ?? row.id,
    start: start + passage.start,
    end: start + passage.end,
    ...(page === undefined ? {} : { page }),
    ...(row.version === null ? {} : { version: row.version }),
    text: passage.text,
  }))
}

/** The same with what stands around each span. */
export async function withContext(
  request: ReadRequest,
  described: readonly Described[],
  characters: number,
): Promise<Described[]> {
  if (characters === 0) return [...described]
  const spans = described.flatMap(({ owner, spanDocuments, result }) =>
    result.sourceSpans.map((span, at) => ({ owner, span, document: spanDocuments[at] ?? '' })),
  )
  const around = await surroundingsOf(request, spans, characters)
  let at = 0
  return described.map(one => ({
    ...one,
    result: {
      ...one.result,
      sourceSpans: one.result.sourceSpans.map(span => ({
        ...span,
        context: { ...(around[at++] ?? { before: '', after: '' }) },
      })),
    },
  }))
}

/** The documents that some results rest on, each by its owner and its name. */
export function sourcesOf(described: readonly Described[]): Set<string> {
  return new Set(
    described.flatMap(({ owner, result }) =>
      [...result.sourceSpans, ...result.more.flatMap(one => one.sourceSpans)].map(({ document }) =>
        JSON.stringify([owner, document]),
      ),
    ),
  )
}
