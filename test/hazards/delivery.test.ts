import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Handle } from '../../src/handle.js'
import { base64 } from '../support/router.js'
import { openTestServer, type TestServer } from '../support/server.js'
import { engines } from '../support/stores.js'

type Grant = Parameters<Handle['links']['grant']>[0]
type Actions = NonNullable<Grant['allowedActions']>

/** Ten slides, each with a heading and a word that stands nowhere else. */
const WORDS = [
  'apricot',
  'bramble',
  'cypress',
  'dogwood',
  'elder',
  'fuchsia',
  'gentian',
  'hazel',
  'iris',
  'juniper',
]
const SLIDES = WORDS.map(
  word =>
    `# Slide on ${word}\n\nHere the ${word} is shown. ${`It grows by the ${word} brook in May. `.repeat(12)}`,
)
const DECK = SLIDES.join('\n\n')
const OPEN = { visibilityClass: 'public_open', sensitivity: 'low' } as const
const PIN = {
  document: 'pin.txt',
  corpus: 'bank',
  content: base64('The PIN of the alarm is 482193.'),
  ...OPEN,
}
const SEARCH_ONLY: Actions = [{ kind: 'namespace_all', namespace: 'search' }]

/** The longest piece of the deck that stands in an answer. */
function longestPiece(answer: string, deck: string): number {
  const told = answer.replaceAll(/\\+n/g, '\n')
  let longest = 0
  for (let at = 0; at + longest < deck.length; at++)
    while (at + longest < deck.length && told.includes(deck.slice(at, at + longest + 1))) longest++
  return longest
}

