import type { Handle } from '../../src/handle.js'
import type { OperationName } from '../../src/operations.js'

/** The callers of one world. */
export interface Callers {
  readonly ana: Handle
  readonly cleo: Handle
  readonly helper: Handle
  readonly host: Handle
  /** Whoever comes with a key that was answered before. */
  readonly withKey: (key: string) => Handle | Promise<Handle>
}

type Step = (callers: Callers, seen: Seen) => Promise<unknown>

/** What earlier steps answered, by their names. */
type Seen = Readonly<Record<string, unknown>>
export const idIn = (value: unknown) => (value as { id: string }).id
const NOBODY = '00000000-0000-4000-8000-000000000000'
const TEA = { title: 'Tea at four', text: 'Have tea with Zoë for a week.' }

/** A mediation between two people, from its invitation to what they tried. */
const MEDIATION: Readonly<Record<string, Step>> = {
  process: ({ ana }) => ana.sessions.create({ participants: ['cleo'] }),
  'another process': ({ ana }) => ana.sessions.create({ participants: ['cleo'], invite: false }),
  'invite cleo': ({ ana }, { 'another process': another }) => ana.sessions.invite(idIn(another)),
  'cleo declines': ({ cleo }, { 'another process': another }) => cleo.sessions.decline(idIn(another)),
  'invite cleo again': ({ ana }, { 'another process': another }) => ana.sessions.invite(idIn(another)),
  'cleo joins': ({ cleo }, { process }) => cleo.sessions.join(idIn(process)),
  ...both('signs', (person, session) => person.stages.signCompact(session)),
  ...both('enters 1', (person, session) => person.stages.advance(session)),
  ...both('is heard', (person, session) => person.stages.confirmHeard(session)),
  ...both('enters 2', (person, session) => person.stages.advance(session)),
  ...both('drafts', (person, session) =>
    person.empathy.draft({ session, text: 'Vielleicht bist du müde.', ready: true }),
  ),
  ...both('shares', (person, session, seen, who) =>
    person.empathy.share({ session, draft: idIn(seen[`${who} drafts`]), content: 'You may be tired.' }),
  ),
  ...both('validates', (person, session, seen, who) => {
    const attempt = idIn(seen[`${who === 'ana' ? 'cleo' : 'ana'} shares`])
    return person.empathy.validate({ session, attempt, validated: true, feedback: 'Ja, so ist es.' })
  }),
  ...both('enters 3', (person, session) => person.stages.advance(session)),
  ...both('needs', (person, session) =>
    person.vessel.write({ session, items: [{ type: 'need', category: 'MEANING', text: 'Etwas Eigenes' }] }),
  ),
  ...both('confirms needs', (person, session, seen, who) =>
    person.vessel.confirmNeeds({ session, needs: [firstIn(seen[`${who} needs`], 'items')] }),
  ),
  ...both('is asked', (person, session) => person.bridge.pending(session)),
  ...both('checks the wording', (person, session, seen, who) => {
    const consentRequestId = firstIn(seen[`${who} is asked`], 'pendingRequests')
    return person.bridge.screen({ session, consentRequestId, editedContent: 'Ich brauche etwas Eigenes.' })
  }),
  ...both('grants', (person, session, seen, who) => {
    const consentRequestId = firstIn(seen[`${who} is asked`], 'pendingRequests')
    return person.bridge.decide({ session, consentRequestId, decision: 'GRANTED' })
  }),
  'common ground': ({ helper }, { process }) => helper.commonGround.find(idIn(process)),
  'common ground of ana': ({ ana }, { process }) => ana.commonGround.find(idIn(process)),
  'needs side by side': ({ ana }, { process }) => ana.commonGround.compare(idIn(process)),
  ...both('confirms', (person, session, seen) => {
    const commonGround = firstIn(seen['common ground of ana'], 'commonGround')
    return person.commonGround.confirm({ session, commonGround })
  }),
  ...both('enters 4', (person, session) => person.stages.advance(session)),
  ...both('submits', (person, session) => person.strategies.submit({ session, content: 'Tee um vier.' })),
  ...both('ranks', (person, session, seen) =>
    person.strategies.rank({ session, proposals: [idIn(seen['ana submits']), idIn(seen['cleo submits'])] }),
  ),
  pool: ({ cleo }, { process }) => cleo.strategies.pool(idIn(process)),
  propose: ({ ana }, { process, 'cleo submits': submitted }) =>
    ana.agreements.propose({ session: idIn(process), text: 'Tee um vier.', proposals: [idIn(submitted)] }),
  agree: ({ cleo }, { process, propose }) =>
    cleo.agreements.agree({ session: idIn(process), agreement: idIn(propose) }),
  try: ({ ana }, { process, propose }) =>
    ana.experiments.add({ session: idIn(process), text: 'Eine Woche lang.', agreement: idIn(propose) }),
  'tell how it went': ({ cleo }, { process, try: tried }) =>
    cleo.experiments.report({
      session: idIn(process),
      experiment: idIn(tried),
      status: 'DONE',
      outcome: 'Schön.',
    }),
  'close the agreement': ({ ana }, { process, propose }) =>
    ana.agreements.close({ session: idIn(process), agreement: idIn(propose), status: 'COMPLETED' }),
  agreements: ({ cleo }, { process }) =>
    cleo.agreements.list({ session: idIn(process), proposed: true, prior: true, limit: 3 }),
  'what is shared': ({ cleo }, { process }) =>
    cleo.shared.list({ session: idIn(process), types: ['common_ground', 'agreement'], limit: 5 }),
  'ask to share': ({ ana }, { process, 'ana needs': kept }) =>
    ana.bridge.request({
      session: idIn(process),
      content: firstIn(kept, 'items'),
      contentType: 'IDENTIFIED_NEED',
    }),
  'take back': ({ ana }, { process, 'ana submits': submitted }) => {
    const { consentRecordId } = submitted as { consentRecordId: string }
    return ana.bridge.revoke({ session: idIn(process), consentRecordId })
  },
  'end it': ({ cleo }, { process }) => cleo.sessions.setState({ session: idIn(process), state: 'RESOLVED' }),
  'delete it': ({ host }, { process }) => host.sessions.delete(idIn(process)),
  'take somebody out': ({ host }) => host.sessions.erasePerson('nobody at all'),
}

