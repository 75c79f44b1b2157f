import { z } from 'zod'
import { parseQuery } from '../../search/query.js'
import type { RankKey } from '../../search/rank.js'
import { wordsWithPrefix } from '../../search/suggest.js'
import { tokenize } from '../../search/tokenize.js'
import { VisibleSet } from '../index/visible-set.js'
import { text } from '../input.js'
import { readOperation } from '../operation.js'
import { recordView } from '../record-view.js'
import type { ReadRequest } from '../request.js'
import { describeNothing } from '../search/completeness.js'
import { countFacets } from '../search/facets.js'
import { askedOf } from '../search/meant.js'
import { askingOf, narrow } from '../search/predicates.js'
import { FACETS, filters, QUESTION, question } from '../search/question.js'
import { expansionRecord, receipt } from '../search/receipt.js'
import {
  describeMatch,
  discloseVersions,
  fetchResults,
  pageOf,
  runSearch,
  snippet as snippetOf,
  versionSelectionDisclosure,
} from '../search/run.js'

const input = z.strictObject({
  ...QUESTION,
  limit: z.int().min(1).max(100).default(10),
  cursor: text(2_000).optional(),
  /** Whether results say what their scores are made of. */
  explain: z.boolean().default(false),
  facets: z.array(z.enum(FACETS)).max(FACETS.length).default(['kind', 'tag']),
  snippet: z
    .strictObject({
      passages: z.int().min(1).max(10).default(2),
      /** Characters in a passage, at most. */
      length: z.int().min(20).max(2_000).default(200),
    })
    .prefault({}),
})
type Input = z.output<typeof input>

export const searchResult = z.object({
  record: recordView,
  /** From 0 to 1, relative to everything this caller can see. */
  score: z.number(),
  scores: z.object({
    /** As it was before normalising; 0 where only the meaning matched. */
    text: z.number(),
    /** On request: each part, normalised over everything this caller can see, and its share of the score. */
    parts: z
      .array(
        z.object({
          part: z.string(),
          raw: z.number().nullable(),
          normalised: z.number(),
          weight: z.number(),
        }),
      )
      .optional(),
  }),
  matchSurface: z.array(z.enum(['title', 'text', 'tags'])),
  /** Where versions of its filing unit merged: which one this is, and which visible ones gave way to it. */
  versionSelectionDisclosure,
  /** Offsets into the title, and passages of the text with offsets into each. */
  snippet: snippetOf,
})

const facetCounts = z.array(z.object({ value: z.string(), count: z.int() }))

/** Search by words and by meaning over exactly what the caller may see (NI-1, NI-2). */
export const search = readOperation({
  name: 'memory.search',
  summary: 'Search what the caller may see, best first',
  callers: 'anyone',
  rate: 'query',
  input,
  asks: asked => askedOf({ question: asked, query: parseQuery(asked.query) }),
  output: z.object({
    results: z.array(searchResult),
    /** Matches in all. */
    count: z.int(),
    facets: z.partialRecord(z.enum(FACETS), facetCounts),
    suggestion: z
      .object({ query: z.string(), terms: z.array(z.object({ from: z.string(), to: z.string() })) })
      .nullable(),
    /** What to say when nothing was found. */
    notice: z.string().nullable(),
    cursor: z.string().nullable(),
    receipt,
    expansions: z.array(expansionRecord),
  }),
  async run(request, asked) {
    const { limit, cursor, facets, snippet, explain, ...question } = asked
    const boundTo = boundary(request, asked)
    const after = cursor === undefined ? null : readPageKey(request.parts.secrets.open(cursor, boundTo))
    const asOf = after?.asOf ?? request.now.getTime()
    const searched = await runSearch(request, question, asOf)
    const { executed, segments, account } = searched
    const { page, more } = pageOf(executed.ranked, after, request.atMost(limit))
    const results = await fetchResults(request, searched, page)
    const counts = await countFacets(request, facets, segments, executed.matches)
    for (const { view } of results) request.show(view)
    request.leave(account.run)
    const last = page.at(-1)
    return {
      results: results.map(({ item, view }) => ({
        record: view,
        score: item.score,
        scores: { text: item.text, ...(explain ? { parts: executed.explain(item) } : {}) },
        versionSelectionDisclosure: discloseVersions(searched, item),
        ...describeMatch(view, executed.words, snippet),
      })),
      count: executed.matches.count,
      facets: counts,
      suggestion:
        executed.suggestion === null
          ? null
          : { ...executed.suggestion, terms: [...executed.suggestion.terms] },
      notice: executed.matches.count === 0 ? describeNothing(account.receipt.resultSetCompleteness) : null,
      cursor:
        more && last !== undefined
          ? request.parts.secrets.seal(writePageKey({ ...last, asOf }), boundTo)
          : null,
      receipt: account.receipt,
      expansions: account.expansions,
    }
  },
})

/** What a cursor belongs to: this caller asking this question (NI-9). */
function boundary({ parts }: ReadRequest, asked: Input): string {
  const { cursor: _, limit: __, facets: ___, snippet: ____, explain: _____, ...question } = asked
  return JSON.stringify(['memory.search', parts.actorId, parts.forId, parts.caller.audience, question])
}

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
  summary: 'Complete a word with words that the caller can see',
  callers: 'anyone',
  input: z.strictObject({
    text: text(2_000),
    ...filters,
    limit: z.int().min(1).max(50).default(10),
  }),
  output: z.object({
    /** The whole text with its last word completed, the word, and how many visible records have it. */
    completions: z.array(z.object({ text: z.string(), word: z.string(), records: z.int() })),
  }),
  async run(request, { text, limit, ...asked }) {
    const visible = await VisibleSet.of(request)
    const conditions = question.parse({ ...asked, query: 'any' })
    const segments = narrow(visible.segments, conditions, await askingOf(request, conditions))
    const last = tokenize(text).at(-1)
    // A word is completed while it is being typed, not once it has ended.
    if (last === undefined || last.end !== text.length) return { completions: [] }
    return {
      completions: wordsWithPrefix(segments, last.term, limit).map(({ word, documents }) => ({
        text: text.slice(0, last.start) + word,
        word,
        records: documents,
      })),
    }
  },
})
