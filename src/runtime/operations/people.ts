import { z } from 'zod'
import { isEmailAddress } from '../../policy/person-name.js'
import { personKey } from '../../policy/tuple.js'
import { CONSENT_STATUSES } from '../../policy/vocabulary.js'
import { revokeConsentsNaming } from '../../storage/queries/bridge.js'
import { type PersonRow, removePerson, resolvePeople, setConsent } from '../../storage/queries/people.js'
import { cursorBoundary } from '../cursor-boundary.js'
import { sessionOwner } from '../facts.js'
import { nextCursor } from '../fields.js'
import { personName, principal } from '../input.js'
import { findKnownPerson, listKnownPeople, meantBy, peopleKnownInPart } from '../known-people.js'
import { pageInput } from '../list-newest-first.js'
import { readOperation, writeOperation } from '../operation.js'
import { absent, type ReadRequest, type WriteRequest } from '../request.js'

export const person = z
  .object({
    id: z.string().meta({ description: 'The id of the person.' }),
    name: z.string().meta({ description: 'Their name.' }),
    aliases: z
      .array(z.string())
      .meta({ description: 'Other names they are known by; empty if the reader may not know.' }),
    emails: z
      .array(z.string())
      .meta({ description: 'Their e-mail addresses; empty if the reader may not know.' }),
    consent: z.string().meta({ description: 'Whether they agreed to be seen by agents.' }),
    createdAt: z
      .string()
      .nullable()
      .meta({ description: 'When it was created; null if the reader may not know.' }),
    updatedAt: z
      .string()
      .nullable()
      .meta({ description: 'When it last changed; null if the reader may not know.' }),
  })
  .meta({ id: 'Person', description: 'A person in records, and whether they agreed to be seen by agents.' })

/**
 * Records that named them first, and what the owner did to other names, set these times; a caller who does not see
 * everything may not see those (NI-10).
 */
export const viewPerson = ({ seesEverything }: ReadRequest, row: PersonRow): z.input<typeof person> => ({
  id: row.personId,
  name: row.name,
  aliases: seesEverything ? row.aliases.filter(alias => !isEmailAddress(alias)) : [],
  emails: seesEverything ? row.aliases.filter(isEmailAddress) : [],
  consent: row.consent,
  createdAt: seesEverything ? row.createdAt.toISOString() : null,
  updatedAt: seesEverything ? row.updatedAt.toISOString() : null,
})

export const ofOwner = {
  owner: principal.optional().meta({ description: 'Whose people. Default: yours.', example: 'ana' }),
}

export const personRef = personName.meta({
  description: 'The person: a name, an alias, an e-mail address or the id.',
  example: 'ben',
})

/** The people that a write left, by id. A person of another owner does not exist (PC-6). */
export async function replayPerson(
  request: WriteRequest,
  refs: readonly string[],
): Promise<z.input<typeof person>> {
  for (const owner of request.parts.identity.principals) {
    const row = await findKnownPerson(request, owner, refs[0] ?? '')
    if (row !== undefined) return viewPerson(request, row)
  }
  throw absent()
}

/** Adds a person, whose consent is pending until the owner grants it (PC-1). */
export const addPerson = writeOperation({
  name: 'people.add',
  route: 'POST /people',
  summary: 'Add a person',
  sample: world => ({ person: world.pick([...world.people, 'newcomer']) }),
  callers: 'owner',
  needsWholeSight: 'absent',
  effects: ['person_added'],
  reversibility: 'reversible',
  changesFacts: false,
  input: z.strictObject({
    person: personName.meta({ description: 'Their name.', example: 'ben' }),
    ...ofOwner,
  }),
  output: person,
  async run(request, input) {
    const owner = input.owner ?? request.caller.actingFor
    request.requireOwner(owner)
    const named = [{ name: input.person, newId: request.parts.clock.newId('person') }]
    const ids = await resolvePeople(request.tx, request.tenant, owner, named, request.now)
    const refs = [...ids.values()]
    return { output: await replayPerson(request, refs), refs }
  },
  replay: replayPerson,
})

/** Lists the people of an owner by name. */
export const listPeopleOf = readOperation({
  name: 'people.list',
  route: 'GET /people',
  summary: 'List people and their consent',
  sample: () => ({}),
  callers: 'owner',
  input: z.strictObject({
    ...ofOwner,
    ...pageInput,
  }),
  output: z.object({
    people: z.array(person).meta({ description: 'The people, by name.' }),
    cursor: nextCursor,
  }),
  async run(request, input) {
    const owner = input.owner ?? request.caller.actingFor
    // To the caller, people of another owner do not exist.
    if (!request.parts.identity.principals.has(owner)) return { people: [], cursor: null }
    const { secrets } = request.parts
    const boundTo = cursorBoundary(request, 'people.list', owner)
    const after =
      input.cursor === undefined
        ? null
        : (JSON.parse(secrets.open(input.cursor, boundTo)) as Pick<PersonRow, 'name' | 'personId'>)
    const rows = await listKnownPeople(request, owner, after, input.limit + 1)
    const page = rows.slice(0, input.limit)
    const last = page.at(-1)
    const more = rows.length > input.limit && last !== undefined
    return {
      people: page.map(row => viewPerson(request, row)),
      cursor: more
        ? secrets.seal(JSON.stringify({ name: last.name, personId: last.personId }), boundTo)
        : null,
    }
  },
})

