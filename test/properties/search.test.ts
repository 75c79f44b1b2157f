import { beforeAll, describe, expect, it, vi } from 'vitest'
import { buildSegment } from '../../src/runtime/index/build-job.js'
import type { IndexRow } from '../../src/storage/queries/index-feed.js'
import { Snapshot } from '../../src/storage/snapshot.js'
import { times } from '../support/depth.js'
import { SEED, WORLDS } from '../support/generated.js'
import { aDocument, aQuestion, aSegment, idOf, seenInFull } from '../support/search-documents.js'
import {
  ANY_SPLIT,
  BLOCKS,
  COLUMNS,
  FOLLOWS,
  HIDDEN_IS_ABSENT,
  KEPT,
  MERGED,
  OWN_FACE,
  PAGES,
  placed,
  READING,
  REFERENCE,
  type Search,
  type SearchLaw,
  searchFrom,
  TWO_CALLERS,
} from '../support/search-laws.js'
import { searchHistories, searchWorlds } from '../support/search-worlds.js'
import { aTuple } from '../support/subject.js'

/** Worlds of a search cost more than those of a decision. */
const COUNT = process.env.PRIVITY_WORLDS ? WORLDS : times(10, WORLDS)

let search: Search

/** More worlds may take longer. */
vi.setConfig({ testTimeout: 60_000 + 60 * WORLDS })

beforeAll(async () => {
  console.info(`${COUNT} worlds from seed ${SEED}`)
  search = await searchFrom(path => import(/* @vite-ignore */ `../../${path}`))
})

/** Holds a law, and sees to it that some of the worlds were able to break it. */
function hold<World extends { readonly seed: number }>(
  { holds }: SearchLaw<World>,
  worlds: readonly World[],
): void {
  let telling = 0
  for (const world of worlds) {
    try {
      if (holds(search, world)) telling++
    } catch (e) {
      throw new Error(`in the world of seed ${world.seed}, ${e instanceof Error ? e.message : e}`, {
        cause: e,
      })
    }
  }
  if (WORLDS >= 1000) expect(telling).toBeGreaterThan(WORLDS / 100)
}

it('[SC-2, NI-2, QX-1, QX-2] scores, counts and words are those of the plain search over what is visible, to the last bit', () => {
  hold(REFERENCE, searchWorlds(COUNT))
})

it('[NI-1, NI-2, QX-2] an index with hidden documents answers as one without them', () => {
  hold(HIDDEN_IS_ABSENT, searchWorlds(COUNT))
})

it('[NI-1, NI-2] what one caller asks leaves no trace in what another is told', () => {
  hold(TWO_CALLERS, searchWorlds(COUNT))
})

it('[SC-1] the order of documents and their split into segments change nothing', () => {
  hold(ANY_SPLIT, searchWorlds(COUNT))
})

it('[NI-4] a document is found by every word of the face it shows, and by no other', () => {
  hold(OWN_FACE, searchWorlds(COUNT))
})

it('[SC-4, SC-5, TR-5] a page is the beginning of one order: rounded scores, then layers, then ids', () => {
  hold(PAGES, searchWorlds(COUNT))
})

it('[NI-1] reading a term gives its visible documents, in order', () => {
  hold(READING, searchWorlds(COUNT))
})

it('[NI-1] whatever blocks of postings are passed over, no visible document is', () => {
  hold(BLOCKS, searchWorlds(COUNT))
})

it('[NI-1] a segment keeps what it was given, and its mask shows what was decided', () => {
  hold(COLUMNS, searchWorlds(COUNT))
})

it('[SC-1, AU-4] merged segments answer as before, and no word of a dead document is left', () => {
  hold(MERGED, searchWorlds(COUNT))
})

it('[SC-1] a cell that follows changes, merging now and then, answers as one built from what is left', () => {
  hold(FOLLOWS, searchHistories(Math.ceil(COUNT / 2)))
})

it('[SC-1] a cell that was kept and loaded answers as before, wherever its bytes begin', () => {
  hold(KEPT, searchHistories(Math.ceil(COUNT / 2)))
})

it('a cell that was kept is loaded from a buffer that shares its memory with others', () => {
  const bytes = search.encodeCell({
    segment: aSegment([aDocument(0, 'garden')]),
    vectors: new Map(),
    table: new search.CompartmentTable(),
    compartmentIds: new Uint8Array(0),
    domain: null,
  })
  for (let offset = 0; offset < 8; offset++) {
    const pool = Buffer.alloc(bytes.length + 8)
    pool.set(bytes, offset)
    const { segment } = search.decodeCell(pool.subarray(offset, offset + bytes.length))
    expect(search.match([seenInFull(segment)], aQuestion(['garden'])).count).toBe(1)
  }
})