/** A corpus that is shared by links: from the view of it to what its readers took. */
const SHARING: Readonly<Record<string, Step>> = {
  brief: ({ ana }) =>
    ana.remember({
      kind: 'document',
      title: 'Klage Müller',
      text: 'The motion to dismiss was denied in Köln.',
      corpus: 'bank',
      surface: 'source_documents',
      visibilityClass: 'public_open',
    }),
  profile: ({ ana }) =>
    ana.profiles.create({ documentDeliveryPolicyRef: 'mäßig', expiresAt: new Date('2030-01-01') }),
  'activate too early': ({ ana }, { profile }) => ana.profiles.activate(profileIn(profile)),
  'set a session policy': ({ ana }) =>
    ana.profiles.setPolicy({
      kind: 'document_delivery_policy',
      policy: 'mäßig',
      settings: { delivery: 'view_only' },
    }),
  'set a session policy badly': ({ ana }) =>
    ana.profiles.setPolicy({ kind: 'document_delivery_policy', policy: 'x', settings: { delivery: 'y' } }),
  'session policies': ({ ana }) => ana.profiles.policies(),
  'update the profile': ({ ana }, { profile }) =>
    ana.profiles.update({ profile: profileIn(profile), maxResultCount: 1 }),
  'bind the profile': ({ ana }, { profile }) =>
    ana.profiles.bind({ profile: profileIn(profile), maxSpawnDepth: 1, openclawNativeSessionId: 'lauf 7' }),
  'bind it as something else': ({ ana }, { profile }) =>
    ana.profiles.bind({ profile: profileIn(profile), bindingKind: 'subagent_session' }),
  'bind it to more': ({ ana }, { profile }) =>
    ana.profiles.bind({ profile: profileIn(profile), maxSpawnDepth: 9 }),
  'activate the profile': ({ ana }, { profile }) => ana.profiles.activate(profileIn(profile)),
  'activate the profile again': ({ ana }, { profile }) => ana.profiles.activate(profileIn(profile)),
  'under the profile': ({ ana }, { profile }) => ana.profiles.current({ profile: profileIn(profile) }),
  'download under the profile': ({ ana }, { brief, profile }) =>
    ana.documents.download(idIn(brief), {}, { profile: profileIn(profile) }),
  'under no such profile': ({ ana }) => ana.profiles.current({ profile: NOBODY }),
  'suspend the profile for no known reason': ({ ana }, { profile }) =>
    ana.profiles.suspend({ profile: profileIn(profile), reasonCode: 'host.später' }),
  'suspend the profile': ({ ana }, { profile }) => ana.profiles.suspend({ profile: profileIn(profile) }),
  'under a suspended profile': ({ ana }, { profile }) => ana.list({}, { profile: profileIn(profile) }),
  'resume the profile': ({ ana }, { profile }) => ana.profiles.resume(profileIn(profile)),
  'leave what is not bound': ({ ana }) => ana.profiles.leave(),
  'revoke the profile': ({ ana }, { profile }) => ana.profiles.revoke({ profile: profileIn(profile) }),
  'another profile': ({ ana }) => ana.profiles.create(),
  'discard it': ({ ana }, { 'another profile': another }) => ana.profiles.discard(profileIn(another)),
  'the profile': ({ ana }, { profile }) => ana.profiles.get(profileIn(profile)),
  'no profile': ({ ana }, { 'another profile': another }) => ana.profiles.get(profileIn(another)),
  'a profile of another': ({ cleo }, { profile }) => cleo.profiles.get(profileIn(profile)),
  view: ({ ana }) => ana.views.create({ corpus: 'bank', name: 'für Köln', disclosesExclusions: true }),
  'another view': ({ ana }) =>
    ana.views.create({
      corpus: 'bank',
      sharing: 'collaborative',
      documentScope: { kind: 'structural_selector', selector: [{ kind: 'document', ref: 'Müller' }] },
    }),
  'a view of the future': ({ ana }) =>
    ana.views.create({ corpus: 'bank', snapshotAtTimestamp: '2090-01-01T00:00:00Z' }),
  'the view': ({ ana }, { view }) => ana.views.get(viewIn(view)),
  'no view': ({ ana }) => ana.views.get(NOBODY),
  views: ({ ana }) => ana.views.list({ corpus: 'bank', limit: 1 }),
  'both views': ({ ana }, { view, 'another view': another }) =>
    ana.views.effective([viewIn(view), viewIn(another)]),
  'delete a view': ({ ana }, { 'another view': another }) => ana.views.delete(viewIn(another)),
  link: ({ ana }, { view }) =>
    ana.links.grant({
      views: [viewIn(view)],
      recipientIdentityMode: 'anonymous_share_token',
      // The number of a copy is another each time.
      watermarkDownloads: false,
      allowedActions: ['search', 'document_view', 'document_download', 'upload'].map(namespace => ({
        kind: 'namespace_all' as const,
        namespace,
      })),
    }),
  'link by name': ({ ana }, { view }) =>
    ana.links.grant({
      views: [viewIn(view)],
      recipientIdentityMode: 'host_approved_named_external',
      name: 'für Zoë',
      rateLimits: { maxQueriesPerHour: 2 },
    }),
  'link to nothing': ({ ana }) =>
    ana.links.grant({ views: [NOBODY], recipientIdentityMode: 'anonymous_share_token' }),
  'delete a shared view': ({ ana }, { view }) => ana.views.delete(viewIn(view)),
  'the link': ({ ana }, { link }) => ana.links.get(linkIn(link)),
  'no link': ({ cleo }, { link }) => cleo.links.get(linkIn(link)),
  links: ({ ana }) => ana.links.list({ limit: 5 }),
  'open the link': ({ cleo }, { link }) => cleo.links.redeem({ token: tokenIn(link) }),
  'open no link': ({ cleo }) => cleo.links.redeem({ token: 'x' }),
  'knock by name': ({ cleo }, { 'link by name': link }) =>
    cleo.links.redeem({ token: tokenIn(link), name: 'Zoë' }),
  'who waits': ({ ana }) => ana.links.requests({ state: 'pending' }),
  'let them in': ({ ana }, { 'who waits': waiting }) => {
    const [first] = (waiting as { requests: { request: string }[] }).requests
    return ana.links.decide({ request: first?.request ?? NOBODY, decision: 'approve' })
  },
  'come in': ({ cleo }, { 'link by name': link, 'knock by name': knocked }) =>
    cleo.links.redeem({ token: tokenIn(link), ticket: (knocked as { ticket: string }).ticket }),
  ...asRecipient({
    'what they may': recipient => recipient.profiles.current(),
    'they plan': recipient => recipient.documents.plan({ query: 'motion Köln' }),
    'they search': recipient => recipient.documents.search({ query: 'motion Köln', limit: 1 }),
    'they expand': recipient => recipient.documents.expand({ query: 'motions in Köln' }),
    'they gather': recipient => recipient.documents.bundle({ query: 'motion Köln', tokenBudget: 500 }),
    'they type': recipient => recipient.documents.complete({ text: 'dismi' }),
    'their documents': recipient => recipient.documents.list({ corpus: 'bank' }),
    'they read': (recipient, { brief }) => recipient.documents.open(idIn(brief)),
    'they read what is not theirs': (recipient, { picnic }) => recipient.documents.open(idIn(picnic)),
    'they download': (recipient, { brief }) => recipient.documents.download(idIn(brief)),
    'they tell what was on screen': (recipient, { brief }) =>
      recipient.documents.noteReading({ document: idIn(brief), pages: [{ page: 1, seconds: 5 }] }),
    'they ask for a record': (recipient, { brief }) => recipient.get(idIn(brief)),
    'they send a letter': recipient =>
      recipient.upload.send({
        document: 'Brief.txt',
        content: 'RGVyIEJyaWVmLg==',
        message: 'wie besprochen',
      }),
    'they send a list': recipient =>
      recipient.upload.send({ document: 'Liste.txt', content: 'RGllIExpc3RlLg==' }),
    'what they sent': recipient => recipient.upload.list(),
    'what came': recipient => recipient.views.changes({ since: new Date(0) }),
    'what they did': recipient => recipient.profiles.log({ limit: 100 }),
    'they leave': recipient => recipient.profiles.leave(),
    'they come back': recipient => recipient.profiles.current(),
  }),
  'look as they do': ({ ana }, { link }) => ana.links.preview(linkIn(link)),
  'what was sent in': ({ ana }) => ana.uploads.list(),
  'file the letter': ({ ana }, { 'they send a letter': sent }) =>
    ana.uploads.file({ upload: uploadIn(sent), corpus: 'Post' }),
  'discard the list': ({ ana }, { 'they send a list': sent }) =>
    ana.uploads.decide({ upload: uploadIn(sent), decision: 'discard' }),
  'narrow the link': ({ ana }, { link }) =>
    ana.links.change({ link: linkIn(link), rateLimits: { maxUploadsPerDay: 2 } }),
  'give others a copy': ({ ana }, { link }) =>
    ana.links.copy({ link: linkIn(link), recipients: [{ name: 'Björn' }] }),
  'how long it was read': ({ ana }, { link }) => ana.links.readings(linkIn(link)),
  'a log as a table': ({ ana }, { 'give others a copy': made }) =>
    ana.links.exportLog((made as { copies: { link: { link: string } }[] }).copies[0]?.link.link ?? ''),
  'what was read': ({ ana }, { link }) => ana.links.accessLog({ link: linkIn(link), limit: 100 }),
  'revoke the link': ({ ana }, { link }) =>
    ana.links.revoke({
      link: linkIn(link),
      reason: 'Schluß',
      activeSessionDisposition: 'terminate_after_grace',
    }),
  'open a revoked link': ({ cleo }, { link }) => cleo.links.redeem({ token: tokenIn(link) }),
  profiles: ({ ana }) => ana.profiles.list({ sessionKind: 'share_link_session', limit: 1 }),
}

