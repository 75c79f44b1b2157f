import type { Transaction } from '../database.js'

export interface PersonRow {
  readonly personId: string
  readonly name: string
  readonly consent: string
  /** The actor that this person is, if known. */
  readonly actor: string | null
  readonly createdAt: Date
  readonly updatedAt: Date
}

/** Finds people of an owner by name; adds unknown names as people whose consent is pending (PC-1). */
export async function resolvePeople(
  tx: Transaction,
  tenant: string,
  owner: string,
  people: readonly { readonly name: string; readonly newId: string }[],
  now: Date,
): Promise<Map<string, string>> {
  const names = people.map(({ name }) => name)
  await tx.query(ADD_MISSING, [tenant, owner, people.map(({ newId }) => newId), names, now])
  return findPeople(tx, tenant, owner, names)
}

/** The ids of an owner's people by name. Unknown names are left out. */
export async function findPeople(
  tx: Transaction,
  tenant: string,
  owner: string,
  names: readonly string[],
): Promise<Map<string, string>> {
  const rows = await tx.query<PersonRow>(FIND_BY_NAME, [tenant, owner, names])
  return new Map(rows.map(row => [row.name, row.personId]))
}

/** Finds people of several owners by name. */
export function findPeopleOf(
  tx: Transaction,
  tenant: string,
  owners: readonly string[],
  names: readonly string[],
): Promise<{ owner: string; name: string; personId: string }[]> {
  return tx.query(FIND_OF_OWNERS, [tenant, owners, names])
}

const FIND_OF_OWNERS = `
  select owner, name, person_id as "personId"
  from privity.people
  where tenant_id = $1
    and owner = any ($2::text[])
    and name = any ($3::text[])`

/** The names of several owners' people, by id. */
export async function namePeople(
  tx: Transaction,
  tenant: string,
  ids: readonly string[],
): Promise<Map<string, string>> {
  const rows = await tx.query<{ personId: string; name: string }>(NAME_PEOPLE, [tenant, ids])
  return new Map(rows.map(row => [row.personId, row.name]))
}

const NAME_PEOPLE = `
  select person_id as "personId", name
  from privity.people
  where tenant_id = $1
    and person_id = any ($2::uuid[])`

const ADD_MISSING = `
  insert into privity.people (tenant_id, person_id, owner, name, created_at, updated_at)
  select $1, person_id, $2, name, $5, $5
  from unnest($3::uuid[], $4::text[]) as person (person_id, name)
  order by name
  on conflict (tenant_id, owner, name) do nothing`

const PERSON_COLUMNS = `
    person_id as "personId",
    name,
    consent,
    actor,
    created_at as "createdAt",
    updated_at as "updatedAt"`

const FIND_BY_NAME = `
  select ${PERSON_COLUMNS}
  from privity.people
  where tenant_id = $1
    and owner = $2
    and name = any ($3::text[])`

/** Finds one person of an owner by name. */
export async function findPerson(
  tx: Transaction,
  tenant: string,
  owner: string,
  name: string,
): Promise<PersonRow | undefined> {
  const [row] = await tx.query<PersonRow>(FIND_BY_NAME, [tenant, owner, [name]])
  return row
}

/**
 * The next people of an owner in the order of their names, after a given name: all of them or, if ids are given, these
 * and the owner's own person.
 */
export function listPeople(
  tx: Transaction,
  tenant: string,
  owner: string,
  seen: readonly string[] | null,
  after: string | null,
  limit: number,
): Promise<PersonRow[]> {
  return tx.query<PersonRow>(LIST_PEOPLE, [tenant, owner, after, limit, seen])
}

const LIST_PEOPLE = `
  select ${PERSON_COLUMNS}
  from privity.people
  where tenant_id = $1
    and owner = $2
    and ($3::text is null or name collate "C" > $3)
    and ($5::uuid[] is null or person_id = any ($5) or actor = owner)
  order by name collate "C"
  limit $4`

/** Sets a person's consent. Returns undefined if the owner has no such person among those that are given, if any are. */
export async function setConsent(
  tx: Transaction,
  tenant: string,
  owner: string,
  name: string,
  consent: string,
  now: Date,
  seen: readonly string[] | null = null,
): Promise<PersonRow | undefined> {
  const [row] = await tx.query<PersonRow>(SET_CONSENT, [tenant, owner, name, consent, now, seen])
  return row
}

const SET_CONSENT = `
  update privity.people
  set consent = $4, updated_at = $5
  where tenant_id = $1
    and owner = $2
    and name = $3
    and ($6::uuid[] is null or person_id = any ($6) or actor = owner)
  returning ${PERSON_COLUMNS}`

/** Removes a person. Records keep the id, which then belongs to nobody, so nobody can grant consent for it (PC-6). */
export async function removePerson(
  tx: Transaction,
  tenant: string,
  owner: string,
  name: string,
): Promise<string | undefined> {
  const [row] = await tx.query<{ personId: string }>(REMOVE_PERSON, [tenant, owner, name])
  return row?.personId
}

// The owner's own person must be kept: without it all of the owner's memories would be hidden from their agents.
const REMOVE_PERSON = `
  delete from privity.people
  where tenant_id = $1
    and owner = $2
    and name = $3
    and actor is distinct from owner
  returning person_id as "personId"`

/** The names by which an owner knows these actors. */
export async function namesOfActors(
  tx: Transaction,
  tenant: string,
  owner: string,
  actors: readonly string[],
): Promise<string[]> {
  const rows = await tx.query<{ name: string }>(NAMES_OF_ACTORS, [tenant, owner, actors])
  return rows.map(({ name }) => name)
}

const NAMES_OF_ACTORS = `
  select name
  from privity.people
  where tenant_id = $1
    and owner = $2
    and actor = any ($3::text[])
  order by name`

/** Adds these actors to each other's people under their own names, with pending consent. */
export async function introduceActors(
  tx: Transaction,
  tenant: string,
  people: readonly { readonly owner: string; readonly actor: string; readonly newId: string }[],
  now: Date,
): Promise<void> {
  await tx.query(INTRODUCE, [
    tenant,
    people.map(({ newId }) => newId),
    people.map(({ owner }) => owner),
    people.map(({ actor }) => actor),
    now,
  ])
}

const INTRODUCE = `
  insert into privity.people (tenant_id, person_id, owner, name, actor, created_at, updated_at)
  select $1, known.id, known.owner, known.actor, known.actor, $5, $5
  from unnest($2::uuid[], $3::text[], $4::text[]) as known (id, owner, actor)
  on conflict (tenant_id, owner, name) do update
  set actor = excluded.actor
  where people.actor is null`
