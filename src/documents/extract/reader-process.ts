import { Worker } from 'node:worker_threads'
import { readAnyFormat } from './read-any-format.js'
import type { ProcessLimits, ReaderReply, ReaderRequest } from './reader-protocol.js'

// The program of a process that reads files, one after the other.
const limits = JSON.parse(process.argv[2] ?? '{}') as ProcessLimits
/** When the file being read was begun, or 0. */
const begun = new Float64Array(new SharedArrayBuffer(8))
new Worker(new URL('watchdog.js', import.meta.url), { workerData: { limits, begun } }).unref()

// A parser that left something undone: the file has its answer, or will have it by the deadline.
process.on('unhandledRejection', () => {})
process.on('disconnect', () => process.exit())
process.on('message', async ({ bytes, name, limits: readLimits }: ReaderRequest) => {
  begun[0] = Date.now()
  const answer = await readAnyFormat(bytes, name, readLimits)
  begun[0] = 0
  send({ kind: 'read', answer, spent: process.memoryUsage.rss() > limits.memory / 2 })
})

const send = (reply: ReaderReply) => process.send?.(reply)
send({ kind: 'ready' })
