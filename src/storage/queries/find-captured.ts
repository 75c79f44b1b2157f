import type { Transaction } from '../database.js'
import { IS_SEEN, IS_SEEN_IN_FULL } from './seen-rows.js'

/** A record that capture wrote, and the key under which it finds it again. */
export interface CapturedRow {
  readonly id: string
  readonly key: string
}

/** Captured messages and facts of an owner by their keys, as far as the caller sees them in full. As privity_app. */
export function findCaptured(
  tx: Transaction,
  tenant: string,
  owner: string,
  keys: readonly string[],
): Promise<CapturedRow[]> {
  return tx.query<CapturedRow>(FIND_CAPTURED, [tenant, owner, keys])
}

const FIND_CAPTURED = `
  select r.record_id as "id", r.fields ->> 'captureKey' as "key"
  from privity.records r
  where r.tenant_id = $1
    and r.owner = $2
    and r.fields ? 'captureKey'
    and r.fields ->> 'captureKey' = any ($3::text[])
    and ${IS_SEEN}
    and ${IS_SEEN_IN_FULL}
  order by r.created_at, r.record_id`

/** The highest place in a conversation that the caller sees; null if it sees none. As privity_app. */
export async function loadLastTurn(
  tx: Transaction,
  tenant: string,
  owner: string,
  conversation: string,
): Promise<number | null> {
  const [row] = await tx.query<{ turn: number | null }>(LOAD_LAST_TURN, [tenant, owner, conversation])
  return row?.turn ?? null
}

const LOAD_LAST_TURN = `
  select max(r.turn) as "turn"
  from privity.records r
  where r.tenant_id = $1
    and r.owner = $2
    and r.vessel = 'user'
    and r.conversation = $3
    and ${IS_SEEN}
    and ${IS_SEEN_IN_FULL}`
