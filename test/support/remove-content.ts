import pg from 'pg'

/** A database as migrations leave it. */
export interface Schema {
  /** The tables that migrations put rows into. */
  readonly filled: readonly string[]
  /** Changes with every change of the schema or of those rows. */
  readonly fingerprint: string
}

export async function schemaOf(url: string): Promise<Schema> {
  return connectedTo(url, async client => {
    const filled = await filledTables(client)
    return { filled, fingerprint: await fingerprint(client, filled) }
  })
}

/**
 * Removes what tests stored in a database to which so many connections are parked, so that the next test can have it.
 * False if more was changed than that, or if somebody still uses it.
 */
export async function removeContent(url: string, schema: Schema, parked: number): Promise<boolean> {
  return connectedTo(url, async client => {
    const { rowCount: others } = await client.query(OTHERS)
    if ((others ?? 0) > parked) return false
    const used = (await filledTables(client)).filter(table => !schema.filled.includes(table))
    // As when a backup is restored, no trigger fires and no key is checked.
    await client.query(
      ['set session_replication_role = replica', ...used.map(table => `delete from ${table}`)].join(';'),
    )
    return (await fingerprint(client, schema.filled)) === schema.fingerprint
  })
}

const OTHERS = `
  select 1
  from pg_stat_activity
  where datname = current_database()
    and backend_type = 'client backend'
    and pid <> pg_backend_pid()`

async function filledTables(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ table: string }>(`
    select c.oid::regclass::text as "table"
    from pg_class c
    where c.relnamespace = 'privity'::regnamespace
      and c.relkind = 'r'
      and pg_relation_size(c.oid) > 0
    order by 1`)
  return rows.map(({ table }) => table)
}

/** A row of a catalog has the number of the transaction that wrote it, which is the same in all copies of a database. */
async function fingerprint(client: pg.Client, filled: readonly string[]): Promise<string> {
  const catalogs = ['class', 'attribute', 'proc', 'policy', 'trigger', 'constraint', 'index', 'namespace']
  const parts = [
    ...catalogs.map(name => `(select count(*) || '.' || sum(xmin::text::bigint) from pg_${name})`),
    ...filled.map(table => `(select md5(string_agg(t::text, ',' order by t::text)) from ${table} t)`),
  ]
  const { rows } = await client.query<{ all: string }>(`select concat_ws(' ', ${parts.join(', ')}) as "all"`)
  return rows[0]?.all ?? ''
}

async function connectedTo<Value>(url: string, work: (client: pg.Client) => Promise<Value>): Promise<Value> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}
