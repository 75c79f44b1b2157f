import { z } from 'zod'
import { PrivityError } from '../../errors.js'
import { LIKENESSES, type Likeness, likeness, startsOf } from '../../policy/likely-same.js'
import { foldName } from '../../policy/person-name.js'
import { personKey, sortedSet } from '../../policy/tuple.js'
import { CONSENT_STATUSES } from '../../policy/vocabulary.js'
import { lockRecords } from '../../storage/queries/lock.js'
import {
  addAliases,
  findPeople,
  findPerson,
  idsOfName,
  idsOfPerson,
  listPeople,
  mergePeople,
  namePeople,
  type PersonRow,
  removeAliases,
  renamePerson,
  splitName,
} from '../../storage/queries/people.js'
import { countPersonRecords } from '../../storage/queries/person-records.js'
import { retupleRecords } from '../../storage/queries/retuple-records.js'
import { changeTuple, followSources } from '../change-tuple.js'
import { id, personName } from '../input.js'
import { readOperation, writeOperation } from '../operation.js'
import { absent, type ReadRequest, type WriteRequest } from '../request.js'
import { ofOwner, person, personRef, replayPerson, viewPerson } from './people.js'

/** Finds a person of the owner that a request names. */
async function requirePerson(request: ReadRequest, owner: string, ref: string): Promise<PersonRow> {
  if (!request.parts.identity.principals.has(owner)) throw absent()
  const row = await findPerson(request.tx, request.tenant, owner, ref)
  if (row === undefined) throw absent()
  return row
}

const aliases = z.array(personName).max(100)

/** Changes the names of a person. Consent holds for each of them (PC-7). */
export const updatePerson = writeOperation({
  name: 'people.update',
  route: 'POST /people/update',
  summary: 'Rename a person, or add and remove aliases and e-mail addresses',
  sample: world => ({ person: world.pick([...world.people, 'nobody']), addAliases: [`alias ${world.key}`] }),
  callers: 'owner',
  needsWholeSight: 'absent',
  effects: ['person_renamed'],
  reversibility: 'reversible',
  changesFacts: true,
  input: z.strictObject({
    person: personRef,
    name: personName
      .optional()
      .meta({ description: 'The name to show from now on. The old one stays as an alias.', example: 'Ben' }),
    addAliases: aliases.optional().meta({
      description: 'Other names, e-mail addresses or identifiers of the same person.',
      example: ['ben@example.org'],
    }),
    removeAliases: aliases
      .optional()
      .meta({ description: 'Names that are not theirs after all.', example: ['Benji'] }),
    ...ofOwner,
  }),
  output: person,
  async run(request, input) {
    const { tx, tenant, now } = request
    const owner = input.owner ?? request.caller.actingFor
    const row = await requirePerson(request, owner, input.person)
    const added = [...(input.addAliases ?? []), ...(input.name === undefined ? [] : [input.name])]
    for (const [name, found] of await findPeople(tx, tenant, owner, added))
      if (found !== row.personId)
        throw new PrivityError(
          'conflict',
          `another person has the name at ${name === input.name ? 'name' : 'addAliases'}; merge the two with people.merge`,
        )
    await removeAliases(tx, tenant, row.personId, input.removeAliases ?? [])
    const named = (name: string) => ({ name, newId: request.parts.clock.newId('person') })
    await addAliases(tx, tenant, row.personId, (input.addAliases ?? []).map(named), now)
    if (input.name !== undefined) await renamePerson(tx, tenant, row, { ...named(input.name) }, now)
    request.changesFactsOf(owner)
    return { output: await replayPerson(request, [row.personId]), refs: [row.personId] }
  },
  replay: replayPerson,
})

const mergeInput = z.strictObject({
  person: personRef,
  into: personRef.meta({
    description: 'The person they are the same as, whose name is kept.',
    example: 'Ben',
  }),
  consent: z.enum(CONSENT_STATUSES).optional().meta({
    description: 'The consent of both from now on. Default: the stricter of the two.',
    example: 'pending',
  }),
  ...ofOwner,
})

/** The two people of a merge and the consent that they would have. */
async function readMerge(request: ReadRequest, input: z.output<typeof mergeInput>) {
  const owner = input.owner ?? request.caller.actingFor
  const from = await requirePerson(request, owner, input.person)
  const into = await requirePerson(request, owner, input.into)
  if (from.personId === into.personId)
    throw new PrivityError('conflict', 'both names are of one person already')
  if (from.actor === owner)
    throw new PrivityError('conflict', 'this is your own person; merge the other one into it')
  // Whoever the owner says is the owner has agreed, as the owner has.
  const stricter = into.actor === owner ? into.consent : strictest(from.consent, into.consent)
  return { owner, from, into, consent: input.consent ?? stricter }
}

const strictest = (a: string, b: string) =>
  CONSENT_STATUSES.indexOf(a as never) >= CONSENT_STATUSES.indexOf(b as never) ? a : b

const effect = {
  records: z.int().meta({ description: 'Number of records that name them.' }),
  opened: z
    .int()
    .meta({ description: 'Number of records that agents could see afterwards and cannot see now.' }),
  closed: z
    .int()
    .meta({ description: 'Number of records that agents can see now and could not see afterwards.' }),
}

