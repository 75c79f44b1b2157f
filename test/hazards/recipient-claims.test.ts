import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { PrivityError } from '../../src/errors.js'
import { OPERATIONS } from '../../src/operations.js'
import type { Credential } from '../../src/runtime/caller.js'
import { random } from '../../src/testing/non-interference/random.js'
import { sampleOf } from '../../src/testing/non-interference/requests.js'
import { few } from '../support/depth.js'
import { openTestServer, type TestServer } from '../support/server.js'
import { openBank, visit } from '../support/share-links.js'
import { engines } from '../support/stores.js'

/** All that a recipient may do under the default actions of a link. */
const ALLOWED = [
  'search.plan',
  'search.execute',
  'search.expand',
  'search.answer',
  'search.bundle',
  'search.complete',
  'document_view.list',
  'document_view.open',
  'document_view.reading',
  'document_view.file',
  'document_download.fetch',
  'profiles.current',
  'profiles.log',
  'views.changes',
  'signals.record',
  'receipts.get',
  'requests.why_refused',
  'capabilities.check',
  'profiles.leave',
]

/** An answer without what is new each time. */
const withoutIds = (data: object) =>
  JSON.parse(JSON.stringify(data, (field, value) => (NEW.has(field) ? null : value)))
const NEW = new Set(['receipt', 'planId', 'planAt', 'resultId', 'expansionId', 'queryRunId', 'manifestRef'])

