import type { Transaction } from '../database.js'

/** A table of the schema, with the columns that a copy of its rows has. */
export interface StoredTable {
  readonly name: string
  readonly columns: readonly { readonly name: string; readonly type: string }[]
}

/**
 * What a backup leaves out: the list of migrations, because a restored store makes its own, and the indexes with the
 * log that they follow, because they are made anew from the records.
 */
const LEFT_OUT = ['migrations', 'index_parts', 'changes']

/** All tables that a backup holds, by name. Columns that the database computes by itself are left out. */
export function listStoredTables(tx: Transaction): Promise<StoredTable[]> {
  return tx.query<StoredTable>(LIST_TABLES, [LEFT_OUT])
}

const LIST_TABLES = `
  select
    c.relname as "name",
    (select jsonb_agg(
       jsonb_build_object('name', a.attname, 'type', format_type(a.atttypid, a.atttypmod)) order by a.attnum)
     from pg_attribute a
     where a.attrelid = c.oid
       and a.attnum > 0
       and not a.attisdropped
       and a.attgenerated = '') as "columns"
  from pg_class c
  where c.relnamespace = to_regnamespace('privity')
    and c.relkind = 'r'
    and c.relname <> all ($1::text[])
  order by c.relname`

export const quoteName = (name: string) => `"${name.replaceAll('"', '""')}"`
