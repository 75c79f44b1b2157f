import { z } from 'zod'
import type { RankKey } from '../../search/rank.js'
import { wordsWithPrefix } from '../../search/suggest.js'
import { tokenize } from '../../search/tokenize.js'
import { cursorBoundary } from '../cursor-boundary.js'
import { PassageAllowance } from '../deliver.js'
import { nextCursor, pageCursor } from '../fields.js'
import { VisibleSet } from '../index/visible-set.js'
import { text } from '../input.js'
import { readOperation } from '../operation.js'
import { recordView } from '../record-view.js'
import { sampleConditions, sampleQuestion } from '../sample-world.js'
import { copySuggestion, expansions, notice, suggestion } from '../search/answer-fields.js'
import { describeNoResults } from '../search/completeness.js'
import { exposeHints, exposeWords } from '../search/expose-words.js'
import { countFacets } from '../search/facets.js'
import { cutLongSnippets } from '../search/long-snippets.js'
import { loadFilterContext, narrowToQuestion } from '../search/predicates.js'
import { FACETS, filters, parseQuestion, QUESTION } from '../search/question.js'
import { receipt } from '../search/receipt.js'
import {
  cutPage,
  describeMatch,
  discloseVersions,
  fetchResults,
  runSearch,
  snippet as snippetOf,
  versionSelectionDisclosure,
} from '../search/run.js'

const input = z.strictObject({
  ...QUESTION,
  limit: z.int().min(1).max(100).default(10).meta({ description: 'Most results on the page.' }),
  cursor: pageCursor,
  explain: z
    .boolean()
    .default(false)
    .meta({ description: 'Whether results say what their scores are made of.' }),
  facets: z
    .array(z.enum(FACETS))
    .max(FACETS.length)
    .default(['kind', 'tag'])
    .meta({ description: 'What to count the matches by.' }),
  snippet: z
    .strictObject({
      passages: z.int().min(1).max(10).default(2).meta({ description: 'Most passages of a result.' }),
      length: z.int().min(20).max(2_000).default(200).meta({ description: 'Most characters in a passage.' }),
    })
    .prefault({})
    .meta({ description: 'How to cut the passages of a result.' }),
})

export const searchResult = z
  .object({
    record: recordView.meta({ description: 'The record.' }),
    score: z
      .number()
      .meta({ description: 'How well it matches, from 0 to 1, relative to everything the caller may see.' }),
    scores: z
      .object({
        text: z.number().meta({
          description:
            'The sum of what the words of the question add; 0 where only the meaning or the conversation matched.',
        }),
        parts: z
          .array(
            z.object({
              part: z.string().meta({ description: 'What the part rests on.' }),
              raw: z
                .number()
                .nullable()
                .meta({ description: 'The figure as it was computed; null if there is none.' }),
              normalised: z.number().meta({
                description: 'The figure as it counts. Words and meanings add up, times the hints.',
              }),
              weight: z.number().meta({ description: 'Its share of the sum.' }),
            }),
          )
          .optional()
          .meta({ description: 'Each part of the score. Only with `explain`.' }),
      })
      .meta({ description: 'What the score is made of.' }),
    matchSurface: z
      .array(z.enum(['title', 'text', 'tags']))
      .meta({ description: 'Where the words were found.' }),
    versionSelectionDisclosure: versionSelectionDisclosure.meta({
      description:
        'Which version of its filing this is, and which visible ones gave way to it; null if there was one.',
    }),
    snippet: snippetOf.meta({ description: 'The passages that match, and where.' }),
  })
  .meta({ id: 'SearchResult', description: 'A record that a search found, how well it matches, and where.' })

const facetCounts = z.array(
  z.object({
    value: z.string().meta({ description: 'The value.' }),
    count: z.int().meta({ description: 'Number of matches that have it.' }),
  }),
)

