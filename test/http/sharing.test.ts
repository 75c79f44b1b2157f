import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Server, serve } from '../../src/http/serve.js'
import { folderMailer } from '../../src/mail/folder-mailer.js'
import type { Privity } from '../../src/open.js'
import type { Method } from '../../src/runtime/operation.js'
import { type SharedStore, sharedStore } from '../support/shared-store.js'
import { type PassingClock, passingClock } from '../support/sharing.js'
import { engines } from '../support/stores.js'

const CORPUS = 'MTD Securities Litigation 9th Circuit'
const COCOUNSEL = 'cocounsel@firm.com'
const GENERIC = 'Not available in this session.'
const DAY = 24 * 3_600_000

/** The three views of worked example 21.2. */
const V1 = {
  corpus: CORPUS,
  name: 'V1',
  exposedSurfaces: ['source_documents', 'filing_metadata', 'court_rulings'],
  derivedMemorySharePolicy: 'include_with_provenance',
  hostAnnotationPolicy: 'include_marked_shareable',
  visibilityClassCeiling: 'public_open',
  viewTemporalMode: 'snapshot_at_share',
}
const V2 = {
  corpus: CORPUS,
  name: 'V2',
  exposedSurfaces: ['source_documents', 'filing_metadata'],
  derivedMemorySharePolicy: 'exclude_all',
  hostAnnotationPolicy: 'exclude_all',
  visibilityClassCeiling: 'public_open',
  viewTemporalMode: 'snapshot_at_share_with_drift_disclosure',
}
const V3 = {
  corpus: CORPUS,
  name: 'V3',
  exposedSurfaces: [
    'source_documents',
    'filing_metadata',
    'filing_relationships',
    'court_rulings',
    'court_disposition_observations',
  ],
  derivedMemorySharePolicy: 'include_only_user_marked_shareable',
  hostAnnotationPolicy: 'include_marked_shareable',
  visibilityClassCeiling: 'work_product_internal',
  viewTemporalMode: 'live_view',
}

