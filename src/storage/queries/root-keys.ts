import { randomBytes, randomUUID } from 'node:crypto'
import type { Database, Transaction } from '../database.js'

/** One of the store's own keys for cursors and digests. Only the connecting role can read them. */
export interface RootKey {
  readonly keyId: string
  readonly secret: Uint8Array
  readonly createdAt: Date
}

/** All root keys, the oldest first. Every store has at least one: the first is created when it is first needed. */
export async function loadRootKeys(db: Database): Promise<[RootKey, ...RootKey[]]> {
  const found = await db.transaction({ access: 'read', role: null, settings: {} }, readKeys)
  const [oldest, ...rest] = found.length > 0 ? found : await makeFirst(db)
  if (oldest === undefined) throw new Error('the key could not be read')
  return [oldest, ...rest]
}

/** Creates the first key. Processes that open a new store at the same time create only one. */
function makeFirst(db: Database): Promise<RootKey[]> {
  return db.transaction({ access: 'write', role: null, settings: {} }, async tx => {
    await tx.query('lock table privity.keys in exclusive mode')
    const keys = await readKeys(tx)
    return keys.length > 0 ? keys : tx.query<RootKey>(ADD_KEY, newKey())
  })
}

/** Adds a key, which becomes the newest. The others are kept, so that what they sealed can still be opened. */
export function addRootKey(db: Database): Promise<RootKey> {
  return db.transaction({ access: 'write', role: null, settings: {} }, async tx => {
    const [added] = await tx.query<RootKey>(ADD_KEY, newKey())
    if (added === undefined) throw new Error('the key could not be added')
    return added
  })
}

const newKey = () => [randomUUID(), randomBytes(32)]

const readKeys = (tx: Transaction) => tx.query<RootKey>(READ_KEYS)

const COLUMNS = `key_id as "keyId", secret, created_at as "createdAt"`

const ADD_KEY = `
  insert into privity.keys (key_id, purpose, secret)
  values ($1, 'root', $2)
  returning ${COLUMNS}`

const READ_KEYS = `
  select ${COLUMNS}
  from privity.keys
  where purpose = 'root'
  order by created_at, key_id`
