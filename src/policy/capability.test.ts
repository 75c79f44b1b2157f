import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  type Capability,
  type CapabilityNamespace,
  type CapabilityRegistry,
  EMPTY_REGISTRY,
  namespaceOf,
  register,
} from './capability.js'
import {
  type CapabilityPattern,
  type CapabilityPolicy,
  gateCapability,
  type LookupParent,
  matches,
  permits as permitsBecause,
  validatePolicy,
} from './capability-policy.js'
import { findReasonCode } from './reason-codes.js'

/** Only the decision; other tests cover the pattern and the policies that made it. */
const permits = (...asked: Parameters<typeof permitsBecause>) => {
  const { permitted, reason } = permitsBecause(...asked)
  return { permitted, reason }
}

const namespace = (name: string, parentNamespace?: string): CapabilityNamespace => ({
  namespace: name,
  description: `all of ${name}`,
  registrationBasis: 'v1_6_introduced',
  ...(parentNamespace === undefined ? {} : { parentNamespace }),
})

const capability = (capabilityId: string, over: Partial<Capability> = {}): Capability => ({
  capabilityId,
  namespace: namespaceOf(capabilityId),
  name: capabilityId.slice(capabilityId.lastIndexOf('.') + 1),
  description: 'does it',
  lifecycleState: 'active',
  registrationBasis: 'v1_6_native_capability',
  metadata: { schemaKind: 'no_schema', outputKind: 'structured_data', sideEffects: [] },
  ...over,
})

const cal = namespace('cal')
const calendar = namespace('calendar')
const email = namespace('email')
const outbox = namespace('email.outbox', 'email')

const REGISTRY: CapabilityRegistry = (
  [
    [cal, 'cal.sync'],
    [calendar, 'calendar.create'],
    [calendar, 'calendar.event_move'],
    [calendar, 'calendar.eventual'],
    [email, 'email.send'],
    [email, 'email.out_of_office'],
    [outbox, 'email.outbox.send'],
  ] as const
).reduce(
  (registry, [ns, id]) => register(registry, { namespace: ns, capability: capability(id) }),
  EMPTY_REGISTRY,
)

const CAPABILITIES = [...REGISTRY.capabilities.keys()]

const exact = (text: string): CapabilityPattern => ({ kind: 'exact', capability: text })
const prefix = (text: string): CapabilityPattern => ({ kind: 'prefix_wildcard', prefix: text })
const all = (text: string): CapabilityPattern => ({ kind: 'namespace_all', namespace: text })

const policy = (mode: CapabilityPolicy['mode'], over: Partial<CapabilityPolicy> = {}): CapabilityPolicy => ({
  policyId: 'p',
  mode,
  allowedCapabilities: [],
  deniedCapabilities: [],
  ...over,
})

const orphan: LookupParent = () => undefined

/** The code of the error that a call throws, or 'nothing'. */
function thrown(call: () => unknown): unknown {
  try {
    call()
    return 'nothing'
  } catch (error) {
    return (error as { code?: unknown }).code
  }
}

const CALENDAR = 'calendar.create calendar.event_move calendar.eventual'
const EMAIL = 'email.send email.out_of_office'

/** Written by hand: a pattern, what it allows, and what it denies in addition. */
const COVERAGE: readonly (readonly [CapabilityPattern, allows: string, deniesAlso: string])[] = [
  [exact('calendar.create'), 'calendar.create', ''],
  [exact('email.outbox.send'), 'email.outbox.send', ''],
  [all('cal'), 'cal.sync', ''],
  [all('calendar'), CALENDAR, ''],
  [all('email'), EMAIL, 'email.outbox.send'],
  [all('email.outbox'), 'email.outbox.send', ''],
  [prefix('cal.'), 'cal.sync', ''],
  [prefix('calendar.'), CALENDAR, ''],
  [prefix('calendar.*'), CALENDAR, ''],
  [prefix('calendar.event'), 'calendar.event_move calendar.eventual', ''],
  [prefix('calendar.event_'), 'calendar.event_move', ''],
  [prefix('calendar.event_*'), 'calendar.event_move', ''],
  [prefix('calendar.create'), 'calendar.create', ''],
  [prefix('email.'), EMAIL, 'email.outbox.send'],
  [prefix('email.*'), EMAIL, 'email.outbox.send'],
  [prefix('email.out'), 'email.out_of_office', 'email.outbox.send'],
  [prefix('email.outbox'), '', 'email.outbox.send'],
  [prefix('email.outbox.'), 'email.outbox.send', ''],
  [prefix('email.s'), 'email.send', ''],
]
const PATTERNS = COVERAGE.map(([pattern]) => pattern)

