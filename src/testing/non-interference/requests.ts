import { OPERATIONS } from '../../operations.js'
import type { Random } from './random.js'
import { CORPORA, idOf, MOMENTS, maybe, PEOPLE, TAGS, type Who, WORDS } from './world.js'

/** What a viewer asks for. */
export interface Request {
  readonly operation: string
  readonly input: Readonly<Record<string, unknown>>
  readonly options?: Readonly<Record<string, unknown>>
  /** Whether the statements it runs must be the same too: it names records, goes from one to another, or pages (NI-5). */
  readonly traced: boolean
}

/** What a viewer may have heard of: ids that are there, hidden, forgotten or made up. */
export interface Known {
  readonly records: readonly string[]
  readonly others: readonly string[]
  readonly key: string
}

/** Says everything anew: what a revision leaves out, it takes over from what it revises. */
const revision = { title: 'revised', text: 'as the viewer has it', fields: {} }

type Ask = (rng: Random, known: Known) => Request['input']
const anyRecord = (rng: Random, known: Known) =>
  rng.chance(0.9) && known.records.length > 0 ? rng.pick(known.records) : idOf(known.key, 'made up')
const anyOther = (rng: Random, known: Known) =>
  rng.chance(0.8) && known.others.length > 0 ? rng.pick(known.others) : idOf(known.key, 'made up')

/** A word as people type it: as it stands, cut short, or with a letter wrong. */
function typed(rng: Random): string {
  const word = rng.pick(WORDS)
  if (rng.chance(0.15)) return `${word.slice(0, 3)}*`
  if (rng.chance(0.2)) return `${word.slice(0, -2)}x${word.slice(-1)}`
  return word
}

/** Questions that meet visible and hidden words alike. */
function question(rng: Random): Record<string, unknown> {
  const words = Array.from({ length: 1 + rng.below(3) }, () => typed(rng))
  const more = [
    ...(rng.chance(0.2) ? [`"${rng.pick(WORDS)} ${rng.pick(WORDS)}"`] : []),
    ...(rng.chance(0.2) ? [`-${rng.pick(WORDS)}`] : []),
    ...(rng.chance(0.2) ? [rng.pick(TAGS)] : []),
  ]
  return {
    query: [...words, ...more].join(' '),
    ...conditions(rng),
    ...maybe(rng, 0.2, { stemming: false }),
    ...maybe(rng, 0.2, {
      synonyms: [
        { of: rng.pick(WORDS), terms: [rng.pick(WORDS)], ...maybe(rng, 0.5, { corpus: rng.pick(CORPORA) }) },
      ],
    }),
    ...maybe(rng, 0.1, { posture: 'metadata_primary' }),
  }
}

/** Questions to the router. */
const routed: Ask = (rng, known) => ({
  query: Array.from({ length: 1 + rng.below(3) }, () => typed(rng)).join(' '),
  ...maybe(rng, 0.2, { scope: { corpusScope: [rng.pick(CORPORA)] } }),
  ...maybe(rng, 0.2, { stemming: false }),
  ...maybe(rng, 0.3, { intent: 'quotation', corrects: anyRun(rng, known) }),
})

const conditions = (rng: Random) => ({
  ...maybe(rng, 0.2, { tags: [rng.pick(TAGS)] }),
  ...maybe(rng, 0.15, { kinds: [rng.pick(['episodic', 'semantic', 'ai_synthesis'])] }),
  ...maybe(rng, 0.15, { corpus: rng.pick(CORPORA) }),
  ...maybe(rng, 0.1, { people: [rng.pick(PEOPLE)] }),
  ...maybe(rng, 0.1, { fields: { size: rng.below(3) } }),
})

/** A search that the viewer may have run a while ago: its id follows from the request's key. */
function anyRun(rng: Random, { key }: Known): string {
  const [, base = key, at = '0'] = /^(.*):(\d+)$/.exec(key) ?? []
  return idOf(`${base}:${rng.below(Number(at) + 1)}`, 'search', 1)
}

/** What an earlier request of the viewer may have made. */
const anyMade =
  (
    purpose:
      | 'saved_search'
      | 'consent_request'
      | 'entry'
      | 'library_entry'
      | 'session'
      | 'profile'
      | 'view'
      | 'link'
      | 'link_request'
      | 'watched'
      | 'contribution'
      | 'source',
  ) =>
  (rng: Random, { key }: Known): string => {
    const [, base = key, at = '0'] = /^(.*):(\d+)$/.exec(key) ?? []
    return idOf(`${base}:${rng.below(Number(at) + 1)}`, purpose)
  }
