import { createHash } from 'node:crypto'
import type { ExportedRecord, RecordToImport } from './item.js'

/** A record that was read and validated, and its position in the source. */
export interface CheckedRecord {
  readonly where: string
  readonly draft: RecordToImport
  readonly exported: ExportedRecord | undefined
  readonly identity: string | undefined
}

export const MOST_RECORDS = 200
/** Size limit in bytes of JSON, well below what a door accepts in one request. */
export const MOST_BYTES = 2 * 1_048_576

/** Records that are sent in one request. */
export class ImportBatch {
  readonly records: CheckedRecord[] = []
  #bytes = 0

  /** Whether another record fits; the first always does. */
  fits(record: CheckedRecord): boolean {
    if (this.records.length === 0) return true
    return this.records.length < MOST_RECORDS && this.#bytes + sizeOf(record) <= MOST_BYTES
  }

  add(record: CheckedRecord): void {
    this.records.push(record)
    this.#bytes += sizeOf(record)
  }
}

const sizeOf = ({ draft }: CheckedRecord) => Buffer.byteLength(JSON.stringify(draft))

/**
 * An idempotency key from the digest of the records and their position, so that sending them again stores nothing
 * twice. The position is included because a source may hold the same records twice.
 */
export function batchKey(drafts: readonly RecordToImport[], ordinal: number, salt = ''): string {
  return `import-${ordinal}-${digest([salt, drafts])}`
}

/**
 * The idempotency key of a record with an identity of its own. It does not depend on the rest of the source or on
 * order.
 */
export function recordKey(draft: RecordToImport, identity: string, salt = ''): string {
  return `import-record-${digest([salt, identity, draft])}`
}

export const relationKey = (from: string, to: string, type: string): string =>
  `import-relation-${digest([from, to, type])}`

function digest(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('base64url')
}
