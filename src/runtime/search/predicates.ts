import { personKey } from '../../policy/tuple.js'
import { Hits } from '../../search/hits.js'
import { FULL, type Mask } from '../../search/mask.js'
import { keyTerm } from '../../search/postings.js'
import { findPeopleOf } from '../../storage/queries/people.js'
import { fieldKey } from '../index/document.js'
import type { VisibleSegment } from '../index/visible-set.js'
import type { ReadRequest } from '../request.js'
import type { Question } from './question.js'

type Keeps = (document: number) => boolean

/** People by owner and name, for a filter that asks for them. */
export type PeopleByOwner = ReadonlyMap<string, ReadonlyMap<string, string>>

/** Looks the people up that a question names, in the lists of the owners whose records the caller could see. */
export async function peopleAskedFor(request: ReadRequest, { people }: Question): Promise<PeopleByOwner> {
  if (people === undefined) return new Map()
  const owners = [...request.parts.identity.principals].sort()
  const found = new Map<string, Map<string, string>>()
  for (const { owner, name, personId } of await findPeopleOf(request.tx, request.tenant, owners, people))
    found.set(owner, (found.get(owner) ?? new Map<string, string>()).set(name, personId))
  return found
}

/** Leaves out of the visible set what the question does not ask about, before any statistic (OP-3). */
export function narrow(
  visible: readonly VisibleSegment[],
  question: Question,
  people: PeopleByOwner,
): VisibleSegment[] {
  return visible.map(part => {
    const compartments = compartmentPredicate(part, question, people)
    const documents = documentPredicates(part, question)
    if (compartments === null && documents.length === 0) return part
    const { compartments: column } = part.segment.data
    const mask = part.mask.where(
      (document, surface) =>
        (compartments === null || compartments(column[document] as number, surface === FULL)) &&
        documents.every(keeps => keeps(document)),
    )
    return { ...part, mask }
  })
}

/** A lesser face is found only by what it shows: what stands in the payload is not for it to be found by (NI-4). */
function compartmentPredicate(
  { table }: VisibleSegment,
  { kinds, owner, corpus, people }: Question,
  peopleByOwner: PeopleByOwner,
): ((compartment: number, full: boolean) => boolean) | null {
  if (kinds === undefined && owner === undefined && corpus === undefined && people === undefined) return null
  const wantedKinds = kinds === undefined ? null : new Set<string>(kinds)
  const asksPayload = owner !== undefined || corpus !== undefined || people !== undefined
  const decide = (place: number): { any: boolean; full: boolean } => {
    const any = wantedKinds === null || wantedKinds.has(table.value('kind', place))
    const recordOwner = table.value('owner', place)
    const full =
      any &&
      (owner === undefined || recordOwner === owner) &&
      (corpus === undefined || table.value('corpus', place) === corpus) &&
      (people === undefined ||
        people.every(name => {
          const id = peopleByOwner.get(recordOwner)?.get(name)
          return id !== undefined && table.value('participants', place).includes(personKey(recordOwner, id))
        }))
    return { any, full }
  }
  const known = new Map<number, { any: boolean; full: boolean }>()
  return (compartment, full) => {
    let verdict = known.get(compartment)
    if (verdict === undefined) {
      verdict = decide(compartment)
      known.set(compartment, verdict)
    }
    return full ? verdict.full : verdict.any && !asksPayload
  }
}

function documentPredicates({ segment, mask }: VisibleSegment, question: Question): Keeps[] {
  const { createdAt, occurredAt, tagSets, tags } = segment.data
  const predicates: Keeps[] = []
  const between = (column: Float64Array, from: Date | undefined, to: Date | undefined) => {
    const least = from?.getTime() ?? Number.NEGATIVE_INFINITY
    const beyond = to?.getTime() ?? Number.POSITIVE_INFINITY
    predicates.push(document => {
      const at = column[document] as number
      return at >= least && at < beyond
    })
  }
  if (question.createdAfter !== undefined || question.createdBefore !== undefined)
    between(createdAt, question.createdAfter, question.createdBefore)
  if (question.occurredAfter !== undefined || question.occurredBefore !== undefined) {
    between(occurredAt, question.occurredAfter, question.occurredBefore)
    // When something happened is part of the payload.
    predicates.push(document => mask.surfaces[document] === FULL)
  }
  if (question.tags !== undefined) {
    const wanted = question.tags
    const has = tagSets.map(set => wanted.every(tag => set.includes(tag)))
    predicates.push(document => has[tags[document] as number] === true)
  }
  for (const [field, value] of Object.entries(question.fields ?? {})) {
    const found = withKey(segment, mask, fieldKey(field, value))
    predicates.push(document => found.has(document))
  }
  return predicates
}

function withKey(segment: VisibleSegment['segment'], mask: Mask, key: string): Set<number> {
  const hits = new Hits()
  const place = segment.full.find(keyTerm(key))
  if (place >= 0) segment.full.read(place, mask, null, hits)
  return new Set(hits.documents.subarray(0, hits.length))
}
