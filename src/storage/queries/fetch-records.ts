import type { PolicyTuple } from '../../policy/tuple.js'
import type { Transaction } from '../database.js'

/** The other end of an edge: enough to decide whether it may be named. */
export interface EdgeRow {
  readonly type: string
  readonly direction: 'out' | 'in'
  readonly record: string
  readonly tuple: PolicyTuple
  readonly createdAt: number
  readonly expiresAt: number | null
}

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
  readonly targets: readonly string[]
  readonly participantIds: readonly string[]
  readonly participantNames: readonly string[]
  readonly contestedReason: string | null
  readonly title: string | null
  readonly text: string
  readonly tags: readonly string[]
  readonly fields: Readonly<Record<string, unknown>>
  readonly salience: number
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
  readonly edges: readonly EdgeRow[]
}

/**
 * Records by id, with their edges, in one statement: the same statement whether a record is there, hidden or absent
 * (NI-5). Runs under row-level security.
 */
export function fetchRecords(tx: Transaction, tenant: string, ids: readonly string[]): Promise<RecordRow[]> {
  return tx.query<RecordRow>(FETCH_RECORDS, [tenant, ids])
}

/** The columns of a RecordRow, but for its edges, of `records r` joined with `compartments c`. */
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
    r.targets,
    r.participants as "participantIds",
    (select coalesce(array_agg(p.name order by p.name), '{}')
     from privity.people p
     where p.tenant_id = r.tenant_id
       and p.owner = r.owner
       and p.person_id = any (r.participants)) as "participantNames",
    r.contested_reason as "contestedReason",
    r.title,
    r.text,
    r.tags,
    r.fields,
    r.salience,
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

const edge = (type: string, direction: 'out' | 'in', table: string, here: string, there: string) => `
       select
         ${type} as type,
         '${direction}' as direction,
         o.record_id as record,
         oc.tuple,
         extract(epoch from o.created_at) * 1000 as "createdAt",
         extract(epoch from o.expires_at) * 1000 as "expiresAt"
       from privity.${table} e
       join privity.records o on o.tenant_id = e.tenant_id and o.record_id = e.${there}
       join privity.compartments oc on oc.tenant_id = o.tenant_id and oc.compartment_id = o.compartment_id
       where e.tenant_id = r.tenant_id
         and e.${here} = r.record_id`

export const EDGES_COLUMN = `
    coalesce(
      (select jsonb_agg(to_jsonb(edge) order by edge.type, edge.direction, edge.record)
       from (
         ${edge('e.type', 'out', 'relations', 'from_id', 'to_id')}
         union all
         ${edge('e.type', 'in', 'relations', 'to_id', 'from_id')}
         union all
         ${edge(`'derived_from'`, 'out', 'derivations', 'record_id', 'source_id')}
         union all
         ${edge(`'derived_from'`, 'in', 'derivations', 'source_id', 'record_id')}
       ) edge),
      '[]'
    ) as "edges"`

const FETCH_RECORDS = `
  select ${RECORD_COLUMNS}, ${EDGES_COLUMN}
  from privity.records r
  join privity.compartments c using (tenant_id, compartment_id)
  where r.tenant_id = $1
    and r.record_id = any ($2::uuid[])
  order by r.record_id`
