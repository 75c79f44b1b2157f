import type { PolicyTuple } from '../../policy/tuple.js'
import type { Transaction } from '../database.js'
import { NAMED_PEOPLE, type NamedPerson } from './people.js'

export interface RecordRow {
  readonly id: string
  readonly tuple: PolicyTuple
  readonly author: string
  readonly filingUnit: string | null
  readonly version: string | null
  readonly versionKind: string | null
  readonly part: string | null
  readonly document: string | null
  readonly segment: string | null
  readonly conversation: string | null
  readonly turn: number | null
  readonly speaker: string | null
  readonly targets: readonly string[]
  readonly participantIds: readonly string[]
  readonly people: readonly NamedPerson[]
  readonly contestedReason: string | null
  readonly title: string | null
  readonly text: string
  readonly language: string | null
  readonly tags: readonly string[]
  readonly fields: Readonly<Record<string, unknown>>
  readonly salience: number
  /** The time at which the salience had this value. */
  readonly salienceAt: Date
  readonly pinned: boolean
  readonly confidence: number
  readonly provenance: Readonly<Record<string, unknown>>
  readonly spans: readonly unknown[]
  readonly occurredAt: Date | null
  readonly validFrom: Date | null
  readonly validTo: Date | null
  readonly expiresAt: Date | null
  readonly createdAt: Date
  readonly updatedAt: Date
  readonly metadataUpdatedAt: Date
  readonly previewUpdatedAt: Date
}

/**
 * Fetches records by id, under row-level security. It is the same statement whether a record is visible, hidden or
 * absent (NI-5).
 */
export function fetchRecords(tx: Transaction, tenant: string, ids: readonly string[]): Promise<RecordRow[]> {
  return tx.query<RecordRow>(FETCH_RECORDS, [tenant, ids])
}

/** The columns of a RecordRow, selected from `records r` joined with `compartments c`. */
export const RECORD_COLUMNS = `
    r.record_id as "id",
    c.tuple,
    r.author,
    r.filing_unit as "filingUnit",
    r.version,
    r.version_kind as "versionKind",
    r.part,
    r.document,
    r.segment,
    r.conversation,
    r.turn,
    r.speaker,
    r.targets,
    r.participants as "participantIds",
    ${NAMED_PEOPLE} as people,
    r.contested_reason as "contestedReason",
    r.title,
    r.text,
    r.language,
    r.tags,
    r.fields,
    r.salience,
    coalesce(r.salience_at, r.created_at) as "salienceAt",
    r.pinned,
    r.confidence,
    r.provenance,
    r.spans,
    r.occurred_at as "occurredAt",
    r.valid_from as "validFrom",
    r.valid_to as "validTo",
    r.expires_at as "expiresAt",
    r.created_at as "createdAt",
    r.updated_at as "updatedAt",
    r.metadata_updated_at as "metadataUpdatedAt",
    r.preview_updated_at as "previewUpdatedAt"`

export const FETCH_RECORDS = `
  select ${RECORD_COLUMNS}
  from privity.records r
  join privity.compartments c using (tenant_id, compartment_id)
  where r.tenant_id = $1
    and r.record_id = any ($2::uuid[])
  order by r.record_id`