const MALFORMED = ['', '*', '.', '.*', 'cal', 'calendar', 'calendar*', 'ema', '.send']

const byHand = (pattern: CapabilityPattern) => {
  const [, allows = '', deniesAlso = ''] = COVERAGE.find(([candidate]) => candidate === pattern) ?? []
  return { allows: allows.split(' '), denies: `${allows} ${deniesAlso}`.split(' ') }
}
const allowsByHand = (pattern: CapabilityPattern, id: string) => byHand(pattern).allows.includes(id)
const deniesByHand = (pattern: CapabilityPattern, id: string) => byHand(pattern).denies.includes(id)

const anyPatterns = fc.array(fc.constantFrom(...PATTERNS), { maxLength: 4 })
const anyCapability = fc.constantFrom(...CAPABILITIES)

/** A policy and up to four ancestors, each the parent of the one before. This is more than are ever evaluated. */
const anyChain = fc.array(
  fc.record({
    mode: fc.oneof(
      { weight: 3, arbitrary: fc.constant('inherit_default' as const) },
      { weight: 2, arbitrary: fc.constantFrom('deny_all_except' as const, 'allow_all_except' as const) },
    ),
    allowedCapabilities: anyPatterns,
    deniedCapabilities: anyPatterns,
  }),
  { minLength: 1, maxLength: 5 },
)
type Link = Pick<CapabilityPolicy, 'mode' | 'allowedCapabilities' | 'deniedCapabilities'>

function ask(chain: readonly Link[], id: string) {
  const policies = chain.map(
    (link, at): CapabilityPolicy => ({ ...link, policyId: `${at}`, parentRef: `${at + 1}` }),
  )
  const [first] = policies
  if (first === undefined) throw new Error('an empty chain')
  return permits(id, first, ref => policies[Number(ref)], REGISTRY)
}

/** A slow and simple second implementation of CP-2, over the table above. */
function askByHand([self, ...ancestors]: readonly Link[], id: string, level = 1): ReturnType<typeof permits> {
  if (self === undefined || level > 3) return { permitted: false, reason: 'inheritance_depth_exceeded' }
  if (self.deniedCapabilities.some(pattern => deniesByHand(pattern, id))) {
    return { permitted: false, reason: 'denied_by_pattern' }
  }
  if (self.mode === 'inherit_default') return askByHand(ancestors, id, level + 1)
  if (self.mode === 'allow_all_except') return { permitted: true, reason: 'allow_all_default' }
  return self.allowedCapabilities.some(pattern => allowsByHand(pattern, id))
    ? { permitted: true, reason: 'allowed_by_pattern' }
    : { permitted: false, reason: 'deny_all_default' }
}

