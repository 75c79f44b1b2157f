import type { InputOf, OperationName, OutputOf } from './operations.js'
import type { RequestOptions } from './runtime/runtime.js'

type NewRecord = InputOf<'memory.remember'>['records'][number]
type Stored = OutputOf<'memory.remember'>['records'][number]

/** Runs an operation by its name, here or on a server. */
export type Invoke = (name: OperationName, input: unknown, options?: RequestOptions) => Promise<unknown>

/** Everything one caller can ask for, as plain methods. */
export type Handle = ReturnType<typeof makeHandle>

export function makeHandle(invoke: Invoke) {
  const method =
    <Name extends OperationName>(name: Name) =>
    (input: InputOf<Name>, options?: RequestOptions): Promise<OutputOf<Name>> =>
      invoke(name, input, options) as Promise<OutputOf<Name>>
  const ask =
    <Name extends OperationName>(name: Name) =>
    (input?: InputOf<Name>, options?: RequestOptions): Promise<OutputOf<Name>> =>
      invoke(name, input ?? {}, options) as Promise<OutputOf<Name>>

  const rememberMany = method('memory.remember')

  /** Keeps one record or many; many are kept together or not at all. */
  function rememberRecords(record: NewRecord, options?: RequestOptions): Promise<Stored>
  function rememberRecords(records: readonly NewRecord[], options?: RequestOptions): Promise<Stored[]>
  async function rememberRecords(
    given: NewRecord | readonly NewRecord[],
    options?: RequestOptions,
  ): Promise<Stored | Stored[]> {
    const many = Array.isArray(given)
    const { records } = await rememberMany({ records: many ? [...given] : [given as NewRecord] }, options)
    return many ? records : (records[0] as Stored)
  }

  return {
    /** Runs any operation by its name, for who has only that. */
    invoke,
    remember: rememberRecords,
    /** One record as this caller may see it; null when there is none to be seen. */
    get: (record: string, options?: RequestOptions) => method('memory.get')({ record }, options),
    list: ask('memory.list'),
    /** What this caller may see, in order of when it happened. */
    timeline: ask('memory.timeline'),
    /** The best of what this caller may see, with a receipt of what was searched. */
    search: (query: string, asked: Omit<InputOf<'memory.search'>, 'query'> = {}, options?: RequestOptions) =>
      method('memory.search')({ ...asked, query }, options),
    /** Ways to go on with what is being typed, from words this caller can see. */
    complete: (
      text: string,
      asked: Omit<InputOf<'memory.complete'>, 'text'> = {},
      options?: RequestOptions,
    ) => method('memory.complete')({ ...asked, text }, options),
    /** What is known around a task: the best results of a search, and what they lead to. */
    retrieveGraph: (
      task: string,
      asked: Omit<InputOf<'memory.retrieve_graph'>, 'task'> = {},
      options?: RequestOptions,
    ) => method('memory.retrieve_graph')({ ...asked, task }, options),
    relate: method('memory.relate'),
    revise: method('memory.revise'),
    relabel: method('memory.relabel'),
    /** Makes a record more salient than it is now; `by` is a part of what is missing to 1. */
    reinforce: (record: string, asked: { by?: number } = {}, options?: RequestOptions) =>
      method('memory.reinforce')({ ...asked, record }, options),
    /** Makes a record less salient than it is now; `by` is a part of what there is. */
    penalise: (record: string, asked: { by?: number } = {}, options?: RequestOptions) =>
      method('memory.penalise')({ ...asked, record }, options),
    /** Keeps a record as salient as it is now. */
    pin: (record: string, options?: RequestOptions) => method('memory.pin')({ record }, options),
    unpin: (record: string, options?: RequestOptions) => method('memory.unpin')({ record }, options),
    /** Makes one semantic record of several episodic ones, through the configured model. */
    consolidate: (asked: InputOf<'memory.consolidate'> = {}, options?: RequestOptions) =>
      method('memory.consolidate')(asked, options),
    /** Deletes one record or many, with everything made from them. */
    forget: (records: string | readonly string[], options?: RequestOptions) =>
      method('memory.forget')({ records: typeof records === 'string' ? [records] : [...records] }, options),
    explain: method('memory.explain'),
    searches: {
      save: method('searches.save'),
      list: ask('searches.list'),
      /** What a saved search finds that it did not find at the last look. */
      changes: (search: string, asked: { mark?: boolean } = {}, options?: RequestOptions) =>
        method('searches.changes')({ ...asked, search }, options),
      delete: (search: string, options?: RequestOptions) => method('searches.delete')({ search }, options),
    },
    receipts: {
      get: (searchRun: string, options?: RequestOptions) => method('receipts.get')({ searchRun }, options),
      list: ask('receipts.list'),
      cite: method('receipts.cite'),
      deliver: method('receipts.deliver'),
      feedback: method('receipts.feedback'),
      mark: method('receipts.mark'),
      purge: (options?: RequestOptions) => method('receipts.purge')({}, options),
    },
    index: { rebuild: (options?: RequestOptions) => method('index.rebuild')({}, options) },
    people: {
      add: method('people.add'),
      get: (person: string, options?: RequestOptions) => method('people.get')({ person }, options),
      list: ask('people.list'),
      consent: method('people.consent'),
      remove: method('people.remove'),
    },
    consents: {
      /** Asks the person this agent works for to grant somebody. */
      request: method('consents.request'),
      mine: ask('consents.mine'),
      list: ask('consents.list'),
      decide: method('consents.decide'),
    },
    requests: {
      /** Why a request of one's own was refused; null for anything else. */
      whyRefused: (requestId: string, options?: RequestOptions) =>
        method('requests.why_refused')({ requestId }, options),
    },
    groups: {
      create: method('groups.create'),
      list: ask('groups.list'),
      addMember: method('groups.add_member'),
      removeMember: method('groups.remove_member'),
    },
    overlays: { add: method('overlays.add'), list: ask('overlays.list'), remove: method('overlays.remove') },
    grants: { add: method('grants.add'), list: ask('grants.list'), revoke: method('grants.revoke') },
    keys: {
      /** The secret is in this answer and nowhere else. */
      create: method('keys.create'),
      list: ask('keys.list'),
      revoke: (key: string, options?: RequestOptions) => method('keys.revoke')({ key }, options),
    },
    profiles: {
      create: ask('profiles.create'),
      update: method('profiles.update'),
      /** How its agents are bound: what its kind has, or less. */
      bind: method('profiles.bind'),
      activate: (profile: string, options?: RequestOptions) =>
        method('profiles.activate')({ profile }, options),
      suspend: method('profiles.suspend'),
      resume: (profile: string, options?: RequestOptions) => method('profiles.resume')({ profile }, options),
      revoke: method('profiles.revoke'),
      discard: (profile: string, options?: RequestOptions) =>
        method('profiles.discard')({ profile }, options),
      get: (profile: string, options?: RequestOptions) => method('profiles.get')({ profile }, options),
      list: ask('profiles.list'),
      setPolicy: method('profiles.set_policy'),
      policies: ask('profiles.policies'),
      /** How this caller reads now: its session, its views and its limits. */
      current: (options?: RequestOptions) => method('profiles.current')({}, options),
      leave: (options?: RequestOptions) => method('profiles.leave')({}, options),
      log: ask('profiles.log'),
    },
    views: {
      create: method('views.create'),
      get: (view: string, options?: RequestOptions) => method('views.get')({ view }, options),
      list: ask('views.list'),
      delete: (view: string, options?: RequestOptions) => method('views.delete')({ view }, options),
      /** What several views show together, and which of them restricted what. */
      effective: (views: readonly string[], options?: RequestOptions) =>
        method('views.effective')({ views: [...views] }, options),
      changes: ask('views.changes'),
    },
    links: {
      /** The token is in this answer and nowhere else. */
      grant: method('links.grant'),
      get: (link: string, options?: RequestOptions) => method('links.get')({ link }, options),
      list: ask('links.list'),
      requests: ask('links.requests'),
      decide: method('links.decide'),
      redeem: method('links.redeem'),
      revoke: method('links.revoke'),
      /** What was searched, shown and taken by a link. */
      accessLog: method('links.access_log'),
    },
    documents: {
      /** Shared documents by their titles and texts alone, as whoever they are shared with finds them. */
      plan: method('search.plan'),
      search: method('search.execute'),
      expand: method('search.expand'),
      bundle: method('search.bundle'),
      complete: method('search.complete'),
      list: ask('document_view.list'),
      open: (document: string, options?: RequestOptions) =>
        method('document_view.open')({ document }, options),
      download: (document: string, options?: RequestOptions) =>
        method('document_download.fetch')({ document }, options),
      /** Takes in a file: a new document, a new version of one, or nothing where it is the same. */
      ingest: method('documents.ingest'),
      /** Reads a file that was taken in before and not read. */
      extract: method('documents.extract'),
      /** Documents as their cards, with where they stand and how far they were read. */
      cards: ask('documents.list'),
      get: (id: string, options?: RequestOptions) => method('documents.get')({ id }, options),
      read: (id: string, asked: Omit<InputOf<'documents.read'>, 'id'> = {}, options?: RequestOptions) =>
        method('documents.read')({ ...asked, id }, options),
      original: (id: string, options?: RequestOptions) => method('documents.original')({ id }, options),
      fields: method('documents.fields'),
      sources: ask('documents.sources'),
      remove: method('documents.remove'),
    },
    bindings: {
      /** Names a folder or a feed to be watched, by `watchFolder` and `watchFeed`. */
      create: method('bindings.create'),
      list: ask('bindings.list'),
      setState: method('bindings.set_state'),
      remove: (binding: string, options?: RequestOptions) => method('bindings.remove')({ binding }, options),
      /** Writes down what became of the files of one event. */
      fire: method('bindings.fire'),
      rejected: method('bindings.rejected'),
      judge: method('bindings.judge'),
      outcome: method('bindings.outcome'),
      outcomes: method('bindings.outcomes'),
      manifest: method('bindings.manifest'),
      contributions: method('bindings.contributions'),
      health: method('bindings.health'),
    },
    agents: {
      /** The secret is in this answer and nowhere else. */
      spawn: method('agents.spawn'),
      list: ask('agents.list'),
      end: method('agents.end'),
    },
    sessions: {
      create: method('sessions.create'),
      get: (session: string, options?: RequestOptions) => method('sessions.get')({ session }, options),
      list: ask('sessions.list'),
      invite: (session: string, options?: RequestOptions) => method('sessions.invite')({ session }, options),
      join: (session: string, options?: RequestOptions) => method('sessions.join')({ session }, options),
      decline: (session: string, options?: RequestOptions) =>
        method('sessions.decline')({ session }, options),
      setState: method('sessions.set_state'),
      leave: method('sessions.leave'),
      delete: (session: string, options?: RequestOptions) => method('sessions.delete')({ session }, options),
      /** For a host: takes somebody out of every mediation. */
      erasePerson: (person: string, options?: RequestOptions) =>
        method('sessions.erase_person')({ person }, options),
    },
    stages: {
      get: (session: string, options?: RequestOptions) => method('stages.get')({ session }, options),
      signCompact: (session: string, options?: RequestOptions) =>
        method('stages.sign_compact')({ session }, options),
      confirmHeard: (session: string, options?: RequestOptions) =>
        method('stages.confirm_heard')({ session }, options),
      advance: (session: string, options?: RequestOptions) => method('stages.advance')({ session }, options),
    },
    vessel: {
      write: method('vessel.write'),
      list: method('vessel.list'),
      confirmNeeds: method('vessel.confirm_needs'),
    },
    bridge: {
      request: method('bridge.request'),
      pending: (session: string, options?: RequestOptions) => method('bridge.pending')({ session }, options),
      decide: method('bridge.decide'),
      revoke: method('bridge.revoke'),
      history: (session: string, options?: RequestOptions) => method('bridge.history')({ session }, options),
    },
    empathy: {
      draft: method('empathy.draft'),
      share: method('empathy.share'),
      validate: method('empathy.validate'),
    },
    commonGround: {
      find: (session: string, options?: RequestOptions) => method('common_ground.find')({ session }, options),
      confirm: method('common_ground.confirm'),
    },
    strategies: {
      submit: method('strategies.submit'),
      pool: (session: string, options?: RequestOptions) => method('strategies.pool')({ session }, options),
      rank: method('strategies.rank'),
    },
    agreements: {
      propose: method('agreements.propose'),
      agree: method('agreements.agree'),
      close: method('agreements.close'),
      list: method('agreements.list'),
    },
    experiments: { add: method('experiments.add'), report: method('experiments.report') },
    shared: { list: method('shared.list') },
    turns: {
      /** What a model may be told before it answers a message. */
      context: method('turns.context'),
      list: method('turns.list'),
    },
    library: {
      /** Small things that two people could try. */
      list: ask('library.list'),
      /** What a contribution would look like, anonymised; nothing is kept. */
      preview: method('library.preview'),
      contribute: method('library.contribute'),
      mine: ask('library.mine'),
      withdraw: (entry: string, options?: RequestOptions) => method('library.withdraw')({ entry }, options),
    },
    notifications: {
      list: ask('notifications.list'),
      /** Marks some of one's own as read; answers how many are not. */
      read: (notifications: readonly string[], options?: RequestOptions) =>
        method('notifications.read')({ notifications: [...notifications] }, options),
    },
    webhooks: {
      /** The secret is in this answer and nowhere else. */
      create: method('webhooks.create'),
      list: ask('webhooks.list'),
      delete: (webhook: string, options?: RequestOptions) => method('webhooks.delete')({ webhook }, options),
      /** Sends a ping, which arrives as any other delivery does. */
      test: (webhook: string, options?: RequestOptions) => method('webhooks.test')({ webhook }, options),
    },
    signals: {
      /** Tells what was done with a result, as far as the session captures it. */
      record: method('signals.record'),
      /** What the signals of others add up to, before they are accepted. */
      pending: ask('signals.pending'),
      review: method('signals.review'),
      summary: ask('signals.summary'),
    },
    capabilities: {
      register: method('capabilities.register'),
      setLifecycle: method('capabilities.set_lifecycle'),
      list: ask('capabilities.list'),
      check: method('capabilities.check'),
      who: method('capabilities.who'),
      setCapacity: method('capabilities.set_capacity'),
      acquire: method('capabilities.acquire'),
      release: (lease: string, options?: RequestOptions) =>
        method('capabilities.release')({ lease }, options),
    },
    policies: { set: method('policies.set'), list: ask('policies.list') },
    reasons: { register: method('reasons.register'), list: ask('reasons.list') },
    audit: {
      list: ask('audit.list'),
      operations: ask('audit.operations'),
      verify: ask('audit.verify'),
      checkpoint: (options?: RequestOptions) => method('audit.checkpoint')({}, options),
    },
  }
}
