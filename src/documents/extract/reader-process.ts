import { Worker } from 'node:worker_threads'
import { lowerPriority } from '../../runtime/threads/lower-priority.js'
import { doTask } from './do-task.js'
import type { ProcessLimits, ReaderReply, ReaderTask } from './reader-protocol.js'

// The main program of a process that reads files, one at a time.
lowerPriority()
const limits = JSON.parse(process.argv[2] ?? '{}') as ProcessLimits
/** When the reading of the current file started; 0 while idle. */
const begun = new Float64Array(new SharedArrayBuffer(8))
new Worker(new URL('watchdog.js', import.meta.url), { workerData: { limits, begun } }).unref()

// A parser may leave a promise unhandled. The file has been answered, or will be when its deadline passes.
process.on('unhandledRejection', () => {})
process.on('disconnect', () => process.exit())
process.on('message', async (asked: ReaderTask) => {
  begun[0] = Date.now()
  const answer = await doTask(asked)
  begun[0] = 0
  send({ kind: 'done', answer, spent: process.memoryUsage.rss() > limits.memory / 2 })
})

const send = (reply: ReaderReply) => process.send?.(reply)
send({ kind: 'ready' })
