import { storedFunction, withParams } from '../stored-function.js'
import { KEPT_BY_GENERATION } from './kept-by-generation.js'
import type { Send } from './read.js'

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

/** The facts of some owners, and the generations that they are. An owner who never had facts has none. */
export interface OwnerFactRows {
  readonly generations: Readonly<Record<string, string>>
  readonly people: readonly PersonFactRow[]
  readonly overlays: readonly OverlayFactRow[]
  readonly grants: readonly GrantFactRow[]
}

/** The facts of some owners: their people, and the overlays and grants on their records. */
export async function loadOwnerFacts(
  send: Send,
  tenant: string,
  owners: readonly string[],
): Promise<OwnerFactRows> {
  const [row] = await send<{ facts: OwnerFactRows }>(LOAD_FACTS, [JSON.stringify({ tenant, owners })])
  if (row === undefined) throw new Error('a function returned nothing')
  return row.facts
}

const table = (columns: string, from: string) =>
  withParams(
    `coalesce(
      (select json_agg(item)
       from (
         select ${columns}
         from privity.${from}
         where tenant_id = $1
           and owner = any ($2)
       ) item),
      '[]')`,
    'asked_tenant',
    'asked_owners',
  )

const OWNER_FACTS_BODY = `
declare
  asked_tenant constant text := asked ->> 'tenant';
  asked_owners constant text[] := array(select jsonb_array_elements_text(asked -> 'owners'));
begin
  perform set_config('privity.tenant', asked_tenant, true);
  return json_build_object(
    'generations', coalesce(
      (select json_object_agg(owner, generation)
       from privity.generations
       where tenant_id = asked_tenant
         and owner = any (asked_owners)),
      '{}'),
    'people', ${table('owner, person_id as "personId", consent, actor', 'people')},
    'overlays', ${table('owner, target, restriction', 'overlays')},
    'grants', ${table('owner, target, grantee', 'grants')});
end
`

export const OWNER_FACTS_FUNCTION = storedFunction('owner_facts', {
  owner: 'privity_app',
  volatility: 'stable',
  body: OWNER_FACTS_BODY,
})

const LOAD_FACTS = `${KEPT_BY_GENERATION}
  select ${OWNER_FACTS_FUNCTION.name}($1::jsonb) as "facts"`