const anySaved = anyMade('saved_search')
const anySession = anyMade('session')
/** What the viewer may have made itself, or what is somebody else's. */
type Made = 'profile' | 'view' | 'link' | 'link_request' | 'watched' | 'contribution' | 'source'
const anyOf = (purpose: Made) => (rng: Random, known: Known) =>
  rng.chance(0.7) ? anyMade(purpose)(rng, known) : anyOther(rng, known)
const anyProfile = anyOf('profile')
const anyView = anyOf('view')
const anyLink = anyOf('link')

/**
 * How each operation is asked. Viewers here may narrow, never open what others closed: the two histories must stay
 * alike. Every operation in the table stands here, or a test fails.
 */
export const REQUESTS: Readonly<Record<string, Ask>> = {
  'memory.get': (rng, known) => ({ record: anyRecord(rng, known) }),
  'memory.list': rng => ({
    order: rng.pick(['newest', 'oldest']),
    limit: rng.pick([1, 2, 3, 50]),
    ...maybe(rng, 0.3, { tags: [rng.pick(TAGS)] }),
    ...maybe(rng, 0.2, { kinds: [rng.pick(['episodic', 'semantic', 'ai_synthesis'])] }),
    ...maybe(rng, 0.2, { corpus: rng.pick(CORPORA) }),
    ...maybe(rng, 0.2, { people: [rng.pick(PEOPLE)] }),
    ...maybe(rng, 0.2, { fields: { size: rng.below(3) } }),
  }),
  'memory.timeline': rng => ({
    order: rng.pick(['newest', 'oldest']),
    limit: rng.pick([1, 2, 3, 50]),
    ...maybe(rng, 0.3, { from: rng.pick(MOMENTS) }),
    ...maybe(rng, 0.2, { kinds: [rng.pick(['episodic', 'semantic', 'ai_synthesis'])] }),
    ...maybe(rng, 0.2, { people: [rng.pick(PEOPLE)] }),
  }),
  'memory.remember': (rng, known) => ({
    records: [
      {
        kind: 'episodic',
        text: `what the viewer thinks of ${rng.pick(WORDS)}`,
        sensitivity: 'public',
        visibilityClass: 'public_open',
        ...maybe(rng, 0.5, { derivedFrom: [anyRecord(rng, known)] }),
        ...maybe(rng, 0.2, { owner: rng.pick(['ana', 'ben', 'nobody']) }),
        ...maybe(rng, 0.2, { participants: [rng.pick(PEOPLE)] }),
        ...maybe(rng, 0.1, { redactedOf: anyRecord(rng, known) }),
        ...maybe(rng, 0.2, { mentions: [anyRecord(rng, known)] }),
        ...maybe(rng, 0.3, { linkEntities: true }),
      },
    ],
  }),
  'memory.relate': (rng, known) => ({
    from: anyRecord(rng, known),
    to: anyRecord(rng, known),
    ...rng.pick([
      { type: 'about' },
      { type: 'derived_from' },
      { type: 'about', sources: [anyRecord(rng, known)] },
    ]),
  }),
  'memory.revise': (rng, known) =>
    rng.pick([
      { how: 'supersede', record: anyRecord(rng, known), by: revision },
      { how: 'fork', record: anyRecord(rng, known), by: revision },
      { how: 'contest', record: anyRecord(rng, known) },
      { how: 'retract', record: anyRecord(rng, known) },
      { how: 'merge', records: [anyRecord(rng, known), anyRecord(rng, known)], by: revision },
    ]),
  'memory.relabel': (rng, known) => ({
    record: anyRecord(rng, known),
    ...rng.pick([{ tags: [rng.pick(TAGS)] }, { sensitivity: 'hyper' }, { sensitivity: 'public' }]),
  }),
  'memory.reinforce': (rng, known) => ({ record: anyRecord(rng, known), ...maybe(rng, 0.5, { by: 0.5 }) }),
  'memory.penalise': (rng, known) => ({ record: anyRecord(rng, known), ...maybe(rng, 0.5, { by: 0.5 }) }),
  'memory.pin': (rng, known) => ({ record: anyRecord(rng, known) }),
  'memory.unpin': (rng, known) => ({ record: anyRecord(rng, known) }),
  'memory.consolidate': (rng, known) =>
    rng.pick([
      {},
      {},
      { tags: [rng.pick(TAGS)] },
      { records: [anyRecord(rng, known), anyRecord(rng, known)] },
    ]),
  'memory.forget': (rng, known) => ({ records: [anyRecord(rng, known)] }),
  'memory.explain': (rng, known) => ({
    record: anyRecord(rng, known),
    ...maybe(rng, 0.5, {
      as: {
        actor: 'helper',
        audience: 'agent',
        for: rng.pick(['ana', 'ben']),
        trust: { maxSensitivity: 'low' },
      },
    }),
  }),
  'memory.search': rng => ({
    ...question(rng),
    limit: rng.pick([1, 2, 3, 50]),
    facets: ['kind', 'tag', 'corpus', 'person', 'sensitivity', 'scope'],
    ...maybe(rng, 0.3, { snippet: { passages: 1, length: 40 } }),
  }),
  'memory.retrieve_graph': rng => {
    // Lesser faces are found by their tags.
    const task = [rng.pick(TAGS), rng.pick(WORDS), typed(rng), typed(rng)].join(' ')
    return {
      task,
      ...(rng.chance(0.3) ? conditions(rng) : {}),
      rootLimit: rng.pick([1, 2, 10]),
      nodeLimit: rng.pick([1, 2, 3, 5, 25]),
      edgeLimit: rng.pick([1, 3, 100]),
      maxHops: rng.pick([0, 1, 1, 2, 3]),
      ...maybe(rng, 0.2, { relationTypes: [rng.pick(['about', 'mentions', 'derived_from'])] }),
    }
  },
  'memory.complete': rng => ({ text: rng.pick(WORDS).slice(0, 1 + rng.below(4)), ...conditions(rng) }),
  'searches.save': (rng, known) => ({
    name: rng.pick(['mine', `search ${known.key}`]),
    ...question(rng),
    ...maybe(rng, 0.2, { searchRun: anyRun(rng, known) }),
  }),
  'searches.list': () => ({}),
  'searches.changes': (rng, known) => ({ search: anySaved(rng, known) }),
  'searches.delete': (rng, known) => ({ search: anySaved(rng, known) }),
  'receipts.get': (rng, known) => ({ searchRun: anyRun(rng, known) }),
  'receipts.list': rng => ({ limit: rng.pick([1, 50]) }),
  'receipts.cite': (rng, known) => ({ searchRun: anyRun(rng, known) }),
  'receipts.deliver': (rng, known) => ({ searchRun: anyRun(rng, known) }),
  'receipts.feedback': (rng, known) => ({ searchRun: anyRun(rng, known) }),
  'receipts.mark': (rng, known) => ({ searchRun: anyRun(rng, known) }),
  'receipts.purge': () => ({}),
  'index.rebuild': () => ({}),
  'people.add': rng => ({ person: rng.pick([...PEOPLE, 'newcomer']) }),
  'people.get': rng => ({ person: rng.pick([...PEOPLE, 'nobody']) }),
  'people.list': () => ({}),
  'people.consent': rng => ({ person: rng.pick([...PEOPLE, 'nobody']), status: 'revoked' }),
  'people.remove': rng => ({ person: rng.pick([...PEOPLE, 'nobody']) }),
  'consents.request': rng => ({ person: rng.pick([...PEOPLE, 'nobody']), reason: rng.pick(WORDS) }),
  'consents.mine': rng => ({ limit: rng.pick([1, 50]) }),
  'consents.list': rng => ({ limit: rng.pick([1, 50]) }),
  'consents.decide': (rng, known) => ({
    request: anyMade('consent_request')(rng, known),
    decision: 'denied',
  }),
  'requests.why_refused': (rng, known) => ({ requestId: anyMade('entry')(rng, known) }),
  'groups.create': (rng, known) => ({
    name: rng.pick(['family', 'family', 'family', `circle ${known.key}`]),
  }),
  'groups.list': () => ({}),
  'groups.add_member': (rng, known) => ({ group: anyOther(rng, known), member: 'dot' }),
  'groups.remove_member': (rng, known) => ({ group: anyOther(rng, known), member: 'dot' }),
  'overlays.add': (rng, known) => ({
    target: rng.pick([
      { kind: 'document', ref: anyRecord(rng, known) },
      { kind: 'corpus', ref: 'fresh' },
    ]),
    restriction: rng.pick(['preview_only', 'blocked']),
  }),
  'overlays.list': () => ({}),
  'overlays.remove': (_rng, known) => ({ overlay: idOf(known.key, 'made up') }),
  'grants.add': () => ({ grantee: 'dot', target: { kind: 'corpus', ref: 'fresh' } }),
  'grants.list': () => ({}),
  'grants.revoke': (rng, known) => ({ grant: anyOther(rng, known) }),
  'keys.create': rng => ({
    name: rng.pick(['laptop', 'phone']),
    ...maybe(rng, 0.5, { audience: 'agent', actor: 'helper', trust: { maxSensitivity: 'medium' } }),
  }),
  'keys.list': rng => ({ limit: rng.pick([1, 50]) }),
  'keys.revoke': (rng, known) => ({ key: anyOther(rng, known) }),
  // What the viewer shares itself. Nobody here has views of others: sharing has a harness of its own.
  'profiles.create': (rng, known) => ({
    ...maybe(rng, 0.3, { maxResultCount: rng.below(5) }),
    ...maybe(rng, 0.3, { visibilityClassCeiling: rng.pick(['public_open', 'privileged']) }),
    ...maybe(rng, 0.3, { documentDeliveryPolicyRef: rng.pick(['view only', 'nothing']) }),
    ...maybe(rng, 0.3, { sharedCorpusViewRefs: [anyView(rng, known)] }),
    ...maybe(rng, 0.1, { sessionKind: 'share_link_session' }),
  }),
  'profiles.update': (rng, known) => ({
    profile: anyProfile(rng, known),
    ...maybe(rng, 0.5, { maxQueriesPerHour: 1 + rng.below(3) }),
    ...maybe(rng, 0.3, { sharedCorpusViewRefs: [anyView(rng, known)] }),
  }),
  'profiles.bind': (rng, known) => ({
    profile: anyProfile(rng, known),
    ...maybe(rng, 0.3, { maxSpawnDepth: rng.below(5) }),
    ...maybe(rng, 0.2, { bindingKind: rng.pick(['host_session', 'subagent_session']) }),
    ...maybe(rng, 0.2, { childSpawnConstraint: 'explicit_allow_list', childSpawnAllowList: ['helper'] }),
  }),
  'profiles.activate': (rng, known) => ({ profile: anyProfile(rng, known) }),
  'profiles.suspend': (rng, known) => ({ profile: anyProfile(rng, known) }),
  'profiles.resume': (rng, known) => ({ profile: anyProfile(rng, known) }),
  'profiles.revoke': (rng, known) => ({ profile: anyProfile(rng, known) }),
  'profiles.discard': (rng, known) => ({ profile: anyProfile(rng, known) }),
  'profiles.get': (rng, known) => ({ profile: anyProfile(rng, known) }),
  'profiles.list': (rng, known) => ({
    limit: rng.pick([1, 2, 50]),
    ...maybe(rng, 0.3, { sessionKind: rng.pick(['host_session', 'share_link_session']) }),
    ...maybe(rng, 0.2, { link: anyLink(rng, known) }),
  }),
  'profiles.set_policy': rng => ({
    kind: 'document_delivery_policy',
    policy: 'view only',
    settings: rng.pick([{ delivery: 'view_only' }, { delivery: 'view_and_download' }, { delivery: 'x' }]),
  }),
  'profiles.policies': () => ({}),
  'profiles.current': () => ({}),
  'profiles.leave': () => ({}),
  'profiles.log': rng => ({ limit: rng.pick([1, 50]) }),
  'views.create': (rng, known) => ({
    corpus: rng.pick([...CORPORA, 'fresh']),
    sharing: rng.pick(['share_link', 'collaborative']),
    ...maybe(rng, 0.3, {
      documentScope: { kind: 'explicit_document_list', documentRefs: [anyRecord(rng, known)] },
    }),
    ...maybe(rng, 0.3, { disclosesExclusions: true }),
    ...maybe(rng, 0.2, { owner: rng.pick(['ana', 'ben', 'nobody']) }),
  }),
  'views.get': (rng, known) => ({ view: anyView(rng, known) }),
  'views.list': rng => ({
    limit: rng.pick([1, 2, 50]),
    ...maybe(rng, 0.3, { corpus: rng.pick(CORPORA) }),
  }),
  'views.delete': (rng, known) => ({ view: anyView(rng, known) }),
  'views.effective': (rng, known) => ({ views: [anyView(rng, known), anyView(rng, known)] }),
  'views.changes': rng => ({ limit: rng.pick([1, 50]), ...maybe(rng, 0.3, { since: rng.pick(MOMENTS) }) }),
  'links.grant': (rng, known) => ({
    views: [anyView(rng, known)],
    ...rng.pick([
      { recipientIdentityMode: 'anonymous_share_token' },
      { recipientIdentityMode: 'host_approved_named_external' },
      { recipientIdentityMode: 'email_bound', recipientEmail: 'berg@example.org' },
      { recipientIdentityMode: 'host_user' },
    ]),
    ...maybe(rng, 0.3, { maxSensitivity: rng.pick(['public', 'high']) }),
    ...maybe(rng, 0.2, { hostSession: anyProfile(rng, known) }),
  }),
  'links.get': (rng, known) => ({ link: anyLink(rng, known) }),
  'links.list': rng => ({ limit: rng.pick([1, 2, 50]) }),
  'links.requests': (rng, known) => ({
    limit: rng.pick([1, 50]),
    ...maybe(rng, 0.3, { link: anyLink(rng, known) }),
  }),
  'links.decide': (rng, known) => ({
    request: anyOf('link_request')(rng, known),
    decision: rng.pick(['approve', 'decline']),
  }),
  // What opens a link is in one answer, which nobody here reads: what is presented is made up.
  'links.redeem': (rng, known) => ({ token: rng.pick(['privshare_x', `privshare_${anyLink(rng, known)}`]) }),
  'links.revoke': (rng, known) => ({
    link: anyLink(rng, known),
    reason: rng.pick(WORDS),
    activeSessionDisposition: rng.pick(['terminate_immediately', 'terminate_after_grace']),
  }),
  'links.access_log': (rng, known) => ({ link: anyLink(rng, known), limit: rng.pick([1, 50]) }),
  'search.plan': routed,
  'search.execute': (rng, known) => ({ ...routed(rng, known), limit: rng.pick([1, 2, 3, 50]) }),
  'search.expand': routed,
  'search.bundle': (rng, known) => ({ ...routed(rng, known), tokenBudget: rng.pick([200, 4_000]) }),
  'search.complete': rng => ({
    text: rng.pick(WORDS).slice(0, 1 + rng.below(4)),
    ...maybe(rng, 0.2, { corpus: rng.pick(CORPORA) }),
  }),
  'document_view.list': rng => ({
    limit: rng.pick([1, 2, 3, 50]),
    ...maybe(rng, 0.2, { corpus: rng.pick(CORPORA) }),
  }),
  'document_view.open': (rng, known) => ({ document: anyRecord(rng, known) }),
  'document_download.fetch': (rng, known) => ({ document: anyRecord(rng, known) }),
  'documents.ingest': (rng, known) => ({
    document: rng.pick(['mine.txt', `${known.key}.txt`]),
    corpus: 'fresh',
    content: Buffer.from(`what the viewer filed of ${rng.pick(WORDS)}`).toString('base64'),
    ...maybe(rng, 0.3, { extract: 'later' }),
    ...maybe(rng, 0.2, { binding: anyOther(rng, known) }),
  }),
  'documents.extract': () => ({ document: 'mine.txt' }),
  'documents.list': rng => ({
    limit: rng.pick([1, 2, 3, 50]),
    ...maybe(rng, 0.2, { corpus: rng.pick(CORPORA) }),
  }),
  'documents.get': (rng, known) => ({ id: anyRecord(rng, known) }),
  'documents.read': (rng, known) => ({ id: anyRecord(rng, known) }),
  'documents.original': (rng, known) => ({ id: anyRecord(rng, known) }),
  'documents.fields': (rng, known) => rng.pick([{ id: anyRecord(rng, known) }, { document: 'mine.txt' }]),
  'documents.sources': rng => ({ limit: rng.pick([1, 50]) }),
  'documents.remove': () => ({ document: 'mine.txt' }),
  'bindings.create': rng => ({
    name: rng.pick(WORDS),
    kind: 'folder',
    location: '/watched',
    corpus: rng.pick(['fresh', ...CORPORA]),
  }),
  'bindings.list': () => ({}),
  'bindings.set_state': (rng, known) => ({
    binding: anyOf('watched')(rng, known),
    state: rng.pick(['active', 'paused']),
  }),
  'bindings.remove': (rng, known) => ({ binding: anyOf('watched')(rng, known) }),
  'bindings.fire': (rng, known) => ({
    binding: anyOf('watched')(rng, known),
    sourceEventId: rng.pick(['first', 'second', 'third']),
    entries: [
      rng.pick([
        { document: 'mine.txt', outcome: 'created', source: anyOf('source')(rng, known) },
        { document: 'mine.txt', outcome: 'failed', problem: 'too_large' },
        { document: 'mine.txt', outcome: 'removed' },
      ]),
    ],
  }),
  'bindings.rejected': (rng, known) => ({
    binding: anyOf('watched')(rng, known),
    sha256: [rng.pick(['0', '1']).repeat(64)],
  }),
  'bindings.judge': (rng, known) => ({
    contribution: anyOf('contribution')(rng, known),
    verdict: rng.pick(['confirm', 'reject']),
  }),
  'bindings.outcome': (rng, known) => ({
    binding: anyOf('watched')(rng, known),
    sourceEventId: rng.pick(['first', 'second', 'third']),
  }),
  'bindings.outcomes': (rng, known) =>
    rng.pick([
      { targetKind: 'document', targetRef: 'mine.txt', limit: rng.pick([1, 50]) },
      { targetKind: 'card', targetRef: anyRecord(rng, known) },
    ]),
  'bindings.manifest': (rng, known) => ({
    binding: anyOf('watched')(rng, known),
    sourceEventId: rng.pick(['first', 'second', 'third']),
  }),
  'bindings.contributions': (rng, known) => ({
    binding: anyOf('watched')(rng, known),
    limit: rng.pick([1, 50]),
  }),
  'bindings.health': (rng, known) => ({
    binding: anyOf('watched')(rng, known),
    windowDays: rng.pick([1, 30]),
  }),
  'agents.spawn': (rng, known) => ({
    agent: rng.pick(['reader', 'scribe']),
    maxSensitivity: rng.pick(['low', 'high']),
    ...maybe(rng, 0.3, { external: true }),
    ...maybe(rng, 0.2, { external: true, sharedCorpusViewRefs: [anyOther(rng, known)] }),
    ...maybe(rng, 0.2, { capabilityPolicyRef: rng.pick(['reading', 'built-in:agent']) }),
  }),
  'agents.list': rng => ({ limit: rng.pick([1, 50]) }),
  'agents.end': (rng, known) => ({ profile: anyOther(rng, known) }),
  // What the viewer opens itself, and what is not there: mediations have a harness of their own.
  'sessions.create': rng => ({
    participants: [rng.pick(['ben', 'dot'])],
    ...maybe(rng, 0.3, { invite: false }),
  }),
  'sessions.get': (rng, known) => ({ session: anySession(rng, known) }),
  'sessions.list': rng => ({ limit: rng.pick([1, 50]) }),
  'sessions.invite': (rng, known) => ({ session: anySession(rng, known) }),
  'sessions.join': (rng, known) => ({ session: anySession(rng, known) }),
  'sessions.decline': (rng, known) => ({ session: anySession(rng, known) }),
  'sessions.set_state': (rng, known) => ({ session: anySession(rng, known), state: 'ABANDONED' }),
  'sessions.leave': (rng, known) => ({ session: anySession(rng, known), erase: rng.chance(0.5) }),
  'sessions.delete': (rng, known) => ({ session: anySession(rng, known) }),
  'sessions.erase_person': rng => ({ person: rng.pick(['ben', 'dot', 'nobody']) }),
  'stages.get': (rng, known) => ({ session: anySession(rng, known) }),
  'stages.sign_compact': (rng, known) => ({ session: anySession(rng, known) }),
  'stages.confirm_heard': (rng, known) => ({ session: anySession(rng, known) }),
  'stages.advance': (rng, known) => ({ session: anySession(rng, known) }),
  'vessel.write': (rng, known) => ({
    session: anySession(rng, known),
    items: [
      {
        type: 'user_event',
        text: rng.pick(WORDS),
        ...maybe(rng, 0.3, { derivedFrom: [anyRecord(rng, known)] }),
      },
    ],
  }),
  'vessel.list': (rng, known) => ({ session: anySession(rng, known) }),
  'vessel.confirm_needs': (rng, known) => ({
    session: anySession(rng, known),
    needs: [anyRecord(rng, known)],
  }),
  'bridge.request': (rng, known) => ({
    session: anySession(rng, known),
    content: anyRecord(rng, known),
    contentType: 'EVENT_SUMMARY',
  }),
  'bridge.pending': (rng, known) => ({ session: anySession(rng, known) }),
  'bridge.decide': (rng, known) => ({
    session: anySession(rng, known),
    consentRequestId: anyOther(rng, known),
    decision: 'GRANTED',
  }),
  'bridge.revoke': (rng, known) => ({
    session: anySession(rng, known),
    consentRecordId: anyOther(rng, known),
  }),
  'bridge.history': (rng, known) => ({ session: anySession(rng, known) }),
  'empathy.draft': (rng, known) => ({
    session: anySession(rng, known),
    text: rng.pick(WORDS),
    ...maybe(rng, 0.3, { draft: anyRecord(rng, known) }),
  }),
  'empathy.share': (rng, known) => ({
    session: anySession(rng, known),
    draft: anyRecord(rng, known),
    content: rng.pick(WORDS),
  }),
  'empathy.validate': (rng, known) => ({
    session: anySession(rng, known),
    attempt: anyRecord(rng, known),
    validated: true,
  }),
  'common_ground.find': (rng, known) => ({ session: anySession(rng, known) }),
  'common_ground.confirm': (rng, known) => ({
    session: anySession(rng, known),
    commonGround: anyRecord(rng, known),
  }),
  'strategies.submit': (rng, known) => ({
    session: anySession(rng, known),
    content: rng.pick(WORDS),
    ...maybe(rng, 0.3, { commonGround: [anyRecord(rng, known)] }),
  }),
  'strategies.pool': (rng, known) => ({ session: anySession(rng, known) }),
  'strategies.rank': (rng, known) => ({
    session: anySession(rng, known),
    proposals: [anyRecord(rng, known)],
  }),
  'agreements.propose': (rng, known) => ({
    session: anySession(rng, known),
    text: rng.pick(WORDS),
    proposals: [anyRecord(rng, known)],
  }),
  'agreements.agree': (rng, known) => ({
    session: anySession(rng, known),
    agreement: anyRecord(rng, known),
  }),
  'agreements.close': (rng, known) => ({
    session: anySession(rng, known),
    agreement: anyRecord(rng, known),
    status: 'ABANDONED',
  }),
  'agreements.list': (rng, known) => ({
    session: anySession(rng, known),
    proposed: rng.chance(0.5),
    prior: rng.chance(0.5),
  }),
  'experiments.add': (rng, known) => ({
    session: anySession(rng, known),
    text: rng.pick(WORDS),
    ...maybe(rng, 0.3, { agreement: anyRecord(rng, known) }),
  }),
  'experiments.report': (rng, known) => ({
    session: anySession(rng, known),
    experiment: anyRecord(rng, known),
    status: 'DONE',
    outcome: rng.pick(WORDS),
  }),
  'shared.list': (rng, known) => ({ session: anySession(rng, known), limit: rng.pick([1, 50]) }),
  'turns.context': (rng, known) => ({ session: anySession(rng, known), message: rng.pick(WORDS) }),
  'turns.list': (rng, known) => ({ session: anySession(rng, known) }),
  'library.list': rng => ({ limit: rng.pick([1, 50, 200]), ...maybe(rng, 0.3, { need: 'FAIRNESS' }) }),
  'library.preview': rng => ({
    title: 'a walk',
    text: `talk with ${rng.pick(PEOPLE)} of ${rng.pick(WORDS)}`,
  }),
  'library.contribute': rng => {
    const words = { title: 'a walk', text: `walk for ${rng.pick(['ten', 'twenty'])} minutes` }
    return { ...words, needs: ['FAIRNESS'], optIn: true, seen: words }
  },
  'library.mine': rng => ({ limit: rng.pick([1, 50]) }),
  'library.withdraw': (rng, known) => ({ entry: anyMade('library_entry')(rng, known) }),
  'notifications.list': rng => ({ limit: rng.pick([1, 50]), ...maybe(rng, 0.3, { unread: true }) }),
  'notifications.read': (rng, known) => ({ notifications: [anyOther(rng, known)] }),
  // None comes to stand: when one was last sent to is no matter of histories.
  'webhooks.create': () => ({ url: 'http://10.0.0.1/' }),
  'webhooks.list': () => ({}),
  'webhooks.delete': (_rng, known) => ({ webhook: idOf(known.key, 'made up') }),
  'webhooks.test': (_rng, known) => ({ webhook: idOf(known.key, 'made up') }),
  'signals.record': (rng, known) => ({
    ...rng.pick([{ kind: 'explicit_helpful' }, { kind: 'click_dwell', dwellMs: 1_200 }]),
    ...maybe(rng, 0.8, { record: anyRecord(rng, known) }),
    ...maybe(rng, 0.3, { searchRun: anyRun(rng, known) }),
  }),
  'signals.pending': () => ({}),
  'signals.review': rng => ({
    decision: rng.pick(['accept', 'reject']),
    ...maybe(rng, 0.7, { corpus: rng.pick(CORPORA) }),
  }),
  'signals.summary': rng => ({ limit: rng.pick([1, 2, 50]) }),
  'capabilities.register': () => ({
    namespace: { namespace: 'calendar', description: 'dates' },
    capability: { name: 'read', description: 'read dates' },
  }),
  'capabilities.set_lifecycle': () => ({ capability: 'calendar.read', lifecycleState: 'deprecated' }),
  'capabilities.list': () => ({}),
  'capabilities.check': rng => ({ capability: rng.pick(['memory.get', 'memory.forget', 'no.such']) }),
  'capabilities.set_capacity': () => ({ capability: 'no.such', leaseClass: 'slow', limits: { total: 1 } }),
  'capabilities.acquire': rng => ({ capability: rng.pick(['calendar.read', 'no.such']) }),
  'capabilities.release': (_rng, known) => ({ lease: idOf(known.key, 'lease') }),
  'capabilities.who': rng => ({
    of: rng.pick(['memory.get', 'memory.forget', 'agents.spawn', 'keys', 'no.such']),
    limit: rng.pick([1, 2, 50]),
  }),
  'policies.set': () => ({ policy: 'calm', mode: 'allow_all_except' }),
  'policies.list': () => ({}),
  'reasons.register': () => ({ code: 'calendar.closed', description: 'closed', visibility: 'expose' }),
  'reasons.list': () => ({}),
  'audit.list': rng => ({ limit: rng.pick([1, 2, 5, 200]) }),
  'audit.operations': (rng, known) => ({
    limit: rng.pick([1, 200]),
    ...maybe(rng, 0.3, { of: anyRecord(rng, known) }),
  }),
  'audit.verify': () => ({}),
  'audit.checkpoint': () => ({}),
}

