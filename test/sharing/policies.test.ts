import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Handle } from '../../src/handle.js'
import { legal } from '../../src/legal/index.js'
import { openTestPrivity, type TestPrivity } from '../support/privity.js'
import { grantLink, keep, openLink, refusalOf } from '../support/sharing.js'
import { engines } from '../support/stores.js'

type Draft = NonNullable<Parameters<Handle['profiles']['create']>[0]>
type Policy = Parameters<Handle['profiles']['setPolicy']>[0]
type Refs = NonNullable<Parameters<Handle['links']['grant']>[0]['policyRefs']>

describe.each(engines)('typed policies of sessions on %s', engine => {
  let store: TestPrivity
  beforeAll(async () => {
    store = await openTestPrivity(engine, { domain: legal() })
  })
  afterAll(() => store.dispose())

  function world() {
    const tenant = store.tenant()
    const host = store.privity.as({ tenant, actor: 'hana' })
    const set = (kind: Policy['kind'], policy: string, settings: Policy['settings'] = {}) =>
      host.profiles.setPolicy({ kind, policy, settings })
    const active = async (draft: Draft = {}) => {
      const { profile } = await host.profiles.create(draft)
      await host.profiles.activate(profile)
      return profile
    }
    /** Somebody by a link that is granted in a session of the host, or with policies of its own. */
    const guestOf = async (draft: Draft | null, policyRefs: Refs = {}, more: object = {}) => {
      const under = draft === null ? {} : { profile: await active(draft) }
      const { view } = await host.views.create({ corpus: 'bank', viewTemporalMode: 'live_view' }, under)
      const { token } = await host.links.grant(
        { views: [view], recipientIdentityMode: 'anonymous_share_token', policyRefs, ...more },
        under,
      )
      return (await openLink(store.privity, token ?? '')).guest
    }
    return { tenant, host, set, active, guestOf }
  }

  it('[SP-1, SP-10] an output policy bounds what a context may have, of every profile above', async () => {
    const { host, set, active, guestOf } = world()
    await keep(host, 'the motion to dismiss was granted in part and denied in part')
    await set('output_policy', 'nothing', { maxOutputTokens: 1 })
    await set('output_policy', 'enough', { maxOutputTokens: 1_000, citationsRequired: true })
    const short = await active({ outputPolicyRef: 'nothing' })
    const asked = { query: 'motion' }
    expect(await host.documents.bundle(asked, { profile: short })).toMatchObject({ text: '', citations: [] })
    const whole = await host.documents.bundle(asked, { profile: await active({ outputPolicyRef: 'enough' }) })
    // Each passage has its place.
    expect(whole.citations.length).toBeGreaterThan(0)
    expect((await host.profiles.current({ profile: short })).limits.maxContextTokens).toBe(1)
    for (const guest of [
      await guestOf({ outputPolicyRef: 'nothing' }),
      await guestOf(null, { outputPolicyRef: 'nothing' }),
    ])
      expect((await guest.documents.bundle(asked)).text).toBe('')
  })

  it('[SP-1, SR-13] a document access policy that lists keeps documents from being opened, and offers no such thing', async () => {
    const { host, set, guestOf } = world()
    const document = await keep(host, 'the motion to dismiss')
    await set('document_access_policy', 'lists', { access: 'list_only' })
    for (const guest of [
      await guestOf({ documentAccessPolicyRef: 'lists' }),
      await guestOf(null, {}, { documentAccessPolicyRef: 'lists' }),
    ]) {
      const { documents } = await guest.documents.list()
      expect(documents.map(one => [one.document, one.affordances])).toEqual([[document, ['cite']]])
      const absent = '00000000-0000-4000-8000-000000000000'
      for (const one of [document, absent]) {
        expect((await refusalOf(guest.documents.open(one)))?.code).toBe('not_allowed')
        expect((await refusalOf(guest.documents.download(one)))?.code).toBe('not_allowed')
      }
      const { actions } = await guest.profiles.current()
      expect(actions).toContain('document_view.list')
      expect(actions).not.toContain('document_view.open')
      expect(actions).not.toContain('document_download.fetch')
    }
    const open = await guestOf(null)
    expect((await open.documents.open(document))?.text).toBe('the motion to dismiss')
  })

  it('[RS-2, SP-1] denials are said in the words of the session: one for all that are not told, and one for each that is', async () => {
    const { set, guestOf } = world()
    const generic = 'Ask Hana.'
    const rate = 'Slowly, please.'
    await set('session_denial_message_policy', 'kind', {
      visibleText: generic,
      messages: [{ reasonCode: 'rate_limit_exceeded', visibleText: rate }],
    })
    const guest = await guestOf({ sessionDenialMessagePolicyRef: 'kind', maxQueriesPerHour: 0 })
    const refused = await refusalOf(guest.documents.search({ query: 'motion' }))
    expect(refused).toMatchObject({
      code: 'rate_limit_exceeded',
      reason: 'rate_limit_exceeded',
      message: rate,
    })
    const blocked = await refusalOf(guest.list())
    expect(blocked).toEqual({ code: 'not_allowed', reason: undefined, message: generic })
    expect(await guest.capabilities.check({ capability: 'memory.list' })).toEqual({
      permitted: false,
      reason: null,
      text: generic,
    })
    // Words of its own for one that is not told would tell it.
    for (const reasonCode of ['session.capability_blocked_by_policy', 'totally_unregistered'])
      expect(
        await refusalOf(
          set('session_denial_message_policy', 'tells', { messages: [{ reasonCode, visibleText: 'x' }] }),
        ),
      ).toMatchObject({ code: 'invalid_input' })
  })

  it('[SP-1, CV-7] a transcript that is to last keeps its searches', async () => {
    const { host, set, active } = world()
    await keep(host, 'the motion to dismiss')
    await set('transcript_retention_policy', 'a year', { retention: 'durable_audit_1y' })
    const lasting = await active({ transcriptRetentionPolicyRef: 'a year' })
    const kept = async (profile: string) => {
      const { receipt } = await host.search('motion', {}, { profile })
      return (await host.receipts.get(receipt.searchRunId))?.retention.retentionClass
    }
    expect(await kept(lasting)).toBe('durable_audit_1y')
    expect(await kept(await active())).toBe('ephemeral_session_lifetime')
  })

  it('[SP-8, SP-1] what a session may be learnt from narrows its signals, also by a link', async () => {
    const { host, set, active, guestOf } = world()
    const kind = 'click_dwell'
    await set('learning_capture_policy', 'none', { capture: 'none' })
    await set('learning_capture_policy', 'reviewed', { capture: 'host_reviewed' })
    await set('utility_signal_policy', 'nothing', { utilitySignalCapture: 'host_global', captureKinds: [] })
    const route = async (draft: Draft) => {
      const profile = await active(draft)
      return (await host.signals.record({ kind }, { profile })).route
    }
    expect(await route({})).toBe('host_global')
    expect(await route({ learningCapturePolicyRef: 'none' })).toBe('session_local_only')
    expect(await route({ learningCapturePolicyRef: 'reviewed' })).toBe('corpus_aggregate_review_required')
    const captured = async (guest: Handle) => (await guest.signals.record({ kind })).captured
    expect(await captured(await guestOf({}))).toBe(true)
    expect(await captured(await guestOf({ utilitySignalPolicyRef: 'nothing' }))).toBe(false)
    expect(await captured(await guestOf(null, { utilitySignalPolicyRef: 'nothing' }))).toBe(false)
  })

  it('[SP-8] what a host chose for a link holds for its sessions, and takes nothing of an anonymous one out', async () => {
    const { host, set, guestOf } = world()
    await set('utility_signal_policy', 'shares', {
      utilitySignalCapture: 'host_global',
      captureKinds: ['result_share'],
    })
    await set('utility_signal_policy', 'dwell', {
      utilitySignalCapture: 'host_global',
      captureKinds: ['click_dwell'],
    })
    const guest = await guestOf(null, { utilitySignalPolicyRef: 'shares' })
    expect(await guest.signals.record({ kind: 'result_share' })).toMatchObject({ captured: true })
    expect(await guest.signals.record({ kind: 'click_dwell' })).toMatchObject({ captured: false })
    // What the session is under narrows it further.
    const within = await guestOf({ utilitySignalPolicyRef: 'dwell' }, { utilitySignalPolicyRef: 'shares' })
    for (const kind of ['result_share', 'click_dwell'] as const)
      expect(await within.signals.record({ kind })).toMatchObject({ captured: false })
    expect((await host.signals.summary()).records).toEqual([])
  })

  it('[SP-9] whose rules govern a session by a link is as the session it was granted in says, or the link', async () => {
    const { set, guestOf } = world()
    await set('doc1_governance_split', 'inherited', {
      doc1GovernanceKind: 'session_and_corpus',
      doc1ShareLinkGovernanceRole: 'host_session_governance_inherited',
    })
    const governed = async (guest: Handle) => (await guest.profiles.current()).governance
    const all = { session: true, corpus: true }
    expect(await governed(await guestOf({}))).toEqual({ session: false, corpus: false })
    expect(await governed(await guestOf({ doc1GovernanceSplitRef: 'inherited' }))).toEqual(all)
    expect(await governed(await guestOf(null, { doc1GovernanceSplitRef: 'inherited' }))).toEqual(all)
  })

  it('[SP-3] a link refers to no policy that is not there, or not its owner’s', async () => {
    const { tenant, host, set } = world()
    const other = store.privity.as({ tenant, actor: 'sam' })
    await other.profiles.setPolicy({ kind: 'output_policy', policy: 'theirs', settings: {} })
    await set('learning_capture_policy', 'of another kind')
    const { view } = await host.views.create({ corpus: 'bank' })
    for (const outputPolicyRef of ['nowhere', 'theirs', 'of another kind'])
      expect(await refusalOf(grantLink(host, [view], { policyRefs: { outputPolicyRef } }))).toMatchObject({
        code: 'invalid_input',
        message: 'policyRefs.outputPolicyRef: unknown policy; create it first with profiles.set_policy',
      })
    await set('output_policy', 'mine')
    const { link } = await grantLink(host, [view], { policyRefs: { outputPolicyRef: 'mine' } })
    expect((await host.links.get(link))?.policyRefs).toEqual({ outputPolicyRef: 'mine' })
  })
})
