import type { PolicyTuple } from '../../policy/tuple.js'
import type { Transaction } from '../database.js'
import { IS_SEEN, IS_SEEN_IN_FULL } from './seen-rows.js'
import type { TimeKey } from './time-key.js'

/** The data of a card that decides whether a ledger row about it may be shown. */
export interface LedgerCard {
  readonly cardId: string
  readonly tuple: PolicyTuple
  readonly createdAt: Date
  readonly expiresAt: Date | null
}

interface OfDocument {
  readonly bindingId: string
  readonly sourceId: string | null
  readonly document: string | null
  /** Null if no card was made. */
  readonly card: LedgerCard | null
}

export interface OutcomeRow extends OfDocument {
  readonly outcomeId: string
  readonly sourceEventId: string
  readonly version: number | null
  readonly outcome: string
  readonly problem: string | null
  readonly at: Date
}

export interface ContributionRow extends OfDocument {
  readonly contributionId: string
  readonly state: string
  readonly confirmedAt: Date | null
  readonly at: Date
  readonly changedAt: Date
}

/** The rows of a ledger with their file and card, as far as both are visible (BK-1). */
const told = (ledger: 'binding_outcomes' | 'binding_contributions') => `
  from privity.${ledger} l
  join privity.bindings b on b.tenant_id = l.tenant_id and b.binding_id = l.binding_id
  left join privity.sources s on s.tenant_id = l.tenant_id and s.source_id = l.source_id
  left join privity.records r on r.tenant_id = l.tenant_id and r.record_id = coalesce(l.record_id, s.record_id)
  left join privity.compartments c on c.tenant_id = l.tenant_id and c.compartment_id = r.compartment_id`

const IS_TOLD = `(
      case
        when coalesce(l.record_id, s.record_id) is not null
          then r.record_id is not null and ${IS_SEEN} and ${IS_SEEN_IN_FULL}
        when l.source_id is not null then s.source_id is not null
        else true
      end)`

const DOCUMENT_COLUMNS = `
    l.binding_id as "bindingId",
    l.source_id as "sourceId",
    coalesce(r.document, s.document, l.document) as "document",
    r.record_id as "cardId",
    c.tuple,
    r.created_at as "cardCreatedAt",
    r.expires_at as "cardExpiresAt"`

interface CardColumns {
  readonly cardId: string | null
  readonly tuple: PolicyTuple | null
  readonly cardCreatedAt: Date | null
  readonly cardExpiresAt: Date | null
}

function withCard<Row extends CardColumns>({
  cardId,
  tuple,
  cardCreatedAt,
  cardExpiresAt,
  ...row
}: Row): Omit<Row, keyof CardColumns> & { readonly card: LedgerCard | null } {
  return {
    ...row,
    card:
      cardId === null || tuple === null || cardCreatedAt === null
        ? null
        : { cardId, tuple, createdAt: cardCreatedAt, expiresAt: cardExpiresAt },
  }
}

const OUTCOME_COLUMNS = `
    l.outcome_id as "outcomeId",
    l.source_event_id as "sourceEventId",
    l.version,
    l.outcome,
    l.problem,
    l.at,${DOCUMENT_COLUMNS}`

export interface ManifestRow {
  readonly startedAt: Date
  readonly endedAt: Date
}

export async function fetchManifest(
  tx: Transaction,
  tenant: string,
  bindingId: string,
  sourceEventId: string,
): Promise<ManifestRow | undefined> {
  const [row] = await tx.query<ManifestRow>(FETCH_MANIFEST, [tenant, bindingId, sourceEventId])
  return row
}

const FETCH_MANIFEST = `
  select m.started_at as "startedAt", m.ended_at as "endedAt"
  from privity.binding_manifests m
  join privity.bindings b using (tenant_id, binding_id)
  where m.tenant_id = $1
    and m.binding_id = $2
    and m.source_event_id = $3`

export async function insertManifest(
  tx: Transaction,
  tenant: string,
  row: ManifestRow & { readonly bindingId: string; readonly sourceEventId: string },
): Promise<void> {
  await tx.query(INSERT_MANIFEST, [tenant, row.bindingId, row.sourceEventId, row.startedAt, row.endedAt])
}

