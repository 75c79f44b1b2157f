import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { inspect } from 'node:util'
import { afterEach, describe, expect, it } from 'vitest'
import { ProviderCalls } from '../../src/embedding/calls.js'
import { type OpenAICompatibleOptions, openAICompatible } from '../../src/embedding/openai-compatible.js'
import { EmbeddingError } from '../../src/embedding/provider.js'

interface Asked {
  readonly path: string
  readonly headers: IncomingMessage['headers']
  readonly body: { model: string; input: string[]; encoding_format: string; dimensions?: number }
}
type Answer = (response: ServerResponse, asked: Asked) => void

const closing: (() => Promise<unknown>)[] = []
afterEach(async () => {
  await Promise.all(closing.splice(0).map(close => close()))
})

/** A real server on this machine that answers as it is told. */
async function serve(answer: Answer) {
  const asked: Asked[] = []
  const server = createServer(async (request, response) => {
    let text = ''
    for await (const chunk of request) text += chunk
    const one = { path: request.url ?? '', headers: request.headers, body: JSON.parse(text || '{}') }
    asked.push(one)
    answer(response, one)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const close = () =>
    new Promise(resolve => {
      server.closeAllConnections()
      server.close(resolve)
    })
  closing.push(close)
  return { url: `http://127.0.0.1:${port}/v1`, asked, close }
}

const json =
  (value: unknown): Answer =>
  response => {
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify(value))
  }
const status =
  (code: number, headers: Record<string, string> = {}, body = ''): Answer =>
  response => {
    response.writeHead(code, headers)
    response.end(body)
  }

/** Numbers that tell a text from others and have a short form as 32-bit floats. */
const numbersOf = (text: string) => [text.length, text.charCodeAt(0), 0.5]
const item = (text: string, index: number) => ({ object: 'embedding', index, embedding: numbersOf(text) })
const well: Answer = (response, asked) =>
  json({ object: 'list', data: asked.body.input.map(item) })(response, asked)

const provider = (url: string, more: Partial<OpenAICompatibleOptions> = {}) =>
  openAICompatible({ url, model: 'tiny', ...more })
const signal = () => new AbortController().signal
const embed = (url: string, texts: string[], more: Partial<OpenAICompatibleOptions> = {}) =>
  provider(url, more).embed(texts, 'document', signal())
const failure = (url: string, texts: string[], more: Partial<OpenAICompatibleOptions> = {}) =>
  embed(url, texts, more).then(
    () => expect.unreachable('no failure'),
    error => {
      expect(error).toBeInstanceOf(EmbeddingError)
      return error as EmbeddingError
    },
  )

describe('a request', () => {
  it('posts model, texts and format to /embeddings, with key, headers and dimensions where given', async () => {
    const server = await serve(well)
    const vectors = await embed(server.url, ['one', 'three'], {
      apiKey: 'sk-1',
      dimensions: 3,
      headers: { 'x-team': 'blue' },
    })
    expect(vectors).toEqual([Float32Array.from(numbersOf('one')), Float32Array.from(numbersOf('three'))])
    expect(server.asked).toMatchObject([
      {
        path: '/v1/embeddings',
        headers: { authorization: 'Bearer sk-1', 'x-team': 'blue', 'content-type': 'application/json' },
        body: { model: 'tiny', input: ['one', 'three'], encoding_format: 'float', dimensions: 3 },
      },
    ])
  })

  it('leaves no timer behind that would keep a process alive', async () => {
    const timers = () => process.getActiveResourcesInfo().filter(name => name === 'Timeout').length
    const server = await serve(well)
    const before = timers()
    await embed(server.url, ['one'])
    expect(timers()).toBeLessThanOrEqual(before)
  })

  it('without key and dimensions names neither', async () => {
    const server = await serve(well)
    await embed(server.url, ['one'])
    expect(server.asked[0]?.headers).not.toHaveProperty('authorization')
    expect(server.asked[0]?.body).not.toHaveProperty('dimensions')
  })

  it.each([
    ['/v1', '/v1/embeddings'],
    ['/v1/', '/v1/embeddings'],
    ['/v1/embeddings', '/v1/embeddings'],
    ['', '/embeddings'],
    ['/openai/deployments/x/embeddings?api-version=1', '/openai/deployments/x/embeddings?api-version=1'],
  ])('a url that ends in %s goes to %s', async (end, path) => {
    const server = await serve(well)
    await embed(new URL(server.url).origin + end, ['one'])
    expect(server.asked[0]?.path).toBe(path)
  })

  it('puts the prefix of its purpose before each text', async () => {
    const server = await serve(well)
    const both = provider(server.url, { queryPrefix: 'query: ', documentPrefix: 'passage: ' })
    await both.embed(['one'], 'query', signal())
    await both.embed(['one', 'two'], 'document', signal())
    expect(server.asked.map(({ body }) => body.input)).toEqual([
      ['query: one'],
      ['passage: one', 'passage: two'],
    ])
  })

  it('holds as many texts as the batch size says', async () => {
    const server = await serve(well)
    const calls = new ProviderCalls(provider(server.url, { batchSize: 2 }))
    expect((await calls.documents(['a', 'b', 'c', 'd', 'e'])).every(Boolean)).toBe(true)
    expect(server.asked.map(({ body }) => body.input)).toEqual([['a', 'b'], ['c', 'd'], ['e']])
  })
})

describe('an answer', () => {
  it('is ordered by index, not by place', async () => {
    const server = await serve((response, asked) =>
      json({ data: asked.body.input.map(item).reverse() })(response, asked),
    )
    expect(await embed(server.url, ['one', 'two', 'three'])).toEqual(
      ['one', 'two', 'three'].map(text => Float32Array.from(numbersOf(text))),
    )
  })

  it('may be base64 of little-endian floats', async () => {
    const server = await serve((response, asked) => {
      const data = asked.body.input.map((text, index) => {
        const bytes = Buffer.alloc(12)
        for (const [at, value] of numbersOf(text).entries()) bytes.writeFloatLE(value, at * 4)
        return { index, embedding: bytes.toString('base64') }
      })
      json({ data })(response, asked)
    })
    expect(await embed(server.url, ['one'])).toEqual([Float32Array.from(numbersOf('one'))])
  })

  it.each<[string, unknown]>([
    ['too few vectors', { data: [item('a', 0)] }],
    ['too many vectors', { data: [item('a', 0), item('b', 1), item('c', 2)] }],
    ['an index twice', { data: [item('a', 0), item('b', 0)] }],
    ['an index beyond', { data: [item('a', 0), item('b', 2)] }],
    ['an index below', { data: [item('a', 0), item('b', -1)] }],
    ['an index between', { data: [item('a', 0), item('b', 0.5)] }],
    ['an index that is text', { data: [item('a', 0), { ...item('b', 1), index: '1' }] }],
    [
      'an index that is the name of something',
      { data: [item('a', 0), { ...item('b', 1), index: 'length' }] },
    ],
    ['no index', { data: [{ embedding: [1] }, { embedding: [1] }] }],
    ['unequal dimensions', { data: [item('a', 0), { index: 1, embedding: [1, 2] }] }],
    ['other dimensions than asked for', { data: [0, 1].map(index => ({ index, embedding: [1, 2] })) }],
    ['a number that is none', { data: [item('a', 0), { index: 1, embedding: [1, null, 3] }] }],
    ['a number that is text', { data: [item('a', 0), { index: 1, embedding: [1, '2', 3] }] }],
    ['a number too large for a float', { data: [item('a', 0), { index: 1, embedding: [1, 1e39, 3] }] }],
    ['an empty vector', { data: [0, 1].map(index => ({ index, embedding: [] })) }],
    ['no vector', { data: [item('a', 0), { index: 1 }] }],
    ['null', null],
    ['nulls', { data: [null, null] }],
    ['no data', { error: 'a secret' }],
    ['base64 that is none', { data: [item('a', 0), { index: 1, embedding: 'a secret' }] }],
    [
      'base64 of a broken length',
      { data: [0, 1].map(index => ({ index, embedding: `${'A'.repeat(18)}==` })) },
    ],
    [
      'base64 of NaN',
      { data: [0, 1].map(index => ({ index, embedding: Buffer.alloc(12, 255).toString('base64') })) },
    ],
  ])('with %s is invalid', async (_, answer) => {
    const server = await serve(json(answer))
    const error = await failure(server.url, ['a', 'b'], { dimensions: 3 })
    expect(error.kind).toBe('invalid_answer')
    expect(error.message).not.toContain('secret')
  })

  it('that is not JSON, or NaN as Python writes it, is invalid and not repeated', async () => {
    for (const body of ['<html>a secret</html>', '{"data":[{"index":0,"embedding":[NaN]}]}', '']) {
      const server = await serve(status(200, {}, body))
      const error = await failure(server.url, ['a'])
      expect(error).toMatchObject({ kind: 'invalid_answer', message: 'the answer is not JSON' })
    }
  })

  it('that does not end is not read on and on', async () => {
    let sent = 0
    const server = await serve(response => {
      const chunk = Buffer.alloc(1024 * 1024, ' ')
      const send = () => {
        while (!response.destroyed && sent < 200) {
          sent++
          if (!response.write(chunk)) return void response.once('drain', send)
        }
        response.end()
      }
      send()
    })
    expect(await failure(server.url, ['a'])).toMatchObject({ kind: 'invalid_answer' })
    expect(sent).toBeLessThan(150)
  })
})

describe('a failure', () => {
  const secret = 'the secret text'
  const apiKey = 'sk-very-secret'

  it.each<[number, string]>([
    [400, 'rejected'],
    [413, 'rejected'],
    [422, 'rejected'],
    [401, 'unavailable'],
    [403, 'unavailable'],
    [404, 'unavailable'],
    [408, 'unavailable'],
    [429, 'rate_limited'],
    [500, 'unavailable'],
    [502, 'unavailable'],
    [503, 'unavailable'],
  ])('of status %i is %s and repeats neither text, key nor what the server said', async (code, kind) => {
    const server = await serve(status(code, {}, JSON.stringify({ error: { message: `no: ${secret}` } })))
    const error = await failure(server.url, [secret], { apiKey })
    expect(error.kind).toBe(kind)
    expect(error.message).toBe(`the embedding server answered with status ${code}`)
    expect(error.retryAfterMs).toBeUndefined()
    expect(inspect(error, { depth: 9, showHidden: true })).not.toMatch(/secret/)
  })

  it('says how long to wait, told in seconds or as a date', async () => {
    for (const code of [429, 503]) {
      const seconds = await serve(status(code, { 'retry-after': '7' }))
      expect((await failure(seconds.url, ['a'])).retryAfterMs).toBe(7_000)
      const date = await serve(status(code, { 'retry-after': new Date(Date.now() + 60_000).toUTCString() }))
      const wait = (await failure(date.url, ['a'])).retryAfterMs
      expect(wait).toBeGreaterThan(50_000)
      expect(wait).toBeLessThanOrEqual(60_000)
      const past = await serve(status(code, { 'retry-after': 'Wed, 21 Oct 2015 07:28:00 GMT' }))
      expect((await failure(past.url, ['a'])).retryAfterMs).toBe(0)
      const odd = await serve(status(code, { 'retry-after': 'soon' }))
      expect((await failure(odd.url, ['a'])).retryAfterMs).toBeUndefined()
    }
  })

  it('to connect is unavailable', async () => {
    const server = await serve(well)
    await server.close()
    const error = await failure(server.url, [secret], { apiKey })
    expect(error).toMatchObject({ kind: 'unavailable', message: 'no connection to the embedding server' })
    expect(inspect(error, { depth: 9, showHidden: true })).not.toMatch(/secret/)
  })

  it('in the middle of an answer is unavailable', async () => {
    const server = await serve(response => {
      response.write('{"data":')
      setTimeout(() => response.destroy(), 20)
    })
    expect(await failure(server.url, ['a'])).toMatchObject({ kind: 'unavailable' })
  })

  it('to answer in time is a timeout, before and within the answer', async () => {
    const silent = await serve(() => {})
    expect(await failure(silent.url, ['a'], { timeoutMs: 50 })).toMatchObject({ kind: 'timeout' })
    const slow = await serve(response => void response.write('{"data":'))
    expect(await failure(slow.url, ['a'], { timeoutMs: 50 })).toMatchObject({ kind: 'timeout' })
  })

  it('is at once when the caller gives up, or gave up before', async () => {
    const silent = await serve(() => {})
    const call = new AbortController()
    const outcome = provider(silent.url).embed(['a'], 'query', call.signal)
    setTimeout(() => call.abort(), 20)
    await expect(outcome).rejects.toMatchObject({ kind: 'timeout' })
    await expect(provider(silent.url).embed(['a'], 'query', call.signal)).rejects.toBeInstanceOf(
      EmbeddingError,
    )
  })

  it('of a search is a text search after its deadline, and the next ones do not wait', async () => {
    const silent = await serve(() => {})
    const calls = new ProviderCalls(provider(silent.url), { queryMs: 60, random: () => 1 })
    expect(await calls.query('hello', 'ana')).toEqual({ ok: false, failure: 'timeout' })
    await new Promise(resolve => setTimeout(resolve, 150))
    const before = silent.asked.length
    expect(await calls.query('hello', 'ana')).toEqual({ ok: false, failure: 'unavailable' })
    expect(silent.asked).toHaveLength(before)
    await calls.close()
  })
})

describe('a redirect', () => {
  it.each([
    301, 302, 303, 307, 308,
  ])('[OV-4] of status %i takes neither text nor key elsewhere', async code => {
    const elsewhere = await serve(well)
    const server = await serve(status(code, { location: `${elsewhere.url}/embeddings` }))
    const error = await failure(server.url, ['a secret'], { apiKey: 'sk-1', local: true })
    expect(error.kind).toBe('unavailable')
    expect(elsewhere.asked).toEqual([])
  })
})

describe('a provider', () => {
  const url = 'http://localhost:1/v1'

  it('[OV-4] is local only if that is declared, whatever its address', () => {
    expect(provider('http://127.0.0.1:1/v1').local).toBe(false)
    expect(provider(url).local).toBe(false)
    expect(provider(url, { local: false }).local).toBe(false)
    expect(provider(url, { local: true }).local).toBe(true)
  })

  it('is named after all that shapes its vectors, and after nothing else', () => {
    const name = (more: Partial<OpenAICompatibleOptions>) => provider(url, more).model
    expect(name({})).toBe('openai/tiny/own')
    expect(name({ dimensions: 256 })).toBe('openai/tiny/256')
    expect(name({ apiKey: 'k', timeoutMs: 1, local: true, weight: 0.2, near: 0.1 })).toBe('openai/tiny/own')
    const others = [{ queryPrefix: 'a' }, { documentPrefix: 'a' }, { queryPrefix: 'b' }, { model: 'other' }]
    expect(new Set([{}, ...others].map(name)).size).toBe(5)
    expect(name({ name: 'ours/1', queryPrefix: 'a' })).toBe('ours/1')
  })

  it('has a weight and a nearness that can be set', () => {
    expect(provider(url)).toMatchObject({ near: 0.5, batchSize: 32, maxCharacters: 8_000 })
    expect(provider(url).weight(3)).toBe(0.5)
    expect(provider(url, { weight: 0.2 }).weight(3)).toBe(0.2)
    expect(provider(url, { weight: words => 1 / words }).weight(4)).toBe(0.25)
  })

  it('shows nothing of its key', () => {
    expect(inspect(provider(url, { apiKey: 'sk-secret' }), { depth: 9, showHidden: true })).not.toMatch(/sk-/)
  })

  it.each<[string, object]>([
    ['url', { url: 'localhost/v1' }],
    ['url', { url: 'file:///etc/passwd' }],
    ['url', { url: 'https://ana:pass@example.com/v1' }],
    ['model', { model: '' }],
    ['apiKey or headers', { apiKey: 'sk-secret\nx' }],
    ['apiKey or headers', { headers: { 'bad name': 'x' } }],
    ['dimensions', { dimensions: 0 }],
    ['weight', { weight: 2 }],
    ['near', { near: -3 }],
    ['batchSize', { batchSize: 0 }],
    ['apikey', { apikey: 'sk-secret' }],
  ])('refuses an invalid %s without repeating it', (name, options) => {
    const make = () => openAICompatible({ url, model: 'tiny', ...options })
    expect(make).toThrow(
      expect.objectContaining({
        code: 'invalid_input',
        message: `openAICompatible: invalid option ${name}`,
      }),
    )
  })
})
