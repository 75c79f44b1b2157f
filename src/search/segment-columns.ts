import { Lexicon } from './lexicon.js'
import type { Postings, PostingsData } from './postings.js'
import { Segment, type SegmentData } from './segment.js'

type LexiconColumns = Pick<Lexicon, 'bytes' | 'starts'>
type PostingsColumns = Omit<PostingsData, 'terms' | 'classes'> & {
  readonly terms: LexiconColumns
  readonly classes: LexiconColumns
}

/** A segment as plain columns, which another thread can be given. */
export interface SegmentColumns {
  readonly data: SegmentData
  readonly full: PostingsColumns
  readonly preview: PostingsColumns
  readonly metadata: PostingsColumns
}

export const segmentColumns = ({ data, full, preview, metadata }: Segment): SegmentColumns => ({
  data,
  full: postingsColumns(full),
  preview: postingsColumns(preview),
  metadata: postingsColumns(metadata),
})

export const segmentOf = ({ data, full, preview, metadata }: SegmentColumns): Segment =>
  new Segment(data, {
    full: postingsData(full),
    preview: postingsData(preview),
    metadata: postingsData(metadata),
  })

/** The buffers of all columns, to move them to another thread. */
export function buffersOf({ data, ...postings }: SegmentColumns): ArrayBuffer[] {
  const found = new Set<ArrayBuffer>()
  const add = (value: unknown) => {
    if (ArrayBuffer.isView(value) && value.buffer instanceof ArrayBuffer) found.add(value.buffer)
  }
  for (const column of Object.values(data)) add(column)
  for (const { terms, classes, ...columns } of Object.values(postings))
    for (const column of [
      terms.bytes,
      terms.starts,
      classes.bytes,
      classes.starts,
      ...Object.values(columns),
    ])
      add(column)
  return [...found]
}

const postingsColumns = ({ data: { terms, classes, ...columns } }: Postings): PostingsColumns => ({
  ...columns,
  terms: { bytes: terms.bytes, starts: terms.starts },
  classes: { bytes: classes.bytes, starts: classes.starts },
})

const postingsData = ({ terms, classes, ...columns }: PostingsColumns): PostingsData => ({
  ...columns,
  terms: new Lexicon(terms.bytes, terms.starts),
  classes: new Lexicon(classes.bytes, classes.starts),
})
