import type { Transaction } from '../database.js'
import { isChunkOf } from './chunks.js'
import { logChanges } from './insert-records.js'
import type { SourceRow } from './sources.js'

/** The new metadata of a document. Null leaves a column unchanged. */
export interface Description {
  readonly card: string
  /** The title, and the text of the card, which begins with the title. */
  readonly title: string | null
  readonly text: string | null
  readonly tags: readonly string[] | null
  readonly fields: Readonly<Record<string, unknown>>
  readonly filingUnit: string | null
  readonly versionKind: string | null
}

/** Writes the metadata of a document to its card and all its chunks; returns the ids of the chunks. */
export async function describeDocument(
  tx: Transaction,
  tenant: string,
  { card, title, text, tags, fields, filingUnit, versionKind }: Description,
  now: Date,
): Promise<string[]> {
  const shared = [tenant, card, title, JSON.stringify(fields), filingUnit, versionKind, now]
  const chunks = (await tx.query<{ id: string }>(DESCRIBE_CHUNKS, shared)).map(({ id }) => id)
  await tx.query(DESCRIBE_CARD, [...shared, text, tags])
  // The title is part of what is embedded, so the vectors must be computed again.
  if (title !== null) await tx.query(FORGET_VECTORS, [tenant, [card, ...chunks]])
  await logChanges(tx, tenant, [card, ...chunks])
  return chunks
}

const DESCRIBED = `
    fields = r.fields || $4::jsonb,
    filing_unit = coalesce($5, r.filing_unit),
    version_kind = coalesce($6, r.version_kind),
    updated_at = $7,
    preview_updated_at = case when $3::text is null then r.preview_updated_at else $7 end`

/** A chunk whose part has no title of its own has the title of its card. */
const DESCRIBE_CHUNKS = `
  update privity.records r
  set
    title = case when r.title = card.title then coalesce($3, r.title) else r.title end,
    ${DESCRIBED}
  from privity.records card
  join privity.derivations d on d.tenant_id = $1 and d.source_id = card.record_id
  where card.tenant_id = $1
    and card.record_id = $2
    and r.tenant_id = $1
    and r.record_id = d.record_id
    and ${isChunkOf('card')}
  returning r.record_id as "id"`

const DESCRIBE_CARD = `
  update privity.records r
  set
    title = coalesce($3, r.title),
    text = coalesce($8, r.text),
    tags = coalesce($9::text[], r.tags),
    metadata_updated_at = case when $9::text[] is null then r.metadata_updated_at else $7 end,
    ${DESCRIBED}
  where r.tenant_id = $1
    and r.record_id = $2`

const FORGET_VECTORS = `
  delete from privity.embeddings
  where tenant_id = $1
    and record_id = any ($2::uuid[])`

/** Stores the metadata of a file, for its next versions. */
export async function describeSource(
  tx: Transaction,
  tenant: string,
  source: Pick<SourceRow, 'sourceId' | 'metadata' | 'asked' | 'filingUnit' | 'versionKind' | 'targets'>,
): Promise<void> {
  const { sourceId, metadata, asked, filingUnit, versionKind, targets } = source
  await tx.query(DESCRIBE_SOURCE, [
    tenant,
    sourceId,
    JSON.stringify(metadata),
    JSON.stringify(asked),
    filingUnit,
    versionKind,
    targets,
  ])
}

const DESCRIBE_SOURCE = `
  update privity.sources
  set
    metadata = $3::jsonb,
    asked = $4::jsonb,
    filing_unit = $5,
    version_kind = $6,
    targets = $7
  where tenant_id = $1
    and source_id = $2`
