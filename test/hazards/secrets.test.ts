import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { PrivityError } from '../../src/errors.js'
import type { Handle } from '../../src/handle.js'
import type { Privity } from '../../src/open.js'
import { OPERATIONS } from '../../src/operations.js'
import type { Credential } from '../../src/runtime/caller.js'
import type { RequestOptions } from '../../src/runtime/runtime.js'
import { visibleReceipt } from '../../src/runtime/search/receipt.js'
import { testClock } from '../../src/testing/clock.js'
import { type SharedStore, sharedStore } from '../support/shared-store.js'
import { engines } from '../support/stores.js'

const owner = (tenant: string, actor: string): Credential => ({ tenant, actor })
const hostOf = (tenant: string): Credential => ({ tenant, actor: 'warden', audience: 'host' })
const agentOf = (tenant: string, actor: string): Credential => ({
  tenant,
  actor: 'helper',
  audience: 'agent',
  for: actor,
  trust: { maxSensitivity: 'medium' },
})
const notOfThisRequest = {
  code: 'invalid_input',
  message: 'cursor: is not valid for this request; ask for the first page again, without a cursor',
}
const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g

describe.each(engines)('what an answer carries on %s', engine => {
  let store: SharedStore
  let privity: Privity
  beforeAll(async () => {
    store = await sharedStore(engine)
    privity = await store.instance()
  })
  afterAll(async () => {
    await privity.close()
    await store.dispose()
  })

  describe('cursors', () => {
    let tenant: string
    let ana: Handle
    let ids: string[]
    beforeAll(async () => {
      tenant = store.tenant()
      ana = privity.as(owner(tenant, 'ana'))
      ids = []
      for (const text of ['one', 'two', 'three', 'four', 'five'])
        ids.push((await ana.remember({ kind: 'note', text, tags: ['all', text] })).id)
      await privity.as(owner(tenant, 'ben')).remember({ kind: 'note', text: 'of another' })
    })
    const cursorOf = async (asked: Promise<{ cursor: string | null }>) => (await asked).cursor ?? ''

    it('[NI-9] show nothing of what they hold', async () => {
      const times = (await ana.list()).records.map(({ createdAt }) => createdAt)
      const cursors = [
        await cursorOf(ana.list({ limit: 1 })),
        await cursorOf(ana.list({ limit: 2, order: 'oldest' })),
        await cursorOf(ana.audit.list({ limit: 1 })),
      ]
      for (const cursor of cursors) {
        expect(cursor).toMatch(/^[\w-]{40,}$/)
        const bytes = Buffer.from(cursor, 'base64url')
        for (const form of [bytes.toString('latin1'), bytes.toString('hex'), cursor]) {
          for (const id of ids) {
            expect(form).not.toContain(id)
            expect(form).not.toContain(id.replaceAll('-', ''))
          }
          for (const time of times) {
            expect(form).not.toContain(time)
            expect(form).not.toContain(String(Date.parse(time)))
          }
        }
      }
    })

    it('[NI-9] are equal for equal states, of one length, and unmoved by what is hidden', async () => {
      const newest = await cursorOf(ana.list({ limit: 2 }))
      expect(await cursorOf(ana.list({ limit: 2 }))).toBe(newest)
      for (let more = 0; more < 3; more++)
        await privity.as(owner(tenant, 'ben')).remember({ kind: 'note', text: 'hidden', tags: ['all'] })
      expect(await cursorOf(ana.list({ limit: 2 }))).toBe(newest)
      const cursors = [newest]
      for (const order of ['newest', 'oldest'] as const)
        for (const limit of [1, 2, 3, 4])
          cursors.push(await cursorOf(ana.list({ order, limit, tags: ['all'] })))
      expect(new Set(cursors.map(cursor => cursor.length)).size).toBe(1)
      expect(new Set(cursors).size).toBe(cursors.length)
      const entries = [
        await cursorOf(ana.audit.list({ limit: 1 })),
        await cursorOf(ana.audit.list({ limit: 3 })),
      ]
      expect(new Set(entries.map(cursor => cursor.length)).size).toBe(1)
    })

    it('[NI-9] belong to their caller and their question', async () => {
      const cursor = await cursorOf(ana.list({ limit: 2, tags: ['all'] }))
      const next = { limit: 2, tags: ['all'], cursor }
      expect((await ana.list(next)).records.map(({ id }) => id)).toEqual([ids[2], ids[1]])
      expect((await ana.list({ ...next, limit: 9 })).records).toHaveLength(3)
      const refused = [
        ana.list({ ...next, tags: ['one'] }),
        ana.list({ ...next, order: 'oldest' }),
        ana.list({ ...next, kinds: ['note'] }),
        ana.list({ limit: 2, cursor }),
        ana.audit.list({ cursor }),
        ana.people.list({ cursor }),
        privity.as(owner(tenant, 'ben')).list(next),
        privity.as(owner(store.tenant(), 'ana')).list(next),
        privity.as(agentOf(tenant, 'ana')).list(next),
        privity.as({ ...hostOf(tenant), actor: 'ana' }).list(next),
      ]
      for (const request of refused) await expect(request).rejects.toMatchObject(notOfThisRequest)
    })

    it('[NI-9] cannot be made or changed', async () => {
      const cursor = await cursorOf(ana.list({ limit: 2 }))
      const bytes = Buffer.from(cursor, 'base64url')
      const forged = [0, 5, 12, 20, 28, bytes.length - 1].map(at => {
        const changed = Buffer.from(bytes)
        changed[at] = (changed[at] ?? 0) ^ 1
        return changed.toString('base64url')
      })
      const made = [
        '',
        'x',
        cursor.slice(0, 20),
        cursor.slice(0, -4),
        `${cursor}AAAA`,
        cursor.slice(0, 37),
        Buffer.from(`0000000000000000${ids[0]}`).toString('base64url'),
        '\u{1f600}',
      ]
      for (const given of [...forged, ...made])
        await expect(ana.list({ cursor: given }), given).rejects.toMatchObject({ code: 'invalid_input' })
    })
  })

  it('[NI-6] ids are random and follow no order', async () => {
    const tenant = store.tenant()
    const ana = privity.as(owner(tenant, 'ana'))
    const records = await ana.remember(
      Array.from({ length: 60 }, (_, at) => ({ kind: 'note' as const, text: `note ${at}` })),
    )
    const target = { kind: 'corpus', ref: 'papers' } as const
    const others = [
      await ana.people.add({ person: 'ben' }),
      await ana.groups.create({ name: 'team' }),
      await ana.overlays.add({ target, restriction: 'none' }),
      await ana.grants.add({ grantee: 'ben', target }),
    ]
    const ids = [...records, ...others].map(({ id }) => id)
    for (const id of ids)
      expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
    expect(new Set(ids).size).toBe(ids.length)
    const ascents = ids.filter((id, at) => at > 0 && id > (ids[at - 1] ?? '')).length
    expect(ascents).toBeGreaterThan(10)
    expect(ascents).toBeLessThan(ids.length - 10)
    // No part of them stands still, as a clock or a node would.
    for (const part of [0, 9, 15, 20, 24, 30])
      expect(new Set(ids.map(id => id.slice(part, part + 4))).size).toBeGreaterThan(20)
  })

  it('[NI-6] no answer to an agent, and no error, holds the id of anything it cannot see', async () => {
    const tenant = store.tenant()
    const ana = privity.as(owner(tenant, 'ana'))
    const ben = privity.as(owner(tenant, 'ben'))
    const note = async (handle: Handle, more: object = {}) =>
      (await handle.remember({ kind: 'note', text: 'text', sensitivity: 'low', ...more })).id
    const [seen, preview, metadata] = [
      await note(ana),
      await note(ana, { corpus: 'papers' }),
      await note(ana, { sensitivity: 'high' }),
    ]
    const target = { kind: 'corpus', ref: 'papers' } as const
    await ana.overlays.add({ target, restriction: 'preview_only' })
    const unconsented = await note(ana, { participants: ['cyd'] })
    const secret = await note(ana, { sensitivity: 'hyper' })
    const source = await note(ana)
    const blocked = await note(ana, { document: 'sealed' })
    await ana.overlays.add({ target: { kind: 'document', ref: 'sealed' }, restriction: 'blocked' })
    const derived = await note(ana, { derivedFrom: [unconsented, seen] })
    const successor = (await ana.revise({ how: 'supersede', record: source, by: { text: 'new' } })).records[0]
      ?.id
    const twin = await note(ana, { redactedOf: secret, sensitivity: 'hyper' })
    const group = await ben.groups.create({ name: 'team' })
    const theirs = await note(ben, { owner: group.principal })
    const foreign = await note(ben)
    for (const hidden of [unconsented, secret, derived, twin, blocked]) {
      if (hidden !== blocked) {
        await ana.relate({ from: seen, to: hidden, type: 'about' })
        await ana.relate({ from: hidden, to: seen, type: 'see' })
      }
    }
    await ana.relate({ from: seen, to: metadata, type: 'about' })
    await ana.relate({ from: metadata, to: seen, type: 'from above' })
    const people = (await ana.people.list()).people.map(({ id }) => id)
    const facts = [...(await ana.overlays.list()).overlays, ...(await ben.groups.list()).groups].map(
      ({ id }) => id,
    )

    const agent = agentOf(tenant, 'ana')
    const hidden = [unconsented, secret, source, blocked, derived, twin, theirs, foreign]
    const visible = [seen, preview, metadata, successor ?? '']
    const said: string[] = []
    const ask = async (name: string, input: object, options?: RequestOptions) => {
      const answer = await privity.invoke(agent, name, input, options).then(
        value => JSON.stringify(value),
        (error: unknown) => {
          if (!(error instanceof PrivityError)) throw error
          return JSON.stringify({ ...error, message: error.message, cause: String(error.cause) })
        },
      )
      said.push(answer)
      return answer
    }
    for (const record of [...hidden, ...visible]) {
      const isVisible = visible.includes(record)
      expect(await ask('memory.get', { record }), record).toMatch(isVisible ? record : /^null$/)
    }
    expect(JSON.parse(said.at(-4) ?? '').relations).toEqual([
      { type: 'about', direction: 'out', record: metadata },
    ])
    for (let cursor: string | null = null, more = true; more; more = cursor !== null) {
      const page: { cursor: string | null } = JSON.parse(
        await ask('memory.list', { limit: 2, ...(cursor !== null && { cursor }) }),
      )
      cursor = page.cursor
    }
    for (const filter of [
      { people: ['cyd'] },
      { corpus: 'papers' },
      { owner: 'ben' },
      { owner: group.principal },
    ])
      await ask('memory.list', filter)
    for (const record of hidden) {
      // The id it asked with is its own word; nothing else may come back with it.
      await ask('memory.relate', { from: seen, to: record, type: 'about' })
      await ask('memory.relate', { from: seen, to: record, type: 'derived_from' })
      await ask('memory.revise', { how: 'merge', records: [seen, record], by: { text: 'merged' } })
      await ask('memory.remember', { records: [{ kind: 'note', text: 'text', derivedFrom: [record] }] })
      await ask('memory.relabel', { record, sensitivity: 'hyper' })
    }
    await ask('memory.remember', { records: [{ kind: 'note', text: 'text', derivedFrom: [seen] }] })
    await ask('memory.relate', { from: successor ?? '', to: seen, type: 'derived_from' })
    await ask('memory.revise', { how: 'contest', record: seen, reason: 'because' })
    await ask('memory.get', { record: seen })
    await ask('capabilities.check', { capability: 'memory.forget' })
    for (const { name } of OPERATIONS) await ask(name, { record: seen, records: [seen], cursor: 'x' })

    expect(said.length).toBeGreaterThan(90)
    const ids = new Set(said.join('\n').match(UUID))
    for (const id of [...hidden, ...people, ...facts, group.id]) expect([...ids]).not.toContain(id)
    for (const id of visible) expect([...ids]).toContain(id)
  })
})

