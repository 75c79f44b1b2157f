import { z } from 'zod'
import { PrivityError } from '../../errors.js'
import { joinLabels, joinScopes, type Label, lowers } from '../../policy/labels.js'
import { isAgentAudience } from '../../policy/subject.js'
import { personKey, sortedSet } from '../../policy/tuple.js'
import type { RecordRow } from '../../storage/queries/fetch-records.js'
import { lockRecords } from '../../storage/queries/lock.js'
import { findPeopleOf } from '../../storage/queries/people.js'
import { retupleRecords } from '../../storage/queries/retuple-records.js'
import { detachWaitingFiles } from '../../storage/queries/sources.js'
import { changeTuple, followSources, followSuccessors } from '../change-tuple.js'
import { recordId } from '../fields.js'
import { moment, name, personName, scopeName } from '../input.js'
import { meantBy, peopleKnownInPart } from '../known-people.js'
import { writerLabel } from '../labels-of-writes.js'
import { writeOperation } from '../operation.js'
import { absent, type WriteRequest } from '../request.js'
import { sensitivity, visibilityClass } from '../vocabulary.js'
import { nameInRecords } from '../write-records.js'
import { replayStored, storedRecord } from './stored.js'

/**
 * Stood, in stores of earlier versions, for a person whose link was removed: nobody's, so that nobody could grant
 * consent for it. An owner who takes somebody off a record takes it off as well.
 */
const REMOVED_PERSON = '00000000-0000-0000-0000-000000000000'

const input = z.strictObject({
  record: recordId,
  sensitivity: sensitivity
    .optional()
    .meta({ description: 'How sensitive it is from now on.', example: 'low' }),
  scope: scopeName
    .nullable()
    .optional()
    .meta({ description: 'The part of life or work it belongs to; null for none.', example: 'home' }),
  visibilityClass: visibilityClass
    .optional()
    .meta({ description: 'Who may see it at all, from open to firewalled.', example: 'public_open' }),
  addParticipants: z
    .array(personName)
    .max(1_000)
    .optional()
    .meta({ description: 'People who are in it too, by name.', example: ['ben'] }),
  removeParticipants: z
    .array(personName)
    .max(1_000)
    .optional()
    .meta({
      description: 'People who are not in it after all, by name. Only its owner may take somebody off.',
      example: ['ben'],
    }),
  markedShareable: z
    .boolean()
    .optional()
    .meta({ description: 'Whether its owner allows it to be shared.', example: false }),
  tags: z
    .array(name)
    .max(100)
    .optional()
    .meta({ description: 'Words to find it by, instead of those it has.', example: ['garden'] }),
  salience: z
    .number()
    .min(0)
    .max(1)
    .optional()
    .meta({ description: 'How much it matters, from 0 to 1.', example: 0.5 }),
  confidence: z
    .number()
    .min(0)
    .max(1)
    .optional()
    .meta({ description: 'How certain it is, from 0 to 1.', example: 0.9 }),
  expiresAt: moment.nullable().optional().meta({ description: 'When it expires; null for never.' }),
})
type Input = z.output<typeof input>

/**
 * Changes a record's label. Anyone who may write the record may tighten it; only an owner may loosen it (WR-2, WR-4).
 */
export const relabel = writeOperation({
  name: 'memory.relabel',
  route: 'POST /records/relabel',
  summary: 'Change the label of a record',
  policies: ['agent'],
  sample: world => ({
    record: world.record(),
    ...world.pick([{ tags: [world.tag()] }, { sensitivity: 'hyper' }, { sensitivity: 'public' }]),
  }),
  callers: 'anyone',
  effects: ['record_relabelled'],
  reversibility: 'reversible',
  changesFacts: false,
  input,
  output: z.object({
    records: z.array(storedRecord).meta({ description: 'The record, as it is labelled now.' }),
  }),
  async run(request, change) {
    await lockRecords(request.tx, request.tenant, [change.record], 'exclusive')
    const [row] = await request.requireWritable([change.record])
    if (row === undefined) throw absent()
    const asked = await labelAfter(request, row, change)
    const markedShareable = change.markedShareable ?? row.tuple.markedShareable
    if (isAgentAudience(request.caller.audience) && opens(row, { ...asked, markedShareable }, change)) {
      throw new PrivityError(
        'not_allowed',
        'only the owner of a record may make its label less strict; ask the person you work for',
        {
          reason: 'session.audience_not_allowed',
        },
      )
    }
    if (change.expiresAt && change.expiresAt <= request.now)
      throw new PrivityError('invalid_input', 'expiresAt: must be in the future')
    const tuple = { ...row.tuple, ...joinLabels(asked, await writerLabel(request)), markedShareable }
    // A file that waits to replace this record may now be stricter than it, so the record no longer mentions that
    // file.
    await detachWaitingFiles(request.tx, request.tenant, row.id)

    const moved = changeTuple(row, tuple, {
      tags: change.tags && sortedSet(change.tags),
      salience: change.salience,
      confidence: change.confidence,
      expiresAt: change.expiresAt === undefined ? undefined : (change.expiresAt?.toISOString() ?? null),
    })
    await retupleRecords(request.tx, request.tenant, [moved], request.now)
    await followSources(request, [{ id: row.id, label: tuple, targets: [], inputConsents: [] }])
    await followSuccessors(
      request,
      [{ id: row.id, tuple }],
      change.expiresAt ? { expiresAt: change.expiresAt.toISOString() } : {},
    )
    const { sensitivity, scope, visibilityClass } = tuple
    return { output: { records: [{ id: row.id, sensitivity, scope, visibilityClass }] }, refs: [row.id] }
  },
  replay: replayStored,
})

async function labelAfter(request: WriteRequest, row: RecordRow, change: Input): Promise<Label> {
  const { owner } = row.tuple
  const ofOwner = (personId: string) => personKey(owner, personId)
  const adding = await nameInRecords(request, owner, sortedSet(change.addParticipants ?? []))
  const added = [...adding.values()].map(ofOwner)
  const taken = change.removeParticipants ?? []
  const removed = new Set((await idsMeantBy(request, owner, taken)).map(ofOwner))
  if (taken.length > 0) removed.add(personKey(owner, REMOVED_PERSON))
  const kept = row.tuple.participants.filter(key => !removed.has(key))
  return {
    sensitivity: change.sensitivity ?? row.tuple.sensitivity,
    scope: change.scope === undefined ? row.tuple.scope : joinScopes(change.scope, null),
    visibilityClass: change.visibilityClass ?? row.tuple.visibilityClass,
    participants: sortedSet([...kept, ...added]),
  }
}

/** The ids under which records may hold the people that are named, as far as the caller knows them (NI-10). */
async function idsMeantBy(
  request: WriteRequest,
  owner: string,
  names: readonly string[],
): Promise<readonly string[]> {
  if (request.knowsEverybodyOf(owner)) {
    const found = await findPeopleOf(request.tx, request.tenant, [owner], names)
    return found.map(({ personId }) => personId)
  }
  if (names.length === 0) return []
  const known = await peopleKnownInPart(request, [owner], names)
  return names.flatMap(name => meantBy(name, known).flatMap(({ ids }) => ids))
}

/** Whether a change could show the record to somebody who could not see it before. */
function opens(row: RecordRow, after: Label & { markedShareable: boolean }, change: Input): boolean {
  const longer =
    change.expiresAt !== undefined &&
    row.expiresAt !== null &&
    (change.expiresAt === null || change.expiresAt > row.expiresAt)
  return lowers(row.tuple, after) || (after.markedShareable && !row.tuple.markedShareable) || longer
}
