import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Handle } from '../../src/handle.js'
import { deep, few, times } from '../support/depth.js'
import { openTestPrivity, type TestPrivity } from '../support/privity.js'
import { type Bank, openBank, visit } from '../support/share-links.js'
import { textOf } from '../support/sharing.js'
import { engines } from '../support/stores.js'

type Overlay = Parameters<Handle['overlays']['add']>[0]
type Restriction = Exclude<Overlay['restriction'], 'access_ceremony_required'>

/** What is left under each restriction to the host, to an agent of the host, and to a recipient. */
// biome-ignore format: a table
const LEFT: readonly (readonly [Restriction, host: string | null, agent: string | null, recipient: string | null])[] = [
  ['none',                     'full',    'full',    'full'   ],
  ['explicit_access_required', null,      null,      null     ],
  ['preview_only',             'preview', 'preview', 'preview'],
  ['redacted_only',            null,      null,      null     ],
  ['not_shareable',            'full',    'full',    null     ],
  ['blocked',                  null,      null,      null     ],
]

/** Each kind of target, and the field by which a document lies in it. */
const TARGETS = [
  ['corpus', 'corpus'],
  ['filing_unit', 'filingUnit'],
  ['version', 'version'],
  ['part', 'part'],
  ['document', 'document'],
  ['segment', 'segment'],
] as const

const LONG = `opening ${'a '.repeat(96)}${'b'.repeat(600)} closing`