const telling =
  /exclu|filtered|withheld|hidden|drift|stale|partner|total|remaining|completeness|position|rank/i

describe('the declared disclosures', () => {
  /** What speaks of more than the results, and may: to an owner of what it could see itself, to others of their own set. */
  const ALLOWED: Readonly<Record<string, readonly string[]>> = {
    'memory.search': ['excludedVersions', 'withheld'],
    'search.execute': ['excludedVersions'],
    // As the receipt says it that the bundle names.
    'search.bundle': ['completeness'],
    'search.answer': ['completeness'],
    // How much a host or the product allows at once, whatever is held.
    'capabilities.who': ['total'],
    // Of what the binding brought that the caller sees.
    'bindings.health': ['totalFires'],
    // Set once, when a view is shared, and told where the view says so; its host reads what it said (SV-4, CV-4).
    'profiles.current': ['excludedCountTotal', 'drifted'],
    'views.create': ['disclosesExclusions', 'excludedCount'],
    'views.get': ['disclosesExclusions', 'excludedCount'],
    'views.list': ['disclosesExclusions', 'excludedCount'],
    // What a host decided, and figures of what its own links were used for.
    ...Object.fromEntries(
      [
        'links.grant',
        'links.get',
        'links.list',
        'links.change',
        'links.copy',
        'links.revoke',
        'links.request_files',
      ].map(
        name =>
          [
            name,
            ['activeSessionDisposition', 'downloadedCopiesDisposition', 'cachedResponseDisposition'],
          ] as const,
      ),
    ),
    'links.access_log': ['totals'],
    // Whether this caller reads texts of documents at all, whatever there is (NI-12).
    ...Object.fromEntries(
      [
        'memory.get',
        'memory.list',
        'memory.history',
        'memory.timeline',
        'memory.retrieve_graph',
        'memory.forget_preview',
        'memory.forget_candidates',
        'searches.changes',
        'memory.select',
      ].map(name => [name, ['withheld']] as const),
    ),
    // The order a participant gave themselves, and which of it left the pool (CB-7).
    'strategies.pool': ['ranking', 'position', 'stale'],
    'strategies.rank': ['ranking', 'position', 'stale'],
    ...Object.fromEntries(
      [
        'agreements.propose',
        'agreements.agree',
        'agreements.close',
        'agreements.list',
        'shared.list',
        'experiments.add',
        'experiments.report',
      ].map(name => [name, ['hasStaleInputs', 'staleReason', 'staleNotice']] as const),
    ),
    receipt: [
      'resultSetCompleteness',
      'excludedCountTotal',
      'excludedCorpora',
      'excludedFilingUnits',
      'excludedFilingParts',
      'excludedCount',
      'policyFilteredCount',
      'visibilityFilteredCount',
      'stalenessFilteredCount',
      'anyIndexStale',
      'stalenessSummary',
      'staleSeconds',
    ],
  }
  const hasReceipt = (name: string) =>
    [
      'memory.search',
      'memory.context',
      'memory.retrieve_graph',
      'memory.select',
      'search.execute',
      'searches.changes',
      'receipts.get',
      'receipts.list',
    ].includes(name)

  it('[NI-8] but for receipts, what views disclose and what rests on a strategy no longer shared, no answer has a field for figures of exclusion, drift, staleness or a partner', () => {
    const fields = OPERATIONS.flatMap(({ name, output }) => {
      const schema = z.toJSONSchema(output, { unrepresentable: 'any', io: 'input' })
      return fieldsOf(schema).map(field => `${name}: ${field}`)
    })
    expect(fields).toContain('memory.list: cursor')
    expect(fields).toContain('audit.list: counts')
    const isAllowed = (name: string, field: string) =>
      ALLOWED[name]?.includes(field) === true ||
      (hasReceipt(name) && ALLOWED.receipt?.includes(field) === true)
    const told = fields.map(field => field.split(': ') as [string, string])
    expect(told.filter(([name, field]) => telling.test(field) && !isAllowed(name, field))).toEqual([])
  })

  it('[NI-8, CV-2] what an agent gets of a receipt has no figure of exclusion but the one that views set', () => {
    expect(Object.keys(visibleReceipt.shape).filter(field => telling.test(field))).toEqual([
      'resultSetCompleteness',
      'excludedCountTotal',
    ])
  })

  function fieldsOf(schema: unknown): string[] {
    if (typeof schema !== 'object' || schema === null) return []
    return Object.entries(schema).flatMap(([key, part]) => [
      ...(key === 'properties' ? Object.keys(part) : []),
      ...fieldsOf(part),
    ])
  }
})

