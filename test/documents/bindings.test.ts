import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Handle } from '../../src/handle.js'
import type { Privity } from '../../src/open.js'
import { dumpTables, type SharedStore, sharedStore } from '../support/shared-store.js'
import { grantLink, openLink, type PassingClock, passingClock } from '../support/sharing.js'
import { engines } from '../support/stores.js'

type Fire = Parameters<Handle['bindings']['fire']>[0]
type Entry = Fire['entries'][number]

const base64 = (text: string) => Buffer.from(text).toString('base64')
const sha256 = async (text: string) =>
  Buffer.from(await crypto.subtle.digest('SHA-256', Buffer.from(text))).toString('hex')
const refusal = async (work: Promise<unknown>) =>
  work.then(
    () => null,
    error => [error.code, error.message],
  )

describe.each(engines)('bindings on %s', engine => {
  const statements: string[] = []
  let store: SharedStore
  let privity: Privity
  let clock: PassingClock

  beforeAll(async () => {
    clock = passingClock()
    store = await sharedStore(engine, { observe: sql => void statements.push(sql) })
    privity = await store.instance(clock)
  })
  afterAll(async () => {
    await privity?.close()
    await store?.dispose()
  })

  /** Hana watches a folder; what is said of its fires is what a watcher says. */
  async function world() {
    const tenant = store.tenant()
    const hana = privity.as({ tenant, actor: 'hana' })
    const agent = (maxSensitivity: 'low' | 'medium' | 'high' = 'medium') =>
      privity.as({ tenant, actor: 'aide', for: 'hana', audience: 'agent', trust: { maxSensitivity } })
    const binding = await hana.bindings.create({
      name: 'inbox',
      kind: 'folder',
      location: '/srv/inbox',
      corpus: 'bank',
    })
    const bring = async (document: string, text: string, more: Record<string, unknown> = {}) => {
      const made = await hana.documents.ingest({
        document,
        corpus: 'bank',
        content: base64(text),
        sensitivity: 'low',
        binding: binding.id,
        ...more,
      })
      return { made, entry: { document, outcome: made.outcome, source: made.source } as Entry }
    }
    const fire = (sourceEventId: string, ...entries: Entry[]) =>
      hana.bindings.fire({ binding: binding.id, sourceEventId, entries })
    const health = (by: Handle = hana, windowDays?: number) =>
      by.bindings.health({ binding: binding.id, ...(windowDays === undefined ? {} : { windowDays }) })
    const ledger = async (by: Handle = hana) =>
      (await by.bindings.contributions({ binding: binding.id })).contributions
    return { tenant, hana, agent, binding, bring, fire, health, ledger }
  }

  it('are made, listed, paused and removed by their owner, one of each name', async () => {
    const { tenant, hana, agent, binding, fire, bring } = await world()
    expect(binding).toMatchObject({ owner: 'hana', state: 'active', defaults: {}, kind: 'folder' })
    expect((await hana.bindings.list()).bindings).toEqual([binding])
    const again = { name: 'inbox', kind: 'folder', location: '/elsewhere', corpus: 'bank' } as const
    expect(await refusal(hana.bindings.create(again))).toMatchObject(['conflict', expect.anything()])
    const ben = privity.as({ tenant, actor: 'ben' })
    expect((await ben.bindings.list()).bindings).toEqual([])
    const narrowed = privity.as({ tenant, actor: 'hana', trust: { maxSensitivity: 'low' } })
    expect((await narrowed.bindings.list()).bindings).toEqual([])
    const absent = await refusal(hana.bindings.remove(randomUUID()))
    for (const by of [ben, narrowed]) expect(await refusal(by.bindings.remove(binding.id))).toEqual(absent)
    expect(await refusal(agent().bindings.list())).toMatchObject(['not_allowed', expect.anything()])

    const { entry } = await bring('a.txt', 'One.')
    await hana.bindings.setState({ binding: binding.id, state: 'paused' })
    expect(await refusal(fire('e1', entry))).toEqual(['conflict', 'the binding is paused; resume it first'])
    await hana.bindings.setState({ binding: binding.id, state: 'active' })
    await fire('e1', entry)
    await hana.bindings.remove(binding.id)
    expect((await hana.bindings.list()).bindings).toEqual([])
    expect((await hana.documents.cards()).documents).toHaveLength(1)
    expect((await hana.bindings.outcomes({ targetKind: 'document', targetRef: 'a.txt' })).outcomes).toEqual(
      [],
    )
  })

  it('refuses a feed that is no web address', async () => {
    const { hana } = await world()
    for (const location of ['feed.xml', 'file:///etc/passwd', 'ftp://host/feed'])
      expect(
        await refusal(hana.bindings.create({ name: 'news', kind: 'feed', location, corpus: 'bank' })),
      ).toEqual(['invalid_input', 'location: must be an address that begins with http: or https:'])
  })

  it('[BK-2] each fire writes a manifest, outcomes and contributions; the same event again writes nothing', async () => {
    const { tenant, hana, binding, bring, fire, ledger } = await world()
    const one = await bring('a.txt', 'The motion is denied.')
    const broken = await bring('b.pdf', '%PDF-1.4 broken')
    const fired = await fire('e1', one.entry, broken.entry, {
      document: 'huge.pdf',
      outcome: 'failed',
      problem: 'too_large',
    })
    expect(fired).toEqual({ binding: binding.id, sourceEventId: 'e1', written: true })
    expect(await hana.bindings.outcome({ binding: binding.id, sourceEventId: 'e1' })).toMatchObject({
      outcomes: [
        {
          targetKind: 'document',
          targetRef: 'a.txt',
          outcome: 'created',
          version: 1,
          problem: null,
          extractionRunId: one.made.source,
          card: one.made.card?.id,
        },
        { targetRef: 'b.pdf', outcome: 'failed', problem: 'damaged', extractionRunId: broken.made.source },
        { targetRef: 'huge.pdf', outcome: 'failed', problem: 'too_large', extractionRunId: null },
      ],
    })
    const manifest = await hana.bindings.manifest({ binding: binding.id, sourceEventId: 'e1' })
    expect(manifest).toMatchObject({ counts: { created: 1, failed: 2 } })
    expect(manifest?.stateDigest).toMatch(/^[0-9a-f]{64}$/)
    expect(new Map((await ledger()).map(({ document, state }) => [document, state]))).toEqual(
      new Map([
        ['a.txt', 'confirmed'],
        ['b.pdf', 'extraction_failed'],
        ['huge.pdf', 'extraction_failed'],
      ]),
    )
    const before = await dumpTables(store.sql, table => table.startsWith('binding'))
    const other = await bring('c.txt', 'Another.')
    expect(await fire('e1', other.entry)).toMatchObject({ written: false })
    expect(await fire('e2', { ...one.entry, outcome: 'unchanged' })).toMatchObject({ written: false })
    expect(await dumpTables(store.sql, table => table.startsWith('binding'))).toEqual(before)
    expect(await hana.bindings.manifest({ binding: binding.id, sourceEventId: 'e2' })).toBeNull()
    void tenant
  })

  it('[BK-2] a fire that names a file which is not there writes nothing at all', async () => {
    const { binding, hana, bring, fire, ledger } = await world()
    const one = await bring('a.txt', 'One.')
    const absent = await refusal(
      fire('e1', one.entry, { ...one.entry, document: 'b.txt', source: randomUUID() }),
    )
    expect(absent).toEqual(['not_found', 'not found'])
    expect(await ledger()).toEqual([])
    expect(await hana.bindings.manifest({ binding: binding.id, sourceEventId: 'e1' })).toBeNull()
  })

  it('[BK-2] a document has one line in the ledger, through versions, removal and return', async () => {
    const { hana, binding, bring, fire, ledger } = await world()
    const first = await bring('a.txt', 'One.')
    await fire('e1', first.entry)
    const [line] = await ledger()
    const second = await bring('a.txt', 'Two.')
    await fire('e2', second.entry)
    expect(await ledger()).toMatchObject([
      { contribution: line?.contribution, state: 'confirmed', card: second.made.card?.id },
    ])
    await fire('e3', { document: 'a.txt', outcome: 'removed' }, { document: 'never.txt', outcome: 'removed' })
    expect(await ledger()).toMatchObject([{ contribution: line?.contribution, state: 'soft_deleted' }])
    expect((await hana.documents.cards()).documents).toHaveLength(1)
    const back = await bring('a.txt', 'Two.')
    expect(back.made.outcome).toBe('unchanged')
    await fire('e4', back.entry)
    expect(await ledger()).toMatchObject([{ contribution: line?.contribution, state: 'confirmed' }])
    // Versions that were replaced are told of with the document that stands.
    const asked = { targetKind: 'document', targetRef: 'a.txt' } as const
    const { outcomes } = await hana.bindings.outcomes(asked)
    expect(outcomes.map(({ sourceEventId, outcome, version }) => [sourceEventId, outcome, version])).toEqual([
      ['e4', 'unchanged', 2],
      ['e3', 'removed', null],
      ['e2', 'versioned', 2],
      ['e1', 'created', 1],
    ])
    // A version that nobody watched for loses nothing either.
    const third = await hana.documents.ingest({
      document: 'a.txt',
      corpus: 'bank',
      content: base64('Three.'),
    })
    expect((await hana.bindings.outcomes(asked)).outcomes).toHaveLength(4)
    expect(await ledger()).toMatchObject([{ card: third.card?.id }])
    void binding
  })

  it('[BK-1] outcomes are found by event and by target, page by page', async () => {
    const { hana, binding, bring, fire } = await world()
    const versions = []
    for (const [at, text] of ['One.', 'Two.', 'Three.', 'Four.', 'Five.'].entries()) {
      clock.pass(1_000)
      const brought = await bring('a.txt', text)
      versions.push(brought.made)
      await fire(`e${at}`, brought.entry)
    }
    const asked = { targetKind: 'document', targetRef: 'a.txt', limit: 2 } as const
    const found: string[] = []
    for (let cursor: string | undefined; ; ) {
      const page = await hana.bindings.outcomes({ ...asked, ...(cursor === undefined ? {} : { cursor }) })
      found.push(...page.outcomes.map(({ sourceEventId }) => sourceEventId))
      if (page.cursor === null) break
      cursor = page.cursor
    }
    expect(found).toEqual(['e4', 'e3', 'e2', 'e1', 'e0'])
    const bySource = { targetKind: 'source', targetRef: versions[1]?.source ?? '' } as const
    expect((await hana.bindings.outcomes(bySource)).outcomes).toMatchObject([{ sourceEventId: 'e1' }])
    const byCard = { targetKind: 'card', targetRef: versions[4]?.card?.id ?? '' } as const
    expect((await hana.bindings.outcomes(byCard)).outcomes).toHaveLength(5)
    const elsewhere = { binding: randomUUID(), sourceEventId: 'e1' }
    expect(await hana.bindings.outcome(elsewhere)).toEqual({ outcomes: [] })
    expect(await hana.bindings.manifest(elsewhere)).toBeNull()
    expect(await refusal(hana.bindings.outcomes({ targetKind: 'card', targetRef: 'a.txt' }))).toMatchObject([
      'invalid_input',
      expect.anything(),
    ])
    void binding
  })

  it('[BK-1] the ledger is read by window, the latest change first', async () => {
    const { hana, binding, bring, fire } = await world()
    const moments: string[] = []
    for (const at of [0, 1, 2]) {
      clock.pass(60_000)
      moments.push(clock.now().toISOString())
      await fire(`e${at}`, (await bring(`${at}.txt`, `Text ${at}.`)).entry)
    }
    const within = async (from?: string, to?: string) =>
      (
        await hana.bindings.contributions({
          binding: binding.id,
          ...(from === undefined ? {} : { from }),
          ...(to === undefined ? {} : { to }),
        })
      ).contributions.map(({ document }) => document)
    expect(await within()).toEqual(['2.txt', '1.txt', '0.txt'])
    expect(await within(moments[1])).toEqual(['2.txt', '1.txt'])
    expect(await within(undefined, moments[1])).toEqual(['0.txt'])
    expect(await within(moments[1], moments[2])).toEqual(['1.txt'])
  })

  it('[BK-2] what is rejected is marked, forgotten by nobody, and its bytes are not brought back', async () => {
    const { hana, agent, binding, bring, fire, ledger } = await world()
    const one = await bring('a.txt', 'An advertisement.')
    await fire('e1', one.entry)
    const [line] = await ledger()
    const contribution = line?.contribution ?? ''
    expect(await refusal(agent().bindings.judge({ contribution, verdict: 'reject' }))).toMatchObject([
      'not_allowed',
      expect.anything(),
    ])
    const absent = await refusal(hana.bindings.judge({ contribution: randomUUID(), verdict: 'reject' }))
    expect(absent).toEqual(['not_found', 'not found'])
    expect(await hana.bindings.judge({ contribution, verdict: 'reject' })).toMatchObject({
      state: 'rejected',
      document: 'a.txt',
    })
    expect((await hana.documents.cards()).documents).toHaveLength(1)
    const asked = { binding: binding.id, sha256: [await sha256('An advertisement.'), await sha256('Other.')] }
    expect(await hana.bindings.rejected(asked)).toEqual({ rejected: [asked.sha256[0]] })
    const narrowed = privity.as({ tenant: store.tenant(), actor: 'hana' })
    expect(await narrowed.bindings.rejected(asked)).toEqual({ rejected: [] })

    // Even once the document itself is gone.
    await hana.documents.remove({ document: 'a.txt' })
    expect(await ledger()).toEqual([])
    expect(await hana.bindings.rejected(asked)).toEqual({ rejected: [asked.sha256[0]] })
    const again = await bring('a.txt', 'An advertisement.')
    await fire('e2', again.entry)
    expect(await ledger()).toMatchObject([{ state: 'rejected' }])
    expect(
      (await hana.bindings.outcome({ binding: binding.id, sourceEventId: 'e2' })).outcomes,
    ).toMatchObject([{ outcome: 'rejected' }])
    // Other bytes are another matter.
    await fire('e3', (await bring('a.txt', 'A motion.')).entry)
    expect(await ledger()).toMatchObject([{ state: 'confirmed', confirmedAt: null }])
    const [now] = await ledger()
    await hana.bindings.judge({ contribution: now?.contribution ?? '', verdict: 'reject' })
    const kept = await hana.bindings.judge({ contribution: now?.contribution ?? '', verdict: 'confirm' })
    expect(kept).toMatchObject({ state: 'confirmed', confirmedAt: expect.any(String) })
    expect(
      await hana.bindings.rejected({ binding: binding.id, sha256: [await sha256('A motion.')] }),
    ).toEqual({
      rejected: [],
    })
  })

  it('[BK-1] health counts what changed in the window, by state', async () => {
    const { hana, bring, fire, health, ledger } = await world()
    expect(await health()).toMatchObject({ windowDays: 30, totalFires: 0, userEngagementRate: null })
    await fire('old', (await bring('old.txt', 'Old.')).entry)
    clock.pass(40 * 86_400_000)
    await fire('e1', (await bring('a.txt', 'One.')).entry, (await bring('b.txt', 'Two.')).entry)
    await fire('e2', (await bring('c.txt', 'Three.')).entry, (await bring('d.pdf', '%PDF-1.4 broken')).entry)
    await fire('e3', { document: 'b.txt', outcome: 'removed' })
    const rejected = (await ledger()).find(({ document }) => document === 'c.txt')
    await hana.bindings.judge({ contribution: rejected?.contribution ?? '', verdict: 'reject' })
    expect(await health()).toMatchObject({
      totalFires: 3,
      confirmedCount: 1,
      rejectedCount: 1,
      softDeletedCount: 1,
      extractionFailedCount: 1,
      userEngagementRate: 0,
    })
    expect(await health(hana, 60)).toMatchObject({ totalFires: 4, confirmedCount: 2 })
  })

  it('[BK-1] engagement is the share of documents with which somebody did something since', async () => {
    const { hana, bring, fire, health, ledger } = await world()
    const made = new Map<string, string>()
    const entries: Entry[] = []
    for (const name of ['pinned', 'reinforced', 'noted', 'cited', 'confirmed', 'taken', 'replaced', 'left']) {
      const { made: brought, entry } = await bring(`${name}.txt`, `The ${name} text.`)
      made.set(name, brought.card?.id ?? '')
      entries.push(entry)
    }
    await fire('e1', ...entries)
    const rates: (number | null)[] = [(await health()).userEngagementRate]
    const step = async (work: Promise<unknown>) => {
      clock.pass(1_000)
      await work
      rates.push((await health()).userEngagementRate)
    }
    const segmentOf = async (name: string) =>
      (await hana.documents.read(made.get(name) ?? ''))?.segments[0]?.id ?? ''
    await step(hana.pin(made.get('pinned') ?? ''))
    await step(hana.reinforce(await segmentOf('reinforced')))
    const note = { kind: 'note', text: 'A thought.' } as const
    await step(hana.remember({ ...note, derivedFrom: [made.get('noted') ?? ''] }))
    await step(hana.remember({ ...note, derivedFrom: [await segmentOf('cited')] }))
    const line = (await ledger()).find(({ document }) => document === 'confirmed.txt')
    await step(hana.bindings.judge({ contribution: line?.contribution ?? '', verdict: 'confirm' }))
    const { view } = await hana.views.create({ corpus: 'bank', visibilityClassCeiling: 'firewalled' })
    const { guest } = await openLink(privity, (await grantLink(hana, [view])).token)
    await step(guest.documents.download(made.get('taken') ?? ''))
    // A next version is none of it.
    await step(bring('replaced.txt', 'Other words.'))
    expect(rates.map(rate => (rate ?? 0) * 8)).toEqual([0, 1, 2, 3, 4, 5, 6, 6])
  })

  describe('[BK-1] what is hidden of a document is in no answer and no figure', () => {
    /** Everything a caller can read of a binding. */
    const everything = async (by: Handle, binding: string) => ({
      outcome: await by.bindings.outcome({ binding, sourceEventId: 'e1' }),
      named: await by.bindings.outcomes({ targetKind: 'document', targetRef: 'secret.txt', owner: 'hana' }),
      manifest: await by.bindings.manifest({ binding, sourceEventId: 'e1' }),
      alone: await by.bindings.manifest({ binding, sourceEventId: 'e2' }),
      contributions: await by.bindings.contributions({ binding }),
      health: await by.bindings.health({ binding }),
    })

    it.each([
      ['a higher label', { sensitivity: 'hyper' }, null],
      ['a label one level above, which shows metadata', { sensitivity: 'high' }, null],
      ['a visibility class', { visibilityClass: 'sealed' }, null],
      ['a preview', {}, 'preview_only'],
      ['a block', {}, 'blocked'],
    ] as const)('%s', async (_, label, restriction) => {
      const { hana, agent, binding, bring, fire } = await world()
      const open = await bring('open.txt', 'Open.')
      const secret = await bring('secret.txt', 'Secret.', label)
      const broken = await bring('broken.pdf', '%PDF-1.4 broken')
      const huge: Entry = { document: 'huge.pdf', outcome: 'failed', problem: 'too_large' }
      await fire('e1', open.entry, secret.entry, broken.entry, huge)
      await fire('e2', (await bring('secret.txt', 'Secret again.')).entry)
      if (restriction !== null)
        await hana.overlays.add({ target: { kind: 'document', ref: 'secret.txt' }, restriction })
      await hana.pin(secret.made.card?.id ?? '').catch(() => {})
      const seen = await everything(agent(), binding.id)
      expect(seen).toMatchObject({
        outcome: { outcomes: [{ targetRef: 'open.txt' }] },
        named: { outcomes: [], cursor: null },
        manifest: { counts: { created: 1 } },
        alone: null,
        contributions: { contributions: [{ document: 'open.txt' }], cursor: null },
        health: { totalFires: 1, confirmedCount: 1, extractionFailedCount: 0, userEngagementRate: 0 },
      })
      expect(JSON.stringify(seen)).not.toMatch(/secret|broken|huge/)
      const whole = await everything(hana, binding.id)
      expect(whole.health.totalFires).toBe(restriction === null ? 2 : 1)
    })

    it('the statements are the same for a binding of hidden documents and for none', async () => {
      const { agent, binding, bring, fire } = await world()
      await fire('e1', (await bring('secret.txt', 'Secret.', { sensitivity: 'hyper' })).entry)
      const run = async (id: string) => {
        const by = agent()
        await everything(by, id)
        await privity.caughtUp()
        statements.length = 0
        const answer = await everything(by, id)
        return { statements: [...statements], answer: JSON.stringify(answer).replaceAll(id, '') }
      }
      expect(await run(binding.id)).toEqual(await run(randomUUID()))
    })

    it('others, recipients and other tenants read nothing', async () => {
      const { tenant, hana, binding, bring, fire } = await world()
      await fire('e1', (await bring('open.txt', 'Open.')).entry)
      const { view } = await hana.views.create({ corpus: 'bank' })
      const { guest } = await openLink(privity, (await grantLink(hana, [view])).token)
      const none = await refusal(guest.bindings.health({ binding: binding.id }))
      expect(none).toMatchObject(['not_allowed', expect.anything()])
      for (const by of [
        privity.as({ tenant, actor: 'ben' }),
        privity.as({ tenant: store.tenant(), actor: 'hana' }),
      ])
        expect(await everything(by, binding.id)).toMatchObject({
          outcome: { outcomes: [] },
          manifest: null,
          contributions: { contributions: [] },
          health: { totalFires: 0 },
        })
    })

    it('an agent that read a name has it on what it writes [WR-2]', async () => {
      const { tenant, binding, bring, fire } = await world()
      await fire('e1', (await bring('plan.txt', 'Plan.', { sensitivity: 'medium' })).entry)
      const aide = privity.as({
        tenant,
        actor: 'aide',
        for: 'hana',
        audience: 'agent',
        trust: { maxSensitivity: 'medium' },
        session: 'talk',
      })
      await aide.bindings.contributions({ binding: binding.id })
      const note = await aide.remember({ kind: 'note', text: 'There is a plan.', sensitivity: 'public' })
      expect(note.sensitivity).toBe('medium')
    })
  })

  it('[AU-4] deleting a document leaves nothing of it here, not even its name', async () => {
    const { tenant, hana, bring, fire, ledger } = await world()
    const kept = await bring('kept.txt', 'Kept.')
    await fire('e0', { document: 'zebra-merger.txt', outcome: 'failed', problem: 'too_large' }, kept.entry)
    await fire('e1', (await bring('zebra-merger.txt', 'One.')).entry)
    await fire('e2', (await bring('zebra-merger.txt', 'Two.')).entry)
    const line = (await ledger()).find(({ document }) => document === 'zebra-merger.txt')
    await hana.bindings.judge({ contribution: line?.contribution ?? '', verdict: 'reject' })
    await hana.forget(line?.card ?? '')
    const left = (await dumpTables(store.sql)).filter(
      ({ row }) => row.includes(tenant) && row.includes('zebra-merger'),
    )
    expect(left).toEqual([])
    expect((await ledger()).map(({ document }) => document)).toEqual(['kept.txt'])
  })
})
