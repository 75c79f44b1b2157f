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
 * The needs and the feelings that somebody tells of, those told most often first. A need is told of by its lack as
 * well; a feeling counts only where it is the speaker's and not denied.
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

/** The feelings that somebody tells of another person, as an empathy draft does. */
export function recogniseInAnother(text: string): string[] {
  const clauses = clausesOf(text)
  return strongestFirst(FEELING_PATTERNS, pattern =>
    count(clauses, pattern, (before, after) => !denied(before) && ofAnother(before, after)),
  )
}

/** Whether any word of a need or feeling is in the text, whoever it is of. */
export function mentionsNeedOrFeeling(text: string): boolean {
  const clauses = clausesOf(text)
  return [...NEED_PATTERNS, ...FEELING_PATTERNS].some(
    ({ pattern }) => count(clauses, pattern, () => true) > 0,
  )
}

/** The name under which a feeling may be told, for a name or a word of it; nothing for any other text. */
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

/** As many characters around a word tell what is meant by it. */
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
/** A denial before one of these is not about what follows: "cannot help feeling sad", "not just angry". */
const ENDS_DENIAL = new Set(
  'i we he she you they it but just only merely simply because so that stop help hide deny shake bear stand escape avoid know wonder doubt'.split(
    ' ',
  ),
)
const DENIAL_REACH = 4

/** Words before a feeling come nearest first. */
function denied(before: readonly string[]): boolean {
  for (const [at, word] of before.slice(0, DENIAL_REACH).entries()) {
    if (DENIALS.has(word)) return !(word === 'never' && isSuperlative(before.slice(0, at)))
    // "not so angry" denies it, "so" by itself does not end the search
    if (ENDS_DENIAL.has(word) && !(word === 'so' && before[at + 1] === 'not')) return false
  }
  return false
}

/** Never been so hurt, never felt this lonely. */
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
/** What is no person may be upsetting, and then it upsets the speaker. */
const NOT_A_PERSON = new Set('it this that what which everything all nothing there home life'.split(' '))
const SUBJECT_REACH = 7

/** "She is angry" is not the speaker's feeling, "she makes me angry" and "he scares me" are. */
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
