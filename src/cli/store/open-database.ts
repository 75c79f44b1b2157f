import type { Database } from '../../storage/database.js'
import { openPglite } from '../../storage/pglite.js'
import { openPostgres } from '../../storage/postgres.js'
import type { StorePlace } from '../access.js'

/** Opens a store without migrating it. */
export function openDatabase(place: StorePlace): Promise<Database> {
  return 'dataDir' in place ? openPglite(place) : openPostgres({ url: place.databaseUrl })
}
