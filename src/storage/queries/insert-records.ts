import type { PolicyTuple } from '../../policy/tuple.js'
import type { Transaction } from '../database.js'
import { compartmentsToWrite, internCompartmentsSql } from './intern-compartments.js'

/** A new row of privity.records. */
export interface NewRecord {
  readonly recordId: string
  readonly compartmentId: string
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
  readonly redactedOf: string | null
  readonly participantIds: readonly string[]
  readonly title: string | null
  readonly text: string
  readonly language: string | null
  readonly tags: readonly string[]
  readonly fields: Readonly<Record<string, unknown>>
  readonly salience: number
  readonly pinned: boolean
  readonly confidence: number
  readonly provenance: Readonly<Record<string, unknown>>
  readonly spans: readonly unknown[]
  readonly occurredAt: string | null
  readonly validFrom: string | null
  readonly validTo: string | null
  readonly expiresAt: string | null
  readonly createdAt: string
  readonly sources: readonly string[]
}

/**
 * Inserts records with their compartments and derivations, and adds them to the change log, by one statement.
 * Compartments are sorted, so that two writers of the same ones cannot deadlock.
 */
export async function insertRecords(
  tx: Transaction,
  tenant: string,
  records: readonly NewRecord[],
): Promise<void> {
  const { rows, compartments, derivations } = recordsToWrite(records)
  await tx.query(INSERT_RECORDS, [
    tenant,
    JSON.stringify(rows),
    JSON.stringify(compartments),
    JSON.stringify(derivations),
  ])
}

/** Records as the statement that inserts them reads them. */
export function recordsToWrite(records: readonly NewRecord[]) {
  const compartments = new Map(records.map(({ compartmentId, tuple }) => [compartmentId, tuple]))
  return {
    rows: records.map(toRow),
    compartments: compartmentsToWrite(compartments),
    derivations: records.flatMap(({ recordId, sources }) =>
      sources.map(source => ({ record_id: recordId, source_id: source })),
    ),
  }
}

/**
 * Adds records to the change log, from which the index of a cell learns what to read again. Call it after inserting a
 * record and before deleting one.
 */
export async function logChanges(tx: Transaction, tenant: string, ids: readonly string[]): Promise<void> {
  await tx.query(INSERT_CHANGES, [tenant, ids, false])
}

/** Adds records to the change log of which only a vector was added. */
export async function logVectors(tx: Transaction, tenant: string, ids: readonly string[]): Promise<void> {
  await tx.query(INSERT_CHANGES, [tenant, ids, true])
}

function toRow(record: NewRecord) {
  const { tuple } = record
  return {
    record_id: record.recordId,
    compartment_id: `\\x${record.compartmentId}`,
    kind: tuple.kind,
    vessel: tuple.vessel,
    owner: tuple.owner,
    author: record.author,
    session: tuple.session,
    relationship: tuple.relationship,
    content_type: tuple.contentType,
    confirmed: tuple.confirmed,
    addressees: tuple.addressees,
    consent_record: tuple.consentRecord,
    input_consents: tuple.inputConsents,
    corpus: tuple.corpus,
    filing_unit: record.filingUnit,
    version: record.version,
    version_kind: record.versionKind,
    part: record.part,
    document: record.document,
    segment: record.segment,
    conversation: record.conversation,
    turn: record.turn,
    speaker: record.speaker,
    surface: tuple.surface,
    targets: record.targets,
    redacted: tuple.redacted,
    opening: tuple.opening,
    redacted_of: record.redactedOf,
    sensitivity: tuple.sensitivity,
    scope: tuple.scope,
    visibility_class: tuple.visibilityClass,
    participants: record.participantIds,
    marked_shareable: tuple.markedShareable,
    lifecycle: tuple.lifecycle,
    ended_at: tuple.endedAt,
    title: record.title,
    text: record.text,
    language: record.language,
    tags: record.tags,
    fields: record.fields,
    salience: record.salience,
    pinned: record.pinned,
    confidence: record.confidence,
    provenance: record.provenance,
    spans: record.spans,
    occurred_at: record.occurredAt,
    valid_from: record.validFrom,
    valid_to: record.validTo,
    expires_at: record.expiresAt,
    created_at: record.createdAt,
  }
}

const COLUMNS = [
  'record_id uuid',
  'compartment_id bytea',
  'kind text',
  'vessel text',
  'owner text',
  'author text',
  'session text',
  'relationship text',
  'content_type text',
  'confirmed boolean',
  'addressees text[]',
  'consent_record uuid',
  'input_consents uuid[]',
  'corpus text',
  'filing_unit text',
  'version text',
  'version_kind text',
  'part text',
  'document text',
  'segment text',
  'conversation text',
  'turn integer',
  'speaker text',
  'surface text',
  'targets text[]',
  'redacted boolean',
  'opening boolean',
  'redacted_of uuid',
  'sensitivity text',
  'scope text',
  'visibility_class text',
  'participants uuid[]',
  'marked_shareable boolean',
  'lifecycle text',
  'ended_at timestamptz',
  'title text',
  'text text',
  'language text',
  'tags text[]',
  'fields jsonb',
  'salience float8',
  'pinned boolean',
  'confidence float8',
  'provenance jsonb',
  'spans jsonb',
  'occurred_at timestamptz',
  'valid_from timestamptz',
  'valid_to timestamptz',
  'expires_at timestamptz',
  'created_at timestamptz',
]
const NAMES = COLUMNS.map(column => column.split(' ')[0]).join(', ')

/**
 * Inserts records with all that belongs to them. Each argument is a set of rows, made of JSON. Foreign keys are checked
 * when the whole statement has run.
 */
export const insertRecordsSql = (rows: string, compartments: string, derivations: string) => `
  with interned as (${internCompartmentsSql(compartments)}
  ), inserted as (
    insert into privity.records (tenant_id, ${NAMES}, updated_at, metadata_updated_at, preview_updated_at)
    select $1, ${NAMES}, created_at, created_at, created_at
    from ${rows} as row (${COLUMNS.join(', ')})
    returning tenant_id, cell, record_id
  ), derived as (
    insert into privity.derivations (tenant_id, record_id, source_id)
    select $1, record_id, source_id
    from ${derivations} as edge (record_id uuid, source_id uuid)
    on conflict do nothing
  )
  insert into privity.changes (tenant_id, cell, record_id, vector)
  select tenant_id, cell, record_id, false
  from inserted
  on conflict do nothing`

const INSERT_RECORDS = insertRecordsSql(
  'json_to_recordset($2::json)',
  'json_to_recordset($3::json)',
  'json_to_recordset($4::json)',
)

const INSERT_CHANGES = `
  insert into privity.changes (tenant_id, cell, record_id, vector)
  select tenant_id, cell, record_id, $3
  from privity.records
  where tenant_id = $1
    and record_id = any ($2::uuid[])
  on conflict do nothing`
