import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Handle } from '../../src/handle.js'
import type { Privity } from '../../src/open.js'
import { entryPage, readFeed } from '../../src/watching/feed.js'
import { watchFeed } from '../../src/watching/watch-feed.js'
import type { FireEntry } from '../../src/watching/watch-until-stopped.js'
import { type SharedStore, sharedStore } from '../support/shared-store.js'
import { anyEngine } from '../support/stores.js'

const rss = (...items: string[]) =>
  `<?xml version="1.0" encoding="utf-8"?>
<rss version="2.0" xmlns:content="http://purl.org/rss/1.0/modules/content/"><channel>
<title>Opinions</title><link>https://court.example</link>${items.join('\n')}</channel></rss>`
const item = (id: string, words: string) =>
  `<item><guid isPermaLink="false">${id}</guid><title>No. ${id} &amp; others</title>
<link>https://court.example/${id}</link><pubDate>Mon, 02 Mar 2026 09:00:00 GMT</pubDate>
<description>Short.</description><content:encoded><![CDATA[<p>${words}</p>]]></content:encoded></item>`

describe('readFeed', () => {
  it('reads RSS, the fuller content before the shorter', () => {
    expect(readFeed(rss(item('1', 'Denied.'), item('2', 'Granted.')))).toEqual(
      [
        ['1', 'Denied.'],
        ['2', 'Granted.'],
      ].map(([id, words]) => ({
        id,
        title: `No. ${id} & others`,
        link: `https://court.example/${id}`,
        author: null,
        date: 'Mon, 02 Mar 2026 09:00:00 GMT',
        content: `<p>${words}</p>`,
      })),
    )
  })

  it('reads Atom, with text, HTML and XHTML', () => {
    const entry = (content: string) =>
      `<entry><id>urn:1</id><title>One</title><link rel="self" href="https://x.example/self"/>
       <link href="https://x.example/1"/><author><name>Ana</name></author><updated>2026-03-02T09:00:00Z</updated>
       ${content}</entry>`
    const feed = (content: string) =>
      readFeed(`<feed xmlns="http://www.w3.org/2005/Atom"><id>urn:feed</id>${entry(content)}</feed>`)?.[0]
    expect(feed('<content type="html">&lt;p&gt;a &amp;amp; b&lt;/p&gt;</content>')).toEqual({
      id: 'urn:1',
      title: 'One',
      link: 'https://x.example/1',
      author: 'Ana',
      date: '2026-03-02T09:00:00Z',
      content: '<p>a &amp; b</p>',
    })
    expect(feed('<summary>a &lt; b</summary>')?.content).toBe('a < b')
    expect(feed('<content type="text">a &lt; b</content>')?.content).toBe('a &#60; b')
    expect(feed('<content type="xhtml"><div><p>a &lt; <b>b</b></p></div></content>')?.content).toBe(
      '<div><p>a &#60; <b>b</b></p></div>',
    )
  })

  it('reads JSON Feed', () => {
    const items = [
      {
        id: 1,
        title: 'One',
        url: 'https://x.example/1',
        content_html: '<p>One.</p>',
        authors: [{ name: 'Ana' }],
      },
      { id: '2', content_text: 'a < b', date_published: '2026-03-02T09:00:00Z' },
      { title: '' },
      null,
    ]
    expect(readFeed(JSON.stringify({ version: 'https://jsonfeed.org/version/1.1', items }))).toEqual([
      {
        id: '1',
        title: 'One',
        link: 'https://x.example/1',
        author: 'Ana',
        date: null,
        content: '<p>One.</p>',
      },
      { id: '2', title: null, link: null, author: null, date: '2026-03-02T09:00:00Z', content: 'a &#60; b' },
    ])
  })

  it('takes nothing else for a feed, and ends on what is nested without end', () => {
    for (const text of [
      '',
      '{',
      '{"items":[]}',
      '<html><body><item><title>x</title></item></body></html>',
      'text',
    ])
      expect(readFeed(text)).toBeNull()
    expect(readFeed(`<rss>${'<a>'.repeat(100_000)}`)).toEqual([])
  })

  it('makes the same page of the same entry, in which nothing but the content is markup', () => {
    const entry = {
      id: '1',
      title: '</title><script>alert(1)</script>',
      link: '"><script>',
      author: null,
      date: null,
      content: '<p>x</p>',
    }
    expect(entryPage(entry)).toEqual(entryPage({ ...entry }))
    expect(Buffer.from(entryPage(entry)).toString()).not.toContain('<script>')
  })
})

