import { z } from 'zod'
import { personKey } from '../../policy/tuple.js'
import { CONSENT_STATUSES } from '../../policy/vocabulary.js'
import { revokeConsentsNaming } from '../../storage/queries/bridge.js'
import {
  findPerson,
  listPeople,
  type Person,
  removePerson,
  resolvePeople,
  setConsent,
} from '../../storage/queries/people.js'
import { sessionOwner } from '../facts.js'
import { name, principal, text } from '../input.js'
import { readOperation, writeOperation } from '../operation.js'
import { absent, type WriteRequest } from '../request.js'

const person = z.object({
  id: z.string(),
  name: z.string(),
  consent: z.string(),
  createdAt: z.string(),
  updatedAt: z.string(),
})

const view = (row: Person): z.input<typeof person> => ({
  id: row.personId,
  name: row.name,
  consent: row.consent,
  createdAt: row.createdAt.toISOString(),
  updatedAt: row.updatedAt.toISOString(),
})

const ofOwner = { owner: principal.optional() }

/** People as a write left them, by id: a person of another owner does not exist (PC-6). */
async function replayPerson(request: WriteRequest, refs: readonly string[]): Promise<z.input<typeof person>> {
  for (const owner of request.parts.identity.principals) {
    const rows = await listPeople(request.tx, request.tenant, owner, null, 100_000)
    const row = rows.find(({ personId }) => refs.includes(personId))
    if (row !== undefined) return view(row)
  }
  throw absent()
}

/** Adds a person, whose consent is pending until the owner grants it (PC-1). */
export const addPerson = writeOperation({
  name: 'people.add',
  summary: 'Add a person',
  callers: 'owner',
  effects: ['person_added'],
  reversibility: 'reversible',
  changesFacts: false,
  input: z.strictObject({ person: name, ...ofOwner }),
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

/** An owner's people, by name. */
export const listPeopleOf = readOperation({
  name: 'people.list',
  summary: 'List people and their consent',
  callers: 'owner',
  input: z.strictObject({
    ...ofOwner,
    limit: z.int().min(1).max(200).default(50),
    cursor: text(2_000).optional(),
  }),
  output: z.object({ people: z.array(person), cursor: z.string().nullable() }),
  async run(request, input) {
    const owner = input.owner ?? request.caller.actingFor
    // Another owner's people are nobody.
    if (!request.parts.identity.principals.has(owner)) return { people: [], cursor: null }
    const { secrets, actorId, forId } = request.parts
    const boundTo = JSON.stringify(['people.list', actorId, forId, owner])
    const after = input.cursor === undefined ? null : secrets.open(input.cursor, boundTo)
    const rows = await listPeople(request.tx, request.tenant, owner, after, input.limit + 1)
    const page = rows.slice(0, input.limit)
    const last = page.at(-1)
    const more = rows.length > input.limit && last !== undefined
    return { people: page.map(view), cursor: more ? secrets.seal(last.name, boundTo) : null }
  },
})

/** What anyone is told of a person. Not since when there is one: that may be since a record the caller cannot see. */
const knownPerson = person.omit({ createdAt: true })

/**
 * One person by name, or null. For an agent only somebody who is granted: anyone else is as if they were not there
 * (PC-2, NI-5). An owner sees all of theirs.
 */
export const getPerson = readOperation({
  name: 'people.get',
  summary: 'Read one person by name',
  callers: 'anyone',
  input: z.strictObject({ person: name, ...ofOwner }),
  output: knownPerson.nullable(),
  async run(request, input) {
    const owner = input.owner ?? request.caller.actingFor
    const row = await findPerson(request.tx, request.tenant, owner, input.person)
    // The caller's own facts, as gates ask for them: if they move, this answer does not leave (NI-7).
    const { people } = await request.subjectFor({ owners: new Set(), consents: new Set() })
    if (row === undefined || !request.parts.identity.principals.has(owner)) return null
    const consent = people.get(personKey(owner, row.personId))?.consent
    if (request.caller.respectConsent && consent !== 'granted') return null
    const { createdAt: _, ...known } = view(row)
    return known
  },
})

/** Sets a person's consent; it holds from the next request on (PC-4). */
export const setPersonConsent = writeOperation({
  name: 'people.consent',
  summary: 'Set the consent of a person',
  callers: 'owner',
  effects: ['person_consent_set'],
  reversibility: 'reversible',
  changesFacts: true,
  input: z.strictObject({ person: name, status: z.enum(CONSENT_STATUSES), ...ofOwner }),
  output: person,
  async run(request, input) {
    const owner = input.owner ?? request.caller.actingFor
    request.requireOwner(owner)
    const row = await setConsent(request.tx, request.tenant, owner, input.person, input.status, request.now)
    if (row === undefined) throw absent()
    request.changesFactsOf(owner)
    return { output: view(row), refs: [row.personId] }
  },
  replay: replayPerson,
})

/**
 * Removes a person. Their memories stay, hidden from every agent as if consent were revoked (PC-6), and nothing that was
 * shared of them in a mediation stays shared (CB-9).
 */
export const removePersonOf = writeOperation({
  name: 'people.remove',
  summary: 'Remove a person; memories with them stay hidden from agents',
  callers: 'owner',
  effects: ['person_removed', 'consent_revoked'],
  reversibility: 'irreversible',
  changesFacts: true,
  input: z.strictObject({ person: name, ...ofOwner }),
  output: z.object({ removed: z.boolean() }),
  async run(request, input) {
    const owner = input.owner ?? request.caller.actingFor
    request.requireOwner(owner)
    const personId = await removePerson(request.tx, request.tenant, owner, input.person)
    if (personId === undefined) throw absent()
    const { tx, tenant, now } = request
    const revoked = await revokeConsentsNaming(tx, tenant, owner, personId, now)
    request.changesFactsOf(owner)
    for (const { session } of revoked) request.changesFactsOf(sessionOwner(session))
    return { output: { removed: true }, refs: [personId, ...revoked.map(({ id }) => id).sort()] }
  },
  replay: async () => ({ removed: true }),
})