const INSERT_MANIFEST = `
  insert into privity.binding_manifests (tenant_id, binding_id, source_event_id, started_at, ended_at)
  values ($1, $2, $3, $4, $5)`

/** The outcomes of one fire of a watch, under row-level security. */
export async function fetchOutcomes(
  tx: Transaction,
  tenant: string,
  bindingId: string,
  sourceEventId: string,
): Promise<OutcomeRow[]> {
  const rows = await tx.query<Omit<OutcomeRow, 'card'> & CardColumns>(FETCH_OUTCOMES, [
    tenant,
    bindingId,
    sourceEventId,
  ])
  return rows.map(withCard)
}

const FETCH_OUTCOMES = `
  select ${OUTCOME_COLUMNS}
  ${told('binding_outcomes')}
  where l.tenant_id = $1
    and l.binding_id = $2
    and l.source_event_id = $3
    and ${IS_TOLD}
  order by coalesce(r.document, s.document, l.document) collate "C", l.outcome_id`

/** Identifies a document by its name and owner, or a file or a card by its id. */
export interface OutcomeTarget {
  readonly owner: string
  readonly document: string | null
  readonly source: string | null
  readonly card: string | null
}

/** The fires that brought a document, newest first, under row-level security. */
export async function listOutcomes(
  tx: Transaction,
  tenant: string,
  target: OutcomeTarget,
  before: TimeKey | null,
  limit: number,
): Promise<OutcomeRow[]> {
  const rows = await tx.query<Omit<OutcomeRow, 'card'> & CardColumns>(LIST_OUTCOMES, [
    tenant,
    target.owner,
    target.document,
    target.source,
    target.card,
    before?.createdAt ?? null,
    before?.id ?? null,
    limit,
  ])
  return rows.map(withCard)
}

const LIST_OUTCOMES = `
  select ${OUTCOME_COLUMNS}
  ${told('binding_outcomes')}
  where l.tenant_id = $1
    and ($3::text is null or (b.owner = $2 and coalesce(r.document, s.document, l.document) = $3))
    and ($4::uuid is null or l.source_id = $4)
    and ($5::uuid is null or r.record_id = $5)
    and ${IS_TOLD}
    and ($6::timestamptz is null or (l.at, l.outcome_id) < ($6, $7::uuid))
  order by l.at desc, l.outcome_id desc
  limit $8`

export type NewOutcome = Omit<OutcomeRow, 'card'> & { readonly recordId: string | null }

export async function insertOutcome(tx: Transaction, tenant: string, row: NewOutcome): Promise<void> {
  await tx.query(INSERT_OUTCOME, [
    tenant,
    row.outcomeId,
    row.bindingId,
    row.sourceEventId,
    row.sourceId,
    row.version,
    row.recordId,
    row.document,
    row.outcome,
    row.problem,
    row.at,
  ])
}

const INSERT_OUTCOME = `
  insert into privity.binding_outcomes (
    tenant_id, outcome_id, binding_id, source_event_id, source_id, version, record_id, document, outcome, problem, at)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`

const CONTRIBUTION_COLUMNS = `
    l.contribution_id as "contributionId",
    l.state,
    l.confirmed_at as "confirmedAt",
    l.at,
    l.changed_at as "changedAt",${DOCUMENT_COLUMNS}`

/** A period of last changes; `to` is exclusive. */
export interface Window {
  readonly from: Date | null
  readonly to: Date | null
}

/** The contributions of a watch, the latest change first, under row-level security. */
export async function listContributions(
  tx: Transaction,
  tenant: string,
  bindingId: string,
  { from, to }: Window,
  before: TimeKey | null,
  limit: number,
): Promise<ContributionRow[]> {
  const rows = await tx.query<Omit<ContributionRow, 'card'> & CardColumns>(LIST_CONTRIBUTIONS, [
    tenant,
    bindingId,
    from,
    to,
    before?.createdAt ?? null,
    before?.id ?? null,
    limit,
  ])
  return rows.map(withCard)
}