/**
 * The fields of a person that anyone is told. `createdAt` is left out: it may come from a record the caller cannot
 * see.
 */
const knownPerson = person.omit({ createdAt: true })

/**
 * Returns one person by name, or null. An owner who sees everything finds all of their people. Anyone else finds those
 * whom records name that it sees in full (NI-10), and an agent only people with granted consent (PC-2, NI-5).
 */
export const getPerson = readOperation({
  name: 'people.get',
  route: 'POST /people/get',
  summary: 'Read one person by name, alias or id',
  positional: ['person'],
  policies: ['agent', 'reader'],
  sample: world => ({ person: world.pick([...world.people, 'nobody']) }),
  callers: 'anyone',
  input: z.strictObject({
    person: personRef,
    ...ofOwner,
  }),
  output: knownPerson.nullable(),
  async run(request, input) {
    const owner = input.owner ?? request.caller.actingFor
    const row = await findKnownPerson(request, owner, input.person)
    // Loads the facts that gates use, so that this answer is not sent if they move (NI-7).
    const { people } = await request.subjectFor({ owners: new Set(), consents: new Set() })
    if (row === undefined || !request.parts.identity.principals.has(owner)) return null
    const consent = people.get(personKey(owner, row.personId))?.consent
    if (request.caller.respectConsent && consent !== 'granted') return null
    const { createdAt: _, ...known } = viewPerson(request, row)
    return known
  },
})

/** Sets a person's consent, which applies from the next request on (PC-4). */
export const setPersonConsent = writeOperation({
  name: 'people.consent',
  route: 'POST /people/consent',
  summary: 'Set the consent of a person',
  sample: world => ({ person: world.pick([...world.people, 'nobody']), status: 'revoked' }),
  callers: 'owner',
  effects: ['person_consent_set'],
  reversibility: 'reversible',
  changesFacts: true,
  input: z.strictObject({
    person: personRef,
    status: z
      .enum(CONSENT_STATUSES)
      .meta({ description: 'Whether the person agrees to be seen by agents.', example: 'granted' }),
    ...ofOwner,
  }),
  output: person,
  async run(request, input) {
    const owner = input.owner ?? request.caller.actingFor
    request.requireOwner(owner)
    // Granting opens every memory that names the person, whether or not this caller sees them all (NI-11).
    if (input.status === 'granted' && !request.seesEverything) throw absent()
    const { tx, tenant, now } = request
    if (request.knowsEverybodyOf(owner)) {
      const row = await setConsent(tx, tenant, owner, input.person, input.status, now)
      if (row === undefined) throw absent()
      request.changesFactsOf(owner)
      return { output: viewPerson(request, row), refs: [row.personId] }
    }
    // Consent is a fact of the person, whichever of the names the caller knows (PC-7).
    const [known] = meantBy(input.person, await peopleKnownInPart(request, [owner], [input.person]))
    if (known === undefined) throw absent()
    await setConsent(tx, tenant, owner, known.rootId, input.status, now)
    request.changesFactsOf(owner)
    return { output: viewPerson(request, { ...known, consent: input.status }), refs: [known.personId] }
  },
  replay: replayPerson,
})

/**
 * Removes a person under all names. Their memories stay, hidden from every agent as if consent were revoked (PC-6),
 * and what was shared of them in a mediation is no longer shared (CB-9). Who is named again is the same person, whose
 * consent is pending.
 */
export const removePersonOf = writeOperation({
  name: 'people.remove',
  route: 'POST /people/remove',
  summary: 'Remove a person; memories with them stay hidden from agents',
  sample: world => ({ person: world.pick([...world.people, 'nobody']) }),
  callers: 'owner',
  needsWholeSight: 'absent',
  effects: ['person_removed', 'consent_revoked'],
  reversibility: 'irreversible',
  changesFacts: true,
  input: z.strictObject({
    person: personRef,
    ...ofOwner,
  }),
  output: z.object({
    removed: z.boolean().meta({ description: 'Whether it was removed; false if it was not there.' }),
  }),
  async run(request, input) {
    const owner = input.owner ?? request.caller.actingFor
    request.requireOwner(owner)
    const { tx, tenant, now } = request
    const ids = await removePerson(tx, tenant, owner, input.person, now)
    const [personId] = ids
    if (personId === undefined) throw absent()
    const revoked = []
    for (const id of ids) revoked.push(...(await revokeConsentsNaming(tx, tenant, owner, id, now)))
    request.changesFactsOf(owner)
    for (const { session } of revoked) request.changesFactsOf(sessionOwner(session))
    return { output: { removed: true }, refs: [personId, ...revoked.map(({ id }) => id).sort()] }
  },
  replay: async () => ({ removed: true }),
})
