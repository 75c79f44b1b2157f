import { parentPort } from 'node:worker_threads'
import { lowerPriority } from './lower-priority.js'
import type { JobReply, JobResult, ThreadJob } from './threads.js'

// Elsewhere than on Linux this would be the priority of the whole process.
if (process.platform === 'linux') lowerPriority()

// The program of a thread. It gets a job only after the one before is answered.
parentPort?.on('message', async ({ module, input }: ThreadJob) => {
  try {
    const { default: run } = (await import(module)) as {
      default: (input: unknown) => JobResult<unknown> | Promise<JobResult<unknown>>
    }
    const { value, transfer = [] } = await run(input)
    const reply: JobReply = { value }
    parentPort?.postMessage(reply, transfer)
  } catch {
    // The error may quote a text, so only the failure is reported.
    const reply: JobReply = { failed: true }
    parentPort?.postMessage(reply)
  }
})
