import { foldName, tidyName } from '../../policy/person-name.js'
import type { Transaction } from '../database.js'

export interface PersonRow {
  readonly personId: string
  readonly name: string
  /** The other names, e-mail addresses and identifiers they are known by. */
  readonly aliases: readonly string[]
  readonly consent: string
  /** The actor that this person is, if known. */
  readonly actor: string | null
  readonly createdAt: Date
  readonly updatedAt: Date
}

/**
 * Every name of a person is a row with a folded key. One of them is the person; the others point to it by `same_as`,
 * and a foreign key gives them its consent (PC-7).
 */
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** The id in a reference to a person, if it is one rather than a name. */
const idIn = (person: string): string | null => (UUID.test(person) ? person.toLowerCase() : null)

/** The person that a row `p` is a name of. */
const ROOT = 'coalesce(p.same_as, p.person_id)'

/** What stays of the key of a removed person: enough to know the name again, not the name. No folded name starts so. */
const removedKey = (owner: string, key: string) =>
  `' ' || encode(sha256(convert_to(${owner} || chr(10) || ${key}, 'UTF8')), 'hex')`

/** Lets go of removed people that had a name which somebody else, the person in $2, has from now on. */
const releaseKeys = (keys: string) => `
    update privity.people removed
    set key = null
    from privity.people p, unnest(${keys}) as taken (key)
    where p.tenant_id = $1
      and p.person_id = $2
      and removed.tenant_id = $1
      and removed.owner = p.owner
      and removed.key = ${removedKey('p.owner', 'taken.key')}
      and removed.removed_at is not null`

/**
 * Finds people of an owner by name or alias, and returns their ids by the names that were asked for. Unknown names are
 * added as people whose consent is pending, and so are removed people that are named again (PC-1).
 */
export async function resolvePeople(
  tx: Transaction,
  tenant: string,
  owner: string,
  people: readonly { readonly name: string; readonly newId: string }[],
  now: Date,
): Promise<Map<string, string>> {
  if (people.length === 0) return new Map()
  // Of several spellings the first one is shown.
  const byKey = new Map(people.map(person => [foldName(person.name), person] as const).reverse())
  const wanted = [...byKey].sort(([a], [b]) => (a < b ? -1 : 1))
  await tx.query(ADD_MISSING, [
    tenant,
    owner,
    wanted.map(([, { newId }]) => newId),
    wanted.map(([, { name }]) => tidyName(name)),
    wanted.map(([key]) => key),
    now,
  ])
  return findPeople(
    tx,
    tenant,
    owner,
    people.map(({ name }) => name),
  )
}

const ADD_MISSING = `
  with wanted as (
    select person_id, name, key
    from unnest($3::uuid[], $4::text[], $5::text[]) as wanted (person_id, name, key)
  ),
  removed as (
    select p.person_id, p.same_as, wanted.name, wanted.key
    from wanted
    join privity.people p
      on p.tenant_id = $1
      and p.owner = $2
      and p.key = ${removedKey('p.owner', 'wanted.key')}
    where p.removed_at is not null
  ),
  revived as (
    update privity.people p
    set
      name = removed.name,
      key = case when p.person_id = removed.person_id then removed.key else p.key end,
      removed_at = null,
      consent = 'pending',
      updated_at = $6
    from removed
    where p.tenant_id = $1
      and p.person_id in (removed.person_id, removed.same_as)
    returning removed.key
  )
  insert into privity.people (tenant_id, person_id, owner, name, key, created_at, updated_at)
  select $1, wanted.person_id, $2, wanted.name, wanted.key, $6, $6
  from wanted
  where wanted.key not in (select key from revived)
  order by wanted.key
  on conflict (tenant_id, owner, key) do nothing`

/** The ids of an owner's people by the names that were asked for. Unknown names are left out. */
export async function findPeople(
  tx: Transaction,
  tenant: string,
  owner: string,
  names: readonly string[],
): Promise<Map<string, string>> {
  const rows = await tx.query<{ at: number; personId: string }>(FIND_IDS, [
    tenant,
    owner,
    names.map(foldName),
    names.map(idIn),
  ])
  return new Map(rows.map(({ at, personId }) => [names[at - 1] ?? '', personId]))
}