describe('the registry', () => {
  it('[CP-1] a capability and its new namespace are registered together', () => {
    const create = capability('calendar.create')
    const registry = register(EMPTY_REGISTRY, { namespace: calendar, capability: create })
    expect([...registry.namespaces]).toEqual([['calendar', calendar]])
    expect([...registry.capabilities]).toEqual([['calendar.create', create]])
  })

  it('[CP-1] registering leaves the registry it started from as it was', () => {
    expect([EMPTY_REGISTRY.namespaces.size, EMPTY_REGISTRY.capabilities.size]).toEqual([0, 0])
    const more = register(REGISTRY, { namespace: namespace('files'), capability: capability('files.read') })
    expect([more.namespaces.size, more.capabilities.size]).toEqual([5, CAPABILITIES.length + 1])
    expect([REGISTRY.namespaces.size, REGISTRY.capabilities.size]).toEqual([4, 7])
  })

  it('[CP-1] a second capability joins a namespace that stands', () => {
    const registry = register(REGISTRY, { namespace: outbox, capability: capability('email.outbox.flush') })
    expect(registry.namespaces).toEqual(REGISTRY.namespaces)
    expect([...registry.capabilities.keys()]).toEqual([...CAPABILITIES, 'email.outbox.flush'])
  })

  const refusal = (ns: CapabilityNamespace, refused: Capability) => {
    const before = structuredClone(REGISTRY)
    const code = thrown(() => register(REGISTRY, { namespace: ns, capability: refused }))
    expect(REGISTRY).toEqual(before)
    return code
  }
  const files = namespace('files')

  it.each([
    ['a capability that is registered', calendar, capability('calendar.create')],
    ['one in another shape', calendar, capability('calendar.create', { lifecycleState: 'experimental' })],
    ['a namespace that loses its parent', namespace('email.outbox'), capability('email.outbox.flush')],
    ['a namespace described anew', { ...cal, description: 'other' }, capability('cal.add')],
    ['a namespace on another basis', { ...cal, registrationBasis: 'user_registered' }, capability('cal.add')],
  ] as const)('[CP-1] %s is a conflict and changes nothing', (_, ns, refused) => {
    expect(refusal(ns, refused)).toBe('conflict')
  })

  it.each([
    ['a parent that is not registered', namespace('files.local', 'files'), capability('files.local.read')],
    ['a parent of another family', namespace('files.local', 'email'), capability('files.local.read')],
    ['a parent that is part of a word', namespace('calendars', 'calendar'), capability('calendars.add')],
    ['a namespace that is its own parent', namespace('email', 'email'), capability('email.draft')],
    ['an empty parent', namespace('files', ''), capability('files.read')],
    ['a capability of another namespace', files, capability('calendar.add')],
    ['a right id in a wrong namespace', files, capability('files.read', { namespace: 'calendar' })],
    ['an id of another namespace', files, capability('calendar.add', { namespace: 'files' })],
    ['an id that is not its name', files, capability('files.read', { name: 'write' })],
    ['an id without a namespace', files, capability('read', { namespace: 'files' })],
    ['an id without its dot', files, capability('filesread', { namespace: 'files', name: 'read' })],
    ['a dot in a name', files, capability('files.local.read', { namespace: 'files', name: 'local.read' })],
  ] as const)('[CP-1] %s is invalid and changes nothing', (_, ns, refused) => {
    expect(refusal(ns, refused)).toBe('invalid_input')
  })

  const BAD_WORDS = [
    '',
    'Files',
    '9files',
    '_files',
    'fi-les',
    'files.',
    '.files',
    'files\n',
    'fi les',
    'filés',
    '*',
  ]
  it.each([...BAD_WORDS, 'a..b'])('[CP-1] %j is no namespace', word => {
    expect(refusal(namespace(word), capability(`${word}.read`, { namespace: word }))).toBe('invalid_input')
  })

  it.each([...BAD_WORDS, 'a.b'])('[CP-1] %j is no name', name => {
    expect(refusal(files, capability(`files.${name}`, { namespace: 'files', name }))).toBe('invalid_input')
  })

  it('[CP-1] names may hold digits and underscores, and namespaces may be deep', () => {
    const deep = namespace('email.outbox.v2_0', 'email')
    const registry = register(REGISTRY, {
      namespace: deep,
      capability: capability('email.outbox.v2_0.send_2'),
    })
    expect(registry.capabilities.has('email.outbox.v2_0.send_2')).toBe(true)
  })
})

