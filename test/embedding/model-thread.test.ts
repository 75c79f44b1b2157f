import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { threadId } from 'node:worker_threads'
import { afterEach, describe, expect, it } from 'vitest'
import { inWorker } from '../../src/embedding/in-worker.js'
import { ModelThread } from '../../src/embedding/model-thread.js'
import { EmbeddingError } from '../../src/embedding/provider.js'

const MODEL = new URL('../support/scripted-model.js', import.meta.url)
const run = promisify(execFile)

const threads: ModelThread[] = []
afterEach(async () => {
  await Promise.all(threads.splice(0).map(thread => thread.close()))
})
function make(options: unknown = null, stuckMs?: number): ModelThread {
  const thread = new ModelThread(MODEL, options, stuckMs)
  threads.push(thread)
  return thread
}

/** The vectors of texts, as lists. */
async function embed(thread: ModelThread, texts: string[], urgent = false, signal?: AbortSignal) {
  const reply = await thread.run({ kind: 'embed', texts, purpose: 'document' }, urgent, signal)
  return reply.kind === 'vectors' ? reply.vectors.map(vector => vector && [...vector]) : expect.unreachable()
}

describe('a model thread', () => {
  it('answers from another thread, one and the same, in order, null where there is nothing', async () => {
    const thread = make()
    const [first, second, third] = await embed(thread, ['a', 'nothing', 'ccc'])
    expect(second).toBeNull()
    expect([first?.[2], third?.[2]]).toEqual([1, 3])
    expect(first?.[0]).not.toBe(threadId)
    const [again] = await embed(thread, ['dd'])
    expect(again).toEqual([first?.[0], 4, 2])
    expect(await thread.run({ kind: 'neighbours', word: 'cat', most: 2 }, true)).toEqual({
      kind: 'words',
      words: ['cat0', 'cat1'],
    })
  })

  it('leaves this thread free meanwhile', async () => {
    const thread = make({ slowMs: 100 })
    let turns = 0
    const timer = setInterval(() => turns++, 5)
    await embed(thread, ['slow'])
    clearInterval(timer)
    expect(turns).toBeGreaterThan(5)
  })

  it('takes a question before documents that came first', async () => {
    const thread = make()
    const order: string[] = []
    const note = (name: string, urgent: boolean) =>
      embed(thread, [name], urgent).then(() => {
        order.push(name)
      })
    await Promise.all([
      note('slow document', false),
      note('document two', false),
      note('document three', false),
      note('question', true),
      note('question two', true),
    ])
    expect(order).toEqual(['slow document', 'question', 'question two', 'document two', 'document three'])
  })

  it.each(['throw', 'exit', 'crash'])('fails on %s without repeating it, and goes on', async text => {
    const thread = make()
    const [before] = await embed(thread, ['a'])
    const failing = embed(thread, [text])
    const next = embed(thread, ['bb'])
    const error = await failing.catch(thrown => thrown)
    expect(error).toMatchObject({ name: 'EmbeddingError', kind: 'unavailable', message: 'the model failed' })
    expect(error.cause).toBeUndefined()
    const [after] = await next
    expect(after?.[2]).toBe(2)
    // A thread that ended is another one now, with a model that was asked nothing before.
    expect(after?.[0] === before?.[0]).toBe(text === 'throw')
  })

  it('gives up what hangs, and goes on in a new thread', async () => {
    const thread = make(null, 1_500)
    const failing = embed(thread, ['hang'])
    const next = embed(thread, ['a'])
    await expect(failing).rejects.toMatchObject({ kind: 'unavailable' })
    expect(await next).toHaveLength(1)
  })

  it('says why a model cannot be loaded, and tries again', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'privity-thread-'))
    try {
      const needs = join(folder, 'model')
      const thread = make({ needs })
      await expect(embed(thread, ['a secret'])).rejects.toMatchObject({
        kind: 'unavailable',
        message: 'the model could not be loaded: no such file',
      })
      writeFileSync(needs, '')
      expect(await embed(thread, ['a'])).toHaveLength(1)
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  })

  it('lets a caller give up, while it waits and while it is asked; others do not notice', async () => {
    const thread = make()
    const caller = new AbortController()
    const running = embed(thread, ['slow'], false, caller.signal)
    const waiting = embed(thread, ['exit'], false, caller.signal)
    const other = embed(thread, ['other'])
    caller.abort()
    await expect(running).rejects.toMatchObject({ kind: 'timeout' })
    await expect(waiting).rejects.toMatchObject({ kind: 'timeout' })
    await expect(embed(thread, ['late'], false, caller.signal)).rejects.toMatchObject({ kind: 'timeout' })
    expect((await other)[0]?.slice(1)).toEqual([2, 5])
  })

  it('ends what runs and waits when it is closed, and starts anew when it is asked again', async () => {
    const thread = make()
    const [before] = await embed(thread, ['a'])
    const failing = [embed(thread, ['hang']), embed(thread, ['b'])]
    const closed = thread.close()
    const after = embed(thread, ['c'])
    for (const one of failing) await expect(one).rejects.toBeInstanceOf(EmbeddingError)
    await closed
    expect((await after)[0]?.[0]).not.toBe(before?.[0])
  })

  it('does not keep a process alive by itself, but does while it is asked', async () => {
    const built = fileURLToPath(new URL('../../dist/embedding/model-thread.js', import.meta.url))
    const program = `
      import { ModelThread } from ${JSON.stringify(built)}
      const thread = new ModelThread(new URL(${JSON.stringify(MODEL.href)}), { slowMs: 300 })
      const ask = text => thread.run({ kind: 'embed', texts: [text], purpose: 'query' }, true)
      await ask('a')
      void ask('slow').then(reply => console.log(reply.kind))
    `
    const { stdout } = await run(process.execPath, ['--input-type=module', '-e', program], {
      timeout: 20_000,
    })
    expect(stdout).toBe('vectors\n')
  })
})

describe('a provider in a worker', () => {
  const facts = {
    model: 'scripted/1',
    local: true,
    weight: () => 0.5,
    near: 0.5,
    batchSize: 8,
    maxCharacters: 100,
  }

  it('lets a question in between documents of one batch', async () => {
    const provider = inWorker(facts, make(), 1)
    const { signal } = new AbortController()
    const documents = provider.embed(['slow 1', 'slow 2', 'slow 3'], 'document', signal)
    const [question] = await provider.embed(['now'], 'query', signal)
    expect(question?.[1]).toBeLessThan(4)
    expect((await documents).map(vector => vector?.[2])).toEqual([6, 6, 6])
    await provider.close?.()
  })

  it('sends as many at once as it may, and keeps their order', async () => {
    const provider = inWorker(facts, make(), 2)
    const texts = ['a', 'nothing', 'ccc', 'dddd', 'e']
    const vectors = await provider.embed(texts, 'document', new AbortController().signal)
    expect(vectors.map(vector => vector?.[2] ?? null)).toEqual([1, null, 3, 4, 1])
  })
})