const FIND_IDS = `
  select wanted.at::int, ${ROOT} as "personId"
  from unnest($3::text[], $4::uuid[]) with ordinality as wanted (key, id, at)
  join privity.people p
    on p.tenant_id = $1
    and p.owner = $2
    and (p.key = wanted.key or p.person_id = wanted.id)
    and p.removed_at is null`

/** The ids under which records may hold these people of several owners, by the place of the name in the list. */
export function findPeopleOf(
  tx: Transaction,
  tenant: string,
  owners: readonly string[],
  names: readonly string[],
): Promise<{ owner: string; at: number; personId: string }[]> {
  return tx.query(FIND_OF_OWNERS, [tenant, owners, names.map(foldName), names.map(idIn)])
}

const FIND_OF_OWNERS = `
  select p.owner, wanted.at::int - 1 as at, known.person_id as "personId"
  from unnest($3::text[], $4::uuid[]) with ordinality as wanted (key, id, at)
  join privity.people p
    on p.tenant_id = $1
    and p.owner = any ($2::text[])
    and (p.key = wanted.key or p.person_id = wanted.id)
    and p.removed_at is null
  join privity.people known
    on known.tenant_id = $1
    and ${ROOT} in (known.person_id, known.same_as)`

/** The names of several owners' people, by the ids under which records hold them. */
export async function namePeople(
  tx: Transaction,
  tenant: string,
  ids: readonly string[],
): Promise<Map<string, string>> {
  const rows = await tx.query<{ personId: string; name: string }>(NAME_PEOPLE, [tenant, ids])
  return new Map(rows.map(row => [row.personId, row.name]))
}

const NAME_PEOPLE = `
  select p.person_id as "personId", root.name
  from privity.people p
  join privity.people root
    on root.tenant_id = p.tenant_id
    and root.person_id = ${ROOT}
  where p.tenant_id = $1
    and p.person_id = any ($2::uuid[])
    and root.removed_at is null`

/** The names of the people in a record `r`, for a select list. */
export const PARTICIPANT_NAMES = `
    (select coalesce(array_agg(distinct root.name order by root.name), '{}')
     from privity.people p
     join privity.people root
       on root.tenant_id = p.tenant_id
       and root.person_id = ${ROOT}
     where p.tenant_id = r.tenant_id
       and p.owner = r.owner
       and p.person_id = any (r.participants)
       and root.removed_at is null)`

const PERSON_COLUMNS = `
    p.person_id as "personId",
    p.name,
    array(
      select alias.name
      from privity.people alias
      where alias.tenant_id = p.tenant_id
        and alias.same_as = p.person_id
        and alias.key is not null
        and alias.removed_at is null
      order by alias.name collate "C") as aliases,
    p.consent,
    p.actor,
    p.created_at as "createdAt",
    p.updated_at as "updatedAt"`

/** Whether a person `p` is the owner's own, or held by records under one of the ids in a parameter; null is everybody. */
const isSeen = (ids: `$${number}`) => `(
      ${ids}::uuid[] is null
      or p.actor = p.owner
      or p.person_id = any (${ids})
      or exists (
        select 1
        from privity.people alias
        where alias.tenant_id = p.tenant_id
          and alias.same_as = p.person_id
          and alias.person_id = any (${ids})))`

/** Finds one person of an owner by name, alias or id: among those that are given, if any are. */
export async function findPerson(
  tx: Transaction,
  tenant: string,
  owner: string,
  person: string,
  seen: readonly string[] | null = null,
): Promise<PersonRow | undefined> {
  const [row] = await tx.query<PersonRow>(FIND_PERSON, [tenant, owner, foldName(person), idIn(person), seen])
  return row
}

const NAMED = `
    select coalesce(named.same_as, named.person_id)
    from privity.people named
    where named.tenant_id = $1
      and named.owner = $2
      and (named.key = $3 or named.person_id = $4::uuid)`

const FIND_PERSON = `
  select ${PERSON_COLUMNS}
  from privity.people p
  where p.tenant_id = $1
    and p.owner = $2
    and p.person_id in (${NAMED})
    and p.removed_at is null
    and ${isSeen('$5')}`

/**
 * The next people of an owner in the order of their names, after a given name: all of them or, if ids are given, these
 * and the owner's own person.
 */
