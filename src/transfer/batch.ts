import { createHash } from 'node:crypto'
import type { ExportedRecord, RecordToImport } from './item.js'

/** A record that was read and checked, and where it stood. */
export interface CheckedRecord {
  readonly where: string
  readonly draft: RecordToImport
  readonly exported: ExportedRecord | undefined
  readonly identity: string | undefined
}

export const MOST_RECORDS = 200
/** Of JSON: well below what a door takes in one request. */
export const MOST_BYTES = 2 * 1_048_576

/** Records that are sent together. */
export class ImportBatch {
  readonly records: CheckedRecord[] = []
  #bytes = 0

  /** Whether a record still fits; the first always does. */
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
 * Under the same key, the same records are stored once, however often they are sent: their digest, and their place in
 * the source, as a source may hold the same twice.
 */
export function batchKey(drafts: readonly RecordToImport[], ordinal: number, salt = ''): string {
  return `import-${ordinal}-${digest([salt, drafts])}`
}

/** The key of a record that is known by itself: what else its source holds, and in which order, does not matter. */
export function recordKey(draft: RecordToImport, identity: string, salt = ''): string {
  return `import-record-${digest([salt, identity, draft])}`
}

export const relationKey = (from: string, to: string, type: string): string =>
  `import-relation-${digest([from, to, type])}`

function digest(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('base64url')
}
