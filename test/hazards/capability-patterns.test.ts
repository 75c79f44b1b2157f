import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Handle } from '../../src/handle.js'
import type { Privity } from '../../src/open.js'
import type { CapabilityPattern } from '../../src/policy/capability-policy.js'
import { few, times } from '../support/depth.js'
import { type SharedStore, sharedStore } from '../support/shared-store.js'
import { engines } from '../support/stores.js'

const exact = (capability: string): CapabilityPattern => ({ kind: 'exact', capability })
const all = (namespace: string): CapabilityPattern => ({ kind: 'namespace_all', namespace })
const prefix = (text: string): CapabilityPattern => ({ kind: 'prefix_wildcard', prefix: text })

const BLOCKED = { code: 'not_allowed', reason: 'session.capability_blocked_by_policy' }
const record = randomUUID()

/** Operations that can be tried for real, and tools of the host's whose names come close to theirs. */
const CALLS: Readonly<Record<string, (handle: Handle) => Promise<unknown>>> = {
  'memory.get': handle => handle.get(record),
  'memory.list': handle => handle.list(),
  'people.list': handle => handle.people.list(),
  'groups.list': handle => handle.groups.list(),
}
const TOOLS = [
  'mem.sync',
  'memory_more.get',
  'memory.deep.get',
  'memory.get.all',
  'people.list.all',
  'p.list',
]
const CAPABILITIES = [...Object.keys(CALLS), ...TOOLS]