const LIST_CONTRIBUTIONS = `
  select ${CONTRIBUTION_COLUMNS}
  ${told('binding_contributions')}
  where l.tenant_id = $1
    and l.binding_id = $2
    and ($3::timestamptz is null or l.changed_at >= $3)
    and ($4::timestamptz is null or l.changed_at < $4)
    and ${IS_TOLD}
    and ($5::timestamptz is null or (l.changed_at, l.contribution_id) < ($5, $6::uuid))
  order by l.changed_at desc, l.contribution_id desc
  limit $7`

/** One contribution, under row-level security. */
export async function fetchContribution(
  tx: Transaction,
  tenant: string,
  contributionId: string,
): Promise<ContributionRow | undefined> {
  const [row] = await tx.query<Omit<ContributionRow, 'card'> & CardColumns>(FETCH_CONTRIBUTION, [
    tenant,
    contributionId,
  ])
  return row === undefined ? undefined : withCard(row)
}

const FETCH_CONTRIBUTION = `
  select ${CONTRIBUTION_COLUMNS}
  ${told('binding_contributions')}
  where l.tenant_id = $1
    and l.contribution_id = $2
    and ${IS_TOLD}`

/** A contribution, and whether anybody has used the document since. */
export interface WeighedRow extends Pick<ContributionRow, 'state' | 'card'> {
  readonly isEngaged: boolean
}

/**
 * The contributions since a time, and whether each was used, under row-level security: hidden records do not count.
 * Downloads count only for callers who may read about all of them.
 */
export async function weighContributions(
  tx: Transaction,
  tenant: string,
  bindingId: string,
  from: Date,
  knowsDownloads: boolean,
): Promise<WeighedRow[]> {
  const rows = await tx.query<Omit<WeighedRow, 'card'> & CardColumns>(WEIGH_CONTRIBUTIONS, [
    tenant,
    bindingId,
    from,
    knowsDownloads,
  ])
  return rows.map(withCard)
}

const WEIGH_CONTRIBUTIONS = `
  with contributed as (
    select l.state, l.confirmed_at,${DOCUMENT_COLUMNS}
    ${told('binding_contributions')}
    where l.tenant_id = $1
      and l.binding_id = $2
      and l.changed_at >= $3
      and ${IS_TOLD}
  )
  select
    d.state,
    d."cardId",
    d.tuple,
    d."cardCreatedAt",
    d."cardExpiresAt",
    d.confirmed_at is not null
      or exists (
        select 1
        from privity.records r
        where r.tenant_id = $1
          and ${IS_SEEN}
          and ${IS_SEEN_IN_FULL}
          and (
            r.record_id = d."cardId"
            or exists (
              select 1
              from privity.derivations made
              where made.tenant_id = $1
                and made.record_id = r.record_id
                and made.source_id = d."cardId"))
          and (
            -- A card and its segments matter as much as they did when they were written, unless somebody says otherwise.
            (r.kind in ('document', 'segment') and (r.pinned or r.salience_at > r.created_at))
            or r.kind not in ('document', 'segment')))
      or exists (
        select 1
        from privity.derivations segment
        join privity.derivations made on made.tenant_id = $1 and made.source_id = segment.record_id
        join privity.records r on r.tenant_id = $1 and r.record_id = made.record_id
        where segment.tenant_id = $1
          and segment.source_id = d."cardId"
          and r.kind not in ('document', 'segment')
          and ${IS_SEEN}
          and ${IS_SEEN_IN_FULL})
      or ($4::boolean and exists (
        select 1
        from privity.downloads taken
        where taken.tenant_id = $1
          and taken.record_id = d."cardId")) as "isEngaged"
  from contributed d`

/** The fires since a time, with the data that decides which of their outcomes may be shown. */
export async function listFires(
  tx: Transaction,
  tenant: string,
  bindingId: string,
  from: Date,
): Promise<Pick<OutcomeRow, 'sourceEventId' | 'card'>[]> {
  const rows = await tx.query<Pick<OutcomeRow, 'sourceEventId'> & CardColumns>(LIST_FIRES, [
    tenant,
    bindingId,
    from,
  ])
  return rows.map(withCard)
}

