import { randomBytes } from 'node:crypto'
import { appendFile, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { generateIdentity, identityToRecipient } from 'age-encryption'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { listenForControl, requestCopy } from '../../src/cli/store/control.js'
import { verifyBackup } from '../../src/cli/store/verify-backup.js'
import { open, openStore, type Privity } from '../../src/open.js'
import { SYSTEM_CLOCK } from '../../src/runtime/clock.js'
import { backUpToFile, checkBackupFile, restoreFromFile } from '../../src/storage/backup/backup-file.js'
import { writeBackup } from '../../src/storage/backup/write-backup.js'
import type { Database } from '../../src/storage/database.js'
import { openPglite } from '../../src/storage/pglite.js'
import { openPostgres } from '../../src/storage/postgres.js'
import { preparationScript } from '../../src/storage/usable-roles.js'
import { deep, times } from '../support/depth.js'
import { seedFolder } from '../support/migrated-pgdata.js'
import { emptyDatabase, freshDatabase } from '../support/stores.js'

/** It stands still, so that nothing loses salience between two answers. */
const clock = { ...SYSTEM_CLOCK, now: () => new Date('2026-11-18T09:00:00Z'), elapsed: () => 0 }
let folder: string
let file: string
let source: Privity
/** What the source answered when the backup was made. */
let answers: unknown

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'privity-backup-'))
  file = join(folder, 'all.privity')
  source = await open({ dataDir: await newStore('source'), embedding: [], clock })
  const ana = source.as({ tenant: 'home', actor: 'ana' })
  const { id } = await ana.remember({
    kind: 'episodic',
    text: 'Ben told us “at the picnic”\nthat he wants to leave his job. 🐝 \\ "quoted"',
    participants: ['ben'],
    fields: { mood: null, big: 12345678901234 },
  })
  await ana.people.consent({ person: 'ben', status: 'granted' })
  await ana.remember({ kind: 'semantic', text: 'Ben keeps bees.', derivedFrom: [id] })
  await ana.documents.ingest({
    document: 'notes.txt',
    corpus: 'notes',
    content: Buffer.from('The hives stand behind the barn.').toString('base64'),
  })
  await source
    .as({ tenant: 'office', actor: 'mia' })
    .remember({ kind: 'note', text: 'The door code is new.' })
  await source.backup(file)
  answers = await answersOf(source)
})
afterAll(async () => {
  await source.close()
  await rm(folder, { recursive: true, force: true })
})

/** A folder for a store: in the deep run without one, which is made when it is opened. */
async function newStore(name: string): Promise<string> {
  const dataDir = join(folder, name)
  if (!deep) await seedFolder(dataDir)
  return dataDir
}

/** What people of both tenants are told, without what is new in each answer. */
async function answersOf(privity: Privity): Promise<unknown> {
  const ana = privity.as({ tenant: 'home', actor: 'ana' })
  const mia = privity.as({ tenant: 'office', actor: 'mia' })
  const agent = privity.as({
    tenant: 'home',
    actor: 'helper',
    audience: 'agent',
    for: 'ana',
    trust: { maxSensitivity: 'medium' },
  })
  const found = await Promise.all([ana.search('bees'), mia.search('door'), agent.search('Ben')])
  return {
    found: found.map(({ results }) => results),
    list: (await ana.list({ limit: 50 })).records,
    people: (await ana.people.list()).people,
    verified: (await privity.as({ tenant: 'home', actor: 'owner', audience: 'host' }).audit.verify()).ok,
  }
}

/** All rows of a store by table, whatever their order. */
async function rowsOf(db: Database): Promise<Record<string, string[]>> {
  const rows: Record<string, string[]> = {}
  let table = ''
  await writeBackup(db, async text => {
    for (const line of text.split('\n').filter(each => each !== '')) {
      if (!line.startsWith('#')) rows[table]?.push(line)
      else if (JSON.parse(line.slice(1)).table !== undefined) {
        table = JSON.parse(line.slice(1)).table
        rows[table] = []
      }
    }
  })
  for (const list of Object.values(rows)) list.sort()
  // Which text of row-level security is installed, and when, is of each database.
  delete rows.settings
  return rows
}

/** A login that owns its database and may not make roles. */
async function unprivileged(): Promise<{
  url: string
  user: string
  admin: pg.Client
  drop(): Promise<void>
}> {
  const { url, drop } = await freshDatabase('empty')
  const user = `owner_${randomBytes(6).toString('hex')}`
  const admin = new pg.Client({ connectionString: url })
  await admin.connect()
  const own = new URL(url)
  await admin.query(`create role ${user} login password 'x'`)
  own.username = user
  own.password = 'x'
  return {
    url: own.href,
    user,
    admin,
    async drop() {
      await admin.query(`drop owned by ${user} cascade`)
      await admin.end()
      await drop()
    },
  }
}

