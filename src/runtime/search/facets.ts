import { isAgentAudience } from '../../policy/subject.js'
import { ownerOfKey, personIdOf, sortedSet } from '../../policy/tuple.js'
import { MEMORY_KINDS } from '../../policy/vocabulary.js'
import { FULL_LEVEL } from '../../search/mask.js'
import type { Matches } from '../../search/match.js'
import { namesOfPeople } from '../../storage/queries/people.js'
import type { VisibleSegment } from '../index/visible-set.js'
import { peopleKnownInPart } from '../known-people.js'
import type { ReadRequest } from '../request.js'
import { exposeDocuments } from './expose-words.js'
import type { Facet } from './question.js'

export interface FacetCount {
  readonly value: string
  readonly count: number
}

/** The maximum number of values of a facet; the rarest are left out. */
const MOST_VALUES = 50

/** Counts the values of facets over all matches, using only what their faces show (NI-1, NI-4). */
export async function countFacets(
  request: ReadRequest,
  wanted: readonly Facet[],
  visible: readonly VisibleSegment[],
  { parts }: Matches,
): Promise<Partial<Record<Facet, FacetCount[]>>> {
  if (wanted.length === 0) return {}
  const counts = new Map(wanted.map(facet => [facet, new Map<string, number>()]))
  const add = (facet: Facet, value: string | null, count: number) => {
    const values = counts.get(facet)
    if (values !== undefined && value !== null) values.set(value, (values.get(value) ?? 0) + count)
  }
  for (const [at, { documents }] of parts.entries()) {
    const part = visible[at] as VisibleSegment
    const { segment, mask, table } = part
    const { compartments, tags, tagSets } = segment.data
    // Counts by compartment and by set of tags first, because there are fewer of those than documents.
    const ofCompartment = new Map<number, number>()
    const fullOfCompartment = new Map<number, number>()
    const ofTags = new Map<number, number>()
    for (const document of documents) {
      addOne(ofCompartment, compartments[document] as number)
      addOne(ofTags, tags[document] as number)
      if (mask.levels[document] === FULL_LEVEL) addOne(fullOfCompartment, compartments[document] as number)
    }
    /** Those whose values are words of their records, which all but kinds and sensitivities are (WR-2). */
    const tellsInAllFaces = new Set<number>()
    const tellsInFull = new Set<number>()
    for (const [compartment, all] of ofCompartment) {
      add('kind', table.value('kind', compartment), all)
      add('sensitivity', table.value('sensitivity', compartment), all)
      if (counts.has('scope')) {
        const scope = table.value('scope', compartment)
        add('scope', scope, all)
        if (scope !== null) tellsInAllFaces.add(compartment)
      }
    }
    for (const [compartment, full] of fullOfCompartment) {
      if (counts.has('corpus')) {
        const corpus = table.value('corpus', compartment)
        add('corpus', corpus, full)
        if (corpus !== null) tellsInFull.add(compartment)
      }
      if (!counts.has('person')) continue
      // A record derived from records of others may be about their people, who have no name here (NI-6).
      const owner = table.value('owner', compartment)
      const participants = table.value('participants', compartment)
      for (const key of participants) if (ownerOfKey(key) === owner) add('person', key, full)
      if (participants.length > 0) tellsInFull.add(compartment)
    }
    for (const [set, count] of ofTags) for (const tag of tagSets[set] ?? []) add('tag', tag, count)
    const tellsTags = (document: number) =>
      counts.has('tag') && (tagSets[tags[document] as number] ?? []).length > 0
    const tellsWords = (document: number) => {
      const compartment = compartments[document] as number
      if (tellsInAllFaces.has(compartment) || tellsTags(document)) return true
      return tellsInFull.has(compartment) && mask.levels[document] === FULL_LEVEL
    }
    if (isAgentAudience(request.caller.audience)) exposeDocuments(request, part, documents.filter(tellsWords))
  }
  const people = counts.get('person')
  if (people !== undefined) counts.set('person', await named(request, people))
  return Object.fromEntries([...counts].map(([facet, values]) => [facet, inOrder(facet, values)]))
}

async function named(
  request: ReadRequest,
  people: ReadonlyMap<string, number>,
): Promise<Map<string, number>> {
  const keys = [...people.keys()].sort()
  const isTold = (key: string) => request.knowsEverybodyOf(ownerOfKey(key))
  // Somebody of whom all is told has one name, whichever of them a record was written with (NI-10).
  const names = await namesOfPeople(request.tx, request.tenant, keys.filter(isTold).map(personIdOf))
  const others = sortedSet(keys.filter(key => !isTold(key)).map(ownerOfKey))
  if (others.length > 0)
    for (const { name, ids } of await peopleKnownInPart(request, others))
      for (const id of ids) names.set(id, name)
  const counts = new Map<string, number>()
  for (const [key, count] of people) {
    const name = names.get(personIdOf(key))
    if (name !== undefined) counts.set(name, (counts.get(name) ?? 0) + count)
  }
  return counts
}

const addOne = (counts: Map<number, number>, key: number) => counts.set(key, (counts.get(key) ?? 0) + 1)

/** Sorts by frequency, but kinds by the order of their layers (TR-5). */
function inOrder(facet: Facet, values: ReadonlyMap<string, number>): FacetCount[] {
  const layer = (value: string) => {
    const at = (MEMORY_KINDS as readonly string[]).indexOf(value)
    return at < 0 ? MEMORY_KINDS.length : at
  }
  return [...values]
    .map(([value, count]) => ({ value, count }))
    .sort(
      (a, b) =>
        (facet === 'kind' ? layer(a.value) - layer(b.value) : 0) ||
        b.count - a.count ||
        (a.value < b.value ? -1 : 1),
    )
    .slice(0, MOST_VALUES)
}
