import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { inOrder, type OrderedBy, type OrderedPart, type TimePlace } from './in-order.js'
import { FULL_LEVEL, HIDDEN_LEVEL, METADATA_LEVEL, PREVIEW_LEVEL } from './mask.js'
import { SegmentBuilder } from './segment.js'

const NOTHING = { parts: [], language: 'und', keys: [] } as const
const time = fc.integer({ min: -3, max: 6 })
const document = fc.record({
  id: fc.uuid(),
  createdAt: time,
  occurredAt: fc.option(time),
  level: fc.constantFrom(HIDDEN_LEVEL, FULL_LEVEL, PREVIEW_LEVEL, METADATA_LEVEL),
  kept: fc.boolean(),
})
const worlds = fc.uniqueArray(document, { selector: ({ id }) => id, maxLength: 30 })

type Generated = ReturnType<typeof worlds.generate>['value'][number]

function partsOf(documents: readonly Generated[], count: number): OrderedPart[] {
  return Array.from({ length: count }, (_, at) => {
    const own = documents.filter((_, place) => place % count === at)
    const builder = new SegmentBuilder()
    for (const { id, createdAt, occurredAt } of own)
      builder.add({
        id,
        compartment: 0,
        createdAt,
        occurredAt,
        expiresAt: null,
        salience: null,
        tags: [],
        filing: null,
        turn: null,
        speaker: null,
        traits: 0,
        full: NOTHING,
        preview: NOTHING,
        metadata: NOTHING,
      })
    return {
      segment: builder.finish(),
      mask: { levels: Uint8Array.from(own, ({ level }) => level) },
      keeps: place => own[place]?.kept === true,
    }
  })
}

/** What it should be, by sorting everything. */
function expected(documents: readonly Generated[], by: OrderedBy, direction: 'newest' | 'oldest') {
  const sign = direction === 'newest' ? -1 : 1
  const placeOf = ({ id, createdAt, occurredAt, level }: Generated): TimePlace => ({
    id,
    at: by === 'occurredAt' && level === FULL_LEVEL ? (occurredAt ?? createdAt) : createdAt,
  })
  return documents
    .filter(({ level, kept }) => level !== HIDDEN_LEVEL && kept)
    .map(placeOf)
    .sort((a, b) => sign * (a.at - b.at || (a.id < b.id ? -1 : 1)))
}

describe('documents in order of time', () => {
  it('[OP-3, NI-4] are the visible ones, page after page, whatever the parts and the size of a page', () => {
    fc.assert(
      fc.property(
        worlds,
        fc.integer({ min: 1, max: 4 }),
        fc.integer({ min: 1, max: 7 }),
        fc.constantFrom<OrderedBy>('createdAt', 'occurredAt'),
        fc.constantFrom('newest' as const, 'oldest' as const),
        (documents, count, most, by, direction) => {
          const parts = partsOf(documents, count)
          const found: TimePlace[] = []
          for (let after: TimePlace | null = null; ; ) {
            const page = inOrder(parts, by, direction, after, most)
            found.push(...page.map(({ at, id }) => ({ id, at })))
            if (page.length < most) break
            after = page.at(-1) ?? null
          }
          expect(found).toEqual(expected(documents, by, direction))
        },
      ),
    )
  })
})