const FILE = 'Schriftsätze/Erwiderung.txt'

/** A file, from its arrival to its end. */
const DOCUMENTS: Readonly<Record<string, Step>> = {
  'take in': ({ ana }) =>
    ana.documents.ingest({
      document: FILE,
      corpus: 'bank',
      content: btoa('The respondent denies the claim.'),
      metadata: { caseNumber: '3 O 12/26', filingDate: { date: '2026-03-01', timeZone: 'Europe/Berlin' } },
      extract: 'later',
    }),
  'what waits': ({ ana }) => ana.documents.sources({ state: 'extracting', limit: 1 }),
  'read it as the agent': ({ helper }) => helper.documents.extract({ document: FILE }),
  'read it': ({ ana }) => ana.documents.extract({ document: FILE }),
  'read its scanned pages': ({ ana }) => ana.documents.recognise({ document: FILE }),
  'take in again': ({ ana }) =>
    ana.documents.ingest({
      document: FILE,
      corpus: 'bank',
      content: btoa('The respondent admits the claim.'),
    }),
  'take in badly': ({ ana }) => ana.documents.ingest({ document: FILE, corpus: 'bank', content: '!' }),
  'take in as the agent': ({ helper }) =>
    helper.documents.ingest({ document: 'note.md', corpus: 'notes', content: btoa('# Tea\n\nat four') }),
  cards: ({ ana }) => ana.documents.cards({ corpus: 'bank', limit: 50 }),
  'a card': ({ ana }, { 'take in again': taken }) => ana.documents.get(cardIn(taken)),
  'no card': ({ ana }) => ana.documents.get(NOBODY),
  'read the text': ({ ana }, { 'take in again': taken }) =>
    ana.documents.read(cardIn(taken), { from: 4, to: 14 }),
  'the file': ({ ana }, { 'take in again': taken }) => ana.documents.original(cardIn(taken)),
  'the file for the agent': ({ helper }, { 'take in again': taken }) =>
    helper.documents.original(cardIn(taken)),
  'what is known': ({ ana }) =>
    ana.documents.fields({ document: FILE, fields: ['caseNumber', 'filingDate'] }),
  'find it': ({ ana }) =>
    ana.documents.search({ query: 'respondent', scope: { corpusScope: ['bank'] }, context: 20 }),
  'find it as the agent': ({ helper }) => helper.documents.search({ query: 'tea' }),
  watch: ({ ana }) =>
    ana.bindings.create({ name: 'Eingang', kind: 'folder', location: '/srv/Eingang', corpus: 'bank' }),
  'watch twice': ({ ana }) =>
    ana.bindings.create({ name: 'Eingang', kind: 'folder', location: '/srv', corpus: 'bank' }),
  'what is watched': ({ ana }) => ana.bindings.list(),
  'an event': ({ ana }, { watch, 'take in again': taken }) =>
    ana.bindings.fire({
      binding: idIn(watch),
      sourceEventId: 'Läuft/1',
      entries: [
        { document: FILE, outcome: 'versioned', source: sourceIn(taken) },
        { document: 'groß.pdf', outcome: 'failed', problem: 'too_large' },
      ],
    }),
  'what became of it': ({ ana }, { watch }) =>
    ana.bindings.outcome({ binding: idIn(watch), sourceEventId: 'Läuft/1' }),
  'what brought it': ({ ana }) =>
    ana.bindings.outcomes({ targetKind: 'document', targetRef: FILE, limit: 1 }),
  'what it looked at': ({ ana }, { watch }) =>
    ana.bindings.manifest({ binding: idIn(watch), sourceEventId: 'Läuft/1' }),
  'no event': ({ ana }, { watch }) => ana.bindings.manifest({ binding: idIn(watch), sourceEventId: '2' }),
  'the ledger for the agent': ({ helper }, { watch }) =>
    helper.bindings.contributions({ binding: idIn(watch), limit: 10 }),
  ledger: ({ ana }, { watch }) => ana.bindings.contributions({ binding: idIn(watch) }),
  'reject one': ({ ana }, { ledger }) =>
    ana.bindings.judge({ contribution: contributionIn(ledger), verdict: 'reject' }),
  'what is rejected': ({ ana }, { watch }) =>
    ana.bindings.rejected({ binding: idIn(watch), sha256: ['0'.repeat(64)] }),
  'how useful it was': ({ helper }, { watch }) =>
    helper.bindings.health({ binding: idIn(watch), windowDays: 7 }),
  pause: ({ ana }, { watch }) => ana.bindings.setState({ binding: idIn(watch), state: 'paused' }),
  'watch no more': ({ ana }, { watch }) => ana.bindings.remove(idIn(watch)),
  'remove it': ({ ana }) => ana.documents.remove({ document: FILE }),
  'remove it twice': ({ ana }) => ana.documents.remove({ document: FILE }),
}