describe('patterns', () => {
  it.each(COVERAGE)('[CP-2] %o allows "%s" and denies also "%s"', pattern => {
    const covered = (purpose: 'allow' | 'deny') =>
      CAPABILITIES.filter(id => matches(pattern, id, purpose, REGISTRY))
    expect(covered('allow')).toEqual(CAPABILITIES.filter(id => allowsByHand(pattern, id)))
    expect(covered('deny')).toEqual(CAPABILITIES.filter(id => deniesByHand(pattern, id)))
  })

  it.each(MALFORMED)('[CP-2] the prefix "%s" holds no whole namespace, so it covers nothing', text => {
    for (const id of CAPABILITIES) {
      expect(matches(prefix(text), id, 'allow', REGISTRY)).toBe(false)
      expect(matches(prefix(text), id, 'deny', REGISTRY)).toBe(false)
    }
  })

  it('[CP-2] an exact pattern covers nothing longer or shorter than itself', () => {
    for (const id of ['calendar.create_all', 'calendar.create.all', 'calendar.creat', 'calendar', '']) {
      expect(matches(exact('calendar.create'), id, 'allow', REGISTRY)).toBe(false)
      expect(matches(exact('calendar.create'), id, 'deny', REGISTRY)).toBe(false)
    }
  })

  it('[CP-2] a wildcard covers capabilities that are registered after it', () => {
    for (const purpose of ['allow', 'deny'] as const) {
      expect(matches(prefix('calendar.'), 'calendar.not_made_yet', purpose, REGISTRY)).toBe(true)
      expect(matches(all('calendar'), 'calendar.not_made_yet', purpose, REGISTRY)).toBe(true)
      expect(matches(prefix('calendar.event_'), 'calendar.event_not_made_yet', purpose, REGISTRY)).toBe(true)
    }
  })

  it('[CP-2] a child namespace of any depth is denied with its ancestor and not allowed with it', () => {
    for (const pattern of [all('email'), prefix('email.')]) {
      expect(matches(pattern, 'email.outbox.later.send', 'deny', REGISTRY)).toBe(true)
      expect(matches(pattern, 'email.outbox.later.send', 'allow', REGISTRY)).toBe(false)
    }
  })

  it('[CP-2] a parent is not denied with its child, nor a neighbour whose name only begins alike', () => {
    for (const pattern of [all('email.outbox'), prefix('email.outbox.')]) {
      expect(matches(pattern, 'email.send', 'deny', REGISTRY)).toBe(false)
      expect(matches(pattern, 'email.outbox_size', 'deny', REGISTRY)).toBe(false)
      expect(matches(pattern, 'email.outboxes.send', 'deny', REGISTRY)).toBe(false)
    }
    expect(matches(all('cal'), 'calendar.create', 'deny', REGISTRY)).toBe(false)
    expect(matches(all('email'), 'emails.send', 'deny', REGISTRY)).toBe(false)
  })

  it('[CP-2] a declared parent is enough to be denied with it, and a ring of parents ends', () => {
    const stored: CapabilityRegistry = {
      namespaces: new Map(
        [
          namespace('drafts', 'notes'),
          namespace('notes', 'email'),
          namespace('a', 'b'),
          namespace('b', 'a'),
        ].map(entry => [entry.namespace, entry]),
      ),
      capabilities: new Map(),
    }
    expect(matches(all('email'), 'drafts.send', 'deny', stored)).toBe(true)
    expect(matches(prefix('email.'), 'drafts.send', 'deny', stored)).toBe(true)
    expect(matches(all('email'), 'drafts.send', 'allow', stored)).toBe(false)
    expect(matches(all('b'), 'a.send', 'deny', stored)).toBe(true)
    expect(matches(all('c'), 'a.send', 'deny', stored)).toBe(false)
  })

  it('[DE-2] a pattern of an unknown kind allows nothing and denies everything', () => {
    const unknown = { kind: 'regex', source: '.*' } as unknown as CapabilityPattern
    expect(matches(unknown, 'calendar.create', 'allow', REGISTRY)).toBe(false)
    expect(matches(unknown, 'calendar.create', 'deny', REGISTRY)).toBe(true)
  })
})