describe('a backup of an embedded store', () => {
  it('[OP-1] restores on a Postgres whose user may not make roles, with every row, every answer and the audit', async () => {
    const { url, user, admin, drop } = await unprivileged()
    try {
      const refused = await openStore({ databaseUrl: url }).catch(e => e)
      expect(refused.message).toContain('privity migrate --sql')
      await admin.query(preparationScript(user))
      const db = await openPostgres({ url })
      try {
        const { rows } = await restoreFromFile(db, file)
        expect(rows).toBeGreaterThan(20)
        const copy = await openPglite({ dataDir: await copyOfSource() })
        try {
          expect(await rowsOf(db)).toEqual(await rowsOf(copy))
        } finally {
          await copy.close()
        }
      } finally {
        await db.close()
      }
      const restored = await open({ databaseUrl: url, embedding: [], clock })
      try {
        expect(await answersOf(restored)).toEqual(answers)
        const ana = restored.as({ tenant: 'home', actor: 'ana' })
        await ana.remember({ kind: 'note', text: 'Written after the restore: wasps.' })
        expect((await ana.search('wasps')).results).toHaveLength(1)
      } finally {
        await restored.close()
      }
    } finally {
      await drop()
    }
  })

  /** The files as they were when the backup was made: nothing was written since but reads that were audited. */
  async function copyOfSource(): Promise<string> {
    const at = await newStore('copy')
    const db = await openPglite({ dataDir: at })
    await restoreFromFile(db, file)
    await db.close()
    return at
  }

  it('[OP-1] is of one moment, though requests go on', async () => {
    const ana = source.as({ tenant: 'home', actor: 'ana' })
    let writing = true
    const writes = (async () => {
      for (let i = 0; writing && i < times(15, 50); i++)
        await ana.remember({ kind: 'note', text: `meanwhile ${i}` })
    })()
    const during = join(folder, 'during.privity')
    await source.backup(during)
    writing = false
    await writes
    const result = await verifyBackup(during, {})
    expect(result.tenants.map(({ tenant, ok }) => [tenant, ok])).toEqual([
      ['home', true],
      ['office', true],
    ])
  })

  it('[OP-1] is made of a copy that the process which holds the folder gives away, and nowhere else', async () => {
    const dataDir = join(folder, 'source')
    const stop = await listenForControl(source, dataDir)
    try {
      const copy = await requestCopy(dataDir)
      const db = await openPglite({ dataDir: copy })
      await backUpToFile(db, join(folder, 'hot.privity'))
      await db.close()
      expect((await checkBackupFile(join(folder, 'hot.privity'))).rows).toBeGreaterThan(20)
      await expect(source.copyFiles(join(folder, 'source'))).rejects.toThrow()
    } finally {
      await stop()
    }
    await expect(requestCopy(dataDir)).rejects.toMatchObject({ code: 'store_locked' })
    expect(await readdir(dataDir)).not.toContain('server-control')
  })

  it('can be encrypted for a key that is elsewhere', async () => {
    const identity = await generateIdentity()
    const sealed = join(folder, 'sealed.privity')
    await source.backup(sealed, { lock: { recipients: [await identityToRecipient(identity)] } })
    expect((await readFile(sealed)).includes('Ben')).toBe(false)
    await expect(checkBackupFile(sealed)).rejects.toMatchObject({ code: 'invalid_input' })
    await expect(checkBackupFile(sealed, { identity: await generateIdentity() })).rejects.toThrow(
      'private key is wrong',
    )
    expect((await checkBackupFile(sealed, { identity })).rows).toBeGreaterThan(20)
    const bytes = await readFile(sealed)
    bytes[bytes.length - 40] = (bytes.at(-40) ?? 0) ^ 1
    await writeFile(sealed, bytes)
    await expect(checkBackupFile(sealed, { identity })).rejects.toThrow('damaged')
  })
})

describe('a damaged backup', () => {
  const lines = async () =>
    gunzipSync(await readFile(file))
      .toString()
      .trimEnd()
      .split('\n')
  const isRow = (line: string) => !line.startsWith('#')

  const damages: Record<string, (all: string[]) => string[]> = {
    'that was cut': all => all.slice(0, -3),
    'that lost a row': all => all.toSpliced(all.findIndex(isRow), 1),
    'in which a row was altered': all =>
      all.map((line, i) => (i === all.findIndex(isRow) ? line.replace(/[a-z]/, 'Z') : line)),
    'in which two rows changed places': all => {
      const at = all.findIndex((line, i) => isRow(line) && isRow(all[i + 1] ?? '#'))
      return all.toSpliced(at, 2, all[at + 1] ?? '', all[at] ?? '')
    },
    'that lost a table': all => {
      const from = all.findIndex(line => line.startsWith('#{"table":"people"'))
      return all.toSpliced(
        from,
        all.findIndex((line, i) => i > from && line.startsWith('#{"end"')) - from + 1,
      )
    },
    'with something after its end': all => [...all, '["x"]'],
    'that is no backup': () => ['{"kind":"note"}'],
  }

  it.each(Object.entries(damages))('[OP-1] %s is refused, and the store stays empty', async (_, damage) => {
    const at = join(folder, 'damaged.privity')
    await writeFile(at, gzipSync(`${damage(await lines()).join('\n')}\n`))
    const { db, dispose } = await emptyDatabase('postgres')
    try {
      await expect(restoreFromFile(db, at)).rejects.toMatchObject({ code: 'invalid_input' })
      const stored = await db
        .transaction({ access: 'read', role: null, settings: {} }, tx =>
          tx.query('select 1 from privity.tenants'),
        )
        .catch(() => [])
      expect(stored).toEqual([])
    } finally {
      await dispose()
    }
  })

  it('[OP-1] whose compressed bytes end early or go on is refused', async () => {
    const at = join(folder, 'cut.privity')
    await writeFile(at, (await readFile(file)).subarray(0, -10))
    await expect(checkBackupFile(at)).rejects.toThrow('damaged')
    await writeFile(at, await readFile(file))
    await appendFile(at, 'x')
    await expect(checkBackupFile(at)).rejects.toThrow('damaged')
  })
})

it('[OP-1] a store in use is not overwritten by a restore', async () => {
  const { db, dispose } = await emptyDatabase('postgres')
  try {
    await restoreFromFile(db, file)
    await expect(restoreFromFile(db, file)).rejects.toMatchObject({ code: 'conflict' })
  } finally {
    await dispose()
  }
})
