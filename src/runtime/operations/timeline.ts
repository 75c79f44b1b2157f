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
import { type RecordView, recordView } from '../record-view.js'
import type { ReadRequest } from '../request.js'
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
  traced: true,
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
  async run(request, asked) {
    const { secrets } = request.parts
    const boundTo = boundary(request, asked)
    const limit = request.atMost(asked.limit)
    const filter = filterOf(asked)
    let after = asked.cursor === undefined ? null : readKey(secrets.open(asked.cursor, boundTo))
    const found: { view: RecordView; key: TimelineKey }[] = []
    // As in a list: one round, as the statement leaves out all that the gates do.
    for (;;) {
      const wanted = limit + 1 - found.length
      const rows = await timelineRecords(request.tx, request.tenant, filter, asked.order, after, wanted)
      const views = await request.view(rows)
      for (const [at, row] of rows.entries()) {
        after = { placedAt: row.placedAt, id: row.id }
        const view = views[at]
        if (view && isPlacedByFace(row, view) && matchesByFace(view, asked)) found.push({ view, key: after })
      }
      if (found.length > limit || rows.length < wanted) break
    }
    const page = found.slice(0, limit)
    const last = page.at(-1)
    const more = found.length > limit && last !== undefined
    for (const { view } of page) request.show(view)
    return {
      records: page.map(({ view }) => view),
      cursor: more ? secrets.seal(writeKey(last.key), boundTo) : null,
    }
  },
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

/** What a cursor belongs to: this caller, by its pseudonyms in this tenant, asking this question (NI-9). */
function boundary({ parts }: ReadRequest, { cursor: _, limit: __, ...question }: Input): string {
  return JSON.stringify(['memory.timeline', parts.actorId, parts.forId, parts.caller.audience, question])
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
