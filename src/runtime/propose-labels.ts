import { joinLabels, type Label, LEAST_LABEL } from '../policy/labels.js'
import { foldName } from '../policy/person-name.js'
import { DEFAULT_CLASS_SENSITIVITY, type Recognised, recogniseContent } from '../policy/recognise/classes.js'
import { personKey } from '../policy/tuple.js'
import { listPeople, type PersonRow } from '../storage/queries/people.js'
import type { LabelPolicy } from './label-policy.js'
import { peopleSeen } from './people-seen.js'
import type { ReadRequest } from './request.js'

/** A label that a text calls for, and why. */
export interface ProposedLabel {
  readonly label: Label
  readonly recognised: readonly Recognised[]
  readonly people: readonly Pick<PersonRow, 'personId' | 'name'>[]
}

const MOST_PEOPLE = 5_000
/** A name that is a common word, or too short, tells of nobody. */
const LEAST_NAME = 3

/**
 * The labels that texts call for (WR-6). People are found among those whom the caller knows: whether a text names
 * somebody else must not show (NI-10).
 */
export async function proposeLabels(
  request: ReadRequest,
  owner: string,
  texts: readonly string[],
  policy: LabelPolicy,
): Promise<ProposedLabel[]> {
  const people = policy.people ? await knownPeople(request, owner) : []
  const proposals: ProposedLabel[] = []
  for (const text of texts) {
    const recognised = recogniseContent(text)
    const named = peopleIn(text, people)
    const labels = recognised.flatMap(({ of }): Label[] => {
      const sensitivity = of in policy.classes ? policy.classes[of] : DEFAULT_CLASS_SENSITIVITY[of]
      return sensitivity == null ? [] : [{ ...LEAST_LABEL, sensitivity }]
    })
    const participants = named.map(({ personId }) => personKey(owner, personId)).sort()
    proposals.push({
      label: joinLabels({ ...LEAST_LABEL, participants }, ...labels),
      recognised,
      people: named,
    })
    // A batch may hold many texts, and patterns take time: others get their turn in between (OP-8).
    if (texts.length > 1) await new Promise(setImmediate)
  }
  return proposals
}

async function knownPeople(request: ReadRequest, owner: string): Promise<PersonRow[]> {
  const seen = await peopleSeen(request, owner)
  const rows = await listPeople(request.tx, request.tenant, owner, seen, null, MOST_PEOPLE)
  // The owner is in all of their memories, so naming them says nothing.
  return rows.filter(({ actor }) => actor !== owner)
}

/** The people whose names stand in a text as whole words. Case counts, since many names are words too. */
function peopleIn(text: string, people: readonly PersonRow[]): PersonRow[] {
  if (people.length === 0) return []
  const folded = ` ${foldName(text.replace(/[^\p{L}\p{N}@'’.\- ]/gu, ' '))} `
  const capitals = new Set(text.match(/\p{Lu}[\p{L}'’-]*/gu)?.map(foldName))
  return people.filter(({ name, aliases }) =>
    [name, ...aliases].some(known => {
      const key = foldName(known)
      const [first = ''] = key.split(' ')
      if (
        key.length < LEAST_NAME ||
        !new RegExp(`(?<![\\p{L}\\p{N}])${escapeRegExp(key)}(?![\\p{L}\\p{N}])`, 'u').test(folded)
      )
        return false
      return key.includes('@') || capitals.has(first) || !/\p{Lu}/u.test(known)
    }),
  )
}

const escapeRegExp = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

/** What a writer is told of what was recognised: names of sorts, never content. */
export const whyOf = ({ recognised, people }: ProposedLabel): string[] => [
  ...new Set(recognised.map(({ of, name }) => `${of}: ${name}`)),
  ...(people.length > 0 ? ['people: named in the text'] : []),
]
