import { randomUUID } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Handle, makeHandle } from '../../src/handle.js'
import { NOTIFICATION_TYPES } from '../../src/notifications/types.js'
import type { Privity } from '../../src/open.js'
import { OPERATIONS } from '../../src/operations.js'
import { findReasonCode, NOT_AVAILABLE, REASON_NAMESPACES } from '../../src/policy/reason-codes.js'
import type { Credential } from '../../src/runtime/caller.js'
import { builtInRegistry } from '../../src/runtime/tenant-facts.js'
import { few, times } from '../support/depth.js'
import { leastInput } from '../support/least-input.js'
import { type SharedStore, sharedStore } from '../support/shared-store.js'
import { engines } from '../support/stores.js'

const exact = (capability: string) => ({ kind: 'exact', capability }) as const
const all = (namespace: string) => ({ kind: 'namespace_all', namespace }) as const
const wildcard = (prefix: string) => ({ kind: 'prefix_wildcard', prefix }) as const
const tool = (namespace: string, name: string, metadata?: { capacityLeaseClass: string }) => ({
  namespace: { namespace, description: `tools for ${namespace}` },
  capability: { name, description: `${name} it`, ...(metadata && { metadata }) },
})

/** What is said of a tool of which nothing is said. */
const PLAIN = { schemaKind: 'no_schema', outputKind: 'structured_data', sideEffects: [] }

const record = randomUUID()

