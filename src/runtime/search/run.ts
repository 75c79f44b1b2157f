import { z } from 'zod'
import { filingOf } from '../../search/match.js'
import { compareRank, type Ranked, type RankKey } from '../../search/rank.js'
import { highlightsOf, makeSnippet } from '../../search/snippet.js'
import { tokenize } from '../../search/tokenize.js'
import { fetchRecords } from '../../storage/queries/fetch-records.js'
import { NOTHING_TO_READ } from '../../storage/queries/reading-of.js'
import { setRole } from '../../storage/queries/set-role.js'
import { type Meaning, NO_MEANING } from '../embedding/embeddings.js'
import { type VisibleSegment, VisibleSet } from '../index/visible-set.js'
import type { RecordView } from '../record-view.js'
import type { ReadRequest } from '../request.js'
import { type Executed, find, order } from './execute.js'
import { disagreement, LEVEL_OF } from './faces-seen.js'
import { feedbackFor } from './feedback.js'
import { askedOf } from './meant.js'
import { planSearch, readQuery, type ValidPlan, validatePlan } from './plan.js'
import { askingOf, narrow } from './predicates.js'
import type { Question } from './question.js'
import { type Account, accountFor } from './receipt.js'

/** A search that was run: what it found, and what it leaves behind. */
export interface Searched {
  readonly executed: Executed
  readonly segments: readonly VisibleSegment[]
  readonly account: Account
}

/** Decide, narrow, plan, execute, account: the life of a search inside its snapshot. */
export async function runSearch(
  request: ReadRequest,
  question: Question,
  asOf = request.now.getTime(),
): Promise<Searched> {
  const { embeddings, halfLifeOf, searchSettings } = request.parts
  // First of all: a transaction that begins again for it has left nothing behind, not even an id.
  const meaning = meaningFor(request, { question, query: readQuery(question) })
  const plan = validatePlan(planSearch(question, request.parts), question, searchSettings)
  const visible = await VisibleSet.of(request)
  const asking = await askingOf(request, question)
  const segments = narrow(visible.segments, question, asking)
  const found = find(plan, segments, { meaning, asOf, halfLifeOf })
  const feedback = await feedbackFor(request, plan, visible, segments, found)
  const executed = order(plan, segments, found, feedback)
  embeddings.noteRecords(request.tenant, executed.meant.waiting)
  const { matches, expansions, ranked, meant } = executed
  const ran = {
    matches: matches.count,
    mostOfOne: matches.count,
    expansions,
    uses: meant.uses,
    reading: NOTHING_TO_READ,
    executions: [{ executorClass: 'primary_direct', resultCount: ranked.length, failures: [] }],
  }
  return { executed, segments, account: accountFor(request, plan, visible, segments, asking, ran) }
}

/** What the question of a plan means: embedded before, or to be embedded first. */
export function meaningFor(
  { parts: { meanings } }: ReadRequest,
  plan: Pick<ValidPlan, 'question' | 'query'>,
): Meaning {
  const asked = askedOf(plan)
  return asked === null ? NO_MEANING : meanings.of(asked)
}

/** The results of a page: those after a place in the order. */
export function pageOf(
  ranked: readonly Ranked[],
  after: RankKey | null,
  limit: number,
): { page: Ranked[]; more: boolean } {
  const rest = after === null ? ranked : ranked.filter(item => compareRank(after, item) < 0)
  return { page: rest.slice(0, limit), more: rest.length > limit }
}

export interface Result {
  readonly item: Ranked
  readonly view: RecordView
}

/** The winners as their faces, under row-level security and decided again. */
export async function fetchResults(
  request: ReadRequest,
  { segments }: Pick<Searched, 'segments'>,
  page: readonly Ranked[],
): Promise<Result[]> {
  const reads = request.role === 'privity_app'
  if (!reads) await setRole(request.tx, 'privity_app')
  const ids = page.map(({ id }) => id).sort()
  const rows = await fetchRecords(request.tx, request.tenant, ids)
  const views = new Map<string, RecordView>()
  for (const view of await request.view(rows)) if (view !== null) views.set(view.id, view)
  if (!reads) await setRole(request.tx, request.role)
  return page.map(item => {
    const view = views.get(item.id)
    const surface = segments[item.part]?.mask.surfaces[item.document] ?? 0
    if (view === undefined || view.face !== LEVEL_OF[surface]) throw disagreement(request)
    return { item, view }
  })
}

export const versionSelectionDisclosure = z
  .object({
    selectedVersion: z.string().nullable(),
    excludedVersions: z.array(z.string().nullable()),
    selectionBasis: z.literal('legal_version_kind_precedence'),
  })
  .nullable()

/** Which version of a filing unit a result is, where other visible ones gave way to it (SR-10). */
export function discloseVersions({ executed, segments }: Searched, { part, document }: Ranked) {
  const own = filingOf(segments[part] as VisibleSegment, document)
  const merged = own && executed.matches.merged.get(own.unit)
  if (own === undefined || merged === undefined) return null
  return {
    selectedVersion: own.version,
    excludedVersions: [...merged.left],
    selectionBasis: 'legal_version_kind_precedence' as const,
  }
}

const highlights = z.array(z.tuple([z.int(), z.int()]))

export const snippet = z.object({
  title: z.object({ highlights }),
  passages: z.array(z.object({ text: z.string(), start: z.int(), end: z.int(), highlights })),
})

/** Where in a face a question was met, with offsets into what is shown (never markup). */
export function describeMatch(
  view: RecordView,
  words: ReadonlySet<string>,
  options: { passages: number; length: number },
) {
  const matches = (term: string) => words.has(term)
  const title = view.payload?.title ?? ''
  const text = view.payload?.text ?? ''
  const titleHighlights = highlightsOf(title, matches)
  const snippet = makeSnippet(text, matches, options)
  const inTags = view.tags.some(tag => tokenize(tag).some(({ term }) => matches(term)))
  const matchSurface = [
    ...(titleHighlights.length > 0 ? ['title' as const] : []),
    ...(highlightsOf(text, matches).length > 0 ? ['text' as const] : []),
    ...(inTags ? ['tags' as const] : []),
  ]
  return { matchSurface, snippet: { title: { highlights: titleHighlights }, passages: snippet.passages } }
}
