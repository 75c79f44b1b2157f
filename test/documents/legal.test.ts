import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { legal } from '../../src/legal/index.js'
import type { Privity } from '../../src/open.js'
import { base64, lasting } from '../support/router.js'
import { type SharedStore, sharedStore } from '../support/shared-store.js'

const FILING = `UNITED STATES DISTRICT COURT
NORTHERN DISTRICT OF CALIFORNIA

BERG v. NORTH LINE INC.
Case No. 3:24-cv-01180

OPPOSITION TO MOTION TO DISMISS

ARGUMENT

The complaint pleads scienter. See Tellabs, 551 U.S. 308, 324 (2007).

EXHIBIT A

A letter of the board.
`
const CITES = 'find filings that cite 551 US 308'
const ARGUES = 'What does the brief argue about scienter?'

describe('law', () => {
  let store: SharedStore
  const opened: Privity[] = []
  beforeAll(async () => {
    store = await sharedStore('pglite')
  })
  afterEach(async () => {
    for (const privity of opened.splice(0)) await privity.close()
  })
  afterAll(() => store?.dispose())

  async function world(corpora?: readonly string[]) {
    const privity = await store.instance(undefined, corpora && { domain: legal({ corpora }) })
    opened.push(privity)
    const tenant = store.tenant()
    return { privity, tenant, host: privity.as({ tenant, actor: 'hana' }) }
  }
  const ingest = (host: Awaited<ReturnType<typeof world>>['host'], corpus: string) =>
    host.documents.ingest({ document: `${corpus}.txt`, corpus, content: base64(FILING), sensitivity: 'low' })

  it('[SR-5] counts in the corpora that turn it on, and in no other', async () => {
    const { host } = await world(['briefs'])
    for (const corpus of ['briefs', 'letters']) await ingest(host, corpus)
    const told = async (corpus: string) => {
      const { card } = (await host.documents.fields({ document: `${corpus}.txt`, fields: ['caseNumber'] }))
        ? await ingest(host, corpus)
        : { card: null }
      const scope = { corpusScope: [corpus] }
      const { plan, results, expansions } = await host.documents.search({ query: CITES, mode: 'text', scope })
      const shown = await host.documents.get(card?.id ?? '')
      return {
        executors: plan.executorAssignments.map(({ executorClass }) => executorClass),
        pattern: plan.queryIntentResolution.patternId,
        scope: plan.searchScope.retrievalPosture.filingContentScope,
        expansions: expansions.map(({ expansionKind }) => expansionKind).filter(kind => kind !== 'stemming'),
        finds: results.length > 0,
        parts: [...new Set(shown?.parts.map(({ kind }) => kind))],
      }
    }
    expect(await told('briefs')).toEqual({
      executors: ['doc18_legal_search_direct'],
      pattern: 'cited_material_search',
      scope: 'all_filing_parts',
      expansions: ['citation_normalization'],
      finds: true,
      parts: ['front_matter', 'lead_argument', 'exhibit'],
    })
    expect(await told('letters')).toMatchObject({
      executors: ['primary_direct', 'memory_agent'],
      pattern: 'default',
      scope: undefined,
      expansions: [],
      parts: ['text'],
    })
    const { results } = await host.search('551 US 308', { mode: 'text', corpus: 'letters', stemming: false })
    expect(results.length).toBeGreaterThan(0)
    const { expansions } = await host.search('551 US 308', { mode: 'text', corpus: 'letters' })
    expect(expansions.map(({ expansionKind }) => expansionKind)).not.toContain('citation_normalization')
  })

  it('[SR-2, SR-5] is off where nothing turns it on', async () => {
    const { host } = await world()
    await ingest(host, 'briefs')
    const { plan } = await host.documents.plan({ query: ARGUES })
    expect(plan.queryIntentResolution.patternId).toBe('default')
    expect(JSON.stringify(await host.documents.cards({ limit: 10 }))).not.toMatch(
      /lead_argument|exhibit|01180/,
    )
  })

  it('[NI-1, SR-1] what a caller does not see turns nothing on', async () => {
    const planned = async (hidden: boolean) => {
      const { privity, tenant, host } = await world(['briefs'])
      await host.remember({ kind: 'note', text: 'The scienter of a brief.', sensitivity: 'low' })
      if (hidden)
        await host.remember({
          kind: 'note',
          text: 'The brief argues scienter, 551 U.S. 308.',
          sensitivity: 'hyper',
          corpus: 'briefs',
        })
      const aide = privity.as({
        tenant,
        actor: 'aide',
        audience: 'agent',
        for: 'hana',
        trust: { maxSensitivity: 'low' },
      })
      const plans = [
        await aide.documents.plan({ query: ARGUES }),
        await host.documents.plan({ query: ARGUES }),
      ]
      return plans.map(({ plan, failure }) => {
        const { searchIndexSnapshots: _, ...rest } = lasting(plan)
        return { rest, failure }
      })
    }
    const [[without], [withHidden, ofOwner]] = [await planned(false), await planned(true)]
    expect(withHidden).toEqual(without)
    expect(without?.rest.queryIntentResolution.patternId).toBe('default')
    // Whoever sees it is asked as a lawyer is.
    expect(ofOwner?.rest.queryIntentResolution.patternId).toBe('argument_question')
  })

  it('an index that was kept without it is made again with it', async () => {
    const { tenant, privity, host } = await world()
    const drafts = Array.from({ length: 300 }, (_, at) => ({
      kind: 'note' as const,
      corpus: 'briefs',
      text: at === 7 ? 'Tellabs, 551 U.S. 308, is cited.' : `Nothing is cited in ${at}.`,
    }))
    await host.remember(drafts)
    await host.search('cited')
    opened.splice(opened.indexOf(privity), 1)
    await privity.close()
    const kept = await store.sql<{ count: number }>('select count(*)::int as count from privity.index_parts')
    expect(kept[0]?.count).toBeGreaterThan(0)
    const again = await store.instance(undefined, { domain: legal({ corpora: ['briefs'] }) })
    opened.push(again)
    const { expansions, results } = await again
      .as({ tenant, actor: 'hana' })
      .search('551 US 308', { mode: 'text', corpus: 'briefs' })
    expect(expansions.map(({ expansionKind }) => expansionKind)).toContain('citation_normalization')
    expect(results[0]?.record.payload?.text).toContain('551 U.S. 308')
  })
})
