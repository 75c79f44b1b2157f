import { storedFunction, withParams } from '../stored-function.js'
import { insertRecordsSql, type NewRecord, recordsToWrite } from './insert-records.js'
import { type CallerRow, LOAD_CALLER } from './load-caller.js'
import { lockKeys, lockSharedSql } from './lock.js'
import { FIND_NAMED_TARGETS, type NamedTargetRow, type NamedTargets } from './named-targets.js'
import { insertOperationSql, type OperationRow, operationToWrite } from './operations.js'
import type { Send } from './read.js'

/** What the writer takes for granted. It is compared with what is stored once the owners are locked. */
export interface Supposed {
  readonly caller: CallerRow
  /** By owner; null for an owner who never had facts. */
  readonly generations: Readonly<Record<string, string | null>>
}

export interface RecordsToAppend {
  readonly tenant: string
  /** Whose facts may not change meanwhile: the principal first, as every writer does. */
  readonly owners: readonly string[]
  readonly caller: {
    readonly principal: string
    readonly key: string | null
    readonly profile: string | null
    readonly now: string
  }
  readonly supposed: Supposed
  /** The targets of the records, and those of them that the tuples name. */
  readonly targets: readonly string[]
  readonly named: NamedTargets
  readonly records: readonly NewRecord[]
  readonly operation: OperationRow
}

/** It was written, or nothing was, because something is not as it was supposed to be. */
export type AppendOutcome =
  | { readonly outcome: 'written'; readonly digest: string }
  | ({ readonly outcome: 'moved' } & Supposed & { readonly named: readonly NamedTargetRow[] })

// What is compared is read by a statement of its own, after the locks, which may wait.
const APPEND_BODY = `
declare
  asked_tenant constant text := asked ->> 'tenant';
  found_caller jsonb;
  found_generations jsonb;
  found_named jsonb;
  digest text;
begin
  if current_setting('transaction_isolation') <> 'read committed' then
    raise exception 'records are appended under read committed';
  end if;
  perform set_config('privity.tenant', asked_tenant, true);
  perform ${lockSharedSql(`array(select jsonb_array_elements_text(asked -> 'locks'))`)};

  select to_jsonb(item) into found_caller
  from (${withParams(LOAD_CALLER, 'asked_tenant', `(asked #>> '{caller,principal}')`, `(asked #>> '{caller,key}')`, `(asked #>> '{caller,now}')::timestamptz`, `(asked #>> '{caller,profile}')`)}) item;
  select jsonb_object_agg(supposed.owner, g.generation) into found_generations
  from jsonb_object_keys(asked -> 'generations') as supposed (owner)
  left join privity.generations g on g.tenant_id = asked_tenant and g.owner = supposed.owner;
  select coalesce(jsonb_agg(item order by item.target collate "C", item.scoped), '[]') into found_named
  from (${withParams(FIND_NAMED_TARGETS, 'asked_tenant', `(array(select jsonb_array_elements_text(asked -> 'targets')))`)}) item;
  if (found_caller, found_generations, found_named)
    is distinct from (asked -> 'supposed', asked -> 'generations', asked -> 'named') then
    return json_build_object(
      'outcome', 'moved', 'caller', found_caller, 'generations', found_generations, 'named', found_named);
  end if;
  ${withParams(
    insertRecordsSql(
      `jsonb_to_recordset(asked -> 'rows')`,
      `jsonb_to_recordset(asked -> 'compartments')`,
      `jsonb_to_recordset(asked -> 'derivations')`,
    ),
    'asked_tenant',
  )};
  ${withParams(insertOperationSql(`asked -> 'operation'`), 'asked_tenant')} into digest;
  return json_build_object('outcome', 'written', 'digest', digest);
end
`

export const APPEND_FUNCTION = storedFunction('append', {
  owner: 'privity_writer',
  volatility: 'volatile',
  body: APPEND_BODY,
})

const APPEND = `select ${APPEND_FUNCTION.name}($1::jsonb) as "append"`

/** Writes new records and their operation by one statement, if everything they rest on is as it was supposed to be. */
export async function appendRecords(send: Send, append: RecordsToAppend): Promise<AppendOutcome> {
  const { tenant, owners, caller, supposed, targets, named, records, operation } = append
  const asked = {
    tenant,
    locks: lockKeys(tenant, owners),
    caller,
    supposed: supposed.caller,
    generations: supposed.generations,
    targets,
    named: rowsOf(named),
    ...recordsToWrite(records),
    operation: operationToWrite(operation),
  }
  const [row] = await send<{ append: AppendOutcome }>(APPEND, [JSON.stringify(asked)])
  if (row === undefined) throw new Error('a function returned nothing')
  return row.append
}

/** In the order of code points, as the statement has them. */
function rowsOf({ overlaid, scoped }: NamedTargets): NamedTargetRow[] {
  const rows = [
    ...[...overlaid].map(target => ({ target, scoped: false })),
    ...[...scoped].map(target => ({ target, scoped: true })),
  ]
  return rows.sort(
    (a, b) =>
      Buffer.compare(Buffer.from(a.target), Buffer.from(b.target)) || Number(a.scoped) - Number(b.scoped),
  )
}