const sourceIn = (answer: unknown) => (answer as { source: string }).source
const contributionIn = (answer: unknown) =>
  (answer as { contributions: { contribution: string }[] }).contributions[0]?.contribution ?? NOBODY
const cardIn = (answer: unknown) => (answer as { card?: { id: string } | null }).card?.id ?? NOBODY

/** Steps of whoever opened the link. */
function asRecipient(
  steps: Readonly<Record<string, (recipient: Handle, seen: Seen) => Promise<unknown>>>,
): Record<string, Step> {
  return Object.fromEntries(
    Object.entries(steps).map(([name, step]) => [
      name,
      async ({ withKey }: Callers, seen: Seen) =>
        step(await withKey((seen['open the link'] as { key: string }).key), seen),
    ]),
  )
}

const profileIn = (answer: unknown) => (answer as { profile: string }).profile
const viewIn = (answer: unknown) => (answer as { view: string }).view
const linkIn = (answer: unknown) => (answer as { link: { link: string } }).link.link
const tokenIn = (answer: unknown) => (answer as { token: string }).token
const uploadIn = (answer: unknown) => (answer as { upload: string }).upload

/** A step that each of the two takes. */
function both(
  what: string,
  step: (person: Handle, session: string, seen: Seen, who: 'ana' | 'cleo') => Promise<unknown>,
): Record<string, Step> {
  return Object.fromEntries(
    (['ana', 'cleo'] as const).map(who => [
      `${who} ${what}`,
      (callers: Callers, seen: Seen) => step(callers[who], idIn(seen.process), seen, who),
    ]),
  )
}

