import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Handle } from '../../src/handle.js'
import { legal } from '../../src/legal/index.js'
import type { Privity } from '../../src/open.js'
import { type Asked, file, foundBy } from '../support/router.js'
import { type SharedStore, sharedStore } from '../support/shared-store.js'
import { grantLink, openLink, type PassingClock, passingClock, refusalOf } from '../support/sharing.js'
import { engines } from '../support/stores.js'

type Scope = NonNullable<Asked['scope']>
type Temporal = NonNullable<Scope['temporalScope']>

describe.each(engines)('the scope of a question on %s', engine => {
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
    return { tenant, host: privity.as({ tenant, actor: 'hana' }) }
  }
  const within = (handle: Handle, scope: Scope, more: Partial<Asked> = {}) =>
    foundBy(handle, 'motion', { scope, ...more })
  const during = (handle: Handle, temporalScope: Temporal) => within(handle, { temporalScope })

  it('[SR-4] finds a message by the day it was sent on, in the zone it was sent from', async () => {
    const { host } = world()
    const mail = (date: string) =>
      `From: a@example.org\nTo: b@example.org\nMessage-ID: <1@x>\nSubject: It\nDate: ${date}\n\nThe motion.\n`
    await file(host, 'sydney.eml', mail('Fri, 01 Mar 2024 00:30:00 +1000'))
    await file(host, 'delhi.eml', mail('Sat, 02 Mar 2024 00:30:00 +0530'))
    await file(host, 'filed.txt', 'The motion.', { metadata: { filingDate: '2024-03-01' } })
    const on = (day: string, dateField: Temporal['dateField']) =>
      during(host, { dateField, start: day, end: day })
    expect(await on('2024-03-01', 'sent_date')).toEqual(['sydney.eml'])
    expect(await on('2024-03-02', 'sent_date')).toEqual(['delhi.eml'])
    expect(await on('2024-03-01', 'filing_date')).toEqual(['filed.txt'])
    const known = await host.documents.fields({ document: 'sydney.eml', fields: ['sentDate', 'filingDate'] })
    expect(known?.fields.map(({ value }) => value)).toEqual([
      { date: '2024-03-01', timeZone: '+10:00', at: '2024-02-29T14:00:00.000Z' },
      null,
    ])
  })

  it('[SR-4] narrows to types, courts and parties, as far as their fields are seen', async () => {
    const { host } = world()
    const metadata = (documentType: 'order' | 'motion', court: string, party: string) => ({
      metadata: { documentType, court, parties: [party, 'North Line Inc.'] },
    })
    await file(host, 'a.txt', 'The motion.', metadata('order', 'District of Delaware', 'Rosa Berg'))
    await file(host, 'b.txt', 'The motion.', metadata('motion', 'District of Maine', 'Rosa Berg'))
    await file(host, 'c.txt', 'The motion.')
    expect(await within(host, { typeScope: ['order'] })).toEqual(['a.txt'])
    expect(await within(host, { courtScope: ['maine', 'Nowhere'] })).toEqual(['b.txt'])
    expect(await within(host, { partyScope: ['BERG'] })).toEqual(['a.txt', 'b.txt'])
    expect(await within(host, { partyScope: ['berg'], typeScope: ['motion'] })).toEqual(['b.txt'])
    expect(await within(host, { typeScope: ['ord'] })).toEqual([])
  })

  it('[SR-17] says what the words of a question left out, and finds it when asked as it says', async () => {
    const { host } = world()
    await file(host, 'a.txt', 'The sanctions were severe.', { partKind: 'exhibit' })
    const query = 'Quote what the brief said on sanctions'
    const narrow = await host.documents.search({ query, mode: 'text' })
    expect(narrow.results).toEqual([])
    expect(narrow.notice).toContain('Only the main arguments of filings were searched.')
    const { wider } = narrow.narrowing ?? {}
    const wide = await host.documents.search({ query, mode: 'text', ...wider })
    expect(wide.results.map(({ document }) => document.documentName)).toEqual(['a.txt'])
    expect(wide.narrowing).toBeNull()
    const bundle = await host.documents.bundle({ query, mode: 'text' })
    expect(bundle.narrowing).toEqual(narrow.narrowing)
    expect(bundle.text).toContain('Only the main arguments')
  })

  describe('by name', () => {
    async function bank() {
      const { host, tenant } = world()
      await file(host, 'a.txt', 'The first motion.', {
        metadata: { caseNumber: '3:24-cv-00001' },
        filingUnit: 'unit-a',
      })
      await file(host, 'b.txt', 'The second motion.', {
        metadata: { caseNumber: '3:24-cv-00002' },
        corpus: 'other',
        visibilityClass: 'party_confidential',
      })
      await file(host, 'c.txt', 'The third motion.', {
        visibilityClass: 'sealed',
        sensitivity: 'high',
        filingUnit: 'unit-c',
      })
      return { host, tenant }
    }

    it('[SR-4] narrows to corpora, cases, filing units and classes, and to all of them at once', async () => {
      const { host } = await bank()
      expect(await within(host, {})).toEqual(['a.txt', 'b.txt', 'c.txt'])
      expect(await within(host, { corpusScope: ['bank'] })).toEqual(['a.txt', 'c.txt'])
      expect(await within(host, { corpusScope: ['bank', 'other'] })).toEqual(['a.txt', 'b.txt', 'c.txt'])
      for (const written of ['3:24-cv-00002', '3:24-CV-2', '24-cv-00002-WHO'])
        expect(await within(host, { caseScope: [written] })).toEqual(['b.txt'])
      expect(await within(host, { caseScope: ['2:24-cv-00002'] })).toEqual([])
      expect(await within(host, { caseScope: ['3:24-cv-00001', '3:24-cv-00002'] })).toEqual([
        'a.txt',
        'b.txt',
      ])
      expect(await within(host, { filingUnitScope: ['unit-a', 'b.txt'] })).toEqual(['a.txt', 'b.txt'])
      expect(await within(host, { visibilityClassScope: ['public_open'] })).toEqual(['a.txt'])
      expect(await within(host, { visibilityClassScope: ['party_confidential', 'sealed'] })).toEqual([
        'b.txt',
        'c.txt',
      ])
      expect(await within(host, { corpusScope: ['bank'], caseScope: ['3:24-cv-00002'] })).toEqual([])
      expect(await within(host, { corpusScope: ['bank'], visibilityClassScope: ['sealed'] })).toEqual([
        'c.txt',
      ])
    })

    it('[SR-4] takes what is not known and what is not seen for the same empty part, and for no error', async () => {
      const { tenant } = await bank()
      const agent = privity.as({
        tenant,
        actor: 'aide',
        for: 'hana',
        audience: 'agent',
        trust: { maxSensitivity: 'low' },
      })
      for (const scope of [
        { filingUnitScope: ['unit-c'] },
        { filingUnitScope: ['unit-x'] },
        { corpusScope: ['nowhere'] },
        { caseScope: ['9:99-cv-99999'] },
        { visibilityClassScope: ['sealed' as const] },
      ]) {
        const { failure, results, count, notice } = await agent.documents.search({
          query: 'motion',
          mode: 'text',
          scope,
        })
        expect({ failure, results, count, notice }).toEqual({
          failure: null,
          results: [],
          count: 0,
          notice: 'No results found.',
        })
      }
      expect(await within(agent, { filingUnitScope: ['unit-a', 'unit-c', 'unit-x'] })).toEqual(['a.txt'])
      expect(await within(agent, { corpusScope: ['bank', 'nowhere'] })).toEqual(['a.txt'])
    })

    it('[SR-4] is no way to ask a view for fields that it leaves out', async () => {
      const { host } = await bank()
      const guestOf = async (view: Record<string, unknown>) => {
        const { view: made } = await host.views.create({ corpus: 'bank', ...view })
        return (await openLink(privity, (await grantLink(host, [made])).token)).guest
      }
      const plain = await guestOf({ exposedSurfaces: ['source_documents'] })
      const told = await guestOf({ exposedSurfaces: ['source_documents', 'filing_metadata'] })
      expect(await within(plain, { caseScope: ['3:24-cv-00001'] })).toEqual([])
      expect(await within(told, { caseScope: ['3:24-cv-00001'] })).toEqual(['a.txt'])
      expect(await within(plain, { filingUnitScope: ['unit-a'] })).toEqual(['a.txt'])
    })

    it('[SR-4] [NI-4] finds no face that does not show what is asked for', async () => {
      const { host } = await bank()
      const { view } = await host.views.create({ corpus: 'bank' })
      const { guest } = await openLink(privity, (await grantLink(host, [view])).token)
      const scopes = [
        { corpusScope: ['bank'] },
        { filingUnitScope: ['unit-a'] },
        { visibilityClassScope: ['public_open' as const] },
      ]
      for (const scope of scopes) expect(await within(guest, scope)).toEqual(['a.txt'])
      await host.overlays.add({ target: { kind: 'document', ref: 'a.txt' }, restriction: 'preview_only' })
      expect((await guest.documents.search({ query: 'motion' })).results[0]?.document.face).toBe('preview')
      // A guest is told the corpus of whatever it is shown, because its view names it.
      expect(await within(guest, { corpusScope: ['bank'] })).toEqual(['null'])
      for (const scope of [{ corpusScope: ['other'] }, ...scopes.slice(1)])
        expect(await within(guest, scope)).toEqual([])
    })

    it('[SR-4] keeps names that were asked for out of what is stored readable', async () => {
      const { host, tenant } = await bank()
      await within(host, { caseScope: ['3:24-cv-00002'], filingUnitScope: ['b.txt'] })
      const rows = await store.sql<{ row: string }>(
        'select (t.plan::text || t.receipt::text || t.manifest::text) as row from privity.search_runs t where tenant_id = $1',
        [tenant],
      )
      expect(rows.length).toBeGreaterThan(0)
      for (const { row } of rows) expect(row).not.toMatch(/cv-00002|b\.txt/)
    })
  })

  describe('by parts', () => {
    it('[SR-4] [SR-3] looks in the parts that the posture or the caller names', async () => {
      const { host } = world()
      for (const kind of ['lead_argument', 'argument', 'exhibit', 'proposed_order', 'declaration'] as const)
        await file(host, `${kind}.txt`, `A motion in a ${kind.replace('_', ' ')}.`, { partKind: kind })
      await host.remember({
        kind: 'document',
        text: 'A motion that says nothing of its parts.',
        corpus: 'bank',
        document: 'whole.txt',
      })
      const parts = (filingContentScope: NonNullable<Asked['filingContentScope']>) =>
        foundBy(host, 'motion', { posture: 'document_text_primary', filingContentScope })
      expect(await parts('lead_argument_only')).toEqual(['lead_argument.txt', 'whole.txt'])
      expect(await parts('all_argument_parts')).toEqual(['argument.txt', 'lead_argument.txt', 'whole.txt'])
      expect(await parts('exhibits_only')).toEqual(['exhibit.txt'])
      expect(await parts('proposed_orders_only')).toEqual(['proposed_order.txt'])
      expect(await parts('all_filing_parts')).toHaveLength(6)
      expect(await foundBy(host, 'Show me the proposed order on the motion')).toEqual(['proposed_order.txt'])
      // Cards alone: what stands in the text of a document is not on its card.
      await file(host, 'long.txt', `OPPOSITION TO THE MOTION\n\n${'It goes on. '.repeat(20)}A zebra ran.`)
      const cards = { posture: 'metadata_primary', filingContentScope: 'package_metadata_only' } as const
      expect(await foundBy(host, 'zebra')).toEqual(['long.txt'])
      expect(await foundBy(host, 'zebra', cards)).toEqual([])
      const { results } = await host.documents.search({ query: 'opposition', mode: 'text', ...cards })
      expect(results.map(({ document }) => [document.kind, document.documentName])).toEqual([
        ['document', 'long.txt'],
      ])
      expect(results[0]?.sourceSpans).toEqual([])
    })
  })

  describe('by time', () => {
    const FIELDS = {
      filing_date: 'filingDate',
      effective_date: 'effectiveDate',
      ruling_date: 'rulingDate',
      docket_entry_date: 'docketEntryDate',
    } as const

    it('[SR-4] knows five dates, each for itself, with open ends', async () => {
      const { host } = world()
      for (const [at, field] of Object.values(FIELDS).entries())
        await file(host, `${field}.txt`, 'A motion.', { metadata: { [field]: `2024-0${at + 1}-15` } })
      for (const [at, [dateField, field]] of Object.entries(FIELDS).entries()) {
        const day = `2024-0${at + 1}-15`
        const name = `${field}.txt`
        const asked = { dateField: dateField as keyof typeof FIELDS }
        expect(await during(host, asked)).toEqual([name])
        expect(await during(host, { ...asked, start: day })).toEqual([name])
        expect(await during(host, { ...asked, end: day })).toEqual([name])
        expect(await during(host, { ...asked, start: day, end: day })).toEqual([name])
        expect(await during(host, { ...asked, start: `2024-0${at + 1}-16` })).toEqual([])
        expect(await during(host, { ...asked, end: `2024-0${at + 1}-14` })).toEqual([])
        const without = { ...asked, inclusiveEndpoints: false }
        expect(await during(host, { ...without, start: day })).toEqual([])
        expect(await during(host, { ...without, end: day })).toEqual([])
        expect(
          await during(host, { ...without, start: `2024-0${at + 1}-14`, end: `2024-0${at + 1}-16` }),
        ).toEqual([name])
      }
    })

    it('[SR-4] knows when a document came in, whatever dates it has', async () => {
      const { host } = world()
      const day = (ahead: number) =>
        new Date(clock.now().getTime() + ahead * 86_400_000).toISOString().slice(0, 10)
      await file(host, 'today.txt', 'A motion.', { metadata: { filingDate: '1999-01-01' } })
      const asked = { dateField: 'ingested_at' } as const
      expect(await during(host, { ...asked, start: day(-1), end: day(1) })).toEqual(['today.txt'])
      expect(await during(host, { ...asked, end: day(-2) })).toEqual([])
      expect(await during(host, { ...asked, start: day(2) })).toEqual([])
    })

    it('[SR-4] [SR-15] reads days in the place of the document, in UTC, or where the host is', async () => {
      const { tenant, host } = world()
      const zones = {
        honolulu: 'Pacific/Honolulu',
        utc: 'UTC',
        auckland: 'Pacific/Auckland',
        newYork: 'America/New_York',
      }
      // The day on which clocks in New York go forward.
      for (const [name, timeZone] of Object.entries(zones))
        await file(host, `${name}.txt`, 'A motion.', {
          metadata: { filingDate: { date: '2024-03-10', timeZone } },
        })
      const all = ['auckland.txt', 'honolulu.txt', 'newYork.txt', 'utc.txt']
      const on = (handle: Handle, day: string, timezoneBasis: NonNullable<Temporal['timezoneBasis']>) =>
        during(handle, { dateField: 'filing_date', start: day, end: day, timezoneBasis })
      expect(await on(host, '2024-03-10', 'originating')).toEqual(all)
      expect(await on(host, '2024-03-11', 'originating')).toEqual([])
      // Midnight in Auckland is the day before in UTC.
      expect(await on(host, '2024-03-09', 'utc')).toEqual(['auckland.txt'])
      expect(await on(host, '2024-03-10', 'utc')).toEqual(['honolulu.txt', 'newYork.txt', 'utc.txt'])
      expect(await on(host, '2024-03-10', 'host_user_local')).toEqual(await on(host, '2024-03-10', 'utc'))
      const abroad = await store.instance(clock, {
        domain: legal(),
        search: { timeZone: 'America/New_York' },
      })
      const there = abroad.as({ tenant, actor: 'hana' })
      // Midnight in UTC is still the ninth in New York; that of Honolulu is six in the morning of the tenth, by summer time.
      expect(await on(there, '2024-03-09', 'host_user_local')).toEqual(['auckland.txt', 'utc.txt'])
      expect(await on(there, '2024-03-10', 'host_user_local')).toEqual(['honolulu.txt', 'newYork.txt'])
      const sixOClock = { start: '2024-03-10T06:00', end: '2024-03-10T06:00' }
      expect(
        await during(there, { dateField: 'filing_date', timezoneBasis: 'host_user_local', ...sixOClock }),
      ).toEqual(['honolulu.txt'])
      expect(
        await during(there, {
          dateField: 'filing_date',
          start: '2024-03-10T05:00:00Z',
          end: '2024-03-10T05:00:00Z',
        }),
      ).toEqual(['newYork.txt'])
      await abroad.close()
    })

    it('[SR-4] refuses a start after the end, and what is no date', async () => {
      const { host } = world()
      const dateField = 'filing_date' as const
      for (const temporalScope of [
        { dateField, start: '2024-03-02', end: '2024-03-01' },
        { dateField, start: '2024-03-01T10:00:00Z', end: '2024-03-01T09:00:00Z' },
        { dateField, start: '2024-03-01', end: '2024-03-01T09:00:00Z' },
        { dateField, start: '2024-02-30' },
        { dateField, start: 'yesterday' },
        { dateField: 'birthday' as 'filing_date' },
        { dateField, timezoneBasis: 'mars' as 'utc' },
      ])
        expect(
          await refusalOf(host.documents.plan({ query: 'motion', scope: { temporalScope } })),
        ).toMatchObject({ code: 'invalid_input' })
    })
  })
})
