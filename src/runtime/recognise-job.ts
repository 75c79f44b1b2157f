import { foldName } from '../policy/person-name.js'
import { type Recognised, recogniseContent } from '../policy/recognise/classes.js'
import type { PersonRow } from '../storage/queries/people.js'
import type { JobResult } from './threads/threads.js'

export type KnownPerson = Pick<PersonRow, 'personId' | 'name' | 'aliases'>

/** What a text says that calls for a stricter label. */
export interface TextReading {
  readonly recognised: readonly Recognised[]
  readonly people: readonly KnownPerson[]
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
function peopleIn(text: string, people: readonly KnownPerson[]): KnownPerson[] {
  if (people.length === 0) return []
  const folded = ` ${foldName(text.replace(/[^\p{L}\p{N}@'’.\- ]/gu, ' '))} `
  const capitals = new Set(text.match(/\p{Lu}[\p{L}'’-]*/gu)?.map(foldName))
  return people.filter(({ name, aliases }) =>
    [name, ...aliases].some(known => {
      const key = foldName(known)
      const [first = ''] = key.split(' ')
      if (
        key.length < LEAST_NAME ||
        !folded.includes(key) ||
        !new RegExp(`(?<![\\p{L}\\p{N}])${escapeRegExp(key)}(?![\\p{L}\\p{N}])`, 'u').test(folded)
      )
        return false
      return key.includes('@') || capitals.has(first) || !/\p{Lu}/u.test(known)
    }),
  )
}

const escapeRegExp = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