describe('validatePolicy', () => {
  const sides = ['allowedCapabilities', 'deniedCapabilities'] as const

  it('[CP-2] accepts every registered pattern on either side, in every mode', () => {
    for (const mode of ['deny_all_except', 'allow_all_except', 'inherit_default'] as const) {
      for (const side of sides) {
        expect(thrown(() => validatePolicy(policy(mode, { [side]: PATTERNS }), REGISTRY))).toBe('nothing')
      }
    }
  })

  const unregistered: readonly CapabilityPattern[] = [
    ...MALFORMED.map(prefix),
    exact('calendar.delete'),
    exact('calendar'),
    exact('calendar.*'),
    exact(''),
    all('files'),
    all('email.inbox'),
    all('calendar.'),
    all('calendar.create'),
    all(''),
    prefix('files.'),
    prefix('files.*'),
    prefix('email.inbox.'),
    prefix('email.outbox.later.'),
    prefix('email.outbox.send.'),
    prefix('calendar.**'),
    prefix('calendar.E'),
    prefix('calendar.9'),
    prefix('calendar. '),
    { kind: 'regex', source: 'calendar' } as unknown as CapabilityPattern,
  ]
  it.each(unregistered)('[CP-2] refuses %o on either side, also after good ones', pattern => {
    for (const side of sides) {
      const written = policy('allow_all_except', { [side]: [all('calendar'), pattern] })
      expect(thrown(() => validatePolicy(written, REGISTRY))).toBe('unregistered_pattern')
    }
  })

  it('[CP-2] an exact pattern needs its capability, however well its namespace is known', () => {
    const later = policy('deny_all_except', { allowedCapabilities: [exact('calendar.delete')] })
    expect(thrown(() => validatePolicy(later, REGISTRY))).toBe('unregistered_pattern')
    const grown = register(REGISTRY, { namespace: calendar, capability: capability('calendar.delete') })
    expect(thrown(() => validatePolicy(later, grown))).toBe('nothing')
  })

  it('[CP-2] the refusal tells the text of the pattern and nothing else of the policy', () => {
    const written = policy('deny_all_except', {
      policyId: 'policy-of-anna',
      allowedCapabilities: [exact('calendar.create'), prefix('files.secret_')],
      parentRef: 'policy-of-bert',
    })
    expect(() => validatePolicy(written, REGISTRY)).toThrow(/^pattern is not registered: files\.secret_$/)
  })
})

