import type { NamedMutation } from './mutants.js'

const inFile =
  (file: string) =>
  (what: string, find: string, replace: string): NamedMutation => [
    `${file.replace(/^src\/policy\//, '')}: ${what}`,
    { file, find, replace },
  ]
const inGate = (name: string) => inFile(`src/policy/gates/${name}.ts`)

const tenant = inGate('tenant')
const vessel = inGate('vessel')
const contract = inGate('contract')
const table = inFile('src/policy/retrieval-contract.ts')
const consent = inGate('consent')
const participants = inGate('participants')
const trust = inGate('trust')
const visibility = inGate('visibility')
const view = inGate('view')
const overlay = inGate('overlay')
const freshness = inGate('freshness')
const evidence = inGate('evidence')
const all = inGate('all')
const compartments = inFile('src/policy/compartments.ts')
const decide = inFile('src/policy/decide.ts')
const explain = inFile('src/policy/explain.ts')
const faces = inFile('src/policy/faces.ts')
const labels = inFile('src/policy/labels.ts')
const claims = inFile('src/policy/claims.ts')
const subject = inFile('src/policy/subject.ts')
const tuple = inFile('src/policy/tuple.ts')
const vocabulary = inFile('src/policy/vocabulary.ts')

const GATE_NAMES = [
  'tenant',
  'vessel',
  'contract',
  'consent',
  'participants',
  'trust',
  'visibility',
  'view',
  'overlay',
  'freshness',
  'evidence',
]

