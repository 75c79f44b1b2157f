import { parentPort } from 'node:worker_threads'
import type { JobResult, ThreadJob, ThreadReply } from './threads.js'

// The program of a thread. It gets a job only after the one before is answered.
parentPort?.on('message', async ({ module, input }: ThreadJob) => {
  try {
    const { run } = (await import(module)) as {
      run: (input: unknown) => JobResult<unknown> | Promise<JobResult<unknown>>
    }
    const { value, transfer = [] } = await run(input)
    const reply: ThreadReply = { value }
    parentPort?.postMessage(reply, transfer)
  } catch {
    // The error may quote a text, so only the failure is reported.
    const reply: ThreadReply = { failed: true }
    parentPort?.postMessage(reply)
  }
})
