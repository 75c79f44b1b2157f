import { z } from 'zod'
import { PrivityError } from '../../errors.js'
import { isKeptLocal } from '../../policy/labels.js'
import { sortedSet } from '../../policy/tuple.js'
import type { RecordRow } from '../../storage/queries/fetch-records.js'
import { type ListKey, listRecords } from '../../storage/queries/list-records.js'
import { lockRecords } from '../../storage/queries/lock.js'
import { setRole } from '../../storage/queries/set-role.js'
import type { Consolidation } from '../consolidation.js'
import { draft } from '../draft.js'
import { EXAMPLE_ID, OTHER_EXAMPLE_ID } from '../fields.js'
import { id, principal } from '../input.js'
import { writerLabel } from '../labels-of-writes.js'
import { writeOperation } from '../operation.js'
import { absent, type WriteRequest } from '../request.js'
import { filters } from '../search/question.js'
import { writeRecords } from '../write-records.js'
import { replayStored, storedRecord } from './stored.js'

const FEWEST = 2
const MOST = 100
const DEFAULT_LIMIT = 20
const LOOKED_AT_ONCE = 200

const isUndefined = (value: unknown) => value === undefined

const input = z
  .strictObject({
    records: z
      .array(id)
      .min(FEWEST)
      .max(MOST)
      .optional()
      .meta({
        description:
          'The records to consolidate, by their ids. Default: the oldest that nothing was consolidated from yet.',
        example: [EXAMPLE_ID, OTHER_EXAMPLE_ID],
      }),
    owner: principal.optional().meta({ description: 'Whose records. Default: yours.', example: 'ana' }),
    createdAfter: filters.createdAfter,
    createdBefore: filters.createdBefore,
    tags: filters.tags,
    limit: z
      .int()
      .min(FEWEST)
      .max(MOST)
      .optional()
      .meta({ description: 'Most records to consolidate.', example: 20 }),
  })
  .refine(({ records, ...others }) => records === undefined || Object.values(others).every(isUndefined), {
    message: 'are named or looked for, not both',
    path: ['records'],
  })
type Input = z.output<typeof input>

/**
 * Summarises several episodic records in one semantic record with the configured model. The result carries their
 * labels and is derived from each (TR-7). The episodes stay and fade by their own half-life. If they were superseded,
 * forgetting one would forget the others too, as versions of the same thing.
 */
export const consolidate = writeOperation({
  name: 'memory.consolidate',
  route: 'POST /records/consolidate',
  summary: 'Combine several episodic records into one semantic record',
  sample: world =>
    world.pick([{}, {}, { tags: [world.tag()] }, { records: [world.record(), world.record()] }]),
  callers: 'anyone',
  effects: ['record_created'],
  reversibility: 'compensating_operation_only',
  changesFacts: false,
  input,
  /** Empty if fewer than two records were found. */
  output: z.object({
    records: z.array(storedRecord).meta({ description: 'The records that were written.' }),
  }),
  async run(request, asked) {
    const consolidation = request.summaries.require()
    const ids = asked.records ? [...new Set(asked.records)].sort() : await find(request, consolidation, asked)
    if (asked.records === undefined && ids.length < FEWEST) return { output: { records: [] }, refs: [] }
    await lockRecords(request.tx, request.tenant, ids, 'shared')
    const sources = await request.requireWritable(ids)
    requireSources(sources, consolidation)
    const texts = inOrder(sources).map(source => ({ id: source.id, text: textOf(source) }))
    const text = request.summaries.of(texts, request.restsOn)
    const stored = await write(request, sources, text, consolidation.model.name)
    return { output: { records: stored }, refs: stored.map(({ id }) => id) }
  },
  replay: replayStored,
})

/**
 * Finds records that the caller sees and that may be consolidated, oldest first, up to what the model takes at once.
 */
