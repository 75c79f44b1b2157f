import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Server, serve } from '../../src/http/serve.js'
import type { Privity } from '../../src/open.js'
import { SYSTEM_CLOCK } from '../../src/runtime/clock.js'
import { EndingProfiles } from '../../src/sharing/ending-profiles.js'
import { deep, few, times } from '../support/depth.js'
import { type Bank, mailbox, openBank, visit } from '../support/share-links.js'
import { dumpTables, type SharedStore, sharedStore } from '../support/shared-store.js'
import { engines } from '../support/stores.js'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const NOBODY = '00000000-0000-4000-8000-000000000000'
const PASSCODE = 'correct horse battery'
const EXPIRED = { code: 'session_profile_invalid', reason: 'session.profile_expired' }

type Grant = Parameters<Bank['host']['links']['grant']>[0]
type Redeemed = Awaited<ReturnType<Privity['redeem']>>

describe.each(engines)('share links on %s', engine => {
  let store: SharedStore
  let privity: Privity
  let server: Server
  const box = mailbox()
  let ahead = 0
  const clock = { ...SYSTEM_CLOCK, now: () => new Date(Date.now() + ahead) }
  const advance = (milliseconds: number) => {
    ahead += milliseconds
  }

  beforeAll(async () => {
    store = await sharedStore(engine)
    privity = await store.instance(clock, { mail: { mailer: box.mailer } })
    server = await serve(privity, { port: 0 })
  })
  afterAll(async () => {
    await server?.close()
    await privity?.close()
    await store?.dispose()
  })

  const bank = (more: Parameters<typeof openBank>[2] = {}) => openBank(privity, store.tenant(), more)
  const rowsOf = (tenant: string) =>
    dumpTables(store.sql, table => table !== 'audit_entries' && table !== 'audit_lanes').then(rows =>
      rows.filter(({ row }) => row.includes(tenant)).map(({ table, row }) => `${table} ${row}`),
    )
  /** A refusal, with everything by which a caller could tell it from another. */
  const refusal = (asked: Promise<unknown>) =>
    asked.then(
      answer => ({ answered: answer }),
      error => ({ ...error, message: error.message, requestId: typeof error.requestId }),
    )
  const overHttp = async (body: object | string) => {
    const answer = await fetch(`${server.url}/api/v1/links/redeem`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    })
    const text = await answer.text()
    return {
      status: answer.status,
      headers: [...answer.headers].filter(([name]) => !['date', 'x-request-id'].includes(name)),
      text: text.replace(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, 'an id'),
    }
  }
  const statusOf = async (asked: Promise<Redeemed>) => (await asked).status

  describe('granting', () => {
    it('[ST-1] fills in what was not said', async () => {
      const { host, view } = await bank()
      const { link, token } = await host.links.grant({
        views: [view],
        recipientIdentityMode: 'anonymous_share_token',
      })
      expect(link).toEqual({
        link: expect.stringMatching(/^[0-9a-f-]{36}$/),
        name: 'bank',
        views: [view],
        documentAccessPolicyRef: null,
        policyRefs: {},
        hostSession: null,
        recipientIdentityMode: 'anonymous_share_token',
        recipientEmail: null,
        approvedName: null,
        allowedActions: [
          { kind: 'namespace_all', namespace: 'search' },
          { kind: 'namespace_all', namespace: 'document_view' },
          { kind: 'namespace_all', namespace: 'document_download' },
        ],
        maxSensitivity: 'medium',
        sessionSeconds: 28_800,
        rateLimits: {
          maxQueriesPerHour: 50,
          maxDocumentViewsPerHour: 200,
          maxUploadsPerDay: 10,
          maxRecipientSessionsConcurrent: 5,
        },
        watermarkDownloads: true,
        watermarkPolicy: {
          appliesTo: 'downloaded_artifacts',
          watermarkKind: 'session_id',
          watermarkVisibility: 'both',
        },
        auditVisibility: 'both',
        passcodeRequired: false,
        allowList: [],
        denyList: [],
        agreement: null,
        notices: {
          events: ['opened', 'downloaded', 'uploaded', 'refused', 'locked', 'full'],
          email: null,
          digest: 'none',
        },
        sessionIdleSeconds: 3_600,
        fileRequest: null,
        copyOf: null,
        createdAt: expect.any(String),
        expiresAt: null,
        revokedAt: null,
        revokeReason: null,
        revocation: null,
        schemaVersion: 1,
      })
      expect(token).toMatch(/^privshare_[\w-]+\.[\w-]{22}\.[\w-]{43}$/)
      expect(await host.links.get(link.link)).toEqual(link)
      expect((await host.links.list()).links).toEqual([link])
    })

    it('[ST-1] needs a host session that is active', async () => {
      const { tenant, host } = await bank()
      const session = async (more: object = {}) => {
        const { profile } = await host.profiles.create({
          sessionKind: 'host_session',
          identityMode: 'host_user',
          ...more,
        })
        return profile
      }
      const grantUnder = async (hostSession: string, views: string[]) =>
        host.links.grant({ views, hostSession, recipientIdentityMode: 'anonymous_share_token' })
      const viewUnder = async (profile: string) =>
        (await host.views.create({ corpus: 'bank' }, { profile })).view
      const active = await session()
      await host.profiles.activate(active)
      const its = await viewUnder(active)
      const blocked = {
        code: 'conflict',
        reason: 'share_link_grant_blocked_host_session_not_active',
      }
      // Whoever runs under an agent's profile is not in a host session, active though it is.
      const agent = await session({ sessionKind: 'system_agent_session', identityMode: 'system_agent' })
      await host.profiles.activate(agent)
      const asAgent = host.links.grant(
        { views: [await viewUnder(agent)], recipientIdentityMode: 'anonymous_share_token' },
        { profile: agent },
      )
      await expect(asAgent).rejects.toMatchObject(blocked)
      const draft = await session()
      const suspended = await session()
      await host.profiles.activate(suspended)
      await host.profiles.suspend({ profile: suspended })
      const revoked = await session()
      await host.profiles.activate(revoked)
      await host.profiles.revoke({ profile: revoked })
      const ending = await session({ expiresAt: new Date(clock.now().getTime() + MINUTE) })
      await host.profiles.activate(ending)
      expect((await grantUnder(active, [its])).link).toMatchObject({ hostSession: active })
      advance(2 * MINUTE)
      const before = await rowsOf(tenant)
      for (const profile of [agent, draft, suspended, revoked, ending])
        await expect(grantUnder(profile, [its]), profile).rejects.toMatchObject(blocked)
      await expect(grantUnder(NOBODY, [its])).rejects.toMatchObject({ code: 'not_found' })
      const ben = privity.as({ tenant, actor: 'ben' })
      await ben.list()
      const theirs = await ben.profiles.create({ sessionKind: 'host_session', identityMode: 'host_user' })
      await expect(grantUnder(theirs.profile, [its])).rejects.toMatchObject({ code: 'not_found' })
      const left = (await rowsOf(tenant)).filter(row => /^(share_links|operations) /.test(row))
      expect(left.filter(row => row.includes('links.grant'))).toEqual(
        before.filter(row => row.includes('links.grant')),
      )
      // What asks under a session that is not active is refused before it comes to granting.
      await expect(
        host.links.grant(
          { views: [its], recipientIdentityMode: 'anonymous_share_token' },
          { profile: suspended },
        ),
      ).rejects.toMatchObject({ code: 'session_profile_invalid', reason: 'session.profile_suspended' })
    })

    it('[ST-1, NI-5] a view that is not there, of somebody else, or of another session is one answer', async () => {
      const { tenant, host, view } = await bank()
      const ben = privity.as({ tenant, actor: 'ben' })
      const theirs = (await ben.views.create({ corpus: 'bank' })).view
      const { profile } = await host.profiles.create({
        sessionKind: 'host_session',
        identityMode: 'host_user',
      })
      await host.profiles.activate(profile)
      const ofSession = (await host.views.create({ corpus: 'bank' }, { profile })).view
      const deleted = (await host.views.create({ corpus: 'bank' })).view
      await host.views.delete(deleted)
      const elsewhere = (await bank()).view
      const ask = (views: string[], more: Partial<Grant> = {}) =>
        refusal(host.links.grant({ views, recipientIdentityMode: 'anonymous_share_token', ...more }))
      const before = await rowsOf(tenant)
      const absent = await ask([NOBODY])
      expect(absent).toMatchObject({
        code: 'not_found',
        reason: 'share_link_grant_blocked_invalid_view_ref',
      })
      for (const views of [
        [theirs],
        [ofSession],
        [deleted],
        [elsewhere],
        [view, NOBODY],
        [view, theirs],
        [view, ofSession],
      ])
        expect(await ask(views)).toEqual(absent)
      // A plain view is of no session.
      expect(await ask([view], { hostSession: profile })).toEqual(absent)
      expect(await rowsOf(tenant)).toEqual(before)
    })

    it('[ST-1, ST-2] refuses what no link can say, and changes nothing', async () => {
      const { tenant, host, view } = await bank()
      const before = await rowsOf(tenant)
      const wrong: [more: object, field: string][] = [
        [{ views: [] }, 'views'],
        [{ views: ['x'] }, 'views'],
        [{ recipientIdentityMode: 'host_user' }, 'recipientIdentityMode'],
        [{ recipientIdentityMode: 'system_agent' }, 'recipientIdentityMode'],
        [{ recipientIdentityMode: 'somebody' }, 'recipientIdentityMode'],
        [{ recipientIdentityMode: 'email_bound' }, 'recipientEmail'],
        [{ recipientIdentityMode: 'email_bound', recipientEmail: 'a@b, c@d' }, 'recipientEmail'],
        [{ recipientIdentityMode: 'email_bound', recipientEmail: 'a@b\nBcc: c@d' }, 'recipientEmail'],
        [{ recipientIdentityMode: 'passcode_required' }, 'passcode'],
        [{ recipientIdentityMode: 'passcode_required', passcode: 'short' }, 'passcode'],
        [{ passcode: PASSCODE }, 'passcode'],
        [{ recipientEmail: 'a@b.example' }, 'recipientEmail'],
        [
          { recipientIdentityMode: 'passcode_required', passcode: PASSCODE, recipientEmail: 'a@b.example' },
          'recipientEmail',
        ],
        [{ approvedName: 'Ula' }, 'approvedName'],
        [{ expiresAt: '2001-01-01T00:00:00Z' }, 'expiresAt'],
        [{ allowedActions: [] }, 'allowedActions'],
        [{ rateLimits: { maxRecipientSessionsConcurrent: 0 } }, 'rateLimits'],
        [{ rateLimits: { maxQueriesPerHour: -1 } }, 'rateLimits'],
        [{ sessionSeconds: 1 }, 'sessionSeconds'],
        [{ auditVisibility: 'nobody' }, 'auditVisibility'],
        [{ maxSensitivity: 'everything' }, 'maxSensitivity'],
        [{ token: 'mine' }, 'token'],
      ]
      for (const [more, field] of wrong) {
        const asked = {
          views: [view],
          recipientIdentityMode: 'anonymous_share_token',
          ...more,
        } as unknown as Grant
        const refused = await refusal(host.links.grant(asked))
        expect(refused, JSON.stringify(more)).toMatchObject({ code: 'invalid_input' })
        expect(refused.message).toContain(field)
      }
      expect(await rowsOf(tenant)).toEqual(before)
    })

    it('[ST-1, SP-1] refers to a policy of the host’s own, and its sessions do', async () => {
      const { tenant, host, view } = await bank()
      const ben = privity.as({ tenant, actor: 'ben' })
      const policy = (of: string) => ({ kind: 'document_access_policy', policy: of, settings: {} }) as const
      await host.profiles.setPolicy(policy('counsel'))
      await host.profiles.setPolicy({ ...policy('other'), kind: 'session_denial_message_policy' })
      await ben.profiles.setPolicy(policy('theirs'))
      const under = (documentAccessPolicyRef: string) =>
        host.links.grant({
          views: [view],
          recipientIdentityMode: 'anonymous_share_token',
          documentAccessPolicyRef,
        })
      for (const ref of ['nobody’s', 'theirs', 'other'])
        expect(await refusal(under(ref)), ref).toEqual(await refusal(under('nobody’s')))
      const { link, token } = await under('counsel')
      expect(link.documentAccessPolicyRef).toBe('counsel')
      const { profile } = await visit(privity, { token: token ?? '' })
      expect(await host.profiles.get(profile)).toMatchObject({ documentAccessPolicyRef: 'counsel' })
    })

    it('[ST-1, CP-2] refuses actions that are no capabilities, and those of another tenant', async () => {
      const { tenant, host, view } = await bank()
      const before = await rowsOf(tenant)
      for (const allowedActions of [
        [{ kind: 'exact', capability: 'search.nothing' }],
        [{ kind: 'namespace_all', namespace: 'sear' }],
        [{ kind: 'prefix_wildcard', prefix: 'nothing.' }],
      ] as unknown as Grant['allowedActions'][])
        await expect(
          host.links.grant({
            views: [view],
            recipientIdentityMode: 'anonymous_share_token',
            allowedActions,
          }),
          JSON.stringify(allowedActions),
        ).rejects.toMatchObject({ code: 'unregistered_pattern' })
      expect(await rowsOf(tenant)).toEqual(before)
    })

    it('[ST-1] keeps of a token its hash alone', async () => {
      const { host, grant, tenant } = await bank()
      const { token } = await grant({ name: 'kept' })
      await visit(privity, { token })
      const [, , secret = ''] = token.split('.')
      const bytes = Buffer.from(secret, 'base64url')
      const forms = [
        token,
        secret,
        bytes.toString('hex'),
        bytes.toString('base64'),
        bytes.subarray(0, 12).toString('hex'),
      ]
      const everything = [
        ...(await dumpTables(store.sql)).map(({ row }) => row),
        JSON.stringify(await host.links.list()),
        JSON.stringify(await host.audit.list({ limit: 200 })),
        JSON.stringify(await privity.as({ tenant, actor: 'w', audience: 'host' }).audit.list({ limit: 200 })),
      ]
      for (const form of forms)
        expect(everything.filter(text => text.toLowerCase().includes(form.toLowerCase()))).toEqual([])
    })

    it('[ST-1, ST-2] keeps neither a passcode nor an address in plain words', async () => {
      const { grant } = await bank()
      await grant({ recipientIdentityMode: 'passcode_required', passcode: PASSCODE })
      const { token } = await grant({
        recipientIdentityMode: 'email_bound',
        recipientEmail: 'Oona@Counsel.example',
      })
      await privity.redeem({ token, email: 'oona@counsel.example' })
      const code = await box.codeFor('oona@counsel.example')
      const rows = await dumpTables(store.sql)
      for (const form of [PASSCODE, 'oona@counsel.example', 'Oona@Counsel.example', code])
        expect(rows.filter(({ row }) => row.toLowerCase().includes(form.toLowerCase()))).toEqual([])
      expect(rows.filter(({ row }) => /scrypt\$\d+\$8\$1\$/.test(row)).map(({ table }) => table)).toContain(
        'share_links',
      )
    })

    it('[ST-6] stands in the durable log, once for each request and once for a key', async () => {
      const { tenant, host, view } = await bank()
      const asked: Grant = { views: [view], recipientIdentityMode: 'anonymous_share_token' }
      const [a, b] = [await host.links.grant(asked), await host.links.grant(asked)]
      expect(a.link.link).not.toBe(b.link.link)
      expect(a.token).not.toBe(b.token)
      const first = await host.links.grant(asked, { idempotencyKey: 'k' })
      const again = await host.links.grant(asked, { idempotencyKey: 'k' })
      expect(first.token).not.toBeNull()
      expect(again).toEqual({ ...first, token: null })
      await expect(
        host.links.grant({ ...asked, name: 'another' }, { idempotencyKey: 'k' }),
      ).rejects.toMatchObject({ code: 'idempotency_conflict' })
      await host.links.revoke({ link: a.link.link, reason: 'over' })
      expect((await host.links.list()).links).toHaveLength(3)
      const log = await store.sql(
        `select name, effects, reversibility, refs from privity.operations
         where tenant_id = $1 and name like 'links.%' order by created_at`,
        [tenant],
      )
      const grantOf = (link: string) => ({
        name: 'links.grant',
        effects: ['share_link_grant'],
        reversibility: 'irreversible_external_effect',
        refs: [link],
      })
      expect(log).toEqual([
        ...[a, b, first].map(({ link }) => grantOf(link.link)),
        {
          name: 'links.revoke',
          effects: ['share_link_revoke', 'recall_not_attempted'],
          reversibility: 'compensating_operation_only',
          refs: [a.link.link],
        },
      ])
    })

    it('[ST-1, NI-5] is for owners: nobody else reads, lists or ends a link', async () => {
      const { tenant, grant } = await bank()
      const { link } = await grant()
      const ben = privity.as({ tenant, actor: 'ben' })
      expect(await ben.links.get(link)).toBeNull()
      expect((await ben.links.list()).links).toEqual([])
      for (const one of [link, NOBODY]) {
        expect(await refusal(ben.links.revoke({ link: one, reason: 'x' }))).toMatchObject({
          code: 'not_found',
        })
        expect(await refusal(ben.links.accessLog({ link: one }))).toMatchObject({ code: 'not_found' })
      }
      const agent = privity.as({
        tenant,
        actor: 'helper',
        audience: 'agent',
        for: 'hana',
        trust: { maxSensitivity: 'hyper' },
      })
      await expect(agent.links.list()).rejects.toMatchObject({ code: 'not_allowed' })
    })
  })

  describe('who comes by a link', () => {
    it('[ST-2, ST-3] opens a session of their own by an anonymous token', async () => {
      const { host, grant, keep, view } = await bank()
      const doc = await keep('motion to dismiss')
      const { link, token } = await grant()
      const visitor = await visit(privity, { token })
      expect(await host.profiles.get(visitor.profile)).toMatchObject({
        profileState: 'active',
        sessionKind: 'share_link_session',
        identityMode: 'anonymous_share_token',
        shareTokenId: link,
        originatingShareRef: link,
        sharedCorpusViewRefs: [view],
        visibilityClassCeiling: 'public_open',
      })
      expect(await visitor.handle.profiles.current()).toMatchObject({
        profile: visitor.profile,
        sessionKind: 'share_link_session',
        identityMode: 'anonymous_share_token',
        profileState: 'active',
        actions: [
          'search.plan',
          'search.execute',
          'search.expand',
          'search.bundle',
          'search.complete',
          'document_view.list',
          'document_view.open',
          'document_view.file',
          'document_download.fetch',
        ],
        limits: { maxQueriesPerHour: 50, maxDocumentViewsPerHour: 200, maxUploadsPerDay: 10 },
      })
      expect((await visitor.handle.documents.open(doc))?.text).toBe('motion to dismiss')
      const another = await visit(privity, { token })
      expect(another.profile).not.toBe(visitor.profile)
      expect(another.key).not.toBe(visitor.key)
    })

    it('[ST-3, SP-5] a session lasts as long as its link says, and no longer than the link', async () => {
      const { grant } = await bank()
      const short = await grant({ sessionSeconds: 120 })
      const ending = await grant({ expiresAt: new Date(clock.now().getTime() + MINUTE) })
      const visitors = [await visit(privity, short), await visit(privity, ending)].map(({ handle }) => handle)
      const ends = await Promise.all(visitors.map(async one => (await one.profiles.current()).expiresAt))
      expect(Date.parse(ends[0] ?? '') - clock.now().getTime()).toBeGreaterThan(110_000)
      expect(Date.parse(ends[1] ?? '') - clock.now().getTime()).toBeLessThanOrEqual(MINUTE)
      advance(61_000)
      await expect(visitors[1]?.documents.list()).rejects.toMatchObject(EXPIRED)
      await visitors[0]?.documents.list()
      advance(60_000)
      await expect(visitors[0]?.documents.list()).rejects.toMatchObject(EXPIRED)
    })

    it('[ST-2] by e-mail: the code goes to the one address, and whatever is given answers alike', async () => {
      const { grant, host } = await bank()
      const address = 'rita@counsel.example'
      const { link, token } = await grant({ recipientIdentityMode: 'email_bound', recipientEmail: address })
      expect(await host.links.get(link)).toMatchObject({ recipientEmail: address })
      expect(await privity.redeem({ token })).toEqual({ status: 'email_needed' })
      const sent = box.mails.length
      const wrong = await privity.redeem({ token, email: 'mallory@counsel.example' })
      const right = await privity.redeem({ token, email: ' Rita@Counsel.EXAMPLE ' })
      expect(Object.keys(wrong)).toEqual(Object.keys(right))
      expect([wrong.status, right.status]).toEqual(['code_sent', 'code_sent'])
      const code = await box.codeFor(address, sent)
      expect(box.mails.slice(sent).map(({ to }) => to)).toEqual([address])
      // The right code with the wrong address, and the other way round.
      expect(await privity.redeem({ token, email: 'mallory@counsel.example', code })).toEqual({
        status: 'refused',
      })
      expect(await privity.redeem({ token, email: address, code: '00000000' })).toEqual({ status: 'refused' })
      const { handle } = await visit(privity, {
        token,
        email: address,
        code: `${code.slice(0, 4)} ${code.slice(4)}`,
      })
      expect(await handle.profiles.current()).toMatchObject({ identityMode: 'email_bound' })
      // Once.
      expect(await privity.redeem({ token, email: address, code })).toEqual({ status: 'refused' })
    })

    it('[ST-2] by e-mail: a code ends after ten minutes, after five wrong ones, and with the next code', async () => {
      const { grant } = await bank()
      const address = 'sena@counsel.example'
      const { token } = await grant({ recipientIdentityMode: 'email_bound', recipientEmail: address })
      const newCode = async () => {
        const sent = box.mails.length
        await privity.redeem({ token, email: address })
        return box.codeFor(address, sent)
      }
      const tryIt = (code: string) => statusOf(privity.redeem({ token, email: address, code }))
      const late = await newCode()
      advance(10 * MINUTE)
      expect(await tryIt(late)).toBe('refused')
      const guessed = await newCode()
      const wrong = guessed === '12345678' ? '87654321' : '12345678'
      for (let guess = 0; guess < 4; guess++) expect(await tryIt(wrong)).toBe('refused')
      const stillGood = await newCode()
      expect(stillGood).not.toBe(guessed)
      expect(await tryIt(guessed)).toBe('refused')
      for (let guess = 0; guess < 4; guess++) expect(await tryIt('x')).toBe('refused')
      expect(await tryIt(stillGood)).toBe('refused')
      const last = await newCode()
      for (let guess = 0; guess < 4; guess++) expect(await tryIt('')).toBe('refused')
      expect(await tryIt(last)).toBe('open')
    })

    it('[ST-2] by e-mail: five sends an hour, of which other addresses take none', async () => {
      const { grant } = await bank()
      const address = 'tove@counsel.example'
      const { token } = await grant({ recipientIdentityMode: 'email_bound', recipientEmail: address })
      const before = box.mails.length
      const answers = []
      for (let send = 0; send < 4; send++) answers.push(await privity.redeem({ token, email: address }))
      answers.push(await privity.redeem({ token, email: 'other@counsel.example' }))
      for (let send = 0; send < 3; send++) answers.push(await privity.redeem({ token, email: address }))
      expect(answers.map(({ status }) => status)).toEqual(Array(8).fill('code_sent'))
      await box.codeFor(address, before + 4)
      await privity.as({ tenant: store.tenant(), actor: 'x' }).list()
      expect(box.mails.slice(before).map(({ to }) => to)).toEqual(Array(5).fill(address))
      advance(HOUR + 1_000)
      await privity.redeem({ token, email: address })
      await box.codeFor(address, before + 5)
    })

    it('[ST-2] by e-mail: needs a mailer', async () => {
      const silent = await store.instance(clock)
      try {
        const { host, view } = await openBank(silent, store.tenant())
        await expect(
          host.links.grant({
            views: [view],
            recipientIdentityMode: 'email_bound',
            recipientEmail: 'a@b.example',
          }),
        ).rejects.toMatchObject({ code: 'setup_incomplete' })
      } finally {
        // The store stays open for the others.
        await silent.close()
      }
    })

    it('[ST-2] by passcode: five wrong ones lock for fifteen minutes, the right one too', async () => {
      const { grant } = await bank()
      const { token } = await grant({ recipientIdentityMode: 'passcode_required', passcode: PASSCODE })
      const tryIt = (passcode: string) => statusOf(privity.redeem({ token, passcode }))
      expect(await statusOf(privity.redeem({ token }))).toBe('passcode_needed')
      for (let guess = 0; guess < 4; guess++) expect(await tryIt(`wrong ${guess}`)).toBe('refused')
      expect(await tryIt(PASSCODE)).toBe('open')
      // From none again.
      for (let guess = 0; guess < times(1, 4); guess++) expect(await tryIt(`wrong ${guess}`)).toBe('refused')
      expect(await tryIt(PASSCODE)).toBe('open')
      for (let guess = 0; guess < 5; guess++) expect(await tryIt(`wrong ${guess}`)).toBe('refused')
      expect(await tryIt(PASSCODE)).toBe('refused')
      advance(14 * MINUTE)
      expect(await tryIt(PASSCODE)).toBe('refused')
      advance(MINUTE + 1_000)
      // Five more, and locked again.
      if (deep) {
        for (let guess = 0; guess < 5; guess++) expect(await tryIt(`wrong ${guess}`)).toBe('refused')
        expect(await tryIt(PASSCODE)).toBe('refused')
        advance(15 * MINUTE + 1_000)
      }
      expect(await tryIt(PASSCODE)).toBe('open')
      expect(await tryIt(PASSCODE.toUpperCase())).toBe('refused')
    })

    it('[ST-2] by passcode: what looks alike and is one character is one', async () => {
      const { grant } = await bank()
      const { token } = await grant({
        recipientIdentityMode: 'passcode_required',
        passcode: 'café\u0301 au lait',
      })
      const composed = 'café\u0301 au lait'.normalize('NFC')
      expect(await statusOf(privity.redeem({ token, passcode: composed }))).toBe('open')
    })

    it('[ST-2] by approval: who waits is let in by the host, by name, once', async () => {
      const { host, grant, tenant } = await bank()
      const { link, token } = await grant({ recipientIdentityMode: 'host_approved_named_external' })
      expect(await privity.redeem({ token })).toEqual({ status: 'name_needed' })
      const ask = async (name: string) => {
        const answer = await privity.redeem({ token, name })
        if (answer.status !== 'waiting' || answer.ticket === null) throw new Error(answer.status)
        return answer.ticket
      }
      const [ula, vic] = [await ask('Ula'), await ask('Vic')]
      expect(await privity.redeem({ token, ticket: ula })).toEqual({ status: 'waiting', ticket: null })
      const { requests } = await host.links.requests({ link, state: 'pending' })
      expect(requests.map(({ name }) => name).sort()).toEqual(['Ula', 'Vic'])
      expect(JSON.stringify(requests)).not.toContain(ula)
      const { notifications } = await host.notifications.list()
      expect(notifications.filter(({ type }) => type === 'share.requested')).toHaveLength(2)
      const of = (name: string) => requests.find(one => one.name === name)?.request ?? ''
      // Nobody else decides.
      const ben = privity.as({ tenant, actor: 'ben' })
      await expect(ben.links.decide({ request: of('Ula'), decision: 'approve' })).rejects.toMatchObject({
        code: 'not_found',
      })
      expect((await ben.links.requests()).requests).toEqual([])
      await host.links.decide({ request: of('Ula'), decision: 'approve' })
      await host.links.decide({ request: of('Vic'), decision: 'decline' })
      for (const decision of ['approve', 'decline'] as const)
        for (const name of ['Ula', 'Vic'])
          await expect(host.links.decide({ request: of(name), decision })).rejects.toMatchObject({
            code: 'conflict',
          })
      expect(await privity.redeem({ token, ticket: vic })).toEqual({ status: 'refused' })
      expect(await privity.redeem({ token, ticket: 'x' })).toEqual({ status: 'refused' })
      const { handle } = await visit(privity, { token, ticket: ula })
      expect(await handle.profiles.current()).toMatchObject({ identityMode: 'host_approved_named_external' })
      expect(await privity.redeem({ token, ticket: ula })).toEqual({ status: 'refused' })
      const states = (await host.links.requests({ link })).requests.map(({ name, state }) => [name, state])
      expect(states.sort()).toEqual([
        ['Ula', 'used'],
        ['Vic', 'declined'],
      ])
    })

    it('[ST-2] by approval: of several who are let in by one link the host knows which is which', async () => {
      const { host, grant, keep } = await bank()
      const doc = await keep('motion to dismiss')
      const { link, token } = await grant({
        recipientIdentityMode: 'host_approved_named_external',
        approvedName: 'somebody of the firm',
      })
      const people = []
      for (const name of ['Ula', 'Vic']) {
        const answer = await privity.redeem({ token, name })
        const ticket = answer.status === 'waiting' ? (answer.ticket ?? '') : ''
        const waiting = (await host.links.requests({ link, state: 'pending' })).requests
        const request = waiting[0]?.request ?? ''
        expect(waiting).toMatchObject([{ name, session: null }])
        await host.links.decide({ request, decision: 'approve' })
        people.push({ name, request, ...(await visit(privity, { token, ticket })) })
      }
      for (const { handle } of people) await handle.documents.open(doc)
      expect((await host.links.get(link))?.approvedName).toBe('somebody of the firm')
      const { profiles } = await host.profiles.list({ link })
      const { entries } = await host.links.accessLog({ link })
      const { requests } = await host.links.requests({ link })
      for (const { name, request, profile } of people) {
        const who = { profile, recipientName: name, linkRequestRef: request }
        expect(await host.profiles.get(profile)).toMatchObject(who)
        expect(profiles.filter(one => one.profile === profile)).toMatchObject([who])
        expect(entries.filter(({ session }) => session === profile)).toMatchObject([{ recipient: name }])
        expect(requests.filter(one => one.request === request)).toMatchObject([{ session: profile }])
      }
    })

    it('[ST-2, AU-1] guesses stand in the log of their link, and its owner is told once none is looked at', async () => {
      const { tenant, host, grant } = await bank()
      const { link, token } = await grant({ recipientIdentityMode: 'passcode_required', passcode: PASSCODE })
      const told = async (who = host) =>
        (await who.notifications.list()).notifications.filter(({ type }) => type === 'share.locked')
      const guess = (passcode = 'wrong horse battery') => privity.redeem({ token, passcode })
      for (let guesses = 0; guesses < 4; guesses++) expect(await guess()).toEqual({ status: 'refused' })
      expect(await told()).toEqual([])
      for (let guesses = 0; guesses < 2; guesses++) expect(await guess()).toEqual({ status: 'refused' })
      expect(await guess(PASSCODE)).toEqual({ status: 'refused' })
      expect(await told()).toMatchObject([{ refs: { link } }])
      expect(await told(privity.as({ tenant, actor: 'ben' }))).toEqual([])
      const reasons = [...Array(3).fill('share_link_locked'), ...Array(4).fill('share_link_refused')]
      const log = await host.links.accessLog({ link })
      expect(log.totals).toMatchObject({ sessions: 0, refused: 7 })
      expect(log.entries.map(({ session, recipient, operation }) => [session, recipient, operation])).toEqual(
        Array(7).fill([null, null, 'links.redeem']),
      )
      expect(log.entries.map(({ outcome, reason }) => [outcome, reason])).toEqual(
        reasons.map(reason => ['not_allowed', reason]),
      )
      const audit = await privity.as({ tenant, actor: 'w', audience: 'host' }).audit.list({ limit: 50 })
      expect(
        audit.entries.flatMap(({ operation, reason }) => (operation === 'links.redeem' ? [reason] : [])),
      ).toEqual(reasons)
      // What was asked for and not yet guessed at is no refusal.
      const other = await grant({ recipientIdentityMode: 'passcode_required', passcode: PASSCODE })
      await privity.redeem({ token: other.token })
      expect(await host.links.accessLog({ link: other.link })).toMatchObject({
        entries: [],
        totals: { refused: 0 },
      })
    })

    it('[ST-2] by approval: a ticket is of its link, and twenty wait at most', async () => {
      const { host, grant } = await bank()
      const mode = { recipientIdentityMode: 'host_approved_named_external' } as const
      const [one, other] = [await grant(mode), await grant(mode)]
      const answer = await privity.redeem({ token: one.token, name: 'Wim' })
      const ticket = answer.status === 'waiting' ? (answer.ticket ?? '') : ''
      const { requests } = await host.links.requests({ link: one.link })
      await host.links.decide({ request: requests[0]?.request ?? '', decision: 'approve' })
      expect(await privity.redeem({ token: other.token, ticket })).toEqual({ status: 'refused' })
      for (let name = 0; name < 20; name++)
        expect(await statusOf(privity.redeem({ token: other.token, name: `n${name}` }))).toBe('waiting')
      expect(await privity.redeem({ token: other.token, name: 'one more' })).toEqual({ status: 'refused' })
      expect(await statusOf(privity.redeem({ token: one.token, ticket }))).toBe('open')
    })
  })

  describe('a token that opens nothing', () => {
    it('[ST-3, NI-5] is one answer, whatever is wrong with it', async () => {
      const { tenant, host, grant } = await bank()
      const expired = await grant({ expiresAt: new Date(clock.now().getTime() + 1_000) })
      const revoked = await grant()
      const exhausted = await grant({ rateLimits: { maxRecipientSessionsConcurrent: 1 } })
      const good = await grant({ recipientIdentityMode: 'passcode_required', passcode: PASSCODE })
      await visit(privity, exhausted)
      await host.links.revoke({ link: revoked.link, reason: 'over' })
      advance(2_000)
      const [head = '', id = '', secret = ''] = good.token.split('.')
      const elsewhere = (await (await bank()).grant()).token.split('.')
      const key = (await host.keys.create({ name: 'k' })).secret ?? ''
      const wrong: Record<string, string> = {
        expired: expired.token,
        revoked: revoked.token,
        exhausted: exhausted.token,
        'wrong secret': `${head}.${id}.${secret.startsWith('A') ? 'B' : 'A'}${secret.slice(1)}`,
        'no such link': `${head}.${Buffer.alloc(16, 7).toString('base64url')}.${secret}`,
        'another tenant’s link': `${head}.${elsewhere[1]}.${elsewhere[2]}`,
        'of another tenant': `${elsewhere[0]}.${id}.${secret}`,
        'no such tenant': `privshare_${Buffer.from('nobody').toString('base64url')}.${id}.${secret}`,
        empty: '',
        'a word': 'token',
        'an API key': key,
        'cut short': good.token.slice(0, -1),
        'too long': `${good.token}A`,
        padded: `${good.token}=`,
        'four parts': `${good.token}.A`,
      }
      const first = await refusal(privity.redeem({ token: 'x' }))
      expect(first).toMatchObject({ code: 'not_found', message: 'not found', reason: undefined })
      const overHttpFirst = await overHttp({ token: 'x' })
      expect(overHttpFirst.status).toBe(404)
      for (const [at, [what, token]] of Object.entries(wrong).entries()) {
        const extras = [{}, { passcode: PASSCODE }, { email: 'a@b.example', code: '1' }, { ticket: 'x' }]
        // Outside the deep run one with each.
        for (const extra of deep ? extras : extras.slice(at % 4, (at % 4) + 1)) {
          expect(await refusal(privity.redeem({ token, ...extra })), what).toEqual(first)
          expect(await overHttp({ token, ...extra }), what).toEqual(overHttpFirst)
        }
        // Nor does whoever has another credential learn more.
        for (const actor of few(['hana', 'ben'], at % 4 === 0 ? 2 : 0))
          expect(await refusal(privity.as({ tenant, actor }).links.redeem({ token })), what).toMatchObject({
            code: 'not_found',
            message: 'not found',
            reason: undefined,
          })
      }
      expect(await statusOf(privity.redeem({ token: good.token, passcode: PASSCODE }))).toBe('open')
    })

    it('[ST-3] whoever leaves makes room, and whoever’s time is over does', async () => {
      const { grant, host } = await bank()
      const { token } = await grant({
        sessionSeconds: 60,
        rateLimits: { maxRecipientSessionsConcurrent: 2 },
      })
      const [a, b] = [await visit(privity, { token }), await visit(privity, { token })]
      const full = { code: 'not_found' }
      await expect(privity.redeem({ token })).rejects.toMatchObject(full)
      expect(await a.handle.profiles.leave()).toEqual({ left: true })
      await expect(a.handle.documents.list()).rejects.toMatchObject({
        code: 'session_profile_invalid',
        reason: 'session.profile_revoked',
      })
      const c = await visit(privity, { token })
      await expect(privity.redeem({ token })).rejects.toMatchObject(full)
      await host.profiles.revoke({ profile: b.profile })
      await visit(privity, { token })
      // Who is suspended still has a place.
      await host.profiles.suspend({ profile: c.profile })
      await expect(privity.redeem({ token })).rejects.toMatchObject(full)
      advance(61_000)
      await visit(privity, { token })
    })
  })

  it('[SP-10] to complete and to list count as well, over all sessions of a link', async () => {
    const { grant, keep } = await bank()
    await keep('motion to dismiss')
    const { token } = await grant({ rateLimits: { maxQueriesPerHour: 1, maxDocumentViewsPerHour: 3 } })
    const [one, two] = [await visit(privity, { token }), await visit(privity, { token })]
    const exceeded = { code: 'rate_limit_exceeded' }
    // Ten times as often as asking: a question is typed letter by letter.
    for (let times = 0; times < 10; times++)
      await (times % 2 ? one : two).handle.documents.complete({ text: 'mo' })
    await expect(one.handle.documents.complete({ text: 'mo' })).rejects.toMatchObject(exceeded)
    await one.handle.documents.search({ query: 'motion' })
    for (const { handle } of [one, two, one]) await handle.documents.list()
    await expect(two.handle.documents.list()).rejects.toMatchObject(exceeded)
    await expect(two.handle.documents.open(NOBODY)).rejects.toMatchObject(exceeded)
    // Over HTTP they are told when to come back: when the oldest use no longer counts.
    const refused = await fetch(`${server.url}/api/v1/documents`, {
      headers: { authorization: `Bearer ${two.key}` },
    })
    expect(refused.status).toBe(429)
    expect(Number(refused.headers.get('retry-after'))).toBe(3_600)
    // Whoever may ask nothing completes nothing.
    const mute = await visit(privity, await grant({ rateLimits: { maxQueriesPerHour: 0 } }))
    await expect(mute.handle.documents.complete({ text: 'mo' })).rejects.toMatchObject(exceeded)
  })

  describe('revoking', () => {
    const session = async (more: Partial<Grant> = {}) => {
      const made = await bank()
      await made.keep('motion to dismiss')
      const granted = await made.grant(more)
      return { ...made, ...granted, visitor: await visit(privity, granted) }
    }
    const reasonsOf = async (tenant: string) =>
      (await privity.as({ tenant, actor: 'w', audience: 'host' }).audit.list({ limit: 50 })).entries.flatMap(
        ({ operation, reason }) => (operation === 'document_view.list' && reason !== null ? [reason] : []),
      )
    const ended = { code: 'session_profile_invalid', reason: 'session.profile_revoked' }

    it('[ST-5] ends every session at once unless it is said otherwise', async () => {
      const { tenant, host, link, token, visitor } = await session()
      const second = await visit(privity, { token })
      const [document] = (await second.handle.documents.list()).documents
      await second.handle.documents.download(document?.document ?? '')
      const summary = await host.links.revoke({ link, reason: 'the case is over' })
      expect(summary).toEqual({
        link,
        revocationId: expect.any(String),
        revokedAt: expect.any(String),
        revokeReason: 'the case is over',
        activeSessionDisposition: 'terminate_immediately',
        activeSessionGracePeriodSeconds: null,
        downloadedCopiesDisposition: 'no_recall_attempt',
        cachedResponseDisposition: 'session_local_invalidate',
        sessionsTerminated: 2,
        sessionsEnding: 0,
        sessionsEndAt: null,
        downloads: 1,
        downloadedFiles: 1,
        recall: 'not_attempted',
        recallMails: [],
        message: expect.stringMatching(/2 active sessions ended.*cannot be recalled/s),
      })
      for (const { handle, profile } of [visitor, second]) {
        await expect(handle.documents.list()).rejects.toMatchObject(ended)
        expect(await host.profiles.get(profile)).toMatchObject({
          profileState: 'revoked',
          revokedReasonCode: 'share_token_revoked',
        })
      }
      expect(await reasonsOf(tenant)).toEqual(['share_token_revoked', 'share_token_revoked'])
      await expect(privity.redeem({ token })).rejects.toMatchObject({ code: 'not_found' })
      expect(await host.links.get(link)).toMatchObject({
        revokedAt: summary.revokedAt,
        revokeReason: 'the case is over',
      })
    })

    it('[ST-5, SP-2, SP-5] may let sessions run to their own end', async () => {
      const { tenant, host, link, token, visitor } = await session({ sessionSeconds: 3_600 })
      const summary = await host.links.revoke({
        link,
        reason: 'winding down',
        activeSessionDisposition: 'allow_session_complete',
      })
      const { expiresAt } = await visitor.handle.profiles.current()
      expect(summary).toMatchObject({ sessionsTerminated: 0, sessionsEnding: 1, sessionsEndAt: expiresAt })
      await expect(privity.redeem({ token })).rejects.toMatchObject({ code: 'not_found' })
      expect(await visitor.handle.profiles.current()).toMatchObject({
        profileState: 'active',
        endsAt: expiresAt,
        endsReasonCode: 'share_token_revoked_grace',
      })
      advance(59 * MINUTE)
      expect((await visitor.handle.documents.list()).documents).toHaveLength(1)
      advance(MINUTE)
      await expect(visitor.handle.documents.list()).rejects.toMatchObject(EXPIRED)
      const told = await host.profiles.get(visitor.profile)
      expect(told).toMatchObject({ profileState: 'expired', revokedAt: null })
      await new EndingProfiles(store.db, clock, { sweeps: false }).sweep()
      expect(await host.profiles.get(visitor.profile)).toEqual(told)
      await expect(visitor.handle.documents.list()).rejects.toMatchObject(EXPIRED)
      expect(await reasonsOf(tenant)).toEqual(['share_token_revoked_grace', 'share_token_revoked_grace'])
    })

    it.each([
      [undefined, 300],
      [45, 45],
    ])('[ST-5] may leave sessions a while: %s seconds', async (asked, seconds) => {
      const { tenant, host, link, token, visitor } = await session()
      const summary = await host.links.revoke({
        link,
        reason: 'soon',
        activeSessionDisposition: 'terminate_after_grace',
        ...(asked === undefined ? {} : { activeSessionGracePeriodSeconds: asked }),
      })
      expect(Date.parse(summary.sessionsEndAt ?? '') - Date.parse(summary.revokedAt)).toBe(seconds * 1_000)
      await expect(privity.redeem({ token })).rejects.toMatchObject({ code: 'not_found' })
      advance((seconds - 3) * 1_000)
      expect(await visitor.handle.profiles.current()).toMatchObject({
        endsAt: summary.sessionsEndAt,
        endsReasonCode: 'share_token_revoked_grace_expired',
      })
      expect((await visitor.handle.documents.list()).documents).toHaveLength(1)
      advance(3_000)
      await expect(visitor.handle.documents.list()).rejects.toMatchObject(ended)
      expect(await reasonsOf(tenant)).toEqual(['share_token_revoked_grace_expired'])
      expect(await host.profiles.get(visitor.profile)).toMatchObject({ profileState: 'revoked' })
    })

    it('[ST-5] leaves no session longer than it would have had', async () => {
      const { host, link, visitor } = await session({ sessionSeconds: 60 })
      const summary = await host.links.revoke({
        link,
        reason: 'soon',
        activeSessionDisposition: 'terminate_after_grace',
        activeSessionGracePeriodSeconds: 3_600,
      })
      expect(Date.parse(summary.sessionsEndAt ?? '') - Date.parse(summary.revokedAt)).toBeLessThanOrEqual(
        60_000,
      )
      advance(60_000)
      await expect(visitor.handle.documents.list()).rejects.toMatchObject(EXPIRED)
    })

    it('[SP-2] a session that was cut stays revoked when its expiry comes', async () => {
      const { host, link, visitor } = await session({ sessionSeconds: 600 })
      await host.links.revoke({ link, reason: 'soon', activeSessionDisposition: 'terminate_after_grace' })
      advance(5 * MINUTE)
      const told = await host.profiles.get(visitor.profile)
      expect(told?.profileState).toBe('revoked')
      advance(5 * MINUTE)
      expect(await host.profiles.get(visitor.profile)).toEqual(told)
      await new EndingProfiles(store.db, clock, { sweeps: false }).sweep()
      expect(await host.profiles.get(visitor.profile)).toEqual(told)
    })

    it('[ST-5] twice is refused and changes nothing', async () => {
      const { tenant, host, link } = await session()
      const revoke = (reason: string, more: object = {}, options: object = {}) =>
        host.links.revoke({ link, reason, ...more }, options)
      const once = await revoke('once', {}, { idempotencyKey: 'r' })
      const rows = await rowsOf(tenant)
      const conflict = { code: 'conflict', reason: 'share_token_already_revoked' }
      await expect(revoke('twice')).rejects.toMatchObject(conflict)
      await expect(
        revoke('longer', { activeSessionDisposition: 'allow_session_complete' }),
      ).rejects.toMatchObject(conflict)
      expect(await revoke('once', {}, { idempotencyKey: 'r' })).toEqual(once)
      expect(await rowsOf(tenant)).toEqual(rows)
    })

    it('[ST-5] asks for copies to be deleted where there is an address', async () => {
      const { host, grant, keep } = await bank()
      const doc = await keep('motion to dismiss')
      const address = 'xena@counsel.example'
      const { link, token } = await grant({ recipientIdentityMode: 'email_bound', recipientEmail: address })
      await privity.redeem({ token, email: address })
      const code = await box.codeFor(address)
      const { handle } = await visit(privity, { token, email: address, code })
      await handle.documents.download(doc)
      await handle.documents.download(doc)
      const before = box.mails.length
      const summary = await host.links.revoke({
        link,
        reason: 'sent in error',
        downloadedCopiesDisposition: 'best_effort_recall_request',
      })
      // Taken twice, it is one file.
      expect(summary).toMatchObject({ downloads: 2, downloadedFiles: 1, recall: 'requested' })
      expect(summary.message).toMatch(
        /xena@counsel\.example was asked to delete 1 downloaded file\..*cannot be recalled/s,
      )
      for (let tries = 0; box.mails.length === before && tries < 200; tries++)
        await new Promise(resolve => setTimeout(resolve, 10))
      expect(box.mails.slice(before)).toMatchObject([
        { to: address, text: expect.stringMatching(/delete 1 downloaded file\..*sent in error/s) },
      ])
      const anonymous = await grant()
      await (await visit(privity, anonymous)).handle.documents.download(doc)
      const unknown = await host.links.revoke({
        link: anonymous.link,
        reason: 'x',
        downloadedCopiesDisposition: 'best_effort_recall_request',
      })
      expect(unknown).toMatchObject({ downloads: 1, recall: 'no_address' })
      expect(unknown.message).toContain('No address is known')
    })

    it('[ST-5] asks nobody to delete nothing, and says when there is no mailer to ask with', async () => {
      const { tenant, host, grant, keep } = await bank()
      const doc = await keep('motion to dismiss')
      const address = 'yara@counsel.example'
      const mode = { recipientIdentityMode: 'email_bound', recipientEmail: address } as const
      const [unread, taken] = [await grant(mode), await grant(mode)]
      const recall = { reason: 'x', downloadedCopiesDisposition: 'best_effort_recall_request' } as const
      await privity.redeem({ token: taken.token, email: address })
      const code = await box.codeFor(address)
      const { handle } = await visit(privity, { token: taken.token, email: address, code })
      await handle.documents.download(doc)
      const before = box.mails.length
      const nothing = await host.links.revoke({ link: unread.link, ...recall })
      expect(nothing).toMatchObject({ downloads: 0, recall: 'nothing_downloaded' })
      expect(nothing.message).toContain('Nothing was downloaded')
      const mute = await store.instance(clock)
      const asked = await mute.as({ tenant, actor: 'hana' }).links.revoke({ link: taken.link, ...recall })
      expect(asked.recall).toBe('no_mailer')
      expect(asked.message).toContain(`No mailer is configured, so ${address} was not asked to delete 1`)
      await mute.close()
      expect(box.mails.slice(before)).toEqual([])
    })

    it('[ST-5, SP-1] how it was done is read with the link from then on', async () => {
      const { host, grant } = await bank()
      const { link } = await grant()
      expect((await host.links.get(link))?.revocation).toBeNull()
      const summary = await host.links.revoke({
        link,
        reason: 'soon',
        activeSessionDisposition: 'terminate_after_grace',
        cachedResponseDisposition: 'no_action',
      })
      const revocation = {
        revocationId: summary.revocationId,
        revokedAt: summary.revokedAt,
        revokeReason: 'soon',
        activeSessionDisposition: 'terminate_after_grace',
        activeSessionGracePeriodSeconds: 300,
        downloadedCopiesDisposition: 'no_recall_attempt',
        cachedResponseDisposition: 'no_action',
      }
      expect(summary).toMatchObject(revocation)
      expect((await host.links.get(link))?.revocation).toEqual(revocation)
      expect((await host.links.list()).links).toMatchObject([{ revocation }])
    })

    it('[ST-5] refuses what cannot be said of an end, and ends nothing', async () => {
      const { tenant, host, link, visitor } = await session()
      const rows = await rowsOf(tenant)
      for (const more of [
        { reason: '' },
        { reason: '  ' },
        {},
        { reason: 'x', activeSessionDisposition: 'never' },
        { reason: 'x', activeSessionGracePeriodSeconds: 0 },
        { reason: 'x', activeSessionGracePeriodSeconds: 86_401 },
        { reason: 'x', downloadedCopiesDisposition: 'delete' },
        { reason: 'x', cachedResponseDisposition: 'keep' },
      ])
        await expect(
          host.links.revoke({ link, ...more } as never),
          JSON.stringify(more),
        ).rejects.toMatchObject({ code: 'invalid_input' })
      expect(await rowsOf(tenant)).toEqual(rows)
      await visitor.handle.documents.list()
    })
  })

  describe('what came of a link', () => {
    it('[ST-1] tells the host who saw and took what', async () => {
      const { host, grant, keep } = await bank({ view: { viewTemporalMode: 'snapshot_at_share' } })
      const [a, b] = [await keep('motion to dismiss'), await keep('ruling on the motion')]
      const { link, token } = await grant()
      const other = await grant()
      const [one, two] = [await visit(privity, { token }), await visit(privity, { token })]
      const elsewhere = await visit(privity, other)
      await one.handle.documents.search({ query: 'motion' })
      await one.handle.documents.open(a)
      await two.handle.documents.open(b)
      await two.handle.documents.download(b)
      await elsewhere.handle.documents.open(a)
      expect(await two.handle.documents.open(NOBODY)).toBeNull()
      await expect(two.handle.links.list()).rejects.toMatchObject({ code: 'not_allowed' })
      const log = await host.links.accessLog({ link })
      expect(log).toMatchObject({
        auditVisibility: 'both',
        // What was opened in vain was not read.
        totals: { sessions: 2, searches: 1, views: 2, downloads: 1, refused: 1 },
        cursor: null,
      })
      const of = (operation: string, session: string) =>
        log.entries
          .filter(entry => entry.operation === operation && entry.session === session)
          .map(({ documents, others }) => ({ documents, others }))
      const named = (document: string, title: string) => ({ document, title })
      expect(of('search.execute', one.profile)).toEqual([
        {
          documents: [named(a, 'motion'), named(b, 'ruling')].sort((x, y) =>
            x.document < y.document ? -1 : 1,
          ),
          others: 0,
        },
      ])
      expect(of('document_view.open', one.profile)).toEqual([{ documents: [named(a, 'motion')], others: 0 }])
      expect(of('document_view.open', two.profile)).toEqual([
        { documents: [], others: 0 },
        { documents: [named(b, 'ruling')], others: 0 },
      ])
      expect(of('document_download.fetch', two.profile)).toEqual([
        { documents: [named(b, 'ruling')], others: 0 },
      ])
      expect(log.entries.some(({ session }) => session === elsewhere.profile)).toBe(false)
      expect(log.entries[0]).toMatchObject({
        operation: 'links.list',
        session: two.profile,
        outcome: 'not_allowed',
        reason: 'session.audience_not_allowed',
      })
      // Page by page, it is the same.
      const paged = []
      for (let cursor: string | null | undefined; cursor !== null; ) {
        const page = await host.links.accessLog({
          link,
          limit: 2,
          ...(cursor === undefined ? {} : { cursor }),
        })
        paged.push(...page.entries)
        cursor = page.cursor
      }
      expect(paged).toEqual(log.entries)
    })

    it('[ST-1] names what was superseded since', async () => {
      const { host, grant, keep } = await bank({ view: { viewTemporalMode: 'snapshot_at_share' } })
      const doc = await keep('ruling on the motion')
      const { link, token } = await grant()
      const { handle } = await visit(privity, { token })
      await host.revise({ how: 'supersede', record: doc, by: { text: 'the amended ruling' } })
      expect((await handle.documents.open(doc))?.text).toBe('ruling on the motion')
      const { entries } = await host.links.accessLog({ link })
      expect(entries).toMatchObject([{ documents: [{ document: doc, title: 'ruling' }], others: 0 }])
    })

    it('[ST-1] what is no document is not counted as one that is hidden', async () => {
      const { host, grant } = await bank()
      const { link, token } = await grant()
      const { handle } = await visit(privity, { token })
      await handle.profiles.current()
      await handle.profiles.leave()
      const { entries } = await host.links.accessLog({ link })
      expect(entries.map(({ operation, documents, others }) => [operation, documents, others])).toEqual([
        ['profiles.leave', [], 0],
      ])
    })

    it.each([
      ['both', true, true],
      ['host_only', true, false],
      ['session_local', false, true],
    ] as const)('[ST-1] audit visibility %s', async (auditVisibility, forHost, forSession) => {
      const { host, grant, keep } = await bank()
      const doc = await keep('motion to dismiss')
      const { link, token } = await grant({ auditVisibility })
      const [one, two] = [await visit(privity, { token }), await visit(privity, { token })]
      await one.handle.documents.open(doc)
      await two.handle.documents.open(doc)
      await expect(one.handle.keys.list()).rejects.toMatchObject({ code: 'not_allowed' })
      const log = await host.links.accessLog({ link })
      expect(log).toMatchObject({ auditVisibility, totals: { sessions: 2, views: 2, refused: 1 } })
      expect(log.entries.length).toBe(forHost ? 3 : 0)
      const own = (await one.handle.profiles.log()).entries
      expect(own.map(({ operation, session, reason }) => [operation, session, reason])).toEqual(
        forSession
          ? [
              ['keys.list', one.profile, null],
              ['document_view.open', one.profile, null],
            ]
          : [],
      )
      // The host has no session of its own that came by a link.
      expect(await host.profiles.log()).toEqual({ entries: [], cursor: null })
    })
  })
})
