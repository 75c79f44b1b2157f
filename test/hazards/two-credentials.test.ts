import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTestServer, type TestServer } from '../support/server.js'
import { engines } from '../support/stores.js'

/** Several keys of one actor: each is a caller of its own, and none tells another what it may not see. */
describe.each(engines)('two credentials of one actor, over HTTP on %s', engine => {
  let server: TestServer
  beforeAll(async () => {
    server = await openTestServer(engine)
  })
  afterAll(() => server.dispose())

  const SECRET = 'zanzibar'
  const api = (key: string) => async (method: string, path: string, body?: object, headers?: object) => {
    const asked = { key, ...(body && { body }), headers: { ...headers } }
    const { status, body: answer } = await server.ask(method, `/api/v1${path}`, asked)
    return { status, data: answer?.data, text: JSON.stringify(answer) }
  }
  type Api = ReturnType<typeof api>
  const keyed = (name: string) => ({ 'idempotency-key': name })

  /** What an answer says apart from the id of the request. */
  const said = ({ status, text }: Awaited<ReturnType<Api>>) => ({
    status,
    text: text.replace(/"requestId":"[^"]*"/, ''),
  })

  /** A strong and a weak key of the same name, and a record that only the strong one sees. */
  async function twoAgents() {
    const tenant = server.tenant()
    const ana = server.privity.as({ tenant, actor: 'ana' })
    const { id: secret } = await ana.remember({
      kind: 'note',
      text: `a plan for ${SECRET}`,
      sensitivity: 'hyper',
    })
    const { id: open } = await ana.remember({ kind: 'note', text: 'a walk', sensitivity: 'public' })
    const agent = { tenant, actor: 'helper', audience: 'agent', for: 'ana' } as const
    const strong = api(await server.keyFor({ ...agent, trust: { maxSensitivity: 'hyper' } }))
    const weak = api(await server.keyFor({ ...agent, trust: { maxSensitivity: 'public' } }))
    return { tenant, ana, strong, weak, secret, open }
  }

  /** An owner, and keys of that owner that hold less. */
  async function narrowedOwner() {
    const tenant = server.tenant()
    const ana = server.privity.as({ tenant, actor: 'ana', audience: 'host' })
    const whole = api(await server.keyFor({ tenant, actor: 'ana', audience: 'host' }))
    const low = { tenant, actor: 'ana', audience: 'host', trust: { maxSensitivity: 'low' } } as const
    const shut = { tenant, actor: 'ana', audience: 'host', visibility: { ceiling: 'public_open' } } as const
    const narrowed = [api(await server.keyFor(low)), api(await server.keyFor(shut))]
    const hidden = { kind: 'note', sensitivity: 'hyper', visibilityClass: 'sealed' } as const
    const { id: secret } = await ana.remember({ ...hidden, text: `about ${SECRET}`, participants: ['zed'] })
    const { id: open } = await ana.remember({
      kind: 'note',
      text: 'open',
      sensitivity: 'low',
      visibilityClass: 'public_open',
      participants: ['ben'],
    })
    return { tenant, ana, whole, narrowed, secret, open }
  }

  it('[NI-10] a saved search shows its words to no weaker key, nor its name by a conflict', async () => {
    const { strong, weak, secret } = await twoAgents()
    expect((await strong('GET', `/records/${secret}`)).text).toContain(SECRET)
    const saved = await strong('POST', '/searches', { name: SECRET, query: `where is ${SECRET}` })
    const id = saved.data.id
    expect((await strong('GET', '/searches')).text).toContain(SECRET)
    expect((await weak('GET', '/searches')).data).toEqual({ searches: [] })
    const missing = '00000000-0000-4000-8000-000000000000'
    expect(said(await weak('POST', `/searches/${id}/changes`, {}))).toEqual(
      said(await weak('POST', `/searches/${missing}/changes`, {})),
    )
    expect(said(await weak('DELETE', `/searches/${id}`))).toEqual(
      said(await weak('DELETE', `/searches/${missing}`)),
    )
    // Its own are its own, under the same name; and the stronger one sees both.
    expect((await weak('POST', '/searches', { name: SECRET, query: 'walk' })).status).toBe(200)
    expect((await weak('GET', '/searches')).data.searches).toHaveLength(1)
    expect((await strong('GET', '/searches')).data.searches).toHaveLength(2)
  })

  it('[NI-10] a look of a stronger key at a saved search hides nothing from the next look of its own', async () => {
    const { ana, strong, weak } = await twoAgents()
    const { data } = await weak('POST', '/searches', { name: 'walks', query: 'walk' })
    const look = (by: Api) => by('POST', `/searches/${data.id}/changes`, {})
    expect((await look(weak)).data.added).toHaveLength(1)
    const { id } = await ana.remember({ kind: 'note', text: 'a long walk', sensitivity: 'high' })
    expect((await look(strong)).data.added).toHaveLength(1)
    await ana.relabel({ record: id, sensitivity: 'public' })
    expect((await look(weak)).data.added).toHaveLength(1)
  })

  it('[NI-10] a request for consent, and a receipt, are told to no weaker key', async () => {
    const { strong, weak, secret } = await twoAgents()
    await strong('GET', `/records/${secret}`)
    await strong('POST', '/consent-requests', { person: 'zed', reason: SECRET })
    const { data } = await strong('POST', '/search', { query: SECRET })
    const run = data.receipt.searchRunId
    expect((await strong('GET', '/consent-requests/mine')).data.requests).toHaveLength(1)
    expect((await weak('GET', '/consent-requests/mine')).data.requests).toEqual([])
    expect((await strong('GET', '/receipts')).data.receipts).toHaveLength(1)
    expect((await weak('GET', '/receipts')).data.receipts).toEqual([])
    expect((await weak('GET', `/receipts/${run}`)).data ?? null).toBeNull()
    expect((await weak('POST', `/receipts/${run}/cite`, {})).status).toBe(404)
    // What the weaker one asks is its own: it learns nothing from a request that is already there.
    const own = await weak('POST', '/consent-requests', { person: 'zed' })
    expect(own.data.state).toBe('open')
    expect((await weak('GET', '/consent-requests/mine')).data.requests).toHaveLength(1)
  })

  it('[NI-10, NI-5] an idempotency key confirms nothing that another key of the actor did with it', async () => {
    const { strong, weak } = await twoAgents()
    const note = { records: [{ kind: 'note', text: 'mine', sensitivity: 'hyper' }] }
    const first = await strong('POST', '/records', note, keyed('k1'))
    const again = await strong('POST', '/records', note, keyed('k1'))
    expect(again.data).toEqual(first.data)
    const same = await weak('POST', '/records', note, keyed('k1'))
    expect(same.status).toBe(200)
    expect(same.data.records[0].id).not.toBe(first.data.records[0].id)
    const other = { records: [{ kind: 'note', text: 'another', sensitivity: 'public' }] }
    await strong('POST', '/records', note, keyed('k2'))
    expect((await weak('POST', '/records', other, keyed('k2'))).status).toBe(200)
  })

  it('[NI-10, WR-2] what a stronger key was shown does not show in what a weaker one writes', async () => {
    const { strong, weak, secret } = await twoAgents()
    const write = async (by: Api) =>
      (await by('POST', '/records', { records: [{ kind: 'note', text: 'mine', sensitivity: 'public' }] }))
        .data.records[0].sensitivity
    await strong('GET', `/records/${secret}`)
    expect(await write(weak)).toBe('public')
    expect(await write(strong)).toBe('hyper')
    // A claim of a single request is no other credential: what the agent was shown still counts.
    const claim = { 'privity-trust': JSON.stringify({ maxSensitivity: 'public' }) }
    const record = { records: [{ kind: 'note', text: 'mine', sensitivity: 'public' }] }
    expect((await strong('POST', '/records', record, claim)).data.records[0].sensitivity).toBe('hyper')
  })

  it('[NI-10] people, requests, overlays, grants, groups, keys and searches of others are not there for a narrowed key', async () => {
    const { tenant, ana, whole, narrowed } = await narrowedOwner()
    const agent = { tenant, actor: 'helper', audience: 'agent', for: 'ana' } as const
    const strong = api(await server.keyFor({ ...agent, trust: { maxSensitivity: 'hyper' } }))
    await strong('POST', '/consent-requests', { person: 'zed', reason: SECRET })
    await whole('POST', '/overlays', { target: { kind: 'corpus', ref: SECRET }, restriction: 'preview_only' })
    await whole('POST', '/grants', { grantee: 'zed', target: { kind: 'corpus', ref: SECRET } })
    await whole('POST', '/groups', { name: SECRET })
    await whole('POST', '/keys', { name: SECRET })
    await whole('POST', '/searches', { name: SECRET, query: SECRET })
    await ana.people.consent({ person: 'zed', status: 'granted' })
    const lists = [
      'people',
      'consent-requests',
      'overlays',
      'grants',
      'groups',
      'keys',
      'searches',
      'receipts',
    ]
    for (const list of lists.slice(0, -1))
      expect((await whole('GET', `/${list}`)).text, list).toMatch(/zanzibar|zed/)
    for (const by of narrowed) {
      for (const list of [...lists, 'audit', 'audit/operations']) {
        const { status, text } = await by('GET', `/${list}`)
        expect(status, list).toBe(200)
        expect(text, list).not.toMatch(/zanzibar|zed/)
      }
      expect((await by('GET', '/people')).data.people.map(({ name }: { name: string }) => name)).toEqual([
        'ana',
        'ben',
      ])
      expect((await by('POST', '/people/get', { person: 'zed' })).data ?? null).toBeNull()
      expect((await by('POST', '/people/get', { person: 'ben' })).data.name).toBe('ben')
      // What it makes is its own, and names of hidden things do not stand in its way.
      expect((await by('POST', '/groups', { name: SECRET })).status).toBe(200)
      expect((await by('POST', '/keys', { name: SECRET })).status).toBe(200)
      expect((await by('POST', '/searches', { name: SECRET, query: 'x' })).status).toBe(200)
      for (const list of ['groups', 'keys', 'searches'])
        expect((await by('GET', `/${list}`)).text, list).toContain(SECRET)
    }
    // To an agent, a person who granted consent and is only in what it does not see does not exist either.
    const weak = api(await server.keyFor({ ...agent, trust: { maxSensitivity: 'low' } }))
    expect((await weak('POST', '/people/get', { person: 'zed' })).data ?? null).toBeNull()
  })

  it('[NI-10, AU-3] the audit and receipts count nothing that a narrowed key could not have done itself', async () => {
    const { ana, narrowed } = await narrowedOwner()
    const [by] = narrowed as [Api]
    const audit = async () => {
      const { data } = await by('GET', '/audit?limit=200')
      return data.entries.filter(({ operation }: { operation: string }) => operation !== 'audit.list')
    }
    await by('POST', '/search', { query: 'open' })
    const before = { audit: await audit(), receipts: (await by('GET', '/receipts')).data }
    expect(before.receipts.receipts).toHaveLength(1)
    await ana.remember([
      { kind: 'note', text: 'one', sensitivity: 'hyper', visibilityClass: 'sealed' },
      { kind: 'note', text: 'two', sensitivity: 'hyper', visibilityClass: 'sealed' },
    ])
    await ana.search('one')
    const after = await audit()
    expect(after.filter(({ operation }: { operation: string }) => operation !== 'receipts.list')).toEqual(
      before.audit,
    )
    expect((await by('GET', '/receipts')).data.receipts).toHaveLength(1)
    for (const [method, path] of [
      ['POST', '/audit/verify'],
      ['POST', '/audit/checkpoints'],
    ] as const)
      expect((await by(method, path, {})).status, path).toBe(404)
    expect((await ana.audit.verify()).ok).toBe(true)
  })

  it('[NI-11, NI-5] a narrowed key deletes, lifts, grants and consents to nothing that it does not see', async () => {
    const { ana, whole, narrowed, secret, open } = await narrowedOwner()
    const content = Buffer.from(`the file of ${SECRET}`).toString('base64')
    const label = { sensitivity: 'hyper', visibilityClass: 'sealed' }
    await whole('POST', '/documents', { document: 'hidden.txt', corpus: 'files', content, ...label })
    const overlay = await ana.overlays.add({
      target: { kind: 'document', ref: secret },
      restriction: 'blocked',
    })
    const grant = await ana.grants.add({ grantee: 'dot', target: { kind: 'document', ref: secret } })
    const group = await ana.groups.create({ name: 'g' })
    const { view } = await ana.views.create({ corpus: 'files', viewTemporalMode: 'live_view' })
    const missing = '00000000-0000-4000-8000-000000000000'
    const acts: [string, (id: string) => string, ((it: string) => object)?][] = [
      ['POST', () => '/records/forget', it => ({ records: [it] })],
      ['POST', () => '/records/relabel', it => ({ record: it, sensitivity: 'public' })],
      ['DELETE', it => `/overlays/${it}`],
      ['DELETE', it => `/grants/${it}`],
      ['POST', it => `/groups/${it}/members`, () => ({ member: 'dot' })],
      ['POST', it => `/groups/${it}/members/remove`, () => ({ member: 'ana' })],
    ]
    const things = [secret, secret, overlay.id, grant.id, group.id, group.id]
    for (const by of narrowed) {
      for (const [at, [method, path, body]] of acts.entries()) {
        const thing = things[at] as string
        const hidden = said(await by(method, path(thing), body?.(thing)))
        const absent = said(await by(method, path(missing), body?.(missing)))
        expect(hidden.status, path(thing)).toBe(404)
        expect(hidden, path(thing)).toEqual(absent)
      }
      const named = async (path: string, name: string, body = {}) =>
        said(await by('POST', path, { ...body, ...JSON.parse(`{${name}}`) }))
      expect(await named('/documents/remove', '"document":"hidden.txt"')).toEqual(
        await named('/documents/remove', '"document":"none.txt"'),
      )
      for (const status of ['granted', 'revoked'])
        expect(await named('/people/consent', '"person":"zed"', { status })).toEqual(
          await named('/people/consent', '"person":"nobody"', { status }),
        )
      for (const path of ['/people', '/people/remove'])
        expect(await named(path, '"person":"zed"')).toEqual(await named(path, '"person":"nobody"'))
      const under = async (view: string) =>
        said(await by('POST', '/profiles', { sharedCorpusViewRefs: [view] }))
      expect(await under(view)).toEqual(await under(missing))
      // It sees a record of ben's, but not whether it sees all of them, so it opens none; it may shut them.
      expect((await named('/people/consent', '"person":"ben"', { status: 'granted' })).status).toBe(404)
      expect((await named('/people/consent', '"person":"ben"', { status: 'revoked' })).status).toBe(200)
    }
    // All of it is still there, and an owner who sees everything may.
    await ana.overlays.remove({ overlay: overlay.id })
    expect((await ana.get(secret))?.id).toBe(secret)
    expect((await whole('POST', '/documents/remove', { document: 'hidden.txt' })).status).toBe(200)
    expect((await whole('POST', '/people/consent', { person: 'zed', status: 'granted' })).status).toBe(200)
    expect((await whole('POST', '/records/forget', { records: [secret] })).status).toBe(200)
    expect((await (narrowed[0] as Api)('POST', '/records/forget', { records: [open] })).status).toBe(200)
  })

  it('[NI-11] a narrowed key grants no request for consent, and denies only one that it sees', async () => {
    const { tenant, narrowed } = await narrowedOwner()
    const agent = { tenant, actor: 'helper', audience: 'agent', for: 'ana' } as const
    const ask = async (maxSensitivity: 'hyper' | 'low') => {
      const by = api(
        await server.keyFor({ ...agent, trust: { maxSensitivity }, visibility: { ceiling: 'public_open' } }),
      )
      return (await by('POST', '/consent-requests', { person: `zed ${maxSensitivity}` })).data.id
    }
    const [hidden, seen] = [await ask('hyper'), await ask('low')]
    const [low] = narrowed as [Api]
    const decide = async (request: string, decision: string) =>
      (await low('POST', `/consent-requests/${request}/decide`, { decision })).status
    expect(await decide(hidden, 'granted')).toBe(404)
    expect(await decide(hidden, 'denied')).toBe(404)
    expect(await decide(seen, 'granted')).toBe(404)
    expect(await decide(seen, 'denied')).toBe(200)
  })

  it('[NI-10, NI-11, DE-3] what a request claims narrows it as a key would', async () => {
    const { whole, secret } = await narrowedOwner()
    const claim = { 'privity-trust': JSON.stringify({ maxSensitivity: 'low' }) }
    await whole('POST', '/searches', { name: SECRET, query: SECRET })
    await whole('POST', '/overlays', { target: { kind: 'corpus', ref: SECRET }, restriction: 'preview_only' })
    for (const path of ['/people', '/searches', '/overlays', '/keys', '/audit'])
      expect((await whole('GET', path, undefined, claim)).text, path).not.toMatch(/zanzibar|zed/)
    expect((await whole('POST', '/records/forget', { records: [secret] }, claim)).status).toBe(404)
    expect((await whole('POST', '/views', { corpus: 'bank' }, claim)).status).toBe(403)
  })

  it('[NI-10, NI-11, NI-12, TR-3] in a mediation a narrowed key reads no title, and decides, revokes and leaves nothing unseen', async () => {
    const tenant = server.tenant()
    const key = async (actor: string, more: object = {}) =>
      api(await server.keyFor({ tenant, actor, ...more }))
    const [ana, ben] = [await key('ana'), await key('ben')]
    const narrowed = [
      await key('ana', { trust: { maxSensitivity: 'low' } }),
      await key('ana', { visibility: { ceiling: 'public_open' } }),
    ]
    const { data: session } = await ana('POST', '/sessions', { participants: ['ben'], title: SECRET })
    const at = (path: string) => `/sessions/${session.id}${path}`
    await ben('POST', at('/join'), {})
    for (const by of [ana, ben]) await by('POST', at('/compact'), {})
    for (const by of [ana, ben]) await by('POST', at('/advance'), {})
    const items = [
      'When dinner was cancelled I felt lonely and I need more closeness.',
      'Because the trip was called off I felt sad and I need rest.',
    ].map(text => ({ type: 'user_event', text, sensitivity: 'hyper', ask: false }))
    const { data: written } = await ana('POST', at('/vessel'), { items })
    for (const by of [ana, ben]) await by('POST', at('/feel-heard'), {})
    for (const by of [ana, ben]) await by('POST', at('/advance'), {})
    for (const { id: content } of written.items)
      await ana('POST', at('/consent/request'), { content, contentType: 'EVENT_SUMMARY' })
    const pending = async (by: Api) => (await by('GET', at('/consent/pending'))).data.pendingRequests
    const [first, second] = await pending(ana)
    const decide = (by: Api, request: string, decision: string, editedContent?: string) =>
      by('POST', at('/consent/decide'), { consentRequestId: request, decision, editedContent })
    const granted = await decide(ana, first.id, 'GRANTED', 'I need more rest in the evening.')
    const decision = granted.data.consentRecord.id
    const missing = '00000000-0000-4000-8000-000000000000'
    for (const by of narrowed) {
      for (const path of ['/sessions', `/sessions/${session.id}`])
        expect((await by('GET', path)).text, path).not.toContain(SECRET)
      expect((await by('GET', at('/shared'))).text).not.toContain(decision)
      for (const item of (await by('GET', at('/shared'))).data.items)
        expect(item).toMatchObject({ text: null, source: null, contentType: null, consentActive: null })
      expect(await pending(by)).toEqual([])
      // What it does not see, decided or open, is what there is not.
      for (const request of [first.id, second.id])
        for (const verdict of ['GRANTED', 'DENIED'])
          expect(said(await decide(by, request, verdict))).toEqual(said(await decide(by, missing, verdict)))
      const revoke = async (consentRecordId: string) =>
        said(await by('POST', at('/consent/revoke'), { consentRecordId }))
      expect(await revoke(decision)).toEqual(await revoke(missing))
      expect((await by('POST', at('/leave'), { erase: true })).status).toBe(404)
    }
    expect((await ana('GET', `/sessions/${session.id}`)).data.title).toBe(SECRET)
    expect((await ana('GET', at('/shared'))).data.items[0]).toMatchObject({
      source: 'you',
      consentRecordId: decision,
      consentActive: true,
    })
    expect(await pending(ana)).toHaveLength(1)
    expect((await decide(ana, second.id, 'DENIED')).status).toBe(200)
    expect((await ana('POST', at('/consent/revoke'), { consentRecordId: decision })).status).toBe(200)
    expect((await ana('POST', at('/leave'), { erase: true })).data).toMatchObject({ left: true })
  })

  it('[NI-10, NI-11] neither the audit nor a watch tells a narrowed host of links, profiles and watches', async () => {
    const { ana, whole, narrowed } = await narrowedOwner()
    const { view } = await ana.views.create({ corpus: 'bank', viewTemporalMode: 'live_view' })
    const { link, token } = await ana.links.grant({
      views: [view],
      recipientIdentityMode: 'anonymous_share_token',
      maxSensitivity: 'public',
    })
    const opened = await server.privity.redeem({ token: token ?? '' })
    if (opened.status !== 'open') throw new Error(opened.status)
    const guest = api(opened.key)
    await guest('POST', '/documents/search', { query: 'open' })
    const refused = JSON.parse((await guest('GET', '/people')).text).error.requestId
    const { profile } = await ana.profiles.create({})
    await ana.profiles.activate(profile)
    const under = {
      'privity-profile': profile,
      'privity-trust': JSON.stringify({ maxSensitivity: 'public' }),
    }
    await whole('POST', '/search', { query: 'open' }, under)
    const watch = { name: SECRET, kind: 'folder', location: '/srv/inbox', corpus: 'bank' }
    const { data: watched } = await whole('POST', '/bindings', watch)
    const fire = { sourceEventId: 'first', entries: [{ document: 'a.txt', outcome: 'removed' }] }
    const missing = '00000000-0000-4000-8000-000000000000'
    const told = async (by: Api) => {
      const lists = ['/audit?limit=200', '/audit/operations?limit=200', `/audit/operations?of=${link.link}`]
      const answers = []
      for (const list of lists) answers.push((await by('GET', list)).text)
      return answers.join('\n')
    }
    const shows = (text: string) =>
      [link.link, view, profile, 'links.redeem', 'recipient'].filter(one => text.includes(one))
    expect(shows(await told(whole))).toHaveLength(5)
    for (const by of narrowed) {
      expect(shows(await told(by))).toEqual([])
      const fired = async (binding: string) => said(await by('POST', `/bindings/${binding}/fires`, fire))
      expect(await fired(watched.id)).toEqual(await fired(missing))
      // Nor is a file filed as what a hidden watch brought.
      const file = { document: 'b.txt', corpus: 'bank', content: 'aGVsbG8=' }
      const filed = async (binding: string) => said(await by('POST', '/documents', { ...file, binding }))
      expect(await filed(watched.id)).toEqual(await filed(missing))
    }
    // A recipient still learns why its own request was refused.
    expect((await guest('GET', `/requests/${refused}/refusal`)).status).toBe(200)
    expect((await whole('POST', `/bindings/${watched.id}/fires`, fire)).status).toBe(200)
  })

  it('[WR-2] words that completions, suggestions and facets tell label what is written from them', async () => {
    const tellings: ((by: Api) => Promise<{ text: string }>)[] = [
      by => by('POST', '/complete', { text: 'zanz' }),
      by => by('POST', '/search', { query: 'zanzibaf', facets: [] }),
      by =>
        by('POST', '/search', {
          query: 'plan -nothing',
          limit: 1,
          facets: ['tag'],
        }),
    ]
    for (const [at, tell] of tellings.entries()) {
      const tenant = server.tenant()
      const ana = server.privity.as({ tenant, actor: 'ana' })
      await ana.remember([
        { kind: 'note', text: `a plan for ${SECRET}`, tags: [`${SECRET} tag`], sensitivity: 'high' },
        { kind: 'note', text: 'a plan, a plan, a plan', sensitivity: 'public', salience: 1 },
      ])
      const agent = { tenant, actor: 'helper', audience: 'agent', for: 'ana' } as const
      const by = api(await server.keyFor({ ...agent, trust: { maxSensitivity: 'hyper' } }))
      const write = async () =>
        (await by('POST', '/records', { records: [{ kind: 'note', text: 'mine', sensitivity: 'public' }] }))
          .data.records[0].sensitivity
      expect(await write()).toBe('public')
      const told = await tell(by)
      expect(told.text, String(at)).toContain(SECRET)
      expect(await write(), String(at)).toBe('high')
    }
  })
})