describe.each(engines)('overlays and what is shared, on %s', engine => {
  let store: TestPrivity
  beforeAll(async () => {
    store = await openTestPrivity(engine)
  })
  afterAll(() => store.dispose())

  /** A host, its agent, and somebody who came by a link to its corpus. */
  async function world(more: Parameters<typeof openBank>[2] = {}, grant: Parameters<Bank['grant']>[0] = {}) {
    const tenant = store.tenant()
    const bank = await openBank(store.privity, tenant, more)
    const agent = store.privity.as({
      tenant,
      actor: 'helper',
      audience: 'agent',
      for: 'hana',
      trust: { maxSensitivity: 'hyper' },
    })
    const granted = await bank.grant(grant)
    const { handle: recipient } = await visit(store.privity, granted)
    return { ...bank, agent, recipient, link: granted.link }
  }
  const faceOf = async (handle: Handle, id: string) => (await handle.get(id))?.face ?? null
  /** What a recipient is shown of a document, the same wherever it looks. */
  async function shownTo(recipient: Handle, id: string, words: string): Promise<string | null> {
    const opened = (await recipient.documents.open(id))?.face ?? null
    const listed = (await recipient.documents.list({ limit: 200 })).documents
    const found = (await recipient.documents.search({ query: words, limit: 100 })).results
    expect(listed.find(({ document }) => document === id)?.face ?? null).toBe(opened)
    // Only what is seen whole stands behind another record of its filing unit.
    const faces = found.flatMap(({ document, more }) => [
      [document.document, document.face] as const,
      ...more.map(one => [one.document, 'full'] as const),
    ])
    expect(new Map(faces).get(id) ?? null).toBe(opened)
    return opened
  }

  describe.each(TARGETS)('on a %s', (kind, field) => {
    // Outside the deep run each restriction on one kind of target.
    it.each(
      LEFT.filter((_, at) => deep || TARGETS[at]?.[0] === kind),
    )('[OV-1] %s leaves to host, agent, recipient: %s, %s, %s', async (restriction, host, agent, recipient) => {
      const made = await world()
      const placed = { [field]: field === 'corpus' ? 'bank' : 'here' }
      const beside = field === 'corpus' ? null : await made.keep('opening elsewhere', { [field]: 'there' })
      const before = await made.keep(LONG, placed)
      const target = { kind, ref: field === 'corpus' ? 'bank' : 'here' }
      expect(await shownTo(made.recipient, before, 'opening')).toBe('full')
      const overlay = await made.host.overlays.add({ target, restriction })
      const after = await made.keep(LONG, placed)
      for (const id of [before, after]) {
        expect(await faceOf(made.host, id)).toBe(host)
        expect(await faceOf(made.agent, id)).toBe(agent)
        expect(await shownTo(made.recipient, id, 'opening')).toBe(recipient)
      }
      if (beside !== null) expect(await shownTo(made.recipient, beside, 'opening')).toBe('full')
      // Lifted, it is gone at the next request.
      await made.host.overlays.remove({ overlay: overlay.id })
      for (const id of [before, after]) expect(await shownTo(made.recipient, id, 'opening')).toBe('full')
    })
  })

  it('[OV-1] a document is a target by its name and by its id', async () => {
    const { host, keep, recipient } = await world()
    const [one, two] = [await keep('opening one', { document: 'd' }), await keep('opening two')]
    await host.overlays.add({ target: { kind: 'document', ref: two }, restriction: 'blocked' })
    expect([await shownTo(recipient, one, 'opening'), await shownTo(recipient, two, 'opening')]).toEqual([
      'full',
      null,
    ])
  })

  it('[OV-1, NI-4] a preview is its title and first 200 characters, and is found by those alone', async () => {
    const { host, keep, recipient } = await world()
    const id = await keep(LONG, {
      title: 'headline of it',
      document: 'd',
      fields: { court: 'hidden court' },
      occurredAt: '2020-01-02T03:04:05Z',
      version: 'v1',
    })
    const whole = await recipient.documents.open(id)
    await host.overlays.add({ target: { kind: 'document', ref: 'd' }, restriction: 'preview_only' })
    const opened = await recipient.documents.open(id)
    expect(opened).toMatchObject({
      face: 'preview',
      title: 'headline of it',
      text: LONG.slice(0, 200),
      fields: {},
      spans: [],
      version: null,
      visibilityClass: null,
      occurredAt: null,
      documentName: null,
      affordances: ['cite'],
    })
    expect(opened?.etag).not.toBe(whole?.etag)
    const count = async (query: string) => (await recipient.documents.search({ query, mode: 'text' })).count
    expect([await count('headline'), await count('opening'), await count('closing')]).toEqual([1, 1, 0])
    expect((await recipient.documents.complete({ text: 'clos' })).completions).toEqual([])
    const [result] = (await recipient.documents.search({ query: 'opening' })).results
    expect(JSON.stringify(result)).not.toContain('bbbbbbbbb')
    await expect(recipient.documents.download(id)).rejects.toMatchObject({
      code: 'not_allowed',
      reason: 'session.document_not_in_full',
    })
  })

  it('[OV-3] a redacted twin stands in for its original, under its own id', async () => {
    const { host, keep, recipient, agent } = await world()
    const original = await keep('opening of Oona, born in 1970', { title: 'Oona', document: 'd' })
    const without = await keep('opening of Pia', { document: 'd' })
    const twin = await keep('opening of [name]', { title: '[name]', document: 'd', redactedOf: original })
    const overlay = await host.overlays.add({
      target: { kind: 'document', ref: 'd' },
      restriction: 'redacted_only',
    })
    for (const reader of [recipient]) {
      expect(await shownTo(reader, original, 'opening')).toBeNull()
      expect(await shownTo(reader, without, 'opening')).toBeNull()
      expect(await shownTo(reader, twin, 'opening')).toBe('full')
    }
    expect(await faceOf(agent, original)).toBeNull()
    expect(await recipient.documents.open(twin)).toMatchObject({
      document: twin,
      title: '[name]',
      text: 'opening of [name]',
      affordances: ['download_redacted', 'view_redacted', 'quote_from_redacted', 'cite'],
    })
    expect(textOf(await recipient.documents.download(twin))).toContain('opening of [name]')
    await expect(recipient.documents.download(original)).rejects.toMatchObject({ code: 'not_found' })
    const everything = JSON.stringify([
      await recipient.documents.list(),
      await recipient.documents.search({ query: 'opening' }),
    ])
    for (const hidden of [original, without, 'Oona', '1970']) expect(everything).not.toContain(hidden)
    expect((await recipient.documents.search({ query: 'oona', mode: 'text' })).count).toBe(0)
    await host.overlays.remove({ overlay: overlay.id })
    expect(await shownTo(recipient, original, 'opening')).toBe('full')
  })

  it('[OV-2] explicit access is opened by a grant to the link and by nothing else, and closed at once', async () => {
    const { host, keep, grant, recipient, link, tenant } = await world()
    const id = await keep('opening', { document: 'd', segment: 's' })
    const target = { kind: 'document', ref: 'd' } as const
    await host.overlays.add({ target, restriction: 'explicit_access_required' })
    const other = await grant()
    const stranger = (await visit(store.privity, other)).handle
    const profile = (await recipient.profiles.current()).profile
    const sees = async () => [
      await shownTo(recipient, id, 'opening'),
      await shownTo(stranger, id, 'opening'),
      await faceOf(host, id),
    ]
    const nothing = [null, null, null]
    expect(await sees()).toEqual(nothing)
    const useless = [
      `link:${other.link.slice(0, -1)}`,
      link,
      'recipient',
      `profile:${profile}`,
      'share_link',
      'nobody',
    ]
    for (const grantee of few(useless, 2)) {
      const given = await host.grants.add({ grantee, target })
      expect(await sees(), grantee).toEqual(nothing)
      await host.grants.revoke({ grant: given.id })
    }
    const mallory = store.privity.as({ tenant, actor: 'mallory' })
    await mallory.grants.add({ grantee: `link:${link}`, target })
    expect(await sees()).toEqual(nothing)
    const useful = [
      [`link:${link}`, ['full', null, null]],
      ['hana', [null, null, 'full']],
      [`link:${other.link}`, [null, 'full', null]],
    ] as const
    for (const [grantee, expected] of few(useful, 2)) {
      const given = await host.grants.add({ grantee, target })
      expect(await sees(), grantee).toEqual(expected)
      // Not on what is nearer.
      const near = await host.overlays.add({
        target: { kind: 'segment', ref: 's' },
        restriction: 'explicit_access_required',
      })
      expect(await sees(), grantee).toEqual(nothing)
      await host.overlays.remove({ overlay: near.id })
      await host.grants.revoke({ grant: given.id })
      expect(await sees(), grantee).toEqual(nothing)
    }
    // A grant lifts nothing but this.
    await host.grants.add({ grantee: `link:${link}`, target })
    const others = LEFT.filter(([restriction]) => restriction !== 'explicit_access_required')
    for (const [restriction, , , expected] of few(others, 2)) {
      const added = await host.overlays.add({ target, restriction })
      expect(await shownTo(recipient, id, 'opening'), restriction).toBe(expected)
      await host.overlays.remove({ overlay: added.id })
    }
  })

  it('[OV-2] the least face wins, whichever is nearer', async () => {
    const { host, keep, recipient } = await world()
    // biome-ignore format: a table
    const pairs: [far: Restriction, near: Restriction, left: string | null][] = [
      ['none',          'preview_only',  'preview'],
      ['preview_only',  'none',          'preview'],
      ['blocked',       'none',          null     ],
      ['none',          'not_shareable', null     ],
      ['not_shareable', 'preview_only',  null     ],
      ['preview_only',  'redacted_only', null     ],
      ['preview_only',  'blocked',       null     ],
    ]
    for (const [at, [far, near, left]] of few([...pairs.entries()], 4)) {
      const id = await keep('opening', { filingUnit: `f${at}`, segment: `s${at}` })
      await host.overlays.add({ target: { kind: 'filing_unit', ref: `f${at}` }, restriction: far })
      await host.overlays.add({ target: { kind: 'segment', ref: `s${at}` }, restriction: near })
      expect(await shownTo(recipient, id, 'opening'), `${far}, ${near}`).toBe(left)
    }
  })

  it('[OV-2] what a document was made from restricts it too, whether or not it is in the view', async () => {
    const { host, keep, recipient } = await world()
    const source = await keep('opening source', { corpus: 'elsewhere', document: 'src' })
    const made = await keep('opening summary', { derivedFrom: [source] })
    const further = await keep('opening digest', { derivedFrom: [made] })
    expect(await shownTo(recipient, source, 'opening')).toBeNull()
    expect(await shownTo(recipient, further, 'opening')).toBe('full')
    for (const [restriction, , , left] of few(LEFT, 3)) {
      const target = { kind: 'document', ref: 'src' } as const
      const overlay = await host.overlays.add({ target, restriction })
      for (const id of [made, further])
        expect(await shownTo(recipient, id, 'opening'), restriction).toBe(left)
      await host.overlays.remove({ overlay: overlay.id })
      expect(await shownTo(recipient, further, 'opening')).toBe('full')
    }
  })

  it('[OV-4] above the ceiling of view and link nothing is shown, sealed and firewalled least of all', async () => {
    const CLASSES = [
      'public_open',
      'party_confidential',
      'work_product_internal',
      'privileged',
      'sealed',
      'firewalled',
    ] as const
    for (const [at, visibilityClassCeiling] of few([...CLASSES.entries()], 2)) {
      const { keep, recipient } = await world({ view: { visibilityClassCeiling } })
      const ids = []
      for (const visibilityClass of CLASSES) ids.push(await keep('opening', { visibilityClass }))
      const faces = []
      for (const id of ids) faces.push(await shownTo(recipient, id, 'opening'))
      expect(faces, visibilityClassCeiling).toEqual(CLASSES.map((_, other) => (other <= at ? 'full' : null)))
      expect((await recipient.documents.search({ query: 'opening' })).count).toBe(at + 1)
    }
  })

  it('[SR-13] what may be done with a document follows from what its recipient may do', async () => {
    const exact = (capability: string) => ({ kind: 'exact' as const, capability })
    const listing = [exact('search.execute'), exact('document_view.list')]
    // biome-ignore format: a table
    const cases: [actions: ReturnType<typeof exact>[], full: string[], redacted: string[]][] = [
      [listing, ['cite'], ['cite']],
      [[...listing, exact('document_view.open')], ['view', 'quote', 'cite'], ['view_redacted', 'quote_from_redacted', 'cite']],
      [[...listing, exact('document_download.fetch')], ['download', 'cite'], ['download_redacted', 'cite']],
      [
        [...listing, exact('document_view.open'), exact('document_download.fetch')],
        ['download', 'view', 'quote', 'cite'],
        ['download_redacted', 'view_redacted', 'quote_from_redacted', 'cite'],
      ],
    ]
    for (const [allowedActions, full, redacted] of few(cases, 2)) {
      const { host, keep, recipient } = await world({}, { allowedActions })
      const plain = await keep('opening plain')
      const original = await keep('opening original', { document: 'o' })
      const twin = await keep('opening twin', { redactedOf: original })
      const partly = await keep('opening partly', { document: 'p' })
      await host.overlays.add({ target: { kind: 'document', ref: 'o' }, restriction: 'redacted_only' })
      await host.overlays.add({ target: { kind: 'document', ref: 'p' }, restriction: 'preview_only' })
      const expected = { [plain]: full, [twin]: redacted, [partly]: ['cite'] }
      const listed = (await recipient.documents.list()).documents
      const found = (await recipient.documents.search({ query: 'opening' })).results
      for (const documents of [listed, found.map(({ document }) => document)])
        expect(
          Object.fromEntries(documents.map(({ document, affordances }) => [document, affordances])),
        ).toEqual(expected)
    }
  })

  it('[OV-5, NI-7] an overlay holds from the next request on, in a session that has read before', async () => {
    const { host, keep, recipient } = await world()
    const id = await keep('opening', { document: 'd' })
    for (let round = 0; round < times(2, 5); round++) {
      expect((await recipient.documents.open(id))?.text).toBe('opening')
      const { id: overlay } = await host.overlays.add({
        target: { kind: 'document', ref: 'd' },
        restriction: 'not_shareable',
      })
      expect(await recipient.documents.open(id)).toBeNull()
      await expect(recipient.documents.download(id)).rejects.toMatchObject({ code: 'not_found' })
      await host.overlays.remove({ overlay })
    }
  })
})
