import { tokenize } from '../search/tokenize.js'

/** So many words in a row are compared. */
const RUN = 3
/** The least share of its runs that the poorer of two texts has in common with the other. */
const LEAST_SHARE = 0.1
/** As much of a text as is looked at. */
const MOST_CHARACTERS = 200_000

/**
 * Whether two texts look like versions of one: by runs of words, as single ones are common to all texts of a trade. Null
 * where one of them has no words.
 */
export function isSimilarText(text: string, other: string): boolean | null {
  const [few, many] = [runsOf(text), runsOf(other)].toSorted((a, b) => a.size - b.size) as [
    Set<string>,
    Set<string>,
  ]
  if (few.size === 0) return null
  let shared = 0
  for (const run of few) if (many.has(run)) shared++
  return shared >= few.size * LEAST_SHARE
}

/** What is shorter than a run is one by itself. */
function runsOf(text: string): Set<string> {
  const words = tokenize(text.slice(0, MOST_CHARACTERS)).map(({ term }) => term)
  const runs = new Set<string>()
  const length = Math.min(RUN, words.length)
  if (length > 0)
    for (let at = 0; at + length <= words.length; at++) runs.add(words.slice(at, at + length).join(' '))
  return runs
}
