import { setImmediate } from 'node:timers/promises'
import { type MergePart, type MergeResult, mergeAtOnce } from '../../search/merge.js'
import type { Segment } from '../../search/segment.js'
import { type SegmentColumns, segmentColumns, segmentOf } from '../../search/segment-columns.js'
import type { IndexRow } from '../../storage/queries/index-feed.js'
import type { Domain } from '../domain.js'
import type { Party } from '../fairness/fair-line.js'
import { jobModule, type Threads } from '../threads/threads.js'
import { type BuildInput, buildSegment, type PlacedRow } from './build-job.js'
import type { MergeInput, MergeOutput } from './merge-job.js'

/**
 * The most characters that are indexed in the thread of the requests: some milliseconds, which is less than another
 * thread takes to be asked. Characters that a domain reads for citations count several times.
 */
export const MOST_INLINE = 32_768
const DOMAIN_WEIGHT = 8

/** The most bytes of segments that are merged in the thread of the requests. */
export const MOST_MERGED_INLINE = 262_144

const BUILD = jobModule('runtime/index/build-job.js')
const MERGE = jobModule('runtime/index/merge-job.js')

/** Builds and merges segments: what is short here, what is long in another thread. */
export class IndexWork {
  readonly #threads: Threads
  readonly #domain: Domain | null

  constructor(threads: Threads, domain: Domain | null) {
    this.#threads = threads
    this.#domain = domain
  }

  /** How much work it is to index these records, in characters. */
  weightOf(rows: readonly Pick<IndexRow, 'text' | 'title' | 'tuple'>[]): number {
    return rows.reduce(
      (sum, row) => sum + (row.text.length + (row.title?.length ?? 0)) * this.#weight(row),
      0,
    )
  }

  /** Builds a segment at once. */
  buildHere(rows: readonly Omit<PlacedRow, 'keys'>[]): Segment {
    return buildSegment(
      rows.map(placed => ({ ...placed, keys: null })),
      this.#domain,
    )
  }

  async build(party: Party, rows: readonly Omit<PlacedRow, 'keys'>[]): Promise<Segment> {
    if (this.weightOf(rows.map(({ row }) => row)) <= MOST_INLINE) return this.buildHere(rows)
    const domain = this.#domain
    const module = domain?.module ?? null
    const placed: PlacedRow[] = []
    for (const one of rows) {
      const reads = module === null && this.#reads(one.row)
      placed.push({ ...one, keys: reads ? (domain?.keysOf(one.row) ?? []) : null })
      // A domain that cannot be loaded in a thread is asked here, one record at a time.
      if (reads) await setImmediate()
    }
    const input: BuildInput = { rows: placed, domain: module }
    return segmentOf(await this.#threads.run<SegmentColumns>(party, { module: BUILD, input }))
  }

  async merge(party: Party, parts: readonly MergePart[]): Promise<MergeResult> {
    const bytes = parts.reduce((sum, { segment }) => sum + segment.bytes, 0)
    if (bytes <= MOST_MERGED_INLINE) return mergeAtOnce(parts)
    const input: MergeInput = {
      parts: parts.map(({ segment, dead }) => ({ columns: segmentColumns(segment), dead })),
    }
    const { columns, moved } = await this.#threads.run<MergeOutput>(party, { module: MERGE, input })
    return { segment: segmentOf(columns), moved }
  }

  #reads({ tuple: { corpus } }: Pick<IndexRow, 'tuple'>): boolean {
    return corpus !== null && this.#domain?.has(corpus) === true
  }

  #weight(row: Pick<IndexRow, 'tuple'>): number {
    return this.#reads(row) ? DOMAIN_WEIGHT : 1
  }
}