/** Tells what `people.merge` would change. */
export const previewMerge = readOperation({
  name: 'people.merge_preview',
  route: 'POST /people/merge-preview',
  summary: 'Show what merging two people would change',
  sample: world => ({ person: world.person(), into: world.person() }),
  callers: 'owner',
  needsWholeSight: 'absent',
  input: mergeInput,
  output: z.object({
    person: person.meta({ description: 'Who would be merged.' }),
    into: person.meta({ description: 'Who would stay.' }),
    consent: z.string().meta({ description: 'The consent that both would have.' }),
    ...effect,
  }),
  async run(request, input) {
    const { owner, from, into, consent } = await readMerge(request, input)
    const { tx, tenant } = request
    const ids = [
      ...(await idsOfPerson(tx, tenant, from.personId)),
      ...(await idsOfPerson(tx, tenant, into.personId)),
    ]
    return {
      person: viewPerson(request, from),
      into: viewPerson(request, into),
      consent,
      ...(await countPersonRecords(tx, tenant, owner, ids, consent)),
    }
  },
})

/** Makes one person of two. No record changes: each keeps the id it has, so that a split can undo it (PC-7). */
export const mergePeopleOf = writeOperation({
  name: 'people.merge',
  route: 'POST /people/merge',
  summary: 'Merge two people into one; see people.merge_preview first',
  sample: world => ({ person: 'nobody', into: world.person() }),
  callers: 'owner',
  needsWholeSight: 'absent',
  effects: ['people_merged'],
  reversibility: 'reversible',
  changesFacts: true,
  input: mergeInput,
  output: person,
  async run(request, input) {
    const { owner, from, into, consent } = await readMerge(request, input)
    await mergePeople(request.tx, request.tenant, from.personId, into.personId, consent, request.now)
    request.changesFactsOf(owner)
    return { output: await replayPerson(request, [into.personId]), refs: [into.personId, from.personId] }
  },
  replay: replayPerson,
})

const splitInput = z
  .strictObject({
    person: personRef.meta({
      description:
        'A name that was merged and is to be a person of its own; or, with `records`, the person they name.',
      example: 'Benji',
    }),
    records: z
      .array(id)
      .min(1)
      .max(1_000)
      .optional()
      .meta({ description: 'Records that name `person` and mean `into`, by their ids.' }),
    into: personName.optional().meta({
      description: 'With `records`: whom they mean. A new name is a new person.',
      example: 'Ben Jones',
    }),
    ...ofOwner,
  })
  .refine(({ records, into }) => (records === undefined) === (into === undefined), {
    message: 'must be given together with records',
    path: ['into'],
  })

/** Tells what `people.split` would change. */
export const previewSplit = readOperation({
  name: 'people.split_preview',
  route: 'POST /people/split-preview',
  summary: 'Show what splitting a person would change',
  sample: world => ({ person: world.person() }),
  callers: 'owner',
  needsWholeSight: 'absent',
  input: splitInput,
  output: z.object({
    person: person.meta({ description: 'The person to split.' }),
    name: z.string().meta({ description: 'The name that would be a person of its own.' }),
    consent: z.string().meta({ description: 'The consent that this person would have.' }),
    records: z.int().meta({ description: 'Number of records that would name this person.' }),
  }),
  async run(request, input) {
    const { tx, tenant } = request
    const owner = input.owner ?? request.caller.actingFor
    const row = await requirePerson(request, owner, input.person)
    if (input.into !== undefined) {
      const other = await findPerson(tx, tenant, owner, input.into)
      return {
        person: viewPerson(request, row),
        name: input.into,
        consent: other?.consent ?? 'pending',
        records: new Set(input.records).size,
      }
    }
    const name = requireAlias(row, input.person)
    // The consent stays as it is, so the count alone is of interest.
    const ids = await idsOfName(tx, tenant, owner, input.person)
    const { records } = await countPersonRecords(tx, tenant, owner, ids, row.consent)
    return { person: viewPerson(request, row), name, consent: row.consent, records }
  },
})

/** The alias of a person that a request names. Their own name cannot be split off them. */
function requireAlias({ name, aliases, personId }: PersonRow, ref: string): string {
  const key = foldName(ref)
  if (key === foldName(name) || ref.toLowerCase() === personId)
    throw new PrivityError('conflict', 'this is the name of the person; split off one of the aliases')
  return aliases.find(alias => foldName(alias) === key) ?? ref
}

/**
 * Makes a person of a name that was merged, with the consent it has now; or, with records, says that these mean
 * somebody else. What was made from them names both from then on (TR-7).
 */