/** The id of the first in a list that an earlier step answered. */
function firstIn(answer: unknown, list: string): string {
  const [first] = (answer as Record<string, { id: string }[]>)[list] ?? []
  return first?.id ?? NOBODY
}

/** A day with nearly every operation in it, asked for well and badly. Each step is one request, but for a list that is read to its end. */
export const SCRIPT: Readonly<Record<string, Step>> = {
  picnic: ({ ana }) =>
    ana.remember({
      kind: 'episodic',
      text: 'Bén told us at the picnic: 日本 next year, maybe 🍅.',
      participants: ['ben'],
      sensitivity: 'low',
      tags: ['family', 'a&b=c'],
      fields: { room: 'garden', size: 3 },
      occurredAt: new Date('2025-07-01T12:00:00Z'),
    }),
  garden: ({ ana }) =>
    ana.remember([
      { kind: 'semantic', text: 'The tomatoes go to the south wall.', tags: ['garden'], document: 'plan' },
      { kind: 'entity', title: 'South wall', text: 'The wall behind the house.' },
    ]),
  once: ({ ana }) => ana.remember({ kind: 'note', text: 'once' }, { idempotencyKey: 'schlüssel 1' }),
  'once again': ({ ana }) => ana.remember({ kind: 'note', text: 'once' }, { idempotencyKey: 'schlüssel 1' }),
  'once otherwise': ({ ana }) => ana.remember({ kind: 'note', text: 'x' }, { idempotencyKey: 'schlüssel 1' }),
  'remember badly': ({ ana }) => ana.remember({ kind: 'note', text: '', surprise: 1 } as never),
  'remember for another': ({ ana }) => ana.remember({ kind: 'note', text: 'x', owner: 'ben' }),
  get: ({ ana }, { picnic }) => ana.get(idIn(picnic)),
  'get as the agent': ({ helper }, { picnic }) => helper.get(idIn(picnic)),
  'get nothing': ({ ana }) => ana.get(NOBODY),
  'get badly': ({ ana }) => ana.get('not an id'),
  'get with less trust': ({ ana }, { picnic }) =>
    ana.get(idIn(picnic), { trust: { maxSensitivity: 'public', scopes: ['büro'] } }),
  'get with respect': ({ ana }, { picnic }) => ana.get(idIn(picnic), { respectConsent: true }),
  list: ({ ana }) => ana.list({ limit: 2 }),
  'list narrowly': ({ ana }) =>
    ana.list({
      kinds: ['episodic', 'semantic'],
      tags: ['a&b=c'],
      people: ['ben'],
      fields: { room: 'garden', size: 3 },
      createdAfter: new Date(0),
      order: 'oldest',
    }),
  'list with one kind': ({ ana }) => ana.list({ kinds: ['entity'] }),
  'list badly': ({ ana }) => ana.list({ limit: 0 }),
  'list of nothing': ({ ana }) => ana.list({ kinds: [] }),
  'list with a wrong cursor': ({ ana }) => ana.list({ cursor: 'x' }),
  timeline: ({ ana }) => ana.timeline({ from: '2025-01-01T00:00:00+01:00', to: new Date('2030-01-01') }),
  search: ({ ana }) => ana.search('tomatoes "south wall" -picnic', { explain: true, limit: 1 }),
  'search as the agent': ({ helper }) => helper.search('picnic'),
  'search for 日本': ({ ana }) => ana.search('日本'),
  'search for nothing': ({ ana }) => ana.search(' '),
  complete: ({ ana }) => ana.complete('where do the tom'),
  graph: ({ ana }) => ana.retrieveGraph('tomatoes', { maxHops: 2 }),
  relate: ({ ana }, { garden, picnic }) =>
    ana.relate({ from: idIn(picnic), to: idIn((garden as unknown[])[0]), type: 'about' }),
  relabel: ({ ana }, { picnic }) =>
    ana.relabel({ record: idIn(picnic), sensitivity: 'medium', expiresAt: null }),
  reinforce: ({ ana }, { picnic }) => ana.reinforce(idIn(picnic), { by: 0.25 }),
  penalise: ({ ana }, { picnic }) => ana.penalise(idIn(picnic)),
  pin: ({ ana }, { picnic }) => ana.pin(idIn(picnic)),
  unpin: ({ ana }, { picnic }) => ana.unpin(idIn(picnic)),
  'get again': ({ ana }, { picnic }) => ana.get(idIn(picnic)),
  'pin an old version': ({ ana }, { picnic, get }) =>
    ana.pin(idIn(picnic), { ifVersion: (get as { version: string }).version }),
  'pin this version': ({ ana }, { picnic, 'get again': now }) =>
    ana.pin(idIn(picnic), { ifVersion: (now as { version: string }).version }),
  'pin because': ({ ana }, { picnic }) => ana.pin(idIn(picnic), { causalParents: [NOBODY, NOBODY] }),
  'pin because of nothing': ({ ana }, { picnic }) => ana.pin(idIn(picnic), { causalParents: ['x'] }),
  'pin nothing': ({ ana }) => ana.pin(NOBODY),
  revise: ({ ana }, { once }) =>
    ana.revise({ how: 'supersede', record: idIn(once), by: { text: 'twice', occurredAt: new Date(0) } }),
  slip: ({ ana }) => ana.remember({ kind: 'note', text: 'a slip of the pen' }),
  'revise the slip': ({ ana }, { slip }) => ana.revise({ how: 'retract', record: idIn(slip) }),
  'undo a revision': ({ ana }, { slip }) => ana.undo(idIn(slip)),
  'revise otherwise': ({ ana }) => ana.revise({ how: 'undo', record: NOBODY } as never),
  consolidate: ({ ana }) => ana.consolidate({ limit: 5 }),
  explain: ({ ana }, { picnic }) =>
    ana.explain({
      record: idIn(picnic),
      as: { actor: 'helper', audience: 'agent', for: 'ana', trust: { maxSensitivity: 'low' } },
    }),
  'explain to the agent': ({ helper }, { picnic }) => helper.explain({ record: idIn(picnic) }),
  'save search': ({ ana }) => ana.searches.save({ name: 'wände', query: 'wall', tags: ['garden'] }),
  searches: ({ ana }) => ana.searches.list(),
  changes: ({ ana }, { 'save search': saved }) => ana.searches.changes(idIn(saved), { mark: true }),
  'delete search': ({ ana }, { 'save search': saved }) => ana.searches.delete(idIn(saved)),
  receipt: ({ ana }, { search }) => ana.receipts.get(runIn(search)),
  'no receipt': ({ ana }) => ana.receipts.get(NOBODY),
  receipts: ({ ana }) => ana.receipts.list({ limit: 3 }),
  cite: ({ ana }, { search }) => ana.receipts.cite({ searchRun: runIn(search) }),
  deliver: ({ ana }, { search }) => ana.receipts.deliver({ searchRun: runIn(search) }),
  feedback: ({ ana }, { search }) => ana.receipts.feedback({ searchRun: runIn(search) }),
  mark: ({ ana }, { search }) =>
    ana.receipts.mark({ searchRun: runIn(search), retentionClass: 'durable_audit_7y' }),
  purge: ({ host }) => host.receipts.purge(),
  'purge as an owner': ({ ana }) => ana.receipts.purge(),
  rebuild: ({ ana }) => ana.index.rebuild(),
  'add a person': ({ ana }) => ana.people.add({ person: 'Zoë' }),
  people: ({ ana }) => ana.people.list(),
  'people for the agent': ({ helper }) => helper.people.list(),
  'get a person': ({ ana }) => ana.people.get('Zoë'),
  'get a person as the agent': ({ helper }) => helper.people.get('ben'),
  'rename a person': ({ ana }) => ana.people.update({ person: 'Zoë', addAliases: ['Zo'] }),
  'add her again': ({ ana }) => ana.people.add({ person: 'Zoë Klein' }),
  'what merging changes': ({ ana }) => ana.people.mergePreview({ person: 'Zoë Klein', into: 'Zoë' }),
  'merge people': ({ ana }) => ana.people.merge({ person: 'Zoë Klein', into: 'Zoë' }),
  'what splitting changes': ({ ana }) => ana.people.splitPreview({ person: 'Zoë Klein' }),
  'split people': ({ ana }) => ana.people.split({ person: 'Zoë Klein' }),
  skill: ({ ana }) => ana.remember({ kind: 'competence', text: 'how to prune roses' }),
  'it worked': ({ ana }, { skill }) => ana.recordOutcome({ record: idIn(skill), outcome: 'success' }),
  'how to': ({ ana }) => ana.select({ task: 'prune' }),
  'ask for a change': ({ ana }, { slip }) =>
    ana.changes.request({ record: idIn(slip), how: 'retract', reason: 'a slip' }),
  'my changes': ({ helper }) => helper.changes.mine(),
  'changes asked for': ({ ana }) => ana.changes.list({ state: 'open' }),
  'decline a change': async ({ ana }) => {
    const { requests } = await ana.changes.list()
    return ana.changes.decide({ request: requests[0]?.id ?? NOBODY, decision: 'declined' })
  },
  'read conversations': ({ ana }, { slip }) => ana.extract({ records: [idIn(slip)] }),
  'read a conversation again': ({ ana }) => ana.captures.retry(NOBODY),
  'ask for consent': ({ helper }) => helper.consents.request({ person: 'ben', reason: 'to plan' }),
  'my requests': ({ helper }) => helper.consents.mine({ state: 'open' }),
  requests: ({ ana }) => ana.consents.list(),
  decide: ({ ana }, { 'ask for consent': asked }) =>
    ana.consents.decide({ request: idIn(asked), decision: 'granted' }),
  'decide twice': ({ ana }, { 'ask for consent': asked }) =>
    ana.consents.decide({ request: idIn(asked), decision: 'denied' }),
  'get as the agent, now': ({ helper }, { picnic }) => helper.get(idIn(picnic)),
  consent: ({ ana }) => ana.people.consent({ person: 'ben', status: 'revoked' }),
  'remove a person': ({ ana }) => ana.people.remove({ person: 'Zoë' }),
  'why refused, of nothing': ({ helper }) => helper.requests.whyRefused(NOBODY),
  group: ({ ana }) => ana.groups.create({ name: 'family' }),
  join: ({ ana }, { group }) => ana.groups.addMember({ group: idIn(group), member: 'ben', role: 'parent' }),
  leave: ({ ana }, { group }) => ana.groups.removeMember({ group: idIn(group), member: 'ben' }),
  groups: ({ ana }) => ana.groups.list(),
  overlay: ({ ana }) =>
    ana.overlays.add({ target: { kind: 'document', ref: 'plan' }, restriction: 'preview_only' }),
  overlays: ({ ana }) => ana.overlays.list(),
  'overlay away': ({ ana }, { overlay }) => ana.overlays.remove({ overlay: idIn(overlay) }),
  grant: ({ ana }) => ana.grants.add({ grantee: 'ben', target: { kind: 'document', ref: 'plan' } }),
  grants: ({ ana }) => ana.grants.list(),
  'grant away': ({ ana }, { grant }) => ana.grants.revoke({ grant: idIn(grant) }),
  'make a key': ({ ana }) => ana.keys.create({ name: 'schlüssel', expiresAt: new Date('2030-01-01') }),
  'revoke the key': ({ ana }, { 'make a key': made }) =>
    ana.keys.revoke(idIn((made as { key: unknown }).key)),
  keys: ({ ana }) => ana.keys.list(),
  ...SHARING,
  ...DOCUMENTS,
  'start an agent': ({ ana }) => ana.agents.spawn({ agent: 'vorleser', maxSensitivity: 'low' }),
  'delegate to an agent': ({ ana }) =>
    ana.agents.spawn({ agent: 'elsewhere', external: true, maxSensitivity: 'low' }),
  'start one from nowhere': ({ helper }) => helper.agents.spawn({ agent: 'x', maxSensitivity: 'low' }),
  'end the agent': ({ ana }, { 'start an agent': made }) =>
    ana.agents.end({ profile: (made as { profile: { profile: string } }).profile.profile }),
  agents: ({ ana }) => ana.agents.list({ limit: 5 }),
  session: ({ ana }) => ana.sessions.create({ participants: ['cleo'], title: 'Küche & Geld' }),
  'session alone': ({ ana }) => ana.sessions.create({ participants: ['ana'] }),
  'session as the agent': ({ helper }) => helper.sessions.create({ participants: ['cleo'] }),
  sessions: ({ helper }) => helper.sessions.list({ states: ['INVITED', 'ACTIVE'], limit: 5 }),
  'the session': ({ ana }, { session }) => ana.sessions.get(idIn(session)),
  'a session of nobody': ({ ana }) => ana.sessions.get('sess_abc123'),
  'invite again': ({ ana }, { session }) => ana.sessions.invite(idIn(session)),
  'join uninvited': ({ ana }, { session }) => ana.sessions.join(idIn(session)),
  'decline uninvited': ({ ana }, { session }) => ana.sessions.decline(idIn(session)),
  compact: ({ ana }, { session }) => ana.stages.signCompact(idIn(session)),
  stages: ({ ana }, { session }) => ana.stages.get(idIn(session)),
  'advance too early': ({ ana }, { session }) => ana.stages.advance(idIn(session)),
  'heard too early': ({ ana }, { session }) => ana.stages.confirmHeard(idIn(session)),
  'say something': ({ helper }, { session }) =>
    helper.vessel.write({
      session: idIn(session),
      items: [
        { type: 'emotional_reading', intensity: 7, emotion: 'müde' },
        { type: 'need', category: 'FAIRNESS', text: 'I do all of it alone.' },
      ],
    }),
  'say too much': ({ ana }, { session }) =>
    ana.vessel.write({
      session: idIn(session),
      items: [{ type: 'emotional_reading', intensity: 11 }],
    }),
  'what was said': ({ ana }, { session }) => ana.vessel.list({ session: idIn(session), types: ['need'] }),
  'confirm too early': ({ ana }, { session }) =>
    ana.vessel.confirmNeeds({ session: idIn(session), needs: [NOBODY] }),
  'ask to share too early': ({ ana }, { session }) =>
    ana.bridge.request({ session: idIn(session), content: NOBODY, contentType: 'EVENT_SUMMARY' }),
  'asked to share': ({ ana }, { session }) => ana.bridge.pending(idIn(session)),
  'check the wording of nothing': ({ ana }, { session }) =>
    ana.bridge.screen({
      session: idIn(session),
      consentRequestId: NOBODY,
      editedContent: 'Ich brauche Ruhe.',
    }),
  'decide nothing': ({ ana }, { session }) =>
    ana.bridge.decide({ session: idIn(session), consentRequestId: 'consent_req_001', decision: 'DENIED' }),
  'revoke nothing': ({ ana }, { session }) =>
    ana.bridge.revoke({ session: idIn(session), consentRecordId: NOBODY }),
  'decisions on sharing': ({ ana }, { session }) => ana.bridge.history(idIn(session)),
  'draft too early': ({ helper }, { session }) =>
    helper.empathy.draft({ session: idIn(session), text: 'Vielleicht bist du müde.' }),
  'rank twice the same': ({ ana }, { session }) =>
    ana.strategies.rank({ session: idIn(session), proposals: [NOBODY, NOBODY] }),
  'agree to nothing': ({ ana }, { session }) =>
    ana.agreements.agree({ session: idIn(session), agreement: NOBODY }),
  turn: ({ ana }, { session }) =>
    ana.turns.context({ session: idIn(session), turn: 'one', message: 'Wo fangen wir an?' }),
  'turn again': ({ ana }, { session }) =>
    ana.turns.context({ session: idIn(session), turn: 'one', message: 'Wo fangen wir an?' }),
  turns: ({ ana }, { session }) => ana.turns.list({ session: idIn(session) }),
  'pause too early': ({ ana }, { session }) =>
    ana.sessions.setState({ session: idIn(session), state: 'PAUSED' }),
  'leave the session': ({ ana }, { session }) => ana.sessions.leave({ session: idIn(session), erase: true }),
  'delete as an owner': ({ ana }, { session }) => ana.sessions.delete(idIn(session)),
  ...MEDIATION,
  library: ({ helper }) => helper.library.list({ need: 'FAIRNESS', limit: 2 }),
  'preview for the library': ({ ana }) => ana.library.preview(TEA),
  'give to the library': ({ ana }) =>
    ana.library.contribute({
      ...TEA,
      needs: ['CONNECTION'],
      optIn: true,
      seen: { title: 'Tea at four', text: 'Have tea with someone for a week.' },
    }),
  'give unseen to the library': ({ ana }) =>
    ana.library.contribute({ ...TEA, needs: ['CONNECTION'], optIn: true, seen: TEA }),
  'waiting for the library': ({ host }) => host.library.waiting(),
  'let into the library': ({ host }, { 'give to the library': given }) =>
    host.library.review({ entry: idIn(given), decision: 'approve' }),
  'let into the library as an owner': ({ ana }, { 'give to the library': given }) =>
    ana.library.review({ entry: idIn(given), decision: 'approve' }),
  'given to the library': ({ ana }) => ana.library.mine(),
  'take from the library': ({ ana }, { 'give to the library': given }) => ana.library.withdraw(idIn(given)),
  'take what is not there': ({ ana }) => ana.library.withdraw(NOBODY),
  notifications: ({ ana }) => ana.notifications.list({ unread: true }),
  'read a notification': ({ ana }) => ana.notifications.read([NOBODY]),
  webhook: ({ host }) =>
    host.webhooks.create({
      url: 'https://hooks.invalid/ä?b=c',
      types: ['stage.ready'],
      description: 'Glück',
    }),
  'webhook as an owner': ({ ana }) => ana.webhooks.create({ url: 'https://hooks.invalid/' }),
  'webhook at home': ({ host }) => host.webhooks.create({ url: 'http://127.0.0.1/' }),
  webhooks: ({ host }) => host.webhooks.list(),
  'test the webhook': ({ host }, { webhook }) =>
    host.webhooks.test(idIn((webhook as { webhook: unknown }).webhook)),
  'delete the webhook': ({ host }, { webhook }) =>
    host.webhooks.delete(idIn((webhook as { webhook: unknown }).webhook)),
  'a signal': ({ ana }, { picnic }) =>
    ana.signals.record({ kind: 'click_dwell', record: idIn(picnic), dwellMs: 1_200 }),
  'a signal of an agent': ({ helper }) => helper.signals.record({ kind: 'query_refinement' }),
  'a signal on what is not there': ({ ana }) => ana.signals.record({ kind: 'result_share', record: NOBODY }),
  'signals to review': ({ ana }) => ana.signals.pending(),
  'review signals': ({ ana }) => ana.signals.review({ decision: 'reject' }),
  signals: ({ ana }) => ana.signals.summary({ limit: 10 }),
  register: ({ host }) =>
    host.capabilities.register({
      namespace: { namespace: 'garden', description: 'The garden.' },
      capability: { name: 'water', description: 'Waters it.' },
    }),
  capacity: ({ host }) =>
    host.capabilities.setCapacity({ capability: 'garden.water', leaseClass: 'hoses', limits: { total: 2 } }),
  lease: ({ ana }) => ana.capabilities.acquire({ capability: 'garden.water' }),
  'release the lease': ({ ana }, { lease }) =>
    ana.capabilities.release((lease as { lease: string | null }).lease ?? NOBODY),
  'release no lease': ({ ana }) => ana.capabilities.release(NOBODY),
  'register as an owner': ({ ana }) =>
    ana.reasons.register({ code: 'x', description: 'x', visibility: 'expose' }),
  lifecycle: ({ host }) =>
    host.capabilities.setLifecycle({ capability: 'garden.water', lifecycleState: 'retired' }),
  check: ({ helper }) => helper.capabilities.check({ capability: 'memory.forget' }),
  policy: ({ host }) =>
    host.policies.set({
      policy: 'reading',
      mode: 'deny_all_except',
      allowedCapabilities: [{ kind: 'exact', capability: 'memory.get' }],
    }),
  who: ({ host }) => host.capabilities.who({ of: 'garden' }),
  reason: ({ host }) =>
    host.reasons.register({ code: 'host.later', description: 'Not yet.', visibility: 'expose' }),
  forget: ({ ana }, { picnic }) => ana.forget(idIn(picnic)),
  'forget as the agent': ({ helper }, { picnic }) => helper.forget(idIn(picnic)),
  audit: ({ ana }) => wholeAudit(ana),
  // A client gives every change a key, so that it may send it again.
  operations: async ({ host }) =>
    (await host.audit.operations({ name: 'people.add' })).operations.map(
      ({ hasIdempotencyKey, ...rest }) => rest,
    ),
  checkpoint: ({ host }) => host.audit.checkpoint(),
  verify: ({ host }, { checkpoint }) => host.audit.verify({ checkpoint: checkpoint as never }),
  // For what comes after the day.
  leftover: ({ ana }) => ana.remember({ kind: 'note', text: 'left for later' }),
}