describe('[NI-7] a cell is ahead', () => {
  const snapshot = (text: string) => new Snapshot(text)

  it('of a snapshot that does not see what is in it, whether or not it is remembered', () => {
    const cell = new search.Cell('user:ann', 10n)
    expect(cell.isAheadOf(snapshot('10:10:'))).toBe(false)
    expect(cell.isAheadOf(snapshot('9:10:9'))).toBe(true)
    cell.apply(snapshot('12:15:12,13'), [11n, 14n], [], null)
    expect(cell.horizon).toBe(12n)
    expect(cell.isAheadOf(snapshot('12:15:12,13'))).toBe(false)
    expect(cell.isAheadOf(snapshot('11:15:11,12'))).toBe(true)
    expect(cell.isAheadOf(snapshot('12:15:12,14'))).toBe(true)
    expect(cell.isAheadOf(snapshot('12:14:'))).toBe(true)
    expect([10n, 11n, 12n, 13n, 14n].map(xid => cell.has(xid))).toEqual([false, true, false, false, true])
  })

  it('of every snapshot from before what it has forgotten', () => {
    const cell = new search.Cell('user:ann', 0n)
    for (let xid = 1n; xid <= 1_000n; xid++) cell.apply(snapshot(`${xid + 1n}:${xid + 1n}:`), [xid], [], null)
    expect(cell.horizon).toBe(1_001n)
    expect(cell.has(1_000n)).toBe(true)
    expect(cell.has(1n)).toBe(false)
    expect(cell.isAheadOf(snapshot('1001:1001:'))).toBe(false)
    expect(cell.isAheadOf(snapshot('990:1001:'))).toBe(false)
    expect(cell.isAheadOf(snapshot('990:1001:990'))).toBe(true)
    expect(cell.isAheadOf(snapshot('5:1001:5'))).toBe(true)
  })

  it('and a change from the horizon on is never forgotten', () => {
    const cell = new search.Cell('user:ann', 1n)
    const slow = '1:2000:1'
    for (let xid = 2n; xid <= 1_000n; xid++) cell.apply(snapshot(slow), [xid], [], null)
    expect(cell.horizon).toBe(1n)
    expect([2n, 500n, 1_000n].map(xid => cell.has(xid))).toEqual([true, true, true])
  })
})

describe('a cell wants to be merged', () => {
  const row = (number: number): IndexRow => ({
    id: idOf(number),
    cell: 'user:ann',
    compartmentId: '00'.repeat(32),
    tuple: aTuple(),
    title: null,
    text: 'x',
    language: 'und',
    tags: [],
    fields: {},
    spans: [],
    filingUnit: null,
    version: null,
    versionKind: null,
    part: null,
    conversation: null,
    turn: null,
    speaker: null,
    createdAt: new Date(0),
    occurredAt: null,
    expiresAt: null,
    salience: 0.5,
    salienceAt: new Date(0),
    pinned: false,
  })
  const rows = (from: number, to: number) => Array.from({ length: to - from }, (_, at) => row(from + at))
  const take = (
    cell: InstanceType<Search['Cell']>,
    changed: readonly IndexRow[],
    gone: readonly IndexRow[] = [],
  ) =>
    cell.apply(
      new Snapshot('1:1:'),
      [],
      [...changed, ...gone].map(({ id }) => id),
      changed.length === 0 ? null : buildSegment(placed(cell, changed), null),
    )

  it('when much stands behind its base or much is gone, and not while it is', () => {
    const cell = new search.Cell('user:ann', 0n)
    expect(cell.wantsMerge).toBe(null)
    take(cell, rows(0, 2_000))
    take(cell, [], rows(0, 512))
    expect(cell.wantsMerge).toBe(null)
    take(cell, [], rows(512, 513))
    expect(cell.wantsMerge).toBe('all')
    const begun = cell.beginMerge('all')
    expect(cell.wantsMerge).toBe(null)
    const run = search.mergeInSteps(begun.parts)
    let step = run.next()
    while (!step.done) step = run.next()
    cell.merged(begun, step.value, new Map())
    expect(cell.wantsMerge).toBe(null)
    expect(cell.view.parts.map(({ segment, dead }) => [segment.size, dead.includes(1)])).toEqual([
      [1_487, false],
    ])
  })

  it('small parts become one at once, and large ones do not', () => {
    const cell = new search.Cell('user:ann', 0n)
    for (let at = 0; at < 40; at++) take(cell, rows(at, at + 1))
    expect(cell.view.parts.length).toBeLessThan(8)
    expect(cell.view.parts.reduce((sum, { segment }) => sum + segment.size, 0)).toBe(40)
    take(cell, rows(100, 2_000))
    const parts = cell.view.parts.length
    take(cell, rows(2_000, 3_900))
    expect(cell.view.parts.length).toBe(parts + 1)
  })
})
