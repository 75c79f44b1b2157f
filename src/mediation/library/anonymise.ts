import { PrivityError } from '../../errors.js'
import { KnownNames } from './known-names.js'
import { PLACEHOLDERS, type PlaceholderKind, type ScannedToken, scan } from './scan.js'

/** A title and text, as written or anonymised. */
export interface Wording {
  readonly title: string
  readonly text: string
}

export const REPLACED = Object.keys(PLACEHOLDERS) as readonly PlaceholderKind[]

export interface AnonymisedWording extends Wording {
  /** How many items of each kind were replaced. */
  readonly replaced: Readonly<Record<PlaceholderKind, number>>
}

const MOST_CHARACTERS = { title: 200, text: 2_000 }
const MOST_PASSES = 100

/**
 * Removes from a text what could identify its author or the people in it: names that the author knows, and anything
 * that looks like a name, an address, a time or an amount. It rather replaces too much, because the author reads the
 * result before it is shared and may rephrase it. Anonymising a second time changes nothing.
 */
export function anonymise({ title, text }: Wording, knownNames: readonly string[]): AnonymisedWording {
  const names = new KnownNames(knownNames)
  const replaced = Object.fromEntries(REPLACED.map(kind => [kind, 0])) as Record<PlaceholderKind, number>
  const cleared = (field: keyof Wording, value: string) => {
    requireShort(field, value)
    const result = settled(value, names, replaced)
    requireShort(field, result)
    if (!saysSomething(result))
      throw new PrivityError(
        'invalid_input',
        `${field}: nothing is left after anonymising; write it without names and addresses`,
      )
    return result
  }
  return { title: cleared('title', title), text: cleared('text', text), replaced }
}

function requireShort(field: keyof Wording, value: string): void {
  if (value.length > MOST_CHARACTERS[field])
    throw new PrivityError('too_large', `${field}: must be at most ${MOST_CHARACTERS[field]} characters`)
}

const saysSomething = (text: string) => scan(text).some(({ token }) => token === 'word' || token === 'digits')

/**
 * Repeats the replacement until nothing changes, because a replacement may expose something else. Each pass leaves
 * fewer words or fewer placeholders, so the loop ends.
 */
function settled(text: string, names: KnownNames, replaced: Record<PlaceholderKind, number>): string {
  let before = tidy(text)
  for (let passes = 0; passes < MOST_PASSES; passes++) {
    const after = tidy(pass(before, names, replaced))
    if (after === before) return after
    before = after
  }
  throw new PrivityError(
    'invalid_input',
    'text: nothing is left after anonymising; write it without names and addresses',
  )
}

/** Repeated placeholders, as from a name of several words, are merged into one. */
const NEIGHBOURS = new RegExp(
  Object.values(PLACEHOLDERS)
    .map(placeholder => `(?<=(?<![\\p{L}\\p{N}])${placeholder})(?:[ -]+${placeholder})+(?![\\p{L}\\p{N}])`)
    .join('|'),
  'giu',
)
/** Invisible characters, which would keep a name from being found. */
const INVISIBLE = /[\u{ad}\u{200b}\u{2060}\u{feff}]/gu
const tidy = (text: string) =>
  text.replaceAll(INVISIBLE, '').normalize('NFC').replaceAll(NEIGHBOURS, '').trim()

function pass(text: string, names: KnownNames, replaced: Record<PlaceholderKind, number>): string {
  const found = scan(text)
  // A word that is capitalized within a sentence is also a name when it begins another sentence.
  const capitals = new Set(
    found
      .filter(({ token, startsSentence, value }) => token === 'word' && !startsSentence && isCapital(value))
      .map(({ value }) => plainOf(value)),
  )
  let out = ''
  let end = 0
  for (const [at, item] of found.entries()) {
    const kind = kindOf(item, { names, capitals, before: found[at - 1], after: found[at + 1] })
    out += text.slice(end, item.start)
    end = item.start + item.value.length
    if (kind !== null) {
      replaced[kind]++
      const suffix = item.token === 'word' ? (CONTRACTION.exec(item.value)?.[0] ?? '') : ''
      out += placeholderOf(kind, item.startsSentence) + suffix
    } else {
      const parts = item.token === 'word' ? names.partsAround(item.value) : [item.value]
      replaced.names += parts.length - 1
      out += parts.join(PLACEHOLDERS.names)
    }
  }
  return out + text.slice(end)
}

