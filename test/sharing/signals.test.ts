import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Privity } from '../../src/open.js'
import { DEFAULT_GOVERNANCE_SPLIT } from '../../src/policy/governance-split.js'
import { SIGNAL_KINDS } from '../../src/policy/utility-signals.js'
import { ChainPolicies } from '../../src/runtime/profile-policies.js'
import type { ReadRequest } from '../../src/runtime/request.js'
import { governanceFor } from '../../src/sharing/governance.js'
import type { Transaction } from '../../src/storage/database.js'
import { insertProfile, type NewProfile, saveProfilePolicy } from '../../src/storage/queries/profiles.js'
import { listProfilePolicies, type ProfileRow } from '../../src/storage/queries/running-profile.js'
import { insertLink } from '../../src/storage/queries/share-links.js'
import { insertView } from '../../src/storage/queries/shared-views.js'
import { testClock } from '../../src/testing/index.js'
import { dumpTables, type SharedStore, sharedStore } from '../support/shared-store.js'
import { engines } from '../support/stores.js'

const CAPTURED_OF_NAMED = ['click_dwell', 'explicit_helpful', 'explicit_not_helpful']
const GLOBAL = 'host_global'
const LOCAL = 'session_local_only'
const REVIEWED = 'corpus_aggregate_review_required'
const START = new Date('2026-01-01T00:00:00.000Z')

