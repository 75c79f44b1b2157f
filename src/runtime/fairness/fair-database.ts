import type { Database, Param, StatementOptions } from '../../storage/database.js'
import { FairShare, type Load, UNLIMITED } from './fair-share.js'

/** The part of the connections that one tenant never takes, so that others need not wait for its long transactions. */
const KEPT_FOR_OTHERS = 4

export interface FairDatabase extends Database {
  readonly load: Load
  /** How many transactions and statements of this process have written for a tenant, but for the audit. */
  writesOf(tenant: string): number
}

/**
 * The same database with its connections shared fairly: tenants take turns, whatever their requests and background work
 * ask for (OP-8). An embedded store has one connection.
 */
export function shareFairly(db: Database, connections: number): FairDatabase {
  const perTenant = Math.max(1, connections - Math.ceil(connections / KEPT_FOR_OTHERS))
  const share = new FairShare({
    running: { total: connections, perTenant, perCredential: perTenant },
    // Whoever starts transactions has limits of its own. A write that was begun must be able to end.
    waiting: { total: UNLIMITED, perTenant: UNLIMITED, perCredential: UNLIMITED },
    busy: 'the store is busy; try again',
  })
  const writes = new Map<string, number>()
  /** Whatever came of it: what it changed may be there. */
  const noteWrite = (tenant: string) => void writes.set(tenant, (writes.get(tenant) ?? 0) + 1)
  return {
    engine: db.engine,
    writesOf: tenant => writes.get(tenant) ?? 0,
    get load() {
      return share.load
    },
    transaction(options, fn) {
      const tenant = options.settings['privity.tenant'] ?? ''
      const turn = share.run({ tenant, credential: '' }, () => db.transaction(options, fn))
      return options.access === 'write' ? turn.finally(() => noteWrite(tenant)) : turn
    },
    statement<Row>(options: StatementOptions, sql: string, params?: readonly Param[]) {
      const { access, tenant } = options
      const turn = share.run({ tenant, credential: '' }, () => db.statement<Row>(options, sql, params))
      return access === 'write' ? turn.finally(() => noteWrite(tenant)) : turn
    },
    script: sql => db.script(sql),
    close: () => db.close(),
  }
}