describe.each(engines)('what is delivered of a document, on %s', engine => {
  let server: TestServer
  beforeAll(async () => {
    server = await openTestServer(engine)
  })
  afterAll(() => server.dispose())

  async function world(asked: Partial<Grant> = {}, document: object = OPEN) {
    const tenant = server.tenant()
    const host = server.privity.as({ tenant, actor: 'hana' })
    const { card } = await host.documents.ingest({
      document: 'deck.md',
      corpus: 'bank',
      title: 'Plants',
      content: base64(DECK),
      ...document,
    })
    const { view } = await host.views.create({ corpus: 'bank', viewTemporalMode: 'live_view' })
    const granted = await host.links.grant({
      views: [view],
      recipientIdentityMode: 'anonymous_share_token',
      rateLimits: { maxQueriesPerHour: 1_000, maxDocumentViewsPerHour: 1_000 },
      ...asked,
    })
    const opened = await server.privity.redeem({ token: granted.token ?? '' })
    if (opened.status !== 'open') throw new Error(opened.status)
    const { key } = opened
    const ask = async (method: string, path: string, more: object = {}) => {
      const { status, text, body } = await server.ask(method, `/api/v1${path}`, { key, ...more })
      return { status, text, body: body.data ?? body }
    }
    const get = (path: string) => ask('GET', path)
    const post = (path: string, body: object) => ask('POST', path, { body })
    return { tenant, host, id: card?.id ?? '', key, get, post, link: granted.link.link, view }
  }

  it('[NI-12, OV-1] a preview is of the document: title and 200 characters, over all its segments and every call', async () => {
    const { host, id, get, post } = await world()
    await host.overlays.add({ target: { kind: 'corpus', ref: 'bank' }, restriction: 'preview_only' })
    const answers = [
      await get(`/documents/${id}`),
      await get('/documents'),
      await post('/documents/complete', { text: 'ju' }),
    ]
    for (const word of ['apricot', 'juniper', 'slide', 'brook', 'plants']) {
      answers.push(await post('/documents/search', { query: word, limit: 100, context: 2_000 }))
      answers.push(await post('/documents/bundle', { query: word, tokenBudget: 100_000, context: 2_000 }))
      answers.push(await post('/documents/complete', { text: word.slice(0, 3) }))
    }
    const own = [await host.list({ kinds: ['segment', 'document'] }), await host.timeline({})]
    for (const word of ['apricot', 'juniper', 'brook'])
      own.push((await host.search(word, { limit: 100 })) as never)
    const all = [...answers.map(({ text }) => text), ...own.map(one => JSON.stringify(one))].join('\n')
    // The first slide opens the document; nothing of the others is in what 200 characters hold.
    expect(
      WORDS.filter(word =>
        all.replaceAll(/"query":"[^"]*"|"question\\*":\\*"[^"]*"/g, '').includes(`${word} `),
      ),
    ).toEqual(['apricot'])
    expect(longestPiece(all, DECK)).toBe(200)
    const opened = answers[0]?.body
    expect(opened).toMatchObject({ face: 'preview', title: 'Plants', text: DECK.slice(0, 200) })
  })

  it('[NI-12, ST-1] a link that only searches gets one short passage of a document in an answer, and no bundle', async () => {
    const { id, get, post } = await world({ allowedActions: SEARCH_ONLY })
    const refused = { status: 403 }
    expect(await post('/documents/bundle', { query: 'brook', context: 2_000 })).toMatchObject(refused)
    expect(await post('/documents/search', { query: 'brook', context: 2_000 })).toMatchObject(refused)
    expect(await get(`/documents/${id}`)).toMatchObject(refused)
    for (const word of ['brook', 'juniper', 'plants']) {
      const found = await post('/documents/search', { query: word, limit: 100 })
      expect(found.status).toBe(200)
      expect(found.body.results.length).toBeGreaterThan(0)
      const passages = JSON.stringify(found.body).match(/"text":"[^"]*"/g) ?? []
      const told = new Set(passages.map(text => text.slice(8, -1)))
      expect([...told].reduce((sum, text) => sum + text.length, 0)).toBeLessThanOrEqual(210)
      expect(longestPiece(found.text, DECK)).toBeLessThanOrEqual(200)
    }
  })

  it('[NI-12, SP-10, ST-1] a bundle is a view: it is counted once, against the rate, and stands in the host’s log', async () => {
    const { host, link, post } = await world({
      rateLimits: { maxQueriesPerHour: 50, maxDocumentViewsPerHour: 2 },
    })
    const bundle = () => post('/documents/bundle', { query: 'brook', context: 2_000 })
    expect((await bundle()).status).toBe(200)
    expect((await post('/documents/search', { query: 'brook', context: 2_000 })).status).toBe(200)
    expect(await bundle()).toMatchObject({ status: 429 })
    // The ordinary passages of a search are none.
    expect((await post('/documents/search', { query: 'brook' })).status).toBe(200)
    const log = await host.links.accessLog({ link })
    expect(log.totals).toMatchObject({ views: 2, searches: 3 })
    const views = log.entries.filter(({ viewed }) => viewed).map(({ operation }) => operation)
    expect(views.sort()).toEqual(['search.bundle', 'search.execute'])
  })

  it('[NI-12, SP-1] a profile that lists, or that looks without taking, is refused texts and originals with the reason', async () => {
    const { tenant, host, id } = await world()
    await host.profiles.setPolicy({
      kind: 'document_access_policy',
      policy: 'lists',
      settings: { access: 'list_only' },
    })
    await host.profiles.setPolicy({
      kind: 'document_delivery_policy',
      policy: 'looks',
      settings: { delivery: 'view_only' },
    })
    const lists = await host.profiles.create({ documentAccessPolicyRef: 'lists' })
    const looks = await host.profiles.create({ documentDeliveryPolicyRef: 'looks' })
    for (const { profile } of [lists, looks]) await host.profiles.activate(profile)
    const ask = async (profile: string, path: string) =>
      server.ask('GET', `/api/v1/documents/${id}/${path}`, {
        key: await server.keyFor({ tenant, actor: 'hana' }),
        headers: { 'privity-profile': profile },
      })
    const view = { status: 403, body: { error: { reason: 'session.document_view_not_allowed' } } }
    const copy = { status: 403, body: { error: { reason: 'session.document_copy_not_allowed' } } }
    expect(await ask(lists.profile, 'text')).toMatchObject(view)
    expect(await ask(lists.profile, 'original')).toMatchObject(view)
    expect(await ask(looks.profile, 'original')).toMatchObject(copy)
    expect(await ask(lists.profile, 'file')).toMatchObject(view)
    expect(await ask(looks.profile, 'file')).toMatchObject(copy)
    expect((await ask(looks.profile, 'text')).body.data.text).toBe(DECK)
    // Nor does the text come as records.
    const under = { profile: lists.profile }
    const segment = (await host.list({ kinds: ['segment'] })).records[0]?.id ?? ''
    const told = JSON.stringify([
      await host.get(segment, under),
      await host.list({ kinds: ['segment', 'document'] }, under),
      await host.timeline({}, under),
      await host.history(segment, under),
      await host.forgetCandidates({ phrase: 'brook' }, under),
      await host.context({ about: 'brook' }, under),
      await host.retrieveGraph('brook juniper', {}, under),
      await host.search('brook', { limit: 100, snippet: { passages: 10, length: 2_000 } }, under),
    ])
    expect(longestPiece(told, DECK)).toBeLessThanOrEqual(200)
    expect(await host.get(segment, under)).toMatchObject({ payload: { text: '', withheld: true } })
    // Nor by what its text calls for.
    await host.documents.ingest(PIN)
    const { proposals } = await host.labels.review({}, under)
    expect(proposals.length).toBeGreaterThan(0)
    expect(proposals.map(({ text }) => text).join('')).toBe('')
    // Nor as a file that came in and was not filed yet.
    for (const { profile } of [lists, looks])
      await expect(host.uploads.fetch(id, { profile })).rejects.toMatchObject({ code: 'not_allowed' })
  })

  it('[NI-12, SP-10] under a profile each way to the text of a document is one view against its rate', async () => {
    const { host, id } = await world()
    const segment = (await host.list({ kinds: ['segment'] })).records[0]?.id ?? ''
    await host.documents.ingest(PIN)
    const segments = () => ({ kinds: ['segment' as const] })
    const ways: ((under: { profile: string }) => Promise<unknown>)[] = [
      under => host.get(segment, under),
      under => host.history(segment, under),
      under => host.labels.review({}, under),
      under => host.list(segments(), under),
      under => host.timeline(segments(), under),
      under => host.documents.get(id, under),
      under => host.documents.read(id, {}, under),
      under => host.documents.original(id, under),
      under => host.documents.bundle({ query: 'brook' }, under),
      under => host.documents.search({ query: 'brook', context: 500 }, under),
    ]
    for (const [at, way] of ways.entries()) {
      const { profile } = await host.profiles.create({ maxDocumentViewsPerHour: 1 })
      await host.profiles.activate(profile)
      await way({ profile })
      await expect(way({ profile }), `way ${at}`).rejects.toMatchObject({ code: 'rate_limit_exceeded' })
    }
  })

  it('[NI-12, TR-1] for a recipient what is one rank above the link is not there at all', async () => {
    const { id, get, post } = await world({}, { visibilityClass: 'public_open', sensitivity: 'high' })
    expect((await get('/documents')).body).toMatchObject({ documents: [], cursor: null })
    const absent = await get('/documents/00000000-0000-4000-8000-000000000000')
    const hidden = await get(`/documents/${id}`)
    const without = ({ body }: typeof absent) => ({ ...body, error: { ...body.error, requestId: '' } })
    expect([hidden.status, without(hidden)]).toEqual([absent.status, without(absent)])
    expect((await post('/documents/search', { query: 'brook' })).body).toMatchObject({
      results: [],
      count: 0,
    })
  })
})
