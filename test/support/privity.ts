import { randomBytes } from 'node:crypto'
import { assemble, type OpenOptions, type Privity } from '../../src/open.js'
import { SYSTEM_CLOCK } from '../../src/runtime/clock.js'
import { type Engine, migratedDatabase } from './stores.js'

export { freshDatabase } from './stores.js'

export interface TestPrivity {
  privity: Privity
  /** Postgres only: the address of this database. */
  url?: string
  /** A tenant nobody else uses. */
  tenant(): string
  dispose(): Promise<void>
}

/** Nothing runs behind the back of a test that counts statements. */
const QUIET = { embedding: [], sweeps: false }

/** A Privity of its own on a fresh store. Tests of one file share one and use a tenant each. */
export async function openTestPrivity(
  engine: Engine,
  { clock = SYSTEM_CLOCK, observe, poolSize, ...options }: Omit<OpenOptions, 'dataDir' | 'databaseUrl'> = {},
): Promise<TestPrivity> {
  const { db, url, dispose } = await migratedDatabase(engine, {
    ...(observe && { observe }),
    ...(poolSize && { poolSize }),
  })
  const privity = await assemble(db, clock, { ...QUIET, ...options })
  return {
    privity,
    ...(url && { url }),
    tenant: () => `t-${randomBytes(6).toString('hex')}`,
    async dispose() {
      await privity.close()
      await dispose()
    },
  }
}