function placeholderOf(kind: PlaceholderKind, startsSentence: boolean): string {
  const placeholder = PLACEHOLDERS[kind]
  return startsSentence ? placeholder.charAt(0).toUpperCase() + placeholder.slice(1) : placeholder
}

interface Neighbourhood {
  readonly names: KnownNames
  /** Words that are capitalized within a sentence. */
  readonly capitals: ReadonlySet<string>
  readonly before: ScannedToken | undefined
  readonly after: ScannedToken | undefined
}

/** The kind of placeholder that must replace a token; null if the token may stay. */
function kindOf(item: ScannedToken, around: Neighbourhood): PlaceholderKind | null {
  const { token, value } = item
  switch (token) {
    case 'placeholder':
      // Somebody may be called Place.
      return value.slice(1) === value.slice(1).toLowerCase() ? null : 'names'
    case 'digits':
      if (/^(?:19|20)\d\d$/.test(value)) return 'times'
      return value.replaceAll(/\P{Nd}/gu, '').length >= 4 ? 'numbers' : null
    case 'initials':
      return isCapital(value) ? 'names' : null
    case 'word':
      return kindOfWord(item, around)
    default:
      return token
  }
}

const CONTRACTION = /['’](?:s|d|m|t|ll|re|ve)$/i
const plainOf = (word: string) => word.replace(CONTRACTION, '').toLowerCase()
/** Whether a word has a capital, also in the middle, as in McEwan or iBertha. */
const isCapital = (word: string) => /^[\p{Lu}\p{Lt}]|\p{Ll}[\p{Lu}\p{Lt}]/u.test(word)

/** Words that are always capitalized and identify nobody. */
const ORDINARY = new Set(
  'i monday tuesday wednesday thursday friday saturday sunday mondays tuesdays wednesdays thursdays fridays saturdays sundays english christmas easter ok tv internet'.split(
    ' ',
  ),
)
const MONTHS = new Set(
  'january february march april may june july august september october november december'.split(' '),
)
const BEFORE_A_PLACE = new Set('in at near around from outside into'.split(' '))
/** Words that often begin a sentence and are not names. */
const OPENERS = new Set(
  `a after again all also always an and another anyone ask at bake be because before begin both bring but buy by call
  change choose come cook count dear did do does draw each eat either even ever every everybody everyone find finish
  first for from get give go had has have he hear help her here his how if imagine in instead invite is it its just keep
  last leave let like listen look love make maybe meet most my name neither never next no nobody not notice now of often
  on once one only or our pick plan play please put read remember repeat say see send set share she show sit sleep so
  some somebody someone sometimes speak spend start stay still stop take talk tell thank thanks that the their then there
  these they think this those three to today together tomorrow tonight trade try turn twice two until use visit wait walk
  was watch we were what when whenever where which while who whoever whose why with without work write yes yesterday you
  your`.split(/\s+/),
)

function kindOfWord(
  { value, startsSentence }: ScannedToken,
  { names, capitals, before, after }: Neighbourhood,
): PlaceholderKind | null {
  // A word with digits is a user name or the number of something.
  if (names.has(value.replace(CONTRACTION, '')) || /\p{N}/u.test(value)) return 'names'
  const plain = plainOf(value)
  if (!isCapital(value) || ORDINARY.has(plain)) return null
  if (!startsSentence) {
    if (MONTHS.has(plain)) return 'times'
    return BEFORE_A_PLACE.has(before?.value.toLowerCase() ?? '') ? 'places' : 'names'
  }
  // Every word is capitalized at the start of a sentence, so a name needs more evidence there.
  if (OPENERS.has(plain)) return null
  const isOfSomeone = /['’]s$/i.test(value)
  return isOfSomeone || capitals.has(plain) || isSurname(after) ? 'names' : null
}

const isSurname = (after: ScannedToken | undefined) =>
  after?.token === 'word' &&
  !after.startsSentence &&
  isCapital(after.value) &&
  !ORDINARY.has(plainOf(after.value))