/** Search by words and by meaning over exactly what the caller may see (NI-1, NI-2). */
export const search = readOperation({
  name: 'memory.search',
  route: 'POST /search',
  summary: 'Search what the caller may see, best first',
  positional: ['query', '...'],
  policies: ['agent', 'reader'],
  sample: world => ({
    ...sampleQuestion(world),
    limit: world.pick([1, 2, 3, 50]),
    facets: ['kind', 'tag', 'corpus', 'person', 'sensitivity', 'scope'],
    ...world.maybe(0.3, { snippet: { passages: 1, length: 40 } }),
  }),
  callers: 'anyone',
  rate: 'query',
  input,
  asks: ({ limit: _, cursor: __, facets: ___, snippet: ____, explain: _____, ...question }) =>
    parseQuestion(question),
  output: z.object({
    results: z.array(searchResult).meta({ description: 'The results, best first.' }),
    count: z.int().meta({ description: 'Number of matches on all pages.' }),
    facets: z
      .partialRecord(z.enum(FACETS), facetCounts)
      .meta({ description: 'Number of matches by value, for each facet that was asked for.' }),
    suggestion,
    notice,
    cursor: nextCursor,
    receipt: receipt.meta({ description: 'What was searched, and how complete the search was.' }),
    expansions,
  }),
  async run(request, { limit, cursor, facets, snippet, explain }, question) {
    const boundTo = cursorBoundary(request, 'memory.search', question.question)
    const after = cursor === undefined ? null : readPageKey(request.parts.secrets.open(cursor, boundTo))
    const asOf = after?.asOf ?? request.now.getTime()
    const searched = await runSearch(request, question, asOf)
    const { executed, segments, account } = searched
    const { page, more } = cutPage(executed.ranked, after, request.atMost(limit))
    const results = await fetchResults(request, searched, page)
    const counts = await countFacets(request, facets, segments, executed.matches)
    for (const { view } of results) request.show(view)
    exposeHints(request, segments, { suggestion: executed.suggestion, expansions: account.expansions })
    request.leave(account.run)
    const last = page.at(-1)
    const allowance = new PassageAllowance(request)
    const long = await cutLongSnippets(request, results, executed.words, snippet, allowance)
    return {
      results: results.map(({ item, row, view }) => {
        const match = describeMatch({ row, view }, executed.words, snippet, allowance, long)
        return {
          record: view,
          score: item.score,
          scores: { text: item.text, ...(explain ? { parts: executed.explain(item) } : {}) },
          versionSelectionDisclosure: discloseVersions(searched, item),
          matchSurface: match.matchSurface,
          snippet: match.snippet,
        }
      }),
      count: executed.matches.count,
      facets: counts,
      suggestion: copySuggestion(executed.suggestion),
      notice: executed.matches.count === 0 ? describeNoResults(account.receipt.resultSetCompleteness) : null,
      cursor:
        more && last !== undefined
          ? request.parts.secrets.seal(writePageKey({ ...last, asOf }), boundTo)
          : null,
      receipt: account.receipt,
      expansions: account.expansions,
    }
  },
})

const SCORE_STEPS = 2 ** 20

/** A place in the order, and the time of the first page, from which recency counts (SC-5). */
export interface PageKey extends RankKey {
  readonly asOf: number
}

// Fixed width, so that a cursor's length tells nothing.
export const writePageKey = ({ asOf, score, layer, id }: PageKey) =>
  [
    String(asOf).padStart(16, '0'),
    String(Math.round(score * SCORE_STEPS)).padStart(8, '0'),
    String(layer).padStart(2, '0'),
    id,
  ].join('')
export const readPageKey = (key: string): PageKey => ({
  asOf: Number(key.slice(0, 16)),
  score: Number(key.slice(16, 24)) / SCORE_STEPS,
  layer: Number(key.slice(24, 26)),
  id: key.slice(26),
})

/** Completes the last word of what is being typed, with words that the caller can see (QX-2). */
export const complete = readOperation({
  name: 'memory.complete',
  route: 'POST /complete',
  summary: 'Complete a word with words that the caller can see',
  positional: ['text', '...'],
  policies: ['agent', 'reader'],
  sample: world => ({ text: world.word().slice(0, 1 + world.below(4)), ...sampleConditions(world) }),
  callers: 'anyone',
  input: z.strictObject({
    text: text(2_000).meta({ description: 'What was typed so far.', example: 'where do the tom' }),
    ...filters,
    limit: z.int().min(1).max(50).default(10).meta({ description: 'Most completions.' }),
  }),
  output: z.object({
    completions: z
      .array(
        z.object({
          text: z.string().meta({ description: 'The whole text with its last word completed.' }),
          word: z.string().meta({ description: 'The completed word.' }),
          records: z.int().meta({ description: 'Number of visible records that have the word.' }),
        }),
      )
      .meta({ description: 'The completions, most frequent first.' }),
  }),
  async run(request, { text, limit, ...conditions }) {
    const visible = await VisibleSet.of(request)
    const segments = narrowToQuestion(
      visible.segments,
      conditions,
      await loadFilterContext(request, conditions),
    )
    const last = tokenize(text).at(-1)
    // A word is completed while it is being typed, not once it has ended.
    if (last === undefined || last.end !== text.length) return { completions: [] }
    const words = wordsWithPrefix(segments, last.term, limit)
    exposeWords(
      request,
      segments,
      words.map(({ word }) => word),
    )
    return {
      completions: words.map(({ word, documents }) => ({
        text: text.slice(0, last.start) + word,
        word,
        records: documents,
      })),
    }
  },
})
