import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openAICompatibleChat } from '../../src/chat/openai-compatible-chat.js'
import { connect } from '../../src/client/connect.js'
import { serve } from '../../src/http/serve.js'
import type { Privity } from '../../src/open.js'
import type { SupportedSentence } from '../../src/runtime/search/router/answer.js'
import { type ChatServer, chatServer, streams } from '../support/chat-server.js'
import { base64 } from '../support/router.js'
import { type SharedStore, sharedStore } from '../support/shared-store.js'
import { passingClock } from '../support/sharing.js'

const ORDER =
  'ORDER. The motion to dismiss is denied, because scienter is pleaded with particularity. Discovery closes on June 3, 2026.'
const TRUE = 'The motion to dismiss is denied [1].'
const FALSE = 'Discovery closes on June 4, 2026 [1].'

describe('[SR-19] an answer from documents', () => {
  let store: SharedStore
  let chat: ChatServer
  let privity: Privity

  beforeAll(async () => {
    chat = await chatServer()
    store = await sharedStore('pglite')
    const model = openAICompatibleChat({ url: chat.url, model: 'small' })
    privity = await store.instance(passingClock(), { answers: { model } })
  })
  afterAll(async () => {
    await privity?.close()
    await chat?.close()
    await store?.dispose()
  })

  const world = async (from = privity) => {
    const tenant = store.tenant()
    const hana = from.as({ tenant, actor: 'hana' })
    await hana.documents.ingest({ document: 'order.txt', corpus: 'court', content: base64(ORDER) })
    return { tenant, hana }
  }
  const QUESTION = { query: 'motion to dismiss denied' }

  it('tells each sentence with passages that hold it, leaves others out, and says so', async () => {
    const { hana } = await world()
    chat.answer = streams(`${TRUE} `, FALSE)
    const heard: SupportedSentence[] = []
    const answer = await hana.documents.answer(QUESTION, { onSentence: sentence => heard.push(sentence) })
    expect(answer).toMatchObject({
      answer: 'The motion to dismiss is denied.',
      sentences: [{ text: 'The motion to dismiss is denied.', citations: [1] }],
      unsupported: 1,
      model: 'small',
    })
    expect(answer.notice).toContain('left out')
    expect(heard).toEqual(answer.sentences)
    const [citation] = answer.citations
    expect(citation).toMatchObject({ ref: 1, document: 'order.txt' })
    // What was asked is data, apart from the instructions.
    expect(chat.calls.at(-1)?.body.messages.map(({ role }) => role)).toEqual(['system', 'user'])
  })

  it('is none where nothing is supported, nothing is found, or the model fails', async () => {
    const { hana } = await world()
    chat.answer = streams(FALSE)
    expect(await hana.documents.answer(QUESTION)).toMatchObject({
      answer: null,
      sentences: [],
      unsupported: 1,
      notice: 'The passages do not answer this question.',
    })
    chat.answer = response => void response.writeHead(500).end()
    expect((await hana.documents.answer(QUESTION)).notice).toContain('The model did not answer')
    const before = chat.calls.length
    expect(await hana.documents.answer({ query: 'zeppelin' })).toMatchObject({ answer: null, citations: [] })
    expect(chat.calls).toHaveLength(before)
  })

  it('[OV-4] sends no sealed passage to a model on another machine', async () => {
    const { hana } = await world()
    await hana.documents.ingest({
      document: 'sealed.txt',
      corpus: 'court',
      content: base64('SEALED. The motion to dismiss was denied by agreement of the informant.'),
      visibilityClass: 'sealed',
    })
    chat.answer = streams(TRUE)
    const answer = await hana.documents.answer(QUESTION)
    expect(answer.answer).toBe('The motion to dismiss is denied.')
    expect(JSON.stringify(chat.calls.at(-1))).not.toContain('informant')
  })

  it('says that it gathers passages where there is no model', async () => {
    const without = await store.instance(passingClock(), {})
    const { hana } = await world(without)
    const answer = await hana.documents.answer(QUESTION)
    expect(answer).toMatchObject({ answer: null, model: null, citations: [{ document: 'order.txt' }] })
    expect(answer.notice).toContain('No model is configured')
    await without.close()
  })

  it('comes over HTTP as server-sent events, sentence by sentence', async () => {
    const { hana } = await world()
    const { secret } = await hana.keys.create({ name: 'phone' })
    const server = await serve(privity, { port: 0 })
    chat.answer = streams(`${TRUE} `, FALSE)
    const ask = (accept: string) =>
      fetch(`${server.url}/api/v1/documents/answer`, {
        method: 'POST',
        headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json', accept },
        body: JSON.stringify(QUESTION),
      })
    const streamed = await ask('text/event-stream')
    expect(streamed.headers.get('content-type')).toContain('text/event-stream')
    const events = (await streamed.text())
      .trim()
      .split('\n\n')
      .map(event => {
        const [kind = '', data = ''] = event.split('\n')
        return { kind: kind.slice('event: '.length), data: JSON.parse(data.slice('data: '.length)) }
      })
    expect(events.map(({ kind }) => kind)).toEqual(['sentence', 'answer'])
    expect(events[0]?.data).toEqual({ text: 'The motion to dismiss is denied.', citations: [1] })
    expect(events[1]?.data.data).toMatchObject({ unsupported: 1, model: 'small' })
    expect(((await (await ask('application/json')).json()) as { data: unknown }).data).toMatchObject({
      unsupported: 1,
    })
    const heard: SupportedSentence[] = []
    const remote = connect({ url: server.url, key: secret ?? '' })
    const answer = await remote.documents.answer(QUESTION, { onSentence: one => heard.push(one) })
    expect(heard).toEqual([{ text: 'The motion to dismiss is denied.', citations: [1] }])
    expect(answer).toMatchObject({ answer: 'The motion to dismiss is denied.', unsupported: 1 })
    await server.close()
  })
})
