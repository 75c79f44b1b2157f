import { z } from 'zod'
import { filingOf } from '../../search/match.js'
import { compareRank, type RankedDocument, type RankKey } from '../../search/rank.js'
import { highlightsOf, makeSnippet, type WordMeant } from '../../search/snippet.js'
import { tokenize } from '../../search/tokenize.js'
import type { RecordRow } from '../../storage/queries/fetch-records.js'
import type { PassageAllowance, PassageBounds } from '../deliver.js'
import type { VisibleSegment } from '../index/visible-set.js'
import type { RecordView } from '../record-view.js'
import type { ReadRequest } from '../request.js'
import type { SearchOutcome } from './execute.js'
import { disagreement, LEVEL_OF } from './faces-seen.js'
import type { LongSnippets } from './long-snippets.js'
import type { ParsedQuestion } from './question.js'
import type { SearchAccount } from './receipt.js'
import { accountOf, planDirect, runRoute } from './router/route.js'

/** The results of a search with one executor, and what it stores. */
export interface SearchRunResult {
  readonly executed: SearchOutcome
  readonly segments: readonly VisibleSegment[]
  readonly account: SearchAccount
}

/** Runs a search that needs no routing, inside its snapshot: a route with a single executor. */
export async function runSearch(
  request: ReadRequest,
  asked: ParsedQuestion,
  asOf = request.now.getTime(),
): Promise<SearchRunResult> {
  const routed = await runRoute(request, asked, planDirect, { asOf })
  const executed = routed.runs[0]?.executed ?? null
  const account = accountOf(request, routed)
  if (executed === null || account === null) throw new Error('a search by one executor was not run')
  const ranked = routed.fused.map(({ item }) => item)
  return { executed: { ...executed, ranked }, segments: routed.segments, account }
}

/** The results of one page: those after a position in the ranking. */
export function cutPage(
  ranked: readonly RankedDocument[],
  after: RankKey | null,
  limit: number,
): { page: RankedDocument[]; more: boolean } {
  const rest = after === null ? ranked : ranked.filter(item => compareRank(after, item) < 0)
  return { page: rest.slice(0, limit), more: rest.length > limit }
}

export interface Result {
  readonly item: RankedDocument
  readonly row: RecordRow
  readonly view: RecordView
}

/** The results as their faces, read under row-level security and decided again. */
export async function fetchResults(
  request: ReadRequest,
  found: Pick<SearchRunResult, 'segments'>,
  page: readonly RankedDocument[],
): Promise<Result[]> {
  return viewResults(request, found, page, await request.fetch(page.map(({ id }) => id).sort()))
}

/** The same, from rows that were read under row-level security. */
export async function viewResults(
  request: ReadRequest,
  { segments }: Pick<SearchRunResult, 'segments'>,
  page: readonly RankedDocument[],
  rows: readonly RecordRow[],
): Promise<Result[]> {
  const views = await request.view(rows)
  const fetched = new Map(rows.map((row, at) => [row.id, { row, view: views[at] ?? null }]))
  return page.map(item => {
    const { row, view = null } = fetched.get(item.id) ?? {}
    const level = segments[item.part]?.mask.levels[item.document] ?? 0
    if (row === undefined || view === null || view.face !== LEVEL_OF[level]) throw disagreement(request)
    return { item, row, view }
  })
}

export const versionSelectionDisclosure = z
  .object({
    selectedVersion: z
      .string()
      .nullable()
      .meta({ description: 'The version that is shown; null if it has no name.' }),
    excludedVersions: z
      .array(z.string().nullable())
      .meta({ description: 'The versions that gave way to it.' }),
    selectionBasis: z
      .literal('legal_version_kind_precedence')
      .meta({ description: 'By what the version was chosen.' }),
  })
  .meta({
    id: 'VersionSelection',
    description: 'Which version of a filing is shown, and which gave way to it.',
  })
  .nullable()

/** The version of its filing unit that a result shows, if it replaces other visible ones (SR-10). */
export function discloseVersions(
  { executed, segments }: SearchRunResult,
  { part, document }: RankedDocument,
) {
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

export const snippet = z
  .object({
    title: z
      .object({
        highlights: highlights.meta({
          description: 'First character and character after the last of each match.',
        }),
      })
      .meta({ description: 'Where the title matches.' }),
    passages: z
      .array(
        z.object({
          text: z.string().meta({ description: 'The passage.' }),
          start: z.int().meta({ description: 'Its first character in the text, counted from 0.' }),
          end: z.int().meta({ description: 'The character after its last.' }),
          highlights: highlights.meta({
            description: 'First character and character after the last of each match, within the passage.',
          }),
        }),
      )
      .meta({ description: 'The passages of the text that match.' }),
  })
  .meta({ id: 'Snippet', description: 'Where a record matches: in its title, and in passages of its text.' })

/**
 * Where a face matches a question, as offsets into what is shown (never as markup). Passages are cut from as much of
 * the text as an answer may show, and are told in the order of the text and best first.
 */
export function describeMatch(
  { row, view }: Pick<Result, 'row' | 'view'>,
  words: ReadonlyMap<string, WordMeant>,
  asked: PassageBounds,
  allowance: PassageAllowance,
  long: LongSnippets,
) {
  const title = view.payload?.title ?? ''
  const titleHighlights = highlightsOf(title, words)
  const { text, bounds } = allowance.passagesOf(row, view.face, asked)
  const snippet = long.get(row.id) ?? makeSnippet(text, words, bounds, title)
  const inTags = view.tags.some(tag => tokenize(tag).some(({ term }) => words.has(term)))
  const matchSurface = [
    ...(titleHighlights.length > 0 ? ['title' as const] : []),
    ...(snippet.matches ? ['text' as const] : []),
    ...(inTags ? ['tags' as const] : []),
  ]
  return {
    matchSurface,
    snippet: {
      title: { highlights: titleHighlights },
      passages: snippet.passages.slice(0, bounds.passages),
    },
    bestFirst: snippet.bestFirst.slice(0, bounds.passages),
  }
}