describe.each(engines)('caches on %s', engine => {
  it('[NI-8] change no answer: one that is warm and one made anew for every request say the same to the byte', async () => {
    const [warm, fresh] = [await transcript(engine, 'one'), await transcript(engine, 'each')]
    expect(warm.length).toBeGreaterThan(60)
    for (const [at, step] of warm.entries()) expect(fresh[at]).toEqual(step)
    // It was not about nothing.
    const told = warm.join('\n')
    const signs = [
      '"face":"full"',
      '"face":"metadata"',
      'not_found',
      'not_allowed',
      '"cursor":"',
      'text 1',
      '"gates"',
    ]
    expect(signs.filter(sign => !told.includes(sign))).toEqual([])
  })

  /** What is said in one session of several callers, while facts change under them. */
  async function transcript(on: typeof engine, instances: 'one' | 'each'): Promise<string[]> {
    const store = await sharedStore(on)
    const clock = testClock()
    await store.instance(clock)
    // The key of a store is random; here two stores have the same.
    await store.sql(`update privity.keys set secret = sha256('the same key')`)
    const kept = await store.instance(clock)
    const said: string[] = []
    const known = new Set<string>()
    const tenant = 'home'
    const [ana, ben, warden] = [owner(tenant, 'ana'), owner(tenant, 'ben'), hostOf(tenant)]
    const agent = agentOf(tenant, 'ana')
    const trust = { maxSensitivity: 'low' }
    const bound = { ...ana, policy: 'p' }

    const ask = async (credential: Credential, name: string, input: object, options?: RequestOptions) => {
      clock.advance(1_000)
      clock.seed(`step ${said.length}`)
      const privity = instances === 'one' ? kept : await store.instance(clock)
      // A new instance makes an id for the caller's own person, in case there is none; this one would not.
      const who = JSON.stringify([credential.actor, credential.for])
      if (instances === 'one' && known.has(who)) clock.newId('person')
      known.add(who)
      const answer = await privity.invoke(credential, name, input, options).then(
        value => JSON.stringify(value),
        (error: unknown) => {
          if (!(error instanceof PrivityError)) throw error
          return JSON.stringify([error.code, error.message, error.reason])
        },
      )
      said.push(`${name} ${answer}`)
      return JSON.parse(answer) as Answer
    }
    const look = async (record: string) => {
      for (const reader of [ana, agent, ben]) {
        await ask(reader, 'memory.get', { record })
        await ask(reader, 'memory.list', { limit: 2 })
      }
    }

    const drafts = [1, 2, 3].map(at => ({
      kind: 'note',
      text: `text ${at}`,
      sensitivity: 'medium',
      participants: ['cyd'],
      corpus: 'papers',
    }))
    const { records } = await ask(ana, 'memory.remember', { records: drafts }, { idempotencyKey: 'once' })
    const [record = '', other = ''] = records.map(({ id }) => id)
    await look(record)
    await ask(ana, 'people.consent', { person: 'cyd', status: 'granted' })
    await look(record)
    await ask(ana, 'memory.relate', { from: record, to: other, type: 'about' })
    await ask(ana, 'memory.relabel', { record: other, sensitivity: 'high' })
    await look(record)
    await look(other)
    const target = { kind: 'corpus', ref: 'papers' }
    const overlay = await ask(ana, 'overlays.add', { target, restriction: 'explicit_access_required' })
    await look(record)
    const grant = await ask(ana, 'grants.add', { grantee: 'ana', target })
    await look(record)
    await ask(ana, 'grants.revoke', { grant: grant.id })
    await look(record)
    await ask(ana, 'overlays.remove', { overlay: overlay.id })
    const { cursor } = await ask(agent, 'memory.list', { limit: 1 })
    await ask(agent, 'memory.list', { limit: 1, cursor })
    await ask(ana, 'memory.remember', { records: drafts }, { idempotencyKey: 'once' })
    await ask(agent, 'memory.remember', { records: [{ kind: 'note', text: 'mine', sensitivity: 'low' }] })
    const group = await ask(ana, 'groups.create', { name: 'team' })
    await ask(ana, 'groups.add_member', { group: group.id, member: 'ben' })
    const ours = await ask(ana, 'memory.remember', {
      records: [{ kind: 'note', text: 'ours', owner: `group:${group.id}` }],
    })
    await look(ours.records[0]?.id ?? '')
    await ask(ana, 'groups.remove_member', { group: group.id, member: 'ben' })
    await look(ours.records[0]?.id ?? '')
    await ask(bound, 'memory.list', {})
    await ask(warden, 'policies.set', { policy: 'p', mode: 'allow_all_except' })
    await ask(bound, 'memory.list', { limit: 1 })
    await ask(warden, 'capabilities.set_lifecycle', { capability: 'memory.list', lifecycleState: 'retired' })
    await ask(bound, 'memory.list', { limit: 1 })
    await ask(agent, 'memory.list', { limit: 1 })
    await ask(agent, 'capabilities.check', { capability: 'memory.list' })
    await ask(ana, 'people.list', { limit: 1 })
    await ask(ana, 'memory.explain', {
      record,
      as: { actor: 'helper', audience: 'agent', trust, for: 'ana' },
    })
    await ask(ana, 'memory.forget', { records: [record] })
    await ask(ana, 'memory.relate', { from: other, to: record, type: 'about' })
    await look(record)
    await ask(ana, 'audit.list', { limit: 100 })
    await ask(ana, 'audit.list', { limit: 3 })
    await store.dispose()
    return said
  }
})

interface Answer {
  readonly id: string
  readonly cursor: string | null
  readonly records: readonly { readonly id: string }[]
}
