import { foldName } from '../policy/person-name.js'
import { type Recognised, recogniseContent } from '../policy/recognise/classes.js'
import type { PersonRow } from '../storage/queries/people.js'
import type { JobResult } from './threads/threads.js'

export type KnownPerson = Pick<PersonRow, 'personId' | 'name' | 'aliases'>

/** Somebody who is named in a text, and how. */
export interface FoundPerson extends KnownPerson {
  readonly found: string
}

/** What a text says that calls for a stricter label. */
export interface TextReading {
  readonly recognised: readonly Recognised[]
  readonly people: readonly FoundPerson[]
}

/** A text, and the people who may be named in it. */
export interface ReadText {
  readonly text: string
  readonly people: readonly KnownPerson[]
}

/** Reads texts in a thread. */
export default (texts: readonly ReadText[]): JobResult<TextReading[]> => ({ value: texts.map(recogniseText) })

export const recogniseText = ({ text, people }: ReadText): TextReading => ({
  recognised: recogniseContent(text),
  people: peopleIn(text, people),
})

/** A name that is a common word, or too short, tells of nobody. */
const LEAST_NAME = 3

/** The people whose names stand in a text as whole words. Case counts, since many names are words too. */
function peopleIn(text: string, people: readonly KnownPerson[]): FoundPerson[] {
  if (people.length === 0) return []
  const folded = ` ${foldName(text.replace(/[^\p{L}\p{N}@'’.\- ]/gu, ' '))} `
  const capitals = new Set(text.match(/\p{Lu}[\p{L}'’-]*/gu)?.map(foldName))
  return people.flatMap(person => {
    const named = [person.name, ...person.aliases].find(known => {
      const key = foldName(known)
      const [first = ''] = key.split(' ')
      if (
        key.length < LEAST_NAME ||
        !folded.includes(key) ||
        !new RegExp(`(?<![\\p{L}\\p{N}])${escapeRegExp(key)}(?![\\p{L}\\p{N}])`, 'u').test(folded)
      )
        return false
      return key.includes('@') || capitals.has(first) || !/\p{Lu}/u.test(known)
    })
    return named === undefined ? [] : [{ ...person, found: spellingIn(text, named) }]
  })
}

/** A name as a text spells it. */
function spellingIn(text: string, name: string): string {
  const words = name.split(/\s+/u).map(escapeRegExp)
  return new RegExp(words.join('\\s+'), 'iu').exec(text)?.[0] ?? foldName(name)
}

const escapeRegExp = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