/** Most operations beside those on records are a person's; anyone else is refused them all alike. */
const isPerson = ({ audience }: Who) => audience === undefined || audience === 'owner' || audience === 'host'

const TRACED: ReadonlySet<string> = new Set([
  'memory.get',
  'memory.list',
  'memory.timeline',
  'memory.retrieve_graph',
  'memory.relate',
  'memory.revise',
  'memory.relabel',
  'memory.reinforce',
  'memory.penalise',
  'memory.pin',
  'memory.unpin',
  'memory.forget',
  'memory.explain',
  'people.get',
  'requests.why_refused',
  'document_view.list',
  'document_view.open',
  'document_download.fetch',
  'documents.list',
  'documents.get',
  'documents.read',
  'documents.original',
])

/** What a script is about: everything, or search and what comes with it, or graphs, or what records mean. */
export type Focus = 'everything' | 'search' | 'graph' | 'meaning'

const SEARCHING = [
  'memory.search',
  'memory.search',
  'memory.search',
  'memory.search',
  'memory.complete',
  'receipts.get',
  'searches.save',
  'searches.changes',
] as const

const GRAPHING = [
  'memory.retrieve_graph',
  'memory.retrieve_graph',
  'memory.retrieve_graph',
  'memory.get',
  'memory.relate',
  'memory.remember',
] as const