async function find(request: WriteRequest, consolidation: Consolidation, asked: Input): Promise<string[]> {
  const { tx, tenant } = request
  const owner = asked.owner ?? request.caller.actingFor
  request.requireOwner(owner)
  const filter = {
    kinds: ['episodic'],
    tags: asked.tags ?? null,
    createdAfter: asked.createdAfter ?? null,
    createdBefore: asked.createdBefore ?? null,
    owner,
    corpus: null,
    fields: null,
    asOf: null,
  }
  const limit = asked.limit ?? DEFAULT_LIMIT
  const found: string[] = []
  let room = consolidation.maxCharacters
  let after: ListKey | null = null
  for (;;) {
    await setRole(tx, 'privity_app')
    const rows: RecordRow[] = await listRecords(tx, tenant, filter, 'oldest', after, LOOKED_AT_ONCE)
    const full = (await request.decide(rows)).filter(({ level }) => level === 'full')
    const edges = await request.edgesOf(full.map(({ row }) => row.id))
    await setRole(tx, 'privity_writer')
    const used = new Set(edges.filter(isConsolidation).map(({ record }) => record))
    for (const { row } of full) {
      const { length } = textOf(row)
      const fit = row.tuple.vessel === 'user' && !used.has(row.id) && mayGo(row, consolidation)
      if (!fit || length > consolidation.maxCharacters) continue
      room -= length
      if (room < 0) return found
      found.push(row.id)
      if (found.length === limit) return found
    }
    const last = rows.at(-1)
    if (last === undefined || rows.length < LOOKED_AT_ONCE) return found
    after = { createdAt: last.createdAt, id: last.id }
  }
}

const isConsolidation = (edge: { type: string; direction: 'in' | 'out'; kind: string }) =>
  edge.type === 'derived_from' && edge.direction === 'in' && edge.kind === 'semantic'

const mayGo = ({ tuple }: RecordRow, { model }: Consolidation) =>
  model.local || !isKeptLocal(tuple.visibilityClass)

/** Checked before anything is sent. The errors reveal nothing about records that the caller does not see in full. */
function requireSources(sources: readonly RecordRow[], consolidation: Consolidation): void {
  const [first] = sources
  if (first === undefined || sources.length < FEWEST)
    throw new PrivityError('invalid_input', `records: must contain at least ${FEWEST} different ids`)
  if (sources.some(({ tuple }) => tuple.owner !== first.tuple.owner))
    throw new PrivityError('invalid_input', 'records: must all have one owner')
  if (sources.some(({ tuple }) => tuple.kind !== 'episodic'))
    throw new PrivityError('invalid_input', 'records: must all be of kind episodic')
  if (!sources.every(source => mayGo(source, consolidation)))
    throw new PrivityError(
      'not_allowed',
      'sealed and firewalled text is sent to local models only; configure one for consolidation',
      {
        reason: 'cu.consolidation_model_not_local',
      },
    )
  const characters = sources.reduce((sum, source) => sum + textOf(source).length, 0)
  if (characters > consolidation.maxCharacters)
    throw new PrivityError(
      'too_large',
      `records: must be at most ${consolidation.maxCharacters} characters together`,
    )
}

/** Sorts records by when they happened. */
const inOrder = (sources: readonly RecordRow[]) => {
  const at = (row: RecordRow) => (row.occurredAt ?? row.createdAt).getTime()
  return [...sources].sort((a, b) => at(a) - at(b) || (a.id < b.id ? -1 : 1))
}

const textOf = ({ title, text }: RecordRow) => (title === null ? text : `${title}\n${text}`)

async function write(
  request: WriteRequest,
  sources: readonly RecordRow[],
  text: string,
  model: string,
): Promise<z.input<typeof storedRecord>[]> {
  const [first] = sources
  if (first === undefined) throw absent()
  const expiries = sources
    .flatMap(({ expiresAt }) => expiresAt ?? [])
    .sort((a, b) => a.getTime() - b.getTime())
  const made = draft.parse({
    kind: 'semantic',
    text,
    tags: sortedSet(sources.flatMap(({ tags }) => tags)).slice(0, 100),
    salience: Math.max(...sources.map(source => request.salienceOf(source))),
    confidence: Math.min(...sources.map(({ confidence }) => confidence)),
    provenance: { source: 'consolidation', model },
    // Nothing derived from a record outlives it.
    ...(expiries[0] && { expiresAt: expiries[0] }),
    // The least label: `writeRecords` raises it to that of the sources.
    sensitivity: 'public',
    visibilityClass: 'public_open',
  })
  const atLeast = await writerLabel(request)
  return writeRecords(request, [{ draft: made, owner: first.tuple.owner, sources, atLeast }])
}
