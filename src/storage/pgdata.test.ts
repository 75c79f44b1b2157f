import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createPgdata, hasPgdata, syncAfterCrash, syncedKey } from './pgdata.js'

let dir: string
let pgdata: string

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'privity-pgdata-'))
  pgdata = join(dir, 'pgdata')
})
afterEach(() => rm(dir, { recursive: true }))

/** Makes a tarball of files, and of folders where the content is null. */
function tar(entries: Readonly<Record<string, string | null>>): Buffer {
  const blocks = Object.entries(entries).flatMap(([name, content]) => {
    const header = Buffer.alloc(512)
    const body = Buffer.from(content ?? '')
    header.write(name, 0)
    header.write(`${body.length.toString(8).padStart(11, '0')}\0`, 124)
    header.write(content === null ? '5' : '0', 156)
    header.write('ustar', 257)
    return [header, body, Buffer.alloc((512 - (body.length % 512)) % 512)]
  })
  return Buffer.concat([...blocks, Buffer.alloc(1024)])
}

const blob = (bytes: Buffer) => new Blob([new Uint8Array(bytes)])

test.each([
  ['plain', (bytes: Buffer) => bytes],
  ['zipped', (bytes: Buffer) => gzipSync(bytes)],
])('a %s tarball becomes a folder', async (_, pack) => {
  const packed = pack(
    tar({ '/PG_VERSION': '18\n', '/empty': null, '/base': null, '/base/1': 'x'.repeat(600) }),
  )
  expect(await hasPgdata(pgdata)).toBe(false)
  await createPgdata(pgdata, blob(packed))
  expect(await hasPgdata(pgdata)).toBe(true)
  expect(await readFile(join(pgdata, 'base/1'), 'utf8')).toBe('x'.repeat(600))
  expect(await readdir(join(pgdata, 'empty'))).toEqual([])
  expect(await readdir(dir)).toEqual(['pgdata'])
})

test('what an interrupted attempt left is thrown away', async () => {
  await mkdir(join(dir, 'pgdata.new'))
  await writeFile(join(dir, 'pgdata.new/old'), '')
  await createPgdata(pgdata, blob(tar({ '/PG_VERSION': '18\n' })))
  expect(await readdir(pgdata)).toEqual(['PG_VERSION'])
  expect(await readdir(dir)).toEqual(['pgdata'])
})

test('a tarball may not leave its folder', async () => {
  const outside = blob(tar({ '/../../outside': 'x' }))
  await expect(createPgdata(pgdata, outside)).rejects.toMatchObject({ code: 'invalid_input' })
  expect(await hasPgdata(pgdata)).toBe(false)
})

test('what is no tarball is refused', async () => {
  for (const bytes of [Buffer.alloc(600, 'x'), gzipSync('x'.repeat(600))]) {
    await expect(createPgdata(pgdata, blob(bytes))).rejects.toMatchObject({ code: 'invalid_input' })
  }
})

test('a file counts as synced until it changes', async () => {
  await mkdir(pgdata)
  const file = join(pgdata, 'file')
  await writeFile(file, 'a')
  expect(await syncAfterCrash(pgdata)).toEqual(new Set())
  await writeFile(join(pgdata, 'postmaster.pid'), '')
  const synced = await syncAfterCrash(pgdata)
  const isSynced = async () => synced.has(syncedKey(await stat(file, { bigint: true })))
  expect(await isSynced()).toBe(true)
  await new Promise(resolve => setTimeout(resolve, 20))
  await writeFile(file, 'b')
  expect(await isSynced()).toBe(false)
})
