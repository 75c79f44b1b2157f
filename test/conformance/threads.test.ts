import { readdirSync } from 'node:fs'
import { getPriority } from 'node:os'
import { afterAll, describe, expect, it } from 'vitest'
import { citations, words } from '../../bench/fairness/attacks.js'
import { legal } from '../../src/legal/index.js'
import { IndexWork } from '../../src/runtime/index/index-work.js'
import { LOWER_BY } from '../../src/runtime/threads/lower-priority.js'
import { jobModule, Threads } from '../../src/runtime/threads/threads.js'
import { segmentColumns } from '../../src/search/segment-columns.js'
import type { IndexRow } from '../../src/storage/queries/index-feed.js'
import { aTuple } from '../support/subject.js'

const party = { tenant: 'home', credential: 'user:ana' }
const row = (number: number, text: string): IndexRow => ({
  id: `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`,
  cell: 'user:ana',
  compartmentId: '00'.repeat(32),
  tuple: { ...aTuple(), corpus: 'c' },
  title: null,
  text,
  language: null,
  tags: ['a'],
  fields: { caseNumber: '1:20-cv-00001' },
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
const rows = [row(1, citations(60_000, 1)), row(2, words(60_000, 2))].map((row, place) => ({ row, place }))

describe('[OP-8] a thread', () => {
  const threads = new Threads()
  afterAll(() => threads.close())

  it('builds and merges the same segments as the thread of the requests, to the last byte', async () => {
    const { module: _, ...unknown } = legal()
    const here = new IndexWork(threads, legal()).buildHere(rows)
    // A domain that no thread can load gives the same keys.
    for (const domain of [legal(), unknown]) {
      const there = await new IndexWork(threads, domain).build(party, rows)
      expect(segmentColumns(there)).toEqual(segmentColumns(here))
    }
    const { mergeAtOnce } = await import('../../src/search/merge.js')
    const parts = [here, here].map(segment => ({ segment, dead: Uint8Array.of(0, 1) }))
    const work = new IndexWork(threads, null)
    const [merged, expected] = [await work.merge(party, parts), mergeAtOnce(parts)]
    expect(segmentColumns(merged.segment)).toEqual(segmentColumns(expected.segment))
    expect(merged.moved).toEqual(expected.moved)
    // Merging copied the parts, so that searches can go on reading them.
    expect(here.full.find('u.s')).toBe(here.full.find('u.s'))
    expect(segmentColumns(here).data.ids.byteLength).toBe(32)
  })

  it.runIf(process.platform === 'linux')('lets requests have the core first', async () => {
    await threads.run(party, { module: jobModule('http/parse-json-job.js'), input: Buffer.from('1') })
    const niceness = readdirSync('/proc/self/task').map(task => getPriority(Number(task)))
    expect(niceness).toContain(Math.min(19, getPriority() + LOWER_BY))
  })

  it('tells nothing of why a job failed, and goes on', async () => {
    const module = jobModule('http/parse-json-job.js')
    const missing = jobModule('http/there-is-none.js')
    await expect(threads.run(party, { module: missing, input: 'secret' })).rejects.toMatchObject({
      code: 'internal',
      message: 'a background job failed',
    })
    const input = new TextEncoder().encode('[1]')
    expect(await threads.run(party, { module, input })).toEqual({ kind: 'json', value: [1] })
  })

  it('ends with what it works on when everything is closed', async () => {
    const closing = new Threads()
    const work = new IndexWork(closing, legal())
    const building = work.build(party, [{ row: row(1, citations(900_000, 1)), place: 0 }])
    const waiting = work.build(party, [{ row: row(2, citations(900_000, 2)), place: 0 }])
    const outcomes = Promise.allSettled([building, waiting])
    await closing.close()
    for (const outcome of await outcomes)
      expect(outcome).toMatchObject({ status: 'rejected', reason: { code: 'closed' } })
    await expect(closing.run(party, { module: '', input: null })).rejects.toMatchObject({ code: 'closed' })
  })
})
