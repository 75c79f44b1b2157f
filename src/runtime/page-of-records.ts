import { inOrder, type OrderedBy, type TimePlace } from '../search/in-order.js'
import { FULL_LEVEL } from '../search/mask.js'
import type { RecordRow } from '../storage/queries/fetch-records.js'
import { cursorBoundary } from './cursor-boundary.js'
import { type VisibleSegment, VisibleSet } from './index/visible-set.js'
import type { RecordView } from './record-view.js'
import type { ReadRequest } from './request.js'
import { disagreement, LEVEL_OF } from './search/faces-seen.js'
import { conditionOf, loadFilterContext } from './search/predicates.js'
import type { Conditions } from './search/question.js'

/** An order of records, and which of them are wanted. */
export interface RecordOrder {
  readonly by: OrderedBy
  readonly order: 'newest' | 'oldest'
  readonly conditions: Conditions
  /** Values of custom fields that records must have. */
  readonly fields?: Readonly<Record<string, unknown>> | undefined
  /** The times between which records must be, in this order. */
  readonly between?: { readonly from: Date | undefined; readonly to: Date | undefined }
  /** A visible record as the answer shows it. */
  readonly show: (row: RecordRow, view: RecordView) => RecordView
}

/**
 * A page of visible records in order of time, with a sealed cursor that is bound to the caller and the question (NI-9).
 * The index says which they are, under the mask of what is visible, and only those are fetched. Keyset pagination:
 * records that are added later do not shift pages.
 */
export async function pageOfRecords(
  request: ReadRequest,
  operation: string,
  { limit: asked, cursor, ...question }: { readonly limit: number; readonly cursor?: string | undefined },
  wanted: RecordOrder,
): Promise<{ records: RecordView[]; cursor: string | null }> {
  const { secrets } = request.parts
  const boundTo = cursorBoundary(request, operation, question)
  const limit = request.atMost(asked)
  let after = cursor === undefined ? null : readKey(secrets.open(cursor, boundTo))
  const visible = await VisibleSet.of(request)
  const parts = await narrow(request, visible.segments, wanted)
  const found: { view: RecordView; place: TimePlace }[] = []
  // One round, unless visible records turn out not to have the fields that are asked for.
  for (;;) {
    const most = limit + 1 - found.length
    const places = inOrder(parts, wanted.by, wanted.order, after, most)
    const rows = await request.fetch(places.map(({ id }) => id).sort())
    const views = await request.view(rows)
    const fetched = new Map(rows.map((row, at) => [row.id, { row, view: views[at] ?? null }]))
    for (const place of places) {
      after = place
      const { row, view = null } = fetched.get(place.id) ?? {}
      const level = parts[place.part]?.mask.levels[place.document] ?? 0
      if (row === undefined || view === null || view.face !== LEVEL_OF[level]) throw disagreement(request)
      if (contains(row.fields, wanted.fields ?? {})) found.push({ view: wanted.show(row, view), place })
    }
    if (found.length > limit || places.length < most) break
  }
  const page = found.slice(0, limit)
  const last = page.at(-1)
  const more = found.length > limit && last !== undefined
  for (const { view } of page) request.show(view)
  return {
    records: page.map(({ view }) => view),
    cursor: more ? secrets.seal(writeKey(last.place), boundTo) : null,
  }
}

/** The visible parts with what is asked of their documents. Nothing of a mediation is listed, nor what is everybody's. */
async function narrow(
  request: ReadRequest,
  segments: readonly VisibleSegment[],
  { conditions, fields, by, between }: RecordOrder,
) {
  const context = await loadFilterContext(request, conditions)
  const asksFields = Object.keys(fields ?? {}).length > 0
  // The index knows plain values; a record with another value is looked at once it is fetched.
  const plain = Object.entries(fields ?? {}).filter(
    ([, value]) => value === null || typeof value !== 'object',
  )
  const narrowed = { ...conditions, ...(plain.length > 0 ? { fields: Object.fromEntries(plain) } : {}) }
  const least = between?.from?.getTime() ?? Number.NEGATIVE_INFINITY
  const beyond = between?.to?.getTime() ?? Number.POSITIVE_INFINITY
  const isBounded = between?.from !== undefined || between?.to !== undefined
  return segments.map(part => {
    const { compartments, createdAt, occurredAt } = part.segment.data
    const keeps = conditionOf(part, narrowed as Conditions, context)
    const listed = new Map<number, boolean>()
    const isListed = (compartment: number) => {
      let known = listed.get(compartment)
      if (known === undefined) {
        known =
          part.table.value('vessel', compartment) === 'user' &&
          part.table.value('session', compartment) === null
        listed.set(compartment, known)
      }
      return known
    }
    return {
      ...part,
      keeps: (document: number, level: 0 | 1 | 2 | 3) => {
        if (!isListed(compartments[document] as number)) return false
        // Only a full face shows its fields.
        if (asksFields && level !== FULL_LEVEL) return false
        if (isBounded) {
          const happened =
            by === 'occurredAt' && level === FULL_LEVEL ? (occurredAt[document] as number) : Number.NaN
          const at = Number.isNaN(happened) ? (createdAt[document] as number) : happened
          if (at < least || at >= beyond) return false
        }
        return keeps === null || keeps(document, level)
      },
    }
  })
}

/** Whether a value has everything that another has, as `@>` of Postgres decides it. */
function contains(value: unknown, wanted: unknown): boolean {
  if (Array.isArray(wanted))
    return Array.isArray(value) && wanted.every(item => value.some(one => contains(one, item)))
  if (wanted === null || typeof wanted !== 'object') return value === wanted
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return false
  return Object.entries(wanted).every(
    ([name, item]) => Object.hasOwn(value, name) && contains((value as Record<string, unknown>)[name], item),
  )
}

/** The first moment that there is a year for: counted from it, no moment is negative. */
const FIRST = Date.parse('0001-01-01T00:00:00.000Z')

// Fixed width, so that a cursor's length tells nothing.
const writeKey = ({ at, id }: TimePlace) => `${String(at - FIRST).padStart(16, '0')}${id}`
const readKey = (key: string): TimePlace => ({ at: Number(key.slice(0, 16)) + FIRST, id: key.slice(16) })
