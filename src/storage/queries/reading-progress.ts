/** How far the files in question have been read. */
export interface ReadingProgress {
  /** Whether some files wait to be read. */
  readonly waits: boolean
  /** The number of waiting files, and since when the first of them waits. */
  readonly waiting: number
  readonly waitingSince: Date | null
  /** Whether some files could not be read, or not completely. */
  readonly unread: boolean
  /** The names of files that wait, and of those that could not be read: some of each, in order. */
  readonly waitingFiles: readonly string[]
  readonly unreadFiles: readonly string[]
}

/** The progress if no files are in question. */
export const NOTHING_TO_READ: ReadingProgress = {
  waits: false,
  waiting: 0,
  waitingSince: null,
  unread: false,
  waitingFiles: [],
  unreadFiles: [],
}

/** The most files of each sort that are named. */
const MOST_NAMED = 100

/** Which files are in question: those of these owners, in some corpora or of some filing units. */
export interface FilesInQuestion {
  readonly owners: readonly string[]
  readonly corpora: readonly string[] | null
  readonly filingUnits: readonly string[] | null
}

/** How far they have been read. */
export const READING_OF = `
  select
    coalesce(bool_or(s.state = 'extracting'), false) as "waits",
    (count(*) filter (where s.state = 'extracting'))::int as "waiting",
    min(s.created_at) filter (where s.state = 'extracting') as "waitingSince",
    coalesce(bool_or(s.state in ('partial', 'needs_ocr', 'failed')), false) as "unread",
    coalesce(
      (array_agg(distinct s.document) filter (where s.state = 'extracting'))[1:${MOST_NAMED}],
      '{}') as "waitingFiles",
    coalesce(
      (array_agg(distinct s.document) filter (where s.state in ('partial', 'needs_ocr', 'failed')))[1:${MOST_NAMED}],
      '{}') as "unreadFiles"
  from privity.sources s
  where s.tenant_id = $1
    and s.owner = any ($2::text[])
    and s.state <> 'complete'
    and ($3::text[] is null or s.corpus = any ($3))
    and ($4::text[] is null or s.filing_unit = any ($4))`
