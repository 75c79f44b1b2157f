import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { PrivityError } from '../../src/errors.js'
import type { Privity } from '../../src/open.js'
import { NOT_AVAILABLE } from '../../src/policy/reason-codes.js'
import type { Credential } from '../../src/runtime/caller.js'
import { type SharedStore, sharedStore } from '../support/shared-store.js'
import { engines } from '../support/stores.js'

describe.each(engines)('why a request was refused on %s', engine => {
  let shared: SharedStore
  let privity: Privity
  beforeAll(async () => {
    shared = await sharedStore(engine)
    privity = await shared.instance()
  })
  afterAll(async () => {
    await privity.close()
    await shared.dispose()
  })

  function world() {
    const tenant = shared.tenant()
    const agent: Credential = {
      tenant,
      actor: 'helper',
      audience: 'agent',
      for: 'ana',
      trust: { maxSensitivity: 'low' },
    }
    const ana: Credential = { tenant, actor: 'ana' }
    const host: Credential = { tenant, actor: 'warden', audience: 'host' }
    return { tenant, agent, ana, host }
  }

  /** The id of the request that is refused. */
  async function refused(by: Credential, operation: string, input: object): Promise<string> {
    const error = await privity.invoke(by, operation, input).then(
      () => null,
      (error: unknown) => error,
    )
    if (!(error instanceof PrivityError)) throw new Error(`${operation} was not refused`)
    expect(error.requestId).toMatch(/^[0-9a-f-]{36}$/)
    return error.requestId ?? ''
  }
  const why = (by: Credential, requestId: string) => privity.as(by).requests.whyRefused(requestId)

  it('[RS-2] says who may do it and whom to ask, to each kind of caller', async () => {
    const { tenant, agent, ana, host } = world()
    const recipient: Credential = {
      tenant,
      actor: 'guest',
      audience: 'recipient',
      trust: { maxSensitivity: 'low' },
    }
    const message = async (by: Credential, operation: string) =>
      privity.invoke(by, operation, {}).then(
        () => 'was not refused',
        (error: Error) => error.message,
      )
    expect(await message(agent, 'people.list')).toBe(
      'Only a person or a host may do this. Ask the person you work for.',
    )
    expect(await message(agent, 'policies.list')).toBe(
      'Only a host may do this. Ask the person you work for.',
    )
    expect(await message(recipient, 'people.list')).toBe(
      'Only a person or a host may do this. Ask whoever shared this with you.',
    )
    expect(await message(ana, 'policies.list')).toBe(
      'Only a host may do this. Ask the host, who runs this server, or use a key with the audience `host`.',
    )
    expect(await message(host, 'policies.list')).toBe('was not refused')
    // Nobody is sent to somebody who may do no more than they.
    for (const by of [agent, recipient, ana])
      expect(await message(by, 'policies.list')).not.toMatch(/an agent/)
  })

  it('[DE-4, RS-2] tells a caller of its audience, its trust and its rate, with what is exposed', async () => {
    const { agent } = world()
    const requestId = await refused(agent, 'people.list', {})
    expect(await why(agent, requestId)).toEqual({
      requestId,
      at: expect.stringMatching(/^\d{4}-.*Z$/),
      operation: 'people.list',
      code: 'not_allowed',
      reason: {
        code: 'session.audience_not_allowed',
        text: 'Your kind of caller may not do this. An agent asks the person it works for; a person asks the host, who runs the server.',
      },
    })
    const { trust: _, ...untrusted } = agent
    const second = await refused(untrusted, 'memory.list', {})
    expect(await why(agent, second)).toMatchObject({
      operation: 'memory.list',
      code: 'trust_required',
      reason: { code: 'session.trust_missing' },
    })
  })

  it('[RS-2] tells the description of a policy to people only', async () => {
    const { tenant, agent, host } = world()
    await privity.as(host).policies.set({
      policy: 'little',
      mode: 'deny_all_except',
      allowedCapabilities: [{ kind: 'exact', capability: 'requests.why_refused' }],
    })
    const bound = { ...agent, policy: 'little' }
    const requestId = await refused(bound, 'memory.list', {})
    expect(await why(bound, requestId)).toMatchObject({
      code: 'not_allowed',
      reason: { text: NOT_AVAILABLE },
    })
    expect((await why(bound, requestId))?.reason).not.toHaveProperty('code')
    const person = { tenant, actor: 'ana', policy: 'little' }
    expect((await why(person, await refused(person, 'memory.list', {})))?.reason).toEqual({
      code: 'session.capability_blocked_by_policy',
      text: "The session's capability policy does not allow this.",
    })
  })

  it('[DE-4] tells of a want of capacity', async () => {
    const { tenant, ana, host } = world()
    await privity.as(host).capabilities.setLifecycle({ capability: 'memory.get', lifecycleState: 'active' })
    await shared.sql(
      `update privity.capabilities set metadata = metadata || '{"capacityLeaseClass": "none"}'
       where tenant_id = $1 and capability_id = 'memory.get'`,
      [tenant],
    )
    const cramped = await shared.instance(undefined, { capacity: { none: 0 } })
    const error = await cramped.invoke(ana, 'memory.get', { record: randomUUID() }).then(
      () => new PrivityError('internal', 'not refused'),
      error => error as PrivityError,
    )
    expect(error).toMatchObject({ code: 'busy' })
    expect(await why(ana, error.requestId ?? '')).toMatchObject({
      operation: 'memory.get',
      code: 'busy',
      reason: { code: 'session.capability_capacity_blocked' },
    })
    await cramped.close()
  })

  it('[DE-4, NI-5] is null for the requests of others, of the same agent for others, and for an id of nothing', async () => {
    const { tenant, agent, ana, host } = world()
    const requestId = await refused(agent, 'people.list', {})
    const others: Credential[] = [
      ana,
      host,
      { ...agent, actor: 'another' },
      { ...agent, for: 'ben' },
      { ...agent, tenant: shared.tenant() },
      { tenant, actor: 'helper' },
    ]
    for (const other of others) expect(await why(other, requestId), JSON.stringify(other)).toBeNull()
    expect(await why(agent, randomUUID())).toBeNull()
    expect(await why(agent, requestId)).not.toBeNull()
  })

  it('[DE-4] is null for what has to do with a record, and for what is wrong with a request', async () => {
    const { agent, ana } = world()
    const owner = privity.as(ana)
    const { id } = await owner.remember({ kind: 'note', text: 'x', participants: ['ben'] })
    for (const record of [id, randomUUID()]) {
      const requestId = await refused(agent, 'memory.pin', { record })
      expect(await why(agent, requestId)).toBeNull()
    }
    expect(await why(agent, await refused(agent, 'memory.get', { record: 'x' }))).toBeNull()
    const sealed = await owner.remember([
      { kind: 'episodic', text: 'a', visibilityClass: 'sealed' },
      { kind: 'episodic', text: 'b', visibilityClass: 'sealed' },
    ])
    const records = sealed.map(record => record.id)
    const model = { name: 'far away', local: false, summarise: async () => 'a summary' }
    const afar = await shared.instance(undefined, { consolidation: { model } })
    const error = await afar
      .as(ana)
      .consolidate({ records })
      .catch((error: unknown) => error)
    expect(error).toMatchObject({ code: 'not_allowed', reason: 'cu.consolidation_model_not_local' })
    expect(await why(ana, (error as PrivityError).requestId ?? '')).toBeNull()
    await afar.close()
  })
})
