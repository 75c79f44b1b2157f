import { tokenize } from '../search/tokenize.js'

/** How many words in a row are compared at a time. */
const RUN = 3
/** The smallest share of its runs that the text with fewer runs must have in common with the other. */
const LEAST_SHARE = 0.1
/** How much of each text is compared, in characters. */
const MOST_CHARACTERS = 200_000

/**
 * Whether two texts look like versions of one document. It compares runs of words, because single words are common to
 * all texts of one profession. Null if one of the texts has no words.
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

/** All runs of words. A text shorter than a run is one run. */
function runsOf(text: string): Set<string> {
  const words = tokenize(text.slice(0, MOST_CHARACTERS)).map(({ term }) => term)
  const runs = new Set<string>()
  const length = Math.min(RUN, words.length)
  if (length > 0)
    for (let at = 0; at + length <= words.length; at++) runs.add(words.slice(at, at + length).join(' '))
  return runs
}
