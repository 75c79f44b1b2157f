import { createHash } from 'node:crypto'
import { joinLabels, type Label, LEAST_LABEL } from '../policy/labels.js'
import { DEFAULT_CLASS_SENSITIVITY, type Recognised } from '../policy/recognise/classes.js'
import type { PersonRow } from '../storage/queries/people.js'
import { listKnownPeople } from './known-people.js'
import type { LabelPolicy } from './label-policy.js'
import {
  type FoundPerson,
  type KnownPerson,
  type ReadText,
  recogniseText,
  type TextReading,
} from './recognise-job.js'
import type { ReadRequest } from './request.js'
import { jobModule } from './threads/threads.js'

/** A label that a text calls for, and why. Its people are named by how the text names them, not yet in the label. */
export interface ProposedLabel {
  readonly label: Label
  readonly recognised: readonly Recognised[]
  readonly people: readonly FoundPerson[]
}

/** A text, and whose people may be named in it. */
export interface OwnedText {
  readonly owner: string
  readonly text: string
}

const MOST_PEOPLE = 5_000

/**
 * The labels that texts call for (WR-6). People are found among those whom the caller knows: whether a text names
 * somebody else must not show (NI-10).
 */
export async function proposeLabels(
  request: ReadRequest,
  texts: readonly OwnedText[],
  policy: LabelPolicy,
): Promise<ProposedLabel[]> {
  const people = new Map<string, PersonRow[]>()
  for (const owner of policy.people ? new Set(texts.map(({ owner }) => owner)) : [])
    people.set(owner, await knownPeople(request, owner))
  const readings = await readTexts(
    request,
    texts.map(({ owner, text }) => ({ text, people: people.get(owner) ?? [] })),
  )
  return readings.map(({ recognised, people: named }) => {
    const labels = recognised.flatMap(({ of }): Label[] => {
      const sensitivity = of in policy.classes ? policy.classes[of] : DEFAULT_CLASS_SENSITIVITY[of]
      return sensitivity == null ? [] : [{ ...LEAST_LABEL, sensitivity }]
    })
    return { label: joinLabels(LEAST_LABEL, ...labels), recognised, people: named }
  })
}

/** The patterns take some ten milliseconds for this many characters; longer texts are read in another thread. */
const LONG_WORK = 8_192
/** To look for this many people takes about as long as to look for everything else. */
const PEOPLE_LOOKED_FOR = 500

const RECOGNISE = jobModule('runtime/recognise-job.js')

/**
 * Reads texts here, or outside of the transaction in another thread if that takes long, so that others are answered
 * meanwhile (OP-8).
 */
async function readTexts({ parts }: ReadRequest, texts: readonly ReadText[]): Promise<TextReading[]> {
  const work = ({ text, people }: ReadText) => text.length * (1 + people.length / PEOPLE_LOOKED_FOR)
  if (texts.some(one => work(one) > LONG_WORK)) {
    const input = texts.map(({ text, people }) => ({ text, people: people.map(nameOnly) }))
    const name = createHash('sha256').update(JSON.stringify(input)).digest('base64')
    return parts.prepared.of(`labels ${name}`, () =>
      parts.threads.run<TextReading[]>(parts.party, { module: RECOGNISE, input }),
    )
  }
  const readings: TextReading[] = []
  for (const one of texts) {
    readings.push(recogniseText(one))
    // A batch may hold many texts, and patterns take time: others get their turn in between (OP-8).
    if (texts.length > 1) await new Promise(setImmediate)
  }
  return readings
}

const nameOnly = ({ personId, name, aliases }: KnownPerson): KnownPerson => ({ personId, name, aliases })

/** The people of an owner whom the caller knows, without the owner. */
export async function knownPeople(request: ReadRequest, owner: string): Promise<PersonRow[]> {
  const rows = await listKnownPeople(request, owner, null, MOST_PEOPLE)
  // The owner is in all of their memories, so naming them says nothing.
  return rows.filter(({ actor }) => actor !== owner)
}

/** What a writer is told of what was recognised: names of sorts, never content. */
export const whyOf = ({ recognised, people }: ProposedLabel): string[] => [
  ...new Set(recognised.map(({ of, name }) => `${of}: ${name}`)),
  ...(people.length > 0 ? ['people: named in the text'] : []),
]