describe('[BK-2] feeds are watched', () => {
  let store: SharedStore
  let privity: Privity
  let hana: Handle
  let server: Server
  let url: string
  let asked: IncomingMessage[]
  let answer: (request: IncomingMessage) => {
    status?: number
    headers?: Record<string, string>
    body?: string
  }

  beforeAll(async () => {
    store = await sharedStore(anyEngine)
    privity = await store.instance()
  })
  afterAll(async () => {
    await privity?.close()
    await store?.dispose()
  })
  beforeEach(async () => {
    hana = privity.as({ tenant: store.tenant(), actor: 'hana' })
    asked = []
    server = createServer((request, response) => {
      asked.push(request)
      const { status = 200, headers = {}, body = '' } = answer(request)
      response.writeHead(status, headers).end(body)
    })
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/feed.xml`
  })
  afterEach(() => new Promise(resolve => server.close(resolve)))

  async function watch(more: { location?: string; allowPrivate?: boolean } = {}) {
    const binding = await hana.bindings.create({
      name: 'court',
      kind: 'feed',
      location: more.location ?? url,
      corpus: 'opinions',
    })
    const fires: FireEntry[][] = []
    const problems: string[] = []
    const stop = new AbortController()
    const ended = watchFeed(hana, binding, {
      intervalMs: 40,
      allowPrivate: more.allowPrivate ?? true,
      signal: stop.signal,
      onFire: entries => void fires.push([...entries]),
      onProblem: ({ problem }) => void problems.push(problem),
    })
    const until = (...expected: string[]) =>
      expect
        .poll(() => fires.flat().map(({ document, outcome }) => `${outcome} ${document}`), {
          timeout: 30_000,
        })
        .toEqual(expected)
    const end = async () => {
      stop.abort()
      await ended
    }
    return { binding, fires, problems, until, end }
  }

  it('each entry is a document; one that changes is a version; what is no longer listed stays', async () => {
    let body = rss(item('1', 'Denied.'), item('2', 'Granted.'))
    answer = () => ({ body, headers: { 'content-type': 'application/rss+xml; charset=utf-8' } })
    const { until, end, binding } = await watch()
    await until('created court/1', 'created court/2')
    const { documents } = await hana.documents.cards()
    const first = documents.find(({ document }) => document === 'court/1')
    expect(first).toMatchObject({ title: 'No. 1 & others', mediaType: 'text/html', corpus: 'opinions' })
    expect((await hana.documents.read(first?.id ?? ''))?.text).toContain('Denied.')
    body = rss(item('2', 'Granted, as amended.'))
    await until('created court/1', 'created court/2', 'versioned court/2')
    expect(await hana.bindings.health({ binding: binding.id })).toMatchObject({
      totalFires: 2,
      confirmedCount: 2,
      softDeletedCount: 0,
    })
    await end()
  }, 60_000)

  it('asks only for what has changed', async () => {
    answer = ({ headers }) =>
      headers['if-none-match'] === '"1"'
        ? { status: 304 }
        : {
            body: rss(item('1', 'Denied.')),
            headers: { etag: '"1"', 'last-modified': 'Mon, 02 Mar 2026 09:00:00 GMT' },
          }
    const { until, end, problems } = await watch()
    await until('created court/1')
    await expect.poll(() => asked.length).toBeGreaterThan(2)
    expect(asked.at(-1)?.headers).toMatchObject({ 'if-modified-since': 'Mon, 02 Mar 2026 09:00:00 GMT' })
    expect(problems).toEqual([])
    await end()
  }, 60_000)

  it('says what is wrong, and tries again', async () => {
    const answers = [
      { status: 500 },
      { body: '<html></html>' },
      { status: 302, headers: { location: 'file:///etc/passwd' } },
      { status: 302, headers: { location: '/other.xml' } },
    ]
    answer = ({ url: path }) =>
      path === '/other.xml' ? { body: rss(item('1', 'Denied.')) } : (answers.shift() ?? { status: 304 })
    const { until, end, problems } = await watch()
    await until('created court/1')
    expect(problems).toEqual([
      'the feed answers 500',
      'the address leads to no feed',
      'the feed leads to no web address',
    ])
    await end()
  }, 60_000)

  it('takes no more than a feed may have', async () => {
    answer = () => ({ body: 'x'.repeat(9 * 1_048_576) })
    const { problems, end } = await watch()
    await expect.poll(() => problems[0], { timeout: 30_000 }).toBe('the feed is larger than 8 MiB')
    await end()
  }, 60_000)

  it('goes to no private address, by its number, by a name or by a redirect', async () => {
    answer = () => ({ body: rss(item('1', 'Denied.')) })
    const port = new URL(url).port
    for (const location of [url, `http://localhost:${port}/feed.xml`, `http://[::ffff:127.0.0.1]:${port}/`]) {
      const { problems, end, binding } = await watch({ location, allowPrivate: false })
      await expect
        .poll(() => problems[0], { timeout: 30_000 })
        .toBe('the address of the feed is private or cannot be resolved')
      await end()
      await hana.bindings.remove(binding.id)
    }
    expect(asked).toEqual([])
  }, 60_000)
})
