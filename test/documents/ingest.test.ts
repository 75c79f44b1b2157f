import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Handle } from '../../src/handle.js'
import { legal } from '../../src/legal/index.js'
import type { Privity } from '../../src/open.js'
import { deep } from '../support/depth.js'
import { dumpTables, type SharedStore, sharedStore } from '../support/shared-store.js'
import { grantLink, openLink, type PassingClock, passingClock, refusalOf } from '../support/sharing.js'
import { engines } from '../support/stores.js'
import { openOffice } from '../support/webhooks.js'

type Ingest = Parameters<Handle['documents']['ingest']>[0]

const base64 = (text: string | Uint8Array) => Buffer.from(text).toString('base64')

/** A text of several segments; `word` stands in every paragraph. */
const longText = (word: string, paragraphs = 12) =>
  Array.from(
    { length: paragraphs },
    (_, at) =>
      `${at + 1}. The ${word} of this paragraph is argued at some length. ${'It goes on. '.repeat(40)}`,
  ).join('\n\n')

describe.each(engines)('documents on %s', engine => {
  let store: SharedStore
  let privity: Privity
  let clock: PassingClock

  beforeAll(async () => {
    clock = passingClock()
    store = await sharedStore(engine)
    privity = await store.instance(clock, { domain: legal() })
  })
  afterAll(async () => {
    await privity?.close()
    await store?.dispose()
  })

  const world = () => {
    const tenant = store.tenant()
    const as = (more: Record<string, unknown> = {}) => privity.as({ tenant, actor: 'hana', ...more })
    const agent = (maxSensitivity = 'medium') =>
      privity.as({
        tenant,
        actor: 'aide',
        for: 'hana',
        audience: 'agent',
        trust: { maxSensitivity: maxSensitivity as 'medium' },
      })
    return { tenant, host: as(), as, agent }
  }
  const bring = (handle: Handle, text: string | Uint8Array, more: Partial<Ingest> = {}) =>
    handle.documents.ingest({ document: 'brief.txt', corpus: 'bank', content: base64(text), ...more })
  const textOf = async (handle: Handle, id: string | undefined) =>
    (await handle.documents.read(id ?? ''))?.text ?? null
  const countOf = async (tenant: string, table: string) =>
    (await store.sql(`select 1 from privity.${table} where tenant_id = $1`, [tenant])).length

  describe('taking in', () => {
    it('makes a card and segments that join to exactly the text, each in its place', async () => {
      const { host } = world()
      const text = longText('motion')
      const made = await bring(host, text)
      expect(made).toMatchObject({ outcome: 'created', version: 1, state: 'complete', problem: null })
      expect(made.characters).toBe(text.length)
      const read = await host.documents.read(made.card?.id ?? '')
      expect(read?.text).toBe(text)
      expect(read?.segments).toHaveLength(made.segments ?? 0)
      expect(made.segments).toBeGreaterThan(2)
      let at = 0
      for (const { id, start, end, text: part } of read?.segments ?? []) {
        expect(start).toBe(at)
        expect(part).toBe(text.slice(start, end))
        at = end
        const record = await host.get(id)
        expect(record?.payload).toMatchObject({
          text: part,
          document: 'brief.txt',
          corpus: 'bank',
          version: 'brief.txt@1',
          surface: 'source_documents',
          spans: [{ document: 'brief.txt', start, end, version: 'brief.txt@1' }],
        })
        expect(record?.relations).toContainEqual({
          type: 'derived_from',
          direction: 'out',
          record: made.card?.id,
        })
      }
      expect(at).toBe(text.length)
      const card = await host.get(made.card?.id ?? '')
      expect(card?.payload?.text).not.toContain('argued at some length')
    })

    it('reads any stretch of it', async () => {
      const { host } = world()
      const text = longText('motion')
      const { card } = await bring(host, text)
      for (const [from, to] of [
        [0, 1],
        [10, 5_000],
        [1_999, 2_001],
        [text.length - 3, text.length + 10],
        [text.length, text.length + 1],
        [5, 5],
      ] as const) {
        const read = await host.documents.read(card?.id ?? '', { from, to })
        expect(read?.text).toBe(text.slice(from, to))
      }
    })

    it('takes the same bytes once, and writes nothing for the second time', async () => {
      const { host, tenant } = world()
      const first = await bring(host, 'One motion.')
      const before = await countOf(tenant, 'records')
      const again = await bring(host, 'One motion.', { participants: ['Ben'] })
      expect(again).toEqual({ ...first, outcome: 'unchanged' })
      expect(await countOf(tenant, 'records')).toBe(before)
      expect(await countOf(tenant, 'sources')).toBe(1)
    })

    it('[SR-11, TR-7] takes in what is said anew of the same bytes, and leaves spans, labels and notes', async () => {
      const { host, tenant } = world()
      const text = longText('motion')
      const first = await bring(host, text, {
        sensitivity: 'high',
        metadata: { caseNumber: '2:24-cv-00001' },
      })
      const id = first.card?.id ?? ''
      const before = await host.documents.read(id)
      const [segment] = before?.segments ?? []
      const note = await host.remember({
        kind: 'semantic',
        text: 'They argue about a motion.',
        derivedFrom: [segment?.id ?? ''],
        spans: [{ document: 'brief.txt', start: 0, end: segment?.end ?? 0, version: 'brief.txt@1' }],
      })
      const said: Partial<Ingest> = {
        title: 'Motion to dismiss',
        tags: ['filed'],
        filingUnit: 'motion-12',
        versionKind: 'amended',
        metadata: { court: 'Ninth Circuit', filingDate: '2024-03-04' },
      }
      const described = await bring(host, text, said)
      expect(described).toEqual({ ...first, outcome: 'described' })
      expect(await bring(host, text, said)).toEqual({ ...first, outcome: 'unchanged' })
      expect(await countOf(tenant, 'sources')).toBe(1)
      expect(await host.documents.get(id)).toMatchObject({
        title: 'Motion to dismiss',
        text: expect.stringMatching(/^Motion to dismiss · /),
        filingUnit: 'motion-12',
        versionKind: 'amended',
        fields: { caseNumber: '2:24-cv-00001', court: 'Ninth Circuit' },
      })
      expect((await host.get(id))?.tags).toEqual(['filed'])
      expect((await host.get(segment?.id ?? ''))?.payload).toMatchObject({
        title: 'Motion to dismiss',
        filingUnit: 'motion-12',
        fields: { court: 'Ninth Circuit', partKind: 'lead_argument' },
        spans: [{ document: 'brief.txt', start: 0, end: segment?.end, version: 'brief.txt@1' }],
      })
      expect((await host.documents.read(id))?.segments).toEqual(before?.segments)
      expect((await host.get(note.id))?.payload?.text).toBe('They argue about a motion.')
      // The index follows: by a unit, a field, a date and a title.
      const scopes: NonNullable<Parameters<Handle['documents']['search']>[0]['scope']>[] = [
        { filingUnitScope: ['motion-12'] },
        { temporalScope: { dateField: 'filing_date', start: '2024-03-01', end: '2024-03-31' } },
      ]
      for (const scope of scopes)
        expect((await host.documents.search({ query: 'argued', scope })).results).toHaveLength(1)
      expect((await host.documents.search({ query: 'dismiss', mode: 'text' })).results).not.toEqual([])
      expect(await bring(host, `${text} More.`)).toMatchObject({ outcome: 'versioned', likeBefore: true })
      expect(
        (await host.documents.fields({ document: 'brief.txt', fields: ['court'] }))?.fields,
      ).toMatchObject([{ value: 'Ninth Circuit', source: 'given' }])
    })

    it('[OV-2, WR-4] said to be of another filing, it lies under what lies over either, and notes on it do', async () => {
      const { host, agent } = world()
      const { card } = await bring(host, 'One motion.', { filingUnit: 'one' })
      const id = card?.id ?? ''
      const [segment] = (await host.documents.read(id))?.segments ?? []
      const note = await host.remember({
        kind: 'semantic',
        text: 'A note.',
        derivedFrom: [segment?.id ?? ''],
      })
      const everything = [id, segment?.id ?? '', note.id]
      const seen = async () => (await Promise.all(everything.map(one => host.get(one)))).filter(Boolean)
      const block = (ref: string) =>
        host.overlays.add({ target: { kind: 'filing_unit', ref }, restriction: 'blocked' })
      // One that is known before, and one that comes after.
      const early = await block('two')
      await expect(bring(agent(), 'One motion.', { filingUnit: 'two' })).rejects.toMatchObject({
        code: 'not_allowed',
      })
      expect(await seen()).toHaveLength(3)
      expect(await bring(host, 'One motion.', { filingUnit: 'two' })).toMatchObject({ outcome: 'described' })
      expect(await seen()).toEqual([])
      await host.overlays.remove({ overlay: early.id })
      expect(await seen()).toHaveLength(3)
      await block('one')
      expect(await seen()).toEqual([])
    })

    it('[WR-2] an agent says nothing of a file that would tell what it was shown under a stricter label', async () => {
      const { host, agent } = world()
      await bring(host, 'One motion.', { sensitivity: 'low' })
      const aide = agent('high')
      expect(await bring(aide, 'One motion.', { tags: ['a'] })).toMatchObject({ outcome: 'described' })
      await aide.get((await host.remember({ kind: 'semantic', text: 'A secret.', sensitivity: 'high' })).id)
      await expect(bring(aide, 'One motion.', { title: 'A secret' })).rejects.toMatchObject({
        code: 'conflict',
      })
    })

    it.runIf(deep)(
      'reads the same bytes again, as a version, where they are to be read otherwise',
      async () => {
        const { host } = world()
        await bring(host, 'One motion.', { timeZone: 'UTC' })
        expect(await bring(host, 'One motion.', { timeZone: 'UTC' })).toMatchObject({ outcome: 'unchanged' })
        expect(await bring(host, 'One motion.', { partKind: 'exhibit' })).toMatchObject({
          outcome: 'versioned',
          version: 2,
        })
        expect(await bring(host, 'One motion.')).toMatchObject({ outcome: 'unchanged', version: 2 })
      },
    )

    it('makes a version of other bytes, which takes the place of the one before', async () => {
      const { host } = world()
      const first = await bring(host, longText('motion'))
      const second = await bring(host, longText('opposition'))
      expect(second).toMatchObject({ outcome: 'versioned', version: 2 })
      expect(await host.get(first.card?.id ?? '')).toBeNull()
      expect(await textOf(host, first.card?.id)).toBeNull()
      expect(await textOf(host, second.card?.id)).toBe(longText('opposition'))
      expect((await host.search('motion')).results).toHaveLength(0)
      expect((await host.documents.cards()).documents.map(({ version }) => version)).toEqual(['brief.txt@2'])
      // And back again: what it says is not what it said last.
      expect(await bring(host, longText('motion'))).toMatchObject({ outcome: 'versioned', version: 3 })
    })

    it('keeps what was given for a file in its next versions, and lets what is given win', async () => {
      const { host } = world()
      const caption =
        'UNITED STATES DISTRICT COURT\nNORTHERN DISTRICT OF CALIFORNIA\n\nCase No. 3:24-cv-01234\n\nText.'
      const found = await bring(host, caption, { document: 'found.txt' })
      const first = await bring(host, caption, {
        title: 'The motion',
        tags: ['mine'],
        filingUnit: 'unit',
        versionKind: 'amended',
        metadata: {
          caseNumber: '9:99-cv-00009',
          filingDate: { date: '2024-03-01', timeZone: 'America/New_York' },
        },
      })
      const second = await bring(host, `${caption} More.`, { metadata: { court: 'Elsewhere' } })
      const fieldsOf = async (id: string | undefined) => (await host.documents.get(id ?? ''))?.fields
      expect(await fieldsOf(found.card?.id)).toMatchObject({ caseNumber: '3:24-cv-01234' })
      expect(await fieldsOf(first.card?.id)).toBeUndefined()
      expect(await fieldsOf(second.card?.id)).toMatchObject({
        caseNumber: '9:99-cv-00009',
        court: 'Elsewhere',
        filingDate: { date: '2024-03-01', timeZone: 'America/New_York', at: '2024-03-01T05:00:00.000Z' },
      })
      expect(await host.documents.get(second.card?.id ?? '')).toMatchObject({
        title: 'The motion',
        filingUnit: 'unit',
        versionKind: 'amended',
      })
      expect((await host.get(second.card?.id ?? ''))?.tags).toEqual(['mine'])
    })

    it('keeps a file that cannot be read, says why, and leaves what stood', async () => {
      const { host } = world()
      const first = await bring(host, 'One motion.')
      const broken = await bring(host, Uint8Array.of(0x25, 0x50, 0x44, 0x46, 0x2d, 0x31, 0, 1, 2), {
        document: 'brief.txt',
      })
      expect(broken).toMatchObject({ outcome: 'failed', state: 'failed', version: 2, card: null })
      expect(broken.problem).not.toBeNull()
      expect(await textOf(host, first.card?.id)).toBe('One motion.')
      const { sources } = await host.documents.sources({ state: 'failed' })
      expect(sources).toMatchObject([
        { document: 'brief.txt', version: 2, problem: broken.problem, card: null },
      ])
      // It failed before, and is not tried again by itself.
      const again = await bring(host, Uint8Array.of(0x25, 0x50, 0x44, 0x46, 0x2d, 0x31, 0, 1, 2))
      expect(again).toMatchObject({ outcome: 'unchanged', state: 'failed' })
      expect(await host.documents.extract({ document: 'brief.txt' })).toMatchObject({ outcome: 'failed' })
      // The next one that can be read takes its place.
      expect(await bring(host, 'Another motion.')).toMatchObject({ outcome: 'versioned', version: 3 })
      expect((await host.documents.sources()).sources.map(({ version }) => version)).toEqual([3])
    })

    it('reads later what was only kept at first', async () => {
      const { host, tenant } = world()
      const text = longText('motion')
      const kept = await bring(host, text, { extract: 'later', tags: ['waits'], sensitivity: 'high' })
      expect(kept).toMatchObject({ outcome: 'created', state: 'extracting', card: null, segments: null })
      expect(await countOf(tenant, 'records')).toBe(0)
      expect(await bring(host, text, { extract: 'later' })).toMatchObject({ outcome: 'unchanged' })
      const read = await host.documents.extract({ document: 'brief.txt' })
      expect(read).toMatchObject({ outcome: 'created', state: 'complete', card: { sensitivity: 'high' } })
      expect(await textOf(host, read.card?.id)).toBe(text)
      expect((await host.get(read.card?.id ?? ''))?.tags).toEqual(['waits'])
      expect(await refusalOf(host.documents.extract({ document: 'brief.txt' }))).toMatchObject({
        code: 'not_found',
      })
      // Brought again to be read now, what waits is read.
      const other = { document: 'other.txt', extract: 'later' } as const
      await bring(host, 'Something.', other)
      expect(await bring(host, 'Something.', { ...other, extract: 'now' })).toMatchObject({
        outcome: 'created',
        version: 1,
        state: 'complete',
      })
    })

    it('does the work once for one key', async () => {
      const { host, tenant } = world()
      const asked = { document: 'brief.txt', corpus: 'bank', content: base64('One motion.') }
      const first = await host.documents.ingest(asked, { idempotencyKey: 'k' })
      expect(await host.documents.ingest(asked, { idempotencyKey: 'k' })).toEqual(first)
      expect(await countOf(tenant, 'sources')).toBe(1)
      expect(
        await refusalOf(host.documents.ingest({ ...asked, tags: ['x'] }, { idempotencyKey: 'k' })),
      ).toMatchObject({ code: 'idempotency_conflict' })
      const same = await host.documents.ingest(asked, { idempotencyKey: 'same' })
      expect(await host.documents.ingest(asked, { idempotencyKey: 'same' })).toEqual(same)
    })

    it.runIf(deep)('a repeated request that said something new of a file answers that it did', async () => {
      const { host } = world()
      const asked = { document: 'brief.txt', corpus: 'bank', content: base64('One motion.') }
      await host.documents.ingest(asked)
      const said = { ...asked, title: 'The motion' }
      const described = await host.documents.ingest(said, { idempotencyKey: 'said' })
      expect(described).toMatchObject({ outcome: 'described', version: 1 })
      expect(await host.documents.ingest(said, { idempotencyKey: 'said' })).toEqual(described)
      // What it said does not come back once something else was said.
      await host.documents.ingest({ ...asked, title: 'Our motion' })
      expect(await host.documents.ingest(said, { idempotencyKey: 'said' })).toEqual(described)
      expect((await host.documents.get(described.card?.id ?? ''))?.title).toBe('Our motion')
    })

    it('[SR-14] two filings of a case are told apart by their titles, on cards and in passages', async () => {
      const { host } = world()
      const filing = (title: string) =>
        `UNITED STATES DISTRICT COURT\nNORTHERN DISTRICT OF CALIFORNIA\n\nBERG v. NORTH LINE INC.\nCase No. 3:24-cv-01180\n\n${title}\n\nARGUMENT\n\nThe complaint pleads scienter.\n`
      for (const [document, title] of [
        ['a.txt', 'MOTION TO DISMISS'],
        ['b.txt', 'OPPOSITION TO MOTION TO DISMISS'],
      ] as const) {
        const { card } = await bring(host, filing(title), { document })
        const called = `${title} — BERG v. NORTH LINE INC.`
        expect((await host.documents.get(card?.id ?? ''))?.title).toBe(called)
        const [found] = (
          await host.documents.search({ query: 'scienter', scope: { filingUnitScope: [document] } })
        ).results
        // Every part is found by the number of its case.
        expect(found?.document).toMatchObject({ kind: 'segment', title: `${called}, No. 3:24-cv-01180` })
      }
      // What is said wins in both.
      const { card } = await bring(host, filing('MOTION TO DISMISS'), { document: 'c.txt', title: 'Ours' })
      const [segment] = (await host.documents.read(card?.id ?? ''))?.segments.slice(-1) ?? []
      expect((await host.get(segment?.id ?? ''))?.payload?.title).toBe('Ours')
    })

    it('[SR-13] what is attached to a message is a part of it, with spans into its text', async () => {
      const { host } = world()
      const mail = [
        'From: a@example.org',
        'Message-ID: <1@x>',
        'Subject: Two files',
        'Content-Type: multipart/mixed; boundary=x',
        '',
        '--x',
        '',
        'See the lease.',
        '--x',
        'Content-Disposition: attachment; filename="lease.txt"',
        '',
        'UNITED STATES DISTRICT COURT\n\nBERG v. NORTH LINE INC.\nCase No. 3:24-cv-01180\n\nThe tenant shall keep otters.',
        '--x',
        'Content-Disposition: attachment; filename="broken.pdf"',
        '',
        '%PDF-1.7 broken',
        '--x--',
      ].join('\r\n')
      const made = await bring(host, mail, { document: 'two.eml' })
      expect(made).toMatchObject({ outcome: 'created', state: 'partial', mediaType: 'message/rfc822' })
      expect(made.notRead).toEqual(['broken.pdf is not a whole PDF'])
      const card = await host.documents.get(made.card?.id ?? '')
      expect(card?.parts.map(({ kind, title }) => [kind, title])).toEqual([
        ['lead_argument', null],
        ['exhibit', 'lease.txt'],
      ])
      // The case of what is attached is not that of the message.
      expect(card?.fields).not.toHaveProperty('caseNumber')
      const search = (filingContentScope: 'exhibits_only' | 'lead_argument_only') =>
        host.documents.search({ query: 'otters', mode: 'text', filingContentScope })
      expect((await search('lead_argument_only')).results).toEqual([])
      const [found] = (await search('exhibits_only')).results
      const [span] = found?.sourceSpans ?? []
      const read = await host.documents.read(made.card?.id ?? '', {
        from: span?.start ?? 0,
        to: span?.end ?? 0,
      })
      expect(read?.text).toBe(span?.text)
      expect(read?.text).toContain('otters')
    })

    it('[SV-1] files are on the surface that was asked for, and so are their next versions', async () => {
      const { host } = world()
      const surfacesOf = async ({ card }: { card: { id: string } | null }) => {
        const read = await host.documents.read(card?.id ?? '')
        const ids = [card?.id ?? '', ...(read?.segments ?? []).map(({ id }) => id)]
        return new Set((await Promise.all(ids.map(id => host.get(id)))).map(one => one?.payload?.surface))
      }
      expect(await surfacesOf(await bring(host, 'A motion.', { document: 'a.txt' }))).toEqual(
        new Set(['source_documents']),
      )
      const memo = { document: 'memo.txt', surface: 'host_strategy_notes' } as const
      expect(await surfacesOf(await bring(host, 'Our case is thin.', memo))).toEqual(
        new Set(['host_strategy_notes']),
      )
      const next = await bring(host, 'Our case is thin indeed.', { document: 'memo.txt' })
      expect(await surfacesOf(next)).toEqual(new Set(['host_strategy_notes']))
      // Other views show it from then on: it is not the same document.
      expect(
        await bring(host, 'Our case is thin indeed.', { ...memo, surface: 'source_documents' }),
      ).toMatchObject({ outcome: 'versioned', version: 3 })
    })

    it('refuses a document of the name in another corpus', async () => {
      const { host } = world()
      await bring(host, 'One motion.')
      expect(await refusalOf(bring(host, 'One motion.', { corpus: 'other' }))).toMatchObject({
        code: 'conflict',
      })
      expect(await refusalOf(bring(host, 'Another.', { corpus: 'other' }))).toMatchObject({
        code: 'conflict',
      })
    })

    it.each([
      ['spaces', 'b 25l'],
      ['another alphabet', 'b-_l'],
      ['no padding', 'b25lIQ'],
      ['loose bits', 'b25lIR=='],
      ['not base64', '¡hola!'],
    ])('refuses content that is not base64: %s', async (_, content) => {
      const { host } = world()
      expect(
        await refusalOf(host.documents.ingest({ document: 'a', corpus: 'bank', content })),
      ).toMatchObject({ code: 'invalid_input', message: 'content: must be base64' })
    })

    it('refuses what is too large, and names that are', async () => {
      const { host } = world()
      const content = 'A'.repeat(48 * 1_048_576 + 4)
      expect(
        await refusalOf(host.documents.ingest({ document: 'a', corpus: 'bank', content })),
      ).toMatchObject({
        code: 'too_large',
      })
      expect(await refusalOf(bring(host, 'x', { document: 'ä'.repeat(81) }))).toMatchObject({
        code: 'too_large',
      })
      expect(await refusalOf(bring(host, ''))).toMatchObject({
        code: 'invalid_input',
        message: 'the file is empty',
      })
      for (const document of ['', ' ', 'a\0', 'a\nb', '\ud800'])
        expect(await refusalOf(bring(host, 'x', { document }))).toMatchObject({ code: 'invalid_input' })
      expect(await refusalOf(bring(host, 'x', { metadata: { filingDate: '2023-02-29' } }))).toMatchObject({
        code: 'invalid_input',
      })
    })

    it('takes names and texts of any script, and files without a word', async () => {
      const { host } = world()
      const document = 'Schriftsätze/Ünïcode — 訴状 🏛️.txt'
      const text = `${'Ein Schriftsatz 訴状 🏛️👩‍⚖️. '.repeat(300)}\u202e`
      const made = await bring(host, text, { document })
      expect(await textOf(host, made.card?.id)).toBe(text)
      const blank = await bring(host, '\n', { document: 'blank.txt' })
      expect(blank.state).toBe('complete')
      expect(await textOf(host, blank.card?.id)).toBe('\n')
    })

    it('makes exactly one version of each file that comes at the same time', async () => {
      const { host, tenant } = world()
      const other = await store.instance(clock, { domain: legal() })
      try {
        const elsewhere = other.as({ tenant, actor: 'hana' })
        const texts = ['a', 'b', 'c', 'd'].map(word => longText(word, 3))
        const made = await Promise.all(texts.map((text, at) => bring(at % 2 === 0 ? host : elsewhere, text)))
        expect(made.map(({ version }) => version).sort()).toEqual([1, 2, 3, 4])
        expect(made.filter(({ outcome }) => outcome === 'created')).toHaveLength(1)
        const same = await Promise.all([bring(host, 'same'), bring(elsewhere, 'same'), bring(host, 'same')])
        expect(same.map(({ outcome }) => outcome).sort()).toEqual(['unchanged', 'unchanged', 'versioned'])
        expect((await host.documents.cards()).documents).toHaveLength(1)
      } finally {
        await other.close()
      }
    })

    it('leaves nothing of a file whose reading was interrupted', async () => {
      const { host, tenant } = world()
      const first = await bring(host, 'One motion.')
      // There, whatever reads files dies.
      const office = await openOffice(store.db)
      try {
        const elsewhere = office.as({ tenant, actor: 'hana' })
        await expect(bring(elsewhere, 'Another motion.')).rejects.toThrow()
        await expect(bring(elsewhere, 'New.', { document: 'new.txt' })).rejects.toThrow()
        expect(await bring(elsewhere, 'One motion.')).toMatchObject({ outcome: 'unchanged' })
      } finally {
        await office.close()
      }
      expect(await countOf(tenant, 'sources')).toBe(1)
      expect(await textOf(host, first.card?.id)).toBe('One motion.')
      expect(await bring(host, 'Another motion.')).toMatchObject({ outcome: 'versioned', version: 2 })
    })

    it('[OP-2] is a group’s as well, whose members replace and remove what they see', async () => {
      const { host, tenant } = world()
      const { id: group, principal: owner } = await host.groups.create({ name: 'team' })
      await host.groups.addMember({ group, member: 'otto' })
      const first = await bring(host, 'One motion.', { owner })
      const otto = privity.as({ tenant, actor: 'otto' })
      expect(await textOf(otto, first.card?.id)).toBe('One motion.')
      expect(await bring(otto, 'Another motion.', { owner })).toMatchObject({
        outcome: 'versioned',
        version: 2,
      })
      expect((await host.documents.sources()).sources).toMatchObject([{ owner, version: 2 }])
      await otto.documents.remove({ document: 'brief.txt', owner })
      expect(await countOf(tenant, 'source_contents')).toBe(0)
      expect(await countOf(tenant, 'records')).toBe(0)
    })
  })

  describe('who sees it', () => {
    it('[TR-7] a new version is never under a lower label than the one before', async () => {
      const { host } = world()
      const first = await bring(host, 'One motion.', {
        sensitivity: 'hyper',
        scope: 'family',
        visibilityClass: 'sealed',
      })
      const { card } = await bring(host, 'Another motion.', {
        sensitivity: 'low',
        visibilityClass: 'public_open',
      })
      expect(card).toEqual({ ...first.card, id: card?.id })
      const read = await host.documents.read(card?.id ?? '')
      expect(await host.get(read?.segments[0]?.id ?? '')).toMatchObject({
        sensitivity: 'hyper',
        scope: 'family',
        payload: { visibilityClass: 'sealed' },
      })
      // Nor is it raised by asking for nothing.
      await bring(host, 'x', { document: 'low', sensitivity: 'low', visibilityClass: 'public_open' })
      expect((await bring(host, 'y', { document: 'low' })).card).toMatchObject({
        sensitivity: 'low',
        visibilityClass: 'public_open',
      })
    })

    it.runIf(deep)('[TR-7] nor than one that was never read', async () => {
      const { host } = world()

      await bring(host, 'One motion.', {
        extract: 'later',
        sensitivity: 'hyper',
        scope: 'family',
        participants: ['Rosa'],
      })
      const { card } = await bring(host, 'Another motion.', { scope: 'work', participants: ['Omar'] })
      expect(card).toMatchObject({ sensitivity: 'hyper', scope: 'family+work' })
      expect((await host.get(card?.id ?? ''))?.payload?.participants).toEqual(['Omar', 'Rosa'])
    })

    it('[OV-2] an overlay on a document holds for its segments and its next version', async () => {
      const { host } = world()
      const first = await bring(host, longText('motion'))
      const segment = (await host.documents.read(first.card?.id ?? ''))?.segments[0]?.id ?? ''
      const overlay = await host.overlays.add({
        target: { kind: 'document', ref: 'brief.txt' },
        restriction: 'blocked',
      })
      expect(await host.get(segment)).toBeNull()
      expect(await host.documents.read(first.card?.id ?? '')).toBeNull()
      expect((await host.documents.sources()).sources).toEqual([])
      await host.overlays.remove({ overlay: overlay.id })
      await host.overlays.add({
        target: { kind: 'document', ref: first.card?.id ?? '' },
        restriction: 'preview_only',
      })
      // What is seen in part is no version that could be followed: it is a document of its own.
      expect(await bring(host, 'Another motion.')).toMatchObject({ outcome: 'created', version: 1 })
    })

    it('[NI-5] an agent with less trust sees nothing of it, and takes in its own as if there were none', async () => {
      const { host, agent } = world()
      const hidden = await bring(host, longText('motion'), { sensitivity: 'hyper' })
      const aide = agent('low')
      const nothing = { documents: [], cursor: null }
      expect(await aide.documents.cards()).toEqual(nothing)
      for (const id of [hidden.card?.id ?? '', randomUUID()]) {
        expect(await aide.documents.get(id)).toBeNull()
        expect(await aide.documents.read(id)).toBeNull()
        expect(await aide.documents.fields({ id })).toBeNull()
      }
      expect(await aide.documents.fields({ document: 'brief.txt' })).toBeNull()
      // The same answer as in a world without it, whatever bytes and whatever corpus.
      const empty = world().agent('low')
      const asked = { sensitivity: 'low', extract: 'now' } as const
      const plain = (made: Awaited<ReturnType<typeof bring>>) => ({
        ...made,
        source: '',
        card: { ...made.card, id: '' },
      })
      expect(plain(await bring(aide, longText('motion'), asked))).toEqual(
        plain(await bring(empty, longText('motion'), asked)),
      )
      // Whoever sees both makes one of them.
      expect((await host.documents.cards()).documents).toHaveLength(2)
      expect(await bring(host, 'One.')).toMatchObject({
        outcome: 'versioned',
        version: 2,
        card: { sensitivity: 'hyper' },
      })
      expect((await host.documents.cards()).documents).toHaveLength(1)
    })

    it('[NI-5] a file that waits is unknown to who may not see what it becomes', async () => {
      const { host, agent, as } = world()
      await bring(host, 'Hidden.', { extract: 'later', sensitivity: 'hyper' })
      const trust = { maxSensitivity: 'low' } as const
      expect((await as({ trust }).documents.sources()).sources).toEqual([])
      expect(await agent('low').documents.fields({ document: 'brief.txt' })).toBeNull()
      expect(await refusalOf(agent('low').documents.extract({ document: 'brief.txt' }))).toMatchObject({
        code: 'not_found',
      })
      expect((await host.documents.sources()).sources).toHaveLength(1)
    })

    it.each([
      ['is stricter', { sensitivity: 'hyper' as const }, null],
      ['is of somebody', { participants: ['Rosa'] }, null],
      ['lies under an overlay', {}, { kind: 'version' as const, ref: 'brief.txt@2' }],
    ])('[NI-5] nor is a new version that waits, where it %s', async (_, asked, target) => {
      const { host, agent } = world()
      await bring(host, 'One motion.')
      const before = await agent().documents.fields({ document: 'brief.txt' })
      if (target !== null) await host.overlays.add({ target, restriction: 'blocked' })
      await bring(host, 'Another motion.', { extract: 'later', ...asked })
      expect(await agent().documents.fields({ document: 'brief.txt' })).toEqual(before)
      expect(await agent().documents.fields({ id: before?.id ?? '' })).toEqual(before)
      expect(before).toMatchObject({ version: 1, state: 'complete' })
    })

    it('[WR-2] what an agent takes in is under what it was shown', async () => {
      const { host, agent } = world()
      const secret = await host.remember({
        kind: 'semantic',
        text: 'A secret.',
        sensitivity: 'high',
        scope: 'work',
      })
      const aide = agent('high')
      await aide.get(secret.id)
      await bring(aide, 'Written after.', { sensitivity: 'low', extract: 'later' })
      expect((await host.documents.extract({ document: 'brief.txt' })).card).toMatchObject({
        sensitivity: 'high',
        scope: 'work',
      })
    })

    it('is nobody else’s to see, replace or remove', async () => {
      const { host, tenant } = world()
      const { card } = await bring(host, 'One motion.')
      const other = privity.as({ tenant, actor: 'otto' })
      expect(await other.documents.get(card?.id ?? '')).toBeNull()
      expect(await other.documents.original(card?.id ?? '')).toBeNull()
      for (const refused of [
        bring(other, 'x', { owner: 'hana' }),
        other.documents.extract({ document: 'brief.txt', owner: 'hana' }),
        other.documents.remove({ document: 'brief.txt', owner: 'hana' }),
        other.documents.remove({ document: 'brief.txt' }),
      ])
        expect(await refusalOf(refused)).toMatchObject({ code: 'not_found' })
      expect(await bring(other, 'One motion.')).toMatchObject({ outcome: 'created', version: 1 })
      expect((await other.documents.sources()).sources).toHaveLength(1)
    })

    it('reads without a trace of a segment that is hidden, and gives no file then', async () => {
      const { host, as } = world()
      const text = longText('motion')
      const { card, segments } = await bring(host, text, { sensitivity: 'low' })
      const id = card?.id ?? ''
      expect(Buffer.from((await host.documents.original(id))?.content ?? '', 'base64').toString()).toBe(text)
      const second = (await host.documents.read(id))?.segments[1]
      await host.relabel({ record: second?.id ?? '', sensitivity: 'hyper' })
      const low = as({ trust: { maxSensitivity: 'medium' } })
      const read = await low.documents.read(id)
      expect(read?.text).toBe(text.slice(0, second?.start) + text.slice(second?.end))
      expect(JSON.stringify(read)).not.toContain(second?.id)
      expect(await low.documents.get(id)).toMatchObject({ segments: (segments ?? 0) - 1 })
      expect(await low.documents.original(id)).toBeNull()
      expect(await host.documents.original(id)).not.toBeNull()
    })
  })

  describe('what is shared', () => {
    const guestOf = async (host: Handle, view: Record<string, unknown> = {}) => {
      const { view: made } = await host.views.create({ corpus: 'bank', ...view })
      return (await openLink(privity, (await grantLink(host, [made])).token)).guest
    }

    it('[SV-4] a snapshot shows the version that stood, and a live view the one that stands', async () => {
      const { host } = world()
      const shown = { visibilityClass: 'public_open', sensitivity: 'public' } as const
      const first = await bring(host, longText('motion'), shown)
      clock.pass(1_000)
      const frozen = await guestOf(host, { viewTemporalMode: 'snapshot_at_share' })
      const live = await guestOf(host, { viewTemporalMode: 'live_view' })
      const seen = async (guest: Handle) => {
        const { documents } = await guest.documents.list({ limit: 100 })
        return Promise.all(
          documents.map(async ({ document }) => (await guest.documents.open(document))?.text),
        )
      }
      expect(await seen(frozen)).toEqual([longText('motion')])
      expect(await seen(live)).toEqual([longText('motion')])
      clock.pass(1_000)
      const second = await bring(host, longText('opposition'))
      expect(await seen(frozen)).toEqual([longText('motion')])
      expect(await seen(live)).toEqual([longText('opposition')])
      expect(await live.documents.open(first.card?.id ?? '')).toBeNull()
      expect(await frozen.documents.open(second.card?.id ?? '')).toBeNull()
      const copy = await frozen.documents.download(first.card?.id ?? '')
      expect(copy).toMatchObject({ truncated: false })
      const taken = Buffer.from(copy?.content ?? '', 'base64').toString()
      expect(taken).toContain('The motion of this paragraph')
      expect(taken).not.toContain('The opposition of this paragraph')
      // Later policy holds for both, whether it names the version that stands or the document.
      const byId = await host.overlays.add({
        target: { kind: 'document', ref: second.card?.id ?? '' },
        restriction: 'blocked',
      })
      expect(await seen(frozen)).toEqual([])
      expect(await seen(live)).toEqual([])
      await host.overlays.remove({ overlay: byId.id })
      expect(await seen(frozen)).toEqual([longText('motion')])
      await host.overlays.add({ target: { kind: 'document', ref: 'brief.txt' }, restriction: 'blocked' })
      expect(await seen(frozen)).toEqual([])
      expect(await seen(live)).toEqual([])
    })

    it.runIf(deep)('an opened document is joined from the segments that are shared', async () => {
      const { host } = world()
      const text = longText('motion')
      const { card } = await bring(host, text, { visibilityClass: 'public_open', sensitivity: 'public' })
      const id = card?.id ?? ''
      const second = (await host.documents.read(id))?.segments[1]
      const guest = await guestOf(host)
      const before = await guest.documents.open(id)
      await host.overlays.add({
        target: { kind: 'document', ref: second?.id ?? '' },
        restriction: 'not_shareable',
      })
      const after = await guest.documents.open(id)
      expect(before?.text).toBe(text)
      expect(after?.text).toBe(text.slice(0, second?.start) + text.slice(second?.end))
      expect(after?.etag).not.toBe(before?.etag)
    })
  })

  describe('what is made from it', () => {
    it('[SR-11] goes stale with a new version, and is only shown as that', async () => {
      const { host, agent } = world()
      const { card } = await bring(host, longText('motion'))
      const segment = (await host.documents.read(card?.id ?? ''))?.segments[1]
      const derived = await host.remember({
        kind: 'semantic',
        text: 'They argue about a motion.',
        derivedFrom: [segment?.id ?? ''],
        spans: [
          {
            document: 'brief.txt',
            start: segment?.start ?? 0,
            end: segment?.end ?? 0,
            version: 'brief.txt@1',
          },
        ],
      })
      // The one of which an agent would see that it is there, and the other of which it would see nothing.
      const hidden: string[] = []
      for (const sensitivity of ['high', 'hyper'] as const) {
        const thought = { kind: 'semantic', text: 'A hidden thought about a motion.', sensitivity } as const
        hidden.push((await host.remember({ ...thought, derivedFrom: [segment?.id ?? ''] })).id)
      }
      expect((await host.documents.fields({ id: card?.id ?? '' }))?.derived).toEqual([])
      await bring(host, longText('opposition'))
      expect(await host.get(derived.id)).toBeNull()
      expect((await host.search('motion')).results).toEqual([])
      const known = async (handle: Handle) =>
        (await handle.documents.fields({ document: 'brief.txt' }))?.derived.map(({ id, framing }) => [
          id,
          framing,
        ])
      expect((await known(host))?.sort()).toEqual([derived.id, ...hidden].map(id => [id, 'stale']).sort())
      expect(await known(agent())).toEqual([[derived.id, 'stale']])
      expect(await host.get(derived.id)).toBeNull()
    })

    it('[SR-11] what rests on a version that was taken back is not shown at all', async () => {
      const { host } = world()
      const { card } = await bring(host, longText('motion'))
      const segment = (await host.documents.read(card?.id ?? ''))?.segments[1]
      await host.remember({ kind: 'semantic', text: 'Of one segment.', derivedFrom: [segment?.id ?? ''] })
      await host.revise({ how: 'retract', record: segment?.id ?? '' })
      expect((await host.documents.fields({ document: 'brief.txt' }))?.derived).toEqual([])
    })
  })

  describe('[SR-14] fields', () => {
    const caption = (number: string, more = '') =>
      `UNITED STATES DISTRICT COURT\nNORTHERN DISTRICT OF CALIFORNIA\n\nCase No. ${number}\n\nText.${more}`
    const field = async (handle: Handle, name: 'caseNumber' | 'court' | 'effectiveDate') =>
      (await handle.documents.fields({ document: 'brief.txt', fields: [name] }))?.fields[0]

    it('of a document that was read whole are current, and so is that there are none', async () => {
      const { host } = world()
      await bring(host, caption('3:24-cv-01234'), { metadata: { court: 'Given Court' } })
      expect(await field(host, 'caseNumber')).toEqual({
        field: 'caseNumber',
        value: '3:24-cv-01234',
        source: 'extraction',
        framing: 'current',
      })
      expect(await field(host, 'court')).toMatchObject({
        value: 'Given Court',
        source: 'given',
        framing: 'current',
      })
      expect(await field(host, 'effectiveDate')).toMatchObject({
        value: null,
        source: 'none',
        framing: 'current',
      })
    })

    it('of a version that waits are those of the one before, and say that they are stale', async () => {
      const { host, agent } = world()
      await bring(host, caption('3:24-cv-01234'))
      await bring(host, caption('3:24-cv-09999'), { extract: 'later', metadata: { court: 'Given Court' } })
      for (const handle of [host, agent()]) {
        expect(await handle.documents.fields({ document: 'brief.txt' })).toMatchObject({
          version: 2,
          state: 'extracting',
        })
        expect(await field(handle, 'caseNumber')).toMatchObject({
          value: '3:24-cv-01234',
          source: 'previous_extraction',
          framing: 'stale',
        })
        expect(await field(handle, 'court')).toMatchObject({
          value: 'Given Court',
          source: 'given',
          framing: 'current',
        })
        expect(await field(handle, 'effectiveDate')).toMatchObject({
          value: null,
          source: 'none',
          framing: 'partial',
        })
      }
      await host.documents.extract({ document: 'brief.txt' })
      expect(await field(host, 'caseNumber')).toMatchObject({
        value: '3:24-cv-09999',
        source: 'extraction',
        framing: 'current',
      })
    })

    it.runIf(deep)('of a version that could not be read are stale as well, and tell of it', async () => {
      const { host } = world()
      const { card } = await bring(host, caption('3:24-cv-01234'))
      const { problem } = await bring(host, Uint8Array.of(0x25, 0x50, 0x44, 0x46, 0x2d, 0x31, 0, 1, 2))
      expect(await host.documents.fields({ id: card?.id ?? '' })).toMatchObject({ state: 'failed', problem })
      expect(await field(host, 'caseNumber')).toMatchObject({
        source: 'previous_extraction',
        framing: 'stale',
      })
    })

    it('of a first version that waits are what was given, and nothing else', async () => {
      const { host } = world()
      await bring(host, caption('3:24-cv-01234'), { extract: 'later', metadata: { court: 'Given Court' } })
      expect(await host.documents.fields({ document: 'brief.txt' })).toMatchObject({
        id: null,
        state: 'extracting',
      })
      expect(await field(host, 'court')).toMatchObject({
        value: 'Given Court',
        source: 'given',
        framing: 'current',
      })
      expect(await field(host, 'caseNumber')).toMatchObject({
        value: null,
        source: 'none',
        framing: 'partial',
      })
    })
  })

  describe('removing', () => {
    const filesOf = async (tenant: string) => [
      await countOf(tenant, 'sources'),
      await countOf(tenant, 'source_contents'),
      await countOf(tenant, 'records'),
    ]

    it('[AU-4] deletes every version, every file and everything made from them', async () => {
      const { host, tenant } = world()
      const word = `Wort${randomUUID().replaceAll('-', '')}`
      const { card } = await bring(host, longText(word))
      const segment = (await host.documents.read(card?.id ?? ''))?.segments[0]?.id ?? ''
      await host.remember({ kind: 'semantic', text: `About ${word}.`, derivedFrom: [segment] })
      await bring(host, longText(`${word} again`))
      await bring(host, longText(`${word} later`), { extract: 'later' })
      await host.search(word)
      expect(await host.documents.remove({ document: 'brief.txt' })).toMatchObject({ document: 'brief.txt' })
      expect(await filesOf(tenant)).toEqual([0, 0, 0])
      const hex = Buffer.from(word).toString('hex')
      const left = (await dumpTables(store.sql)).filter(
        ({ row }) => row.toLowerCase().includes(word.toLowerCase()) || row.includes(hex),
      )
      expect(left).toEqual([])
      expect(await refusalOf(host.documents.remove({ document: 'brief.txt' }))).toMatchObject({
        code: 'not_found',
      })
    })

    it.runIf(deep)(
      '[AU-4] forgetting the card does the same, and what waits to replace it goes as well',
      async () => {
        const { host, tenant } = world()
        await bring(host, longText('motion'))
        const { card } = await bring(host, longText('opposition'))
        await bring(host, 'waits', { extract: 'later' })
        await host.forget(card?.id ?? '')
        expect(await filesOf(tenant)).toEqual([0, 0, 0])
      },
    )

    it('[AU-4] forgetting one segment deletes the file, which holds its words', async () => {
      const { host, tenant } = world()
      const { card } = await bring(host, longText('motion'))
      const segments = (await host.documents.read(card?.id ?? ''))?.segments ?? []
      await host.forget(segments[1]?.id ?? '')
      expect(await countOf(tenant, 'source_contents')).toBe(0)
      expect((await host.documents.read(card?.id ?? ''))?.segments).toHaveLength(segments.length - 1)
      expect(await host.documents.original(card?.id ?? '')).toBeNull()
    })
  })

  it('lists documents and files page by page', async () => {
    const { host } = world()
    for (let at = 0; at < 5; at++)
      await bring(host, longText(`word${at}`, 3), {
        document: `${at}.txt`,
        corpus: at < 4 ? 'bank' : 'other',
      })
    const names: (string | null)[] = []
    let cursor: string | null | undefined
    do {
      const page = await host.documents.cards({ limit: 2, corpus: 'bank', ...(cursor ? { cursor } : {}) })
      names.push(...page.documents.map(({ document }) => document))
      cursor = page.cursor
    } while (cursor !== null)
    expect(names).toEqual(['3.txt', '2.txt', '1.txt', '0.txt'])
    const { sources, cursor: more } = await host.documents.sources({ limit: 2, state: 'complete' })
    expect(sources.map(({ document }) => document)).toEqual(['4.txt', '3.txt'])
    const rest = await host.documents.sources({ limit: 10, state: 'complete', cursor: more ?? '' })
    expect(rest.sources.map(({ document }) => document)).toEqual(['2.txt', '1.txt', '0.txt'])
    expect((await host.documents.cards({ state: 'needs_ocr' })).documents).toEqual([])
    expect((await host.documents.cards({ state: 'complete' })).documents[0]).toMatchObject({
      document: '4.txt',
      corpus: 'other',
      mediaType: 'text/plain',
      state: 'complete',
      version: '4.txt@1',
    })
  })
})
