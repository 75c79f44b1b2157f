import { link, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { lockDataDir } from '../../src/storage/data-dir-lock.js'
import { type Child, type Program, program } from '../support/child.js'
import { times } from '../support/depth.js'

/** Waits for a file if it is given one, locks, says how that went, and stays until it is killed. */
const HOLDER = `
import { existsSync } from 'node:fs'
import { lockDataDir } from './src/storage/data-dir-lock.js'
const [dir, signal] = process.argv.slice(2)
console.log('ready')
while (signal && !existsSync(signal)) {}
try {
  await lockDataDir(dir)
  console.log('locked')
} catch (e) {
  console.log(e.code, e.message)
}
setInterval(() => {}, 1000)
`

let holder: Program
let dir: string
let lockFile: string
let children: Child[]

beforeAll(async () => {
  holder = await program(HOLDER)
})
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'privity-lock-'))
  lockFile = join(dir, 'lock')
  children = []
})
afterEach(async () => {
  await Promise.all(children.map(child => child.kill()))
  await rm(dir, { recursive: true })
})
afterAll(() => holder.dispose())

async function startHolder(signal = ''): Promise<Child> {
  const child = holder.start(dir, signal)
  children.push(child)
  await child.line()
  return child
}

/** Several processes that try at the same moment; what each said. */
async function race(count: number): Promise<(string | undefined)[]> {
  const signal = `${dir}.start`
  const racers = await Promise.all(Array.from({ length: count }, () => startHolder(signal)))
  await writeFile(signal, '')
  const outcomes = await Promise.all(racers.map(racer => racer.line()))
  await rm(signal)
  return outcomes
}

async function leaveDeadLock(): Promise<void> {
  const child = await startHolder()
  expect(await child.line()).toBe('locked')
  await child.kill()
}

test('a second open in the same process is refused', async () => {
  const lock = await lockDataDir(dir)
  await expect(lockDataDir(dir)).rejects.toMatchObject({
    code: 'store_locked',
    message: `the folder ${dir} is in use by process ${process.pid}`,
  })
  await lock.release()
})

test('a released lock can be taken again, and leaves no file behind', async () => {
  await (await lockDataDir(dir)).release()
  const lock = await lockDataDir(dir)
  expect(await readdir(dir)).toEqual(['lock'])
  await lock.release()
  await lock.release()
  expect(await readdir(dir)).toEqual([])
})

test('drafts that killed processes left are removed, and nobody else’s', async () => {
  const draft = (name: string) => join(dir, `${name}.3f0c2f9e-5a57-4d0e-9a2b-0f2f4c1d7e61`)
  const dead = JSON.stringify({ pid: process.pid, startedAt: 'before/1', host: hostname() })
  const alive = JSON.stringify({ pid: process.ppid, startedAt: null, host: hostname() })
  const elsewhere = JSON.stringify({ pid: process.pid, startedAt: 'before/1', host: 'elsewhere' })
  await Promise.all([writeFile(draft('lock'), dead), writeFile(draft('lock.takeover'), dead)])
  const kept = [
    ['lock.00000000-0000-4000-8000-000000000001', alive],
    ['lock.00000000-0000-4000-8000-000000000002', elsewhere],
    ['lock.00000000-0000-4000-8000-000000000003', ''],
    ['lock.txt', dead],
  ] as const
  for (const [name, text] of kept) await writeFile(join(dir, name), text)
  const lock = await lockDataDir(dir)
  expect((await readdir(dir)).sort()).toEqual(['lock', ...kept.map(([name]) => name)])
  await lock.release()
})

test('releasing twice does not release the next holder', async () => {
  const first = await lockDataDir(dir)
  await first.release()
  const second = await lockDataDir(dir)
  await first.release()
  await expect(lockDataDir(dir)).rejects.toMatchObject({ code: 'store_locked' })
  await second.release()
})

test('the file says who holds the lock', async () => {
  const lock = await lockDataDir(dir)
  expect(JSON.parse(await readFile(lockFile, 'utf8'))).toMatchObject({ pid: process.pid, host: hostname() })
  await lock.release()
})

test('a second process is refused while the first lives, and takes over once it is killed', async () => {
  const first = await startHolder()
  expect(await first.line()).toBe('locked')
  await expect(lockDataDir(dir)).rejects.toMatchObject({
    code: 'store_locked',
    message: `the folder ${dir} is in use by process ${first.process.pid}`,
  })
  await first.kill()
  const lock = await lockDataDir(dir)
  await lock.release()
  expect(await readdir(dir)).toEqual([])
})

test('a lock whose process number now belongs to another process is taken over', async () => {
  await writeFile(lockFile, JSON.stringify({ pid: process.pid, startedAt: 'before/1', host: hostname() }))
  const lock = await lockDataDir(dir)
  await lock.release()
})

test('a damaged lock is taken over', async () => {
  for (const text of ['', '{', 'null', '{"pid":"x"}', '{"pid":-1,"host":"h"}']) {
    await writeFile(lockFile, text)
    const lock = await lockDataDir(dir)
    await lock.release()
  }
})

test('a lock of another host is refused, and the message names the file to delete', async () => {
  await writeFile(lockFile, JSON.stringify({ pid: 1, startedAt: null, host: 'elsewhere' }))
  await expect(lockDataDir(dir)).rejects.toMatchObject({
    code: 'store_locked',
    message: `the folder ${dir} is in use by process 1 on host elsewhere; if that host is gone, delete ${lockFile}`,
  })
})

test('a process that died while taking over does not stand in the way', async () => {
  await leaveDeadLock()
  await link(lockFile, `${lockFile}.takeover`)
  const lock = await lockDataDir(dir)
  await lock.release()
  expect(await readdir(dir)).toEqual([])
})

test('of eight processes at once exactly one wins', async () => {
  const outcomes = await race(8)
  expect(outcomes.filter(said => said === 'locked')).toHaveLength(1)
  expect(outcomes.filter(said => said?.startsWith('store_locked'))).toHaveLength(7)
})

test('of several processes that find a dead lock at once exactly one wins', {
  timeout: 180_000,
}, async () => {
  for (let round = 0; round < times(2, 20); round++) {
    await leaveDeadLock()
    const outcomes = await race(4)
    expect(outcomes.filter(said => said === 'locked')).toHaveLength(1)
    expect(outcomes.filter(said => said?.startsWith('store_locked'))).toHaveLength(3)
    await Promise.all(children.map(child => child.kill()))
    children = []
  }
})

test('of many takers in one process exactly one wins a dead lock', async () => {
  for (let round = 0; round < 20; round++) {
    await writeFile(lockFile, JSON.stringify({ pid: process.pid, startedAt: 'before/1', host: hostname() }))
    const outcomes = await Promise.allSettled(Array.from({ length: 10 }, () => lockDataDir(dir)))
    const won = outcomes.filter(outcome => outcome.status === 'fulfilled')
    expect(won).toHaveLength(1)
    await won[0]?.value.release()
  }
})
