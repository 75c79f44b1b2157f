import { z } from 'zod'
import type { RecordRow } from '../../storage/queries/fetch-records.js'
import { nextCursor, pageCursor } from '../fields.js'
import { jsonObject } from '../input.js'
import { readOperation } from '../operation.js'
import { pageOfRecords } from '../page-of-records.js'
import { recordView, viewRecord } from '../record-view.js'
import { filters } from '../search/question.js'

const DEFAULT_LIMIT = 50
const MOST = 200

const input = z.strictObject({
  kinds: filters.kinds,
  tags: filters.tags,
  createdAfter: filters.createdAfter,
  createdBefore: filters.createdBefore,
  owner: filters.owner,
  corpus: filters.corpus,
  people: filters.people,
  asOf: filters.asOf,
  fields: jsonObject(16_384)
    .optional()
    .meta({ description: 'Only records whose own fields have these values.', example: { room: 'kitchen' } }),
  face: z
    .literal('metadata')
    .optional()
    .meta({ description: 'Shows of every record only its metadata, without tags and scope.' }),
  order: z.enum(['newest', 'oldest']).default('newest').meta({ description: 'Which to return first.' }),
  limit: z.int().min(1).max(MOST).default(DEFAULT_LIMIT).meta({ description: 'Most records on the page.' }),
  cursor: pageCursor,
})

/** Visible records in order of creation, some at a time (OP-3). */
export const list = readOperation({
  name: 'memory.list',
  route: 'GET /records',
  summary: 'List records in order of creation',
  policies: ['agent', 'reader'],
  sample: world => ({
    order: world.pick(['newest', 'oldest']),
    limit: world.pick([1, 2, 3, 50]),
    ...world.maybe(0.3, { tags: [world.tag()] }),
    ...world.maybe(0.2, { kinds: [world.kind()] }),
    ...world.maybe(0.2, { corpus: world.corpus() }),
    ...world.maybe(0.2, { people: [world.person()] }),
    ...world.maybe(0.2, { fields: { size: world.below(3) } }),
    ...world.maybe(0.2, { asOf: world.pick(['any', world.moment()]) }),
  }),
  callers: 'anyone',
  input,
  output: z.object({
    records: z.array(recordView).meta({ description: 'The records.' }),
    cursor: nextCursor,
  }),
  run: (request, query) => {
    const { kinds, tags, createdAfter, createdBefore, owner, corpus, people, asOf } = query
    return pageOfRecords(request, 'memory.list', query, {
      by: 'createdAt',
      order: query.order,
      conditions: { kinds, tags, createdAfter, createdBefore, owner, corpus, people, asOf },
      fields: query.fields,
      show: (row, view) =>
        query.face === undefined
          ? view
          : (viewRecord(withoutWords(row), query.face, request.salienceOf(row), [], null, []) ?? view),
    })
  },
})

/** The record as one whose metadata face has no words (WR-2). */
const withoutWords = (row: RecordRow): RecordRow => ({
  ...row,
  tags: [],
  tuple: { ...row.tuple, scope: null },
})
