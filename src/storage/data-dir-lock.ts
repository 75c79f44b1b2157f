import { randomUUID } from 'node:crypto'
import { link, open, readdir, readFile, rename, rm } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { PrivityError } from '../errors.js'
import { errorCode } from './storage-error.js'

export interface DataDirLock {
  release(): Promise<void>
}

interface Holder {
  pid: number
  /** When the process started, in the kernel's clock ticks; null if the kernel does not say. */
  startedAt: string | null
  host: string
}

/**
 * Makes this process the only user of a folder, by a file `lock` in it. A lock whose process is gone is taken over at
 * once. A lock from another host is refused, because its process cannot be checked.
 */
export async function lockDataDir(dir: string): Promise<DataDirLock> {
  const path = join(dir, 'lock')
  const mine = await describe()
  await acquire(path, mine, dir)
  await removeDeadDrafts(dir)
  return { release: () => release(path, mine) }
}

/** The contents of this process's lock file. The id distinguishes two locks of one process. */
async function describe(): Promise<string> {
  const state = await processState(process.pid)
  const holder: Holder = { pid: process.pid, startedAt: state?.startedAt ?? null, host: hostname() }
  return JSON.stringify({ ...holder, id: randomUUID() })
}

async function acquire(path: string, mine: string, dir: string): Promise<void> {
  const draft = `${path}.${randomUUID()}`
  await writeDurably(draft, mine)
  try {
    for (;;) {
      if (await claim(draft, path)) return
      const theirs = await read(path)
      if (theirs === undefined) continue
      await refuseIfHeld(theirs, path, dir)
      if (await takeOver(draft, path, theirs, mine, dir)) return
    }
  } finally {
    await rm(draft, { force: true })
  }
}

/** Removes the drafts of processes that were killed while they took the lock. */
async function removeDeadDrafts(dir: string): Promise<void> {
  for (const name of await readdir(dir)) {
    if (!DRAFT.test(name)) continue
    const path = join(dir, name)
    const holder = parse((await read(path)) ?? '')
    // A draft without contents may be one that its process is about to write.
    if (holder?.host === hostname() && !(await isRunning(holder))) await rm(path, { force: true })
  }
}
const DRAFT = /^lock(?:\.takeover)?\.[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** Links the file instead of creating it, so that it appears complete, and only if there is none yet. */
async function claim(draft: string, path: string): Promise<boolean> {
  try {
    await link(draft, path)
    return true
  } catch (e) {
    if (errorCode(e) === 'EEXIST') return false
    throw e
  }
}

/**
 * Replaces the lock of a dead process. This requires a second lock, made by the same rules, so that nobody replaces a
 * lock that another process has just taken over.
 */
async function takeOver(
  draft: string,
  path: string,
  dead: string,
  mine: string,
  dir: string,
): Promise<boolean> {
  const guard = `${path}.takeover`
  await acquire(guard, mine, dir)
  try {
    if ((await read(path)) !== dead) return false
    await rename(draft, path)
    return true
  } finally {
    await release(guard, mine)
  }
}

async function release(path: string, mine: string): Promise<void> {
  if ((await read(path)) === mine) await rm(path, { force: true })
}

async function refuseIfHeld(text: string, path: string, dir: string): Promise<void> {
  const holder = parse(text)
  if (holder === undefined) return
  if (holder.host !== hostname()) {
    throw new PrivityError(
      'store_locked',
      `the folder ${dir} is in use by process ${holder.pid} on host ${holder.host}; if that host is gone, delete ${path}`,
    )
  }
  if (await isRunning(holder)) {
    throw new PrivityError('store_locked', `the folder ${dir} is in use by process ${holder.pid}`)
  }
}

/** A lock file is written completely or not at all, so one that cannot be parsed is damaged and has no holder. */
function parse(text: string): Holder | undefined {
  try {
    const { pid, startedAt, host } = JSON.parse(text)
    if (!Number.isInteger(pid) || pid <= 0 || typeof host !== 'string') return undefined
    return { pid, startedAt: typeof startedAt === 'string' ? startedAt : null, host }
  } catch {
    return undefined
  }
}

async function isRunning({ pid, startedAt }: Holder): Promise<boolean> {
  try {
    process.kill(pid, 0)
  } catch (e) {
    if (errorCode(e) === 'ESRCH') return false
  }
  const now = await processState(pid)
  if (now === undefined) return true
  // A zombie process holds nothing; a different start time means that the process id was reused.
  return now.state !== 'Z' && (startedAt === null || startedAt === now.startedAt)
}

async function processState(pid: number): Promise<{ state: string; startedAt: string } | undefined> {
  try {
    const [stat, boot] = await Promise.all([
      readFile(`/proc/${pid}/stat`, 'utf8'),
      readFile('/proc/sys/kernel/random/boot_id', 'utf8'),
    ])
    // The program name is in parentheses and may contain anything; fields 3 and following come after it.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return { state: fields[0] ?? '', startedAt: `${boot.trim()}/${fields[19]}` }
  } catch {
    return undefined
  }
}

async function read(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8')
  } catch (e) {
    if (errorCode(e) === 'ENOENT') return undefined
    throw e
  }
}

async function writeDurably(path: string, text: string): Promise<void> {
  const file = await open(path, 'wx', 0o600)
  try {
    await file.writeFile(text)
    await file.sync()
  } finally {
    await file.close()
  }
}