describe.each(engines)('sharing over HTTP on %s', engine => {
  let store: SharedStore
  let privity: Privity
  let server: Server
  let clock: PassingClock
  let mailbox: string

  beforeAll(async () => {
    mailbox = await mkdtemp(join(tmpdir(), 'privity-mail-'))
    clock = passingClock()
    store = await sharedStore(engine)
    privity = await store.instance(clock, { mail: { mailer: folderMailer(mailbox) } })
    server = await serve(privity, { port: 0 })
  })
  afterAll(async () => {
    await server?.close()
    await privity?.close()
    await store?.dispose()
    await rm(mailbox, { recursive: true, force: true })
  })

  /** Somebody who has nothing but a key, or nothing at all. */
  function asker(key: string | null) {
    const tell = async (
      method: Method,
      path: string,
      body?: unknown,
      headers: Readonly<Record<string, string>> = {},
    ) => {
      const response = await fetch(`${server.url}/api/v1${path}`, {
        method,
        headers: {
          ...(key === null ? {} : { authorization: `Bearer ${key}` }),
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
      const text = await response.text()
      return { status: response.status, text, body: JSON.parse(text) }
    }
    return {
      tell,
      async ask(method: Method, path: string, body?: unknown, headers?: Readonly<Record<string, string>>) {
        const answer = await tell(method, path, body, headers)
        expect(answer.body, `${method} ${path}`).toMatchObject({ success: true })
        return answer.body.data
      },
      async refused(
        method: Method,
        path: string,
        body?: unknown,
        headers?: Readonly<Record<string, string>>,
      ) {
        const answer = await tell(method, path, body, headers)
        expect(answer.body, `${method} ${path}`).toMatchObject({ success: false })
        const { requestId, ...error } = answer.body.error
        return { status: answer.status, ...error }
      },
    }
  }
  type Asker = ReturnType<typeof asker>

  /** A litigator, and the keeper of the store. */
  async function firm() {
    const tenant = store.tenant()
    const keeper = privity.as({ tenant, actor: 'keeper', audience: 'host' })
    const keyFor = async (actor: string, audience: 'owner' | 'host') =>
      (await keeper.keys.create({ name: actor, actor, audience })).secret ?? ''
    return {
      tenant,
      host: asker(await keyFor('litigator', 'owner')),
      keeper: asker(await keyFor('warden', 'host')),
    }
  }

  async function keep(host: Asker, record: Record<string, unknown>): Promise<string> {
    const { records } = await host.ask('POST', '/records', {
      records: [{ kind: 'document', corpus: CORPUS, visibilityClass: 'public_open', ...record }],
    })
    return records[0].id
  }

  /** Mails to an address, oldest first, once there are so many of them. */
  async function mailsTo(address: string, count: number): Promise<string[]> {
    for (let tries = 0; tries < 200; tries++) {
      const files = (await readdir(mailbox)).filter(name => name.endsWith('.eml') && !name.startsWith('.'))
      const mails = await Promise.all(files.map(name => readFile(join(mailbox, name), 'utf8')))
      const theirs = mails.filter(mail => mail.includes(`To: ${address}\r\n`))
      if (theirs.length >= count) return theirs
      await new Promise(resolve => setTimeout(resolve, 50))
    }
    throw new Error(`fewer than ${count} mails came to ${address}`)
  }

  it('[SV-1, SV-2, SV-3, SV-5] follows worked example 21.2: three views, one effective view', async () => {
    const { host } = await firm()
    const on = (surface: string, text: string, more = {}) =>
      keep(host, { surface, title: text, text, ...more })
    const shown = {
      brief: await on('source_documents', 'motion to dismiss for failure to plead scienter', {
        fields: { caseNumber: '3:21-cv-01234' },
      }),
      metadata: await on('filing_metadata', 'docket sheet of the motion'),
    }
    const hidden = {
      ruling: await on('court_rulings', 'ruling that denies the motion'),
      relationship: await on('filing_relationships', 'this motion answers the complaint'),
      disposition: await on('court_disposition_observations', 'motion denied in part'),
      derived: await on('derived_memories', 'motions with this argument tend to fail', {
        markedShareable: true,
      }),
      annotation: await on('host_annotations', 'our motion was weak here', { markedShareable: true }),
      internal: await on('source_documents', 'draft motion never filed', {
        visibilityClass: 'work_product_internal',
      }),
      elsewhere: await keep(host, {
        corpus: 'another bank',
        surface: 'source_documents',
        title: 'motion of somebody else',
        text: 'motion of somebody else',
      }),
    }

    // Setup: three views for one recipient, who is co-counsel.
    const views: string[] = []
    for (const view of [V1, V2, V3]) views.push((await host.ask('POST', '/views', view)).view)
    const [one = '', two = '', three = ''] = views
    const granted = await host.ask('POST', '/links', {
      views,
      recipientIdentityMode: 'anonymous_share_token',
    })
    const sharedAt = granted.link.createdAt

    // Steps 1 to 7: the effective view stands in the manifest of the session.
    const opened = await asker(null).ask('POST', '/links/redeem', { token: granted.token })
    const recipient = asker(opened.key)
    const session = await recipient.ask('GET', '/session')
    const effective = {
      effective: true,
      corpus: CORPUS,
      owner: 'litigator',
      exposedSurfaces: ['source_documents', 'filing_metadata'],
      derivedMemorySharePolicy: 'exclude_all',
      hostAnnotationPolicy: 'exclude_all',
      visibilityClassCeiling: 'public_open',
      viewTemporalMode: 'snapshot_at_share',
      snapshotAtTimestamp: sharedAt,
      limitedToDocuments: false,
    }
    // Step 9: two sentences, whatever the host has.
    const notices = [
      'Host annotations and analysis are not included in this share unless the host chose to include them.',
      `You are viewing a snapshot of this corpus as of ${sharedAt}.`,
    ]
    expect(session).toMatchObject({
      profile: opened.profile,
      sessionKind: 'share_link_session',
      identityMode: 'anonymous_share_token',
      profileState: 'active',
    })
    expect(session.corpora).toEqual([{ ...effective, notices, drifted: null }])

    // The host reads which view restricted what, in whatever order and however often they are named.
    const told = await host.ask('POST', '/views/effective', { views })
    for (const order of [
      [three, one, two],
      [two, two, three, one, one],
    ])
      expect(await host.ask('POST', '/views/effective', { views: order })).toEqual(told)
    const [{ account, shows, ...alone }] = told.corpora
    expect(told.corpora).toHaveLength(1)
    expect(alone).toEqual(effective)
    expect(shows).toEqual({ documents: 2, ofDocuments: 8, records: 2, ofRecords: 8 })
    expect(Object.fromEntries(account.map((line: { field: string }) => [line.field, line]))).toEqual({
      exposedSurfaces: {
        field: 'exposedSurfaces',
        value: ['source_documents', 'filing_metadata'],
        restrictedBy: [one, two].sort(),
      },
      derivedMemorySharePolicy: {
        field: 'derivedMemorySharePolicy',
        value: 'exclude_all',
        restrictedBy: [two],
      },
      hostAnnotationPolicy: { field: 'hostAnnotationPolicy', value: 'exclude_all', restrictedBy: [two] },
      visibilityClassCeiling: {
        field: 'visibilityClassCeiling',
        value: 'public_open',
        restrictedBy: [one, two].sort(),
      },
      viewTemporalMode: { field: 'viewTemporalMode', value: 'snapshot_at_share', restrictedBy: [one] },
      snapshotAt: {
        field: 'snapshotAt',
        value: Date.parse(sharedAt),
        restrictedBy: [one, two].sort(),
      },
      documentScope: { field: 'documentScope', value: 'all_documents', restrictedBy: [] },
    })
    // It is an answer and never a view of its own.
    const { views: stored } = await host.ask('GET', '/views')
    expect(stored.map(({ view }: { view: string }) => view).sort()).toEqual([...views].sort())

    // Step 8: what the recipient finds, lists and reads on each surface.
    const later = await on('source_documents', 'a motion filed after the share')
    const found = await recipient.ask('POST', '/documents/search', { query: 'motion', limit: 100 })
    const visible = Object.values(shown).sort()
    const idsOf = (documents: { document: string }[]) => documents.map(({ document }) => document).sort()
    expect(idsOf(found.results.map((result: { document: unknown }) => result.document))).toEqual(visible)
    expect(found).toMatchObject({ count: 2, receipt: { searchedCount: 2, excludedCountTotal: 0 } })
    expect(idsOf((await recipient.ask('GET', '/documents')).documents)).toEqual(visible)
    const brief = await recipient.ask('GET', `/documents/${shown.brief}`)
    expect(brief).toMatchObject({
      text: 'motion to dismiss for failure to plead scienter',
      surface: 'source_documents',
      fields: { caseNumber: '3:21-cv-01234' },
    })
    expect(brief).not.toHaveProperty('tags')
    for (const [what, document] of Object.entries({ ...hidden, later })) {
      const absent = { status: 404, code: 'not_found', message: 'not found' }
      expect(await recipient.refused('GET', `/documents/${document}`), what).toEqual(absent)
      expect(await recipient.refused('POST', `/documents/${document}/download`, {}), what).toEqual(absent)
    }
    for (const [typed, words] of [
      ['deni', []],
      ['compla', []],
      ['scien', ['scienter']],
    ] as const) {
      const { completions } = await recipient.ask('POST', '/documents/complete', { text: typed })
      expect(
        completions.map(({ word }: { word: string }) => word),
        typed,
      ).toEqual(words)
    }
    // What came later changed nothing that is told: this snapshot discloses no drift.
    expect((await recipient.ask('GET', '/session')).corpora).toEqual(session.corpora)
  })

  it('[SP-6, SP-7] follows worked example 21.3: a sub-agent works within what its host is', async () => {
    const { tenant, host, keeper } = await firm()
    const all = (...namespaces: string[]) =>
      namespaces.map(namespace => ({ kind: 'namespace_all', namespace }))
    await keeper.ask('POST', '/policies', {
      policy: 'litigation',
      mode: 'deny_all_except',
      allowedCapabilities: all('search', 'document_view', 'memory', 'agents', 'profiles'),
    })
    const { profile } = await host.ask('POST', '/profiles', { capabilityPolicyRef: 'litigation' })
    await host.ask('POST', `/profiles/${profile}/activate`)
    const under = { 'privity-profile': profile }
    const note = await keep(host, {
      kind: 'note',
      text: 'MTD oppositions that worked',
      visibilityClass: 'privileged',
    })

    // Step 3: what the host spawns has a binding that follows from its own.
    const spawn = (by: Asker, agent: string, headers = {}) =>
      by.ask('POST', '/agents', { agent, maxSensitivity: 'hyper' }, headers)
    const sub = await spawn(host, 'document_intelligence_agent', under)
    expect(sub.profile).toMatchObject({
      sessionKind: 'subagent_session',
      identityMode: 'system_agent',
      profileState: 'active',
      parentProfileRef: profile,
      originUserRef: 'litigator',
    })
    expect(sub.binding).toMatchObject({
      bindingKind: 'subagent_session',
      inheritedVisibilityConstraints: [
        'public_open',
        'party_confidential',
        'work_product_internal',
        'privileged',
      ],
      forkForbidden: false,
      maxSpawnDepth: 2,
      maxChildrenPerAgent: 5,
      contextInheritancePolicy: 'full_inherit',
      authInheritancePolicy: 'inherit_with_session_token',
      transcriptVisibilityPolicy: 'shared',
      childSpawnConstraint: 'inherit_parent_constraint',
    })

    // Step 4: all of its host's context, its own key, and no more than its host's policy.
    const agent = asker(sub.secret)
    expect(await agent.ask('GET', `/records/${note}`)).toMatchObject({
      payload: { text: 'MTD oppositions that worked' },
    })
    expect(await agent.refused('GET', '/searches')).toMatchObject({ status: 403, message: GENERIC })
    const { agents } = await host.ask('GET', '/agents')
    expect(agents.map((one: { actor: string }) => one.actor)).toEqual([
      'litigator/document_intelligence_agent',
    ])

    // Steps 5 and 6: one level less each time, and none below the last.
    const ocr = await spawn(agent, 'ocr_specialist')
    expect(ocr.binding).toMatchObject({
      ...sub.binding,
      bindingId: expect.any(String),
      ecSessionId: ocr.profile.profile,
      openclawNativeSessionId: ocr.profile.profile,
      parentRef: sub.binding.bindingId,
      maxSpawnDepth: 1,
    })
    const page = await spawn(asker(ocr.secret), 'page_reader')
    expect(page.binding.maxSpawnDepth).toBe(0)
    const tooDeep = await asker(page.secret).refused('POST', '/agents', {
      agent: 'line_reader',
      maxSensitivity: 'hyper',
    })
    expect(tooDeep).toMatchObject({ status: 403, message: GENERIC })

    // Step 7: whoever came by a link spawns nothing, and is not told why.
    const { view } = await host.ask('POST', '/views', V1)
    const { token } = await host.ask('POST', '/links', {
      views: [view],
      recipientIdentityMode: 'anonymous_share_token',
    })
    const opened = await asker(null).ask('POST', '/links/redeem', { token })
    const [bound] = await store.sql<{ binding: Record<string, unknown> }>(
      'select binding from privity.session_bindings where tenant_id = $1 and profile_id = $2',
      [tenant, opened.profile],
    )
    expect(bound?.binding).toMatchObject({
      bindingKind: 'share_link_session',
      forkForbidden: true,
      maxSpawnDepth: 0,
      maxChildrenPerAgent: 0,
      contextInheritancePolicy: 'no_inherit',
      authInheritancePolicy: 'session_only',
      transcriptVisibilityPolicy: 'isolated',
      childSpawnConstraint: 'deny_all',
    })
    const refused = await asker(opened.key).refused('POST', '/agents', { agent: 'a', maxSensitivity: 'low' })
    expect(refused).toMatchObject({ status: 403, code: 'not_allowed', message: GENERIC })
    expect(refused).not.toHaveProperty('reason')

    // Both refusals stand in the audit by their reasons, newest first.
    const { entries } = await keeper.ask('GET', '/audit?limit=200')
    const spawns = entries.filter(({ operation }: { operation: string }) => operation === 'agents.spawn')
    expect(
      spawns.map((one: { outcome: string; reason: string | null }) => [one.outcome, one.reason]),
    ).toEqual([
      ['not_allowed', 'native_session_fork_forbidden'],
      ['not_allowed', 'native_session_max_spawn_depth_exceeded'],
      ['ok', null],
      ['ok', null],
      ['ok', null],
    ])
  })

  it('[ST-1, ST-2, ST-5, ST-6, AU-2] follows worked example 21.4: a revocation and the copies that left', async () => {
    const { tenant, host, keeper } = await firm()
    const documents: string[] = []
    for (let number = 1; number <= 47; number++)
      documents.push(
        await keep(host, {
          surface: 'source_documents',
          title: `Exhibit ${number}`,
          text: `exhibit number ${number} to the motion`,
        }),
      )

    // Setup: STK-001 on V1, bound to the address of co-counsel.
    const { view } = await host.ask('POST', '/views', V1)
    const asked = {
      name: 'STK-001',
      views: [view],
      recipientIdentityMode: 'email_bound',
      recipientEmail: COCOUNSEL,
      rateLimits: { maxDocumentViewsPerHour: 500 },
    }
    const granted = await host.ask('POST', '/links', asked, { 'idempotency-key': 'grant STK-001' })
    const { link } = granted.link
    expect(granted.link).toMatchObject({
      name: 'STK-001',
      views: [view],
      recipientIdentityMode: 'email_bound',
      recipientEmail: COCOUNSEL,
      allowedActions: ['search', 'document_view', 'document_download'].map(namespace => ({
        kind: 'namespace_all',
        namespace,
      })),
      watermarkDownloads: true,
      auditVisibility: 'both',
      rateLimits: {
        maxQueriesPerHour: 50,
        maxDocumentViewsPerHour: 500,
        maxUploadsPerDay: 10,
        maxRecipientSessionsConcurrent: 5,
      },
      revokedAt: null,
    })
    // The same request again gets the link, and not what opens it.
    expect(await host.ask('POST', '/links', asked, { 'idempotency-key': 'grant STK-001' })).toEqual({
      ...granted,
      token: null,
    })

    const nobody = asker(null)
    const redeem = (more: object) => nobody.ask('POST', '/links/redeem', { token: granted.token, ...more })
    let mails = 0
    /** A session, by the code that came in a mail. */
    async function enter(): Promise<Asker> {
      expect(await redeem({})).toEqual({ status: 'email_needed' })
      expect((await redeem({ email: COCOUNSEL })).status).toBe('code_sent')
      const codes = (await mailsTo(COCOUNSEL, ++mails)).map(
        mail => /Subject: Your code: (\d{8})\r\n/.exec(mail)?.[1] ?? '',
      )
      // Files have no order of their own: the code that is right is the newest one.
      for (const code of codes) {
        const opened = await redeem({ email: COCOUNSEL, code })
        if (opened.status === 'open') return asker(opened.key)
      }
      throw new Error('no code opened the link')
    }
    // Another address is answered alike, gets no mail, and its codes open nothing.
    expect(await redeem({ email: 'somebody@else.com' })).toEqual({
      status: 'code_sent',
      expiresAt: expect.any(String),
    })
    expect(await redeem({ email: COCOUNSEL, code: '00000000' })).toEqual({ status: 'refused' })

    // Two weeks of use: 47 downloads by two sessions, one of which is over.
    const first = await enter()
    for (const document of documents.slice(0, 20))
      await first.ask('POST', `/documents/${document}/download`, {})
    clock.pass(14 * DAY)
    expect(await first.refused('GET', '/session')).toMatchObject({
      status: 403,
      code: 'session_profile_invalid',
      reason: 'session.profile_expired',
    })
    const recipient = await enter()
    for (const document of documents.slice(20)) {
      const copy = await recipient.ask('POST', `/documents/${document}/download`, {})
      expect(copy).toMatchObject({ document, mediaType: 'text/plain; charset=utf-8', truncated: false })
      const text = Buffer.from(copy.content, 'base64').toString()
      expect(text).toContain(`exhibit number ${documents.indexOf(document) + 1} to the motion`)
      expect(text).toContain(`${COCOUNSEL} · ${copy.watermark}`)
    }
    expect(await host.ask('GET', `/links/${link}/accesses`)).toMatchObject({
      totals: { sessions: 2, downloads: 47, refused: expect.any(Number) },
    })

    // Steps 1 and 2.
    const reason = 'inadvertently_shared_sealed_material'
    const revoked = await host.ask('POST', `/links/${link}/revoke`, {
      reason,
      activeSessionDisposition: 'terminate_immediately',
      downloadedCopiesDisposition: 'best_effort_recall_request',
      cachedResponseDisposition: 'session_local_invalidate',
    })
    expect(revoked).toMatchObject({
      link,
      revokeReason: reason,
      activeSessionDisposition: 'terminate_immediately',
      downloadedCopiesDisposition: 'best_effort_recall_request',
      cachedResponseDisposition: 'session_local_invalidate',
      sessionsTerminated: 1,
      sessionsEnding: 0,
      sessionsEndAt: null,
      downloads: 47,
      recall: 'requested',
    })
    // Step 7: the host is told what happened, and what cannot.
    for (const words of [
      'STK-001',
      'is revoked',
      '1 active session ended',
      `${COCOUNSEL} was asked to delete 47 downloaded files`,
      'Answers kept for its sessions are not used again',
      'Copies that were downloaded cannot be recalled',
    ])
      expect(revoked.message).toContain(words)
    expect(await host.ask('GET', `/links/${link}`)).toMatchObject({
      revokedAt: revoked.revokedAt,
      revokeReason: reason,
    })

    // Step 3: the session is over at once.
    expect(await recipient.refused('GET', `/documents/${documents[0]}`)).toMatchObject({
      status: 403,
      code: 'session_profile_invalid',
      reason: 'session.profile_revoked',
    })
    const { profiles } = await host.ask('GET', `/profiles?link=${link}`)
    expect(profiles.map((one: { profileState: string }) => one.profileState)).toEqual(['revoked', 'expired'])
    expect(profiles[0]).toMatchObject({
      revokedAt: revoked.revokedAt,
      revokedReasonCode: 'share_token_revoked',
    })
    // Nobody comes in by it any more: it answers like one that never was.
    const unknown = granted.token.replace(/.{4}$/, 'AAAA')
    for (const token of [granted.token, unknown])
      expect(await nobody.refused('POST', '/links/redeem', { token, email: COCOUNSEL })).toEqual({
        status: 404,
        code: 'not_found',
        message: 'not found',
      })

    // Step 5a: the mail, with how many and why.
    const recall = (await mailsTo(COCOUNSEL, mails + 1)).find(mail => mail.includes('delete 47'))
    expect(recall).toContain('Subject: Share link revoked: please delete what you downloaded\r\n')
    expect(recall).toContain('STK-001')
    expect(recall).toContain(`Reason: ${reason}`)
    expect(recall).toContain('this is a request')
    // Step 5b: every copy that left is marked.
    const marked = await store.sql<{ at: Date | null }>(
      'select invalid_at as at from privity.watermarks where tenant_id = $1 and link_id = $2 and download_id is not null',
      [tenant, link],
    )
    expect(marked).toHaveLength(47)
    expect(new Set(marked.map(({ at }) => at?.toISOString()))).toEqual(new Set([revoked.revokedAt]))

    // Twice is refused, and says so.
    expect(await host.refused('POST', `/links/${link}/revoke`, { reason: 'again' })).toMatchObject({
      status: 409,
      code: 'conflict',
      reason: 'share_token_already_revoked',
    })

    // Step 6: both stand in the log of operations, with what they did and whether it can be undone.
    const done = {
      operation: expect.any(String),
      at: expect.any(String),
      actor: 'litigator',
      for: 'litigator',
      audience: 'owner',
      policyGeneration: expect.any(String),
    }
    const { operations } = await keeper.ask('GET', `/audit/operations?of=${link}`)
    expect(
      operations
        .filter(({ name }: { name: string }) => ['links.grant', 'links.revoke'].includes(name))
        .reverse(),
    ).toEqual([
      {
        ...done,
        name: 'links.grant',
        effects: ['share_link_grant'],
        reversibility: 'irreversible_external_effect',
        refs: [link],
        // It follows from the view that it shares.
        causalParents: [expect.any(String)],
        mails: [],
        hasIdempotencyKey: true,
      },
      {
        ...done,
        name: 'links.revoke',
        effects: ['share_link_revoke', 'recall_requested', 'watermarks_invalidated'],
        reversibility: 'compensating_operation_only',
        refs: [link, profiles[0].profile, ...revoked.recallMails],
        causalParents: [operations.find(({ name }: { name: string }) => name === 'links.grant').operation],
        mails: [{ mail: revoked.recallMails[0], state: expect.any(String) }],
        hasIdempotencyKey: false,
      },
    ])
    // What compensates is a grant of its own.
    const anew = await host.ask('POST', '/links', { ...asked, name: 'STK-002' })
    expect(anew.link.link).not.toBe(link)
    expect(anew.token).not.toBe(granted.token)
  })
})
