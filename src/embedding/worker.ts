import { parentPort, workerData } from 'node:worker_threads'
import type { LoadModel, ThreadReply, ThreadRequest, ThreadStart, WorkerModel } from './worker-model.js'

// The program of the thread. It gets a request only after the one before is answered.
const { module, options } = workerData as ThreadStart
const loading = import(module).then(({ load }: { load: LoadModel<unknown> }) => load(options))
// The failure is reported with the next request.
loading.catch(() => {})

parentPort?.on('message', async (request: ThreadRequest) => {
  let model: WorkerModel
  try {
    model = await loading
  } catch (thrown) {
    return send({ kind: 'not_loaded', why: thrown instanceof Error ? thrown.message : 'unknown' })
  }
  send(await answer(model, request).catch(() => ({ kind: 'failed' as const })))
})

async function answer(model: WorkerModel, request: ThreadRequest): Promise<ThreadReply> {
  switch (request.kind) {
    case 'embed': {
      const vectors: (Float32Array | null)[] = []
      for (const text of request.texts) vectors.push(await model.embed(text, request.purpose))
      return { kind: 'vectors', vectors }
    }
    case 'neighbours':
      return { kind: 'words', words: model.neighbours?.(request.word, request.most) ?? [] }
  }
}

const send = (reply: ThreadReply) => parentPort?.postMessage(reply)
