import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { legal } from '../../src/legal/index.js'
import type { Privity } from '../../src/open.js'
import type { ChatMessage } from '../../src/runtime/completions.js'
import { CLOSING, OPENING } from '../../src/runtime/data-markers.js'
import { type SharedStore, sharedStore } from '../support/shared-store.js'
import { grantLink, keep, openLink, passingClock, refusalOf } from '../support/sharing.js'
import { engines } from '../support/stores.js'

/** No pattern has anything to say about it. */
const OPEN = 'soup and bread'

describe.each(engines)('what a question is for, on %s', engine => {
  let store: SharedStore
  const clock = passingClock()
  const opened: Privity[] = []

  beforeAll(async () => {
    store = await sharedStore(engine)
  })
  afterEach(async () => {
    for (const privity of opened.splice(0)) await privity.close()
  })
  afterAll(() => store?.dispose())

  async function world(options: Parameters<SharedStore['instance']>[1] = {}) {
    const privity = await store.instance(clock, { domain: legal(), ...options })
    opened.push(privity)
    const tenant = store.tenant()
    const host = privity.as({ tenant, actor: 'hana' })
    await keep(host, 'The menu: soup and bread.')
    return { privity, tenant, host }
  }
  /** A model that answers what it is told to. */
  function reader(...answers: readonly (string | Error)[]) {
    const heard: (readonly ChatMessage[])[] = []
    const model = {
      name: 'reader/1',
      local: true,
      async complete(messages: readonly ChatMessage[]) {
        heard.push(messages)
        const answer = answers[Math.min(heard.length, answers.length) - 1] ?? ''
        if (answer instanceof Error) throw answer
        return answer
      },
    }
    return { heard, model }
  }
  const says = (intent: string, confidence: number) => JSON.stringify({ intent, confidence })

  it('[SR-2] is told by a pattern, and where none matches it is a search for evidence', async () => {
    const { host } = await world()
    const intentOf = async (query: string) =>
      (await host.documents.plan({ query })).plan.queryIntentResolution
    expect(await intentOf('Show me my notes on this brief')).toEqual({
      resolvedIntent: 'notes_recall',
      resolverKind: 'deterministic_pattern',
      patternId: 'own_notes',
      userCanOverride: true,
      schemaVersion: 1,
    })
    expect(await intentOf(OPEN)).toMatchObject({ resolvedIntent: 'evidence_search', patternId: 'default' })
    for (const [query, intent] of [
      ['What is the pleading standard?', 'doctrine_lookup'],
      ['Quote what they said', 'quotation'],
      ['Themes across briefs', 'synthesis'],
      ['When was the reply filed?', 'metadata_lookup'],
      ['Review this search', 'review_audit'],
    ])
      expect((await intentOf(query ?? '')).resolvedIntent).toBe(intent)
  })

  it('[SR-2] is what the caller says, before any pattern', async () => {
    const { host } = await world()
    const { plan } = await host.documents.plan({ query: 'Quote what they said', intent: 'synthesis' })
    expect(plan.queryIntentResolution).toEqual({
      resolvedIntent: 'synthesis',
      resolverKind: 'deterministic_user_specified',
      userCanOverride: true,
      schemaVersion: 1,
    })
    expect(plan.searchScope.retrievalPosture.posture).toBe('cross_source_synthesis')
    expect(
      await refusalOf(host.documents.plan({ query: OPEN, intent: 'guessing' as 'synthesis' })),
    ).toMatchObject({ code: 'invalid_input' })
  })

  it('[SR-2] is what the profile of a session forces, before all else, and nobody overrides it', async () => {
    const { privity, tenant, host } = await world({ search: { model: reader(says('synthesis', 1)).model } })
    const { profile } = await host.profiles.create({ queryIntent: 'review_audit' })
    await host.profiles.activate(profile)
    const bound = privity.as({ tenant, actor: 'hana', profile })
    for (const asked of [{ query: OPEN }, { query: 'Quote what they said', intent: 'quotation' as const }]) {
      const { plan } = await bound.documents.plan(asked)
      expect(plan.queryIntentResolution).toEqual({
        resolvedIntent: 'review_audit',
        resolverKind: 'deterministic_session_profile',
        userCanOverride: false,
        schemaVersion: 1,
      })
    }
    const free = await host.documents.plan({ query: 'Quote what they said' })
    expect(free.plan.queryIntentResolution.resolvedIntent).toBe('quotation')
  })

  it('[SR-2] is put right by the caller in a search of its own, which leaves the first as it was', async () => {
    const { privity, tenant, host } = await world({
      search: { model: reader(says('quotation', 0.6)).model },
    })
    const first = await host.documents.search({ query: OPEN })
    const wrong = first.receipt?.searchRunId ?? ''
    const second = await host.documents.search({
      query: OPEN,
      intent: 'evidence_search',
      corrects: wrong,
    })
    expect(second.plan.queryIntentResolution).toEqual({
      resolvedIntent: 'evidence_search',
      resolverKind: 'user_corrected',
      userCanOverride: true,
      correctsSearchRun: wrong,
      schemaVersion: 1,
    })
    const kept = await host.receipts.get(wrong)
    expect(kept?.plan).toMatchObject({
      queryIntentResolution: { resolvedIntent: 'quotation', resolverKind: 'model_assisted_disclosed' },
    })
    const right = await host.receipts.get(second.receipt?.searchRunId ?? '')
    expect(right?.plan).toMatchObject({
      queryIntentResolution: { resolverKind: 'user_corrected', correctsSearchRun: wrong },
    })
    // A search of somebody else is one that there is not.
    const other = privity.as({ tenant, actor: 'otto' })
    const correction = { query: OPEN, intent: 'evidence_search', corrects: wrong } as const
    const absent = { ...correction, corrects: '00000000-0000-4000-8000-000000000000' }
    const refused = await refusalOf(other.documents.search(correction))
    expect(refused).toMatchObject({ code: 'not_found' })
    expect(refused).toEqual(await refusalOf(other.documents.search(absent)))
  })

  it('[SR-2] is told by a model where nothing else decides, and that is disclosed', async () => {
    const { heard, model } = reader(says('notes_recall', 0.9))
    const { host } = await world({ search: { model } })
    const { plan } = await host.documents.plan({ query: OPEN })
    expect(plan.queryIntentResolution).toEqual({
      resolvedIntent: 'notes_recall',
      resolverKind: 'model_assisted_disclosed',
      classifierModelRef: 'reader/1',
      classifierConfidence: 0.9,
      userCanOverride: true,
      schemaVersion: 1,
    })
    expect(plan.searchScope.retrievalPosture.posture).toBe('derived_memory_primary')
    expect(heard).toHaveLength(1)
    // The question is data for it, and no record goes with it.
    const [system, user] = heard[0] ?? []
    expect(system?.content).not.toContain('soup')
    const between = user?.content.slice(
      user.content.indexOf(OPENING) + OPENING.length,
      user.content.lastIndexOf(CLOSING),
    )
    expect(JSON.parse(between ?? '')).toEqual({ question: OPEN })
  })

  it('[SR-2] [SR-15] shows prominently what a model was unsure of, below a threshold that is set', async () => {
    for (const [disclosureBelow, confidence, prominent] of [
      [undefined, 0.84, true],
      [undefined, 0.85, undefined],
      [0.5, 0.49, true],
      [0.5, 0.84, undefined],
    ] as const) {
      const { model } = reader(says('quotation', confidence))
      const settings = disclosureBelow === undefined ? {} : { disclosureBelow }
      const { host } = await world({ search: { model, ...settings } })
      const { plan } = await host.documents.plan({ query: OPEN })
      expect(plan.queryIntentResolution.prominent).toBe(prominent)
    }
  })

  it('[SR-2] goes by words where a model fails or answers with something else', async () => {
    for (const answer of [
      'synthesis',
      '',
      '{}',
      says('guessing', 0.9),
      says('synthesis', 1.2),
      says('synthesis', -0.1),
      JSON.stringify({ intent: 'synthesis', confidence: '0.9' }),
      JSON.stringify({ intent: 'synthesis', confidence: 0.9, also: 'this' }),
      `Sure: ${says('synthesis', 0.9)}`,
      new Error('down'),
    ]) {
      const { heard, model } = reader(answer)
      const { host } = await world({ search: { model } })
      const { plan } = await host.documents.plan({ query: OPEN })
      expect(plan.queryIntentResolution).toMatchObject({
        resolvedIntent: 'evidence_search',
        patternId: 'default',
      })
      expect(heard).toHaveLength(1)
    }
  })

  it('[SR-2] asks no model where a pattern, a tag or a profile decides', async () => {
    const { heard, model } = reader(says('synthesis', 1))
    const { privity, tenant, host } = await world({ search: { model } })
    await host.documents.plan({ query: 'Quote what they said' })
    await host.documents.search({ query: OPEN, intent: 'quotation' })
    const { profile } = await host.profiles.create({ queryIntent: 'review_audit' })
    await host.profiles.activate(profile)
    await privity.as({ tenant, actor: 'hana', profile }).documents.bundle({ query: OPEN })
    expect(heard).toEqual([])
    // A guest's question goes there like anybody's, and holds for the guest.
    const { view } = await host.views.create({ corpus: 'bank' })
    const { guest } = await openLink(privity, (await grantLink(host, [view])).token)
    const { plan } = await guest.documents.plan({ query: OPEN })
    expect(plan.queryIntentResolution.resolverKind).toBe('model_assisted_disclosed')
    expect(heard).toHaveLength(1)
  })
})
