import { z } from 'zod'
import { PrivityError } from '../../errors.js'
import { joinLabels, type Label, LEAST_LABEL, sameLabel } from '../../policy/labels.js'
import { sortedSet } from '../../policy/tuple.js'
import type { RecordRow } from '../../storage/queries/fetch-records.js'
import { lockOwners, lockRecords } from '../../storage/queries/lock.js'
import { findNamedTargets } from '../../storage/queries/named-targets.js'
import { insertDerivation, insertRelations, isDerivedFrom } from '../../storage/queries/relations.js'
import { retupleRecords } from '../../storage/queries/retuple-records.js'
import { changeTuple, followSources } from '../change-tuple.js'
import { OTHER_EXAMPLE_ID } from '../fields.js'
import { id, name } from '../input.js'
import { writerLabel } from '../labels-of-writes.js'
import { writeOperation } from '../operation.js'
import { absent, type WriteRequest } from '../request.js'

const relation = z.object({
  from: z.string().meta({ description: 'The record that stands in the relation, by its id.' }),
  to: z.string().meta({ description: 'The record it stands in the relation to, by its id.' }),
})

/** Relates one record to another. `derived_from` also takes over the other record's label (TR-7). */
export const relate = writeOperation({
  name: 'memory.relate',
  route: 'POST /relations',
  summary: 'Relate one record to another',
  policies: ['agent'],
  sample: world => ({
    from: world.record(),
    to: world.record(),
    ...world.pick([
      { type: 'about' },
      { type: 'derived_from' },
      { type: 'about', sources: [world.record()] },
    ]),
  }),
  callers: 'anyone',
  effects: ['relation_created'],
  reversibility: 'compensating_operation_only',
  changesFacts: false,
  input: z
    .strictObject({
      from: id.meta({ description: 'The record that stands in the relation, by its id.' }),
      to: id.meta({
        description: 'The record it stands in the relation to, by its id.',
        example: OTHER_EXAMPLE_ID,
      }),
      type: name.meta({
        description: 'The relation. `derived_from` also takes over the label.',
        example: 'supports',
      }),
      // PC-5
      sources: z.array(id).max(50).optional().meta({
        description:
          'The records that tell of it, by their ids. Only those who see all of them in full see the relation.',
      }),
    })
    .refine(({ from, to }) => from !== to, { message: 'must not be the record itself', path: ['to'] })
    .refine(({ type, sources = [] }) => type !== 'derived_from' || sources.length === 0, {
      message: 'must be empty: a derivation is told by its own source',
      path: ['sources'],
    }),
  output: relation,
  async run(request, { from, to, type, sources = [] }) {
    const derives = type === 'derived_from'
    // Two concurrent edges could close a cycle that neither request sees, so they are added one at a time.
    if (derives) await lockOwners(request.tx, request.tenant, ['derivations'], 'exclusive')
    const atLeast = await writerLabel(request)
    const raises = !sameLabel(atLeast, LEAST_LABEL)
    const named = [...new Set([from, to, ...sources])]
    await lockRecords(request.tx, request.tenant, named, derives || raises ? 'exclusive' : 'shared')
    const [start, end] = await request.requireFull(named)
    if (start === undefined || end === undefined) throw absent()
    await request.requireWritable([from])
    if (derives) await derive(request, start, end, atLeast)
    else {
      await insertRelations(request.tx, request.tenant, [{ from, to, type, sources }], request.now)
      if (raises) await raise(request, start, atLeast)
    }
    return { output: { from, to }, refs: named }
  },
  async replay(request, refs) {
    const [from, to] = await request.requireFull(refs)
    if (from === undefined || to === undefined) throw absent()
    return { from: from.id, to: to.id }
  },
})

/**
 * The edge is part of the record it starts from, and its type is the writer's own words, so the label is raised
 * (WR-2).
 */
async function raise(request: WriteRequest, record: RecordRow, atLeast: Label): Promise<void> {
  const tuple = { ...record.tuple, ...joinLabels(record.tuple, atLeast) }
  if (sameLabel(record.tuple, tuple)) return
  await retupleRecords(request.tx, request.tenant, [changeTuple(record, tuple)], request.now)
  const following = { id: record.id, label: tuple, targets: [], inputConsents: [] }
  await followSources(request, [following])
}

async function derive(
  request: WriteRequest,
  record: RecordRow,
  source: RecordRow,
  atLeast: Label,
): Promise<void> {
  const { tx, tenant, now } = request
  if (await isDerivedFrom(tx, tenant, source.id, record.id))
    throw new PrivityError('cyclic_derivation', 'the source is itself derived from this record')
  await insertDerivation(tx, tenant, record.id, source.id)
  const { overlaid } = await findNamedTargets(tx, tenant, source.targets)
  const { consentRecord } = source.tuple
  const tuple = {
    ...record.tuple,
    ...joinLabels(record.tuple, source.tuple, atLeast),
    overlayTargets: sortedSet([...record.tuple.overlayTargets, ...overlaid]),
    inputConsents: sortedSet([
      ...record.tuple.inputConsents,
      ...source.tuple.inputConsents,
      ...(consentRecord === null ? [] : [consentRecord]),
    ]),
  }
  const targets = sortedSet([...record.targets, ...source.targets])
  await retupleRecords(tx, tenant, [changeTuple(record, tuple, { targets })], now)
  const following = { id: record.id, label: tuple, targets, inputConsents: tuple.inputConsents }
  await followSources(request, [following])
}
