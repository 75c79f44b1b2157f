import { z } from 'zod'
import { nextCursor } from '../fields.js'
import { moment } from '../input.js'
import { pageInput } from '../list-newest-first.js'
import { readOperation } from '../operation.js'
import { pageOfRecords } from '../page-of-records.js'
import { recordView } from '../record-view.js'
import { filters } from '../search/question.js'

const input = z
  .strictObject({
    from: moment.optional().meta({ description: 'Only what happened at or after this moment.' }),
    to: moment.optional().meta({ description: 'Only what happened before this moment.' }),
    kinds: filters.kinds,
    people: filters.people,
    order: z.enum(['newest', 'oldest']).default('oldest').meta({ description: 'Which to return first.' }),
    ...pageInput,
  })
  .refine(({ from, to }) => from === undefined || to === undefined || from <= to, {
    message: 'must not end before it starts',
  })

/**
 * Visible records in order of when they happened: `occurredAt`, or `createdAt` where there is none. A face that does
 * not show `occurredAt` is placed, and found in a window, by `createdAt` alone (NI-4).
 */
export const timeline = readOperation({
  name: 'memory.timeline',
  route: 'POST /timeline',
  summary: 'List records in order of when they happened',
  policies: ['agent', 'reader'],
  sample: world => ({
    order: world.pick(['newest', 'oldest']),
    limit: world.pick([1, 2, 3, 50]),
    ...world.maybe(0.3, { from: world.moment() }),
    ...world.maybe(0.2, { kinds: [world.kind()] }),
    ...world.maybe(0.2, { people: [world.person()] }),
  }),
  callers: 'anyone',
  input,
  output: z.object({
    records: z.array(recordView).meta({ description: 'The records, in order of when they happened.' }),
    cursor: nextCursor,
  }),
  run: (request, asked) =>
    pageOfRecords(request, 'memory.timeline', asked, {
      by: 'occurredAt',
      order: asked.order,
      conditions: { kinds: asked.kinds, people: asked.people, asOf: 'any' },
      between: { from: asked.from, to: asked.to },
      show: (_, view) => view,
    }),
})