describe.each(engines)('what a recipient claims, on %s', engine => {
  let server: TestServer
  beforeAll(async () => {
    server = await openTestServer(engine)
  })
  afterAll(() => server.dispose())

  /** A corpus of which a recipient is to see one document whole, and what lies around it. */
  async function world() {
    const { privity } = server
    const bank = await openBank(privity, server.tenant())
    const { keep, tenant, host } = bank
    const shown = await keep('motion to dismiss')
    await host.people.add({ person: 'ben' })
    const hidden = {
      'too sensitive': await keep('motion, hyper', { sensitivity: 'hyper' }),
      'of another scope': await keep('motion of work', { scope: 'work' }),
      'of somebody who did not consent': await keep('motion of ben', { participants: ['ben'] }),
      sealed: await keep('motion, sealed', { visibilityClass: 'sealed' }),
      'a note of the host': await keep('motion noted', { surface: 'host_strategy_notes' }),
      'of another corpus': await keep('motion elsewhere', { corpus: 'elsewhere' }),
    }
    const granted = await bank.grant({ rateLimits: { maxRecipientSessionsConcurrent: 20 } })
    const visitor = await visit(privity, granted)
    return { privity, bank, host, tenant, shown, hidden, granted, visitor }
  }
  type World = Awaited<ReturnType<typeof world>>

  /** Everything that a recipient can be shown, over HTTP; times and ids of the search itself left out. */
  async function everything(key: string, headers: Record<string, string>, { shown, hidden }: World) {
    const asks = [
      ['GET', '/documents'],
      ['POST', '/documents/search', { query: 'motion' }],
      ['POST', '/documents/complete', { text: 'mo' }],
      ...[shown, ...Object.values(hidden)].map(document => ['GET', `/documents/${document}`]),
      ['GET', '/session/changes'],
    ] as [string, string, object?][]
    const answers = []
    for (const [method, path, body] of asks) {
      const { status, body: answered } = await server.ask(method, `/api/v1${path}`, {
        key,
        // A connection that waits for long is closed by the server.
        headers: { connection: 'close', ...headers },
        ...(body ? { body } : {}),
      })
      const data = withoutIds(answered.data ?? { none: answered.data })
      answers.push({ path, status, data, code: answered.error?.code })
    }
    return answers
  }

  it('[DE-3, SP-5] no header shows more, and what it may not say is refused', async () => {
    const made = await world()
    const { visitor, shown, hidden, privity, granted, host } = made
    const plain = await everything(visitor.key, {}, made)
    expect(JSON.stringify(plain)).toContain(shown)
    const documents = plain[0]?.data.documents as { document: string; face: string; title: string | null }[]
    expect(documents.filter(({ face }) => face === 'full').map(one => one.document)).toEqual([shown])
    for (const [what, id] of Object.entries(hidden)) {
      const one = documents.find(({ document }) => document === id)
      expect(one === undefined || (one.face === 'metadata' && one.title === null), what).toBe(true)
    }
    const trust = (claim: object) => ({ 'privity-trust': JSON.stringify(claim) })
    const claims: Record<string, string>[] = [
      trust({ maxSensitivity: 'hyper' }),
      trust({ maxSensitivity: 'hyper', scopes: [] }),
      { 'privity-respect-consent': 'false' },
      trust({ maxSensitivity: 'hyper', scopes: ['share_link', 'work'] }),
      trust({ maxSensitivity: 'hyper', authenticated: true, actorId: 'hana' }),
      { 'privity-session': 'another' },
      { 'privity-profile': visitor.profile },
    ]
    for (const headers of few(claims, 3))
      expect(await everything(visitor.key, headers, made), JSON.stringify(headers)).toEqual(plain)
    const another = await visit(privity, granted)
    const mine = await host.profiles.create({})
    for (const profile of [another.profile, mine.profile, granted.link, crypto.randomUUID()]) {
      const answers = await everything(visitor.key, { 'privity-profile': profile }, made)
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([404]))
    }
    for (const headers of [
      trust({ maxSensitivity: 'medium', audience: 'owner' }),
      trust({ scopes: ['work'] }),
      { 'privity-respect-consent': 'maybe' },
      { 'privity-profile': 'owner' },
    ]) {
      const answers = await everything(visitor.key, headers, made)
      expect(new Set(answers.map(({ status }) => status)), JSON.stringify(headers)).toEqual(new Set([400]))
    }
    // Less is theirs to ask for.
    const [less] = await everything(visitor.key, trust({ maxSensitivity: 'public', scopes: ['work'] }), made)
    expect((less?.data.documents as { face: string }[]).some(({ face }) => face === 'full')).toBe(false)
  })

  it('[DE-3, NI-5] a key of another link or tenant opens nothing here', async () => {
    const [one, two] = [await world(), await world()]
    const sibling = await openBank(one.privity, one.tenant, { actor: 'ben', corpus: 'bank' })
    const siblings = await visit(one.privity, await sibling.grant())
    for (const key of [two.visitor.key, siblings.key]) {
      const answers = await everything(key, {}, one)
      expect(JSON.stringify(answers.map(({ data }) => data))).not.toContain(one.shown)
      for (const { path, status } of answers)
        if (path.startsWith('/documents/') && !/search|complete/.test(path)) expect(status).toBe(404)
    }
    const [head, id, secret] = one.visitor.key.split('.')
    const [theirHead, theirId] = two.visitor.key.split('.')
    for (const key of [`${theirHead}.${id}.${secret}`, `${head}.${theirId}.${secret}`, one.granted.token])
      for (const { status } of await everything(key, {}, one)) expect(status).toBe(401)
  })

  it('[CP-4, DE-3] may do exactly what its link and its own session allow', async () => {
    const { privity, shown, visitor, bank } = await world()
    const known = { records: [shown], others: [], key: 'k' }
    const attempt = async (credential: Credential, name: string) => {
      try {
        await privity.invoke(credential, name, sampleOf(name, random(7), known))
        return 'answered'
      } catch (error) {
        return error instanceof PrivityError ? error.code : String(error)
      }
    }
    const names = OPERATIONS.map(({ name }) => name as string)
    expect(ALLOWED.filter(name => !names.includes(name))).toEqual([])
    const refused: Record<string, string> = {}
    for (const name of names.filter(one => !ALLOWED.includes(one)))
      refused[name] = await attempt(visitor.credential, name)
    expect(Object.entries(refused).filter(([, code]) => code !== 'not_allowed')).toEqual([])
    for (const name of ALLOWED)
      expect(['answered', 'not_found'], name).toContain(await attempt(visitor.credential, name))
    // By an empty-handed link nothing but one's own session is left.
    const least = await visit(
      privity,
      await bank.grant({ allowedActions: [{ kind: 'exact', capability: 'document_view.list' }] }),
    )
    const left: string[] = []
    for (const name of names.filter(one => one !== 'profiles.leave'))
      if ((await attempt(least.credential, name)) !== 'not_allowed') left.push(name)
    expect(left.sort()).toEqual(
      ['document_view.list', ...ALLOWED.filter(name => !/^(search|document_)|leave$/.test(name))].sort(),
    )
    expect((await least.handle.documents.list()).documents[0]?.affordances).toEqual(['cite'])
  })

  it('[DE-3, CP-2] a link that allows everything allows no more than recipients may do', async () => {
    const { privity, bank, shown } = await world()
    const namespaces = [...new Set(OPERATIONS.map(({ name }) => name.slice(0, name.lastIndexOf('.'))))]
    const { credential } = await visit(
      privity,
      await bank.grant({
        allowedActions: namespaces.map(namespace => ({ kind: 'namespace_all' as const, namespace })),
      }),
    )
    const codeOf = async (name: (typeof OPERATIONS)[number]['name'], seed = 1): Promise<string> => {
      const known = { records: [shown, bank.view], others: [], key: 'k' }
      const code = await privity.invoke(credential, name, sampleOf(name, random(seed), known)).then(
        () => 'answered',
        error => error.code,
      )
      // Some of what is asked at random cannot be asked of anybody.
      return code === 'invalid_input' && seed < 50 ? codeOf(name, seed + 1) : code
    }
    const done: string[] = []
    for (const { name } of OPERATIONS)
      if (name !== 'profiles.leave' && (await codeOf(name)) !== 'not_allowed') done.push(name)
    // Whoever has a token may open a link with it, as anybody may.
    const expected = [
      ...ALLOWED.filter(name => name !== 'profiles.leave'),
      'links.redeem',
      'upload.list',
      'upload.send',
    ]
    expect(done.sort()).toEqual(expected.sort())
  })

  it('[DE-3] nobody else asks under a recipient’s profile, and no recipient under another’s', async () => {
    const { privity, visitor, granted, tenant, host } = await world()
    const { key: _, ...keyless } = visitor.credential
    const another = await visit(privity, granted)
    for (const credential of [
      { ...keyless, actor: 'mallory', for: 'mallory' },
      { ...keyless, actor: another.credential.actor, for: another.credential.actor },
      { ...keyless, profile: another.profile },
      { tenant, actor: 'hana', profile: visitor.profile },
      { ...visitor.credential, profile: another.profile },
    ])
      await expect(privity.as(credential).documents.list(), JSON.stringify(credential)).rejects.toMatchObject(
        { code: 'unauthenticated' },
      )
    for (const profile of [visitor.profile, crypto.randomUUID()])
      await expect(host.documents.list({}, { profile })).rejects.toMatchObject({ code: 'not_found' })
    // Somebody who says to be a recipient and has no profile sees nothing at all.
    const bare = privity.as({ ...keyless, profile: undefined })
    expect((await bare.documents.list()).documents).toEqual([])
  })

  it('[DE-3, OP-2] names that read as links, profiles and recipients lead nowhere', async () => {
    const made = await world()
    const { privity, host, tenant, visitor, granted, bank } = made
    const before = await everything(visitor.key, {}, made)
    const names = [`link:${granted.link}`, `recipient:${visitor.profile}`, `profile:${visitor.profile}`]
    const group = await host.groups.create({ name: 'firm' })
    await host.remember({
      kind: 'document',
      owner: group.principal,
      corpus: 'bank',
      surface: 'source_documents',
      visibilityClass: 'public_open',
      text: 'motion of the firm',
    })
    const mallory = privity.as({ tenant, actor: 'mallory' })
    await mallory.list()
    const warden = privity.as({ tenant, actor: 'warden', audience: 'host' })
    for (const name of names) {
      // Members of a group read what it owns; who comes by a link reads by its views alone.
      await host.groups.addMember({ group: group.id, member: name }).catch(() => {})
      for (const restriction of ['blocked', 'preview_only'] as const)
        await mallory.overlays.add({ target: { kind: 'corpus', ref: 'bank' }, restriction })
      await mallory.grants.add({ grantee: name, target: { kind: 'corpus', ref: 'bank' } })
      for (const owner of [name, 'hana']) {
        await expect(
          mallory.grants.add({ grantee: 'mallory', target: { kind: 'corpus', ref: 'bank', owner } }),
        ).rejects.toMatchObject({ code: 'not_found' })
        await expect(
          mallory.overlays.add({ target: { kind: 'corpus', ref: 'bank', owner }, restriction: 'blocked' }),
        ).rejects.toMatchObject({ code: 'not_found' })
        await expect(mallory.remember({ kind: 'note', text: 'x', owner })).rejects.toMatchObject({
          code: 'not_found',
        })
        await expect(mallory.views.create({ corpus: 'bank', owner })).rejects.toMatchObject({
          code: 'not_found',
        })
      }
      for (const maker of [mallory, warden])
        for (const asked of [
          { actor: name },
          { actor: 'bot', audience: 'agent' as const, for: name, trust: { maxSensitivity: 'low' as const } },
          { actor: name, audience: 'recipient' as const, trust: { maxSensitivity: 'hyper' as const } },
        ])
          await expect(
            maker.keys.create({ name: crypto.randomUUID(), ...asked }),
            JSON.stringify(asked),
          ).rejects.toMatchObject({ code: expect.stringMatching(/^(invalid_input|not_allowed)$/) })
    }
    expect(await everything(visitor.key, {}, made)).toEqual(before)
    const next = await visit(privity, await bank.grant())
    expect(JSON.stringify(await next.handle.documents.list())).not.toContain('motion of the firm')
  })
})
