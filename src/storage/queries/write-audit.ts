import type { Label } from '../../policy/labels.js'
import type { StoredLabel } from '../../policy/stored-label.js'
import { storedFunction } from '../stored-function.js'
import type { ChainedEntry } from './audit-lane.js'
import { type ExposureKey, MOST_REASONS } from './exposures.js'
import type { Send } from './read.js'
import { type NewSearchRun, RUN_COLUMNS_TO_WRITE, runToWrite } from './search-runs.js'

/** What an agent was shown by now, to be stored if `before` is still what is stored; null if nothing is. */
export interface ExposureToWrite {
  readonly key: ExposureKey
  readonly before: Label | null
  readonly label: Label
  readonly clearance: StoredLabel | null
  /** The records that raised the label. */
  readonly records: readonly string[]
}

/** The entries of a lane, with all that is stored together with them. */
export interface AuditToWrite {
  readonly tenant: string
  readonly lane: string
  /** When the lane opens, with its first entries; null if it is open. */
  readonly opensAt: string | null
  /** The generations that the answers rest on; null for an owner who never had facts. */
  readonly restsOn: readonly { readonly owner: string; readonly generation: string | null }[]
  readonly exposures: readonly ExposureToWrite[]
  readonly runs: readonly NewSearchRun[]
  readonly entries: readonly ChainedEntry[]
}

/** All of it was written, or nothing except that the lane is open, because something is not as it was taken to be. */
export type AuditOutcome =
  | { readonly outcome: 'written' }
  /** The generations as they are now. */
  | { readonly outcome: 'moved'; readonly generations: Readonly<Record<string, string | null>> }
  /** Operations that another lane has recorded. */
  | { readonly outcome: 'recorded'; readonly operations: readonly string[] }
  /** What is stored of these keys. */
  | {
      readonly outcome: 'exposed'
      readonly exposures: readonly (Omit<ExposureKey, 'hour'> & Label & { readonly hour: string })[]
    }

const LABEL_COLUMNS = `sensitivity text, scope text, visibility_class text, participants text[]`
const KEY_COLUMNS = `actor_id uuid, for_id uuid, session text, credential text, hour timestamptz`

const ENTRY_COLUMNS = [
  'seq int',
  'previous bytea',
  'hash bytea',
  'entry_id uuid',
  'at timestamptz',
  'actor_id uuid',
  'for_id uuid',
  'audience text',
  'authenticated boolean',
  'operation text',
  'outcome text',
  'reason text',
  'refs uuid[]',
  'counts jsonb',
  'operation_id uuid',
  'version smallint',
  'actor_digest bytea',
  'for_digest bytea',
  'operation_digest bytea',
  'label jsonb',
]
const namesOf = (columns: readonly string[]) => columns.map(column => column.split(' ')[0]).join(', ')

const insertFrom = (table: string, part: string, columns: readonly string[], constants = '') => `
    insert into privity.${table} (tenant_id, ${constants === '' ? '' : 'lane_id, '}${namesOf(columns)})
    select asked_tenant, ${constants}${namesOf(columns)}
    from jsonb_to_recordset(asked -> '${part}') as item (${columns.join(', ')});`

