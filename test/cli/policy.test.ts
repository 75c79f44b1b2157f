import { PassThrough } from 'node:stream'
import { setImmediate } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { run } from '../../src/cli/run.js'
import { open } from '../../src/open.js'
import { OPERATIONS } from '../../src/operations.js'
import { REASON_CODES } from '../../src/policy/reason-codes.js'
import { type CommandStore, commandStore } from './support/command-store.js'

describe('what the command line tells of policies', () => {
  let store: CommandStore
  beforeAll(async () => {
    store = await commandStore()
    const privity = await open({ ...store.place, embedding: [] })
    const host = privity.as({ tenant: 'default', actor: 'warden', audience: 'host' })
    await host.capabilities.register({
      namespace: { namespace: 'fax', description: 'post' },
      capability: { name: 'send', description: 'Sends it.', metadata: { capacityLeaseClass: 'slow' } },
    })
    await host.capabilities.register({
      namespace: { namespace: 'fax', description: 'post' },
      capability: { name: 'old', description: 'Once sent it.' },
    })
    await host.capabilities.setLifecycle({ capability: 'fax.old', lifecycleState: 'retired' })
    await host.policies.set({
      policy: 'writing',
      mode: 'deny_all_except',
      allowedCapabilities: [{ kind: 'prefix_wildcard', prefix: 'fax.' }],
    })
    await host.policies.set({
      policy: 'quiet',
      mode: 'inherit_default',
      deniedCapabilities: [{ kind: 'exact', capability: 'fax.send' }],
      parentRef: 'writing',
    })
    await host.policies.set({ policy: 'heir', mode: 'inherit_default', parentRef: 'quiet' })
    await host.capabilities.setCapacity({
      capability: 'fax.send',
      leaseClass: 'slow',
      limits: { total: 4, perCredential: 2 },
    })
    await host.keys.create({ name: 'desk', audience: 'host' })
    await host.keys.create({ name: 'post room', actor: 'ana', policy: 'quiet' })
    await host.keys.create({ name: 'writer', actor: 'ana', policy: 'writing' })
    await host.reasons.register({ code: 'host.later', description: 'Not yet.', visibility: 'expose' })
    await privity.close()
  }, 60_000)
  afterAll(() => store.dispose())

  async function said(...args: readonly string[]) {
    const texts = ['', '']
    const [stdout, stderr] = texts.map((_, at) =>
      new PassThrough().on('data', (chunk: Buffer) => {
        texts[at] += chunk.toString()
      }),
    ) as [PassThrough, PassThrough]
    const code = await run([...args, ...store.args], { stdout, stderr, env: {} })
    await setImmediate()
    return { code, stdout: texts[0] ?? '', stderr: texts[1] ?? '' }
  }
  const cellsOf = (line: string | undefined) => (line ?? '').split(/ {2,}/)

  it('[CP-3] capabilities is a table of everything that can be done, by whom and why', async () => {
    const { code, stdout } = await said('capabilities')
    expect(code).toBe(0)
    const lines = stdout.trimEnd().split('\n').map(cellsOf)
    expect(lines[0]).toEqual(['capability', 'state', 'who may', 'why'])
    const names = lines.slice(1).map(([name]) => name)
    expect(names).toEqual([...OPERATIONS.map(({ name }) => name), 'fax.send', 'fax.old'].sort())
    const row = (name: string) => lines.find(([first]) => first === name)?.slice(1)
    expect(row('memory.remember')).toEqual([
      'active',
      'owner, host, agent',
      'allow_all_default, allowed_by_pattern memory.remember',
    ])
    expect(row('memory.forget')).toEqual(['active', 'owner, host', 'allow_all_default'])
    expect(row('policies.set')).toEqual(['active', 'host', 'allow_all_default'])
    expect(row('fax.send')).toEqual([
      'active',
      'owner, host, policy writing',
      'allow_all_default, allowed_by_pattern fax.*',
    ])
    expect(row('fax.old')).toEqual(['retired', 'nobody'])
  })

  it('[CP-3] capabilities NAME tells what each policy says, by which pattern, and through whom', async () => {
    const { code, stdout } = await said('capabilities', 'fax.send')
    expect(code).toBe(0)
    const [about = '', table = '', keys = ''] = stdout.trimEnd().split('\n\n')
    expect(about.split('\n').map(cellsOf)).toEqual([
      ['capability', 'fax.send'],
      ['description', 'Sends it.'],
      ['state', 'active'],
      ['capacity', 'slow: 4 at once, 2 for one, 60 s'],
      ['callers', 'anyone'],
    ])
    const blocked = 'session.capability_blocked_by_policy'
    expect(table.split('\n').map(cellsOf)).toEqual([
      ['who', 'may', 'policy says', 'through', 'refusal'],
      ['owner', 'yes', 'allow_all_default', 'built-in:owner'],
      ['host', 'yes', 'allow_all_default', 'built-in:host'],
      ['agent', 'no', 'deny_all_default', 'built-in:agent', blocked],
      ['recipient', 'no', 'deny_all_default', 'built-in:recipient', blocked],
      ['policy heir', 'no', 'denied_by_pattern fax.send', 'heir > quiet', blocked],
      ['policy quiet', 'no', 'denied_by_pattern fax.send', 'quiet', blocked],
      ['policy writing', 'yes', 'allowed_by_pattern fax.*', 'writing'],
    ])
    // Then by key, link and session, newest first.
    expect(keys.split('\n').map(cellsOf)).toEqual([
      ['credential', 'owner', 'audience', 'policy', 'profile', 'may', 'refusal'],
      ['key writer', 'ana', 'owner', 'writing', '-', 'yes'],
      ['key post room', 'ana', 'owner', 'quiet', '-', 'no', blocked],
      ['key desk', 'warden', 'host', 'built-in:host', '-', 'yes'],
    ])
  })

  it('[CP-3] capabilities NAMESPACE tells what each key may do of it, a page at a time, to owners of their own', async () => {
    const { stdout, stderr } = await said('capabilities', 'fax', '--limit', '2')
    const [capabilities = '', keys = ''] = stdout.trimEnd().split('\n\n')
    expect(capabilities.split('\n').map(line => cellsOf(line)[0])).toEqual([
      'capability',
      'fax.old',
      'fax.send',
    ])
    const title = ['credential', 'owner', 'audience', 'policy', 'profile', 'may']
    expect(keys.split('\n').map(cellsOf)).toEqual([
      title,
      ['key writer', 'ana', 'owner', 'writing', '-', 'send'],
      ['key post room', 'ana', 'owner', 'quiet', '-', 'nothing'],
    ])
    const cursor = /--cursor (\S+)/.exec(stderr)?.[1] ?? ''
    const rest = await said('capabilities', 'fax', '--limit', '2', '--cursor', cursor)
    expect(rest.stdout).toContain('key desk')
    expect(rest.stdout).not.toContain('key writer')
    const own = (await said('capabilities', 'fax', '--audience', 'owner', '--as', 'ana')).stdout
    expect(own).toContain('key writer')
    for (const foreign of ['key desk', 'policy quiet', 'policy heir']) expect(own).not.toContain(foreign)
    expect((await said('capabilities', 'fax', '--audience', 'owner', '--as', 'ben')).stdout).toContain(
      'no keys, links or sessions',
    )
  })

  it('[CP-3] capabilities is of a namespace too, and as JSON what the operation answers', async () => {
    const { code, stdout } = await said('capabilities', 'fax', '--json')
    expect(code).toBe(0)
    const { capabilities, credentials, cursor } = JSON.parse(stdout)
    expect(credentials.map(({ name }: { name: string }) => name)).toEqual(['writer', 'post room', 'desk'])
    expect(cursor).toBeNull()
    expect(capabilities.map(({ capability }: { capability: string }) => capability)).toEqual([
      'fax.old',
      'fax.send',
    ])
    const one = JSON.parse((await said('capabilities', 'fax.send', '--json')).stdout)
    expect(one).toMatchObject({ capabilities: [capabilities[1]], cursor: null })
    expect(one.credentials[1]).toMatchObject({
      kind: 'key',
      name: 'post room',
      may: [
        {
          capability: 'fax.send',
          permitted: false,
          refusal: 'session.capability_blocked_by_policy',
        },
      ],
    })
    expect(one.capabilities[0].who.at(-1)).toEqual({
      policy: 'writing',
      audience: null,
      permitted: true,
      reason: 'allowed_by_pattern',
      pattern: { kind: 'prefix_wildcard', prefix: 'fax.' },
      through: ['writing'],
      refusal: null,
    })
  })

  it('[CP-3] capabilities is for hosts and owners, and knows nothing of what is not registered', async () => {
    const asAgent = ['--audience', 'agent', '--for', 'ana', '--max-sensitivity', 'low']
    expect(await said('capabilities', ...asAgent)).toMatchObject({ code: 4, stdout: '' })
    for (const name of ['fax.sen', 'mai', 'fax.', '*'])
      expect((await said('capabilities', name)).code).toBe(3)
  })

  it('[RS-1] reasons lists every code with its owner and who may read it', async () => {
    const { code, stdout } = await said('reasons')
    expect(code).toBe(0)
    const lines = stdout.trimEnd().split('\n').map(cellsOf)
    expect(lines[0]).toEqual(['code', 'owner', 'visibility', 'description'])
    expect(lines.slice(1)).toEqual(
      [
        ...REASON_CODES,
        { code: 'host.later', owner: 'host', visibility: 'expose', description: 'Not yet.' },
      ].map(reason => [reason.code, reason.owner, reason.visibility, reason.description]),
    )
  })

  it('[RS-1] reasons are filtered by how they begin and by owner, as JSON as well', async () => {
    const codesOf = async (...args: readonly string[]) =>
      JSON.parse((await said('reasons', ...args, '--json')).stdout).reasons.map(
        ({ code }: { code: string }) => code,
      )
    const session = REASON_CODES.filter(({ code }) => code.startsWith('session.'))
    expect(await codesOf('session.')).toEqual(session.map(({ code }) => code))
    expect(await codesOf('session.', '--owner', 'host')).toEqual([])
    const ofHost = REASON_CODES.filter(({ owner }) => owner === 'host')
    expect(await codesOf('--owner', 'host')).toEqual([...ofHost.map(({ code }) => code), 'host.later'])
    expect(await said('reasons', 'unheard_of')).toMatchObject({ code: 0, stdout: 'no such reasons\n' })
    expect(await said('reasons', '--owner', 'nobody')).toMatchObject({ code: 2 })
  })
})
