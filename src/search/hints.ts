import { isCommon, type KnownLanguage } from './common-words.js'
import { FULL_LEVEL } from './mask.js'
import type { VisiblePart } from './match.js'
import { isOnOneOf, namedDays } from './named-days.js'
import { tokenize } from './tokenize.js'
import { ASKS, wantedBy } from './traits.js'

// Factors of a score. Each was tried on several sets of conversations, and helped on those it applies to.
/** Said by somebody whom the question names. */
const SPOKEN = 1.3
/** Happened on a day that the question names. */
const SAME_DAY = 1.6
/** Names a time where the question asks when, or a number where it asks how many. */
const FITTING = 1.1
/** Asks itself: a question is rarely the answer to one. */
const ASKING = 0.9

/** A factor by which what a question asks for raises or lowers the score of a document that it sees in full. */
export type Hint = (part: number, document: number) => number

/** The hints that a question gives; null if it gives none. They rest on the question and on the document alone. */
export function hintsOf(
  parts: readonly VisiblePart[],
  question: string,
  language: KnownLanguage,
): Hint | null {
  const days = namedDays(question)
  const { answers, isQuestion } = wantedBy(question)
  const speakers = namedSpeakers(parts, question, language)
  if (days.length === 0 && answers === 0 && !isQuestion && speakers === null) return null
  return (part, document) => {
    const { segment, mask } = parts[part] as VisiblePart
    // Lesser faces show neither the speaker nor the time nor the text.
    if (mask.levels[document] !== FULL_LEVEL) return 1
    const { speaker, traits, occurredAt } = segment.data
    let factor = 1
    if (speakers?.[part]?.[speaker[document] as number] === 1) factor *= SPOKEN
    if (days.length > 0 && isOnOneOf(days, occurredAt[document] as number)) factor *= SAME_DAY
    const own = traits[document] as number
    if ((own & answers) !== 0) factor *= FITTING
    if (isQuestion && (own & ASKS) !== 0) factor *= ASKING
    return factor
  }
}

const SHORTEST_NAME = 3

/** For each part, which of its speakers the question names, by their numbers; null if it names none. */
function namedSpeakers(
  parts: readonly VisiblePart[],
  question: string,
  language: KnownLanguage,
): readonly Uint8Array[] | null {
  if (parts.every(({ segment }) => segment.data.speakers.length === 0)) return null
  const words = new Set(tokenize(question).map(({ term }) => term.replace(/'s?$/, '')))
  const isNamed = (speaker: string) =>
    tokenize(speaker).some(
      ({ term }) => term.length >= SHORTEST_NAME && words.has(term) && !isCommon(term, language),
    )
  const named = parts.map(({ segment }) =>
    Uint8Array.from([0, ...segment.data.speakers.map(speaker => (isNamed(speaker) ? 1 : 0))]),
  )
  return named.some(flags => flags.includes(1)) ? named : null
}
