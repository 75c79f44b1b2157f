import { describe, expect, it } from 'vitest'
import { DELIVERIES, type Delivery, type DeliveryRights, deliveryOf } from './delivery.js'

const READS: DeliveryRights = { mayView: true, mayCopy: false }
const COPIES: DeliveryRights = { mayView: true, mayCopy: true }
const SEARCHES: DeliveryRights = { mayView: false, mayCopy: false }
const TAKES: DeliveryRights = { mayView: false, mayCopy: true }

const view = 'session.document_view_not_allowed'
const copy = 'session.document_copy_not_allowed'
const partly = 'session.document_not_in_full'

/** What comes of each want, by what the caller may do and by the level at which it sees the document. */
// biome-ignore format: a table
const TABLE: readonly (readonly [string, DeliveryRights, 'metadata' | 'preview' | 'full', ...(Delivery | typeof view | typeof copy | typeof partly)[]])[] = [
  //                               list    snippet    preview    text       original    download
  ['searches', SEARCHES, 'full',     'list', 'snippet', view,      view,      view,       view      ],
  ['searches', SEARCHES, 'preview',  'list', 'snippet', view,      view,      view,       view      ],
  ['searches', SEARCHES, 'metadata', 'list', 'list',    view,      view,      view,       view      ],
  ['reads',    READS,    'full',     'list', 'snippet', 'preview', 'text',    copy,       copy      ],
  ['reads',    READS,    'preview',  'list', 'snippet', 'preview', 'preview', copy,       copy      ],
  ['reads',    READS,    'metadata', 'list', 'list',    'list',    'list',    copy,       copy      ],
  ['copies',   COPIES,   'full',     'list', 'snippet', 'preview', 'text',    'original', 'download'],
  ['copies',   COPIES,   'preview',  'list', 'snippet', 'preview', 'preview', partly,     partly    ],
  ['copies',   COPIES,   'metadata', 'list', 'list',    'list',    'list',    partly,     partly    ],
  ['takes',    TAKES,    'full',     'list', 'snippet', view,      view,      'original', 'download'],
]

describe('what is delivered of a document', () => {
  const cases = TABLE.map(([who, rights, level, ...expected]) => ({ who, rights, level, expected }))
  it.each(cases)('[NI-12] to who $who, at level $level', ({ rights, level, expected }) => {
    const told = DELIVERIES.map(want => {
      const { part, reason } = deliveryOf(want, level, rights)
      return part ?? reason
    })
    expect(told).toEqual(expected)
  })

  it('[NI-12, DE-1] taking a right away, or showing less, never delivers more', () => {
    const most = (rights: DeliveryRights, level: 'metadata' | 'preview' | 'full', want: Delivery) => {
      const { part } = deliveryOf(want, level, rights)
      return part === null ? -1 : DELIVERIES.indexOf(part)
    }
    const levels = ['metadata', 'preview', 'full'] as const
    for (const want of DELIVERIES)
      for (const [at, level] of levels.entries())
        for (const rights of [COPIES, READS, TAKES, SEARCHES]) {
          for (const fewer of [
            { ...rights, mayView: false },
            { ...rights, mayCopy: false },
          ])
            expect(most(fewer, level, want)).toBeLessThanOrEqual(most(rights, level, want))
          for (const lesser of levels.slice(0, at))
            expect(most(rights, lesser, want)).toBeLessThanOrEqual(most(rights, level, want))
        }
  })
})
