import type { Transaction } from '../database.js'

/** An experiment whose participants are to say how it goes. */
export interface DueCheckIn {
  readonly experiment: string
  readonly session: string
  readonly members: readonly string[]
}

/** Experiments whose time to check in has come, in sessions that go on. Each is taken once. */
export function takeDueCheckIns(tx: Transaction, tenant: string, now: Date): Promise<DueCheckIn[]> {
  return tx.query<DueCheckIn>(TAKE_DUE, [tenant, now.toISOString()])
}

const TAKE_DUE = `
  update privity.records r
  set fields = r.fields || jsonb_build_object('askedAt', $2::text)
  from privity.sessions s
  where r.tenant_id = $1
    and r.kind = 'micro_experiment'
    and r.fields ? 'checkInAt'
    and r.fields ->> 'checkInAt' <= $2
    and coalesce(r.fields ->> 'askedAt', '') < r.fields ->> 'checkInAt'
    and s.tenant_id = r.tenant_id
    and s.session_id = r.session
    and s.state in ('ACTIVE', 'RESOLVED')
  returning r.record_id as "experiment", r.session, s.members`
