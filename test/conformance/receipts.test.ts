import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { z } from 'zod'
import type { Handle } from '../../src/handle.js'
import type { Privity } from '../../src/open.js'
import type { Credential } from '../../src/runtime/caller.js'
import type { draft } from '../../src/runtime/draft.js'
import {
  type Completeness,
  type Coverage,
  classifyCompleteness,
  classifyInternalCompleteness,
  describeNoResults,
  type ExclusionCounts,
} from '../../src/runtime/search/completeness.js'
import { testClock } from '../../src/testing/clock.js'
import { dumpTables, type SharedStore, sharedStore } from '../support/shared-store.js'
import { engines } from '../support/stores.js'

type Draft = z.input<typeof draft>
type Found = Awaited<ReturnType<Handle['search']>>
type Internal = Extract<Found['receipt'], { kind: 'internal' }>

const HOUR = 3_600_000
const DAY = 24 * HOUR
const YEAR = 365 * DAY
const ID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/
const note: Draft = { kind: 'note', text: 'note', sensitivity: 'low' }

describe.each(engines)('receipts on %s', engine => {
  const clock = testClock()
  let store: SharedStore
  let privity: Privity
  beforeAll(async () => {
    store = await sharedStore(engine)
    privity = await store.instance(clock)
  })
  afterAll(async () => {
    await privity.close()
    await store.dispose()
  })

  function world() {
    const tenant = store.tenant()
    const as = (actor: string, more: Partial<Credential> = {}) => privity.as({ tenant, actor, ...more })
    const working = (more: Partial<Credential> = {}) =>
      as('helper', { audience: 'agent', for: 'ana', trust: { maxSensitivity: 'low' }, ...more })
    const rows = () =>
      store.sql<{ search_run_id: string; [column: string]: unknown }>(
        'select * from privity.search_runs where tenant_id = $1 order by at, search_run_id',
        [tenant],
      )
    return { tenant, as, working, rows, ana: as('ana'), agent: working() }
  }
  const runOf = ({ receipt }: { readonly receipt: Pick<Found['receipt'], 'searchRunId'> | null }) =>
    receipt?.searchRunId ?? ''
  const internal = ({ receipt }: Found): Internal => {
    if (receipt.kind !== 'internal') throw new Error('not an internal receipt')
    return receipt
  }

  describe('what a search leaves', () => {
    it('[CV-1] is one row with plan, manifest, receipt, snapshots and expansions that name each other', async () => {
      const { ana, agent, rows } = world()
      await ana.remember([
        { ...note, text: 'the gardens were watered and we were there', corpus: 'c' },
        { ...note, text: 'a park', corpus: 'c' },
        { ...note, text: 'else' },
      ])
      expect(await rows()).toEqual([])
      const asked = { synonyms: [{ of: 'garden', terms: ['park'], corpus: 'c' }], corpus: 'c' }
      const found = await ana.search('garden', asked)
      const stored = await rows()
      expect(stored).toHaveLength(1)
      expect(stored[0]).toMatchObject({ search_run_id: runOf(found), audience: 'owner' })
      const kept = await ana.receipts.get(runOf(found))
      if (kept === null) throw new Error('no receipt')
      const at = clock.now().toISOString()
      expect(kept).toMatchObject({
        searchRunId: runOf(found),
        at,
        retention: { retentionClass: 'ephemeral_session_lifetime', because: [] },
      })
      expect(kept.receipt).toEqual(found.receipt)
      expect(kept.expansions).toEqual(found.expansions)
      expect(kept.plan).toMatchObject({
        planId: expect.stringMatching(ID),
        queryIntentResolution: expect.objectContaining({
          resolverKind: 'deterministic_pattern',
          schemaVersion: 1,
        }),
        searchScope: {
          retrievalPosture: {
            posture: 'mixed_surface_disclosed',
            sourceSpanRequired: false,
            requiredSurfaceDisclosure: true,
            schemaVersion: 1,
          },
          corpusScope: ['c'],
          schemaVersion: 1,
        },
        executorAssignments: [
          {
            executorClass: 'primary_direct',
            scopeRef: 'c',
            reasonCode: expect.any(String),
            schemaVersion: 1,
          },
        ],
        resultFusionStrategy: 'executor_priority',
        topK: 50,
        queryExpansionsPlanned: [
          { expansionKind: 'stemming', source: 'built_in' },
          { expansionKind: 'synonym', source: { corpus: 'c' } },
        ],
        amendableByExecutor: false,
        planAt: at,
        schemaVersion: 1,
      })
      expect(kept.manifest).toMatchObject({
        manifestId: expect.stringMatching(ID),
        searchRunId: runOf(found),
        planId: kept.plan.planId,
        executedAt: at,
        executorExecutions: [
          { executorClass: 'primary_direct', startedAt: at, completedAt: at, resultCount: found.count },
        ],
        fusionStrategy: 'executor_priority',
        fusionCompletedAt: at,
        schemaVersion: 1,
      })
      expect(kept.indexSnapshots).toEqual([
        {
          snapshotId: expect.any(String),
          indexId: expect.any(String),
          indexKind: 'words',
          snapshotTimestamp: at,
          documentsCoveredCount: 2,
          schemaVersion: 1,
        },
      ])
      expect(found.receipt).toMatchObject({
        kind: 'internal',
        receiptId: expect.stringMatching(ID),
        searchRunId: expect.stringMatching(ID),
        searchedCorpora: ['c'],
        searchedCount: 2,
        excludedCount: 0,
        policyFilteredCount: 0,
        visibilityFilteredCount: 0,
        stalenessFilteredCount: 0,
        indexSnapshotsUsed: kept.indexSnapshots.map(({ snapshotId }) => snapshotId),
        anyIndexStale: false,
        stalenessSummary: [],
        queryExpansionsUsed: found.expansions.map(({ expansionId }) => expansionId),
        expansionDisclosureProvided: true,
        resultSetCompleteness: 'exhaustive_for_scope',
        scopeDigest: expect.stringMatching(/^[0-9a-f]{64}$/),
        schemaVersion: 1,
      })
      expect(found.expansions.map(({ expansionKind, queryRunId }) => [expansionKind, queryRunId])).toEqual([
        ['stemming', runOf(found)],
        ['synonym', runOf(found)],
      ])
      // Each search has one of its own, pages and repetitions too; a completion has none.
      await ana.search('garden', asked)
      await agent.search('garden')
      await agent.complete('gar')
      expect(new Set((await rows()).map(row => row.search_run_id)).size).toBe(3)
    })

    it('[CV-1] has every field that is listed under "Search records" in SPEC.md', async () => {
      const { ana, agent } = world()
      await ana.remember({
        ...note,
        text: 'gardens',
        language: 'en',
        corpus: 'c',
        filingUnit: 'f',
        segment: 's',
      })
      const found = await agent.search('garden')
      const kept = await ana.receipts.get(runOf(found))
      const missing = (value: object | undefined, fields: string) =>
        fields.split(' ').filter(field => !Object.hasOwn(value ?? {}, field))
      expect({
        plan: missing(
          kept?.plan,
          `planId queryIntentResolution searchScope executorAssignments resultFusionStrategy searchIndexSnapshots
          queryExpansionsPlanned amendableByExecutor planAt schemaVersion`.replace(/\s+/g, ' '),
        ),
        manifest: missing(
          kept?.manifest,
          `manifestId searchRunId planId executedAt executorExecutions fusionStrategy fusionCompletedAt
          coverageReceiptInternalRef coverageReceiptVisibleRef sessionProfileRef policyGenerationId
          schemaVersion`.replace(/\s+/g, ' '),
        ),
        internal: missing(
          kept?.receipt,
          `receiptId searchRunId searchedCorpora searchedCorpusSegments searchedFilingUnits excludedCorpora
          excludedFilingUnits excludedFilingParts searchedCount excludedCount policyFilteredCount
          visibilityFilteredCount stalenessFilteredCount indexSnapshotsUsed anyIndexStale queryExpansionsUsed
          expansionDisclosureProvided resultSetCompleteness scopeDigest schemaVersion`.replace(/\s+/g, ' '),
        ),
        visible: missing(
          found.receipt,
          `receiptId searchRunId searchedCount excludedCountTotal resultSetCompleteness
          expansionDisclosureProvided scopeDigest schemaVersion`.replace(/\s+/g, ' '),
        ),
        expansion: missing(
          found.expansions[0],
          'expansionId queryRunId expansionKind appliedTerms expansionVisibleToSession schemaVersion',
        ),
        snapshot: missing(
          kept?.indexSnapshots[0],
          'snapshotId indexId snapshotTimestamp documentsCoveredCount schemaVersion',
        ),
      }).toEqual({ plan: [], manifest: [], internal: [], visible: [], expansion: [], snapshot: [] })
    })

    it('[CV-1, RC-17] stands with its audit entry, and a search that is refused has an entry and no row', async () => {
      const { tenant, ana, rows } = world()
      await ana.remember({ ...note, text: 'word' })
      await Promise.all(Array.from({ length: 5 }, (_, at) => ana.search(`word ${at}`)))
      await expect(ana.search('...')).rejects.toMatchObject({ code: 'invalid_input' })
      const { entries } = await ana.audit.list({ limit: 100 })
      const searches = entries.filter(({ operation }) => operation === 'memory.search')
      expect(searches.map(({ outcome }) => outcome).sort()).toEqual(['invalid_input', ...Array(5).fill('ok')])
      expect(await rows()).toHaveLength(5)
      // Both are written by one transaction.
      const xids = await store.sql<{ run: string; entries: string[] }>(
        `select r.xmin::text as run, array(select distinct e.xmin::text from privity.audit_entries e
           where e.tenant_id = $1) as entries
         from privity.search_runs r where r.tenant_id = $1`,
        [tenant],
      )
      for (const { run, entries } of xids) expect(entries).toContain(run)
    })

    it('[CV-1, RC-17] is not left where the audit cannot be written, and there is no answer', async () => {
      const { tenant, ana, rows } = world()
      await ana.remember({ ...note, text: 'word' })
      await ana.search('word')
      const fail = (table: string) =>
        store.db.script(`
          create function privity.fail_${table}() returns trigger language plpgsql as $$
            begin
              if new.tenant_id = '${tenant}' then raise exception 'out of order'; end if;
              return new;
            end $$;
          create trigger fail before insert on privity.${table}
            for each row execute function privity.fail_${table}();`)
      const mend = (table: string) => store.db.script(`drop function privity.fail_${table}() cascade`)
      for (const table of ['audit_entries', 'search_runs']) {
        const before = await store.sql('select count(*) from privity.audit_entries where tenant_id = $1', [
          tenant,
        ])
        await fail(table)
        try {
          await expect(ana.search('word'), table).rejects.toMatchObject({ code: 'audit_unavailable' })
        } finally {
          await mend(table)
        }
        expect(await rows()).toHaveLength(table === 'audit_entries' ? 1 : 1)
        expect(
          await store.sql('select count(*) from privity.audit_entries where tenant_id = $1', [tenant]),
        ).toEqual(before)
      }
      expect((await ana.search('word')).count).toBe(1)
      expect(await rows()).toHaveLength(2)
    })

    it('[CV-1, AU-3] holds neither the words of the question nor of any record in plain text', async () => {
      const { ana, agent } = world()
      await ana.remember({
        ...note,
        title: 'Zxtitle',
        text: 'zxbody zxbodies zxother',
        tags: ['zxtag'],
        fields: { zxfield: 'zxvalue' },
        language: 'en',
      })
      for (const caller of [ana, agent]) {
        const found = await caller.search('zxbody "zxbody zxbodies" -zxexcluded zxpre* zxmissing', {
          synonyms: [{ of: 'zxbody', terms: ['zxother'] }],
          fields: { zxfield: 'zxvalue' },
          tags: ['zxtag'],
        })
        expect(found.expansions.flatMap(({ appliedTerms }) => appliedTerms)).toContain('zxother')
        await caller.search('zxmissing', { people: ['zxperson'] })
        await caller.complete('zxbo')
      }
      // Records themselves, and saved searches, are kept as they are: this is about what a search leaves.
      const left = await dumpTables(store.sql, table => table !== 'records')
      expect(left.some(({ table }) => table === 'search_runs')).toBe(true)
      const words = 'title body bodies other tag field value excluded pre missing person'.split(' ')
      for (const { table, row } of left) {
        const bytes = row.toLowerCase()
        const found = words.filter(word =>
          [`zx${word}`, Buffer.from(`zx${word}`).toString('hex')].some(form => bytes.includes(form)),
        )
        expect([table, found]).toEqual([table, []])
      }
    })

    it('[AU-3] puts no words into the audit, only which records were shown', async () => {
      const { ana } = world()
      const { id } = await ana.remember({ ...note, text: 'zyword' })
      await ana.search('zyword zyother')
      const { entries } = await ana.audit.list()
      const search = entries.find(({ operation }) => operation === 'memory.search')
      expect(search).toMatchObject({ outcome: 'ok', records: [id], counts: { records: 1 } })
      expect(JSON.stringify(entries)).not.toContain('zy')
    })
  })

  describe('who reads what', () => {
    it('[CV-2, NI-5] an owner reads what was searched for them, an agent what it searched itself, others nothing', async () => {
      const { ana, agent, as, working } = world()
      const there = world()
      await ana.remember({ ...note, text: 'word' })
      const other = working({ actor: 'other' })
      const callers: Record<string, Handle> = {
        ana,
        host: as('ana', { audience: 'host' }),
        agent,
        other,
        recipient: working({ audience: 'recipient' }),
        ben: as('ben'),
        bensAgent: working({ for: 'ben' }),
        elsewhere: there.ana,
      }
      const runs: Record<string, string> = {}
      for (const [who, caller] of Object.entries(callers)) {
        clock.advance(1_000)
        // Recipients search documents.
        const asked = who === 'recipient' ? caller.documents.search({ query: 'word' }) : caller.search('word')
        runs[who] = runOf(await asked)
      }
      const readable: Record<string, string[]> = {
        // The host here is ana. The recipient is the helper, but what came by a link has the strictest label for all who
        // did not, so the helper's own key, which sees no more than low, is not told of it (NI-10).
        ana: ['ana', 'host', 'agent', 'other', 'recipient'],
        host: ['ana', 'host', 'agent', 'other', 'recipient'],
        agent: ['agent'],
        other: ['other'],
        recipient: ['recipient'],
        ben: ['ben', 'bensAgent'],
        bensAgent: ['bensAgent'],
        elsewhere: ['elsewhere'],
      }
      for (const [who, caller] of Object.entries(callers)) {
        for (const [whose, run] of Object.entries(runs)) {
          const kept = await caller.receipts.get(run)
          if (readable[who]?.includes(whose)) {
            const kind = ['agent', 'other', 'recipient', 'bensAgent'].includes(who) ? 'visible' : 'internal'
            expect(kept, `${who} ${whose}`).toMatchObject({ searchRunId: run, receipt: { kind } })
          } else {
            expect(kept, `${who} ${whose}`).toBeNull()
            const upgrade = caller.receipts.mark({ searchRun: run })
            // A recipient keeps nothing at all, whosever it is.
            const code = who === 'recipient' ? 'not_allowed' : 'not_found'
            await expect(upgrade, `${who} ${whose}`).rejects.toMatchObject({ code })
          }
        }
        if (who === 'recipient') continue
        const { receipts } = await caller.receipts.list()
        const expected = readable[who]?.map(whose => runs[whose]).reverse()
        expect(receipts.map(({ searchRunId }) => searchRunId)).toEqual(expected)
      }
      expect(await ana.receipts.get('00000000-0000-4000-8000-000000000000')).toBeNull()
      await expect(ana.receipts.get('no id')).rejects.toMatchObject({
        message: 'searchRun: must be a UUID, for example 3f2b8c1e-5d4a-4e6b-9c7d-1a2b3c4d5e6f',
      })
    })

    it('[CV-2, CV-4] a visible receipt has no reason counts and no figure of what is left out, whatever is hidden', async () => {
      const { ana, agent, working } = world()
      await ana.remember({ ...note, text: 'word' })
      const bare = await agent.search('word')
      await ana.remember([
        { ...note, text: 'word', sensitivity: 'high' },
        { ...note, text: 'word', visibilityClass: 'sealed' },
        { ...note, text: 'word', participants: ['ben'] },
      ])
      const recipient = working({ audience: 'recipient' })
      for (const [caller, found] of [
        [agent, await agent.search('word')],
        [recipient, await recipient.documents.search({ query: 'word' })],
      ] as const) {
        const kept = await caller.receipts.get(runOf(found))
        for (const receipt of [found.receipt, kept?.receipt]) {
          expect(Object.keys(receipt ?? {}).sort()).toEqual([
            'excludedCountTotal',
            'expansionDisclosureProvided',
            'kind',
            'meaning',
            'receiptId',
            'resultSetCompleteness',
            'schemaVersion',
            'scopeDigest',
            'searchRunId',
            'searchedCount',
          ])
          expect(receipt).toMatchObject({
            excludedCountTotal: null,
            resultSetCompleteness: 'exhaustive_for_scope',
          })
        }
        expect(JSON.stringify(kept)).not.toMatch(/policyFiltered|visibilityFiltered|excludedCount"/)
      }
      const { receiptId: _, searchRunId: __, ...before } = bare.receipt
      expect((await agent.search('word')).receipt).toMatchObject(before)
    })

    it('[CV-2] an owner reads of an agent’s search how much was left out, and why, exactly', async () => {
      const { ana, agent, as } = world()
      const ben = as('ben')
      await ana.remember([
        { ...note, text: 'word' },
        { ...note, text: 'word', sensitivity: 'medium' },
        { ...note, text: 'word', sensitivity: 'high' },
        { ...note, text: 'word', participants: ['ben'] },
        { ...note, text: 'word', participants: ['ben'] },
        { ...note, text: 'word', visibilityClass: 'sealed' },
        { ...note, text: 'word', visibilityClass: 'firewalled' },
        { ...note, text: 'word', visibilityClass: 'sealed', kind: 'episodic' },
        // Not ana's to see either.
        { ...note, text: 'word', kind: 'activity_rollup' },
        { ...note, text: 'word', document: 'blocked' },
        { ...note, text: 'word', expiresAt: new Date(clock.now().getTime() + 1_000) },
      ])
      await ana.overlays.add({ target: { kind: 'document', ref: 'blocked' }, restriction: 'blocked' })
      await ben.remember(Array.from({ length: 7 }, () => ({ ...note, text: 'word' })))
      clock.advance(2_000)
      const counts = async (asked: Parameters<Handle['search']>[1] = {}, caller = agent) => {
        const kept = await ana.receipts.get(runOf(await caller.search('word', asked)))
        if (kept?.receipt.kind !== 'internal') throw new Error('not an internal receipt')
        const {
          searchedCount,
          excludedCount,
          policyFilteredCount,
          visibilityFilteredCount,
          resultSetCompleteness,
        } = kept.receipt
        return [
          searchedCount,
          policyFilteredCount,
          visibilityFilteredCount,
          excludedCount,
          resultSetCompleteness,
        ]
      }
      expect(await counts()).toEqual([2, 3, 3, 6, 'partial_due_to_policy'])
      expect(await counts({ kinds: ['episodic'] })).toEqual([0, 0, 1, 1, 'partial_due_to_visibility'])
      expect(await counts({ kinds: ['working'] })).toEqual([0, 0, 0, 0, 'exhaustive_for_scope'])
      expect(await counts({}, ana)).toEqual([8, 0, 0, 0, 'exhaustive_for_scope'])
      // The agent is told nothing of it.
      expect(await agent.search('word')).toMatchObject({
        receipt: { resultSetCompleteness: 'exhaustive_for_scope' },
      })
    })

    it('[CV-2, NI-3] counts reach no further than the reader sees: an owner with less trust or a ceiling', async () => {
      const { ana, agent, as } = world()
      const lesser: Handle[] = [
        as('ana', { trust: { maxSensitivity: 'low' } }),
        as('ana', { visibility: { ceiling: 'privileged' } }),
        as('ana', { trust: { maxSensitivity: 'hyper', scopes: ['home'] } }),
      ]
      await ana.remember({ ...note, text: 'word' })
      // Ids apart, which every search has of its own.
      const but = (receipt: Found['receipt'] | undefined) => ({
        ...receipt,
        receiptId: '',
        searchRunId: '',
        queryExpansionsUsed: [],
      })
      const shown = async () => {
        const said: unknown[] = []
        const agents = runOf(await agent.search('word'))
        for (const caller of lesser) {
          said.push(but((await caller.search('word')).receipt))
          said.push(but((await caller.receipts.get(agents))?.receipt))
        }
        return said
      }
      const before = await shown()
      await ana.remember([
        { ...note, text: 'word', sensitivity: 'hyper', visibilityClass: 'sealed', scope: 'work' },
        { ...note, text: 'word', sensitivity: 'hyper', visibilityClass: 'firewalled', scope: 'work' },
      ])
      expect(await shown()).toEqual(before)
    })

    it('[CV-5, CV-3] nothing, where a claim asked for less than the credential holds, is no plain no', async () => {
      const { ana, agent } = world()
      await ana.remember([
        { ...note, text: 'word' },
        { ...note, text: 'zebra', sensitivity: 'hyper' },
      ])
      const low = { trust: { maxSensitivity: 'low' } } as const
      expect(await ana.search('zebra', {}, low)).toMatchObject({
        count: 0,
        notice:
          'No results in what was searched; some records were left out by a policy, or because people in them have not consented.',
        receipt: { resultSetCompleteness: 'partial_due_to_policy', policyFilteredCount: 1, searchedCount: 1 },
      })
      expect(await ana.search('quagga')).toMatchObject({ count: 0, notice: 'No results found.' })
      expect(await ana.search('word', {}, low)).toMatchObject({ count: 1, notice: null })
      // Whoever may not know of it is told a plain no.
      expect(await agent.search('zebra')).toMatchObject({ count: 0, notice: 'No results found.' })
    })

    it('[CV-2, NI-6] read later, shows no words and no corpora that have become hidden since', async () => {
      const { ana, agent } = world()
      const [garden] = await ana.remember([
        { ...note, text: 'gardening', language: 'en', corpus: 'green' },
        { ...note, text: 'gardens', language: 'en' },
        { ...note, text: 'a park', corpus: 'blue' },
      ])
      const synonyms = [{ of: 'garden', terms: ['park'], corpus: 'blue' }]
      const run = runOf(await agent.search('garden', { synonyms }))
      const anas = runOf(await ana.search('garden', { synonyms }))
      const words = async (caller: Handle, searchRun: string) => {
        const kept = await caller.receipts.get(searchRun)
        return kept?.expansions.map(({ expansionKind, appliedTerms }) => [expansionKind, ...appliedTerms])
      }
      const whole = [
        ['stemming', 'gardening', 'gardens'],
        ['synonym', 'park'],
      ]
      expect(await words(agent, run)).toEqual(whole)
      await ana.relabel({ record: garden?.id ?? '', sensitivity: 'high' })
      expect(await words(agent, run)).toEqual([
        ['stemming', 'gardens'],
        ['synonym', 'park'],
      ])
      expect(await words(ana, run)).toEqual(whole)
      const corpora = async () => (await ana.receipts.get(anas))?.receipt
      expect(await corpora()).toMatchObject({ searchedCorpora: ['blue', 'green'] })
      const overlay = await ana.overlays.add({
        target: { kind: 'corpus', ref: 'blue' },
        restriction: 'blocked',
      })
      expect(await words(agent, run)).toEqual([['stemming', 'gardens']])
      expect(await corpora()).toMatchObject({ searchedCorpora: ['green'] })
      const { receipts } = await ana.receipts.list()
      expect(receipts.map(({ receipt }) => receipt)).not.toContainEqual(
        expect.objectContaining({ searchedCorpora: expect.arrayContaining(['blue']) }),
      )
      await ana.overlays.remove({ overlay: overlay.id })
      await ana.forget(garden?.id ?? '')
      expect(await words(ana, anas)).toEqual([
        ['stemming', 'gardens'],
        ['synonym', 'park'],
      ])
    })

    it('[CV-1, QX-1] read later, says what was applied then and nothing that came after', async () => {
      const { ana, agent } = world()
      await ana.remember({ ...note, text: 'gardens', language: 'en' })
      const run = runOf(await agent.search('garden'))
      await ana.remember({ ...note, text: 'gardening', language: 'en' })
      expect((await agent.receipts.get(run))?.expansions.map(({ appliedTerms }) => appliedTerms)).toEqual([
        ['gardens'],
      ])
    })

    it('[NI-9] lists newest first, in pages with cursors of their own, and none that are empty', async () => {
      const { ana, agent } = world()
      const runs: string[] = []
      for (let at = 0; at < 5; at++) {
        clock.advance(1_000)
        runs.unshift(runOf(await (at % 2 ? ana : agent).search(`word ${at}`)))
      }
      const all = async () => {
        const pages: string[][] = []
        let cursor: string | null = null
        do {
          const page: Awaited<ReturnType<Handle['receipts']['list']>> = await ana.receipts.list({
            limit: 2,
            ...(cursor && { cursor }),
          })
          pages.push(page.receipts.map(({ searchRunId }) => searchRunId))
          cursor = page.cursor
        } while (cursor !== null && pages.length < 10)
        return pages
      }
      expect(await all()).toEqual([runs.slice(0, 2), runs.slice(2, 4), runs.slice(4)])
      const { cursor } = await ana.receipts.list({ limit: 2 })
      const refused = {
        message: 'cursor: is not valid for this request; ask for the first page again, without a cursor',
      }
      await expect(agent.receipts.list({ cursor: cursor ?? '' })).rejects.toMatchObject(refused)
      await expect(ana.list({ cursor: cursor ?? '' })).rejects.toMatchObject(refused)
      // What is due takes no room on a page.
      await ana.receipts.mark({ searchRun: runs[0] ?? '' })
      await ana.receipts.mark({ searchRun: runs[4] ?? '' })
      clock.advance(2 * DAY)
      expect(await all()).toEqual([[runs[0], runs[4]]])
    })
  })

  describe('scope digest', () => {
    const digest = async (caller: Handle, query = 'word', asked: Parameters<Handle['search']>[1] = {}) =>
      (await caller.search(query, asked)).receipt.scopeDigest

    it('[CV-6] is the same for the same scope, whatever the words, and another for any other', async () => {
      const { ana, agent, as, working } = world()
      const { id } = await ana.remember({ ...note, text: 'word', corpus: 'c', tags: ['t'] })
      await ana.remember({ ...note, text: 'word', sensitivity: 'public' })
      const first = await digest(agent)
      expect(first).toMatch(/^[0-9a-f]{64}$/)
      expect(await digest(agent)).toBe(first)
      clock.advance(DAY / 2)
      expect(await digest(agent, 'other')).toBe(first)
      expect(await digest(agent, 'word', { limit: 1, facets: [] })).toBe(first)
      // How words are read and results are ordered is no scope, nor is the order in which it is named.
      expect(await digest(agent, 'word', { stemming: false, minScore: 0.1, mode: 'text' })).toBe(first)
      const kinds = await digest(agent, 'word', { kinds: ['note', 'semantic'] })
      expect(await digest(agent, 'word', { kinds: ['semantic', 'note'] })).toBe(kinds)
      const others = [
        await digest(agent, 'word', { corpus: 'c' }),
        await digest(agent, 'word', { tags: ['t'] }),
        await digest(agent, 'word', { kinds: ['note'] }),
        await digest(agent, 'word', { createdAfter: new Date(0) }),
        await digest(agent, 'word', { posture: 'metadata_primary' }),
        await digest(working({ trust: { maxSensitivity: 'medium' } })),
        await digest(working({ trust: { maxSensitivity: 'low', scopes: ['home'] } })),
        await digest(working({ visibility: { ceiling: 'sealed' } })),
        (await working({ audience: 'recipient' }).documents.search({ query: 'word' })).receipt?.scopeDigest,
        await digest(ana),
        await digest(as('ana', { audience: 'host' })),
        await digest(as('ben')),
        await digest(working({ for: 'ben' })),
      ]
      expect(new Set([first, ...others]).size).toBe(others.length + 1)
      // What is visible is part of it: more, less, and something else.
      const more = await ana.remember({ ...note, text: 'x' })
      const changed = await digest(agent)
      expect(changed).not.toBe(first)
      await ana.forget(more.id)
      expect(await digest(agent)).toBe(first)
      await ana.revise({ how: 'supersede', record: id, by: { text: 'word', tags: ['t'] } })
      expect(await digest(agent)).not.toBe(first)
      // So is how much of it: a preview may show every word, and is less.
      const { id: short } = await ana.remember({ ...note, text: 'short', document: 'd' })
      const target = { kind: 'document', ref: 'd' } as const
      await ana.overlays.add({ target, restriction: 'none' })
      const full = await digest(agent)
      const overlay = await ana.overlays.add({ target, restriction: 'preview_only' })
      expect((await agent.get(short))?.face).toBe('preview')
      expect(await digest(agent)).not.toBe(full)
      await ana.overlays.remove({ overlay: overlay.id })
      expect(await digest(agent)).toBe(full)
    })

    it('[CV-6, NI-3] does not move with what is hidden', async () => {
      const { ana, agent, as } = world()
      await ana.remember({ ...note, text: 'word', corpus: 'c' })
      const first = await digest(agent)
      await ana.remember([
        { ...note, text: 'word', corpus: 'd', sensitivity: 'high' },
        { ...note, text: 'word', corpus: 'e', visibilityClass: 'sealed' },
        { ...note, text: 'word', participants: ['ben'] },
      ])
      const gone = await ana.remember({ ...note, text: 'word' })
      await ana.forget(gone.id)
      await as('ben').remember({ ...note, text: 'word' })
      await ana.overlays.add({ target: { kind: 'corpus', ref: 'd' }, restriction: 'blocked' })
      expect(await digest(agent)).toBe(first)
    })

    it('[CV-6] is keyed: equal worlds of two tenants and two stores do not have it in common', async () => {
      const [one, two] = [world(), world()]
      for (const { ana } of [one, two]) await ana.remember({ ...note, text: 'word' })
      const digests = [await digest(one.ana), await digest(two.ana)]
      expect(digests[0]).not.toBe(digests[1])
      // Nor is it the plain digest of what anybody could put together.
      const { indexSnapshotsUsed, searchedCorpora } = internal(await one.ana.search('word'))
      const selectors = [{}, { posture: 'mixed_surface_disclosed', stemming: true, synonyms: [] }]
      const profile = ['owner', null, ['hyper', 'all'], 'firewalled', null, false]
      for (const selector of selectors)
        for (const scope of [
          [searchedCorpora, selector, indexSnapshotsUsed, profile],
          [searchedCorpora, selector, indexSnapshotsUsed],
          indexSnapshotsUsed,
          [],
        ]) {
          const text = JSON.stringify(scope)
          expect(digests).not.toContain(createHash('sha256').update(text).digest('hex'))
        }
      expect(digests).not.toContain(createHash('sha256').update('').digest('hex'))
    })

    it('[NI-3, NI-6] names index snapshots so that they tell nothing and move only with what is seen', async () => {
      const { ana, agent, working } = world()
      await ana.remember({ ...note, text: 'word' })
      const snapshots = async (caller: Handle) =>
        (await caller.receipts.get(runOf(await caller.search('word'))))?.indexSnapshots ?? []
      const [before] = await snapshots(agent)
      await ana.remember({ ...note, text: 'word', sensitivity: 'hyper' })
      const [after] = await snapshots(agent)
      expect(after).toEqual(before)
      expect(before?.documentsCoveredCount).toBe(1)
      expect(JSON.stringify(before)).not.toContain('ana')
      await ana.remember({ ...note, text: 'more' })
      const [moved] = await snapshots(agent)
      expect(moved).toMatchObject({ indexId: before?.indexId, documentsCoveredCount: 2 })
      expect(moved?.snapshotId).not.toBe(before?.snapshotId)
      expect(await snapshots(working({ for: 'ben' }))).toEqual([])
    })
  })

  describe('retention', () => {
    const upgrades = [
      ['cite', 'persisted_in_answer'],
      ['deliver', 'delivered_to_downstream_consumer'],
      ['feedback', 'used_for_feedback'],
      ['mark', 'user_marked_audit_essential'],
    ] as const
    const due = (at: string, length: number) => new Date(Date.parse(at) + length).toISOString()

    it('[CV-7] is for a day at first, and what is due is not read, whether or not it was removed', async () => {
      const { ana, agent, rows } = world()
      const run = runOf(await agent.search('word'))
      const at = clock.now().toISOString()
      expect((await ana.receipts.get(run))?.retention).toEqual({
        retentionClass: 'ephemeral_session_lifetime',
        because: [],
        dueAt: due(at, DAY),
      })
      clock.advance(DAY - 1)
      for (const caller of [ana, agent]) expect(await caller.receipts.get(run)).not.toBeNull()
      clock.advance(1)
      for (const caller of [ana, agent]) {
        expect(await caller.receipts.get(run)).toBeNull()
        expect((await caller.receipts.list()).receipts).toEqual([])
        for (const [name] of upgrades)
          await expect(caller.receipts[name]({ searchRun: run })).rejects.toMatchObject({ code: 'not_found' })
        const saving = caller.searches.save({ name: 'late', query: 'word', searchRun: run })
        await expect(saving).rejects.toMatchObject({ code: 'not_found' })
        expect((await caller.searches.list()).searches).toEqual([])
      }
      expect((await rows())[0]).toMatchObject({ receipt: expect.anything() })
    })

    it('[CV-7] is longer for what was cited, delivered, judged, saved or marked, and says why', async () => {
      const { ana, agent, rows } = world()
      const at = clock.now().toISOString()
      for (const [name, because] of upgrades) {
        const run = runOf(await agent.search('word'))
        const retention = { retentionClass: 'durable_audit_1y', because: [because], dueAt: due(at, YEAR) }
        expect(await agent.receipts[name]({ searchRun: run })).toEqual({ searchRunId: run, retention })
        expect((await ana.receipts.get(run))?.retention).toEqual(retention)
      }
      const saved = runOf(await agent.search('word'))
      await agent.searches.save({ name: 'word', query: 'word', searchRun: saved })
      expect((await agent.receipts.get(saved))?.retention).toEqual({
        retentionClass: 'durable_audit_1y',
        because: ['referenced_by_saved_search_or_standing_order'],
        dueAt: due(at, YEAR),
      })
      const forgotten = runOf(await agent.search('word'))
      clock.advance(2 * DAY)
      expect((await agent.receipts.list()).receipts).toHaveLength(5)
      expect(await agent.receipts.get(forgotten)).toBeNull()
      clock.advance(2 * YEAR)
      await world().ana.search('word')
      await ana.search('word')
      expect((await rows()).filter(({ receipt }) => receipt !== null)).toHaveLength(6)
    })

    it('[CV-7] is never shortened, counts from the search and keeps every reason once', async () => {
      const { ana, agent } = world()
      const run = runOf(await agent.search('word'))
      const at = clock.now().toISOString()
      clock.advance(HOUR)
      const seven = { searchRun: run, retentionClass: 'durable_audit_7y' } as const
      expect((await ana.receipts.cite(seven)).retention).toEqual({
        retentionClass: 'durable_audit_7y',
        because: ['persisted_in_answer'],
        dueAt: due(at, 7 * YEAR),
      })
      const after = {
        retentionClass: 'durable_audit_7y',
        because: ['persisted_in_answer', 'used_for_feedback', 'referenced_by_saved_search_or_standing_order'],
        dueAt: due(at, 7 * YEAR),
      }
      await agent.receipts.feedback({ searchRun: run })
      await agent.searches.save({ name: 'word', query: 'word', searchRun: run })
      expect((await agent.receipts.cite({ searchRun: run })).retention).toEqual(after)
      expect((await ana.receipts.get(run))?.retention).toEqual(after)
      const less = ana.receipts.mark({
        searchRun: run,
        retentionClass: 'ephemeral_session_lifetime' as 'durable_audit_1y',
      })
      await expect(less).rejects.toMatchObject({
        code: 'invalid_input',
        message: expect.stringMatching(/^retentionClass/),
      })
    })

    it('[CV-7] an upgrade with an idempotency key is done once and answers again', async () => {
      const { agent } = world()
      const run = runOf(await agent.search('word'))
      const once = await agent.receipts.cite({ searchRun: run }, { idempotencyKey: 'k' })
      expect(await agent.receipts.cite({ searchRun: run }, { idempotencyKey: 'k' })).toEqual(once)
      const other = agent.receipts.cite(
        { searchRun: run, retentionClass: 'durable_audit_7y' },
        { idempotencyKey: 'k' },
      )
      await expect(other).rejects.toMatchObject({ code: 'idempotency_conflict' })
    })

    it('[CV-7] purging removes ephemeral ones that are due, all but their index snapshots, and nothing else', async () => {
      const { ana, agent, as, rows } = world()
      const host = as('root', { audience: 'host' })
      const elsewhere = world()
      const foreign = runOf(await elsewhere.ana.search('word'))
      await ana.remember({ ...note, text: 'word' })
      const old = runOf(await agent.search('word'))
      const kept = runOf(await agent.search('word'))
      await agent.receipts.cite({ searchRun: kept })
      clock.advance(DAY - 1)
      const fresh = runOf(await agent.search('word'))
      expect(await host.receipts.purge()).toEqual({ purged: 0 })
      clock.advance(1)
      for (const caller of [ana, agent])
        await expect(caller.receipts.purge()).rejects.toMatchObject({ code: 'not_allowed' })
      expect(await host.receipts.purge()).toEqual({ purged: 1 })
      expect(await host.receipts.purge()).toEqual({ purged: 0 })
      const byRun = async () => new Map((await rows()).map(row => [row.search_run_id, row]))
      const after = await byRun()
      expect(after.get(old)).toMatchObject({
        question: null,
        plan: null,
        manifest: null,
        receipt: null,
        expansions: null,
        index_snapshots: [{ documentsCoveredCount: 1 }],
      })
      for (const run of [kept, fresh])
        for (const column of ['question', 'plan', 'manifest', 'receipt', 'expansions'])
          expect(after.get(run)?.[column], column).not.toBeNull()
      expect((await elsewhere.rows())[0]).toMatchObject({
        search_run_id: foreign,
        receipt: expect.anything(),
      })
      for (const caller of [ana, agent]) expect(await caller.receipts.get(old)).toBeNull()
      expect((await ana.receipts.list()).receipts.map(({ searchRunId }) => searchRunId)).toEqual([
        fresh,
        kept,
      ])
      // Index snapshots are kept for a year, and durable receipts for longer than that.
      clock.advance(YEAR - DAY - 1)
      await host.receipts.purge()
      expect([...(await byRun()).keys()].sort()).toEqual([old, kept, fresh].sort())
      clock.advance(1)
      await host.receipts.purge()
      expect([...(await byRun()).keys()].sort()).toEqual([kept, fresh].sort())
      clock.advance(7 * YEAR)
      await host.receipts.purge()
      expect([...(await byRun()).keys()]).toEqual([kept])
    })

    it('[CV-7] searching purges by itself, now and again', async () => {
      const { agent, rows } = world()
      await agent.search('word')
      clock.advance(2 * DAY)
      await agent.search('word')
      expect((await rows()).map(({ receipt }) => receipt === null)).toEqual([true, false])
    })
  })
})

describe('completeness', () => {
  const whole: Coverage = {
    matches: 50,
    topK: 50,
    anyIndexStale: false,
    indexHealthy: true,
    withinLimits: true,
    expansionsUsed: 0,
    expansionsDisclosed: true,
  }
  const nothing: ExclusionCounts = {
    policyFilteredCount: 0,
    visibilityFilteredCount: 0,
    stalenessFilteredCount: 0,
  }

  it.each<[Partial<Coverage>, Completeness]>([
    [{}, 'exhaustive_for_scope'],
    [{ matches: 0 }, 'exhaustive_for_scope'],
    [{ matches: 51 }, 'ranked_top_k_not_exhaustive'],
    [{ matches: 51, topK: 100 }, 'exhaustive_for_scope'],
    [{ expansionsUsed: 1 }, 'exhaustive_for_scope'],
    [{ expansionsUsed: 1, expansionsDisclosed: false }, 'partial_due_to_index_health'],
    [{ expansionsUsed: 0, expansionsDisclosed: false }, 'exhaustive_for_scope'],
    [{ indexHealthy: false }, 'partial_due_to_index_health'],
    [{ withinLimits: false }, 'partial_due_to_resource_limit'],
    [{ anyIndexStale: true }, 'partial_due_to_staleness'],
    [{ anyIndexStale: true, matches: 51 }, 'partial_due_to_staleness'],
    [{ withinLimits: false, anyIndexStale: true }, 'partial_due_to_resource_limit'],
    [{ indexHealthy: false, withinLimits: false, anyIndexStale: true }, 'partial_due_to_index_health'],
  ])('[CV-3] of %j is %s', (coverage, expected) => {
    expect(classifyCompleteness({ ...whole, ...coverage })).toBe(expected)
    expect(classifyInternalCompleteness({ ...whole, ...coverage }, nothing)).toBe(expected)
  })

  it.each<[Partial<Coverage>, Partial<ExclusionCounts>, Completeness]>([
    [{}, { policyFilteredCount: 1 }, 'partial_due_to_policy'],
    [{}, { visibilityFilteredCount: 1 }, 'partial_due_to_visibility'],
    [{}, { policyFilteredCount: 1, visibilityFilteredCount: 9 }, 'partial_due_to_policy'],
    [{ matches: 51 }, { visibilityFilteredCount: 1 }, 'partial_due_to_visibility'],
    [{ anyIndexStale: true }, { policyFilteredCount: 1 }, 'partial_due_to_staleness'],
    [{ indexHealthy: false }, { visibilityFilteredCount: 1 }, 'partial_due_to_index_health'],
    [{ withinLimits: false }, { policyFilteredCount: 1 }, 'partial_due_to_resource_limit'],
  ])('[CV-3] of %j with %j left out is, internally, %s', (coverage, excluded, expected) => {
    expect(classifyInternalCompleteness({ ...whole, ...coverage }, { ...nothing, ...excluded })).toBe(
      expected,
    )
    // Whoever reads the visible one is told of neither.
    expect(classifyCompleteness({ ...whole, ...coverage })).not.toMatch(/policy|visibility/)
  })

  it('[CV-5] only what is exhaustive and current is a plain no', () => {
    expect(describeNoResults('exhaustive_for_scope')).toBe('No results found.')
    const others: Completeness[] = [
      'exhaustive_for_scope_stale',
      'ranked_top_k_not_exhaustive',
      'partial_due_to_policy',
      'partial_due_to_visibility',
      'partial_due_to_staleness',
      'partial_due_to_index_health',
      'partial_due_to_resource_limit',
    ]
    const said = others.map(describeNoResults)
    for (const text of said) expect(text).toMatch(/^No results in what was searched; [a-z].*\.$/)
    expect(new Set(said).size).toBe(6)
  })
})
