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
  // Kinds and sensitivities are codes; all other values are words of the records that have them (WR-2).
  const tellsWords = ({ segment: { data }, mask, table }: VisibleSegment, document: number): boolean => {
    const compartment = data.compartments[document] as number
    const isFull = mask.levels[document] === FULL_LEVEL
    return (
      (counts.has('tag') && (data.tagSets[data.tags[document] as number] ?? []).length > 0) ||
      (counts.has('scope') && table.value('scope', compartment) !== null) ||
      (counts.has('corpus') && isFull && table.value('corpus', compartment) !== null) ||
      (counts.has('person') && isFull && table.value('participants', compartment).length > 0)
    )
  }
  for (const [at, { documents }] of parts.entries()) {
    const part = visible[at] as VisibleSegment
    const { segment, mask, table } = part
    exposeDocuments(
      request,
      part,
      documents.filter(document => tellsWords(part, document)),
    )
    const { compartments, tags, tagSets } = segment.data
    // Counts by compartment and by set of tags first, because there are fewer of those than documents.
    const ofCompartment = new Map<number, { all: number; full: number }>()
    const ofTags = new Map<number, number>()
    for (const document of documents) {
      const compartment = compartments[document] as number
      const here = ofCompartment.get(compartment) ?? { all: 0, full: 0 }
      here.all++
      if (mask.levels[document] === FULL_LEVEL) here.full++
      ofCompartment.set(compartment, here)
      ofTags.set(tags[document] as number, (ofTags.get(tags[document] as number) ?? 0) + 1)
    }
    for (const [compartment, { all, full }] of ofCompartment) {
      add('kind', table.value('kind', compartment), all)
      add('sensitivity', table.value('sensitivity', compartment), all)
      add('scope', table.value('scope', compartment), all)
      if (full === 0) continue
      add('corpus', table.value('corpus', compartment), full)
      if (!counts.has('person')) continue
      // A record derived from records of others may be about their people, who have no name here (NI-6).
      const owner = table.value('owner', compartment)
      for (const key of table.value('participants', compartment))
        if (ownerOfKey(key) === owner) add('person', key, full)
    }
    for (const [set, count] of ofTags) for (const tag of tagSets[set] ?? []) add('tag', tag, count)
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