describe.each(engines)('capabilities on %s', engine => {
  let store: SharedStore
  let privity: Privity
  const statements: string[] = []
  beforeAll(async () => {
    store = await sharedStore(engine, { observe: sql => void statements.push(sql) })
    privity = await store.instance()
  })
  afterAll(async () => {
    await privity.close()
    await store.dispose()
  })

  const hostOf = (tenant: string): Credential => ({ tenant, actor: 'warden', audience: 'host' })
  const ownerOf = (tenant: string): Credential => ({ tenant, actor: 'ana' })
  const agentOf = (tenant: string): Credential => ({
    tenant,
    actor: 'helper',
    audience: 'agent',
    for: 'ana',
    trust: { maxSensitivity: 'high' },
  })
  const world = () => {
    const tenant = store.tenant()
    return {
      tenant,
      host: privity.as(hostOf(tenant)),
      ana: privity.as(ownerOf(tenant)),
      agent: privity.as(agentOf(tenant)),
      /** Ana, bound to a policy of the tenant. */
      under: (policy: string) => privity.as({ ...ownerOf(tenant), policy }),
    }
  }
  const blocked = {
    code: 'not_allowed',
    reason: 'session.capability_blocked_by_policy',
    message: findReasonCode('session.capability_blocked_by_policy')?.description,
  }
  const namesOf = async (host: Handle) =>
    (await host.capabilities.list()).capabilities.map(({ capability }) => capability)

  describe('in the registry', () => {
    it('[CP-1] a capability and its namespace are registered together, in this tenant only', async () => {
      const { host, ana } = world()
      expect(await host.capabilities.register(tool('fax', 'send'))).toMatchObject({
        capability: 'fax.send',
        namespace: 'fax',
        description: 'send it',
        lifecycleState: 'active',
      })
      expect(await namesOf(ana)).toContain('fax.send')
      expect(await namesOf(world().host)).not.toContain('fax.send')
      await host.policies.set({ policy: 'p', mode: 'deny_all_except', allowedCapabilities: [all('fax')] })
    })

    it('[CP-1] one is read as it stands in the registry: by what right, of what kind, since when and by whom', async () => {
      const { tenant, host, ana } = world()
      const metadata = {
        schemaKind: 'json_schema' as const,
        schemaRef: 'fax/send',
        outputKind: 'side_effect_only' as const,
        sideEffects: ['notification' as const],
        capacityLeaseClass: 'slow',
      }
      const before = Date.now()
      const made = await host.capabilities.register(tool('fax', 'send', metadata))
      expect(made).toEqual({
        capability: 'fax.send',
        namespace: 'fax',
        name: 'send',
        description: 'send it',
        lifecycleState: 'active',
        registrationBasis: 'user_registered_external',
        metadata,
        registeredAt: expect.any(String),
        registeredByActorRef: 'warden',
      })
      expect(Date.parse(made.registeredAt ?? '')).toBeGreaterThanOrEqual(before - 1_000)
      // Whoever changes it later did not register it, and nobody registers what is built in.
      const other = privity.as({ tenant, actor: 'deputy', audience: 'host' })
      for (const capability of ['fax.send', 'memory.list']) {
        await other.capabilities.setLifecycle({ capability, lifecycleState: 'deprecated' })
        await other.capabilities.setCapacity({ capability, leaseClass: 'quick' })
      }
      const { capabilities } = await ana.capabilities.list()
      const changed = { lifecycleState: 'deprecated', metadata: { capacityLeaseClass: 'quick' } }
      expect(capabilities.find(({ capability }) => capability === 'fax.send')).toEqual({
        ...made,
        lifecycleState: 'deprecated',
        metadata: { ...metadata, capacityLeaseClass: 'quick' },
      })
      expect(capabilities.find(({ capability }) => capability === 'memory.list')).toMatchObject({
        ...changed,
        name: 'list',
        registrationBasis: 'v1_6_native_capability',
        registeredAt: null,
        registeredByActorRef: null,
      })
      expect(capabilities.find(({ capability }) => capability === 'memory.get')).toMatchObject({
        registeredAt: null,
        registeredByActorRef: null,
      })
    })

    it('[CP-1] what cannot be registered whole leaves nothing, the namespace neither', async () => {
      const { host } = world()
      const refused = [
        tool('fax', 'Send It'),
        tool('fax', 'outbox.send'),
        tool('Fax', 'send'),
        {
          ...tool('fax.outbox', 'send'),
          namespace: { ...tool('x', 'y').namespace, parentNamespace: 'fax' },
        },
        {
          ...tool('fax.outbox', 'send'),
          namespace: { namespace: 'fax.outbox', description: 'd', parentNamespace: 'fax' },
        },
      ]
      const before = await namesOf(host)
      for (const input of refused)
        await expect(host.capabilities.register(input)).rejects.toMatchObject({ code: 'invalid_input' })
      expect(await namesOf(host)).toEqual(before)
      for (const namespace of ['fax', 'Fax', 'fax.outbox']) {
        const policy = {
          policy: 'p',
          mode: 'deny_all_except' as const,
          allowedCapabilities: [all(namespace)],
        }
        await expect(host.policies.set(policy)).rejects.toMatchObject({ code: 'unregistered_pattern' })
      }
    })

    it('[CP-1] a name is registered once, also of two at the same moment, and no built-in one again', async () => {
      const { host } = world()
      const both = await Promise.allSettled([
        host.capabilities.register(tool('fax', 'send')),
        host.capabilities.register({
          ...tool('fax', 'send'),
          capability: { name: 'send', description: 'b' },
        }),
      ])
      expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
      for (const again of [tool('fax', 'send'), tool('memory', 'get')])
        await expect(host.capabilities.register(again)).rejects.toMatchObject({ code: 'conflict' })
      await host.capabilities.register(tool('fax', 'read'))
      expect(await namesOf(host)).toEqual(expect.arrayContaining(['fax.read', 'fax.send']))
    })

    it('[CP-1, WR-4] only a host registers, and nobody can retire what would bring a capability back', async () => {
      const { host, ana, agent } = world()
      const retire = { capability: 'memory.get', lifecycleState: 'retired' } as const
      for (const other of [ana, agent]) {
        await expect(other.capabilities.register(tool('fax', 'send'))).rejects.toMatchObject({
          code: 'not_allowed',
        })
        await expect(other.capabilities.setLifecycle(retire)).rejects.toMatchObject({ code: 'not_allowed' })
      }
      await expect(
        host.capabilities.setLifecycle({ ...retire, capability: 'capabilities.set_lifecycle' }),
      ).rejects.toMatchObject({ code: 'conflict' })
      await expect(
        host.capabilities.setLifecycle({ ...retire, capability: 'fax.unknown' }),
      ).rejects.toMatchObject({ code: 'not_found' })
    })
  })

  describe('by lifecycle', () => {
    it.each([
      'retired',
      'deprecated',
      'experimental',
    ] as const)('[CP-3, RS-2] one that is %s runs for nobody: an owner reads why, an agent does not, the audit has it', async lifecycleState => {
      const { host, ana, agent } = world()
      const { id } = await ana.remember({ kind: 'note', text: 'text' })
      await host.capabilities.setLifecycle({ capability: 'memory.get', lifecycleState })
      const reason = 'session.capability_not_active'
      await expect(ana.get(id)).rejects.toMatchObject({
        code: 'not_allowed',
        reason,
        message: findReasonCode(reason)?.description,
      })
      await expect(agent.get(id)).rejects.toMatchObject({
        code: 'not_allowed',
        reason: undefined,
        message: NOT_AVAILABLE,
      })
      expect(await ana.list()).toMatchObject({ records: [{ id }] })
      const { entries } = await ana.audit.list({ limit: 3 })
      expect(entries.slice(1).map(entry => [entry.actor, entry.outcome, entry.reason])).toEqual([
        ['helper', 'not_allowed', reason],
        ['ana', 'not_allowed', reason],
      ])
      await host.capabilities.setLifecycle({ capability: 'memory.get', lifecycleState: 'active' })
      expect(await agent.get(id)).toMatchObject({ id })
    })

    it('[CP-3, RS-2] asking tells the four refusals in their order to an owner, and to an agent one and the same', async () => {
      const { tenant, host, agent } = world()
      const check = (handle: Handle, capability: string) => handle.capabilities.check({ capability })
      await host.capabilities.register(tool('fax', 'send'))
      await host.capabilities.register(tool('fax', 'old'))
      await host.capabilities.setLifecycle({ capability: 'fax.old', lifecycleState: 'retired' })
      await host.policies.set({
        policy: 'no-fax',
        mode: 'allow_all_except',
        deniedCapabilities: [all('fax')],
      })
      const ana = privity.as({ ...ownerOf(tenant), policy: 'no-fax' })
      const told = (code: string) => ({
        permitted: false,
        reason: code,
        text: findReasonCode(code)?.description,
      })
      expect(await check(ana, 'fax.unknown')).toEqual(told('session.capability_not_available'))
      expect(await check(ana, 'fax.old')).toEqual(told('session.capability_not_active'))
      expect(await check(ana, 'fax.send')).toEqual(told('session.capability_blocked_by_policy'))
      expect(await check(ana, 'memory.get')).toEqual({ permitted: true, reason: null, text: null })
      for (const capability of ['fax.unknown', 'fax.old', 'fax.send', 'memory.forget'])
        expect(await check(agent, capability)).toEqual({
          permitted: false,
          reason: null,
          text: NOT_AVAILABLE,
        })
    })

    it('[CP-3] a capability of a capacity class runs while there is room, and is told apart from a denial', async () => {
      const tenant = store.tenant()
      const roomy = await store.instance(undefined, { capacity: { slow: 1 } })
      const cramped = await store.instance(undefined, { capacity: { slow: 0, quick: 9 } })
      const host = roomy.as(hostOf(tenant))
      await host.capabilities.register(tool('fax', 'send', { capacityLeaseClass: 'slow' }))
      expect(await host.capabilities.check({ capability: 'fax.send' })).toMatchObject({ permitted: true })
      const { id } = await roomy.as(ownerOf(tenant)).remember({ kind: 'note', text: 'text' })
      // No operation of this build is of a class, so one is put into it where the host keeps its own.
      await host.capabilities.setLifecycle({ capability: 'memory.get', lifecycleState: 'active' })
      await store.sql(
        `update privity.capabilities set metadata = metadata || '{"capacityLeaseClass": "slow"}'
         where tenant_id = $1 and capability_id = 'memory.get'`,
        [tenant],
      )
      await host.reasons.register({ code: 'host.new', description: 'Anew.', visibility: 'expose' })

      const full = { code: 'busy', reason: 'session.capability_capacity_blocked' }
      for (const credential of [ownerOf(tenant), agentOf(tenant)])
        await expect(cramped.as(credential).get(id)).rejects.toMatchObject(full)
      const { entries } = await cramped.as(ownerOf(tenant)).audit.list({ limit: 1 })
      expect(entries).toMatchObject([{ operation: 'memory.get', outcome: 'busy', reason: full.reason }])

      const ana = roomy.as(ownerOf(tenant))
      const answers = await Promise.allSettled(Array.from({ length: 6 }, () => ana.get(id)))
      const refused = answers.filter(answer => answer.status === 'rejected')
      expect(refused.length).toBeLessThan(6)
      for (const { reason } of refused) expect(reason).toMatchObject(full)
      // What was held is given back, by those who were refused for another cause too.
      await expect(roomy.as({ ...ownerOf(tenant), policy: 'unknown' }).get(id)).rejects.toMatchObject(blocked)
      for (let again = 0; again < 3; again++) expect(await ana.get(id)).toMatchObject({ id })
      await Promise.all([roomy.close(), cramped.close()])
    })
  })

  describe('by policy', () => {
    it('[CP-2] deny wins over allow', async () => {
      const { host, under } = world()
      await host.policies.set({
        policy: 'p',
        mode: 'deny_all_except',
        allowedCapabilities: [all('memory')],
        deniedCapabilities: [exact('memory.list')],
      })
      expect(await under('p').get(record)).toBeNull()
      await expect(under('p').list()).rejects.toMatchObject(blocked)
      await expect(under('p').people.list()).rejects.toMatchObject(blocked)
    })

    it('[CP-2] a policy inherits from its parent and grandparent, adding denials only, and no further', async () => {
      const { host, under } = world()
      const set = (policy: string, parentRef: string | undefined, more: object = {}) =>
        host.policies.set({ policy, mode: 'inherit_default', ...(parentRef && { parentRef }), ...more })
      await host.policies.set({
        policy: 'root',
        mode: 'deny_all_except',
        allowedCapabilities: [all('memory')],
      })
      await set('second', 'root', { deniedCapabilities: [exact('memory.list')] })
      await set('third', 'second', { allowedCapabilities: [all('people'), exact('memory.list')] })
      await set('fourth', 'third')
      await set('orphan', undefined)
      await set('lost', 'nowhere')
      await set('ring', 'ring')
      expect(await under('third').get(record)).toBeNull()
      await expect(under('third').list()).rejects.toMatchObject(blocked)
      await expect(under('third').people.list()).rejects.toMatchObject(blocked)
      for (const policy of ['fourth', 'orphan', 'lost', 'ring'])
        await expect(under(policy).get(record), policy).rejects.toMatchObject(blocked)
      await host.policies.set({ policy: 'root', mode: 'allow_all_except' })
      expect(await under('third').people.list()).toMatchObject({ people: [{ name: 'ana' }] })
      await expect(under('third').list()).rejects.toMatchObject(blocked)
    })

    it('[CP-2] a pattern that refers to nothing registered is refused, and the policy stays as it was', async () => {
      const { host, under } = world()
      await host.policies.set({ policy: 'p', mode: 'deny_all_except', allowedCapabilities: [all('memory')] })
      const patterns = [
        exact('memory.unknown'),
        exact('fax.send'),
        all('fax'),
        wildcard('fax.'),
        wildcard('memory'),
        wildcard('mem'),
        wildcard('memory.get.'),
      ]
      for (const pattern of patterns) {
        for (const side of ['allowedCapabilities', 'deniedCapabilities'])
          await expect(
            host.policies.set({
              policy: 'p',
              mode: 'allow_all_except',
              [side]: [exact('memory.get'), pattern],
            }),
          ).rejects.toMatchObject({ code: 'unregistered_pattern' })
      }
      expect((await host.policies.list()).policies).toEqual([
        {
          policy: 'p',
          mode: 'deny_all_except',
          allowedCapabilities: [all('memory')],
          deniedCapabilities: [],
          parentRef: null,
        },
      ])
      await expect(under('p').people.list()).rejects.toMatchObject(blocked)
    })

    it('[CP-2] a wildcard covers what its namespace gains later, and a denied namespace its children', async () => {
      const { host, under } = world()
      await host.capabilities.register(tool('fax', 'send'))
      await host.policies.set({
        policy: 'open',
        mode: 'deny_all_except',
        allowedCapabilities: [wildcard('fax.*'), exact('capabilities.check')],
      })
      await host.policies.set({ policy: 'shut', mode: 'allow_all_except', deniedCapabilities: [all('fax')] })
      await host.capabilities.register(tool('fax', 'read'))
      await host.capabilities.register(tool('fax.outbox', 'flush'))
      await host.capabilities.register(tool('faxing', 'subscribe'))
      const permitted = async (policy: string) => {
        const found = []
        for (const name of ['fax.send', 'fax.read', 'fax.outbox.flush', 'faxing.subscribe'])
          if ((await under(policy).capabilities.check({ capability: name })).permitted) found.push(name)
        return found
      }
      expect(await permitted('open')).toEqual(['fax.send', 'fax.read'])
      expect(await permitted('shut')).toEqual(['faxing.subscribe'])
    })

    it('[CP-2, DE-2] a caller whose policy is unknown may do nothing, whatever its audience', async () => {
      const { tenant } = world()
      for (const credential of [hostOf(tenant), ownerOf(tenant), agentOf(tenant)])
        await expect(privity.as({ ...credential, policy: 'unknown' }).get(record)).rejects.toMatchObject({
          code: 'not_allowed',
        })
    })

    it('[CP-3, WR-4] a host learns what each policy says of a capability, and why', async () => {
      const { host, ana, agent } = world()
      await host.capabilities.register(tool('fax', 'send', { capacityLeaseClass: 'slow' }))
      await host.capabilities.register(tool('fax', 'read'))
      await host.capabilities.register(tool('fax.outbox', 'send'))
      await host.capabilities.setLifecycle({ capability: 'fax.read', lifecycleState: 'retired' })
      await host.policies.set({
        policy: 'open',
        mode: 'deny_all_except',
        allowedCapabilities: [wildcard('fax.*')],
      })
      await host.policies.set({
        policy: 'heir',
        mode: 'inherit_default',
        deniedCapabilities: [exact('fax.send')],
        parentRef: 'open',
      })
      const { capabilities } = await host.capabilities.who({ of: 'fax' })
      const byDefault = (audience: string, permitted: boolean, refusal: string | null) => ({
        policy: `built-in:${audience}`,
        audience,
        permitted,
        reason: permitted ? 'allow_all_default' : 'deny_all_default',
        pattern: null,
        through: [`built-in:${audience}`],
        refusal,
      })
      const denied = blocked.reason
      const notActive = 'session.capability_not_active'
      const registered = {
        registrationBasis: 'user_registered_external',
        registeredAt: expect.any(String),
        registeredByActorRef: 'warden',
      }
      expect(capabilities).toEqual([
        {
          capability: 'fax.read',
          namespace: 'fax',
          name: 'read',
          description: 'read it',
          lifecycleState: 'retired',
          ...registered,
          metadata: PLAIN,
          leaseClass: null,
          limits: null,
          callers: 'anyone',
          who: [
            byDefault('owner', true, notActive),
            byDefault('host', true, notActive),
            byDefault('agent', false, notActive),
            byDefault('recipient', false, notActive),
            {
              policy: 'heir',
              audience: null,
              permitted: true,
              reason: 'allowed_by_pattern',
              pattern: wildcard('fax.*'),
              through: ['heir', 'open'],
              refusal: notActive,
            },
            expect.objectContaining({ policy: 'open', permitted: true, refusal: notActive }),
          ],
        },
        {
          capability: 'fax.send',
          namespace: 'fax',
          name: 'send',
          description: 'send it',
          lifecycleState: 'active',
          ...registered,
          metadata: { ...PLAIN, capacityLeaseClass: 'slow' },
          leaseClass: 'slow',
          limits: null,
          callers: 'anyone',
          who: [
            byDefault('owner', true, null),
            byDefault('host', true, null),
            byDefault('agent', false, denied),
            byDefault('recipient', false, denied),
            {
              policy: 'heir',
              audience: null,
              permitted: false,
              reason: 'denied_by_pattern',
              pattern: exact('fax.send'),
              through: ['heir'],
              refusal: denied,
            },
            expect.objectContaining({ policy: 'open', permitted: true, refusal: null }),
          ],
        },
      ])
      expect(await host.capabilities.who({ of: 'fax.send' })).toEqual({
        capabilities: [capabilities[1]],
        credentials: [],
        cursor: null,
      })
      await host.capabilities.setCapacity({
        capability: 'fax.send',
        leaseClass: 'slow',
        limits: { total: 4, perCredential: 2, seconds: 9 },
      })
      expect((await host.capabilities.who({ of: 'fax.send' })).capabilities[0]?.limits).toEqual({
        total: 4,
        perCredential: 2,
        seconds: 9,
      })
      // What a policy says does not make an owner the host.
      const [set] = (await host.capabilities.who({ of: 'policies.set' })).capabilities
      expect(set?.callers).toBe('host')
      expect(set?.who.map(({ audience, refusal }) => [audience, refusal])).toEqual([
        ['owner', 'session.audience_not_allowed'],
        ['host', null],
        ['agent', 'session.audience_not_allowed'],
        ['recipient', 'session.audience_not_allowed'],
        [null, denied],
        [null, denied],
      ])
      for (const of of ['mai', 'fax.', 'fax.*', 'fax.sen', 'send'])
        await expect(host.capabilities.who({ of })).rejects.toMatchObject({ code: 'not_found' })
      await expect(agent.capabilities.who({ of: 'fax' })).rejects.toMatchObject({ code: 'not_allowed' })
      // An owner reads what is built in, and nothing of policies that others are under.
      const [read] = (await ana.capabilities.who({ of: 'fax.read' })).capabilities
      expect(read?.who.map(({ audience }) => audience)).toEqual(['owner', 'host', 'agent', 'recipient'])
    })

    it('[CP-3, WR-4, NI-1] a host learns which key, link and session may, and why; an owner of their own alone', async () => {
      const { tenant, host, ana, under } = world()
      const ben = privity.as({ tenant, actor: 'ben' })
      await host.capabilities.register(tool('fax', 'send'))
      await host.policies.set({
        policy: 'no post',
        mode: 'allow_all_except',
        deniedCapabilities: [all('fax')],
      })
      await ana.keys.create({ name: 'laptop' })
      await under('no post').keys.create({ name: 'phone' })
      const gone = await ana.keys.create({ name: 'lost' })
      await ana.keys.revoke(gone.key.id)
      await ben.keys.create({ name: 'of ben' })
      await host.keys.create({ name: 'desk', audience: 'host' })
      const { view } = await ana.views.create({ corpus: 'briefs' })
      const { link, token } = await ana.links.grant({
        name: 'for reading',
        views: [view],
        recipientIdentityMode: 'anonymous_share_token',
      })
      const guest = privity.as({
        tenant,
        actor: 'nobody',
        audience: 'recipient',
        trust: { maxSensitivity: 'low' },
      })
      const opened = await guest.links.redeem({ token: token ?? '' })
      const worker = await ana.agents.spawn({ agent: 'worker', maxSensitivity: 'low' })
      const answers = async (by: Handle, of: string) => {
        const answer = await by.capabilities.who({ of })
        expect(answer.cursor).toBeNull()
        return answer.credentials
      }
      const verdicts = async (by: Handle, of: string) =>
        Object.fromEntries(
          (await answers(by, of)).map(({ kind, name, may }) => [`${kind} ${name}`, may[0]?.refusal]),
        )
      const denied = blocked.reason
      const session = `profile recipient:${'profile' in opened ? opened.profile : ''}`
      const own = {
        'key laptop': null,
        'key phone': denied,
        'link for reading': denied,
        [session]: denied,
        'profile ana/worker': denied,
        // The one that the worker was started under.
        'profile ana': null,
      }
      expect(await verdicts(ana, 'fax.send')).toEqual(own)
      expect(await verdicts(host, 'fax.send')).toEqual({ ...own, 'key of ben': null, 'key desk': null })
      expect(await verdicts(ben, 'fax.send')).toEqual({ 'key of ben': null })

      const one = (id: string, of = 'fax.send', by = ana) =>
        answers(by, of).then(all => all.find(credential => credential.id === id))
      expect(await one(link.link)).toEqual({
        kind: 'link',
        id: link.link,
        name: 'for reading',
        owner: 'ana',
        audience: 'recipient',
        policy: `link:${link.link}`,
        profile: null,
        expiresAt: link.expiresAt,
        may: [{ capability: 'fax.send', permitted: false, refusal: denied }],
      })
      expect(await one(worker.profile.profile)).toMatchObject({
        kind: 'profile',
        audience: 'agent',
        policy: 'built-in:agent',
        profile: worker.profile.profile,
      })
      const paused = await ana.profiles.create({ capabilityPolicyRef: 'no post' })
      await ana.profiles.activate(paused.profile)
      const draft = await ana.profiles.create()
      expect(await one(paused.profile)).toMatchObject({
        audience: null,
        policy: 'no post',
        may: [{ refusal: denied }],
      })
      expect(await one(draft.profile)).toBeUndefined()
      await ana.profiles.suspend({ profile: paused.profile })
      expect((await one(paused.profile))?.may[0]?.refusal).toBe('session.profile_suspended')
      await ana.profiles.revoke({ profile: paused.profile })
      expect(await one(paused.profile)).toBeUndefined()

      // Who may call at all, and who starts nothing whatever a policy says, is told the same way.
      expect(await verdicts(host, 'policies.set')).toMatchObject({
        'key desk': null,
        'key laptop': 'session.audience_not_allowed',
        'profile ana/worker': 'session.audience_not_allowed',
        'link for reading': 'session.audience_not_allowed',
      })
      expect(await verdicts(host, 'agents.spawn')).toMatchObject({
        'key laptop': null,
        'link for reading': 'native_session_fork_forbidden',
        [session]: 'native_session_fork_forbidden',
        'profile ana/worker': null,
      })
      const still = await ana.agents.spawn({
        agent: 'still',
        maxSensitivity: 'low',
        binding: { maxSpawnDepth: 0 },
      })
      expect((await one(still.profile.profile, 'agents.spawn'))?.may[0]?.refusal).toBe(
        'native_session_max_spawn_depth_exceeded',
      )
      // Nothing in it opens anything.
      const text = JSON.stringify(await answers(host, 'fax'))
      for (const secret of [token, worker.secret, 'key' in opened ? opened.key : null])
        expect(text).not.toContain(secret ?? 'missing')

      // Page by page, each once.
      const paged: string[] = []
      let cursor: string | null = null
      do {
        const page: Awaited<ReturnType<typeof host.capabilities.who>> = await host.capabilities.who({
          of: 'fax',
          limit: 2,
          ...(cursor !== null && { cursor }),
        })
        expect(page.credentials.length).toBeLessThanOrEqual(2)
        paged.push(...page.credentials.map(({ id }) => id))
        cursor = page.cursor
      } while (cursor !== null)
      expect(paged).toEqual((await answers(host, 'fax')).map(({ id }) => id))
      const { cursor: ofHost } = await host.capabilities.who({ of: 'fax', limit: 1 })
      await expect(ana.capabilities.who({ of: 'fax', cursor: ofHost ?? '' })).rejects.toMatchObject({
        code: 'invalid_input',
      })
      const { credential } = await privity.authenticate('key' in opened ? (opened.key ?? '') : '')
      for (const recipient of [guest, privity.as(credential)])
        await expect(recipient.capabilities.who({ of: 'fax' })).rejects.toMatchObject({
          code: 'not_allowed',
        })
    })

    it('[CP-3, SP-6] what the list of an audience allows, the gate does not refuse', async () => {
      const { host } = world()
      const { capabilities } = await host.capabilities.list()
      const namespaces = new Set(capabilities.map(({ namespace }) => namespace))
      const odd: string[] = []
      for (const of of namespaces)
        for (const { capability, who } of (await host.capabilities.who({ of })).capabilities)
          for (const { audience, reason, refusal } of who)
            if (reason === 'allowed_by_pattern' && refusal !== null)
              odd.push(`${audience} ${capability} ${refusal}`)
      // An agent starts others from a session, and from nowhere else.
      expect(odd).toEqual(['agent agents.spawn native_session_fork_forbidden'])
    })

    it('[CP-2, WR-4] a policy that allows all does not give an agent the acts of an owner', async () => {
      const { tenant, host } = world()
      await host.policies.set({ policy: 'all', mode: 'allow_all_except' })
      const agent = privity.as({ ...agentOf(tenant), policy: 'all' })
      expect(await agent.list()).toMatchObject({ records: [] })
      const refused = { code: 'not_allowed', reason: 'session.audience_not_allowed' }
      await expect(agent.forget(record)).rejects.toMatchObject(refused)
      await expect(agent.people.list()).rejects.toMatchObject(refused)
      await expect(privity.as({ ...ownerOf(tenant), policy: 'all' }).policies.list()).rejects.toMatchObject(
        refused,
      )
    })

    it('[CP-2, NI-7] a change holds at the next request, in every process on the store', async () => {
      const tenant = store.tenant()
      const others = [await store.instance(), await store.instance()]
      const readers = [privity, ...others].map(one => one.as({ ...ownerOf(tenant), policy: 'p' }))
      const hosts = [privity, ...others].map(one => one.as(hostOf(tenant)))
      for (let round = 0; round < times(3, 6); round++) {
        const shut = round % 2 === 0
        await hosts[round % hosts.length]?.policies.set({
          policy: 'p',
          mode: 'allow_all_except',
          deniedCapabilities: shut ? [all('memory')] : [],
        })
        for (const reader of readers) {
          if (shut) await expect(reader.list()).rejects.toMatchObject(blocked)
          else expect(await reader.list()).toMatchObject({ records: [] })
        }
      }
      await Promise.all(others.map(other => other.close()))
    })
  })

  describe('of every operation', () => {
    it('[CP-4] each is refused when its capability is denied', async () => {
      const tenant = store.tenant()
      const host = privity.as(hostOf(tenant))
      await host.policies.set({
        policy: 'without',
        mode: 'allow_all_except',
        deniedCapabilities: OPERATIONS.map(({ name }) => exact(name)),
      })
      for (const operation of OPERATIONS) {
        const credential = operation.callers === 'host' ? hostOf(tenant) : ownerOf(tenant)
        await expect(
          privity.invoke({ ...credential, policy: 'without' }, operation.name, leastInput(operation)),
          operation.name,
        ).rejects.toMatchObject(blocked)
      }
    })

    it.each(
      few(OPERATIONS, 12),
    )('[CP-4] $name is refused before anything else when its capability is denied', async operation => {
      const tenant = store.tenant()
      const host = privity.as(hostOf(tenant))
      expect(await namesOf(host)).toContain(operation.name)
      await host.policies.set({
        policy: 'without',
        mode: 'allow_all_except',
        deniedCapabilities: [exact(operation.name)],
      })
      const credential = {
        ...(operation.callers === 'host' ? hostOf(tenant) : ownerOf(tenant)),
        policy: 'without',
      }
      const input = leastInput(operation)
      await expect(privity.invoke(credential, operation.name, input)).rejects.toMatchObject(blocked)
      const changed = await store.sql<{ name: string }>(
        `select name from privity.operations where tenant_id = $1`,
        [tenant],
      )
      expect(changed).toEqual([{ name: 'policies.set' }])
      // Warm by now: it takes who the caller is, and the entry in the audit, and not a statement more.
      statements.length = 0
      await expect(privity.invoke(credential, operation.name, input)).rejects.toMatchObject(blocked)
      expect(statements.map(aboutOf)).toEqual(
        operation.access === 'read'
          ? ['read', 'write_audit']
          : ['begin', 'lock', 'read', 'rollback', 'write_audit'],
      )
    })
    /** What a statement is about: the function it calls, or the first table in it. */
    const aboutOf = (sql: string) =>
      /privity\.([a-z_]+?)(?:_[0-9a-f]{12})?[\s(]/.exec(sql.replace(/^begin.*/s, 'begin'))?.[1] ??
      (/advisory/.test(sql) ? 'lock' : (sql.split(' ')[0] ?? ''))
  })
})

describe('the table of operations', () => {
  it('[CP-4] registers a capability for every operation', () => {
    const { capabilities } = builtInRegistry(OPERATIONS)
    expect([...capabilities.keys()]).toEqual(OPERATIONS.map(({ name }) => name))
    for (const { lifecycleState } of capabilities.values()) expect(lifecycleState).toBe('active')
  })

  it('[CP-4] is all there is in the handle, and all of it is there', async () => {
    const asked: string[] = []
    const { invoke: _, ...methods } = makeHandle(async name => {
      asked.push(name)
      return {}
    })
    type Method = (input: object) => Promise<unknown>
    const called = (part: unknown): Method[] =>
      typeof part === 'function' ? [part as Method] : Object.values(part as object).flatMap(called)
    for (const method of called(methods)) await method({})
    expect(asked.sort()).toEqual(OPERATIONS.map(({ name }) => name).sort())
  })
})

describe('the sources', () => {
  it('[RS-1] give no reason that is not registered', async () => {
    const root = fileURLToPath(new URL('../../src', import.meta.url))
    const namespaces = REASON_NAMESPACES.map(({ namespace }) => namespace).join('|')
    const literal = new RegExp(`['"\`]((?:${namespaces})\\.[a-z0-9_.]+)['"\`]`, 'g')
    const given = /\breason(?:Code)?: '([a-z0-9_.]+)'/g
    const verdict = /\b(?:full|preview|metadata|none|substitute|refuse|refused)\(\s*'([a-z0-9_.]+)'/g
    const found = new Map<string, string>()
    for (const entry of await readdir(root, { recursive: true, withFileTypes: true })) {
      const file = relative(root, join(entry.parentPath, entry.name))
      if (!entry.isFile() || !/(?<!\.test)\.ts$/.test(file) || file === 'policy/reason-codes.ts') continue
      const source = (await readFile(join(root, file), 'utf8')).replace(/^\s*(?:\*|\/\/|\/\*).*$/gm, '')
      // Those who ask in tests of this folder say why in their own words.
      const patterns = file.startsWith('testing/') ? [literal, verdict] : [literal, given, verdict]
      for (const pattern of patterns)
        for (const [, code = ''] of source.matchAll(pattern)) found.set(code, file)
    }
    expect(found.size).toBeGreaterThan(50)
    for (const code of ['session.trust_missing', 'access.blocked', 'session.capability_not_active'])
      expect([...found.keys()]).toContain(code)
    const known = new Set<string>([...OPERATIONS.map(({ name }) => name), ...NOTIFICATION_TYPES])
    const unregistered = [...found].filter(([code]) => !known.has(code) && findReasonCode(code) === undefined)
    expect(unregistered).toEqual([])
  })
})
