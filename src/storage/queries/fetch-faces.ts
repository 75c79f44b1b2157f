import type { PolicyTuple } from '../../policy/tuple.js'

/** The data from which the faces of a record are made, and the data that decides which face is seen. */
export interface FaceRow {
  readonly id: string
  readonly tuple: PolicyTuple
  readonly title: string | null
  readonly text: string
  readonly tags: readonly string[]
  readonly fields: Readonly<Record<string, unknown>>
  readonly spans: readonly unknown[]
  readonly expiresAt: Date | null
  readonly createdAt: Date
}

/** By record id, under row-level security. */
export const FETCH_FACES = `
  select
    r.record_id as "id",
    c.tuple,
    r.title,
    r.text,
    r.tags,
    r.fields,
    r.spans,
    r.expires_at as "expiresAt",
    r.created_at as "createdAt"
  from privity.records r
  join privity.compartments c using (tenant_id, compartment_id)
  where r.tenant_id = $1
    and r.record_id = any ($2::uuid[])
  order by r.record_id`