export function listPeople(
  tx: Transaction,
  tenant: string,
  owner: string,
  seen: readonly string[] | null,
  after: { readonly name: string; readonly personId: string } | null,
  limit: number,
): Promise<PersonRow[]> {
  return tx.query<PersonRow>(LIST_PEOPLE, [
    tenant,
    owner,
    after?.name ?? null,
    limit,
    seen,
    after?.personId ?? null,
  ])
}

const LIST_PEOPLE = `
  select ${PERSON_COLUMNS}
  from privity.people p
  where p.tenant_id = $1
    and p.owner = $2
    and p.same_as is null
    and p.removed_at is null
    and ($3::text is null or (p.name collate "C", p.person_id) > ($3, $6::uuid))
    and ${isSeen('$5')}
  order by p.name collate "C", p.person_id
  limit $4`

/** Sets a person's consent. Returns undefined if the owner has no such person among those that are given, if any are. */
export async function setConsent(
  tx: Transaction,
  tenant: string,
  owner: string,
  person: string,
  consent: string,
  now: Date,
  seen: readonly string[] | null = null,
): Promise<PersonRow | undefined> {
  const [row] = await tx.query<PersonRow>(SET_CONSENT, [
    tenant,
    owner,
    foldName(person),
    idIn(person),
    seen,
    consent,
    now,
  ])
  return row
}

const SET_CONSENT = `
  update privity.people p
  set consent = $6, updated_at = $7
  where p.tenant_id = $1
    and p.owner = $2
    and p.person_id in (${NAMED})
    and p.removed_at is null
    and ${isSeen('$5')}
  returning ${PERSON_COLUMNS}`

/**
 * Removes a person under all names. The rows stay without names, so that records which hold their ids stay hidden, and
 * the person is the same when the owner adds them again (PC-6, PC-7). Returns the ids, the person's first.
 */
export async function removePerson(
  tx: Transaction,
  tenant: string,
  owner: string,
  person: string,
  now: Date,
): Promise<string[]> {
  const rows = await tx.query<{ personId: string; isRoot: boolean }>(REMOVE_PERSON, [
    tenant,
    owner,
    foldName(person),
    idIn(person),
    now,
  ])
  return rows.sort((a, b) => Number(b.isRoot) - Number(a.isRoot)).map(({ personId }) => personId)
}