export const POLICY_MUTANTS: readonly NamedMutation[] = [
  tenant('any tenant', 'record.tenant === subject.tenant', 'true'),
  tenant('a tenant whose name ends alike', '=== subject.tenant', '.endsWith(subject.tenant)'),
  tenant('reads too little', `['tenant'],`, `['kind'],`),

  vessel('any owner', 'if (record.owner === subject.actingFor)', 'if (record.owner !== "")'),
  vessel('any group', 'subject.principals.has(record.owner)', `record.owner.startsWith('group:')`),
  vessel(
    'any session',
    'record.session !== null && subject.sessions.has(record.session)',
    'record.session !== null',
  ),
  vessel('an unknown vessel', `none('access.unknown_vessel')`, `full('access.own_vessel')`),
  vessel('reads too little', `'owner', 'session', 'corpus'`, `'owner', 'corpus'`),

  contract('no contract', `inMediation ? none('access.contract_missing') :`, ''),
  contract('a session that is not active', '!facts.active || ', ''),
  contract('no table', ' || !allowsRecord(record, facts)', ''),
  contract(
    'user vessels of others',
    `if (record.vessel === 'user') return record.owner === subject.actingFor`,
    `if (record.vessel === 'user') return true`,
  ),
  contract(
    "the caller's stage for everybody's",
    '(outcome || facts.leastStage >= SHARED_STAGE)',
    '(outcome || facts.stage >= SHARED_STAGE)',
  ),
  contract('shared a stage too early', 'const SHARED_STAGE = 2', 'const SHARED_STAGE = 1'),
  contract('shared at any stage', 'const outcome = facts.stage === 0', 'const outcome = true'),
  contract('content for others', 'addressees.includes(subject.actingFor)', 'true'),
  contract('reads too little', `'contentType', 'confirmed', 'addressees'`, `'contentType', 'addressees'`),
  contract('agents browse', ' || isAgentAudience(subject.audience)', ''),
  contract('browsing without a stage', ' || !isStage(facts.stage)', ''),
  contract('browsing in another relationship', ' || record.relationship !== facts.relationship', ''),
  contract('browsing the vessels of others', 'return own && OWN_KINDS', 'return OWN_KINDS'),
  contract(
    'browsing a stage too early',
    'own || (facts.leastStage >= SHARED_STAGE && isAddressed(subject, record))',
    'own || isAddressed(subject, record)',
  ),
  contract(
    'browsing what is for others',
    'own || (facts.leastStage >= SHARED_STAGE && isAddressed(subject, record))',
    'own || facts.leastStage >= SHARED_STAGE',
  ),
  contract(
    'an unknown purpose',
    'default:\n      return false',
    'default:\n      return allowsTurn(subject, record)',
  ),
  table('outcomes of this session', 'which.prior && ', 'false && '),
  table('what nobody confirmed', 'which.confirmed && ', 'false && '),
  table('content of any type', `which.contentTypes?.includes(record.contentType ?? '') ?? true`, 'true'),
  table('another relationship', ' || record.relationship !== contract.relationship', ''),
  table(
    'own events at stage 3',
    'recalled,  recalled,      no,            no        ],\n  emotional',
    'recalled,  recalled,      recalled,      no        ],\n  emotional',
  ),
  table(
    'agreements that one side made',
    'no,        settled,       no,            settled   ]',
    'no,        read,          no,            read      ]',
  ),
  table(
    'common ground that nobody confirmed',
    'no,        read,          read,          settled   ]',
    'no,        read,          read,          read      ]',
  ),
  table('no library at stage 4', 'no,            suggested ]', 'no,            no        ]'),

  consent('not asked', 'if (needed && !own) {', 'if (false) {'),
  consent('of the owner too', 'if (needed && !own) {', 'if (needed) {'),
  consent(
    'of a group for its members',
    'record.owner === subject.actingFor',
    'subject.principals.has(record.owner)',
  ),
  consent('missing passes', 'return facts !== undefined &&', 'return facts === undefined ||'),
  consent('denied passes', `facts.decision === 'GRANTED' &&`, ''),
  consent('unknown decision passes', `facts.decision === 'GRANTED'`, `facts.decision !== 'DENIED'`),
  consent('revoked passes', '!facts.revoked &&', ''),
  consent('inactive passes', '&& facts.active', ''),
  consent('one input is enough', 'record.inputConsents.every(', 'record.inputConsents.some('),
  consent(
    'common ground survives',
    `new Set(['agreement', 'micro_experiment'])`,
    `new Set(['agreement', 'micro_experiment', 'common_ground'])`,
  ),
  consent(
    'agreements do not survive',
    `new Set(['agreement', 'micro_experiment'])`,
    `new Set(['micro_experiment'])`,
  ),
  consent(
    'experiments do not survive',
    `new Set(['agreement', 'micro_experiment'])`,
    `new Set(['agreement'])`,
  ),
  consent('content without a record', `none('access.consent_missing')`, `full('access.consent_not_needed')`),
  consent('reads too little', `'owner', 'consentRecord', 'inputConsents'`, `'owner', 'consentRecord'`),

  participants('one is enough', 'record.participants.every(', 'record.participants.some('),
  participants(
    'a person who is gone',
    'if (person === undefined) return false',
    'if (person === undefined) return true',
  ),
  participants('pending passes', `person.consent === 'granted'`, `person.consent !== 'revoked'`),
  participants('by audience', '!subject.respectConsent', `subject.audience === 'owner'`),
  participants(
    'anyone in a session',
    '(person.actor !== null && seated?.has(person.actor) === true)',
    'seated !== undefined',
  ),
  participants('nobody is seated', '|| (person.actor !== null && seated?.has(person.actor) === true)', ''),
  participants('reads too little', `['participants', 'session']`, `['participants']`),

  trust(
    'none is needed',
    `if (trust === null) return none('access.too_sensitive')`,
    `if (trust === null) return full('access.within_trust')`,
  ),
  trust('one scope is enough', '.every(scope =>', '.some(scope =>'),
  trust('scopes do not matter', `scopes !== 'all' &&`, 'false &&'),
  trust('a rank too high', 'above <= 0', 'above <= 1'),
  trust('a rank too low', 'above <= 0', 'above < 0'),
  trust('metadata of all', 'above === 1', 'above >= 1'),
  trust('metadata to recipients', ' && !isRecipient(audience)', ''),
  trust(
    'all of what leaves metadata',
    `return metadata('access.one_level_above')`,
    `return full('access.within_trust')`,
  ),
  trust('unknown passes', `none('access.unknown_sensitivity')`, `full('access.within_trust')`),
  trust('reads too little', `['sensitivity', 'scope']`, `['sensitivity']`),

  visibility(
    'no ceiling',
    `within ? full('access.within_ceiling') : none('access.above_ceiling')`,
    `full('access.within_ceiling')`,
  ),
  visibility('a rank too high', '<= rank(', '<= 1 + rank('),
  visibility('a rank too low', '<= rank(', '< rank('),
  visibility('no floor', 'Math.max(own, floor)', 'own'),
  visibility(
    'an unknown ceiling',
    'const within = Math.max(own, floor) <= rank(VISIBILITY_CLASSES, visibility.ceiling)',
    'const within = !(Math.max(own, floor) > rank(VISIBILITY_CLASSES, visibility.ceiling))',
  ),
  visibility(
    'an unknown floor',
    ': rank(VISIBILITY_CLASSES, visibility.floor)',
    ': rank(VISIBILITY_CLASSES, visibility.floor) || 0',
  ),
  visibility(
    'an unknown class',
    `|| visibility === null) return none('access.unknown_visibility')`,
    `|| visibility === null) return full('access.within_ceiling')`,
  ),
  visibility('reads too little', `['visibilityClass']`, '[]'),

  view('any surface', '|| !view.surfaces.has(record.surface)', ''),
  view('an unknown surface', '|| !KNOWN_SURFACES.has(record.surface)', ''),
  view(
    'no surface',
    'record.surface === null || !KNOWN_SURFACES.has(record.surface) ||',
    'record.surface !== null &&',
  ),
  view('no ceiling', `if (!within) return none('access.above_ceiling')`, ''),
  view(
    'memories that are not marked',
    `'include_only_user_marked_shareable' && record.markedShareable`,
    `'include_only_user_marked_shareable'`,
  ),
  view(
    'memories under an unknown policy',
    `policy === 'include_with_provenance' ||\n        (`,
    `policy !== 'exclude_all' ||\n        (`,
  ),
  view('memories that cite nothing', `|| places.length === 0`, ''),
  view(
    'marked memories without the provenance that another view asks for',
    `policy === 'include_with_provenance' || view.asksProvenance`,
    `policy === 'include_with_provenance'`,
  ),
  view('memories of what is on another surface', `view.surfaces.has(surface) &&`, ''),
  view('memories of what is in another corpus', `targets.includes(within) &&`, ''),
  view(
    'memories of what is outside the scope',
    `view.scopes.every(scope => targets.some(target => scope.has(target))),`,
    'true,',
  ),
  view(
    'notes that are not marked',
    `'include_marked_shareable' && record.markedShareable`,
    `'include_marked_shareable'`,
  ),
  view(
    'notes under an unknown policy',
    `view.hostAnnotationPolicy === 'include_all'`,
    `view.hostAnnotationPolicy !== 'exclude_all'`,
  ),
  view('topics of the host', `, 'host_topics'`, ''),
  view('what came later', 'view.snapshotAt === null || times.createdAt <= view.snapshotAt', 'true'),
  view('an instant too early', 'times.createdAt <= view.snapshotAt', 'times.createdAt < view.snapshotAt'),
  subject('a corpus of that name of anyone', 'corpusKey(owner, corpus)', `corpusKey('ann', corpus)`),
  subject('an agent that is bound by no views', ' || views !== null', ''),
  view(
    'an unknown audience',
    '(subject, record) => {\n    if (!isBoundByViews(subject))',
    `(subject, record) => {\n    if (subject.audience !== 'recipient')`,
  ),
  view('any document', 'record.scopeTargets.some(target => scope.has(target))', 'true'),
  view(
    'one scope is enough',
    'inScope = view.scopes.every(',
    'inScope = view.scopes.length === 0 || view.scopes.some(',
  ),
  view(
    'one scope is enough for a source',
    'view.scopes.every(scope => targets.some(target => scope.has(target))),',
    '(view.scopes.length === 0 || view.scopes.some(scope => targets.some(target => scope.has(target)))),',
  ),
  view('reads too little', `'markedShareable', 'visibilityClass'`, `'visibilityClass'`),

  overlay('blocked shows a preview', `none('access.blocked')`, `preview('access.preview_only')`),
  overlay('unknown passes', `none('access.unknown_restriction')`, `full('access.no_overlay')`),
  overlay('granted to everyone', 'subject.grants.has(target)', 'true'),
  overlay('granted to nobody', 'subject.grants.has(target)', 'false'),
  overlay(
    'all of what leaves a preview',
    `opening ? preview('access.preview_only')`,
    `opening ? full('access.preview_only')`,
  ),
  overlay('a preview of every chunk', `kind !== 'segment' || opening ?`, 'true ?'),
  overlay('a preview of no chunk', `kind !== 'segment' || opening ?`, `kind !== 'segment' ?`),
  overlay('a preview of chunks alone', `kind !== 'segment' || opening ?`, 'opening ?'),
  overlay(
    'the original for its twin',
    `redacted ? full('access.redacted_only') : substitute('access.redacted_only')`,
    `full('access.redacted_only')`,
  ),
  overlay('no twin', `redacted ? full('access.redacted_only') :`, ''),
  overlay('shared', `isRecipient(subject.audience) ? none('access.not_shareable') :`, ''),
  overlay(
    'shared with an unknown audience',
    'isRecipient(subject.audience) ?',
    `subject.audience === 'recipient' ?`,
  ),
  overlay('the last wins', 'const face = meet(least.face, verdict.face)', 'const face = verdict.face'),
  overlay(
    'the first of a target only',
    'subject.overlays.get(target) ?? []',
    'subject.overlays.get(target)?.slice(0, 1) ?? []',
  ),
  overlay('the nearest only', 'of record.overlayTargets)', 'of record.overlayTargets.slice(-1))'),
  overlay('reads too little', `'redacted', 'kind', 'opening'`, `'kind', 'opening'`),
  overlay('reads no opening', `'kind', 'opening'`, `'kind'`),

  ...['superseded', 'retracted', 'stale', 'forgotten', 'unknown_lifecycle'].map(state =>
    freshness(`${state} passes`, `none('access.${state}')`, `full('access.current')`),
  ),
  freshness('contested is hidden', `full('access.contested')`, `none('access.contested')`),
  freshness('no expiry', 'times.expiresAt === null || subject.now < times.expiresAt', 'true'),
  freshness('an instant too long', 'subject.now < times.expiresAt', 'subject.now <= times.expiresAt'),
  freshness(
    'reads too little',
    `['lifecycle', 'endedAt', 'owner', 'corpus']`,
    `['lifecycle', 'owner', 'corpus']`,
  ),
  freshness('replaced before the last snapshot', '?.stoodAt ?? null', '?.snapshotAt ?? null'),
  freshness('whatever was ever current', 'Date.parse(record.endedAt) > stoodAt', 'true'),
  freshness(
    'an instant too early',
    'Date.parse(record.endedAt) > stoodAt',
    'Date.parse(record.endedAt) >= stoodAt',
  ),

  evidence('everything is', 'EVIDENCE.has(record.kind)', 'true'),
  evidence(
    'what is not known is',
    'EVIDENCE.has(record.kind)',
    '!(INTERNAL_KINDS as readonly string[]).includes(record.kind)',
  ),
  evidence(
    'synthesis is',
    '!(INTERNAL_KINDS as readonly string[]).includes(kind)',
    `kind !== 'activity_rollup'`,
  ),
  evidence('rollups are', '!(INTERNAL_KINDS as readonly string[]).includes(kind)', `kind !== 'ai_synthesis'`),
  evidence('reads too little', `['kind']`, '[]'),

  ...GATE_NAMES.map(name => all(`without ${name}`, `\n  ${name},`, '')),

  decide('no gates show all', 'table.gates.length === 0 ? NONE : FULL', 'FULL'),
  decide('what shows nothing is not settled', 'return faces.map(settle)', 'return faces'),
  decide('the column of another', 'verdicts[codes[place] as number]', 'verdicts[place]'),
  decide('joined, not met', ' & (verdicts[', ' | (verdicts['),
  decide('the last gate wins', '(faces[place] as number) & (verdicts', '(verdicts'),
  decide('a column with one full verdict is skipped', 'verdicts.every(', 'verdicts.some('),
  compartments('only the first field read counts', 'gate.reads.filter(', 'gate.reads.slice(0, 1).filter('),
  compartments('columns of different fields are one', 'key * distinct + (', 'key + ('),
  decide('a set is as open as its last member', 'face &= ofMembers', 'face = ofMembers'),
  decide('a set of nobody is open', 'end === starts[set] ? ofNobody : settle(face)', 'settle(face)'),
  compartments('a grown column forgets', 'grown.set(this.#values)', ''),
  decide('no conditions', 'if (gate.condition) face =', 'if (false) face ='),
  decide(
    'conditions alone',
    'face = meet(face, askCondition(gate, subject, tuple, times).face)',
    'face = askCondition(gate, subject, tuple, times).face',
  ),
  decide(
    'a gate that fails shows all',
    `{ face: NONE, reason: 'access.gate_failed' }`,
    `{ face: FULL, reason: 'access.gate_failed' }`,
  ),

  explain('no conditions', 'const face = meet(verdict.face, condition.face)', 'const face = verdict.face'),
  explain('the first gate only', 'meet(...gates.map(verdict => verdict.face))', 'meet(gates[0]?.face ?? 0)'),

  faces('joined, not met', 'met &= face', 'met |= face'),
  faces(
    'the meet of nothing is full',
    'if (faces.length === 0) return NONE',
    'if (faces.length === 0) return FULL',
  ),
  faces('previews show all', `return 'preview'`, `return 'full'`),
  faces('a substitute is an original', `? 'original' : 'substitute'`, `? 'original' : 'original'`),

  labels(
    'the lower of two',
    'rank(list, b) <= rank(list, a) ? a : b',
    'rank(list, b) >= rank(list, a) ? a : b',
  ),
  labels('an unknown one is lost', 'if (Number.isNaN(rank(list, a))) return a', ''),
  labels('scopes of the first', '[...splitScope(a), ...splitScope(b)]', '[...splitScope(a)]'),
  labels('people of the last', 'sortedSet([...a, ...b])', 'b'),
  labels(
    'people of the first',
    'b.every(person => a.includes(person))',
    'b.some(person => a.includes(person))',
  ),
  labels(
    'class of the last',
    'higher(VISIBILITY_CLASSES, a.visibilityClass, b.visibilityClass)',
    'b.visibilityClass',
  ),
  labels('sensitivity of the first', 'higher(SENSITIVITIES, a.sensitivity, b.sensitivity)', 'a.sensitivity'),
  labels('the least is not the least', `sensitivity: 'public',`, `sensitivity: 'low',`),
  labels(
    'lowered the other way round',
    'joinLabels(before, after), joinLabels(after)',
    'joinLabels(before, after), joinLabels(before)',
  ),
  labels('people fewer is the same', 'a.participants.length === b.participants.length &&', ''),
  labels('another class is the same', 'a.visibilityClass === b.visibilityClass &&', ''),
  labels('an empty scope is none', 'return scope === null ?', `return scope === null || scope === '' ?`),

  claims(
    'the claim is believed',
    '>= rank(SENSITIVITIES, held) ? held : claimed',
    '>= rank(SENSITIVITIES, held) ? claimed : claimed',
  ),
  claims(
    'an unknown claim is ignored',
    'return rank(SENSITIVITIES, claimed) >= rank(SENSITIVITIES, held) ? held : claimed',
    'return rank(SENSITIVITIES, claimed) < rank(SENSITIVITIES, held) ? claimed : held',
  ),
  claims('a claim makes up for what is not known', '|| Number.isNaN(rank(SENSITIVITIES, held))', ''),
  claims('scopes that are not held', 'claimed.filter(scope => held.has(scope))', 'claimed'),
  claims(
    'none in common means all',
    'if (claimed.length === 0) return held',
    'if (claimed.length === 0) return "all"',
  ),
  claims(
    'everything is narrowed by nothing',
    `if (held === 'all') return new Set(claimed)`,
    `if (held === 'all') return held`,
  ),
  claims('an agent may leave consent out', 'isAgentAudience(audience) || asked === true', 'asked === true'),
  claims(
    'nobody has to ask',
    'isAgentAudience(audience) || asked === true',
    'isAgentAudience(audience) || asked !== false',
  ),
  claims('a claim authenticates', 'authenticated: held.authenticated', 'authenticated: true'),

  subject(
    'an unknown audience is no agent',
    `return audience !== 'owner' && audience !== 'host'`,
    `return audience === 'agent' || audience === 'recipient'`,
  ),
  subject(
    'an unknown audience is no recipient',
    `isAgentAudience(audience) && audience !== 'agent'`,
    `audience === 'recipient'`,
  ),

  tuple(
    'compartments forget the owner',
    '.filter(([key, value]) =>',
    `.filter(([key, value]) => key !== 'owner' &&`,
  ),
  tuple('compartments forget what is set', 'value === RESTING[key]', 'key in RESTING'),
  tuple('compartments depend on order', '.sort(([a], [b]) => (a < b ? -1 : 1))', ''),
  tuple('keys forget the owner', 'JSON.stringify([kind, owner, ref])', `JSON.stringify([kind, '', ref])`),

  vocabulary('an unknown value is the least', 'at < 0 ? Number.NaN : at', 'at'),
  vocabulary('an unknown value is the first', 'at < 0 ? Number.NaN : at', 'Math.max(0, at)'),
]