/**
 * To its end: of entries of one moment, it depends on their ids which are on a page, and so whether one shows that
 * another was asked for.
 */
async function wholeAudit(person: Handle) {
  const entries: unknown[] = []
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const page = await person.audit.list({ limit: 200, ...(cursor === undefined ? {} : { cursor }) })
    entries.push(...page.entries.filter(({ operation }) => operation !== 'audit.list'))
    cursor = page.cursor
  }
  return { entries }
}

const runIn = (search: unknown) => (search as { receipt: { searchRunId: string } }).receipt.searchRunId

/** What each step answered, or how it failed. */
export const play = (callers: Callers) => take(Object.entries(SCRIPT), callers)

/** One request of an operation that the day has no place for. */
export interface Sample {
  readonly operation: OperationName
  readonly by: 'ana' | 'host'
  readonly input: object
}

export const playSamples = (callers: Callers, samples: readonly Sample[]) =>
  take(
    samples.map(({ operation, by, input }) => [operation, callers => callers[by].invoke(operation, input)]),
    callers,
  )

async function take(steps: readonly [string, Step][], callers: Callers): Promise<Record<string, unknown>> {
  const seen: Record<string, unknown> = {}
  for (const [name, step] of steps)
    seen[name] = await step(callers, seen).catch((error: unknown) => {
      const { name: kind, code, message, reason = null } = error as Error & { code?: string; reason?: string }
      return { failed: { kind, code, message, reason } }
    })
  return JSON.parse(JSON.stringify(seen))
}
