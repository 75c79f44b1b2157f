import { FEELINGS } from './feelings.js'
import { NEED_WORDS } from './need-words.js'
import { NEED_CATEGORIES, type NeedCategory } from './needs.js'
import { makePhrasePattern } from './phrases.js'
import { clausesOf } from './words.js'

const NEED_PATTERNS = NEED_CATEGORIES.map(category => ({
  value: category,
  pattern: makePhrasePattern(NEED_WORDS[category]),
}))
const FEELING_PATTERNS = FEELINGS.map(({ name, words }) => ({
  value: name,
  pattern: makePhrasePattern(words),
}))

export interface NeedsAndFeelings {
  readonly needs: NeedCategory[]
  readonly feelings: string[]
}

/**
 * The needs and feelings that a text expresses, the most frequent first. Lacking something expresses a need too. A
 * feeling counts only if it is the speaker's own and not denied.
 *
 * @example
 * recognise("I'm not angry. I feel ignored and hurt, and she is furious.")
 * // { needs: ['RECOGNITION'], feelings: ['hurt', 'unseen'] }
 */
export function recognise(text: string): NeedsAndFeelings {
  const clauses = clausesOf(text)
  return {
    needs: strongestFirst(NEED_PATTERNS, pattern => count(clauses, pattern, () => true)),
    feelings: strongestFirst(FEELING_PATTERNS, pattern =>
      count(clauses, pattern, (before, after) => !denied(before) && !ofAnother(before, after)),
    ),
  }
}

/** The feelings that a text attributes to another person, as an empathy draft does. */
export function recogniseInAnother(text: string): string[] {
  const clauses = clausesOf(text)
  return strongestFirst(FEELING_PATTERNS, pattern =>
    count(clauses, pattern, (before, after) => !denied(before) && ofAnother(before, after)),
  )
}

/** Whether a text contains any word for a need or feeling, whoever has it. */
export function mentionsNeedOrFeeling(text: string): boolean {
  const clauses = clausesOf(text)
  return [...NEED_PATTERNS, ...FEELING_PATTERNS].some(
    ({ pattern }) => count(clauses, pattern, () => true) > 0,
  )
}

/** The gentle name of a feeling, given its name or one of its words; undefined for any other text. */
export function findGentleName(feeling: string): string | undefined {
  const [clause = ''] = clausesOf(feeling)
  const named = FEELINGS.find(({ name }) => name === clause)
  return named?.name ?? FEELING_PATTERNS.find(({ pattern }) => clause.match(pattern)?.[0] === clause)?.value
}

function strongestFirst<T>(
  entries: readonly { readonly value: T; readonly pattern: RegExp }[],
  strength: (pattern: RegExp) => number,
): T[] {
  return entries
    .map(({ value, pattern }) => ({ value, times: strength(pattern) }))
    .filter(({ times }) => times > 0)
    .sort((one, other) => other.times - one.times)
    .map(({ value }) => value)
}

/** How many characters on each side of a word decide what it means. */
const REACH = 200

function count(
  clauses: readonly string[],
  pattern: RegExp,
  counts: (before: string[], after: string) => boolean,
): number {
  let times = 0
  for (const clause of clauses)
    for (const { 0: found, index } of clause.matchAll(pattern)) {
      const before = clause
        .slice(Math.max(0, index - REACH), index)
        .split(' ')
        .filter(Boolean)
        .reverse()
      const end = index + found.length + 1
      const [after = ''] = clause.slice(end, end + REACH).split(' ')
      if (counts(before, after)) times++
    }
  return times
}

const DENIALS = new Set(['not', 'never', 'no', 'without', 'hardly', 'barely', 'neither', 'nor'])
/** Words that end the scope of a denial: "cannot help feeling sad", "not just angry". */
const ENDS_DENIAL = new Set(
  'i we he she you they it but just only merely simply because so that stop help hide deny shake bear stand escape avoid know wonder doubt'.split(
    ' ',
  ),
)
const DENIAL_REACH = 4

/** Whether a feeling is denied. The words before it come nearest first. */
function denied(before: readonly string[]): boolean {
  for (const [at, word] of before.slice(0, DENIAL_REACH).entries()) {
    if (DENIALS.has(word)) return !(word === 'never' && isSuperlative(before.slice(0, at)))
    // "so" ends the scope of a denial, except in "not so angry".
    if (ENDS_DENIAL.has(word) && !(word === 'so' && before[at + 1] === 'not')) return false
  }
  return false
}

/** "Never been so hurt" and "never felt this lonely" affirm the feeling. */
const isSuperlative = (between: readonly string[]): boolean =>
  between.some(word => ['so', 'this', 'more', 'as', 'such'].includes(word))

const SELF = new Set('i me my myself mine we us our ourselves'.split(' '))
const OTHERS = new Set(
  `you he she they who husband wife partner spouse boyfriend girlfriend fiance fiancee ex mother father mom dad sister
   brother son daughter kids children everyone everybody people`.split(/\s+/),
)
const OF_A_THIRD = new Set(
  'is was gets got seems seemed looks looked feels has becomes became acts'.split(' '),
)
/** Subjects that are not people: what they upset is the speaker. */
const NOT_A_PERSON = new Set('it this that what which everything all nothing there home life'.split(' '))
const SUBJECT_REACH = 7

/** "She is angry" is not the speaker's feeling; "she makes me angry" and "he scares me" are. */
function ofAnother(before: readonly string[], after: string): boolean {
  if (after === 'me' || after === 'my' || after === 'us') return false
  for (const [at, word] of before.slice(0, SUBJECT_REACH).entries()) {
    if (SELF.has(word)) return false
    if (OTHERS.has(word)) return true
    if (NOT_A_PERSON.has(word)) return false
    const subject = before[at + 1]
    if (OF_A_THIRD.has(word) && subject !== undefined && !SELF.has(subject) && !isModifier(subject))
      return !NOT_A_PERSON.has(subject)
  }
  return false
}

const isModifier = (word: string): boolean =>
  ['always', 'never', 'often', 'just', 'really', 'still', 'also', 'has', 'had'].includes(word)