describe.each(engines)('capability patterns on %s', engine => {
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

  const register = (host: Handle, capability: string) => {
    const [, namespace = '', name = ''] = /^(.*)\.(.*?)$/s.exec(capability) ?? []
    return host.capabilities.register({
      namespace: { namespace, description: namespace },
      capability: { name, description: name },
    })
  }

  async function world() {
    const tenant = store.tenant()
    const host = privity.as({ tenant, actor: 'warden', audience: 'host' })
    for (const tool of TOOLS) await register(host, tool)
    const under = (policy: string) => privity.as({ tenant, actor: 'ana', policy })
    /** What may be done under a policy, of everything above: asked, and tried where it can be. */
    const permittedUnder = async (policy: string) => {
      const may = async (capability: string) => {
        const permitted = await under(policy)
          .capabilities.check({ capability })
          .then(
            answer => answer.permitted,
            error => {
              expect(error).toMatchObject(BLOCKED)
              return false
            },
          )
        const tried = CALLS[capability]?.(under(policy))
        if (permitted) await tried
        else if (tried !== undefined) await expect(tried, capability).rejects.toMatchObject(BLOCKED)
        return permitted
      }
      const answers = await Promise.all(CAPABILITIES.map(may))
      return CAPABILITIES.filter((_, at) => answers[at])
    }
    const allow = (policy: string, ...patterns: CapabilityPattern[]) =>
      host.policies.set({
        policy,
        mode: 'deny_all_except',
        allowedCapabilities: [exact('capabilities.check'), ...patterns],
      })
    const deny = (policy: string, ...patterns: CapabilityPattern[]) =>
      host.policies.set({ policy, mode: 'allow_all_except', deniedCapabilities: patterns })
    return { tenant, host, under, permittedUnder, allow, deny }
  }
  const without = (...names: readonly string[]) => CAPABILITIES.filter(name => !names.includes(name))

  it('[CP-2] a name that begins as another does, does not reach it: neither to allow nor to deny', async () => {
    const { permittedUnder, allow, deny } = await world()
    const reaches: readonly (readonly [CapabilityPattern, allows: string[], denies: string[]])[] = [
      [prefix('mem.'), ['mem.sync'], ['mem.sync']],
      [all('mem'), ['mem.sync'], ['mem.sync']],
      [all('p'), ['p.list'], ['p.list']],
      [prefix('p.*'), ['p.list'], ['p.list']],
      [prefix('p.l'), ['p.list'], ['p.list']],
      [all('memory_more'), ['memory_more.get'], ['memory_more.get']],
      [exact('memory.get'), ['memory.get'], ['memory.get']],
      // Under a namespace that is called like a capability lies not the capability.
      [all('memory.get'), ['memory.get.all'], ['memory.get.all']],
      [prefix('memory.get.'), ['memory.get.all'], ['memory.get.all']],
      [prefix('people.list.*'), ['people.list.all'], ['people.list.all']],
      // A child namespace is denied with its parent, and not allowed with it.
      [all('people'), ['people.list'], ['people.list', 'people.list.all']],
      [prefix('people.'), ['people.list'], ['people.list', 'people.list.all']],
      [prefix('memory.g'), ['memory.get'], ['memory.get', 'memory.get.all']],
      [prefix('memory.d'), [], ['memory.deep.get']],
      [
        all('memory'),
        ['memory.get', 'memory.list'],
        ['memory.get', 'memory.list', 'memory.deep.get', 'memory.get.all'],
      ],
    ]
    for (const [pattern, allows, denies] of few(reaches, 8)) {
      await allow('p', pattern)
      expect(await permittedUnder('p'), JSON.stringify(pattern)).toEqual(
        CAPABILITIES.filter(name => allows.includes(name)),
      )
      await deny('p', pattern)
      expect(await permittedUnder('p'), JSON.stringify(pattern)).toEqual(without(...denies))
    }
  }, 120_000)

  it('[CP-2] what looks like a name, or holds a dot or a star where none belongs, is no pattern at all', async () => {
    const { host, permittedUnder, allow } = await world()
    await allow('p', exact('people.list'))
    const names = [
      'm\u0435mory', // a Cyrillic е
      '\uff4demory', // a wide m
      'mem\u200bory',
      'memory\u00ad',
      'MEMORY',
      'memory ',
      ' memory',
      'memory\u2024deep', // a dot leader
      'memory\uff0edeep', // a wide dot
      'memory\u0000',
      'memory..deep',
      '.memory',
      'memory.',
      '',
      '*',
      'm*',
      'mem*ry',
      '*.memory',
      'memory.*',
      '%',
      'mem_ry',
      'memory|people',
      '(memory|people)',
      '__proto__',
      'constructor',
    ]
    const patterns = [
      ...names.flatMap(name => [all(name), exact(`${name}.get`), prefix(`${name}..`), prefix(`${name}.g.`)]),
      ...names.filter(name => !/^memory\.?\*?$/.test(name)).map(name => prefix(`${name}.`)),
      ...['memory', 'memory*', 'mem', 'm', '', '*', '.', '.*', '*.get'].map(prefix),
      ...['memory.**', 'memory.*.get', 'memory.*get', 'memory.g*t', 'memory.?et', 'memory._', 'memory.%'].map(
        prefix,
      ),
      ...['memory.G', 'memory.g\u0435t', 'memory. ', 'memory.get..', 'memory.\uff47'].map(prefix),
      ...['memory.*', 'memory.', '*.get', 'memory.GET', 'memory.get ', 'm\u0435mory.get', 'get'].map(exact),
    ]
    for (const pattern of patterns)
      for (const side of ['allowedCapabilities', 'deniedCapabilities'])
        await expect(
          host.policies.set({ policy: 'p', mode: 'deny_all_except', [side]: [pattern] }),
          JSON.stringify(pattern),
        ).rejects.toMatchObject({ code: expect.stringMatching(/^(?:unregistered_pattern|invalid_input)$/) })
    expect(await permittedUnder('p')).toEqual(['people.list'])
    // Nor can one be registered, to be allowed then.
    for (const name of names.filter(name => !/^[a-z_]+[a-z]$/.test(name) || name.startsWith('_')))
      await expect(register(host, `${name}.get`), JSON.stringify(name)).rejects.toMatchObject({
        code: 'invalid_input',
      })
  }, 120_000)

  it('[CP-2] asking for what looks like a capability finds none', async () => {
    const { host } = await world()
    for (const capability of [
      'memory.g\u0435t',
      'Memory.get',
      'memory.*',
      'memory.',
      'memory',
      'memory.get.',
    ])
      expect(await host.capabilities.check({ capability })).toMatchObject({
        permitted: false,
        reason: 'session.capability_not_available',
      })
  })

  it('[CP-2] what is registered later is covered by the wildcard of its own namespace, and denied by any above', async () => {
    const { host, under, allow, deny } = await world()
    await allow('open', prefix('memory.deep.'))
    await allow('wide', all('memory'))
    await deny('shut', prefix('memory.'))
    const later = ['memory.deep.dig', 'memory.deep.er.dig', 'memory.deeper.dig', 'memory.new.dig', 'mem.dig']
    for (const capability of later) await register(host, capability)
    const permitted = async (policy: string) => {
      const answers = await Promise.all(
        later.map(capability =>
          under(policy)
            .capabilities.check({ capability })
            .then(answer => answer.permitted),
        ),
      )
      return later.filter((_, at) => answers[at])
    }
    expect(await permitted('open')).toEqual(['memory.deep.dig'])
    expect(await permitted('wide')).toEqual([])
    expect(await permitted('shut')).toEqual(['mem.dig'])
    // Nor does a namespace escape a denial by naming no parent, or another one.
    await expect(
      host.capabilities.register({
        namespace: { namespace: 'memory.hidden', description: 'x', parentNamespace: 'mem' },
        capability: { name: 'dig', description: 'x' },
      }),
    ).rejects.toMatchObject({ code: 'invalid_input' })
    await expect(under('shut').list()).rejects.toMatchObject(BLOCKED)
  })

  it('[CP-2, DE-2] no policy has what its parent denies, and none without an end to its line has anything', async () => {
    const { host, permittedUnder, allow, deny } = await world()
    const heir = (policy: string, parentRef: string | undefined, more: object = {}) =>
      host.policies.set({ policy, mode: 'inherit_default', ...(parentRef && { parentRef }), ...more })
    const everything = CAPABILITIES.map(exact)
    await deny('strict', all('memory'))
    await heir('eager', 'strict', { allowedCapabilities: everything })
    await heir('eagerer', 'eager', { allowedCapabilities: everything })
    const rest = without('memory.get', 'memory.list', 'memory.deep.get', 'memory.get.all')
    for (const policy of ['strict', 'eager', 'eagerer']) expect(await permittedUnder(policy)).toEqual(rest)
    await heir('fourth', 'eagerer', { allowedCapabilities: everything })
    // A denial of a child is the child's alone.
    await heir('meek', 'eager', { deniedCapabilities: [all('people'), exact('p.list')] })
    expect(await permittedUnder('meek')).toEqual(['groups.list', 'mem.sync', 'memory_more.get'])
    expect(await permittedUnder('eager')).toEqual(rest)

    await heir('ring', 'ring', { allowedCapabilities: everything })
    await heir('a', 'b', { allowedCapabilities: everything })
    await heir('b', 'c', { allowedCapabilities: everything })
    await heir('c', 'a', { allowedCapabilities: everything })
    await heir('orphan', undefined, { allowedCapabilities: everything })
    const names = ['lost', '__proto__', 'constructor', 'built-in:host', 'built-in:owner', 'STRICT', 'strict ']
    for (const [at, parent] of names.entries())
      await heir(`heir ${at}`, parent, { allowedCapabilities: everything })
    const endless = ['fourth', 'ring', 'a', 'b', 'c', 'orphan', ...names.map((_, at) => `heir ${at}`)]
    for (const policy of endless) expect(await permittedUnder(policy), policy).toEqual([])
    // A parent that comes later is one, with all it denies.
    await allow('lost', exact('people.list'))
    expect(await permittedUnder('heir 0')).toEqual(['people.list'])
    await expect(
      host.policies.set({ policy: 'built-in:host', mode: 'allow_all_except' }),
    ).rejects.toMatchObject({
      code: 'invalid_input',
    })
  }, 120_000)

  describe('whatever is written', () => {
    const anyPattern = fc.constantFrom(
      ...CAPABILITIES.map(exact),
      ...['mem', 'memory', 'memory.deep', 'memory.get', 'people', 'people.list', 'p', 'groups'].map(all),
      ...['mem.', 'memory.*', 'memory.g', 'memory.d', 'people.', 'people.l*', 'p.', 'groups.list'].map(
        prefix,
      ),
    )
    const anyPatterns = fc.array(anyPattern, { maxLength: 3 })
    const anyPolicy = fc.record({
      mode: fc.constantFrom(
        'deny_all_except' as const,
        'allow_all_except' as const,
        'inherit_default' as const,
      ),
      allowedCapabilities: anyPatterns.map(patterns => [exact('capabilities.check'), ...patterns]),
      deniedCapabilities: anyPatterns,
    })
    const stirred = (patterns: readonly CapabilityPattern[]) => [...patterns, ...patterns].reverse()

    it('[CP-2, DE-1] a denial more permits no more, order and repetition change nothing, and no child has more than its parent', async () => {
      const { host, permittedUnder } = await world()
      await fc.assert(
        fc.asyncProperty(anyPolicy, anyPolicy, anyPattern, async (parent, child, extra) => {
          await host.policies.set({ policy: 'parent', ...parent, parentRef: 'nowhere' })
          await host.policies.set({ policy: 'child', ...child, mode: 'inherit_default', parentRef: 'parent' })
          await host.policies.set({
            policy: 'narrowed',
            ...parent,
            parentRef: 'nowhere',
            deniedCapabilities: [...parent.deniedCapabilities, extra],
          })
          await host.policies.set({
            policy: 'stirred',
            mode: parent.mode,
            parentRef: 'nowhere',
            allowedCapabilities: stirred(parent.allowedCapabilities),
            deniedCapabilities: stirred(parent.deniedCapabilities),
          })
          const [ofParent, ofChild, ofNarrowed, ofStirred] = [
            await permittedUnder('parent'),
            await permittedUnder('child'),
            await permittedUnder('narrowed'),
            await permittedUnder('stirred'),
          ]
          expect(ofStirred).toEqual(ofParent)
          expect(ofParent).toEqual(expect.arrayContaining(ofNarrowed))
          expect(ofParent).toEqual(expect.arrayContaining(ofChild))
          // The account of who may agrees with what happened.
          const told = await Promise.all(
            CAPABILITIES.map(async capability =>
              (await host.capabilities.who({ of: capability })).capabilities.find(
                one => one.capability === capability,
              ),
            ),
          )
          for (const [policy, permitted] of Object.entries({
            parent: ofParent,
            child: ofChild,
            narrowed: ofNarrowed,
          })) {
            const may = told.filter(
              one => one?.who.find(verdict => verdict.policy === policy)?.refusal === null,
            )
            expect(may.map(one => one?.capability)).toEqual(permitted)
          }
        }),
        { numRuns: times(3, 8) },
      )
    }, 240_000)
  })
})