// Whatever is looked at is looked at by a statement of its own, after the lane has opened, which may wait.
const WRITE_AUDIT_BODY = `
declare
  asked_tenant constant text := asked ->> 'tenant';
  asked_lane constant uuid := asked ->> 'lane';
  unrecorded uuid[];
  answer json;
begin
  if current_setting('transaction_isolation') <> 'read committed' then
    raise exception 'the audit is written under read committed';
  end if;
  perform set_config('privity.tenant', asked_tenant, true);
  if asked ->> 'opensAt' is not null then
    insert into privity.audit_lanes (tenant_id, lane_id, opened_at)
    values (asked_tenant, asked_lane, (asked ->> 'opensAt')::timestamptz);
  end if;

  if jsonb_array_length(asked -> 'restsOn') > 0 then
    select json_object_agg(item.owner, item.generation) into answer
    from (
      select distinct wanted.owner, g.generation
      from jsonb_to_recordset(asked -> 'restsOn') as wanted (owner text, generation text)
      left join privity.generations g on g.tenant_id = asked_tenant and g.owner = wanted.owner
    ) item
    having bool_or(exists (
      select
      from jsonb_to_recordset(asked -> 'restsOn') as wanted (owner text, generation text)
      where wanted.owner = item.owner
        and wanted.generation::text is distinct from item.generation::text));
    if answer is not null then
      return json_build_object('outcome', 'moved', 'generations', answer);
    end if;
  end if;

  unrecorded := array(
    select (entry ->> 'operation_id')::uuid
    from jsonb_array_elements(asked -> 'entries') as entry
    where entry ->> 'operation_id' is not null);
  if cardinality(unrecorded) > 0 then
    perform
    from privity.operations
    where tenant_id = asked_tenant
      and operation_id = any (unrecorded)
    order by operation_id
    for update;
    select json_agg(operation_id) into answer
    from privity.operations
    where tenant_id = asked_tenant
      and operation_id = any (unrecorded)
      and audited;
    if answer is not null then
      return json_build_object('outcome', 'recorded', 'operations', answer);
    end if;
  end if;

  if jsonb_array_length(asked -> 'exposures') > 0 then
    begin
      update privity.exposures e
      set
        sensitivity = item.sensitivity,
        scope = item.scope,
        visibility_class = item.visibility_class,
        participants = item.participants,
        records = (e.records || item.records)[:${MOST_REASONS}]
      from jsonb_to_recordset(asked -> 'exposures')
        as item (${KEY_COLUMNS}, ${LABEL_COLUMNS}, records uuid[], before jsonb)
      where e.tenant_id = asked_tenant
        and (e.actor_id, e.for_id, e.session, e.credential, e.hour)
          = (item.actor_id, item.for_id, item.session, item.credential, item.hour)
        and item.before = jsonb_build_array(e.sensitivity, e.scope, e.visibility_class, to_jsonb(e.participants));
      insert into privity.exposures
        (tenant_id, actor_id, for_id, session, credential, hour, clearance, records, sensitivity, scope,
         visibility_class, participants)
      select
        asked_tenant, actor_id, for_id, session, credential, hour, clearance, records, sensitivity, scope,
        visibility_class, participants
      from jsonb_to_recordset(asked -> 'exposures')
        as item (${KEY_COLUMNS}, clearance jsonb, ${LABEL_COLUMNS}, records uuid[], before jsonb)
      where jsonb_typeof(before) = 'null' or before is null
      order by actor_id, for_id, session, credential, hour
      on conflict (tenant_id, actor_id, for_id, session, credential, hour) do nothing;
      -- What no longer counts.
      delete from privity.exposures e
      using jsonb_to_recordset(asked -> 'exposures') as item (${KEY_COLUMNS})
      where e.tenant_id = asked_tenant
        and e.actor_id = item.actor_id
        and e.hour < item.hour - interval '2 days';
      select json_agg(json_build_object(
        'actorId', e.actor_id,
        'forId', e.for_id,
        'session', e.session,
        'credential', e.credential,
        'hour', e.hour,
        'sensitivity', e.sensitivity,
        'scope', e.scope,
        'visibilityClass', e.visibility_class,
        'participants', e.participants)) into answer
      from jsonb_to_recordset(asked -> 'exposures') as item (${KEY_COLUMNS}, ${LABEL_COLUMNS})
      join privity.exposures e using (actor_id, for_id, session, credential, hour)
      where e.tenant_id = asked_tenant
      having bool_or(
        (e.sensitivity, e.visibility_class, e.participants)
          <> (item.sensitivity, item.visibility_class, item.participants)
        or e.scope is distinct from item.scope);
      if answer is not null then
        raise exception using errcode = 'PV001', message = 'others were shown more';
      end if;
    exception
      when sqlstate 'PV001' then
        return json_build_object('outcome', 'exposed', 'exposures', answer);
    end;
  end if;

  if cardinality(unrecorded) > 0 then
    update privity.operations
    set audited = true
    where tenant_id = asked_tenant
      and operation_id = any (unrecorded);
  end if;
  if jsonb_array_length(asked -> 'runs') > 0 then${insertFrom('search_runs', 'runs', RUN_COLUMNS_TO_WRITE)}
  end if;
  if jsonb_array_length(asked -> 'entries') > 0 then${insertFrom('audit_entries', 'entries', ENTRY_COLUMNS, 'asked_lane, ')}
  end if;
  return json_build_object('outcome', 'written');
end
`

export const WRITE_AUDIT_FUNCTION = storedFunction('write_audit', {
  owner: 'privity_writer',
  volatility: 'volatile',
  body: WRITE_AUDIT_BODY,
})

const WRITE_AUDIT = `select ${WRITE_AUDIT_FUNCTION.name}($1::jsonb) as "audit"`

/** Writes entries and what belongs to them by one statement, if everything they rest on is as it was. */
export async function writeAudit(send: Send, { exposures, runs, entries, ...rest }: AuditToWrite) {
  const asked = {
    ...rest,
    exposures: exposures.map(exposureToWrite),
    runs: runs.map(runToWrite),
    entries: entries.map(entryToWrite),
  }
  const [row] = await send<{ audit: AuditOutcome }>(WRITE_AUDIT, [JSON.stringify(asked)])
  if (row === undefined) throw new Error('a function returned nothing')
  return row.audit
}

const exposureToWrite = ({ key, before, label, clearance, records }: ExposureToWrite) => ({
  actor_id: key.actorId,
  for_id: key.forId,
  session: key.session,
  credential: key.credential,
  hour: key.hour.toISOString(),
  clearance,
  records,
  sensitivity: label.sensitivity,
  scope: label.scope,
  visibility_class: label.visibilityClass,
  participants: label.participants,
  before: before && [before.sensitivity, before.scope, before.visibilityClass, before.participants],
})

const entryToWrite = (entry: ChainedEntry) => ({
  seq: entry.seq,
  previous: bytes(entry.previous),
  hash: bytes(entry.hash),
  entry_id: entry.entryId,
  at: entry.at,
  actor_id: entry.actorId,
  for_id: entry.forId,
  audience: entry.audience,
  authenticated: entry.authenticated,
  operation: entry.operation,
  outcome: entry.outcome,
  reason: entry.reason,
  refs: entry.refs,
  counts: entry.counts,
  operation_id: entry.operationId,
  version: entry.version,
  actor_digest: bytes(entry.actorDigest),
  for_digest: bytes(entry.forDigest),
  operation_digest: bytes(entry.operationDigest),
  label: entry.label,
})

const bytes = (hex: string | null) => (hex === null ? null : `\\x${hex}`)
