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
 * and a foreign key gives them its consent (PC-7). A row without a key is a name as a record has it: `spelled` is its
 * folded form (NI-10).
 */
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** The id in a reference to a person, if it is one rather than a name. */
const idIn = (person: string): string | null => (UUID.test(person) ? person.toLowerCase() : null)

/** The person that a row `p` is a name of. */
const ROOT = 'coalesce(p.same_as, p.person_id)'

/** Whether a row `p` is a spelling of the name in another row, and still of the same person. */
const isSpellingOf = (named: string) => `(
      p.key is null
      and p.spelled = ${named}.key
      and p.same_as = coalesce(${named}.same_as, ${named}.person_id))`

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
  await addMissing(tx, tenant, owner, people, now, 'whole')
  return findPeople(
    tx,
    tenant,
    owner,
    people.map(({ name }) => name),
  )
}

/** How much the caller who names somebody sees of the owner's records. */
export type WriterSight = 'whole' | 'part'

/** Adds the people whose names are unknown, and returns whether there were any. */
async function addMissing(
  tx: Transaction,
  tenant: string,
  owner: string,
  people: readonly { readonly name: string; readonly newId: string }[],
  now: Date,
  sight: WriterSight,
): Promise<boolean> {
  // Of several spellings the first one is shown.
  const byKey = new Map(people.map(person => [foldName(person.name), person] as const).reverse())
  const wanted = [...byKey].sort(([a], [b]) => (a < b ? -1 : 1))
  const added = await tx.query(ADD_MISSING, [
    tenant,
    owner,
    wanted.map(([, { newId }]) => newId),
    wanted.map(([, { name }]) => tidyName(name)),
    wanted.map(([key]) => key),
    now,
    sight === 'part',
  ])
  return added.length > 0
}

export interface NamedPeople {
  /** The ids of the names, by the names that were asked for. */
  readonly ids: ReadonlyMap<string, string>
  /** Whether decisions have to be taken anew: a name that was added may have the consent of somebody who is known. */
  readonly changesFacts: boolean
}

/**
 * Finds or adds the names with which a record is written. Consent comes with the name, whoever has it; but a caller who
 * does not see everything names somebody of its own, so that the record tells nothing of a person that it does not
 * know (NI-10). The same statements run whoever is known.
 */
export async function namePeople(
  tx: Transaction,
  tenant: string,
  owner: string,
  people: readonly { readonly name: string; readonly newId: string }[],
  now: Date,
  sight: WriterSight,
): Promise<NamedPeople> {
  if (people.length === 0) return { ids: new Map(), changesFacts: false }
  const added = await addMissing(tx, tenant, owner, people, now, sight)
  const rows = await tx.query<{ at: number; id: string; consent: string; isNew: boolean }>(NAME_PEOPLE, [
    tenant,
    owner,
    people.map(({ newId }) => newId),
    people.map(({ name }) => tidyName(name)),
    people.map(({ name }) => foldName(name)),
    now,
    sight === 'part',
  ])
  const spelled = rows.filter(({ isNew }) => isNew)
  return {
    ids: new Map(rows.map(({ at, id }) => [people[at - 1]?.name ?? '', id])),
    changesFacts:
      sight === 'part' ? added || spelled.length > 0 : spelled.some(({ consent }) => consent !== 'pending'),
  }
}