// The owner's own person must be kept: without it all of the owner's memories would be hidden from their agents.
const REMOVE_PERSON = `
  update privity.people p
  set
    name = '',
    key = ${removedKey('p.owner', 'p.key')},
    consent = 'revoked',
    actor = null,
    removed_at = $5,
    updated_at = $5
  where p.tenant_id = $1
    and p.owner = $2
    and ${ROOT} in (${NAMED})
    and p.removed_at is null
    and p.actor is distinct from p.owner
  returning p.person_id as "personId", p.same_as is null as "isRoot"`

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
    and removed_at is null
  order by name`

/** Says which actors some of an owner's people are, where that is not known yet. */
export async function identifyActors(
  tx: Transaction,
  tenant: string,
  people: readonly { readonly personId: string; readonly actor: string }[],
): Promise<void> {
  await tx.query(IDENTIFY, [tenant, people.map(({ personId }) => personId), people.map(({ actor }) => actor)])
}

const IDENTIFY = `
  update privity.people p
  set actor = known.actor
  from unnest($2::uuid[], $3::text[]) as known (id, actor)
  where p.tenant_id = $1
    and known.id in (p.person_id, p.same_as)
    and p.actor is null`

/** The ids under which records may hold a person, the person's own among them. */
export async function idsOfPerson(tx: Transaction, tenant: string, personId: string): Promise<string[]> {
  const rows = await tx.query<{ id: string }>(IDS_OF_PERSON, [tenant, personId])
  return rows.map(({ id }) => id)
}

const IDS_OF_PERSON = `
  select person_id as id
  from privity.people
  where tenant_id = $1
    and $2::uuid in (person_id, same_as)
  order by person_id`

/** The ids that records have which were written under this name alone. */
export async function idsOfName(
  tx: Transaction,
  tenant: string,
  owner: string,
  name: string,
): Promise<string[]> {
  const rows = await tx.query<{ id: string }>(IDS_OF_NAME, [tenant, owner, foldName(name), idIn(name)])
  return rows.map(({ id }) => id)
}

const IDS_OF_NAME = `
  select person_id as id
  from privity.people
  where tenant_id = $1
    and owner = $2
    and (key = $3 or person_id = $4::uuid)`

/** Makes one person of two: all names of `from` become names of `into`, with one consent. */
export async function mergePeople(
  tx: Transaction,
  tenant: string,
  from: string,
  into: string,
  consent: string,
  now: Date,
): Promise<void> {
  await tx.query(SET_MERGED_CONSENT, [tenant, into, consent, now])
  await tx.query(MERGE, [tenant, from, into, consent])
}

const SET_MERGED_CONSENT = `
  update privity.people
  set consent = $3, updated_at = $4
  where tenant_id = $1
    and person_id = $2`

const MERGE = `
  update privity.people p
  set same_as = $3, consent = $4, actor = coalesce(into_person.actor, p.actor)
  from privity.people into_person
  where p.tenant_id = $1
    and $2::uuid in (p.person_id, p.same_as)
    and into_person.tenant_id = $1
    and into_person.person_id = $3`

/** Makes a person of one of another's names. Returns the id that the name has. */
export async function splitName(
  tx: Transaction,
  tenant: string,
  owner: string,
  alias: string,
  now: Date,
): Promise<string | undefined> {
  const [row] = await tx.query<{ personId: string }>(SPLIT, [
    tenant,
    owner,
    foldName(alias),
    idIn(alias),
    now,
  ])
  return row?.personId
}

const SPLIT = `
  update privity.people p
  set same_as = null, actor = null, updated_at = $5
  where p.tenant_id = $1
    and p.owner = $2
    and (p.key = $3 or p.person_id = $4::uuid)
    and p.same_as is not null
    and p.key is not null
    and p.removed_at is null
  returning p.person_id as "personId"`

/** Adds names to a person. Names that are known already are left as they are. */
export async function addAliases(
  tx: Transaction,
  tenant: string,
  personId: string,
  aliases: readonly { readonly name: string; readonly newId: string }[],
  now: Date,
): Promise<void> {
  await tx.query(ADD_ALIASES, [
    tenant,
    personId,
    aliases.map(({ newId }) => newId),
    aliases.map(({ name }) => tidyName(name)),
    aliases.map(({ name }) => foldName(name)),
    now,
  ])
}

const ADD_ALIASES = `
  with released as (${releaseKeys('$5::text[]')})
  insert into privity.people
    (tenant_id, person_id, owner, name, key, same_as, consent, actor, created_at, updated_at)
  select $1, alias.id, p.owner, alias.name, alias.key, p.person_id, p.consent, p.actor, $6, $6
  from privity.people p,
    unnest($3::uuid[], $4::text[], $5::text[]) as alias (id, name, key)
  where p.tenant_id = $1
    and p.person_id = $2
  order by alias.key
  on conflict (tenant_id, owner, key) do nothing`

/** Takes names off a person. Records that hold the ids of these names stay with the person. */
export async function removeAliases(
  tx: Transaction,
  tenant: string,
  personId: string,
  aliases: readonly string[],
): Promise<void> {
  await tx.query(REMOVE_ALIASES, [tenant, personId, aliases.map(foldName)])
}

const REMOVE_ALIASES = `
  update privity.people
  set name = '', key = null
  where tenant_id = $1
    and same_as = $2
    and key = any ($3::text[])`

/** Gives a person another name. The one they had stays as an alias. */
export async function renamePerson(
  tx: Transaction,
  tenant: string,
  person: PersonRow,
  to: { readonly name: string; readonly newId: string },
  now: Date,
): Promise<void> {
  const key = foldName(to.name)
  await removeAliases(tx, tenant, person.personId, [to.name])
  await tx.query(RENAME, [tenant, person.personId, tidyName(to.name), key, now])
  if (foldName(person.name) !== key)
    await addAliases(tx, tenant, person.personId, [{ name: person.name, newId: to.newId }], now)
}

const RENAME = `
  with released as (${releaseKeys('array[$4]')})
  update privity.people
  set name = $3, key = $4, updated_at = $5
  where tenant_id = $1
    and person_id = $2`
