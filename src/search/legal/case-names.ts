import type { Range } from './citation.js'

/** Lower-case words that occur within the name of a case. */
const WITHIN_NAMES = new Set(
  'of the and for in on a an de la del von van der v v. vs vs. ex rel. rel et al. al., re parte behalf & d/b/a'.split(
    ' ',
  ),
)
/** Signals and other words before a citation that are never part of a case name. */
const SIGNAL_WORDS = new Set(
  'see also cf accord but compare contra citing quoting e.g generally under held with cited quoted as id'.split(
    ' ',
  ),
)
const FURTHEST = 160

export interface CaseName {
  readonly name: string
  readonly start: number
  /** The year between the name and the citation, which is California's style. */
  readonly year: number | null
}

const YEAR = /\(((?:1[6-9]|20)\d\d)\)\s{0,4}$/
const COMMA = /,\s{0,4}$/

/** Finds the case name before a citation: `Bell Atl. Corp. v. Twombly, `, or the single name of a short form. */
export function nameBefore(text: string, place: number): CaseName | null {
  const from = Math.max(0, place - FURTHEST)
  let before = text.slice(from, place)
  const year = YEAR.exec(before)
  if (year !== null) before = before.slice(0, year.index)
  else if (COMMA.test(before)) before = before.replace(COMMA, '')
  else return null
  const words = [...before.matchAll(/\S+/g)]
  // Drops a first word that the slice cut in half.
  if (from > 0 && words[0]?.index === 0) words.shift()
  let first = words.length
  while (first > 0 && isOfName(words[first - 1]?.[0] ?? '', first === words.length)) first--
  while (first < words.length && isBeforeName(words[first]?.[0] ?? '', words[first + 1]?.[0] ?? '')) first++
  const start = words[first]?.index
  if (start === undefined) return null
  const opening = /^["“‘'([]/.test(before.charAt(start)) ? 1 : 0
  const name = before
    .slice(start + opening)
    .trim()
    .replace(/\s+/g, ' ')
  return /^\p{Lu}|^\d/u.test(name)
    ? { name, start: from + start + opening, year: year === null ? null : Number(year[1]) }
    : null
}

function isOfName(word: string, last: boolean): boolean {
  if (/[;:!?”]$|[)\]]/.test(word) || (last && /[,.]$/.test(word) && !/^\p{Lu}/u.test(word))) return false
  if (SIGNAL_WORDS.has(bare(word))) return false
  return WITHIN_NAMES.has(word) || /^["“‘'([]?[\p{Lu}\d&]/u.test(word)
}

/** `In re` begins a case name, but `in` alone does not. */
function isBeforeName(word: string, next: string): boolean {
  if (/^(?:in|ex)$/i.test(word) && /^(?:re|parte|rel\.)$/i.test(next)) return false
  return WITHIN_NAMES.has(word) || /^(?:In|The|But|And)$/.test(word)
}

const bare = (word: string) => word.toLowerCase().replace(/^[("“[]+|[.,]+$/g, '')

const SIGNAL =
  /(?:^|[\s("“;.])((?:but )?(?:see|cf\.?)(?:,? (?:also|generally|e\.g\.))?|accord|contra|compare|citing|quoting),?\s{1,4}$/i

/** Finds the signal directly before a place, such as `see also`. */
export function signalBefore(text: string, place: number): Range | null {
  const from = Math.max(0, place - 24)
  const found = SIGNAL.exec(text.slice(from, place))
  if (found === null) return null
  const word = found[1] ?? ''
  const start = from + found.index + found[0].indexOf(word)
  return { start, end: start + word.length }
}

/** The words by which two case names are compared. */
export const nameWords = (name: string) =>
  (name.toLowerCase().match(/[\p{L}\p{N}]{2,}/gu) ?? []).filter(
    word => !WITHIN_NAMES.has(word) && word !== 'vs',
  )