/** Searches by meaning, in all their ways. */
const meaningConditions = (rng: Random): Request['input'] => ({
  ...maybe(rng, 0.6, { mode: rng.pick(['vector', 'hybrid', 'hybrid', 'text']) }),
  ...maybe(rng, 0.3, { maxDistance: rng.pick([0.2, 0.5, 0.9, 1.5]) }),
  ...maybe(rng, 0.3, { neighbours: true }),
  ...maybe(rng, 0.2, { recency: { weight: 0.3, halfLifeDays: 1 } }),
  ...maybe(rng, 0.2, { salience: { weight: 0.4 } }),
  explain: true,
})

/** A script of requests: every record, every operation on records, and in the long run every operation there is. */
export function makeRequests(
  rng: Random,
  viewer: Who,
  known: Known,
  length: number,
  focus: Focus = 'everything',
): Request[] {
  const often = [
    'memory.get',
    'memory.list',
    'memory.list',
    'memory.remember',
    'memory.relate',
    'memory.explain',
  ]
  const everything = () => [
    ...known.records.map(() => 'memory.get'),
    ...OPERATIONS.map(({ name }) => name as string).filter(
      name => name.startsWith('memory.') || rng.chance(isPerson(viewer) ? 0.8 : 0.2),
    ),
    ...Array.from({ length }, () => rng.pick(often)),
  ]
  const search = () => [
    ...SEARCHING,
    'receipts.list',
    'memory.remember',
    'memory.relabel',
    ...Array.from({ length }, () => rng.pick(SEARCHING)),
  ]
  const graph = () => [...GRAPHING, ...Array.from({ length }, () => rng.pick(GRAPHING))]
  const meaning = () => [...search(), 'memory.retrieve_graph', 'memory.pin', 'memory.reinforce', 'memory.get']
  const names: readonly string[] = { everything, search, graph, meaning }[focus]()
  const shuffled = names.map(name => ({ name, at: rng.below(2 ** 30) })).sort((a, b) => a.at - b.at)
  const requests = shuffled.map(({ name }, at) => {
    const ask = REQUESTS[name]
    if (ask === undefined) throw new Error(`the harness does not know how to ask for ${name}`)
    const asked = ask(rng, { ...known, key: `${known.key}:${at}` })
    const input =
      focus === 'meaning' && name === 'memory.search' ? { ...asked, ...meaningConditions(rng) } : asked
    const named = name === 'memory.consolidate' && 'records' in input
    return { operation: name, input, traced: TRACED.has(name) || named }
  })
  // Tags are what lesser faces show, and a corpus is what they do not: both at once, and nothing of the latter is found.
  const pointed = focus === 'search' ? CORPORA.map(corpus => ({ query: TAGS.join(' '), corpus })) : []
  return [...requests, ...pointed.map(input => ({ operation: 'memory.search', input, traced: false }))]
}