describe.each(engines)('utility signals on %s', engine => {
  let store: SharedStore
  let privity: Privity
  let second: Privity
  const clock = testClock(START.toISOString())
  beforeAll(async () => {
    store = await sharedStore(engine)
    privity = await store.instance(clock)
    second = await store.instance(clock)
  })
  afterAll(async () => {
    await privity?.close()
    await second?.close()
    await store?.dispose()
  })

  /** A host with a paper in a corpus that it shares, and another that it does not. */
  async function world() {
    const tenant = store.tenant()
    clock.seed(tenant)
    clock.set(START.toISOString())
    const ana = privity.as({ tenant, actor: 'ana' })
    const paper = await ana.remember({
      kind: 'document',
      title: 'Brief',
      text: 'The storm brief of the harbour.',
      corpus: 'briefs',
      surface: 'source_documents',
      sensitivity: 'public',
      visibilityClass: 'public_open',
      markedShareable: true,
    })
    const secret = await ana.remember({
      kind: 'document',
      text: 'A storm nobody else hears of.',
      corpus: 'diary',
      visibilityClass: 'privileged',
    })
    const view = randomUUID()
    await asWriter(tenant, tx =>
      insertView(
        tx,
        tenant,
        {
          viewId: view,
          owner: 'ana',
          corpus: 'briefs',
          name: 'briefs',
          ownerSessionRef: null,
          exposedSurfaces: ['source_documents'],
          derivedMemorySharePolicy: 'exclude_all',
          hostAnnotationPolicy: 'exclude_all',
          viewTemporalMode: 'live_view',
          snapshotAt: null,
          documentScope: { kind: 'all_documents' },
          visibilityClassCeiling: 'public_open',
          disclosesExclusions: false,
          excludedCount: null,
          sharedAt: null,
          createdAt: START,
        },
        null,
      ),
    )

    /** A profile that runs; those by link are of somebody who came by one. */
    async function profile(given: Partial<NewProfile> = {}): Promise<string> {
      const profileId = randomUUID()
      await asWriter(tenant, tx =>
        insertProfile(tx, tenant, {
          profileId,
          owner: 'ana',
          actor: 'ana',
          sessionKind: 'host_session',
          identityMode: 'host_user',
          state: 'active',
          linkId: null,
          parentProfile: null,
          expiresAt: null,
          createdBy: 'ana',
          createdAt: START,
          activatedAt: START,
          version: 1,
          hash: 'x',
          policyGeneration: null,
          views: [],
          ...given,
          fields: { capabilityPolicyRef: 'built-in:owner', ...given.fields },
        }),
      )
      return profileId
    }

    async function recipient(identityMode: string, given: Partial<NewProfile> = {}, on = privity) {
      const actor = `recipient:${randomUUID()}`
      const linkId = randomUUID()
      await asWriter(tenant, tx =>
        insertLink(
          tx,
          tenant,
          {
            linkId,
            owner: 'ana',
            name: 'counsel',
            createdBy: 'host',
            ownerSessionRef: null,
            viewIds: [view],
            documentAccessPolicyRef: null,
            allowedActions: [],
            recipientIdentityMode: identityMode,
            recipientEmail: null,
            approvedName: null,
            maxSensitivity: 'low',
            sessionSeconds: 3_600,
            rateLimits: {
              maxQueriesPerHour: 1_000,
              maxDocumentViewsPerHour: 1_000,
              maxUploadsPerDay: 0,
              maxRecipientSessionsConcurrent: 100,
            },
            watermarkDownloads: false,
            watermarkPolicy: null,
            auditVisibility: 'host_full',
            policyRefs: {},
            sessionIdleSeconds: null,
            fileRequest: null,
            agreement: null,
            addressRules: null,
            notices: {},
            copyOf: null,
            expiresAt: null,
            createdAt: START,
          },
          { tokenHash: Buffer.from(linkId), passcodeHash: null },
        ),
      )
      const profileId = await profile({
        actor,
        sessionKind: 'share_link_session',
        identityMode,
        linkId,
        views: [view],
        ...given,
      })
      const credential = {
        tenant,
        actor,
        audience: 'recipient' as const,
        trust: { maxSensitivity: 'low' as const },
        profile: profileId,
      }
      return { profileId, handle: on.as(credential), again: second.as(credential) }
    }

    const policy = (kind: string, policyId: string, said: object, owner = 'ana') =>
      asWriter(tenant, tx =>
        saveProfilePolicy(tx, tenant, { kind, policyId, owner, policy: said, createdAt: START }),
      )
    return { tenant, ana, paper: paper.id, secret: secret.id, profile, recipient, policy }
  }

  const asWriter = <T>(tenant: string, fn: (tx: Transaction) => Promise<T>) =>
    store.db.transaction(
      { access: 'write', role: 'privity_writer', settings: { 'privity.tenant': tenant } },
      fn,
    )

  const local = (tenant: string) =>
    store.sql('select kind, times, dwell_ms from privity.session_signals where tenant_id = $1', [tenant])

  describe('defaults', () => {
    const session = (sessionKind: string, identityMode: string, route: string) => ({
      sessionKind,
      identityMode,
      route,
    })

    it.each([
      session('host_session', 'host_user', GLOBAL),
      session('system_agent_session', 'system_agent', GLOBAL),
      session('subagent_session', 'system_agent', GLOBAL),
    ])('[SP-8] a $sessionKind gives everything to its host', async ({ sessionKind, identityMode, route }) => {
      const { ana, profile, paper } = await world()
      const under = { profile: await profile({ sessionKind, identityMode }) }
      for (const kind of SIGNAL_KINDS)
        expect(await ana.signals.record({ kind, record: paper }, under)).toEqual({ captured: true, route })
      const { records } = await ana.signals.summary()
      expect(records).toEqual(
        SIGNAL_KINDS.map(kind => ({
          owner: 'ana',
          record: paper,
          corpus: 'briefs',
          kind,
          count: 1,
          dwellMs: 0,
        })),
      )
    })

    it.each([
      'anonymous_share_token',
      'passcode_required',
    ])('[SP-8] of a recipient by %s only how long it stayed is kept, in its session', async identityMode => {
      const { ana, tenant, paper, recipient } = await world()
      const { handle } = await recipient(identityMode)
      for (const kind of SIGNAL_KINDS) {
        const captured = kind === 'click_dwell'
        expect(await handle.signals.record({ kind, record: paper })).toEqual({ captured, route: null })
      }
      expect(await local(tenant)).toEqual([{ kind: 'click_dwell', times: '1', dwell_ms: '0' }])
      expect(await ana.signals.pending()).toEqual({ pending: [] })
      expect(await ana.signals.summary()).toEqual({ corpora: [], records: [], cursor: null })
    })

    it.each([
      'email_bound',
      'host_approved_named_external',
    ])('[SP-8] of a recipient by %s the host reviews sums of a corpus', async identityMode => {
      const { ana, tenant, paper, recipient } = await world()
      const { handle } = await recipient(identityMode)
      for (const kind of SIGNAL_KINDS) {
        const captured = CAPTURED_OF_NAMED.includes(kind)
        expect(await handle.signals.record({ kind, record: paper })).toEqual({ captured, route: null })
      }
      const pending = CAPTURED_OF_NAMED.map(kind => ({
        owner: 'ana',
        corpus: 'briefs',
        kind,
        count: 1,
        dwellMs: 0,
      }))
      expect(await ana.signals.pending()).toEqual({ pending })
      expect(await ana.signals.summary()).toMatchObject({ corpora: [], records: [] })
      expect(await local(tenant)).toEqual([])
    })

    it('[SP-8] plain use is a session of the host, and an agent does as its host does', async () => {
      const { tenant, ana, paper } = await world()
      const trust = { maxSensitivity: 'hyper' as const }
      const helper = privity.as({ tenant, actor: 'helper', for: 'ana', audience: 'agent', trust })
      const host = privity.as({ tenant, actor: 'desk', for: 'ana', audience: 'host' })
      for (const caller of [ana, helper, host])
        for (const kind of SIGNAL_KINDS)
          expect(await caller.signals.record({ kind, record: paper })).toEqual({
            captured: true,
            route: GLOBAL,
          })
      const { records } = await ana.signals.summary()
      expect(records.map(({ count }) => count)).toEqual([3, 3, 3, 3, 3])
    })

    it('[SP-8] a recipient without a session gives nothing', async () => {
      const { tenant } = await world()
      const trust = { maxSensitivity: 'low' as const }
      const stray = privity.as({ tenant, actor: 'recipient:x', audience: 'recipient', trust })
      expect(await stray.signals.record({ kind: 'click_dwell' })).toEqual({ captured: false, route: null })
    })

    it('[SP-8] a sub-agent does as whatever spawned it, unless it says otherwise', async () => {
      const { ana, profile, policy } = await world()
      await policy('utility_signal_policy', 'own', {
        utilitySignalCapture: REVIEWED,
        captureKinds: ['result_share'],
      })
      const child = { sessionKind: 'subagent_session', identityMode: 'system_agent' }
      const parent = await profile({ fields: { utilitySignalPolicyRef: 'own' } })
      const middle = await profile({ ...child, parentProfile: parent })
      const leaf = await profile({ ...child, parentProfile: middle })
      const record = (under: string, kind: (typeof SIGNAL_KINDS)[number]) =>
        ana.signals.record({ kind }, { profile: under })
      for (const under of [parent, middle, leaf]) {
        expect(await record(under, 'result_share')).toEqual({ captured: true, route: REVIEWED })
        expect(await record(under, 'click_dwell')).toEqual({ captured: false, route: null })
      }
      const other = await profile({ ...child, parentProfile: await profile() })
      expect(await record(other, 'click_dwell')).toEqual({ captured: true, route: GLOBAL })
      // What spawned it is not there any more.
      const orphan = await profile({ ...child, parentProfile: randomUUID() })
      expect(await record(orphan, 'click_dwell')).toEqual({ captured: false, route: null })
    })
  })

  describe('policies', () => {
    it('[SP-8] what a profile refers to holds; a reference that leads nowhere captures nothing', async () => {
      const { ana, profile, policy, tenant } = await world()
      const dwell = { utilitySignalCapture: LOCAL, captureKinds: ['click_dwell'] }
      await policy('utility_signal_policy', 'dwell', dwell)
      await policy('utility_signal_policy', 'of ben', dwell, 'ben')
      await policy('utility_signal_policy', 'broken', { utilitySignalCapture: 'everywhere' })
      await policy('output_policy', 'of another kind', dwell)
      const under = async (utilitySignalPolicyRef: string) => ({
        profile: await profile({ fields: { utilitySignalPolicyRef } }),
      })
      const record = async (ref: string, kind: (typeof SIGNAL_KINDS)[number]) =>
        ana.signals.record({ kind }, await under(ref))
      expect(await record('dwell', 'click_dwell')).toEqual({ captured: true, route: LOCAL })
      expect(await record('dwell', 'result_share')).toEqual({ captured: false, route: null })
      for (const ref of ['of ben', 'broken', 'of another kind', 'nowhere'])
        expect(await record(ref, 'click_dwell'), ref).toEqual({ captured: false, route: null })
      expect(await local(tenant)).toHaveLength(1)
    })

    it('[SP-8] no policy takes anything of an anonymous reader out of its session', async () => {
      const { ana, tenant, paper, profile, policy, recipient } = await world()
      await policy('utility_signal_policy', 'all', {
        utilitySignalCapture: GLOBAL,
        captureKinds: [...SIGNAL_KINDS],
      })
      const fields = { utilitySignalPolicyRef: 'all' }
      for (const mode of ['anonymous_share_token', 'passcode_required']) {
        const { handle } = await recipient(mode, { fields })
        expect(await handle.signals.record({ kind: 'result_share', record: paper })).toMatchObject({
          captured: true,
        })
      }
      // Nor of what an anonymous one spawned, should there ever be such a thing.
      const parent = await profile({ identityMode: 'anonymous_share_token' })
      const child = await profile({ sessionKind: 'subagent_session', parentProfile: parent, fields })
      const route = { captured: true, route: LOCAL }
      expect(await ana.signals.record({ kind: 'result_share' }, { profile: child })).toEqual(route)
      expect(await local(tenant)).toHaveLength(3)
      expect(await ana.signals.summary()).toMatchObject({ corpora: [], records: [] })
      // A host may opt in for one that it knows by name.
      const { handle } = await recipient('email_bound', { fields })
      await handle.signals.record({ kind: 'result_share', record: paper })
      expect((await ana.signals.summary()).records).toMatchObject([{ record: paper, kind: 'result_share' }])
    })
  })

  describe('what is kept', () => {
    it('[SP-8] nothing of an anonymous recipient stands where a host operation reads', async () => {
      const { tenant, ana, paper, recipient } = await world()
      const host = privity.as({ tenant, actor: 'ana', audience: 'host' })
      const seenByHost = async () => {
        const { entries } = await host.audit.list({ limit: 200 })
        return entries.filter(({ operation }) => operation === 'signals.record')
      }
      for (const mode of ['anonymous_share_token', 'passcode_required']) {
        const before = await dumpTables(store.sql, table => table !== 'session_signals')
        const { handle } = await recipient(mode)
        const dwellMs = 1_234_567
        await handle.signals.record({ kind: 'click_dwell', record: paper, dwellMs })
        await handle.signals.record({ kind: 'explicit_helpful', record: paper })
        const known = new Set(before.map(({ row }) => row))
        const after = await dumpTables(store.sql, table => table !== 'session_signals')
        const added = after.filter(({ row }) => !known.has(row))
        const tells = /1234567|click_dwell|explicit_helpful/
        expect(added.length).toBeGreaterThan(0)
        expect(added.filter(({ row }) => tells.test(row) || row.includes(paper))).toEqual([])
        expect(added.filter(({ table }) => /signals/.test(table))).toEqual([])
        expect(await ana.signals.pending()).toEqual({ pending: [] })
        expect(await ana.signals.summary()).toMatchObject({ corpora: [], records: [] })
        // The one that was captured and the one that was not look alike in the history of requests.
        const [one, other] = (await seenByHost()).slice(0, 2)
        const same = { operation: 'signals.record', outcome: 'ok', records: [], reason: null }
        for (const entry of [one, other]) expect(entry).toMatchObject(same)
        expect(one?.counts).toEqual(other?.counts)
      }
      const asReader = store.db.transaction(
        { access: 'read', role: 'privity_app', settings: { 'privity.tenant': tenant } },
        tx => tx.query('select * from privity.session_signals'),
      )
      await expect(asReader).rejects.toThrow()
    })

    it('[SP-8] what stays in a session adds up there, and goes when the session ends', async () => {
      const { tenant, ana, paper, recipient, profile } = await world()
      const hour = new Date(START.getTime() + 3_600_000)
      const first = await recipient('anonymous_share_token', { expiresAt: hour })
      const other = await recipient('anonymous_share_token')
      const cut = await recipient('passcode_required')
      for (const { handle } of [first, first, other, cut])
        await handle.signals.record({ kind: 'click_dwell', record: paper, dwellMs: 100 })
      await first.handle.signals.record({ kind: 'click_dwell', dwellMs: 7 })
      await first.handle.signals.record({ kind: 'click_dwell', dwellMs: 7 })
      const kept = async () =>
        (
          await store.sql<{ profile_id: string; dwell_ms: string }>(
            'select profile_id, dwell_ms from privity.session_signals where tenant_id = $1',
            [tenant],
          )
        ).map(({ profile_id, dwell_ms }) => [profile_id, Number(dwell_ms)])
      const byId = (rows: (string | number)[][]) => rows.map(String).sort()
      expect(byId(await kept())).toEqual(
        byId([
          [first.profileId, 14],
          [first.profileId, 200],
          [other.profileId, 100],
          [cut.profileId, 100],
        ]),
      )
      clock.set(hour.getTime())
      await store.sql('update privity.profiles set ends_at = $3 where tenant_id = $1 and profile_id = $2', [
        tenant,
        cut.profileId,
        hour,
      ])
      // Whoever records next, or reviews, whatever becomes of it.
      await ana.signals.record({ kind: 'query_refinement' }, { profile: await profile() })
      expect(await kept()).toEqual([[other.profileId, 100]])
      await store.sql(
        `update privity.profiles set state = 'revoked' where tenant_id = $1 and profile_id = $2`,
        [tenant, other.profileId],
      )
      await ana.signals.review({ corpus: 'briefs', decision: 'reject' })
      expect(await kept()).toEqual([])
    })

    it('[SP-8] a host accepts what waits, or drops it', async () => {
      const { ana, paper, recipient, tenant } = await world()
      const { handle } = await recipient('email_bound')
      const stay = () => handle.signals.record({ kind: 'click_dwell', record: paper, dwellMs: 40 })
      const sums = async () => {
        const { corpora } = await ana.signals.summary()
        return { pending: (await ana.signals.pending()).pending, corpora }
      }
      const of = (corpus: string | null, count: number) => ({
        owner: 'ana',
        corpus,
        kind: 'click_dwell',
        count,
        dwellMs: 40 * count,
      })
      await stay()
      await stay()
      await handle.signals.record({ kind: 'click_dwell', dwellMs: 40 })
      expect(await sums()).toEqual({ pending: [of('briefs', 2), of(null, 1)], corpora: [] })
      const key = { idempotencyKey: 'once' }
      const accept = { corpus: 'briefs', decision: 'accept' } as const
      expect(await ana.signals.review(accept, key)).toEqual({ reviewed: true })
      expect(await sums()).toEqual({ pending: [of(null, 1)], corpora: [of('briefs', 2)] })
      await stay()
      // The same request once more decides on nothing that came since.
      expect(await ana.signals.review(accept, key)).toEqual({ reviewed: true })
      expect(await sums()).toEqual({ pending: [of('briefs', 1), of(null, 1)], corpora: [of('briefs', 2)] })
      await ana.signals.review(accept)
      await stay()
      await ana.signals.review({ corpus: 'briefs', decision: 'reject' })
      await ana.signals.review({ decision: 'accept' })
      expect(await sums()).toEqual({ pending: [], corpora: [of('briefs', 3), of(null, 1)] })
      // Nobody knows from it of which record, or who it was, or when.
      const rows = await dumpTables(store.sql, table => table === 'corpus_signals')
      const own = rows.filter(({ row }) => row.includes(tenant)).map(({ row }) => row)
      expect(own.sort()).toEqual([
        `(${tenant},ana,accepted,"",click_dwell,1,40)`,
        `(${tenant},ana,accepted,briefs,click_dwell,3,120)`,
      ])
    })

    it('[SP-8] is for its owner alone, and sums for whoever sees all of what they are made of', async () => {
      const { tenant, ana, paper, secret, recipient, profile } = await world()
      const { handle } = await recipient('email_bound')
      await handle.signals.record({ kind: 'explicit_helpful', record: paper })
      await ana.signals.record({ kind: 'explicit_helpful', record: paper })
      await ana.signals.record({ kind: 'explicit_helpful', record: secret })
      const ben = privity.as({ tenant, actor: 'ben' })
      expect(await ben.signals.pending()).toEqual({ pending: [] })
      expect(await ben.signals.summary()).toEqual({ corpora: [], records: [], cursor: null })
      const asked = { corpus: 'briefs', decision: 'accept' } as const
      await expect(ben.signals.review({ ...asked, owner: 'ana' })).rejects.toMatchObject({
        code: 'not_found',
      })
      await ben.signals.review(asked)
      const trust = { maxSensitivity: 'hyper' as const }
      for (const agent of [
        privity.as({ tenant, actor: 'helper', for: 'ana', audience: 'agent', trust }),
        handle,
      ])
        for (const name of ['signals.pending', 'signals.review', 'signals.summary'] as const)
          await expect(agent.invoke(name, name === 'signals.review' ? asked : {})).rejects.toMatchObject({
            code: 'not_allowed',
          })
      const visibility = { ceiling: 'public_open' as const }
      const narrow = privity.as({ tenant, actor: 'ana', visibility })
      const under = { profile: await profile() }
      for (const [caller, options] of [
        [narrow, {}],
        [ana, under],
      ] as const) {
        expect(await caller.signals.pending({}, options)).toEqual({ pending: [] })
        await expect(caller.signals.review(asked, options)).rejects.toMatchObject({ code: 'not_found' })
      }
      expect((await narrow.signals.summary()).records.map(({ record }) => record)).toEqual([paper])
      expect((await ana.signals.pending()).pending).toHaveLength(1)
      expect((await ana.signals.summary()).records.map(({ record }) => record).sort()).toEqual(
        [paper, secret].sort(),
      )
    })

    it('[SP-8] a group keeps what its sessions add up to, for all of its members', async () => {
      const { tenant, ana, recipient } = await world()
      const group = await ana.groups.create({ name: 'desk' })
      await ana.groups.addMember({ group: group.id, member: 'ben' })
      const owner = `group:${group.id}`
      const { handle } = await recipient('email_bound', { owner })
      await handle.signals.record({ kind: 'explicit_helpful' })
      const ben = privity.as({ tenant, actor: 'ben' })
      const sum = { owner, corpus: null, kind: 'explicit_helpful', count: 1, dwellMs: 0 }
      expect(await ben.signals.pending()).toEqual({ pending: [sum] })
      await ben.signals.review({ owner, decision: 'accept' })
      expect(await ana.signals.summary()).toMatchObject({ corpora: [sum] })
    })

    it('[SP-8] goes with the record that it is about', async () => {
      const { tenant, ana, paper, recipient } = await world()
      const { handle } = await recipient('anonymous_share_token')
      await handle.signals.record({ kind: 'click_dwell', record: paper })
      await ana.signals.record({ kind: 'click_dwell', record: paper })
      await ana.forget(paper)
      expect((await ana.signals.summary()).records).toEqual([])
      const left = await dumpTables(store.sql, table => /(session|record)_signals/.test(table))
      expect(left.filter(({ row }) => row.includes(tenant))).toEqual([])
    })

    it('[NI-9] is read page by page', async () => {
      const { tenant, ana, paper, secret } = await world()
      for (const record of [paper, secret])
        for (const kind of SIGNAL_KINDS) await ana.signals.record({ kind, record })
      const whole = await ana.signals.summary()
      expect(whole.records).toHaveLength(10)
      const pages: unknown[] = []
      let cursor: string | null | undefined
      do {
        const page = await ana.signals.summary({ limit: 3, ...(cursor ? { cursor } : {}) })
        expect(page.records.length).toBeLessThanOrEqual(3)
        pages.push(...page.records)
        cursor = page.cursor
      } while (cursor)
      expect(pages).toEqual(whole.records)
      const { cursor: of = null } = await ana.signals.summary({ limit: 3 })
      const ben = privity.as({ tenant, actor: 'ben' })
      await expect(ben.signals.summary({ cursor: of ?? '' })).rejects.toMatchObject({ code: 'invalid_input' })
    })

    it('[SP-8] signals that come at once add up, from wherever they come', async () => {
      const { ana, tenant, paper, recipient } = await world()
      const named = await recipient('email_bound')
      const nameless = await recipient('anonymous_share_token')
      const also = second.as({ tenant, actor: 'ana' })
      const stay = { kind: 'click_dwell', record: paper, dwellMs: 3 } as const
      await Promise.all(
        Array.from({ length: 50 }, (_, at) => {
          const early = at % 2 === 0
          const from = [
            early ? ana : also,
            early ? named.handle : named.again,
            early ? nameless.handle : nameless.again,
          ]
          return Promise.all(from.map(caller => caller.signals.record(stay)))
        }),
      )
      const sum = { kind: 'click_dwell', count: 50, dwellMs: 150 }
      expect((await ana.signals.summary()).records).toMatchObject([sum])
      expect((await ana.signals.pending()).pending).toMatchObject([sum])
      expect(await local(tenant)).toEqual([{ kind: 'click_dwell', times: '50', dwell_ms: '150' }])
    })

    it('[SP-8] none is lost or counted twice while the host reviews', async () => {
      const { ana, paper, recipient } = await world()
      const { handle, again } = await recipient('email_bound')
      const accept = { corpus: 'briefs', decision: 'accept' } as const
      await Promise.all(
        Array.from({ length: 40 }, async (_, at) => {
          await (at % 2 === 0 ? handle : again).signals.record({
            kind: 'click_dwell',
            record: paper,
            dwellMs: 5,
          })
          if (at % 4 === 0) await ana.signals.review(accept)
        }),
      )
      await ana.signals.review(accept)
      const { corpora } = await ana.signals.summary()
      expect(corpora).toMatchObject([{ corpus: 'briefs', count: 40, dwellMs: 200 }])
    })
  })

  describe('what may be named', () => {
    it('[NI-5] what a caller does not see is absent, captured or not', async () => {
      const { ana, tenant, secret, recipient } = await world()
      const named = await recipient('email_bound')
      const nameless = await recipient('anonymous_share_token')
      const ben = privity.as({ tenant, actor: 'ben' })
      const before = await dumpTables(store.sql, table => /_signals/.test(table))
      const refusal = (caller: typeof ben, record: string, kind: (typeof SIGNAL_KINDS)[number]) =>
        caller.signals
          .record({ kind, record })
          .then(() => null)
          .catch(({ code, message }) => ({ code, message }))
      for (const caller of [ben, named.handle, nameless.handle])
        for (const kind of ['click_dwell', 'result_share'] as const) {
          const hidden = await refusal(caller, secret, kind)
          expect(hidden).toEqual({ code: 'not_found', message: 'not found' })
          expect(hidden).toEqual(await refusal(caller, randomUUID(), kind))
        }
      expect(await dumpTables(store.sql, table => /_signals/.test(table))).toEqual(before)
      expect(await refusal(ana, secret, 'click_dwell')).toBeNull()
    })

    it('[NI-5] a search is one of the caller itself, while it is kept', async () => {
      const { ana, tenant } = await world()
      const ben = privity.as({ tenant, actor: 'ben' })
      const { receipt } = await ana.search('storm')
      const refined = { kind: 'query_refinement', searchRun: receipt.searchRunId } as const
      expect(await ana.signals.record(refined)).toEqual({ captured: true, route: GLOBAL })
      const trust = { maxSensitivity: 'hyper' as const }
      const helper = privity.as({ tenant, actor: 'helper', for: 'ana', audience: 'agent', trust })
      for (const caller of [ben, helper])
        await expect(caller.signals.record(refined)).rejects.toMatchObject({ code: 'not_found' })
      clock.advance(400 * 86_400_000)
      await expect(ana.signals.record(refined)).rejects.toMatchObject({ code: 'not_found' })
    })

    it('[SP-8] how long somebody stayed goes with click_dwell, within an hour', async () => {
      const { ana } = await world()
      for (const input of [
        { kind: 'explicit_helpful', dwellMs: 1 },
        { kind: 'click_dwell', dwellMs: 3_600_001 },
        { kind: 'click_dwell', dwellMs: -1 },
        { kind: 'click_dwell', dwellMs: 0.5 },
        { kind: 'mouse_trail' },
      ])
        await expect(ana.invoke('signals.record', input)).rejects.toMatchObject({ code: 'invalid_input' })
      expect(await ana.signals.record({ kind: 'click_dwell', dwellMs: 3_600_000 })).toMatchObject({
        captured: true,
      })
    })

    it('[AU-2] a repeated request counts once, and decides again', async () => {
      const { ana, tenant, paper, profile, policy } = await world()
      const key = { idempotencyKey: 'one' }
      const asked = { kind: 'explicit_helpful', record: paper } as const
      const once = await ana.signals.record(asked, key)
      expect(await ana.signals.record(asked, key)).toEqual(once)
      expect((await ana.signals.summary()).records).toMatchObject([{ count: 1 }])
      const all = { utilitySignalCapture: GLOBAL, captureKinds: ['explicit_helpful'] }
      await policy('utility_signal_policy', 'mine', all)
      const under = {
        profile: await profile({ fields: { utilitySignalPolicyRef: 'mine' } }),
        idempotencyKey: 'two',
      }
      await ana.signals.record(asked, under)
      await policy('utility_signal_policy', 'mine', { ...all, captureKinds: [] })
      expect(await ana.signals.record(asked, under)).toEqual({ captured: false, route: null })
      await store.sql(`update privity.records set expires_at = $2 where tenant_id = $1`, [tenant, START])
      await expect(ana.signals.record(asked, key)).rejects.toMatchObject({ code: 'not_found' })
    })
  })

  it('[NI-1] no signal moves a search by a byte, whoever gave it and whatever became of it', async () => {
    const { ana, tenant, paper, secret, recipient } = await world()
    await ana.remember({ kind: 'document', text: 'A storm brief.', corpus: 'briefs' })
    const { handle } = await recipient('email_bound')
    const trust = { maxSensitivity: 'hyper' as const }
    const helper = privity.as({ tenant, actor: 'helper', for: 'ana', audience: 'agent', trust })
    const look = async () => {
      clock.seed(`look ${tenant}`)
      const found = []
      for (const caller of [ana, helper])
        found.push(
          await caller.search('storm brief', { explain: true, facets: ['corpus'] }),
          await caller.complete('sto'),
          await caller.get(paper),
          await caller.list(),
        )
      clock.seed(randomUUID())
      await store.sql('delete from privity.search_runs where tenant_id = $1', [tenant])
      return JSON.stringify(found)
    }
    await look() // The index is read once.
    const before = await look()
    expect(await look()).toBe(before)
    expect(before).toContain(secret)
    for (const kind of SIGNAL_KINDS)
      for (let times = 0; times < 3; times++) {
        await ana.signals.record({ kind, record: secret })
        await helper.signals.record({ kind, record: paper })
        await handle.signals.record({ kind, record: paper })
      }
    expect(await look()).toBe(before)
    await ana.signals.review({ corpus: 'briefs', decision: 'accept' })
    expect(await look()).toBe(before)
  })

  describe('governance', () => {
    /** As an operation under a profile asks for it. */
    async function governance(tenant: string, row: object | null) {
      const { owner } = { owner: 'ana', ...row }
      const rows = await store.db.transaction(
        { access: 'read', role: 'privity_app', settings: { 'privity.tenant': tenant } },
        tx => listProfilePolicies(tx, tenant, [owner]),
      )
      const policies = new ChainPolicies(row === null ? [] : [row as ProfileRow], rows)
      return governanceFor({ parts: { profile: row && { row, policies } } } as unknown as ReadRequest)
    }

    it('[SP-9] is of session and corpus by default, and of no session by a link', async () => {
      const tenant = store.tenant()
      const split = DEFAULT_GOVERNANCE_SPLIT
      const all = { split, session: true, corpus: true }
      expect(await governance(tenant, null)).toEqual(all)
      for (const sessionKind of ['host_session', 'subagent_session', 'system_agent_session'])
        expect(await governance(tenant, { owner: 'ana', sessionKind, fields: {} })).toEqual(all)
      const row = { owner: 'ana', sessionKind: 'share_link_session', fields: {} }
      expect(await governance(tenant, row)).toEqual({ split, session: false, corpus: false })
    })

    it('[SP-9] is as the profile says, by a policy of its owner; where that leads nowhere, all of it holds', async () => {
      const { tenant, policy } = await world()
      const row = (sessionKind: string, doc1GovernanceSplitRef: string, owner = 'ana') => ({
        owner,
        sessionKind,
        fields: { doc1GovernanceSplitRef },
      })
      const inherited = {
        doc1GovernanceKind: 'corpus_governance_only',
        doc1ShareLinkGovernanceRole: 'host_session_governance_inherited',
      }
      await policy('doc1_governance_split', 'inherited', inherited)
      await policy('doc1_governance_split', 'short', { doc1GovernanceKind: 'session_governance_only' })
      await policy('doc1_governance_split', 'unheard of', { doc1GovernanceKind: 'nothing' })
      for (const kind of ['host_session', 'share_link_session'])
        expect(await governance(tenant, row(kind, 'inherited'))).toEqual({
          split: inherited,
          session: false,
          corpus: true,
        })
      const short = {
        doc1GovernanceKind: 'session_governance_only',
        doc1ShareLinkGovernanceRole: 'share_link_governance_disabled',
      }
      expect(await governance(tenant, row('host_session', 'short'))).toEqual({
        split: short,
        session: true,
        corpus: false,
      })
      expect(await governance(tenant, row('share_link_session', 'short'))).toEqual({
        split: short,
        session: false,
        corpus: false,
      })
      for (const [ref, owner] of [
        ['nowhere', 'ana'],
        ['unheard of', 'ana'],
        ['inherited', 'ben'],
      ] as const)
        expect(await governance(tenant, row('share_link_session', ref, owner)), ref).toMatchObject({
          session: true,
          corpus: true,
        })
    })
  })
})
