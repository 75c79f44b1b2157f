import type { Transaction } from '../database.js'
import type { TimeKey } from './time-key.js'

/** One turn: what was asked, what ran, and what of the results reached a model; by id, never by content. */
export interface TurnRow<Query = unknown, Item = unknown> {
  readonly sessionId: string
  readonly actor: string
  readonly turnId: string
  /** A digest of everything that was asked for; null for turns of a store from before it was kept. */
  readonly asked: Uint8Array | null
  readonly stage: number
  readonly intent: string
  readonly depth: string
  readonly planner: string
  readonly queries: readonly Query[]
  readonly items: readonly Item[]
  readonly tokenBudget: number
  readonly tokens: number
  readonly bundleDigest: string
  readonly at: Date
}

/**
 * The turn if a person has taken it before, and whether they have taken any while the session was active. Turns from
 * before the partner joined recall nothing and do not count as a first turn.
 */
export async function findEarlierTurns<Query, Item>(
  tx: Transaction,
  tenant: string,
  session: string,
  actor: string,
  turn: string,
): Promise<{ any: boolean; this: TurnRow<Query, Item> | null }> {
  const rows = await tx.query<TurnRow<Query, Item> & { any: boolean }>(TURNS_BEFORE, [
    tenant,
    session,
    actor,
    turn,
  ])
  const [row] = rows
  return { any: row?.any ?? false, this: row?.turnId == null ? null : row }
}

const TURN_COLUMNS = `
    t.session_id as "sessionId",
    t.actor,
    t.turn_id as "turnId",
    t.asked,
    t.stage,
    t.intent,
    t.depth,
    t.planner,
    t.queries,
    t.items,
    t.token_budget as "tokenBudget",
    t.tokens,
    t.bundle_digest as "bundleDigest",
    t.at`

const TURNS_BEFORE = `
  select
    earlier."any",
    ${TURN_COLUMNS}
  from (
    select exists (
      select 1
      from privity.turns
      where tenant_id = $1
        and session_id = $2
        and actor = $3
        and not queries @> '[{"reason": "retrieval.session_not_active"}]') as "any") earlier
  left join privity.turns t
    on t.tenant_id = $1
    and t.session_id = $2
    and t.actor = $3
    and t.turn_id = $4`

/** Records a turn and returns whether it was new: there is one plan per turn (RC-12). */
export async function insertTurn(tx: Transaction, tenant: string, turn: TurnRow): Promise<boolean> {
  const taken = await tx.query(INSERT_TURN, [
    tenant,
    turn.sessionId,
    turn.actor,
    turn.turnId,
    turn.asked,
    turn.stage,
    turn.intent,
    turn.depth,
    turn.planner,
    JSON.stringify(turn.queries),
    JSON.stringify(turn.items),
    turn.tokenBudget,
    turn.tokens,
    turn.bundleDigest,
    turn.at,
  ])
  return taken.length > 0
}

// A session that was deleted meanwhile accepts no more turns.
const INSERT_TURN = `
  insert into privity.turns
    (tenant_id, session_id, actor, turn_id, asked, stage, intent, depth, planner, queries, items, token_budget, tokens,
     bundle_digest, at)
  select $1, s.session_id, $3, $4, $5, $6, $7, $8, $9, $10::jsonb, $11::jsonb, $12, $13, $14, $15
  from privity.sessions s
  where s.tenant_id = $1
    and s.session_id = $2
  on conflict do nothing
  returning turn_id`

/** Somebody's turns in a session, newest first. */
export function listTurns<Query, Item>(
  tx: Transaction,
  tenant: string,
  session: string,
  actor: string,
  before: TimeKey | null,
  limit: number,
): Promise<TurnRow<Query, Item>[]> {
  return tx.query<TurnRow<Query, Item>>(LIST_TURNS, [
    tenant,
    session,
    actor,
    before?.createdAt ?? null,
    before?.id ?? null,
    limit,
  ])
}

const LIST_TURNS = `
  select ${TURN_COLUMNS}
  from privity.turns t
  where tenant_id = $1
    and session_id = $2
    and actor = $3
    and ($4::timestamptz is null or (at, turn_id) < ($4, $5))
  order by at desc, turn_id desc
  limit $6`
