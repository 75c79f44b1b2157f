import { createHash } from 'node:crypto'
import { mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { dataDir as emptyPgdata } from '@electric-sql/pglite-prepopulatedfs'
import type { Database } from '../../src/storage/database.js'
import { migrate } from '../../src/storage/migrate.js'
import { createPgdata } from '../../src/storage/pgdata.js'
import { FUNCTIONS } from '../../src/storage/stored-functions.js'

const ROOT = resolve(import.meta.dirname, '../..')

let made: Promise<Blob> | undefined

/** The files of a PGlite store with today's schema and nothing in it. Made once for each schema, then read from a cache. */
export function migratedPgdata(): Promise<Blob> {
  made ??= cached()
  return made
}

/** Puts an empty store with today's schema into a folder: a start that has to make it takes seconds longer. */
export async function seedFolder(dataDir: string): Promise<void> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 })
  await createPgdata(join(dataDir, 'pgdata'), await migratedPgdata())
}

async function cached(): Promise<Blob> {
  const folder = join(ROOT, 'node_modules/.cache/privity-pgdata')
  const file = join(folder, `${await schemaHash()}.tar`)
  const found = await readFile(file).catch(() => undefined)
  if (found !== undefined) return new Blob([found])
  const dump = await migratedDump()
  await mkdir(folder, { recursive: true })
  // Two workers may make it at once: whichever renames last leaves a whole file.
  const draft = `${file}.${process.pid}`
  await writeFile(draft, Buffer.from(await dump.arrayBuffer()))
  await rename(draft, file)
  return dump
}

/** Of all that the files depend on. */
async function schemaHash(): Promise<string> {
  const sql = (await readdir(join(ROOT, 'sql'))).sort().map(name => join('sql', name))
  const hash = createHash('sha256')
  for (const path of [...sql, 'src/storage/migrate.ts', 'node_modules/@electric-sql/pglite/package.json'])
    hash.update(await readFile(join(ROOT, path)))
  for (const { name } of FUNCTIONS) hash.update(name)
  return hash.digest('hex').slice(0, 16)
}

async function migratedDump(): Promise<Blob> {
  const pg = await PGlite.create({ loadDataDir: await emptyPgdata() })
  const db: Pick<Database, 'transaction'> = {
    transaction: (_, work) =>
      pg.transaction(tx =>
        work({
          query: async <Row>(text: string, params: readonly unknown[] = []) =>
            (await tx.query<Row>(text, [...params])).rows,
        }),
      ),
  }
  await migrate(db as Database)
  // Unpacking a compressed one takes longer than reading.
  const dump = await pg.dumpDataDir('none')
  await pg.close()
  return dump
}
