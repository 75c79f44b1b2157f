import type { RecordRow } from '../storage/queries/fetch-records.js'
import { cursorBoundary } from './cursor-boundary.js'
import type { RecordView } from './record-view.js'
import type { ReadRequest } from './request.js'

/** An order of records, as a statement lists them. */
export interface RecordOrder<Row extends RecordRow, Key> {
  readonly load: (after: Key | null, most: number) => Promise<Row[]>
  readonly keyOf: (row: Row) => Key
  readonly writeKey: (key: Key) => string
  readonly readKey: (written: string) => Key
  /** A visible record as the answer shows it, or null if its face does not match the question. */
  readonly show: (row: Row, view: RecordView) => RecordView | null
}

/** A page of visible records in an order, with a sealed cursor that is bound to the caller and the question (NI-9). */
export async function pageOfRecords<Row extends RecordRow, Key>(
  request: ReadRequest,
  operation: string,
  { limit: asked, cursor, ...question }: { readonly limit: number; readonly cursor?: string | undefined },
  { load, keyOf, writeKey, readKey, show }: RecordOrder<Row, Key>,
): Promise<{ records: RecordView[]; cursor: string | null }> {
  const { secrets } = request.parts
  const boundTo = cursorBoundary(request, operation, question)
  const limit = request.atMost(asked)
  let after = cursor === undefined ? null : readKey(secrets.open(cursor, boundTo))
  const found: { view: RecordView; key: Key }[] = []
  // The statement leaves out all that the gates do, so there is one round, whatever is hidden (NI-1, NI-5). Should the
  // two ever differ, the gates are right, and pages are whole all the same.
  for (;;) {
    const wanted = limit + 1 - found.length
    const rows = await load(after, wanted)
    const views = await request.view(rows)
    for (const [at, row] of rows.entries()) {
      after = keyOf(row)
      const view = views[at]
      const shown = view ? show(row, view) : null
      if (shown !== null) found.push({ view: shown, key: after })
    }
    if (found.length > limit || rows.length < wanted) break
  }
  const page = found.slice(0, limit)
  const last = page.at(-1)
  const more = found.length > limit && last !== undefined
  for (const { view } of page) request.show(view)
  return {
    records: page.map(({ view }) => view),
    cursor: more ? secrets.seal(writeKey(last.key), boundTo) : null,
  }
}
