import { rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Credential } from '../../src/runtime/caller.js'
import { type Child, type Program, program } from './child.js'

/**
 * Another process: answers requests by name. Told to, it stops before one statement of the next request, in the middle of
 * whatever it is doing, until a file appears.
 */
const PROGRAM = `
  import { existsSync, writeSync } from 'node:fs'
  import { createInterface } from 'node:readline'
  import { open } from './src/index.ts'

  const say = value => writeSync(1, JSON.stringify(value) + '\\n')
  const clock = new Int32Array(new SharedArrayBuffer(4))
  let stop = null
  let seen = []
  const observe = sql => {
    seen.push(sql)
    if (stop === null || seen.length !== stop.before) return
    say({ stopped: seen })
    while (!existsSync(stop.until)) Atomics.wait(clock, 0, 0, 2)
  }
  const privity = await open({ databaseUrl: process.argv[2], poolSize: 4, observe, embedding: [] })
  say('ready')
  const tasks = []
  for await (const line of createInterface({ input: process.stdin })) {
    const { id, credential, name, input, stopAt } = JSON.parse(line)
    stop = stopAt ?? null
    seen = []
    tasks.push(
      privity
        .invoke(credential, name, input)
        .finally(() => {
          if (stopAt) stop = null
        })
        .then(
          answer => say({ id, answer, count: seen.length }),
          error => say({ id, error: error.code }),
        ),
    )
  }
  await Promise.all(tasks)
  await privity.close()
`

/** That process, compiled: `start` it with the address of a database. */
export const remoteProgram = (): Promise<Program> => program(PROGRAM)

interface Reply {
  readonly id?: number
  readonly answer?: unknown
  readonly error?: string
  /** How many statements it took, if nothing else was asked meanwhile. */
  readonly count?: number
  readonly stopped?: string[]
}
export type Invoke = (credential: Credential, name: string, input: object) => Promise<unknown>

export type Remote = ReturnType<typeof remote>

/** The other process, to be asked like a Privity of one's own. It has said that it is ready. */
export function remote(child: Child) {
  const waiting = new Map<number, (reply: Reply) => void>()
  let stopped: (statements: string[]) => void = () => {}
  let count = 0
  let statements = 0
  const listen = async () => {
    for (;;) {
      const line = await child.line()
      if (line === undefined) throw new Error('the process has ended')
      const reply: Reply = JSON.parse(line)
      if (reply.stopped) stopped(reply.stopped)
      if (reply.id !== undefined) waiting.get(reply.id)?.(reply)
    }
  }
  listen().catch(() => {
    for (const settle of waiting.values()) settle({ error: 'the process has ended' })
  })
  const ask = async (credential: Credential, name: string, input: object, stopAt?: object) => {
    const id = ++count
    const reply = new Promise<Reply>(resolve => waiting.set(id, resolve))
    child.tell(JSON.stringify({ id, credential, name, input, stopAt }))
    const { answer, error, count: took } = await reply
    waiting.delete(id)
    if (error !== undefined) throw new Error(error)
    statements = took ?? 0
    return answer
  }
  /** Asks for something that stands still before its n-th statement, until the file is there. */
  const askToStop = async (
    credential: Credential,
    name: string,
    input: object,
    before: number,
    until: string,
  ): Promise<{ answer: Promise<unknown>; statements: string[] | null }> => {
    const reached = new Promise<string[]>(resolve => {
      stopped = resolve
    })
    const answer = ask(credential, name, input, { before, until })
    const statements = await Promise.race([reached, answer.then(() => null)])
    return { answer, statements }
  }
  return {
    /** How many statements the last answer took. */
    get statements() {
      return statements
    },
    invoke: ((credential, name, input) => ask(credential, name, input)) satisfies Invoke,
    /** Asks, and while it stands before its n-th statement, does something else. Null if it takes fewer. */
    async invokeStopped(
      credential: Credential,
      name: string,
      input: object,
      before: number,
      meanwhile: () => Promise<void>,
    ): Promise<{ answer: unknown; statements: string[] } | null> {
      const until = join(tmpdir(), `privity-${process.pid}-${Math.random()}`)
      const { answer, statements } = await askToStop(credential, name, input, before, until)
      if (statements === null) return null
      await meanwhile()
      await writeFile(until, '')
      try {
        return { answer: await answer, statements }
      } finally {
        await rm(until)
      }
    },
    /** Asks, and ends the process as a power cut would once it stands before its n-th statement. Whether it got there. */
    async killedBefore(
      credential: Credential,
      name: string,
      input: object,
      before: number,
    ): Promise<boolean> {
      const never = join(tmpdir(), `privity-${process.pid}-${Math.random()}`)
      const { answer, statements } = await askToStop(credential, name, input, before, never)
      const lost = answer.catch(() => {})
      if (statements !== null) await child.kill()
      await lost
      return statements !== null
    },
  }
}
