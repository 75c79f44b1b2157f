import { workerData } from 'node:worker_threads'
import type { ProcessLimits } from './reader-protocol.js'

// A thread beside one that may be stuck in a parser, and may have nobody left to end it.
const { limits, begun } = workerData as { limits: ProcessLimits; begun: Float64Array }
const EVERY_MS = 20
const LATE_MS = 5_000

setInterval(() => {
  const start = begun[0] ?? 0
  const late = start > 0 && Date.now() - start > limits.milliseconds + LATE_MS
  // What a heap limit does not count: bytes that were unpacked.
  if (late || process.memoryUsage.rss() > limits.memory) process.kill(process.pid, 'SIGKILL')
}, EVERY_MS)
