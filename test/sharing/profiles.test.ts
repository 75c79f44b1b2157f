import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Handle } from '../../src/handle.js'
import { type Server, serve } from '../../src/http/serve.js'
import { assemble, type Privity } from '../../src/open.js'
import { IDENTITY_MODES, PROFILE_KINDS } from '../../src/policy/vocabulary.js'
import type { Credential } from '../../src/runtime/caller.js'
import { POLICY_OF_FIELD, PROFILE_POLICY_KINDS } from '../../src/runtime/profile-policies.js'
import { SUSPENDED_AFTER } from '../../src/runtime/rates.js'
import { EndingProfiles } from '../../src/sharing/ending-profiles.js'
import type { Database } from '../../src/storage/database.js'
import { few } from '../support/depth.js'
import { type SharedStore, sharedStore } from '../support/shared-store.js'
import {
  grantLink,
  keep,
  openLink,
  type PassingClock,
  passingClock,
  refusalOf,
  textOf,
} from '../support/sharing.js'
import { plantBinding, plantProfile } from '../support/spawning.js'
import { engines } from '../support/stores.js'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const INVALID = 'session_state_transition_invalid'
const UNRESOLVED = 'session.activation_blocked_unresolved_ref'
const ABSENT = '00000000-0000-4000-8000-000000000000'

/** Two values for each field that a profile has beside its kind; the first is not what it is without one. */
const FIELDS = {
  capabilityPolicyRef: ['one', 'two'],
  documentAccessPolicyRef: ['one', 'two'],
  sourceVisibilityFloor: ['party_confidential', 'privileged'],
  visibilityClassCeiling: ['sealed', 'public_open'],
  whyBlockedSurface: [true, false],
  sessionDenialMessagePolicyRef: ['one', 'two'],
  derivedMemorySharePolicy: ['exclude_all', 'include_with_provenance'],
  hostAnnotationPolicy: ['exclude_all', 'include_all'],
  outputPolicyRef: ['one', 'two'],
  documentDeliveryPolicyRef: ['one', 'two'],
  transcriptRetentionPolicyRef: ['one', 'two'],
  learningCapturePolicyRef: ['one', 'two'],
  utilitySignalPolicyRef: ['one', 'two'],
  doc1GovernanceSplitRef: ['one', 'two'],
  maxQueriesPerHour: [1, 0],
  maxDocumentViewsPerHour: [2, 3],
  maxUploadsPerDay: [3, 4],
  maxResultCount: [4, 5],
  maxContextTokens: [5, 6],
  maxDocumentBytes: [6, 7],
  maxUiComplexityTier: ['tier_1_minimal', 'tier_3_advanced'],
  expertMode: [true, false],
  nativeSessionScopeBindingRef: ['11111111-1111-4111-8111-111111111111', ABSENT],
  externalUploadFileSafetyControlsRef: ['one', 'two'],
  sourcePolicySnapshotRef: ['one', 'two'],
  auditScope: ['host_only', 'session_local'],
  expiresAt: ['2099-01-01T00:00:00.000Z', '2099-01-02T00:00:00.000Z'],
} as const
type Field = keyof typeof FIELDS
const FIELD_NAMES = Object.keys(FIELDS) as Field[]
const FIRST = Object.fromEntries(FIELD_NAMES.map(field => [field, FIELDS[field][0]]))

