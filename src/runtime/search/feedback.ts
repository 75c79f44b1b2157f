import { NONE, shownLevel } from '../../policy/faces.js'
import {
  FEEDBACK_DOCUMENTS,
  FEEDBACK_WORDS,
  type FeedbackTerm,
  feedbackTerms,
} from '../../search/feedback.js'
import { type RankedDocument, rankMatches } from '../../search/rank.js'
import { tokenize } from '../../search/tokenize.js'
import type { VisibleSegment, VisibleSet } from '../index/visible-set.js'
import { shownTexts } from '../record-view.js'
import { type ReadRequest, timesOf } from '../request.js'
import { layersIn, type PlanMatches } from './execute.js'
import { disagreement, LEVEL_OF } from './faces-seen.js'
import type { ValidPlan } from './plan.js'

/**
 * Terms that are frequent in the best matches and not in the question; empty if there are no further matches to rank.
 */
export async function feedbackFor(
  request: ReadRequest,
  { question }: ValidPlan,
  visible: VisibleSet,
  segments: readonly VisibleSegment[],
  { matches, language }: PlanMatches,
): Promise<FeedbackTerm[]> {
  if (!question.feedback || question.mode === 'vector' || matches.count <= FEEDBACK_DOCUMENTS) return []
  // By their own words: the turns around them say less about the subject.
  const alone = { ...matches, conversations: null }
  const best = rankMatches(segments, alone, layersIn(segments), FEEDBACK_DOCUMENTS).filter(
    ({ text }) => text > 0,
  )
  const words = await wordsSeen(request, visible, segments, best)
  const telling = best.map(({ text }, at) => ({ score: text, words: words[at] ?? [] }))
  return feedbackTerms(segments, matches, telling, language, question.stemming)
}

/**
 * The words of some documents in the faces that the caller sees (NI-4), read under row-level security and decided
 * again.
 */
async function wordsSeen(
  request: ReadRequest,
  visible: VisibleSet,
  segments: readonly VisibleSegment[],
  items: readonly RankedDocument[],
): Promise<string[][]> {
  const rows = await request.parts.reads.faces(items.map(({ id }) => id).sort())
  const faces = visible.faces(rows.map(row => ({ tuple: row.tuple, times: timesOf(row) })))
  return items.map(({ id, part, document }) => {
    const at = rows.findIndex(row => row.id === id)
    const level = shownLevel(faces[at] ?? NONE)
    const row = rows[at]
    const maskLevel = segments[part]?.mask.levels[document] ?? 0
    if (row === undefined || level === 'none' || level !== LEVEL_OF[maskLevel]) throw disagreement(request)
    return shownTexts(row, level).flatMap(firstWords)
  })
}

/** How many characters of a text are read. */
const LOOKED_AT = 8 * FEEDBACK_WORDS

/** The words of a text's beginning, without a word that is cut off at its end. */
function firstWords(text: string): string[] {
  const beginning = text.slice(0, LOOKED_AT)
  const tokens = tokenize(beginning)
  return tokens
    .filter(({ end }) => end < LOOKED_AT || text.length === beginning.length)
    .map(({ term }) => term)
}
