import type { Transaction } from '../database.js'
import { KEPT_BY_GENERATION } from './kept-by-generation.js'

export interface PersonFactRow {
  readonly owner: string
  readonly personId: string
  readonly consent: string
  readonly actor: string | null
}
export interface OverlayFactRow {
  readonly owner: string
  readonly target: string
  readonly restriction: string
}
export interface GrantFactRow {
  readonly owner: string
  readonly target: string
  readonly grantee: string
}

/** The facts of some owners: their people, and the overlays and grants on their records. */
export async function loadOwnerFacts(tx: Transaction, tenant: string, owners: readonly string[]) {
  return {
    people: await tx.query<PersonFactRow>(LOAD_PEOPLE, [tenant, owners]),
    overlays: await tx.query<OverlayFactRow>(LOAD_OVERLAYS, [tenant, owners]),
    grants: await tx.query<GrantFactRow>(LOAD_GRANTS, [tenant, owners]),
  }
}

const LOAD_PEOPLE = `${KEPT_BY_GENERATION}
  select owner, person_id as "personId", consent, actor
  from privity.people
  where tenant_id = $1
    and owner = any ($2::text[])`

const LOAD_OVERLAYS = `${KEPT_BY_GENERATION}
  select owner, target, restriction
  from privity.overlays
  where tenant_id = $1
    and owner = any ($2::text[])`

const LOAD_GRANTS = `${KEPT_BY_GENERATION}
  select owner, target, grantee
  from privity.grants
  where tenant_id = $1
    and owner = any ($2::text[])`
