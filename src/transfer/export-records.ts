import type { Handle } from '../handle.js'
import type { InputOf } from '../operations.js'
import type { RecordView } from '../runtime/record-view.js'
import type { RecordToImport } from './item.js'
import { omitEmpty } from './names.js'

/** Filters for the records that the caller sees; without any, all are exported. */
export type ExportQuery = Omit<InputOf<'memory.list'>, 'order' | 'limit' | 'cursor'>

/** A page of lines, and the cursor for the next page; null after the last. */
export interface ExportPage {
  readonly lines: readonly string[]
  readonly cursor: string | null
}

const PAGE = 200

/** Pages of all records that the caller sees, as JSON lines, oldest first, optionally from a cursor on. */
export async function* exportPages(
  handle: Handle,
  query: ExportQuery = {},
  from: string | null = null,
): AsyncGenerator<ExportPage> {
  let cursor = from
  do {
    const page: Awaited<ReturnType<Handle['list']>> = await handle.list({
      // What no longer holds is part of the record all the same.
      asOf: 'any',
      ...query,
      order: 'oldest',
      limit: PAGE,
      ...(cursor === null ? {} : { cursor }),
    })
    cursor = page.cursor
    yield { lines: page.records.map(exportLine), cursor }
  } while (cursor !== null)
}

/**
 * All records that the caller sees, as JSON lines that `readJsonLines` can import again.
 *
 * @example
 * for await (const line of exportLines(ana, { tags: ['travel'] })) process.stdout.write(`${line}\n`)
 */
export async function* exportLines(handle: Handle, query: ExportQuery = {}): AsyncGenerator<string> {
  for await (const { lines } of exportPages(handle, query)) yield* lines
}

/** One line: the fields that can recreate the record, and its other data separately. */
export function exportLine(view: RecordView): string {
  const { id, face, createdAt, updatedAt, version, relations, payload } = view
  const about = omitEmpty({
    id,
    face,
    createdAt,
    updatedAt,
    version,
    author: payload?.author,
    owner: payload?.owner,
    relations: relations
      .filter(({ direction }) => direction === 'out')
      .map(({ type, record }) => ({ type, record })),
    contested:
      face === 'full' && payload?.contested === true
        ? { reason: payload.contestedReason ?? null }
        : undefined,
  })
  return JSON.stringify({ ...(face === 'full' ? draftOf(view) : seenOf(view)), exported: about })
}

/** A record that is only partly visible cannot be recreated; its line is for reading only. */
function seenOf({ kind, sensitivity, scope, tags, payload }: RecordView) {
  return omitEmpty({
    kind,
    sensitivity,
    scope: scope ?? undefined,
    tags,
    title: payload?.title ?? undefined,
    text: payload?.text,
  })
}

function draftOf(view: RecordView): Partial<RecordToImport> {
  const {
    contested: _,
    contestedReason: __,
    author: ___,
    owner,
    relationship: ____,
    ...said
  } = view.payload ?? NOTHING
  const draft = {
    ...said,
    kind: view.kind,
    sensitivity: view.sensitivity,
    scope: view.scope,
    tags: view.tags,
    salience: view.salience,
    confidence: view.confidence,
    provenance: view.provenance,
    pinned: said.pinned || undefined,
    markedShareable: said.markedShareable || undefined,
    vessel: said.vessel === 'user' ? undefined : said.vessel,
    // A person's records will belong to whoever imports them; a group's records stay with the group.
    owner: owner !== undefined && /^(?:group|role):/.test(owner) ? owner : undefined,
  }
  return Object.fromEntries(
    Object.entries(draft).filter(([, value]) => value !== undefined && value !== null && !isEmpty(value)),
  )
}

const NOTHING: NonNullable<RecordView['payload']> = { title: null, text: '', contested: false }

const isEmpty = (value: unknown) => typeof value === 'object' && Object.keys(value ?? {}).length === 0