describe('permits', () => {
  it('[CP-2] deny_all_except permits what it lists and nothing else', () => {
    const written = policy('deny_all_except', {
      allowedCapabilities: [exact('email.send'), prefix('calendar.')],
    })
    expect(permits('email.send', written, orphan, REGISTRY)).toEqual({
      permitted: true,
      reason: 'allowed_by_pattern',
    })
    expect(permits('calendar.create', written, orphan, REGISTRY).permitted).toBe(true)
    expect(permits('email.outbox.send', written, orphan, REGISTRY)).toEqual({
      permitted: false,
      reason: 'deny_all_default',
    })
  })

  it('[CP-2] allow_all_except permits all but what it denies, future capabilities included', () => {
    const written = policy('allow_all_except', { deniedCapabilities: [prefix('calendar.*')] })
    expect(permits('email.send', written, orphan, REGISTRY)).toEqual({
      permitted: true,
      reason: 'allow_all_default',
    })
    expect(permits('calendar.not_made_yet', written, orphan, REGISTRY)).toEqual({
      permitted: false,
      reason: 'denied_by_pattern',
    })
  })

  it('[CP-2] deny wins over an allowance of the same capability', () => {
    const both = { allowedCapabilities: [exact('email.send')], deniedCapabilities: [all('email')] }
    for (const mode of ['deny_all_except', 'allow_all_except', 'inherit_default'] as const) {
      expect(permits('email.send', policy(mode, both), orphan, REGISTRY).reason).toBe('denied_by_pattern')
    }
  })

  const open = policy('allow_all_except')
  const inherit = (parentRef: string) => policy('inherit_default', { parentRef })
  const lookup =
    (policies: Record<string, CapabilityPolicy>): LookupParent =>
    ref =>
      policies[ref]

  it('[CP-2] a policy inherits from its parent and its grandparent, and no further', () => {
    const verdict = (policies: Record<string, CapabilityPolicy>) =>
      permits('email.send', inherit('parent'), lookup(policies), REGISTRY)
    expect(verdict({ parent: open })).toEqual({ permitted: true, reason: 'allow_all_default' })
    expect(verdict({ parent: inherit('grand'), grand: open })).toEqual({
      permitted: true,
      reason: 'allow_all_default',
    })
    expect(verdict({ parent: inherit('grand'), grand: inherit('great'), great: open })).toEqual({
      permitted: false,
      reason: 'inheritance_depth_exceeded',
    })
  })

  it('[CP-2] [DE-2] a parent that is missing or unnamed, and a ring, permit nothing', () => {
    const depthExceeded = { permitted: false, reason: 'inheritance_depth_exceeded' }
    expect(permits('email.send', inherit('gone'), orphan, REGISTRY)).toEqual(depthExceeded)
    expect(permits('email.send', policy('inherit_default'), () => open, REGISTRY)).toEqual(depthExceeded)
    expect(permits('email.send', inherit('self'), lookup({ self: inherit('self') }), REGISTRY)).toEqual(
      depthExceeded,
    )
    const ring = lookup({ a: inherit('b'), b: inherit('a') })
    expect(permits('email.send', inherit('a'), ring, REGISTRY)).toEqual(depthExceeded)
  })

  it('[CP-2] the denials of every level that is asked hold', () => {
    const deny = { deniedCapabilities: [exact('email.send')] }
    const levels = { parent: inherit('grand'), grand: open }
    const denied = { permitted: false, reason: 'denied_by_pattern' }
    const verdict = (self: CapabilityPolicy, policies: Record<string, CapabilityPolicy>) =>
      permits('email.send', self, lookup(policies), REGISTRY)
    expect(verdict({ ...inherit('parent'), ...deny }, levels)).toEqual(denied)
    expect(verdict(inherit('parent'), { ...levels, parent: { ...inherit('grand'), ...deny } })).toEqual(
      denied,
    )
    expect(verdict(inherit('parent'), { ...levels, grand: { ...open, ...deny } })).toEqual(denied)
    expect(verdict(inherit('parent'), levels).permitted).toBe(true)
  })

  it('[CP-2] a policy that inherits cannot add allowances', () => {
    const eager = { ...inherit('parent'), allowedCapabilities: [exact('email.send')] }
    const closed = lookup({ parent: policy('deny_all_except') })
    expect(permits('email.send', eager, closed, REGISTRY)).toEqual({
      permitted: false,
      reason: 'deny_all_default',
    })
  })

  it('[CP-2] a policy that does not inherit asks no parent', () => {
    for (const mode of ['deny_all_except', 'allow_all_except'] as const) {
      const lone = policy(mode, { parentRef: 'parent', allowedCapabilities: [exact('email.send')] })
      const closed = lookup({
        parent: policy('deny_all_except', { deniedCapabilities: [exact('email.send')] }),
      })
      expect(permits('email.send', lone, closed, REGISTRY).permitted).toBe(true)
    }
  })

  it('[DE-2] an unknown mode permits nothing, also in a parent', () => {
    for (const word of ['allow_all', '', 'constructor', undefined]) {
      const unknown = policy(word as CapabilityPolicy['mode'], {
        allowedCapabilities: [all('email')],
        parentRef: 'open',
      })
      const verdict = { permitted: false, reason: 'deny_all_default' }
      expect(permits('email.send', unknown, () => open, REGISTRY)).toEqual(verdict)
      expect(permits('email.send', inherit('unknown'), () => unknown, REGISTRY)).toEqual(verdict)
    }
  })

  it('[CP-2] agrees with the rule told slowly, for any chain', () => {
    fc.assert(
      fc.property(anyChain, anyCapability, (chain, id) => {
        expect(ask(chain, id)).toEqual(askByHand(chain, id))
      }),
      { numRuns: 1000 },
    )
  })

  it('[CP-2] a denial at any level that is asked wins over whatever else is written', () => {
    fc.assert(
      fc.property(anyChain, fc.nat(2), anyCapability, (chain, nth, id) => {
        const level = Math.min(nth, chain.length - 1)
        const denying = chain.map((link, at): Link => {
          if (at < level) return { ...link, mode: 'inherit_default' }
          return at === level
            ? { ...link, deniedCapabilities: [...link.deniedCapabilities, exact(id)] }
            : link
        })
        expect(ask(denying, id)).toEqual({ permitted: false, reason: 'denied_by_pattern' })
      }),
    )
  })

  it('[CP-2] [DE-1] adding a denial never widens, and takes away no more than it covers', () => {
    fc.assert(
      fc.property(anyChain, fc.nat(4), anyPatterns, (chain, nth, extra) => {
        const level = nth % chain.length
        const narrowed = chain.map((link, at) =>
          at === level ? { ...link, deniedCapabilities: [...link.deniedCapabilities, ...extra] } : link,
        )
        for (const id of CAPABILITIES) {
          const [before, after] = [ask(chain, id), ask(narrowed, id)]
          if (!before.permitted) expect(after.permitted).toBe(false)
          if (!extra.some(pattern => deniesByHand(pattern, id))) expect(after).toEqual(before)
        }
      }),
    )
  })

  it('[CP-2] adding an allowance opens only what it covers, and closes nothing', () => {
    fc.assert(
      fc.property(anyChain, fc.nat(4), anyPatterns, (chain, nth, extra) => {
        const level = nth % chain.length
        const widened = chain.map((link, at) =>
          at === level ? { ...link, allowedCapabilities: [...link.allowedCapabilities, ...extra] } : link,
        )
        for (const id of CAPABILITIES) {
          const [before, after] = [ask(chain, id), ask(widened, id)]
          if (before.permitted) expect(after).toEqual(before)
          if (!extra.some(pattern => allowsByHand(pattern, id))) expect(after).toEqual(before)
        }
      }),
    )
  })

  it('[CP-2, DE-1] no policy that inherits has more than its parent', () => {
    fc.assert(
      fc.property(anyChain, anyPatterns, anyPatterns, (chain, allowedCapabilities, deniedCapabilities) => {
        const child: Link = { mode: 'inherit_default', allowedCapabilities, deniedCapabilities }
        for (const id of CAPABILITIES)
          if (ask([child, ...chain], id).permitted) expect(ask(chain, id).permitted).toBe(true)
      }),
    )
  })

  it('[CP-2] tells which pattern decided, and which policies were asked', () => {
    const named = (policyId: string, given: Partial<CapabilityPolicy>) =>
      policy(given.mode ?? 'inherit_default', { policyId, ...given })
    const root = named('root', {
      mode: 'deny_all_except',
      allowedCapabilities: [exact('cal.sync'), all('email')],
    })
    const middle = named('middle', { parentRef: 'root', deniedCapabilities: [prefix('email.out')] })
    const child = named('child', { parentRef: 'middle', allowedCapabilities: [all('calendar')] })
    const because = (id: string, first: CapabilityPolicy, known: Record<string, CapabilityPolicy>) =>
      permitsBecause(id, first, lookup(known), REGISTRY)
    const known = { root, middle }
    expect(because('email.send', child, known)).toEqual({
      permitted: true,
      reason: 'allowed_by_pattern',
      pattern: all('email'),
      through: ['child', 'middle', 'root'],
    })
    expect(because('email.out_of_office', child, known)).toEqual({
      permitted: false,
      reason: 'denied_by_pattern',
      pattern: prefix('email.out'),
      through: ['child', 'middle'],
    })
    expect(because('calendar.create', child, known)).toEqual({
      permitted: false,
      reason: 'deny_all_default',
      pattern: null,
      through: ['child', 'middle', 'root'],
    })
    expect(because('email.send', child, { middle })).toEqual({
      permitted: false,
      reason: 'inheritance_depth_exceeded',
      pattern: null,
      through: ['child', 'middle'],
    })
    expect(because('email.send', named('fourth', { parentRef: 'child' }), { ...known, child })).toEqual({
      permitted: false,
      reason: 'inheritance_depth_exceeded',
      pattern: null,
      through: ['fourth', 'child', 'middle'],
    })
  })

  it('[CP-2] the order of patterns and their repetition do not matter', () => {
    const stirred = anyChain.chain(chain =>
      fc
        .tuple(
          ...chain.map(({ mode, allowedCapabilities, deniedCapabilities }) =>
            fc.record({
              mode: fc.constant(mode),
              allowedCapabilities: stir(allowedCapabilities),
              deniedCapabilities: stir(deniedCapabilities),
            }),
          ),
        )
        .map(other => ({ chain, other })),
    )
    fc.assert(
      fc.property(stirred, anyCapability, ({ chain, other }, id) => {
        expect(ask(other, id)).toEqual(ask(chain, id))
      }),
    )
  })
})

