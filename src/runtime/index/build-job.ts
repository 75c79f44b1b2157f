import { SegmentBuilder } from '../../search/segment.js'
import { buffersOf, type SegmentColumns, segmentColumns } from '../../search/segment-columns.js'
import type { IndexRow } from '../../storage/queries/index-feed.js'
import type { Domain, DomainModule } from '../domain.js'
import type { JobResult } from '../threads/threads.js'
import { indexDocument } from './document.js'

/** A record to index, the place of its compartment, and its keys if this thread's domain cannot find them. */
export interface PlacedRow {
  readonly row: IndexRow
  readonly place: number
  readonly keys: readonly string[] | null
}

export interface BuildInput {
  readonly rows: readonly PlacedRow[]
  readonly domain: DomainModule | null
}

/** Builds a segment in a thread. */
export default async function buildColumns({ rows, domain }: BuildInput): Promise<JobResult<SegmentColumns>> {
  const value = segmentColumns(buildSegment(rows, domain === null ? null : await load(domain)))
  return { value, transfer: buffersOf(value) }
}

/** Builds a segment of records, which are sorted by compartment first. */
export function buildSegment(rows: readonly PlacedRow[], domain: Domain | null) {
  const builder = new SegmentBuilder()
  for (const { row, place, keys } of [...rows].sort((a, b) => a.place - b.place))
    builder.add(indexDocument(row, place, domain, keys))
  return builder.finish()
}

async function load({ module, options }: DomainModule): Promise<Domain> {
  const { makeDomain } = (await import(module)) as { makeDomain: (options: unknown) => Domain }
  return makeDomain(options)
}