const NAME_PEOPLE = `
  with wanted as (
    select
      wanted.at, wanted.id, wanted.name, wanted.key,
      p.person_id, ${ROOT} as root, p.consent, p.actor,
      (not $7::boolean and p.name = wanted.name) as is_shown
    from unnest($3::uuid[], $4::text[], $5::text[]) with ordinality as wanted (id, name, key, at)
    join privity.people p
      on p.tenant_id = $1
      and p.owner = $2
      and p.key = wanted.key
      and p.removed_at is null
  ),
  spelled as (
    select distinct on (wanted.at) wanted.at, p.person_id
    from wanted
    join privity.people p
      on p.tenant_id = $1
      and p.owner = $2
      and p.spelled = wanted.key
      and p.name = wanted.name
      and ${ROOT} = wanted.root
      and p.removed_at is null
    where not wanted.is_shown
    order by wanted.at, p.person_id
  ),
  added as (
    insert into privity.people
      (tenant_id, person_id, owner, name, spelled, same_as, consent, actor, created_at, updated_at)
    select distinct on (wanted.key, wanted.name)
      $1, wanted.id, $2, wanted.name, wanted.key, wanted.root, wanted.consent, wanted.actor, $6, $6
    from wanted
    where not wanted.is_shown
      and wanted.at not in (select at from spelled)
    order by wanted.key, wanted.name, wanted.at
    returning person_id, name, spelled
  )
  select
    wanted.at::int,
    case when wanted.is_shown then wanted.person_id else coalesce(spelled.person_id, added.person_id) end as id,
    wanted.consent,
    added.person_id is not null as "isNew"
  from wanted
  left join spelled using (at)
  left join added on not wanted.is_shown
    and spelled.person_id is null
    and added.spelled = wanted.key
    and added.name = wanted.name`

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
  insert into privity.people (tenant_id, person_id, owner, name, key, spelled, created_at, updated_at)
  select $1, wanted.person_id, $2, wanted.name, wanted.key, case when $7::boolean then wanted.key end, $6, $6
  from wanted
  where wanted.key not in (select key from revived)
  order by wanted.key
  on conflict (tenant_id, owner, key) do nothing
  returning 1 as added`

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
export async function namesOfPeople(
  tx: Transaction,
  tenant: string,
  ids: readonly string[],
): Promise<Map<string, string>> {
  const rows = await tx.query<{ personId: string; name: string }>(NAMES_OF_PEOPLE, [tenant, ids])
  return new Map(rows.map(row => [row.personId, row.name]))
}

const NAMES_OF_PEOPLE = `
  select p.person_id as "personId", root.name
  from privity.people p
  join privity.people root
    on root.tenant_id = p.tenant_id
    and root.person_id = ${ROOT}
  where p.tenant_id = $1
    and p.person_id = any ($2::uuid[])
    and root.removed_at is null`

/** A person in a record: the name that it was written with, as the owner has renamed it since, and the person's. */
export interface NamedPerson {
  readonly written: string
  readonly name: string
}

/** The people in a record `r` as `NamedPerson`s, for a select list. */
export const NAMED_PEOPLE = `
    (select coalesce(json_agg(json_build_object('written', p.name, 'name', root.name)), '[]')
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

/** Finds one person of an owner by name, alias or id. */
export async function findPerson(
  tx: Transaction,
  tenant: string,
  owner: string,
  person: string,
): Promise<PersonRow | undefined> {
  const [row] = await tx.query<PersonRow>(FIND_PERSON, [tenant, owner, foldName(person), idIn(person)])
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
    and p.removed_at is null`

/** The next people of an owner in the order of their names, after a given name. */
export function listPeople(
  tx: Transaction,
  tenant: string,
  owner: string,
  after: { readonly name: string; readonly personId: string } | null,
  limit: number,
): Promise<PersonRow[]> {
  return tx.query<PersonRow>(LIST_PEOPLE, [
    tenant,
    owner,
    after?.name ?? null,
    limit,
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
    and ($3::text is null or (p.name collate "C", p.person_id) > ($3, $5::uuid))
  order by p.name collate "C", p.person_id
  limit $4`

/** A name of a person that records hold. */
export interface NameRow extends Omit<PersonRow, 'aliases'> {
  readonly owner: string
  /** The person whose name it is. */
  readonly rootId: string
  /** The folded name; null for a name that is kept for how it was spelled before names were folded. */
  readonly key: string | null
  /** Whether it is told apart from the person's other names (NI-10). */
  readonly isApart: boolean
}

/**
 * The names that some ids of several owners stand for, and the owners' own, in their order: all of them, or those of
 * people whom somebody could mean by one of these references.
 */
export function listNames(
  tx: Transaction,
  tenant: string,
  owners: readonly string[],
  ids: readonly string[],
  refs: readonly string[] | null,
): Promise<NameRow[]> {
  return tx.query<NameRow>(LIST_NAMES, [
    tenant,
    owners,
    ids,
    refs?.map(foldName) ?? null,
    refs?.flatMap(ref => idIn(ref) ?? []) ?? null,
  ])
}

const LIST_NAMES = `
  select
    p.owner,
    p.person_id as "personId",
    ${ROOT} as "rootId",
    p.name,
    coalesce(p.key, p.spelled) as key,
    p.key is null and p.spelled is not null as "isApart",
    p.consent,
    p.actor,
    p.created_at as "createdAt",
    p.updated_at as "updatedAt"
  from privity.people p
  where p.tenant_id = $1
    and p.owner = any ($2::text[])
    and p.removed_at is null
    and p.name <> ''
    and (p.person_id = any ($3::uuid[]) or (p.actor = p.owner and p.same_as is null))
    and (
      $4::text[] is null
      or ${ROOT} in (
        select coalesce(named.same_as, named.person_id)
        from privity.people named
        where named.tenant_id = $1
          and named.owner = any ($2)
          and (named.key = any ($4) or named.spelled = any ($4) or named.person_id = any ($5::uuid[]))))
  order by p.name collate "C", p.person_id`

/** Sets a person's consent. Returns undefined if the owner has no such person. */
export async function setConsent(
  tx: Transaction,
  tenant: string,
  owner: string,
  person: string,
  consent: string,
  now: Date,
): Promise<PersonRow | undefined> {
  const [row] = await tx.query<PersonRow>(SET_CONSENT, [
    tenant,
    owner,
    foldName(person),
    idIn(person),
    consent,
    now,
  ])
  return row
}

const SET_CONSENT = `
  update privity.people p
  set consent = $5, updated_at = $6
  where p.tenant_id = $1
    and p.owner = $2
    and p.person_id in (${NAMED})
    and p.removed_at is null
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
    spelled = null,
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
  select p.person_id as id
  from privity.people named
  join privity.people p
    on p.tenant_id = $1
    and (p.person_id = named.person_id or ${isSpellingOf('named')})
  where named.tenant_id = $1
    and named.owner = $2
    and (named.key = $3 or named.person_id = $4::uuid)`

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
  const rows = await tx.query<{ personId: string; isNamed: boolean }>(SPLIT, [
    tenant,
    owner,
    foldName(alias),
    idIn(alias),
    now,
  ])
  return rows.find(({ isNamed }) => isNamed)?.personId
}

// Whatever was written in another spelling of the name goes with it.
const SPLIT = `
  update privity.people p
  set
    same_as = case when p.person_id = named.person_id then null else named.person_id end,
    actor = null,
    updated_at = $5
  from privity.people named
  where named.tenant_id = $1
    and named.owner = $2
    and (named.key = $3 or named.person_id = $4::uuid)
    and named.same_as is not null
    and named.key is not null
    and named.removed_at is null
    and p.tenant_id = $1
    and (p.person_id = named.person_id or ${isSpellingOf('named')})
  returning p.person_id as "personId", p.person_id = named.person_id as "isNamed"`

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

/**
 * Takes names off a person. Records that hold the ids of these names stay with the person, and show the names that they
 * were written with to whoever does not see everything (NI-10).
 */
export async function removeAliases(
  tx: Transaction,
  tenant: string,
  personId: string,
  aliases: readonly string[],
): Promise<void> {
  await tx.query(REMOVE_ALIASES, [tenant, personId, aliases.map(foldName)])
}

const REMOVE_ALIASES = `
  update privity.people p
  set
    name = case when held.is_held then p.name else '' end,
    spelled = case when held.is_held then p.key end,
    key = null
  from privity.people alias
  cross join lateral (
    select exists (
      select 1
      from privity.records r
      where r.tenant_id = $1
        and r.owner = alias.owner
        and alias.person_id = any (r.participants)) as is_held
  ) held
  where alias.tenant_id = $1
    and alias.same_as = $2
    and alias.key = any ($3::text[])
    and p.tenant_id = $1
    and p.person_id = alias.person_id`

/** Gives a person another name, in whatever spelling it was written. The one they had stays as an alias. */
export async function renamePerson(
  tx: Transaction,
  tenant: string,
  person: PersonRow,
  to: { readonly name: string; readonly newId: string },
  now: Date,
): Promise<void> {
  const key = foldName(to.name)
  await removeAliases(tx, tenant, person.personId, [to.name])
  await tx.query(RENAME, [tenant, person.personId, tidyName(to.name), key, now, foldName(person.name)])
  if (foldName(person.name) !== key)
    await addAliases(tx, tenant, person.personId, [{ name: person.name, newId: to.newId }], now)
}

const RENAME = `
  with released as (${releaseKeys('array[$4]')})
  update privity.people p
  set
    name = $3,
    key = case when p.person_id = $2 then $4 end,
    spelled = case when p.spelled is not null then $4 end,
    updated_at = $5
  where p.tenant_id = $1
    and (
      p.person_id = $2
      or (p.same_as = $2 and p.key is null and p.spelled = $6))`