/** The same patterns in random order, each once or twice. */
const stir = (patterns: readonly CapabilityPattern[]) =>
  fc
    .subarray([...patterns])
    .chain(again =>
      fc.shuffledSubarray([...patterns, ...again], { minLength: patterns.length + again.length }),
    )

describe('gateCapability', () => {
  const leased = capability('email.bulk_send', {
    metadata: {
      schemaKind: 'no_schema',
      outputKind: 'side_effect_only',
      sideEffects: ['notification'],
      capacityLeaseClass: 'bulk',
    },
  })
  const registry = (['deprecated', 'retired', 'experimental'] as const).reduce(
    (grown, lifecycleState) =>
      register(grown, {
        namespace: calendar,
        capability: capability(`calendar.${lifecycleState}`, { lifecycleState }),
      }),
    register(REGISTRY, { namespace: email, capability: leased }),
  )
  const open = policy('allow_all_except')
  const closed = policy('deny_all_except')
  const gate = (over: Partial<Parameters<typeof gateCapability>[0]>) =>
    gateCapability({
      capabilityId: 'email.send',
      registry,
      policy: open,
      lookupParent: orphan,
      lease: 'not_needed',
      ...over,
    })
  const refusal = (reasonCode: string) => ({ permitted: false, reasonCode })

  it('[CP-3] what is registered, active, permitted and leased may execute', () => {
    expect(gate({})).toEqual({ permitted: true })
    expect(gate({ lease: 'granted' })).toEqual({ permitted: true })
    expect(gate({ capabilityId: 'email.bulk_send', lease: 'granted' })).toEqual({ permitted: true })
  })

  it('[CP-3] what is not registered is not available, whatever the policy allows', () => {
    for (const capabilityId of [
      'email.not_made_yet',
      'email',
      '',
      'constructor',
      'EMAIL.send',
      'email.send ',
    ]) {
      expect(gate({ capabilityId })).toEqual(refusal('session.capability_not_available'))
    }
  })

  it('[CP-3] only an active capability executes, and an unknown state is not active', () => {
    for (const state of ['deprecated', 'retired', 'experimental']) {
      expect(gate({ capabilityId: `calendar.${state}` })).toEqual(refusal('session.capability_not_active'))
    }
    const odd = capability('email.send', { lifecycleState: 'paused' as Capability['lifecycleState'] })
    const stored = { ...registry, capabilities: new Map([[odd.capabilityId, odd]]) }
    expect(gate({ registry: stored })).toEqual(refusal('session.capability_not_active'))
  })

  it('[CP-3] [DE-2] the policy blocks, and so does its absence', () => {
    const blocked = refusal('session.capability_blocked_by_policy')
    expect(gate({ policy: closed })).toEqual(blocked)
    expect(gate({ policy: undefined })).toEqual(blocked)
    const heir = policy('inherit_default', { parentRef: 'parent' })
    expect(gate({ policy: heir, lookupParent: ref => (ref === 'parent' ? closed : open) })).toEqual(blocked)
    expect(gate({ policy: heir, lookupParent: ref => (ref === 'parent' ? open : closed) })).toEqual({
      permitted: true,
    })
  })

  it('[CP-3] [DE-2] a lease that is refused, missing or unknown blocks', () => {
    const blocked = refusal('session.capability_capacity_blocked')
    expect(gate({ lease: 'refused' })).toEqual(blocked)
    expect(gate({ capabilityId: 'email.bulk_send', lease: 'refused' })).toEqual(blocked)
    expect(gate({ capabilityId: 'email.bulk_send', lease: 'not_needed' })).toEqual(blocked)
    expect(gate({ lease: 'waiting' as 'granted' })).toEqual(blocked)
  })

  it('[CP-3] of several refusals the first in the order is told', () => {
    const all = { policy: closed, lease: 'refused' } as const
    expect(gate({ ...all, capabilityId: 'files.read' })).toEqual(refusal('session.capability_not_available'))
    expect(gate({ ...all, capabilityId: 'calendar.retired' })).toEqual(
      refusal('session.capability_not_active'),
    )
    expect(gate(all)).toEqual(refusal('session.capability_blocked_by_policy'))
  })

  it('[RS-1] every code told here is registered', () => {
    const told = ['not_available', 'not_active', 'blocked_by_policy', 'capacity_blocked']
    const codes = [
      ...told.map(end => `session.capability_${end}`),
      'unregistered_pattern',
      'inheritance_depth_exceeded',
    ]
    expect(codes.filter(code => findReasonCode(code) === undefined)).toEqual([])
  })
})
