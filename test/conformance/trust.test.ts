import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { OPERATIONS } from '../../src/operations.js'
import type { Credential, TrustContext } from '../../src/runtime/caller.js'
import { openTestPrivity, type TestPrivity } from '../support/privity.js'
import { bothEngines } from '../support/stores.js'

const SENSITIVITIES = ['public', 'low', 'medium', 'high', 'hyper'] as const

/** What each maximum shows of each sensitivity, in the order of the list above. */
const FACES = {
  public: ['full', 'metadata', null, null, null],
  low: ['full', 'full', 'metadata', null, null],
  medium: ['full', 'full', 'full', 'metadata', null],
  high: ['full', 'full', 'full', 'full', 'metadata'],
  hyper: ['full', 'full', 'full', 'full', 'full'],
} as const

describe.each(bothEngines)('trust on %s', engine => {
  let store: TestPrivity
  beforeAll(async () => {
    store = await openTestPrivity(engine)
  })
  afterAll(() => store.dispose())

  function world() {
    const tenant = store.tenant()
    const helper = (trust?: TrustContext): Credential => ({
      tenant,
      actor: 'helper',
      audience: 'agent',
      for: 'ana',
      ...(trust && { trust }),
    })
    return {
      tenant,
      helper,
      ana: store.privity.as({ tenant, actor: 'ana' }),
      agent: (trust: TrustContext) => store.privity.as(helper(trust)),
    }
  }

  it('[TR-1] shows each sensitivity to each maximum in full, as metadata or not at all', async () => {
    const { tenant, ana, agent } = world()
    const stored = await ana.remember(
      SENSITIVITIES.map(sensitivity => ({ kind: 'note' as const, text: sensitivity, sensitivity })),
    )
    for (const maxSensitivity of SENSITIVITIES) {
      const trust = { maxSensitivity }
      const callers = { agent: agent(trust), owner: store.privity.as({ tenant, actor: 'ana', trust }) }
      for (const [who, caller] of Object.entries(callers)) {
        const got = await Promise.all(stored.map(({ id }) => caller.get(id)))
        expect(
          got.map(view => view?.face ?? null),
          `${who} up to ${maxSensitivity}`,
        ).toEqual(FACES[maxSensitivity])
        const { records } = await caller.list()
        expect(records.toSorted(byId)).toEqual(got.filter(view => view !== null).toSorted(byId))
      }
    }
  })

  it('[TR-2] refuses an agent without trust in every operation it may call, and records the refusal', async () => {
    const { tenant, helper, ana } = world()
    const { id } = await ana.remember({ kind: 'note', text: 'x', sensitivity: 'public' })
    const open = OPERATIONS.filter(operation => operation.callers === 'anyone').map(({ name }) => name)
    expect(open).toContain('memory.get')
    const refused = { code: 'trust_required', reason: 'session.trust_missing' }
    for (const name of open) {
      for (const audience of ['agent', 'recipient'] as const) {
        const asked = store.privity.invoke({ ...helper(), audience }, name, { record: id })
        await expect(asked, name).rejects.toMatchObject(refused)
      }
      const claimed = store.privity.invoke(helper(), name, {}, { trust: { maxSensitivity: 'public' } })
      await expect(claimed, name).rejects.toMatchObject(refused)
    }
    const first = await ana.audit.list({ limit: 200 })
    const second = await ana.audit.list({
      limit: 200,
      ...(first.cursor === null ? {} : { cursor: first.cursor }),
    })
    expect(second.cursor).toBeNull()
    const recorded = [...first.entries, ...second.entries].filter(entry => entry.outcome === 'trust_required')
    expect(recorded.map(entry => entry.operation).sort()).toEqual([...open, ...open, ...open].sort())
    expect(new Set(recorded.map(entry => `${entry.actor} ${entry.reason}`))).toEqual(
      new Set(['helper session.trust_missing']),
    )
    expect(await store.privity.as({ tenant, actor: 'ana' }).get(id)).toMatchObject({ face: 'full' })
  })

  it('[TR-2] trusts an owner without a trust context with everything that is theirs', async () => {
    const { ana } = world()
    const { id } = await ana.remember({ kind: 'note', text: 'x', sensitivity: 'hyper', scope: 'work' })
    expect(await ana.get(id)).toMatchObject({ face: 'full' })
  })

  it('[TR-2, DE-3] clamps a claim to the credential and lets it ask for less', async () => {
    const { ana, agent } = world()
    const stored = await ana.remember(
      SENSITIVITIES.map(sensitivity => ({ kind: 'note' as const, text: sensitivity, sensitivity })),
    )
    const helper = agent({ maxSensitivity: 'medium' })
    const faces = async (trust?: TrustContext) => {
      const options = trust === undefined ? {} : { trust }
      const got = await Promise.all(stored.map(({ id }) => helper.get(id, options)))
      const listed = await helper.list({}, options)
      expect(listed.records).toHaveLength(got.filter(view => view !== null).length)
      return got.map(view => view?.face ?? null)
    }
    expect(await faces()).toEqual(FACES.medium)
    for (const above of ['high', 'hyper'] as const)
      expect(await faces({ maxSensitivity: above })).toEqual(FACES.medium)
    expect(await faces({ maxSensitivity: 'low' })).toEqual(FACES.low)
    expect(await faces({ maxSensitivity: 'public' })).toEqual(FACES.public)
    // A write sees through the same claim.
    const [, , medium] = stored
    const asked = helper.relabel(
      { record: medium?.id ?? '', tags: ['x'] },
      { trust: { maxSensitivity: 'low' } },
    )
    await expect(asked).rejects.toMatchObject({ code: 'not_found' })
  })

  it('[TR-2] refuses a claim or a credential with an unknown or missing maximum', async () => {
    const { helper, agent } = world()
    const wrong = [
      { maxSensitivity: 'secret' },
      { maxSensitivity: 4 },
      {},
      { scopes: ['a'] },
      null,
      'hyper',
      [],
    ]
    for (const trust of wrong) {
      const asked = agent({ maxSensitivity: 'hyper' }).list({}, { trust: trust as never })
      await expect(asked).rejects.toMatchObject({ code: 'invalid_input' })
      const credential = { ...helper(), trust: trust as never }
      expect(() => store.privity.as(credential)).toThrow(expect.objectContaining({ code: 'invalid_input' }))
    }
  })

  it('[TR-2] gives nothing for `authenticated` and takes nobody for the `actorId` of a claim', async () => {
    const { ana, agent } = world()
    await ana.remember([
      { kind: 'note', text: 'low', sensitivity: 'low' },
      { kind: 'note', text: 'medium', sensitivity: 'medium' },
      { kind: 'note', text: 'high', sensitivity: 'high', participants: ['ben'] },
    ])
    const plain = await agent({ maxSensitivity: 'low' }).list()
    expect(plain.records.map(({ face }) => face).sort()).toEqual(['full', 'metadata'])
    for (const authenticated of [true, false]) {
      const trust = { maxSensitivity: 'low', authenticated, actorId: 'ana' } as const
      expect(await agent(trust).list()).toEqual(plain)
      expect(await agent({ maxSensitivity: 'low' }).list({}, { trust })).toEqual(plain)
    }
    const { entries } = await ana.audit.list()
    const read = entries.filter(entry => entry.operation === 'memory.list')
    expect(read).toHaveLength(5)
    expect(read.every(entry => entry.actor === 'helper' && entry.for === 'ana')).toBe(true)
  })

  it('[TR-3] leaves of a metadata face what the rule lists, and of a preview its title and text', async () => {
    const tenant = store.tenant()
    const owner = store.privity.as({ tenant, actor: 'marker-owner' })
    const helper = { tenant, actor: 'helper', audience: 'agent', for: 'marker-owner' } as const
    const other = await owner.remember({ kind: 'note', text: 'other', sensitivity: 'public' })
    const { id } = await owner.remember({
      kind: 'episodic',
      title: 'marker-title',
      text: 'marker-text',
      fields: { 'marker-key': 'marker-value' },
      participants: ['marker-owner', 'marker-person'],
      provenance: { source: 'marker-source', note: 'marker-note' },
      spans: [{ document: 'marker-span', start: 1, end: 2 }],
      corpus: 'marker-corpus',
      filingUnit: 'marker-unit',
      version: 'marker-version',
      part: 'marker-part',
      document: 'marker-document',
      segment: 'marker-segment',
      surface: 'host_topics',
      visibilityClass: 'privileged',
      markedShareable: true,
      occurredAt: '1999-01-01T00:00:00Z',
      validFrom: '1999-01-01T00:00:00Z',
      validTo: '1999-01-01T00:00:00Z',
      expiresAt: '2999-01-01T00:00:00Z',
      sensitivity: 'high',
      scope: 'work',
      tags: ['b', 'a'],
      confidence: 0.25,
      salience: 0.75,
      pinned: true,
      derivedFrom: [other.id],
    })
    await owner.people.consent({ person: 'marker-person', status: 'granted' })
    await owner.relate({ from: id, to: other.id, type: 'marker-relation' })
    await owner.revise({ how: 'contest', record: id, reason: 'marker-reason' })
    const shown = {
      id,
      kind: 'episodic',
      sensitivity: 'high',
      confidence: 0.25,
      salience: 0.75,
      scope: 'work',
      tags: ['a', 'b'],
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      updatedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      provenance: null,
      relations: [],
      version: expect.stringMatching(/^[\w-]{22}$/),
    }
    const lesser = store.privity.as({ ...helper, trust: { maxSensitivity: 'medium' } })
    const metadata = await lesser.get(id)
    expect(metadata).toEqual({ ...shown, face: 'metadata', payload: null })
    expect((await lesser.list({ kinds: ['episodic'] })).records).toEqual([metadata])
    expect(JSON.stringify(metadata)).not.toMatch(/marker|1999|2999|privileged|host_topics|contest/)
    expect(JSON.stringify(metadata)).not.toContain(other.id)

    await owner.overlays.add({ target: { kind: 'document', ref: id }, restriction: 'preview_only' })
    const preview = await store.privity.as({ ...helper, trust: { maxSensitivity: 'high' } }).get(id)
    const payload = { title: 'marker-title', text: 'marker-text', contested: true }
    expect(preview).toEqual({ ...shown, face: 'preview', payload })
    expect(JSON.stringify({ ...preview, payload: null })).not.toMatch(/marker|1999|2999/)
    expect(await lesser.get(id)).toEqual(metadata)
  })

  it('[TR-4, TR-7] shows a scope to those who hold exactly it, and a joined one to those who hold each part', async () => {
    const { ana, agent, helper } = world()
    const named = await ana.remember([
      { kind: 'note', text: 'unscoped', sensitivity: 'low' },
      { kind: 'note', text: 'work', sensitivity: 'low', scope: 'work' },
      { kind: 'note', text: 'home', sensitivity: 'low', scope: 'home' },
      { kind: 'note', text: 'Work', sensitivity: 'low', scope: 'Work' },
      { kind: 'note', text: 'workshop', sensitivity: 'low', scope: 'workshop' },
    ])
    const [, work, home] = named.map(({ id }) => id)
    const derivedFrom = [work ?? '', home ?? '']
    const both = await ana.remember({ kind: 'note', text: 'both', sensitivity: 'low', derivedFrom })
    expect(both.scope).toBe('home+work')
    const everything = ['unscoped', 'work', 'home', 'Work', 'workshop', 'both'].sort()

    const cases: [held: string[] | undefined, claimed: string[] | undefined, shown: string[]][] = [
      [undefined, undefined, everything],
      [[], undefined, everything],
      [undefined, [], everything],
      [['work'], undefined, ['unscoped', 'work']],
      [['work'], [], ['unscoped', 'work']],
      [['work'], ['work', 'home'], ['unscoped', 'work']],
      [['work'], ['home'], ['unscoped']],
      [['nothing'], undefined, ['unscoped']],
      [['work', 'home'], undefined, ['both', 'home', 'unscoped', 'work']],
      [['work', 'home'], ['home'], ['home', 'unscoped']],
      [undefined, ['home'], ['home', 'unscoped']],
      [undefined, ['home', 'work'], ['both', 'home', 'unscoped', 'work']],
    ]
    for (const [held, claimed, shown] of cases) {
      const caller = agent({ maxSensitivity: 'low', ...(held && { scopes: held }) })
      const options = claimed ? { trust: { maxSensitivity: 'low' as const, scopes: claimed } } : {}
      const { records } = await caller.list({}, options)
      expect(records.map(({ payload }) => payload?.text).sort(), JSON.stringify([held, claimed])).toEqual(
        shown,
      )
      expect((await caller.get(both.id, options)) !== null).toBe(shown.includes('both'))
    }
    const joined = helper({ maxSensitivity: 'low', scopes: ['home+work'] })
    expect(() => store.privity.as(joined)).toThrow(expect.objectContaining({ code: 'invalid_input' }))
  })

  it('[TR-4] leaves not even a metadata face of what is out of scope', async () => {
    const { ana, agent } = world()
    const { id } = await ana.remember({ kind: 'note', text: 'x', sensitivity: 'high', scope: 'home' })
    const inside = agent({ maxSensitivity: 'medium', scopes: ['home'] })
    const outside = agent({ maxSensitivity: 'medium', scopes: ['work'] })
    expect(await inside.get(id)).toMatchObject({ face: 'metadata', scope: 'home' })
    expect(await outside.get(id)).toBeNull()
    expect(await outside.list()).toEqual({ records: [], cursor: null })
    expect(await inside.get(id, { trust: { maxSensitivity: 'medium', scopes: ['work'] } })).toBeNull()
  })

  it('[DE-3, PC-3] lets a claim turn consent on, never off, and knows no other claim', async () => {
    const { ana, agent } = world()
    const { id } = await ana.remember({ kind: 'note', text: 'x', sensitivity: 'low', participants: ['ben'] })
    const helper = agent({ maxSensitivity: 'hyper' })
    expect(await ana.get(id)).not.toBeNull()
    expect(await ana.get(id, { respectConsent: false })).not.toBeNull()
    expect(await ana.get(id, { respectConsent: true })).toBeNull()
    expect((await ana.list({}, { respectConsent: true })).records).toEqual([])
    for (const respectConsent of [undefined, true, false]) {
      expect(await helper.get(id, { respectConsent })).toBeNull()
      expect((await helper.list({}, { respectConsent })).records).toEqual([])
    }
    for (const claim of [{ respectConsent: 'yes' }, { stage: 4 }, { consentActive: true }, { actor: 'ana' }])
      await expect(ana.get(id, claim as never)).rejects.toMatchObject({ code: 'invalid_input' })
  })
})

const byId = (a: { id: string }, b: { id: string }) => (a.id < b.id ? -1 : 1)
