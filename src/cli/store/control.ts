import { randomUUID } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createConnection, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { basename, dirname, join, resolve } from 'node:path'
import { z } from 'zod'
import { PrivityError } from '../../errors.js'
import type { Privity } from '../../open.js'

/**
 * How a command asks the process that holds an embedded store for a copy of its files. The process listens on a local
 * socket whose folder only its own user can enter; a file in the folder of the store says where that is.
 */
const fileIn = (dataDir: string) => join(dataDir, 'server-control')

/** Copies are made only here: in the folder of the store, under such a name. */
const COPY = /^backup-copy-[0-9a-f-]{36}$/

const requestSchema = z.strictObject({ copyTo: z.string() })
const answerSchema = z.union([z.strictObject({ ok: z.literal(true) }), z.strictObject({ error: z.string() })])

/** Serves requests for copies until the returned function is called. */
export async function listenForControl(privity: Privity, dataDir: string): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'privity-'))
  const path = join(folder, 'control')
  const server = createServer(socket => {
    socket.on('error', () => {})
    readLine(socket)
      .then(line => copyFor(privity, dataDir, line))
      .then(
        () => ({ ok: true }),
        e => ({ error: e instanceof PrivityError ? e.message : 'the files could not be copied' }),
      )
      .then(answer => socket.end(`${JSON.stringify(answer)}\n`))
  })
  server.unref()
  await new Promise<void>((listening, failed) => {
    server.once('error', failed)
    server.listen(path, listening)
  })
  await writeFile(fileIn(dataDir), `${path}\n`, { mode: 0o600 })
  return async () => {
    server.close()
    await rm(fileIn(dataDir), { force: true })
    await rm(folder, { recursive: true, force: true })
  }
}

async function copyFor(privity: Privity, dataDir: string, line: string): Promise<void> {
  const { copyTo } = requestSchema.parse(JSON.parse(line))
  if (dirname(copyTo) !== resolve(dataDir) || !COPY.test(basename(copyTo)))
    throw new PrivityError('invalid_input', 'a copy is made in the folder of the store')
  await privity.copyFiles(copyTo)
}

/** A copy of the files of a store that another process holds; whoever asked for it removes it. */
export async function requestCopy(dataDir: string): Promise<string> {
  const path = (await readFile(fileIn(dataDir), 'utf8').catch(() => '')).trim()
  if (path === '')
    throw new PrivityError(
      'store_locked',
      `the process that uses ${dataDir} offers no copy of it; call backup() in that process, or stop it first`,
    )
  const copyTo = join(resolve(dataDir), `backup-copy-${randomUUID()}`)
  const socket = createConnection(path)
  try {
    socket.write(`${JSON.stringify({ copyTo })}\n`)
    const answer = answerSchema.parse(JSON.parse(await readLine(socket)))
    if ('error' in answer) throw new PrivityError('unavailable', answer.error)
    return copyTo
  } catch (e) {
    await rm(copyTo, { recursive: true, force: true })
    throw e instanceof PrivityError
      ? e
      : new PrivityError('unavailable', `the process that uses ${dataDir} does not answer`, { cause: e })
  } finally {
    socket.destroy()
  }
}

const MOST_BYTES = 8_192

function readLine(socket: NodeJS.ReadableStream): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = ''
    socket.setEncoding('utf8')
    socket.on('data', chunk => {
      text += String(chunk)
      const end = text.indexOf('\n')
      if (end >= 0) resolve(text.slice(0, end))
      else if (text.length > MOST_BYTES) reject(new Error('the line is too long'))
    })
    socket.on('error', reject)
    socket.on('close', () => reject(new Error('the connection was closed')))
  })
}
