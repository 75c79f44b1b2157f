import { z } from 'zod'
import {
  type TimelineFilter,
  type TimelineKey,
  type TimelineRow,
  timelineRecords,
} from '../../storage/queries/timeline-records.js'
import { nextCursor } from '../fields.js'
import { moment } from '../input.js'
import { pageInput } from '../list-newest-first.js'
import { readOperation } from '../operation.js'
import { pageOfRecords } from '../page-of-records.js'
import { type RecordView, recordView } from '../record-view.js'
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
type Input = z.output<typeof input>

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
      load: (after, most) =>
        timelineRecords(request.tx, request.tenant, filterOf(asked), asked.order, after, most),
      keyOf: ({ placedAt, id }: TimelineRow): TimelineKey => ({ placedAt, id }),
      writeKey,
      readKey,
      show: (row, view) => (isPlacedByFace(row, view) && matchesByFace(view, asked) ? view : null),
    }),
})

/** The statement placed it before its face was decided; should they ever differ, it is left out rather than misplaced. */
function isPlacedByFace({ placedAt }: TimelineRow, { payload, createdAt }: RecordView): boolean {
  return placedAt.toISOString() === (payload?.occurredAt ?? createdAt)
}

/** Only a full face shows its people. */
const matchesByFace = (view: RecordView, { people }: Input): boolean =>
  view.face === 'full' || people === undefined

function filterOf({ from, to, kinds, people }: Input): TimelineFilter {
  return {
    from: from ?? null,
    to: to ?? null,
    kinds: kinds ?? null,
    people: people ?? null,
  }
}

/** The first moment that there is a year for: counted from it, no moment is negative. */
const FIRST = Date.parse('0001-01-01T00:00:00.000Z')

// Fixed width, so that a cursor's length tells nothing.
const writeKey = ({ placedAt, id }: TimelineKey) =>
  `${String(placedAt.getTime() - FIRST).padStart(16, '0')}${id}`
const readKey = (key: string): TimelineKey => ({
  placedAt: new Date(Number(key.slice(0, 16)) + FIRST),
  id: key.slice(16),
})