describe.each(engines)('session profiles on %s', engine => {
  let store: SharedStore
  let privity: Privity
  let clock: PassingClock
  let server: Server
  let statements: string[] | null = null

  beforeAll(async () => {
    clock = passingClock()
    store = await sharedStore(engine, { observe: sql => statements?.push(sql) })
    privity = await store.instance(clock)
    server = await serve(privity, { port: 0 })
  })
  afterAll(async () => {
    await server?.close()
    await privity?.close()
    await store?.dispose()
  })

  const world = (more: Partial<Credential> = {}) => {
    const tenant = store.tenant()
    return {
      tenant,
      host: privity.as({ tenant, actor: 'hana', ...more }),
      keeper: privity.as({ tenant, actor: 'keeper', audience: 'host' }),
    }
  }
  type Draft = NonNullable<Parameters<Handle['profiles']['create']>[0]>
  const active = async (host: Handle, draft: Draft = {}) => {
    const { profile } = await host.profiles.create(draft)
    return (await host.profiles.activate(profile)).profile
  }
  const rowOf = async (tenant: string, profile: string) =>
    (
      await store.sql('select * from privity.profiles where tenant_id = $1 and profile_id = $2', [
        tenant,
        profile,
      ])
    )[0]
  const countOf = async (table: string, tenant: string) =>
    (
      await store.sql<{ count: number }>(
        `select count(*)::int as count from privity.${table} where tenant_id = $1`,
        [tenant],
      )
    )[0]?.count
  const sweep = () => new EndingProfiles(store.db, clock, { sweeps: false }).sweep()
  /** What was asked of the store meanwhile. */
  async function watched(work: () => Promise<unknown>): Promise<string[]> {
    statements = []
    await work()
    const seen = statements
    statements = null
    return seen
  }

  describe('what they say', () => {
    it('[SP-1] stores and shows every field, and what is not said is nothing', async () => {
      const { host, tenant } = world()
      const { view } = await host.views.create({ corpus: 'bank' })
      const made = await host.profiles.create({ ...FIRST, sharedCorpusViewRefs: [view, view] } as Draft)
      expect(made).toMatchObject({
        ...FIRST,
        sharedCorpusViewRefs: [view],
        sessionKind: 'host_session',
        profileState: 'draft',
        createdByActorRef: 'hana',
        originUserRef: 'hana',
        shareTokenId: null,
        originatingShareRef: null,
        parentProfileRef: null,
        profileVersion: 1,
        activatedAt: null,
        revokedAt: null,
        revokedReasonCode: null,
        effectiveUiComplexityTier: 'tier_1_minimal',
        schemaVersion: 1,
      })
      expect(made.sessionProfileHash).toMatch(/^[0-9a-f]{64}$/)
      expect(await host.profiles.get(made.profile)).toEqual(made)
      expect((await host.profiles.list()).profiles).toEqual([made])
      expect(await rowOf(tenant, made.profile)).toMatchObject({
        state: 'draft',
        hash: made.sessionProfileHash,
      })

      const bare = await host.profiles.create()
      const absent = FIELD_NAMES.filter(
        field =>
          ![
            'capabilityPolicyRef',
            'sourcePolicySnapshotRef',
            'whyBlockedSurface',
            'expertMode',
            'auditScope',
            'identityMode',
          ].includes(field),
      )
      expect(bare).toMatchObject({
        ...Object.fromEntries(absent.map(field => [field, null])),
        capabilityPolicyRef: 'built-in:owner',
        whyBlockedSurface: false,
        expertMode: false,
        auditScope: 'both',
        identityMode: 'host_user',
        effectiveUiComplexityTier: 'tier_2_standard',
      })
    })

    it('[SP-1] works out the tier of controls from what an expert wants and what is allowed', async () => {
      const { host } = world()
      for (const [expertMode, maxUiComplexityTier, effective] of [
        [false, null, 'tier_2_standard'],
        [true, null, 'tier_4_expert'],
        [true, 'tier_3_advanced', 'tier_3_advanced'],
        [false, 'tier_1_minimal', 'tier_1_minimal'],
        [false, 'tier_4_expert', 'tier_2_standard'],
      ] as const)
        expect(await host.profiles.create({ expertMode, maxUiComplexityTier })).toMatchObject({
          effectiveUiComplexityTier: effective,
        })
    })

    it('[SP-1] has one hash for equal content and another for each field that changes; its version and generation move', async () => {
      const { host } = world()
      const [one, other] = [
        await host.profiles.create({ ...FIRST } as Draft),
        await host.profiles.create({ ...FIRST } as Draft),
      ]
      expect(other.profile).not.toBe(one.profile)
      expect(other.sessionProfileHash).toBe(one.sessionProfileHash)
      const views = [
        (await host.views.create({ corpus: 'bank' })).view,
        (await host.views.create({ corpus: 'bank' })).view,
      ].sort()
      const hashes = new Set([one.sessionProfileHash])
      let before = one
      for (const field of [...FIELD_NAMES, 'sharedCorpusViewRefs'] as const) {
        const value = field === 'sharedCorpusViewRefs' ? [...views].reverse() : FIELDS[field][1]
        const changed = await host.profiles.update({ profile: one.profile, [field]: value } as never)
        expect(changed, field).toEqual({
          ...before,
          [field]: field === 'sharedCorpusViewRefs' ? views : value,
          profileVersion: before.profileVersion + 1,
          sessionProfileHash: expect.any(String),
          policyGenerationId: expect.any(String),
          effectiveUiComplexityTier: expect.any(String),
        })
        expect(changed.policyGenerationId, field).not.toBe(before.policyGenerationId)
        hashes.add(changed.sessionProfileHash)
        expect(hashes.size, field).toBe(changed.profileVersion)
        expect(await host.profiles.get(one.profile), field).toEqual(changed)
        before = changed
      }
      // Back to where it was, its hash is the one it had.
      const { profile } = one
      const back = await host.profiles.update({ profile, ...FIRST, sharedCorpusViewRefs: [] } as never)
      expect(back.sessionProfileHash).toBe(one.sessionProfileHash)
      expect(back.profileVersion).toBe(before.profileVersion + 1)
    })

    it('[SP-1] has one hash for what reads alike, said or not', async () => {
      const { host } = world()
      const silent = await host.profiles.create()
      const said = await host.profiles.create({
        whyBlockedSurface: false,
        expertMode: false,
        auditScope: 'both',
        maxQueriesPerHour: null,
      })
      const { profile: _, sessionProfileHash: hash, createdAt: _at, ...shown } = silent
      expect(said).toMatchObject(shown)
      expect(said.sessionProfileHash).toBe(hash)
    })

    it('[SP-1] has a hash that belongs to whom it is of and what kind it is, and none that follows its state', async () => {
      const { tenant, host } = world()
      const made = await host.profiles.create()
      const theirs = await privity.as({ tenant, actor: 'hugo' }).profiles.create()
      const other = await host.profiles.create({ sessionKind: 'system_agent_session' })
      const named = await host.profiles.create({
        sessionKind: 'share_link_session',
        identityMode: 'email_bound',
      })
      const secret = await host.profiles.create({
        sessionKind: 'share_link_session',
        identityMode: 'passcode_required',
      })
      const hashes = [made, theirs, other, named, secret].map(({ sessionProfileHash }) => sessionProfileHash)
      expect(new Set(hashes).size).toBe(5)
      const running = await host.profiles.activate(made.profile)
      expect(running).toMatchObject({ sessionProfileHash: made.sessionProfileHash, profileVersion: 2 })
      expect(running.policyGenerationId).not.toBe(made.policyGenerationId)
      const stopped = await host.profiles.suspend({ profile: made.profile })
      expect(stopped).toMatchObject({ sessionProfileHash: made.sessionProfileHash, profileVersion: 3 })
      expect(stopped.policyGenerationId).not.toBe(running.policyGenerationId)
    })

    it('[SP-1] refuses what no field can hold, and keeps nothing of it', async () => {
      const { tenant, host } = world()
      const kept = await host.profiles.create()
      const before = await rowOf(tenant, kept.profile)
      const wrong: Record<string, unknown>[] = [
        ...['sourceVisibilityFloor', 'visibilityClassCeiling', 'derivedMemorySharePolicy'].map(field => ({
          [field]: 'everything',
        })),
        ...['hostAnnotationPolicy', 'maxUiComplexityTier', 'auditScope', 'identityMode'].map(field => ({
          [field]: 'everything',
        })),
        ...FIELD_NAMES.filter(field => field.startsWith('max') && field !== 'maxUiComplexityTier').flatMap(
          field => [{ [field]: -1 }, { [field]: 1.5 }, { [field]: '3' }, { [field]: 1e12 }],
        ),
        { expertMode: 'yes' },
        { whyBlockedSurface: 1 },
        { capabilityPolicyRef: '' },
        { nativeSessionScopeBindingRef: 'no id' },
        { expiresAt: 'tomorrow' },
        { sharedCorpusViewRefs: ['no id'] },
        { sharedCorpusViewRefs: Array.from({ length: 101 }, () => randomUUID()) },
        { profileState: 'active' },
        { sessionProfileHash: 'mine' },
        { shareTokenId: randomUUID() },
        { boundByViews: false },
        { implicit: true },
      ]
      for (const fields of wrong) {
        const what = JSON.stringify(fields).slice(0, 60)
        const create = await refusalOf(host.profiles.create(fields as Draft))
        expect(create?.code, what).toBe('invalid_input')
        const update = await refusalOf(host.profiles.update({ profile: kept.profile, ...fields }))
        expect(update?.code, what).toBe('invalid_input')
      }
      expect((await refusalOf(host.profiles.create({ sessionKind: 'guest' as never })))?.code).toBe(
        'invalid_input',
      )
      // Its kind is what it is.
      const turned = host.profiles.update({ profile: kept.profile, sessionKind: 'host_session' } as never)
      expect((await refusalOf(turned))?.code).toBe('invalid_input')
      expect(await rowOf(tenant, kept.profile)).toEqual(before)
      expect(await countOf('profiles', tenant)).toBe(1)
    })

    it('[SP-1] shows the generation of all policies that hold under it, and not of those at its last change', async () => {
      const { host, keeper } = world()
      const { profile } = await host.profiles.create()
      const generation = async () => (await host.profiles.get(profile))?.policyGenerationId
      const seen = [await generation()]
      expect(await generation()).toBe(seen[0])
      await keeper.policies.set({ policy: 'a new one', mode: 'allow_all_except' })
      seen.push(await generation())
      await host.profiles.setPolicy({ kind: 'output_policy', policy: 'short', settings: {} })
      seen.push(await generation())
      await host.profiles.activate(profile)
      seen.push(await generation())
      expect(new Set(seen).size).toBe(4)
      const [listed] = (await host.profiles.list()).profiles
      expect(listed?.policyGenerationId).toBe(seen[3])
    })

    it('[SP-1, NI-10] shows a key that holds less nothing of facts that its owner changed', async () => {
      const { tenant, host } = world()
      const less = privity.as({ tenant, actor: 'hana', trust: { maxSensitivity: 'public' } })
      const generation = async (of: Handle) => (await of.profiles.create()).policyGenerationId
      const [seen, whole] = [await generation(less), await generation(host)]
      await host.overlays.add({ target: { kind: 'corpus', ref: 'bank' }, restriction: 'preview_only' })
      expect(await generation(less)).toBe(seen)
      expect(await generation(host)).not.toBe(whole)
    })

    it('[SP-4, SP-1] refuses whoever is in no session of its kind, and what is for hosts alone', async () => {
      const { host } = world()
      const wrong: Draft[] = [
        { identityMode: 'anonymous_share_token' },
        { sessionKind: 'subagent_session', identityMode: 'host_user' },
        { sessionKind: 'share_link_session', identityMode: 'system_agent' },
        { sessionKind: 'share_link_session', whyBlockedSurface: true },
        { sessionKind: 'system_agent_session', whyBlockedSurface: true },
      ]
      for (const draft of wrong)
        expect((await refusalOf(host.profiles.create(draft)))?.code, JSON.stringify(draft)).toBe(
          'invalid_input',
        )
      const { profile } = await host.profiles.create({ sessionKind: 'share_link_session' })
      for (const change of [{ whyBlockedSurface: true }, { identityMode: 'host_user' }] as const)
        expect((await refusalOf(host.profiles.update({ profile, ...change })))?.code).toBe('invalid_input')
      await host.profiles.update({ profile, identityMode: 'email_bound' })
    })

    it('[RS-1] keeps no reason that is not registered', async () => {
      const { host, keeper } = world()
      const profile = await active(host)
      const reasonCode = 'host.tidying_up'
      for (const step of ['suspend', 'revoke'] as const)
        expect(await refusalOf(host.profiles[step]({ profile, reasonCode }))).toMatchObject({
          code: 'invalid_input',
          message: 'reasonCode: is not registered; register it first with reasons.register',
        })
      expect((await host.profiles.get(profile))?.profileState).toBe('active')
      await keeper.reasons.register({ code: reasonCode, description: 'Tidied.', visibility: 'expose' })
      expect(await host.profiles.suspend({ profile, reasonCode })).toMatchObject({
        suspendedReasonCode: reasonCode,
      })
    })

    it('[SP-4] knows every kind and every way of saying who one is', async () => {
      const { host } = world()
      const usual = {
        host_session: ['host_user'],
        share_link_session: [
          'anonymous_share_token',
          'email_bound',
          'passcode_required',
          'host_approved_named_external',
        ],
        subagent_session: ['system_agent'],
        system_agent_session: ['system_agent'],
      } as const
      expect(new Set(Object.values(usual).flat())).toEqual(new Set(IDENTITY_MODES))
      for (const sessionKind of PROFILE_KINDS) {
        expect(await host.profiles.create({ sessionKind })).toMatchObject({
          sessionKind,
          identityMode: usual[sessionKind][0],
        })
        for (const identityMode of usual[sessionKind])
          expect(await host.profiles.create({ sessionKind, identityMode })).toMatchObject({
            sessionKind,
            identityMode,
          })
      }
      const { profiles } = await host.profiles.list({ sessionKind: 'subagent_session', limit: 100 })
      expect(profiles).toHaveLength(2)
    })
  })

  describe('their life', () => {
    const ALREADY = 'conflict/session_already_activated'
    /** What each state answers to each step: the state after it, or the refusal. */
    const STEPS = {
      draft: { activate: 'active', update: 'draft', discard: null },
      active: { activate: ALREADY, suspend: 'suspended', revoke: 'revoked' },
      suspended: { activate: ALREADY, resume: 'active', revoke: 'revoked' },
      revoked: { activate: ALREADY },
      'expired, not yet written down': { activate: ALREADY },
      'expired, written down': { activate: ALREADY },
      'suspended, past its expiry': { activate: ALREADY, revoke: 'revoked' },
      'a draft, past its expiry': { update: 'draft', discard: null },
    } as const
    type Start = keyof typeof STEPS
    const ALL = ['activate', 'update', 'suspend', 'resume', 'revoke', 'discard'] as const

    async function start(host: Handle, state: Start): Promise<string> {
      const expires = state.includes('expire') || state.includes('expiry')
      const expiresAt = new Date(clock.now().getTime() + HOUR).toISOString()
      const { profile } = await host.profiles.create(expires ? { expiresAt } : {})
      if (!state.includes('draft')) await host.profiles.activate(profile)
      if (state.startsWith('suspended')) await host.profiles.suspend({ profile })
      if (state === 'revoked') await host.profiles.revoke({ profile })
      if (expires) clock.pass(HOUR)
      if (state === 'expired, written down') await sweep()
      return profile
    }
    const take = (host: Handle, step: (typeof ALL)[number], profile: string): Promise<unknown> => {
      if (step === 'activate' || step === 'resume' || step === 'discard') return host.profiles[step](profile)
      return step === 'update'
        ? host.profiles.update({ profile, maxResultCount: 3 })
        : host.profiles[step]({ profile })
    }

    it.each(
      few(Object.keys(STEPS) as Start[], 3),
    )('[SP-2] allows of one that is %s what 002 allows, and refuses the rest', async state => {
      const { tenant, host } = world()
      for (const step of ALL) {
        const profile = await start(host, state)
        const before = await rowOf(tenant, profile)
        const expected = (STEPS[state] as Record<string, string | null>)[step]
        const refused = await refusalOf(take(host, step, profile))
        if (expected === undefined || expected?.includes('/')) {
          const [code, reason] = (expected ?? `${INVALID}/`).split('/')
          expect(refused, step).toMatchObject({ code, ...(reason ? { reason } : {}) })
          expect(await rowOf(tenant, profile), `${step} leaves it as it was`).toEqual(before)
          continue
        }
        expect(refused, step).toBeNull()
        const after = await host.profiles.get(profile)
        expect(after?.profileState ?? null, step).toBe(expected)
        if (step === 'discard') expect(await rowOf(tenant, profile)).toBeUndefined()
      }
    })

    it('[SP-2] a draft past its expiry activates once it is given another', async () => {
      const { host } = world()
      const profile = await start(host, 'a draft, past its expiry')
      expect((await refusalOf(host.profiles.activate(profile)))?.code).toBe(INVALID)
      await host.profiles.update({ profile, expiresAt: null })
      expect((await host.profiles.activate(profile)).profileState).toBe('active')
    })

    it('[SP-2] notes when and why it was activated, suspended, resumed and revoked', async () => {
      const { host, keeper } = world()
      await keeper.reasons.register({
        code: 'host.matter_closed',
        description: 'Over.',
        visibility: 'expose',
      })
      const { profile } = await host.profiles.create()
      const first = await host.profiles.activate(profile)
      expect(first.activatedAt).not.toBeNull()
      const suspended = await host.profiles.suspend({ profile, reasonCode: 'session.profile_suspended' })
      expect(suspended).toMatchObject({
        suspendedAt: expect.any(String),
        suspendedReasonCode: 'session.profile_suspended',
        activatedAt: first.activatedAt,
      })
      const resumed = await host.profiles.resume(profile)
      expect(resumed).toMatchObject({
        suspendedAt: null,
        suspendedReasonCode: null,
        activatedAt: first.activatedAt,
      })
      const revoked = await host.profiles.revoke({ profile, reasonCode: 'host.matter_closed' })
      expect(revoked).toMatchObject({
        profileState: 'revoked',
        revokedAt: expect.any(String),
        revokedReasonCode: 'host.matter_closed',
      })
    })

    it('[SP-2] ends by its time at the very moment, and the sweeper writes it down and changes no answer', async () => {
      const { tenant, host } = world()
      const frozen = await store.instance({ ...clock, now: () => at })
      const alone = frozen.as({ tenant, actor: 'hana' })
      let at = clock.now()
      const expiresAt = new Date(at.getTime() + HOUR)
      const profile = await active(alone, { expiresAt: expiresAt.toISOString() })
      at = new Date(expiresAt.getTime() - 1)
      expect((await alone.profiles.current({ profile })).profileState).toBe('active')
      at = expiresAt
      const told = await alone.profiles.get(profile)
      expect(told?.profileState).toBe('expired')
      const refused = await refusalOf(alone.profiles.current({ profile }))
      expect(refused).toMatchObject({ code: 'session_profile_invalid', reason: 'session.profile_expired' })
      expect(await rowOf(tenant, profile)).toMatchObject({ state: 'active' })

      clock.pass(2 * HOUR)
      expect(await sweep()).toBeGreaterThanOrEqual(1)
      expect(await rowOf(tenant, profile)).toMatchObject({ state: 'expired' })
      expect(await alone.profiles.get(profile)).toEqual(told)
      expect(await refusalOf(alone.profiles.current({ profile }))).toEqual(refused)
      expect((await host.profiles.list()).profiles).toEqual([told])
      // What it found once it does not find again.
      const written = await rowOf(tenant, profile)
      await sweep()
      expect(await rowOf(tenant, profile)).toEqual(written)
      await frozen.close()
    })

    it('[SP-2, ST-5] a session whose link was revoked with a grace ends when that is over, swept or not', async () => {
      const { tenant, host } = world()
      await keep(host, 'the motion')
      const { view } = await host.views.create({ corpus: 'bank' })
      const { link, token } = await grantLink(host, [view])
      const { guest, profile } = await openLink(privity, token)
      await host.links.revoke({ link, reason: 'over', activeSessionDisposition: 'terminate_after_grace' })
      expect((await guest.documents.list()).documents).toHaveLength(1)
      clock.pass(299_000)
      expect((await guest.documents.list()).documents).toHaveLength(1)
      clock.pass(2_000)
      const refused = await refusalOf(guest.documents.list())
      expect(refused).toMatchObject({ code: 'session_profile_invalid', reason: 'session.profile_revoked' })
      const told = await host.profiles.get(profile)
      expect(told).toMatchObject({
        profileState: 'revoked',
        revokedReasonCode: 'share_token_revoked_grace_expired',
      })
      expect(told?.revokedAt).toBe(told?.endsAt)
      await sweep()
      expect(await rowOf(tenant, profile)).toMatchObject({ state: 'revoked' })
      expect(await host.profiles.get(profile)).toEqual(told)
      expect(await refusalOf(guest.documents.list())).toEqual(refused)
      expect((await refusalOf(host.profiles.resume(profile)))?.code).toBe(INVALID)
    })
  })

  describe('activation', () => {
    const failed = async (host: Handle, draft: Draft) => {
      const { profile } = await host.profiles.create(draft)
      const refused = await refusalOf(host.profiles.activate(profile))
      expect(refused?.code ?? 'activated').toBe('session_activation_failed')
      expect((await host.profiles.get(profile))?.profileState).toBe('draft')
      return [refused?.message.replace('these gates are not passed: ', ''), refused?.reason]
    }

    it('[SP-3] is refused by each gate by itself, and by all that fail at once', async () => {
      const { host } = world()
      const noGate = 'session_activation_failed'
      expect(await failed(host, { capabilityPolicyRef: null })).toEqual(['G-ACT-1', UNRESOLVED])
      expect(await failed(host, { capabilityPolicyRef: 'nowhere' })).toEqual(['G-ACT-1, G-ACT-6', UNRESOLVED])
      expect(await failed(host, { sourcePolicySnapshotRef: null })).toEqual(['G-ACT-2', noGate])
      expect(await failed(host, { sessionKind: 'share_link_session' })).toEqual(['G-ACT-4', noGate])
      expect(await failed(host, { sessionKind: 'subagent_session' })).toEqual(['G-ACT-5', noGate])
      expect(await failed(host, { outputPolicyRef: 'nowhere' })).toEqual(['G-ACT-6', UNRESOLVED])
      expect(
        await failed(host, {
          sessionKind: 'share_link_session',
          capabilityPolicyRef: null,
          sourcePolicySnapshotRef: null,
          outputPolicyRef: 'nowhere',
        }),
      ).toEqual(['G-ACT-1, G-ACT-2, G-ACT-4, G-ACT-6', UNRESOLVED])
      const draft = { sessionKind: 'share_link_session', outputPolicyRef: 'nowhere' } as const
      const { profile } = await host.profiles.create(draft)
      expect((await refusalOf(host.profiles.activate(profile)))?.details).toEqual({
        failedGates: [
          { gate: 'G-ACT-4', refs: ['sharedCorpusViewRefs', 'shareTokenId', 'originatingShareRef'] },
          { gate: 'G-ACT-6', refs: ['outputPolicyRef'] },
        ],
      })
      // What only hosts and recipients need.
      await active(host, { sessionKind: 'system_agent_session', sourcePolicySnapshotRef: null })
    })

    it('[SP-3] is refused by a reference of any kind that leads nowhere, and passes once it leads somewhere', async () => {
      const { tenant, host, keeper } = world()
      const stranger = privity.as({ tenant, actor: 'sam' })
      const settings = {
        utility_signal_policy: { utilitySignalCapture: 'session_local_only', captureKinds: [] },
        doc1_governance_split: { doc1GovernanceKind: 'session_and_corpus' },
      } as Record<string, Record<string, unknown>>
      expect(Object.values(POLICY_OF_FIELD).sort()).toEqual([...PROFILE_POLICY_KINDS].sort())
      for (const [field, kind] of Object.entries(POLICY_OF_FIELD)) {
        expect(await failed(host, { [field]: 'mine' }), field).toEqual(['G-ACT-6', UNRESOLVED])
        // Not that of somebody else, and not one of another kind.
        await stranger.profiles.setPolicy({ kind, policy: 'mine', settings: settings[kind] ?? {} })
        const other = kind === 'output_policy' ? 'learning_capture_policy' : 'output_policy'
        await host.profiles.setPolicy({ kind: other, policy: `of another kind for ${field}`, settings: {} })
        expect(await failed(host, { [field]: 'mine' }), field).toEqual(['G-ACT-6', UNRESOLVED])
        expect(await failed(host, { [field]: `of another kind for ${field}` }), field).toEqual([
          'G-ACT-6',
          UNRESOLVED,
        ])
        await host.profiles.setPolicy({ kind, policy: 'mine', settings: settings[kind] ?? {} })
        const running = await active(host, { [field]: 'mine' })
        expect(await host.profiles.get(running), field).toMatchObject({
          profileState: 'active',
          [field]: 'mine',
        })
      }
      expect((await host.profiles.policies()).policies).toHaveLength(2 * PROFILE_POLICY_KINDS.length)

      for (const sourcePolicySnapshotRef of ['nowhere', randomUUID()])
        expect(await failed(host, { sourcePolicySnapshotRef })).toEqual(['G-ACT-6', UNRESOLVED])
      // A snapshot is of a generation that the policies of this tenant had once, or of those before any.
      await keeper.policies.set({ policy: 'first', mode: 'allow_all_except' })
      const { sourcePolicySnapshotRef } = await host.profiles.create()
      await keeper.policies.set({ policy: 'second', mode: 'allow_all_except' })
      await active(host, { sourcePolicySnapshotRef })
      await active(host, { sourcePolicySnapshotRef: 'built-in' })
      const elsewhere = world()
      expect(await failed(elsewhere.host, { sourcePolicySnapshotRef })).toEqual(['G-ACT-6', UNRESOLVED])
      expect(await failed(host, { nativeSessionScopeBindingRef: ABSENT })).toEqual(['G-ACT-6', UNRESOLVED])
      const theirs = await plantProfile(store, tenant, { owner: 'sam', actor: 'sam' })
      const bound = await plantBinding(store, tenant, theirs)
      expect(await failed(host, { nativeSessionScopeBindingRef: bound })).toEqual(['G-ACT-6', UNRESOLVED])
      await keeper.policies.set({ policy: 'nowhere yet', mode: 'allow_all_except' })
      await active(host, { capabilityPolicyRef: 'nowhere yet' })
      // A view is asked for when it is named, and stays while it is.
      expect((await refusalOf(host.profiles.create({ sharedCorpusViewRefs: [ABSENT] })))?.code).toBe(
        'not_found',
      )
      const { view } = await stranger.views.create({ corpus: 'bank' })
      expect((await refusalOf(host.profiles.create({ sharedCorpusViewRefs: [view] })))?.code).toBe(
        'not_found',
      )
      const own = await host.views.create({ corpus: 'bank' })
      const draft = await host.profiles.create({ sharedCorpusViewRefs: [own.view] })
      expect((await refusalOf(host.views.delete(own.view)))?.code).toBe('conflict')
      await host.profiles.activate(draft.profile)
    })

    it('[SP-3] happens once', async () => {
      const { host } = world()
      const { profile } = await host.profiles.create()
      const once = await host.profiles.activate(profile, { idempotencyKey: 'now' })
      expect(await host.profiles.activate(profile, { idempotencyKey: 'now' })).toEqual(once)
      expect(await refusalOf(host.profiles.activate(profile))).toMatchObject({
        code: 'conflict',
        reason: 'session_already_activated',
      })
      const attempts = await Promise.allSettled(
        [1, 2, 3, 4].map(async () => {
          const draft = await host.profiles.create()
          return Promise.allSettled([1, 2, 3].map(() => host.profiles.activate(draft.profile)))
        }),
      )
      for (const attempt of attempts)
        expect(
          attempt.status === 'fulfilled' && attempt.value.filter(one => one.status === 'fulfilled').length,
        ).toBe(1)
    })

    it('[SP-4] wants a binding of the same kind', async () => {
      const { host } = world()
      const bound = async (sessionKind: Draft['sessionKind']) => {
        const { profile } = await host.profiles.create({ sessionKind })
        return (await host.profiles.bind({ profile })).binding.bindingId
      }
      const bindings = {
        host_session: await bound('host_session'),
        subagent_session: await bound('subagent_session'),
        system_agent_session: await bound('system_agent_session'),
      }
      for (const sessionKind of ['host_session', 'subagent_session', 'system_agent_session'] as const)
        for (const [kind, nativeSessionScopeBindingRef] of Object.entries(bindings)) {
          const { profile } = await host.profiles.create({ sessionKind, nativeSessionScopeBindingRef })
          const refused = await refusalOf(host.profiles.activate(profile))
          if (kind === sessionKind) expect(refused, kind).toBeNull()
          else if (sessionKind === 'subagent_session' && kind === 'system_agent_session')
            // It leads up to no host.
            expect(refused?.message).toBe('these gates are not passed: G-ACT-5')
          else
            expect(refused, `${sessionKind} with ${kind}`).toMatchObject({
              code: 'session_activation_failed',
              reason: 'session_binding_kind_mismatch',
            })
        }
    })
  })

  describe('binding', () => {
    const HOST = {
      forkForbidden: false,
      maxSpawnDepth: 3,
      maxChildrenPerAgent: 5,
      contextInheritancePolicy: 'full_inherit',
      authInheritancePolicy: 'inherit_with_session_token',
      transcriptVisibilityPolicy: 'shared',
      watermarkPolicy: null,
      childSpawnConstraint: 'inherit_parent_constraint',
      childSpawnAllowList: null,
    }
    const NOTHING = {
      forkForbidden: true,
      maxSpawnDepth: 0,
      maxChildrenPerAgent: 0,
      contextInheritancePolicy: 'no_inherit',
      authInheritancePolicy: 'session_only',
      transcriptVisibilityPolicy: 'isolated',
      watermarkPolicy: null,
      childSpawnConstraint: 'deny_all',
      childSpawnAllowList: null,
    }
    type Terms = Omit<Parameters<Handle['profiles']['bind']>[0], 'profile'>
    const draftOf = async (host: Handle, draft: Draft = {}) => (await host.profiles.create(draft)).profile

    it('[SP-6] gives a draft what its kind has, and is shown with it', async () => {
      const { host } = world()
      const kinds = {
        host_session: HOST,
        share_link_session: NOTHING,
        system_agent_session: { ...NOTHING, transcriptVisibilityPolicy: 'shared' },
        subagent_session: { ...HOST, maxSpawnDepth: 2 },
      } as const
      for (const [sessionKind, terms] of Object.entries(kinds)) {
        const drafted = {
          sessionKind: sessionKind as keyof typeof kinds,
          visibilityClassCeiling: 'public_open',
        }
        const profile = await draftOf(host, drafted as Draft)
        const made = await host.profiles.bind({ profile })
        expect(made.binding, sessionKind).toMatchObject({
          ...terms,
          ecSessionId: profile,
          openclawNativeSessionId: profile,
          bindingKind: sessionKind,
          inheritedCapabilityPolicyRef: 'built-in:owner',
          inheritedShareTokenPolicyRef: null,
          inheritedVisibilityConstraints: ['public_open'],
          childrenCount: 0,
        })
        expect(made.binding.parentRef === null, sessionKind).toBe(sessionKind !== 'subagent_session')
        expect(made.profile.nativeSessionScopeBindingRef).toBe(made.binding.bindingId)
        expect(made.profile.profileVersion).toBe(2)
        expect(await host.profiles.get(profile)).toEqual(made.profile)
      }
    })

    it('[SP-6] takes less of each term, and refuses more of any, which leaves the draft as it was', async () => {
      const { host } = world()
      const less: Terms = {
        openclawNativeSessionId: 'run 7',
        forkForbidden: true,
        maxSpawnDepth: 1,
        maxChildrenPerAgent: 2,
        contextInheritancePolicy: 'scoped_inherit',
        authInheritancePolicy: 'session_only',
        transcriptVisibilityPolicy: 'host_only',
        childSpawnConstraint: 'explicit_allow_list',
        childSpawnAllowList: ['ocr'],
      }
      const profile = await draftOf(host)
      const { binding } = await host.profiles.bind({ profile, ...less }, { idempotencyKey: 'once' })
      expect(binding).toMatchObject(less)
      expect((await host.profiles.bind({ profile, ...less }, { idempotencyKey: 'once' })).binding).toEqual(
        binding,
      )
      const more: [Draft['sessionKind'], Terms, string][] = [
        ['host_session', { maxSpawnDepth: 4 }, 'maxSpawnDepth'],
        ['host_session', { maxChildrenPerAgent: 6 }, 'maxChildrenPerAgent'],
        ['host_session', { transcriptVisibilityPolicy: 'isolated' }, 'transcriptVisibilityPolicy'],
        ['host_session', { childSpawnAllowList: ['ocr'] }, 'childSpawnAllowList'],
        ['subagent_session', { maxSpawnDepth: 3 }, 'maxSpawnDepth'],
        ['system_agent_session', { forkForbidden: false }, 'forkForbidden'],
        ['system_agent_session', { maxSpawnDepth: 1 }, 'maxSpawnDepth'],
        ['system_agent_session', { contextInheritancePolicy: 'scoped_inherit' }, 'contextInheritancePolicy'],
        ['share_link_session', { maxChildrenPerAgent: 1 }, 'maxChildrenPerAgent'],
        [
          'share_link_session',
          { authInheritancePolicy: 'inherit_with_session_token' },
          'authInheritancePolicy',
        ],
        ['share_link_session', { childSpawnConstraint: 'deny_external' }, 'childSpawnConstraint'],
      ]
      for (const [sessionKind, terms, field] of more) {
        const draft = await draftOf(host, { sessionKind })
        const before = await host.profiles.get(draft)
        expect(await refusalOf(host.profiles.bind({ profile: draft, ...terms })), field).toMatchObject({
          code: 'invalid_input',
          message: `${field}: must not exceed the default of its kind`,
        })
        expect(await host.profiles.get(draft)).toEqual(before)
      }
    })

    it('[SP-4] is of the kind of its profile, and of a draft alone', async () => {
      const { tenant, host } = world()
      const profile = await draftOf(host)
      for (const bindingKind of ['subagent_session', 'system_agent_session', 'share_link_session'] as const)
        expect(await refusalOf(host.profiles.bind({ profile, bindingKind }))).toMatchObject({
          code: 'conflict',
          reason: 'session_binding_kind_mismatch',
        })
      const { binding } = await host.profiles.bind({
        profile,
        bindingKind: 'host_session',
        forkForbidden: true,
      })
      // Bound anew, it has the new one alone.
      const again = await host.profiles.bind({ profile, maxSpawnDepth: 1 })
      expect(again.binding).toMatchObject({ forkForbidden: false, maxSpawnDepth: 1 })
      expect(again.binding.bindingId).not.toBe(binding.bindingId)
      expect(await countOf('session_bindings', tenant)).toBe(1)
      await host.profiles.activate(profile)
      expect((await refusalOf(host.profiles.bind({ profile })))?.code).toBe(INVALID)
      expect(
        await refusalOf(host.agents.spawn({ agent: 'a', maxSensitivity: 'low' }, { profile })),
      ).toBeNull()
      // What was bound by one that is gone is bound by nothing, and not by the defaults.
      const draft = await draftOf(host)
      const narrow = await host.profiles.bind({ profile: draft, forkForbidden: true })
      const named = await active(host, { nativeSessionScopeBindingRef: narrow.binding.bindingId })
      await host.profiles.discard(draft)
      expect(
        await refusalOf(host.agents.spawn({ agent: 'a', maxSensitivity: 'low' }, { profile: named })),
      ).toMatchObject({ code: 'not_allowed', reason: 'native_session_fork_forbidden' })
    })

    it('[SP-3, SP-6] lets a sub-agent of its own making be activated, under the session it was made in', async () => {
      const { host } = world()
      const profile = await draftOf(host, { sessionKind: 'subagent_session' })
      expect((await refusalOf(host.profiles.activate(profile)))?.message).toBe(
        'these gates are not passed: G-ACT-5',
      )
      await host.profiles.bind({ profile })
      expect((await host.profiles.activate(profile)).profileState).toBe('active')
      expect((await host.agents.list()).agents.map(({ profile }) => profile.profile)).toEqual([profile])

      // Made in a session, it is counted among its children and has less than that has.
      const parent = await draftOf(host)
      await host.profiles.bind({ profile: parent, maxChildrenPerAgent: 1, maxSpawnDepth: 1 })
      await host.profiles.activate(parent)
      const under = { profile: parent }
      const made = async () =>
        (await host.profiles.create({ sessionKind: 'subagent_session' }, under)).profile
      const [child, second] = [await made(), await made()]
      const { binding } = await host.profiles.bind({ profile: child })
      expect(binding).toMatchObject({ maxSpawnDepth: 0, maxChildrenPerAgent: 1 })
      // Bound once more, it does not stand in its own way; a second one is one too many.
      await host.profiles.bind({ profile: child })
      expect(await refusalOf(host.profiles.bind({ profile: second }))).toMatchObject({
        code: 'not_allowed',
        reason: 'native_session_max_children_per_agent_exceeded',
      })
      expect(await refusalOf(host.agents.spawn({ agent: 'a', maxSensitivity: 'low' }, under))).toMatchObject({
        reason: 'native_session_max_children_per_agent_exceeded',
      })
      await host.profiles.activate(child)
      expect(
        await refusalOf(host.agents.spawn({ agent: 'a', maxSensitivity: 'low' }, { profile: child })),
      ).toMatchObject({ reason: 'native_session_max_spawn_depth_exceeded' })
    })

    it('[SP-6] shows a sub-agent of its own making its views alone, if it gets part of the context', async () => {
      const { host } = world()
      await keep(host, 'a word in a document')
      const seen = async (terms: Terms) => {
        const profile = await draftOf(host, { sessionKind: 'subagent_session' })
        await host.profiles.bind({ profile, ...terms })
        await host.profiles.activate(profile)
        return (await host.list({}, { profile })).records.length
      }
      expect(await seen({})).toBe(1)
      expect(await seen({ contextInheritancePolicy: 'scoped_inherit' })).toBe(0)
    })
  })

  describe('running under one', () => {
    const REASONS = {
      draft: 'session.profile_not_yet_activated',
      suspended: 'session.profile_suspended',
      revoked: 'session.profile_revoked',
      expired: 'session.profile_expired',
    }

    it('[SP-5] runs nothing unless it is active: no record is read, no run is left, and the reason is told', async () => {
      const { tenant, host, keeper } = world()
      const kept = await keep(host, 'a word in a document')
      const { view } = await host.views.create({ corpus: 'bank', viewTemporalMode: 'live_view' })
      const running = await active(host)
      await host.search('word', {}, { profile: running })
      const expected = (await host.search('word', {}, { profile: running })).results.length
      expect(expected).toBe(1)
      const runs = await countOf('search_runs', tenant)
      const until = new Date(clock.now().getTime() + HOUR).toISOString()
      const profiles: Record<keyof typeof REASONS, string> = {
        draft: (await host.profiles.create()).profile,
        suspended: await active(host),
        revoked: await active(host),
        expired: await active(host, { expiresAt: until }),
      }
      await host.profiles.suspend({ profile: profiles.suspended })
      await host.profiles.revoke({ profile: profiles.revoked })
      clock.pass(HOUR)
      for (const [state, profile] of Object.entries(profiles)) {
        const reason = REASONS[state as keyof typeof REASONS]
        const asked: [string, () => Promise<unknown>][] = [
          ['memory.search', () => host.search('word', {}, { profile })],
          ['search.execute', () => host.documents.search({ query: 'word' }, { profile })],
          ['memory.get', () => host.get(kept, { profile })],
          ['document_view.open', () => host.documents.open(kept, { profile })],
          ['document_view.list', () => host.documents.list({}, { profile })],
          ['memory.list', () => host.list({}, { profile })],
          ['profiles.current', () => host.profiles.current({ profile })],
          ['links.grant', () => grantLinkUnder(host, view, profile)],
        ]
        for (const [operation, ask] of asked) {
          const seen = await watched(async () =>
            expect(await refusalOf(ask()), `${operation} of one that is ${state}`).toMatchObject({
              code: 'session_profile_invalid',
              reason,
            }),
          )
          expect(seen.filter(sql => /privity\.(records|index_|embeddings|search_runs)/.test(sql))).toEqual([])
          const { entries } = await keeper.audit.list({ limit: 2 })
          expect(entries.some(one => one.operation === operation && one.reason === reason)).toBe(true)
        }
      }
      expect(await countOf('search_runs', tenant)).toBe(runs)
      expect(await countOf('share_links', tenant)).toBe(0)
    })
    const grantLinkUnder = (host: Handle, view: string, profile: string) =>
      host.links.grant({ views: [view], recipientIdentityMode: 'anonymous_share_token' }, { profile })

    it('[SP-5, NI-7] decides again before an answer leaves if the state changed while it was made', async () => {
      const { tenant, host } = world()
      const kept = await keep(host, 'a word in a document')
      let meanwhile: (() => Promise<unknown>) | null = null
      // Between the reading and the entry in the audit.
      const hooked: Database = {
        engine: store.db.engine,
        script: sql => store.db.script(sql),
        statement: (options, sql, params) => store.db.statement(options, sql, params),
        close: async () => {},
        async transaction(options, fn) {
          const result = await store.db.transaction(options, fn)
          if (options.role === 'privity_app' && meanwhile !== null) {
            const act = meanwhile
            meanwhile = null
            await act()
          }
          return result
        },
      }
      const second = await assemble(hooked, clock)
      const reader = second.as({ tenant, actor: 'hana' })
      for (const [act, reason] of [
        ['suspend', REASONS.suspended],
        ['revoke', REASONS.revoked],
      ] as const)
        for (const [name, ask] of Object.entries({
          'memory.search': (profile: string) => reader.search('word', {}, { profile }),
          'search.execute': (profile: string) => reader.documents.search({ query: 'word' }, { profile }),
          'document_view.open': (profile: string) => reader.documents.open(kept, { profile }),
        })) {
          const profile = await active(host)
          await ask(profile)
          const runs = await countOf('search_runs', tenant)
          let acted = false
          meanwhile = async () => {
            await host.profiles[act]({ profile })
            acted = true
          }
          expect(await refusalOf(ask(profile)), `${act} during ${name}`).toMatchObject({
            code: 'session_profile_invalid',
            reason,
          })
          expect(acted).toBe(true)
          expect(await countOf('search_runs', tenant)).toBe(runs)
        }
      // Suspended and resumed meanwhile, it decides again and answers.
      const profile = await active(host)
      meanwhile = async () => {
        await host.profiles.suspend({ profile })
        await host.profiles.resume(profile)
      }
      expect((await reader.search('word', {}, { profile })).results).toHaveLength(1)
      await second.close()
    })

    it('[DE-3, CP-3] lets nobody do more than without it', async () => {
      const { tenant, host, keeper } = world()
      const all = (...namespaces: string[]) =>
        namespaces.map(namespace => ({ kind: 'namespace_all', namespace }) as const)
      const allow = (policy: string, ...namespaces: string[]) =>
        keeper.policies.set({ policy, mode: 'deny_all_except', allowedCapabilities: all(...namespaces) })
      await allow('reads', 'memory', 'profiles')
      await allow('documents', 'document_view', 'profiles')
      await keep(host, 'a document')
      // The profile takes away.
      const documents = await active(host, { capabilityPolicyRef: 'documents' })
      expect((await host.documents.list({}, { profile: documents })).documents).toHaveLength(1)
      expect(await refusalOf(host.list({}, { profile: documents }))).toMatchObject({
        code: 'not_allowed',
        reason: 'session.capability_blocked_by_policy',
      })
      // And gives nothing: neither what the credential lacks, nor what was taken.
      const reader = privity.as({ tenant, actor: 'hana', policy: 'reads' })
      const wide = await active(host, { capabilityPolicyRef: 'built-in:owner' })
      expect((await reader.list({}, { profile: wide })).records).toHaveLength(1)
      expect((await refusalOf(reader.documents.list({}, { profile: wide })))?.code).toBe('not_allowed')
      expect((await refusalOf(reader.documents.list({}, { profile: documents })))?.code).toBe('not_allowed')
      expect((await refusalOf(reader.list({}, { profile: documents })))?.code).toBe('not_allowed')
      // A policy that is no longer what it was holds at once.
      await allow('documents', 'profiles')
      expect((await refusalOf(host.documents.list({}, { profile: documents })))?.code).toBe('not_allowed')
    })

    it('[DE-3, OV-4] lets nobody see more than without it: the lower ceiling and the higher floor hold', async () => {
      const { tenant, host } = world()
      const classes = ['public_open', 'party_confidential', 'work_product_internal', 'privileged'] as const
      for (const visibilityClass of classes)
        await keep(host, `a ${visibilityClass} document`, { visibilityClass })
      const sees = async (by: Handle, draft: Draft | null) => {
        const options = draft === null ? {} : { profile: await active(host, draft) }
        const listed = (await by.list({ limit: 100 }, options)).records.length
        expect((await by.search('document', {}, options)).count).toBe(listed)
        expect((await by.documents.list({ limit: 100 }, options)).documents).toHaveLength(listed)
        return listed
      }
      const low = privity.as({ tenant, actor: 'hana', visibility: { ceiling: 'party_confidential' } })
      expect(await sees(host, null)).toBe(4)
      expect(await sees(low, null)).toBe(2)
      expect(await sees(host, {})).toBe(4)
      expect(await sees(host, { visibilityClassCeiling: 'public_open' })).toBe(1)
      expect(await sees(host, { visibilityClassCeiling: 'work_product_internal' })).toBe(3)
      expect(await sees(low, { visibilityClassCeiling: 'firewalled' })).toBe(2)
      expect(await sees(low, { visibilityClassCeiling: 'public_open' })).toBe(1)
      // Under a floor, what is below it counts as being at it.
      expect(await sees(host, { sourceVisibilityFloor: 'privileged' })).toBe(4)
      expect(
        await sees(host, {
          sourceVisibilityFloor: 'privileged',
          visibilityClassCeiling: 'work_product_internal',
        }),
      ).toBe(0)
      expect(await sees(low, { sourceVisibilityFloor: 'work_product_internal' })).toBe(0)
      const floored = privity.as({
        tenant,
        actor: 'hana',
        visibility: { ceiling: 'work_product_internal', floor: 'privileged' },
      })
      expect(await sees(floored, { sourceVisibilityFloor: 'public_open' })).toBe(0)
    })

    it('[NI-5] reads as absent to everybody else, in the same statements', async () => {
      const { tenant, host } = world()
      const theirs = privity.as({ tenant, actor: 'sam' })
      await theirs.profiles.list()
      const profile = await active(host)
      const draft = (await host.profiles.create()).profile
      // After facts have changed, who a caller is is read again.
      await theirs.profiles.list()
      const requests: Record<string, (profile: string) => Promise<unknown>> = {
        get: one => theirs.profiles.get(one),
        update: one => theirs.profiles.update({ profile: one, expertMode: true }),
        bind: one => theirs.profiles.bind({ profile: one, maxSpawnDepth: 9 }),
        activate: one => theirs.profiles.activate(one),
        suspend: one => theirs.profiles.suspend({ profile: one }),
        resume: one => theirs.profiles.resume(one),
        revoke: one => theirs.profiles.revoke({ profile: one }),
        discard: one => theirs.profiles.discard(one),
        'use it': one => theirs.list({}, { profile: one }),
        'search under it': one => theirs.search('word', {}, { profile: one }),
        'grant in its name': one =>
          theirs.links.grant({
            views: [ABSENT],
            hostSession: one,
            recipientIdentityMode: 'anonymous_share_token',
          }),
      }
      for (const [name, ask] of Object.entries(requests)) {
        const answers = []
        for (const one of [profile, draft, ABSENT]) {
          let answer: unknown
          const seen = await watched(async () => {
            answer = await ask(one).catch(({ code, message, reason }) => ({ code, message, reason }))
          })
          answers.push({ answer, seen })
        }
        expect(answers[0], name).toEqual(answers[2])
        expect(answers[1], name).toEqual(answers[2])
        expect(answers[2]?.answer, name).toEqual(
          name === 'get' ? null : { code: 'not_found', message: 'not found', reason: undefined },
        )
      }
      expect((await theirs.profiles.list()).profiles).toEqual([])
      expect((await host.profiles.get(profile))?.profileVersion).toBe(2)
      // An agent of the same person is somebody else as well.
      const agent = privity.as({
        tenant,
        actor: 'assistant',
        audience: 'agent',
        for: 'hana',
        trust: { maxSensitivity: 'high' },
      })
      expect((await refusalOf(agent.list({}, { profile })))?.code).toBe('not_found')
    })

    it('[SP-5] is named over HTTP by a header, and a key that opens one session opens no other', async () => {
      const { tenant, host, keeper } = world()
      const { secret } = await keeper.keys.create({ name: 'hana', actor: 'hana', audience: 'owner' })
      const get = async (path: string, profile?: string, key = secret ?? '') => {
        const response = await fetch(`${server.url}/api/v1${path}`, {
          headers: {
            authorization: `Bearer ${key}`,
            ...(profile === undefined ? {} : { 'privity-profile': profile }),
          },
        })
        const { data, error } = (await response.json()) as {
          data?: Record<string, unknown>
          error?: { code: string; reason?: string }
        }
        return { status: response.status, data, code: error?.code, reason: error?.reason }
      }
      const running = await active(host, { maxQueriesPerHour: 7 })
      const draft = (await host.profiles.create()).profile
      expect((await get('/session')).data).toMatchObject({ profile: null, sessionKind: 'host_session' })
      expect((await get('/session', running)).data).toMatchObject({
        profile: running,
        limits: { maxQueriesPerHour: 7 },
      })
      expect(await get('/records', draft)).toMatchObject({
        status: 403,
        code: 'session_profile_invalid',
        reason: 'session.profile_not_yet_activated',
      })
      expect(await get('/records', ABSENT)).toMatchObject({ status: 404, code: 'not_found' })
      expect(await get('/records', 'none')).toMatchObject({ status: 400, code: 'invalid_input' })

      await keep(host, 'a document')
      const { view } = await host.views.create({ corpus: 'bank' })
      const { token } = await grantLink(host, [view])
      const { key, profile } = await openLink(privity, token)
      const other = await openLink(privity, token)
      expect((await get('/session', undefined, key)).data).toMatchObject({ profile })
      expect((await get('/session', profile, key)).data).toMatchObject({ profile })
      for (const one of [other.profile, running, ABSENT])
        expect(await get('/session', one, key)).toMatchObject({ status: 404, code: 'not_found' })
      // Nor does the host read through its recipient's session.
      expect(await get('/session', profile)).toMatchObject({ status: 404, code: 'not_found' })
      expect(tenant).toBeTruthy()
    })
  })

  describe('limits', () => {
    const passes = async (work: Promise<unknown>) => {
      const refused = await refusalOf(work)
      if (refused !== null)
        expect(refused).toMatchObject({ code: 'rate_limit_exceeded', reason: 'rate_limit_exceeded' })
      return refused === null
    }

    it('[SP-10] counts queries and views of a profile in a window that slides', async () => {
      const { host } = world()
      const document = await keep(host, 'a word in a document')
      const profile = await active(host, { maxQueriesPerHour: 3, maxDocumentViewsPerHour: 3 })
      const search = () => passes(host.documents.search({ query: 'word' }, { profile }))
      expect(await search()).toBe(true)
      clock.pass(20 * MINUTE)
      expect(await search()).toBe(true)
      expect(await passes(host.search('word', {}, { profile }))).toBe(true)
      expect(await search()).toBe(false)
      expect(await passes(host.search('word', {}, { profile }))).toBe(false)
      // Of each its own; what is found as a record is read with it, and was the first view.
      expect(await passes(host.documents.open(document, { profile }))).toBe(true)
      expect(await passes(host.documents.download(document, {}, { profile }))).toBe(true)
      expect(await passes(host.documents.open(document, { profile }))).toBe(false)
      expect(await passes(host.documents.download(document, {}, { profile }))).toBe(false)
      // And none without the profile.
      expect(await passes(host.documents.search({ query: 'word' }))).toBe(true)
      // The first of three is an hour ago: one more fits, and no other.
      clock.pass(40 * MINUTE)
      expect(await search()).toBe(true)
      expect(await search()).toBe(false)
      clock.pass(20 * MINUTE)
      expect(await search()).toBe(true)
      expect(await search()).toBe(true)
      expect(await search()).toBe(false)
    })

    it('[SP-10] lets nothing through where nothing is allowed', async () => {
      const { host } = world()
      const profile = await active(host, { maxQueriesPerHour: 0 })
      expect(await passes(host.documents.search({ query: 'word' }, { profile }))).toBe(false)
    })

    it('[SP-10] sums the sessions of a link over all instances: of many at once exactly so many pass', async () => {
      const { host } = world()
      const document = await keep(host, 'a word in a document')
      const { view } = await host.views.create({ corpus: 'bank' })
      const { token } = await grantLink(host, [view], {
        sessionIdleSeconds: 8 * 3_600,
        rateLimits: { maxQueriesPerHour: 7, maxDocumentViewsPerHour: 5 },
      })
      const second = await store.instance(clock)
      const one = await openLink(privity, token)
      const other = await openLink(privity, token)
      const guests = []
      for (const key of [one.key, other.key])
        for (const instance of [privity, second])
          guests.push(instance.as((await instance.authenticate(key)).credential))
      const asked = await Promise.all(
        guests.flatMap(guest => [1, 2, 3, 4].map(() => passes(guest.documents.search({ query: 'word' })))),
      )
      expect(asked.filter(Boolean)).toHaveLength(7)
      const seen = await Promise.all(
        guests.flatMap(guest => [
          passes(guest.documents.open(document)),
          passes(guest.documents.open(document)),
          passes(guest.documents.download(document)),
        ]),
      )
      expect(seen.filter(Boolean)).toHaveLength(5)
      clock.pass(HOUR)
      expect(await passes((guests[3] as Handle).documents.search({ query: 'word' }))).toBe(true)
      await second.close()
    })

    it('[SP-10, SP-2] suspends whoever goes on after many refusals, and a host resumes it', async () => {
      const { tenant, host } = world()
      const { view } = await host.views.create({ corpus: 'bank' })
      const { token } = await grantLink(host, [view], { rateLimits: { maxQueriesPerHour: 1 } })
      const { guest, profile } = await openLink(privity, token)
      const other = await openLink(privity, token)
      const search = () => guest.documents.search({ query: 'word' })
      await search()
      for (let refusals = 1; refusals <= SUSPENDED_AFTER; refusals++) {
        expect((await host.profiles.get(profile))?.profileState, `after ${refusals - 1}`).toBe('active')
        // The last of them finds itself suspended.
        if (refusals < SUSPENDED_AFTER) expect(await passes(search())).toBe(false)
        else expect((await refusalOf(search()))?.code).toBe('session_profile_invalid')
      }
      expect(await host.profiles.get(profile)).toMatchObject({
        profileState: 'suspended',
        suspendedReasonCode: 'rate_limit_exceeded',
        suspendedAt: expect.any(String),
      })
      expect(await refusalOf(search())).toMatchObject({
        code: 'session_profile_invalid',
        reason: 'session.profile_suspended',
      })
      const operations = await store.sql(
        "select effects, reversibility, refs from privity.operations where tenant_id = $1 and name = 'profiles.suspend'",
        [tenant],
      )
      expect(operations).toEqual([
        { effects: ['profile_suspended'], reversibility: 'reversible', refs: [profile] },
      ])
      // Another session of the link is refused, and has nothing to do with it.
      expect(await passes(other.guest.documents.search({ query: 'word' }))).toBe(false)
      expect((await host.profiles.get(other.profile))?.profileState).toBe('active')
      clock.pass(HOUR)
      expect((await refusalOf(search()))?.code).toBe('session_profile_invalid')
      expect((await host.profiles.resume(profile)).profileState).toBe('active')
      expect(await passes(search())).toBe(true)
    })

    it('[SP-10] cuts results and bytes to what is allowed, between characters', async () => {
      const { host } = world()
      const text = `é😀漢${'x'.repeat(20)}`
      const document = await keep(host, text)
      for (let more = 0; more < 4; more++) await keep(host, `${'x'.repeat(20)} word ${more}`)
      const few = await active(host, { maxResultCount: 2 })
      const found = await host.documents.search({ query: 'word', limit: 10 }, { profile: few })
      expect([found.results.length, found.count]).toEqual([2, 4])
      const rest = await host.documents.search(
        { query: 'word', limit: 10, cursor: found.cursor ?? '' },
        { profile: few },
      )
      expect(rest.results).toHaveLength(2)
      expect((await host.search('word', { limit: 10 }, { profile: few })).results).toHaveLength(2)
      const listed = await host.documents.list({ limit: 50 }, { profile: few })
      expect(listed.documents).toHaveLength(2)
      expect(listed.cursor).not.toBeNull()

      // é is 2 bytes, the face 4, the sign 3.
      for (const [maxDocumentBytes, shown] of [
        [0, ''],
        [1, ''],
        [2, 'é'],
        [5, 'é'],
        [6, 'é😀'],
        [8, 'é😀'],
        [9, 'é😀漢'],
        [10, 'é😀漢x'],
        [29, text],
        [1_000, text],
      ] as const) {
        const profile = await active(host, { maxDocumentBytes })
        const truncated = shown !== text
        expect(await host.documents.open(document, { profile })).toMatchObject({ text: shown, truncated })
        expect(await host.documents.download(document, {}, { profile })).toMatchObject({
          content: Buffer.from(shown).toString('base64'),
          truncated,
          bytes: Buffer.byteLength(shown),
        })
      }
    })

    it('[SP-1] lets no copy leave where the delivery policy is for viewing alone', async () => {
      const { host } = world()
      const document = await keep(host, 'a document')
      const kind = 'document_delivery_policy'
      await host.profiles.setPolicy({ kind, policy: 'looking', settings: { delivery: 'view_only' } })
      const profile = await active(host, { documentDeliveryPolicyRef: 'looking' })
      expect((await host.documents.open(document, { profile }))?.text).toBe('a document')
      expect(await refusalOf(host.documents.download(document, {}, { profile }))).toMatchObject({
        code: 'not_allowed',
        reason: 'session.document_copy_not_allowed',
      })
      await host.profiles.setPolicy({ kind, policy: 'looking', settings: { delivery: 'view_and_download' } })
      expect(textOf(await host.documents.download(document, {}, { profile }))).toBe('a document')
    })
  })
})