const LIST_FIRES = `
  select l.source_event_id as "sourceEventId",${DOCUMENT_COLUMNS}
  ${told('binding_outcomes')}
  where l.tenant_id = $1
    and l.binding_id = $2
    and l.at >= $3
    and ${IS_TOLD}`

export interface StoredContribution {
  readonly contributionId: string
  readonly sourceId: string | null
  readonly recordId: string | null
  readonly state: string
}

/** A watch's contribution for a file, found by the card, by the file or, if there was neither, by its name. */
export async function findContribution(
  tx: Transaction,
  tenant: string,
  bindingId: string,
  of: { readonly cards: readonly string[]; readonly sources: readonly string[]; readonly document: string },
): Promise<StoredContribution | undefined> {
  const [row] = await tx.query<StoredContribution>(FIND_CONTRIBUTION, [
    tenant,
    bindingId,
    of.cards,
    of.sources,
    of.document,
  ])
  return row
}

const FIND_CONTRIBUTION = `
  select
    contribution_id as "contributionId",
    source_id as "sourceId",
    record_id as "recordId",
    state
  from privity.binding_contributions
  where tenant_id = $1
    and binding_id = $2
    and (record_id = any ($3::uuid[]) or source_id = any ($4::uuid[]) or document = $5)
  order by at desc, contribution_id
  limit 1`

export interface Contribution extends StoredContribution {
  readonly bindingId: string
  readonly document: string | null
  readonly at: Date
}

/** Adds a contribution or saves its new state. */
export async function saveContribution(tx: Transaction, tenant: string, row: Contribution): Promise<void> {
  await tx.query(SAVE_CONTRIBUTION, [
    tenant,
    row.contributionId,
    row.bindingId,
    row.sourceId,
    row.recordId,
    row.document,
    row.state,
    row.at,
  ])
}

const SAVE_CONTRIBUTION = `
  insert into privity.binding_contributions (
    tenant_id, contribution_id, binding_id, source_id, record_id, document, state, at, changed_at)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $8)
  on conflict (tenant_id, contribution_id) do update set
    source_id = excluded.source_id,
    record_id = excluded.record_id,
    document = excluded.document,
    state = excluded.state,
    changed_at = excluded.changed_at`

/** Records a person's judgement of a contribution. */
export async function judgeContribution(
  tx: Transaction,
  tenant: string,
  contributionId: string,
  state: 'confirmed' | 'rejected',
  at: Date,
): Promise<void> {
  await tx.query(JUDGE_CONTRIBUTION, [tenant, contributionId, state, at])
}

const JUDGE_CONTRIBUTION = `
  update privity.binding_contributions
  set
    state = $3,
    confirmed_at = case when $3 = 'confirmed' then $4::timestamptz end,
    changed_at = $4
  where tenant_id = $1
    and contribution_id = $2`

/** Deletes the outcomes of a file from before it was imported, once it is: only such outcomes contain its name. */
export async function deleteOutcomesNamed(
  tx: Transaction,
  tenant: string,
  bindingId: string,
  document: string,
): Promise<void> {
  await tx.query(DELETE_NAMED, [tenant, bindingId, document])
}

const DELETE_NAMED = `
  delete from privity.binding_outcomes
  where tenant_id = $1
    and binding_id = $2
    and document = $3`

/** Updates both ledgers when a file gets its card, and when cards are replaced by another. */
export async function moveLedgersToCard(
  tx: Transaction,
  tenant: string,
  of: { readonly source: string; readonly replaced: readonly string[] },
  card: string,
): Promise<void> {
  for (const statement of MOVE_TO_CARD) await tx.query(statement, [tenant, of.source, of.replaced, card])
}

const MOVE_TO_CARD = ['binding_outcomes', 'binding_contributions'].map(
  ledger => `
  update privity.${ledger}
  set record_id = $4
  where tenant_id = $1
    and (source_id = $2 or record_id = any ($3::uuid[]))`,
)
