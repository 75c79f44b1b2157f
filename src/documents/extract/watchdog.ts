import { workerData } from 'node:worker_threads'
import type { ProcessLimits } from './reader-protocol.js'

// This thread watches the main thread, which may be stuck in a parser when the parent process is already gone.
const { limits, begun } = workerData as { limits: ProcessLimits; begun: Float64Array }
const EVERY_MS = 20
const LATE_MS = 5_000

setInterval(() => {
  const start = begun[0] ?? 0
  const late = start > 0 && Date.now() - start > limits.milliseconds + LATE_MS
  // The heap limit of V8 does not count buffers, such as unpacked bytes.
  if (late || process.memoryUsage.rss() > limits.memory) process.kill(process.pid, 'SIGKILL')
}, EVERY_MS)
