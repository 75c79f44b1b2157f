import { foldName, isEmailAddress, isUnknownSpeaker } from './person-name.js'

/** Why two names may be those of one person. */
export const LIKENESSES = ['accents', 'lookalike', 'word_order', 'email', 'initial', 'part_of_name'] as const
export type Likeness = (typeof LIKENESSES)[number]

/** Letters of other scripts that look like Latin ones. */
const LOOKALIKES: Readonly<Record<string, string>> = {
  а: 'a',
  в: 'b',
  е: 'e',
  і: 'i',
  к: 'k',
  м: 'm',
  н: 'h',
  о: 'o',
  р: 'p',
  с: 'c',
  т: 't',
  у: 'y',
  х: 'x',
  α: 'a',
  β: 'b',
  ε: 'e',
  ι: 'i',
  κ: 'k',
  ν: 'v',
  ο: 'o',
  ρ: 'p',
  τ: 't',
  υ: 'u',
  χ: 'x',
}

const plain = (key: string) => key.normalize('NFD').replace(/\p{M}/gu, '')
const latin = (key: string) => [...plain(key)].map(letter => LOOKALIKES[letter] ?? letter).join('')
const words = (key: string) => plain(key).replace(/[.,_]/g, ' ').split(/\s+/).filter(Boolean)

/**
 * Why two names may belong to one person, the best reason first in `LIKENESSES`; null if nothing speaks for it. It is a
 * proposal: nobody is merged by it (PC-7).
 */
export function likeness(one: string, other: string): Likeness | null {
  const [a, b] = [foldName(one), foldName(other)]
  if (a === b || isUnknownSpeaker(one) || isUnknownSpeaker(other)) return null
  if (isEmailAddress(a) !== isEmailAddress(b)) return isAddressOf(a, b) ? 'email' : null
  if (isEmailAddress(a)) return null
  if (plain(a) === plain(b)) return 'accents'
  if (latin(a) === latin(b)) return 'lookalike'
  const [ofA, ofB] = [words(a), words(b)]
  if (ofA.length > 1 && ofA.length === ofB.length && [...ofA].sort().join() === [...ofB].sort().join())
    return 'word_order'
  if (isInitialOf(ofA, ofB) || isInitialOf(ofB, ofA)) return 'initial'
  const [fewer, more] = ofA.length < ofB.length ? [ofA, ofB] : [ofB, ofA]
  const isPart = fewer.length < more.length && fewer.every(word => word.length > 2 && more.includes(word))
  return isPart ? 'part_of_name' : null
}

/** `b. smith` for `ben smith`. */
function isInitialOf(short: readonly string[], long: readonly string[]): boolean {
  return (
    short.length === long.length &&
    short.length > 1 &&
    short.some((word, at) => word.length === 1 && (long[at]?.length ?? 0) > 1) &&
    short.every((word, at) => (word.length === 1 ? long[at]?.startsWith(word) : word === long[at]))
  )
}

/** `ben.smith@example.org` for `ben smith`, also as `bsmith` or `smith`. */
function isAddressOf(a: string, b: string): boolean {
  const [address, name] = isEmailAddress(a) ? [a, b] : [b, a]
  const local = plain(address.replace(/@.*/s, '').replace(/\+.*/s, ''))
  const parts = words(name)
  if (parts.length < 2) return parts[0] !== undefined && parts[0].length > 2 && local === parts[0]
  const [first = '', last = ''] = [parts[0], parts.at(-1)]
  const bare = local.replace(/[._-]/g, '')
  return [first + last, last + first, first.slice(0, 1) + last, first + last.slice(0, 1)].includes(bare)
}

/** The first letters of the words in a name: names that are alike have one in common. */
export const startsOf = (name: string): string[] =>
  latin(foldName(name))
    .split(/[\s.,@_-]+/)
    .filter(Boolean)
    .map(word => word.slice(0, 1))
