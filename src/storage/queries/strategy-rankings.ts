import type { Transaction } from '../database.js'

/** A participant's ranking of the strategies in the pool, the best first. */
export interface RankingRow {
  readonly actor: string
  readonly proposals: readonly string[]
  /** The consents of the other participants' strategies that this participant has seen. */
  readonly seen: readonly string[]
}

export function loadRankings(tx: Transaction, tenant: string, session: string): Promise<RankingRow[]> {
  return tx.query<RankingRow>(LOAD_RANKINGS, [tenant, session])
}

const LOAD_RANKINGS = `
  select k.actor, k.proposals, k.seen
  from privity.strategy_rankings k
  join privity.session_participants p using (tenant_id, session_id, actor)
  where k.tenant_id = $1
    and k.session_id = $2
  order by k.actor`

/** Sets the ranking of a participant, replacing an earlier one. */
export async function setRanking(
  tx: Transaction,
  tenant: string,
  session: string,
  { actor, proposals, seen }: RankingRow,
  now: Date,
): Promise<void> {
  await tx.query(SET_RANKING, [tenant, session, actor, proposals, seen, now])
}

const SET_RANKING = `
  insert into privity.strategy_rankings (tenant_id, session_id, actor, proposals, seen, submitted_at)
  values ($1, $2, $3, $4::uuid[], $5::uuid[], $6)
  on conflict (tenant_id, session_id, actor)
  do update set proposals = excluded.proposals, seen = excluded.seen, submitted_at = excluded.submitted_at`
