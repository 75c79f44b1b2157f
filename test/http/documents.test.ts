import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Asked, openTestServer, type TestServer } from '../support/server.js'
import { engines } from '../support/stores.js'

const WORDS = 'The motion to dismiss is denied. Größe: 3 m².\n'
const LIMIT = 20_000

describe.each(engines)('documents over HTTP on %s', engine => {
  let server: TestServer
  beforeAll(async () => {
    server = await openTestServer(engine, { maxBodyBytes: LIMIT })
  })
  afterAll(() => server.dispose())

  async function world() {
    const tenant = server.tenant()
    const key = await server.keyFor({ tenant, actor: 'ana' })
    const upload = (query: string, { headers = {}, ...asked }: Asked) =>
      server.ask('POST', `/api/v1/documents${query}`, { key, headers, ...asked })
    const get = (path: string, headers: Record<string, string> = {}) =>
      server.ask('GET', `/api/v1${path}`, { key, headers })
    const textOf = async (id: string) => (await get(`/documents/${id}/text`)).body.data.text
    return { tenant, key, upload, get, textOf }
  }

  /** As curl -F sends it. */
  async function form(parts: Readonly<Record<string, string | readonly [string, string | Uint8Array]>>) {
    const data = new FormData()
    for (const [name, part] of Object.entries(parts))
      if (typeof part === 'string') data.append(name, part)
      else data.append(name.replace(/ .*/, ''), new Blob([part[1] as string]), part[0])
    const made = new Response(data)
    return {
      headers: { 'content-type': made.headers.get('content-type') ?? '' },
      raw: new Uint8Array(await made.arrayBuffer()),
    }
  }
  const refusal = ({
    status,
    body,
  }: {
    status: number
    body: { error: { code: string; message: string } }
  }) => [status, body.error.code, body.error.message] as const

  it('takes a file as JSON, as its bytes and in a form, all alike', async () => {
    const { upload, textOf, get } = await world()
    const about = { corpus: 'briefs', tags: ['a', 'b'], metadata: { court: 'Köln' } }
    const json = await upload('', {
      body: { document: 'json.txt', content: Buffer.from(WORDS).toString('base64'), ...about },
    })
    const query = `?corpus=briefs&tags=a&tags=b&metadata=${encodeURIComponent('{"court":"Köln"}')}`
    // What curl says of --data-binary, what it is, and nothing at all.
    const types = ['application/x-www-form-urlencoded', 'text/plain', 'application/octet-stream', undefined]
    const bare = await Promise.all(
      types.map((type, at) =>
        upload(`${query}&document=bare-${at}.txt`, {
          raw: new TextEncoder().encode(WORDS),
          headers: type === undefined ? {} : { 'content-type': type },
        }),
      ),
    )
    const formed = await upload('?tags=a', {
      ...(await form({
        file: ['form.txt', WORDS],
        corpus: 'briefs',
        tags: 'b',
        metadata: '{"court":"Köln"}',
      })),
    })
    const { outcome, version, state, mediaType, characters } = json.body.data
    expect({ outcome, version, state, mediaType }).toEqual({
      outcome: 'created',
      version: 1,
      state: 'complete',
      mediaType: 'text/plain',
    })
    expect(characters).toBe(WORDS.length)
    for (const one of [json, ...bare, formed]) {
      expect(one.body).toMatchObject({
        success: true,
        data: { outcome, version, state, mediaType, characters },
      })
      const { id } = one.body.data.card
      expect(await textOf(id)).toBe(WORDS)
      expect((await get(`/documents/${id}/card`)).body.data.fields).toMatchObject({ court: 'Köln' })
      expect((await get(`/records/${id}`)).body.data.tags).toEqual(['a', 'b'])
    }
    const { sources } = (await get('/document-sources')).body.data
    expect(sources.map(({ document }: { document: string }) => document).sort()).toEqual([
      ...types.map((_, at) => `bare-${at}.txt`),
      'form.txt',
      'json.txt',
    ])
  })

  it('names a file by its address, or else as it calls itself', async () => {
    const { upload } = await world()
    const named = async (query: string, disposition: string) => {
      const headers = { 'content-type': 'text/plain', 'content-disposition': disposition }
      return (await upload(`?corpus=briefs${query}`, { raw: WORDS, headers })).body.data?.document
    }
    expect(await named('', 'attachment; filename="a \\"b\\".txt"')).toBe('a "b".txt')
    expect(await named('', 'attachment; filename=plain.txt')).toBe('plain.txt')
    expect(await named('', "attachment; filename=x; filename*=UTF-8''gr%C3%B6%C3%9Fe.txt")).toBe('größe.txt')
    expect(await named('&document=own.txt', 'attachment; filename=plain.txt')).toBe('own.txt')
    const formed = await upload('', await form({ file: ['größe.txt', WORDS], corpus: 'briefs' }))
    expect(formed.body.data.document).toBe('größe.txt')
    const renamed = await form({ file: ['x.txt', WORDS], corpus: 'briefs', document: 'briefs/y.txt' })
    expect((await upload('', renamed)).body.data.document).toBe('briefs/y.txt')
  })

  it('says what is wrong with an upload, and keeps nothing of it', async () => {
    const { upload, get } = await world()
    const bare = (query: string, raw: string | Uint8Array, type = 'text/plain') =>
      upload(query, { raw, headers: { 'content-type': type } }).then(refusal)
    const place = '?corpus=briefs&document=a.txt'
    expect(await bare(place, '')).toEqual([400, 'invalid_input', 'the file is empty'])
    const most = `the body must be at most ${LIMIT} bytes`
    expect(await bare(place, 'x'.repeat(LIMIT + 1))).toEqual([413, 'too_large', most])
    expect(await bare(place, 'no form', 'multipart/form-data; boundary=x')).toEqual([
      400,
      'invalid_input',
      'the body must be multipart/form-data',
    ])
    expect(await bare(place, 'no form', 'multipart/form-data')).toEqual([
      400,
      'invalid_input',
      'the body must be multipart/form-data',
    ])
    const invalid = async (message: string, answer: Promise<readonly unknown[]>) =>
      expect(await answer).toEqual([400, 'invalid_input', message])
    await invalid('unknown field surprise', bare(`${place}&surprise=1`, WORDS))
    await invalid(
      'content: is the body of this request; leave it out of the query',
      bare(`${place}&content=eA==`, WORDS),
    )
    await invalid('document: is given more than once', bare(`${place}&document=b.txt`, WORDS))
    await invalid('document: is required', bare('?corpus=briefs', WORDS))
    await invalid('corpus: is required', bare('?document=a.txt', WORDS))
    await invalid(
      'Content-Disposition: must be percent-encoded UTF-8',
      upload('?corpus=briefs', {
        raw: WORDS,
        headers: { 'content-type': 'text/plain', 'content-disposition': "attachment; filename*=UTF-8''%ff" },
      }).then(refusal),
    )
    const formed = async (parts: Parameters<typeof form>[0]) => refusal(await upload('', await form(parts)))
    const one = 'the form must contain one file, in the field `file`'
    await invalid(one, formed({ corpus: 'briefs', document: 'a.txt' }))
    await invalid(one, formed({ corpus: 'briefs', file: WORDS }))
    await invalid(one, formed({ corpus: 'briefs', file: ['a.txt', WORDS], 'file again': ['b.txt', WORDS] }))
    await invalid('brief: must not be a file', formed({ corpus: 'briefs', brief: ['a.txt', WORDS] }))
    await invalid('the file is empty', formed({ corpus: 'briefs', file: ['a.txt', ''] }))
    await invalid('unknown field surprise', formed({ surprise: '1', corpus: 'x', file: ['a.txt', WORDS] }))
    // Without fields in the address, what curl says of any body is JSON here as everywhere.
    await invalid('the body must be JSON in UTF-8', bare('', WORDS, 'application/x-www-form-urlencoded'))
    expect((await get('/document-sources')).body.data.sources).toEqual([])
  })

  it('asks for what is known of a document by its id or by its name, and says so', async () => {
    const { key } = await world()
    const document = 'a.txt'
    const ask = (body: object) => server.ask('POST', '/api/v1/documents/fields', { key, body })
    expect(refusal(await ask({}))).toEqual([
      400,
      'invalid_input',
      'must be by the id or by the name of a document',
    ])
    for (const wrong of [{ id: document }, { document, id: crypto.randomUUID() }, { document: 7 }])
      expect((await ask(wrong)).body.error.code).toBe('invalid_input')
    expect((await ask({ document })).status).toBe(404)
  })

  it('[TR-2] takes nothing from whoever has no credential', async () => {
    const answer = await server.ask('POST', '/api/v1/documents?corpus=briefs&document=a.txt', {
      raw: WORDS,
      headers: { 'content-type': 'text/plain' },
    })
    expect(answer.status).toBe(401)
  })

  it('does an upload once for one idempotency key', async () => {
    const { upload } = await world()
    const headers = { 'content-type': 'text/plain', 'idempotency-key': 'once' }
    const [first, again] = [
      await upload('?corpus=briefs&document=a.txt', { raw: WORDS, headers }),
      await upload('?corpus=briefs&document=a.txt', { raw: WORDS, headers }),
    ]
    expect(again.body).toEqual(first.body)
    const other = await upload('?corpus=briefs&document=a.txt', { raw: `${WORDS}!`, headers })
    expect(other.body.error.code).toBe('idempotency_conflict')
  })

  it('gives a file back as it was, as JSON or as its bytes', async () => {
    const { key, upload, get } = await world()
    const page = '<!doctype html><title>Größe</title><script>alert(1)</script><p>The motion is denied.</p>'
    const document = "briefs/größe (1)'s.html"
    const { body } = await upload(`?corpus=briefs&document=${encodeURIComponent(document)}`, {
      raw: page,
      headers: { 'content-type': 'text/html' },
    })
    const at = `/documents/${body.data.card.id}/original`
    for (const accept of [
      undefined,
      '*/*',
      'application/json',
      'application/*',
      'application/json, text/html',
    ])
      expect((await get(at, accept === undefined ? {} : { accept })).body.data).toEqual({
        id: body.data.card.id,
        document,
        mediaType: 'text/html',
        size: Buffer.byteLength(page),
        content: Buffer.from(page).toString('base64'),
      })
    for (const accept of ['text/html', 'application/octet-stream', 'text/html;q=0.9, */*;q=0.8']) {
      const response = await fetch(`${server.url}/api/v1${at}`, {
        headers: { authorization: `Bearer ${key}`, accept },
      })
      expect(Buffer.from(await response.arrayBuffer()).equals(Buffer.from(page))).toBe(true)
      expect(Object.fromEntries(response.headers)).toMatchObject({
        'content-type': 'text/html',
        'content-disposition': "attachment; filename*=UTF-8''gr%C3%B6%C3%9Fe%20%281%29%27s.html",
        'content-security-policy': "default-src 'none'; sandbox; frame-ancestors 'none'",
        'x-content-type-options': 'nosniff',
        'cache-control': 'no-store',
      })
    }
  })

  it('[NI-5] answers a file that is not there, or is not to be seen, as anything that is not there', async () => {
    const { tenant, upload } = await world()
    const place = '?corpus=briefs&document=a.txt'
    const { body } = await upload(place, { raw: WORDS, headers: { 'content-type': 'text/plain' } })
    const ben = await server.keyFor({ tenant, actor: 'ben' })
    const answers = await Promise.all(
      [body.data.card.id, '00000000-0000-4000-8000-000000000000'].flatMap(id =>
        ['text/plain', 'application/json'].map(async accept => {
          const { status, headers, body } = await server.ask('GET', `/api/v1/documents/${id}/original`, {
            key: ben,
            headers: { accept },
          })
          return { status, type: headers.get('content-type'), error: { ...body.error, requestId: '' } }
        }),
      ),
    )
    for (const answer of answers)
      expect(answer).toEqual({
        status: 404,
        type: 'application/json; charset=utf-8',
        error: { code: 'not_found', message: 'not found', requestId: '' },
      })
  })
})