export const splitPerson = writeOperation({
  name: 'people.split',
  route: 'POST /people/split',
  summary:
    'Split off a merged name as a person, or move records to somebody else; see people.split_preview first',
  sample: world => ({ person: world.pick(['nobody', world.person()]) }),
  callers: 'owner',
  needsWholeSight: 'absent',
  effects: ['person_split'],
  reversibility: 'reversible',
  changesFacts: true,
  input: splitInput,
  output: person,
  async run(request, input) {
    const { tx, tenant, now } = request
    const owner = input.owner ?? request.caller.actingFor
    const row = await requirePerson(request, owner, input.person)
    request.changesFactsOf(owner)
    if (input.into !== undefined) {
      const personId = await giveRecords(request, owner, row, input.into, input.records ?? [])
      return {
        output: await replayPerson(request, [personId]),
        refs: [personId, ...sortedSet(input.records ?? [])],
      }
    }
    requireAlias(row, input.person)
    const personId = await splitName(tx, tenant, owner, input.person, now)
    if (personId === undefined) throw absent()
    return { output: await replayPerson(request, [personId]), refs: [personId, row.personId] }
  },
  replay: replayPerson,
})

/** Puts somebody else in the place of a person in some records. */
async function giveRecords(
  request: WriteRequest,
  owner: string,
  from: PersonRow,
  into: string,
  records: readonly string[],
): Promise<string> {
  const { tx, tenant, now } = request
  await lockRecords(tx, tenant, records, 'exclusive')
  const rows = await request.requireWritable([...new Set(records)])
  const held = new Set((await idsOfPerson(tx, tenant, from.personId)).map(held => personKey(owner, held)))
  if (rows.some(({ tuple }) => tuple.owner !== owner || !tuple.participants.some(key => held.has(key))))
    throw new PrivityError('conflict', 'records: each must name the person')
  const named = { name: into, newId: request.parts.clock.newId('person') }
  const { ids } = await namePeople(tx, tenant, owner, [named], now, 'whole')
  const personId = ids.get(into)
  if (personId === undefined) throw absent()
  const moved = rows.map(row => {
    const kept = row.tuple.participants.filter(key => !held.has(key))
    return { row, tuple: { ...row.tuple, participants: sortedSet([...kept, personKey(owner, personId)]) } }
  })
  await retupleRecords(
    tx,
    tenant,
    moved.map(({ row, tuple }) => changeTuple(row, tuple)),
    now,
  )
  await followSources(
    request,
    moved.map(({ row, tuple }) => ({ id: row.id, label: tuple, targets: [], inputConsents: [] })),
  )
  return personId
}

const MOST_PEOPLE = 5_000
const MOST_MATCHES = 200

/** Proposes people who may be the same, for the owner to merge or to leave (PC-7). */
export const matchPeople = readOperation({
  name: 'people.matches',
  route: 'GET /people/matches',
  summary: 'List people who may be the same, with reasons',
  sample: () => ({}),
  callers: 'owner',
  needsWholeSight: { otherwise: { matches: [] } },
  input: z.strictObject(ofOwner),
  output: z.object({
    matches: z
      .array(
        z
          .object({
            person: person.meta({ description: 'One of them.' }),
            into: person.meta({ description: 'The other, whose name is the longer one.' }),
            why: z.enum(LIKENESSES).meta({ description: 'Why they may be the same.' }),
          })
          .meta({ id: 'PersonMatch', description: 'Two people who may be the same.' }),
      )
      .meta({
        description: `The likeliest first, at most ${MOST_MATCHES}. Merge them with \`people.merge\`.`,
      }),
  }),
  async run(request, input) {
    const owner = input.owner ?? request.caller.actingFor
    if (!request.parts.identity.principals.has(owner)) return { matches: [] }
    const people = await listPeople(request.tx, request.tenant, owner, null, MOST_PEOPLE)
    return {
      matches: likelyPairs(people)
        .slice(0, MOST_MATCHES)
        .map(({ one, other, why }) => ({
          person: viewPerson(request, one),
          into: viewPerson(request, other),
          why,
        })),
    }
  },
})

/** Pairs of people whose names are alike. Only names with a beginning of a word in common are compared. */
function likelyPairs(people: readonly PersonRow[]): { one: PersonRow; other: PersonRow; why: Likeness }[] {
  const byStart = new Map<string, Set<number>>()
  for (const [at, { name, aliases }] of people.entries())
    for (const start of [name, ...aliases].flatMap(startsOf))
      byStart.set(start, (byStart.get(start) ?? new Set()).add(at))
  const pairs = new Map<string, { one: PersonRow; other: PersonRow; why: Likeness }>()
  for (const group of byStart.values())
    for (const a of group)
      for (const b of group) {
        const [one, other] = [people[a], people[b]]
        if (a >= b || one === undefined || other === undefined || pairs.has(`${a} ${b}`)) continue
        const why = alikeBy(one, other)
        if (why === null) continue
        const isInto = other.actor === null && one.name.length >= other.name.length
        pairs.set(`${a} ${b}`, isInto ? { one: other, other: one, why } : { one, other, why })
      }
  return [...pairs.values()].sort((a, b) => LIKENESSES.indexOf(a.why) - LIKENESSES.indexOf(b.why))
}

function alikeBy(one: PersonRow, other: PersonRow): Likeness | null {
  const found = [one.name, ...one.aliases].flatMap(a =>
    [other.name, ...other.aliases].flatMap(b => likeness(a, b) ?? []),
  )
  return LIKENESSES.find(why => found.includes(why)) ?? null
}
