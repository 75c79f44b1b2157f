import { randomBytes, randomUUID } from 'node:crypto'
import type { Database } from '../database.js'

/** The store's own key for cursors and digests, made when the store is. Only the connecting role can read it. */
export function loadKey(db: Database): Promise<Uint8Array> {
  return db.transaction({ access: 'write', role: null, settings: {} }, async tx => {
    await tx.query(MAKE_KEY, [randomUUID(), randomBytes(32)])
    const [row] = await tx.query<{ secret: Uint8Array }>(READ_KEY)
    if (row === undefined) throw new Error('the key could not be read')
    return row.secret
  })
}

const MAKE_KEY = `
  insert into privity.keys (key_id, purpose, secret)
  select $1, 'root', $2
  where not exists (select 1 from privity.keys where purpose = 'root')`

const READ_KEY = `
  select secret
  from privity.keys
  where purpose = 'root'
  order by created_at, key_id
  limit 1`
