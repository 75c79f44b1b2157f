import { mergeAtOnce } from '../../search/merge.js'
import { buffersOf, type SegmentColumns, segmentColumns, segmentOf } from '../../search/segment-columns.js'
import type { JobResult } from '../threads/threads.js'

export interface MergeInput {
  readonly parts: readonly { readonly columns: SegmentColumns; readonly dead: Uint8Array }[]
}

export interface MergeOutput {
  readonly columns: SegmentColumns
  readonly moved: readonly Uint32Array[]
}

/** Merges segments in a thread. */
export default function mergeColumns({ parts }: MergeInput): JobResult<MergeOutput> {
  const { segment, moved } = mergeAtOnce(
    parts.map(({ columns, dead }) => ({ segment: segmentOf(columns), dead })),
  )
  const columns = segmentColumns(segment)
  return {
    value: { columns, moved },
    transfer: [...buffersOf(columns), ...moved.map(({ buffer }) => buffer as ArrayBuffer)],
  }
}
