import type { Database } from '../../storage/database.js'
import { openPglite } from '../../storage/pglite.js'
import { openPostgres } from '../../storage/postgres.js'
import type { StorePlace } from '../access.js'

/** A store as it is: nothing is migrated. */
export function openDatabase(place: StorePlace): Promise<Database> {
  return 'dataDir' in place ? openPglite(place) : openPostgres({ url: place.databaseUrl })
}
