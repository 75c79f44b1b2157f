import { foldName } from '../policy/person-name.js'
import { ownerOfKey, personIdOf } from '../policy/tuple.js'
import {
  findPerson,
  listNames,
  listPeople,
  type NameRow,
  namesOfActors,
  type PersonRow,
} from '../storage/queries/people.js'
import { VisibleSet } from './index/visible-set.js'
import type { ReadRequest } from './request.js'
import { peopleOf } from './search/seen-names.js'

/** A person as a caller knows them, with the ids under which records that it sees hold them. */
export interface PersonInPart extends PersonRow {
  readonly owner: string
  /** The person to whom all of the names belong; the caller is not told of it. */
  readonly rootId: string
  readonly ids: readonly string[]
  readonly keys: ReadonlySet<string>
}

/**
 * The people of some owners as a caller knows them who does not see everything: by the names with which records were
 * written that it sees in full, and by no other (NI-10). `refs` leaves out whom none of them could mean. Whose people
 * there are changes no statement.
 */
export async function peopleKnownInPart(
  request: ReadRequest,
  owners: readonly string[],
  refs: readonly string[] | null = null,
): Promise<PersonInPart[]> {
  const ids = await idsInFull(request, owners)
  return groupNames(await listNames(request.tx, request.tenant, owners, ids, refs))
}

/**
 * The names by which a caller knows these actors among an owner's people. Somebody who does not see everything knows
 * those in records that it sees in full; a name that was told apart from the person's others, it wrote without knowing
 * whose it is (NI-10).
 */
export async function namesKnownOf(
  request: ReadRequest,
  owner: string,
  actors: readonly string[],
): Promise<string[]> {
  const { tx, tenant } = request
  if (request.knowsEverybodyOf(owner)) return namesOfActors(tx, tenant, owner, actors)
  const names = await listNames(tx, tenant, [owner], await idsInFull(request, [owner]), null)
  return names
    .filter(({ actor, isApart }) => !isApart && actor !== null && actors.includes(actor))
    .map(({ name }) => name)
}

/** The people of some owners whom records name that the caller sees in full. */
async function idsInFull(request: ReadRequest, owners: readonly string[]): Promise<string[]> {
  const { segments } = await VisibleSet.of(request)
  return [...peopleOf(segments)]
    .filter(key => owners.includes(ownerOfKey(key)))
    .map(personIdOf)
    .sort()
}

/**
 * Makes people of the names that a caller knows, in their order. What the owner made one person is one person under all
 * the names that are known; a name that stands apart joins them only if its like is among them, so that nobody
 * learns by writing a name whose it is.
 */
export function groupNames(names: readonly NameRow[]): PersonInPart[] {
  const people = new Map<string, NameRow[]>()
  const nameKey = ({ rootId, key }: NameRow) => JSON.stringify([rootId, key])
  const told = new Set(names.filter(({ isApart }) => !isApart).map(nameKey))
  for (const name of names) {
    const person = name.isApart && !told.has(nameKey(name)) ? nameKey(name) : name.rootId
    people.set(person, [...(people.get(person) ?? []), name])
  }
  return [...people.values()]
    .map(group => {
      const [first] = group
      const { isApart: _, key: __, ...shown } = (group.find(isRoot) ?? first) as NameRow
      return {
        ...shown,
        aliases: [...new Set(group.map(({ name }) => name))].filter(name => name !== shown.name),
        ids: group.map(({ personId }) => personId),
        keys: new Set(group.flatMap(({ key }) => key ?? [])),
      }
    })
    .sort((a, b) => (a.name === b.name ? (a.personId < b.personId ? -1 : 1) : a.name < b.name ? -1 : 1))
}

const isRoot = ({ personId, rootId }: NameRow) => personId === rootId

const isMeant = (ref: string) => {
  const key = foldName(ref)
  return ({ ids, keys }: PersonInPart) => keys.has(key) || ids.includes(ref.toLowerCase())
}

/** The people among those whom the caller knows in part that a reference means. */
export const meantBy = (ref: string, people: readonly PersonInPart[]): PersonInPart[] =>
  people.filter(isMeant(ref))

/** Finds a person whom the caller knows by a name or an id that it knows. */
export async function findKnownPerson(
  request: ReadRequest,
  owner: string,
  ref: string,
): Promise<PersonRow | undefined> {
  if (request.knowsEverybodyOf(owner)) return findPerson(request.tx, request.tenant, owner, ref)
  return meantBy(ref, await peopleKnownInPart(request, [owner], [ref]))[0]
}

/** The next people of an owner whom the caller knows, in the order of their names. */
export async function listKnownPeople(
  request: ReadRequest,
  owner: string,
  after: { readonly name: string; readonly personId: string } | null,
  limit: number,
): Promise<PersonRow[]> {
  if (request.knowsEverybodyOf(owner)) return listPeople(request.tx, request.tenant, owner, after, limit)
  const people = await peopleKnownInPart(request, [owner])
  const isBeyond = ({ name, personId }: PersonRow) =>
    after === null || name > after.name || (name === after.name && personId > after.personId)
  return people.filter(isBeyond).slice(0, limit)
}
