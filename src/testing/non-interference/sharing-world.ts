import {
  DERIVED_MEMORY_SHARE_POLICIES,
  HOST_ANNOTATION_POLICIES,
  RESTRICTIONS,
  SURFACES,
  TEMPORAL_MODES,
  VERSION_KINDS,
  VISIBILITY_CLASSES,
} from '../../policy/vocabulary.js'
import { type Random, random } from './random.js'
import { idOf, maybe, TAGS, type Who, WORDS } from './world.js'

/** One step of a host's history. All ids are known in advance, because they are derived from the key. */
export interface SharingStep {
  readonly key: string
  readonly at: number
  /** A member of the tenant, or the name of a profile that was opened with a link. */
  readonly by: Who | string
  readonly operation: string
  readonly input: Readonly<Record<string, unknown>>
  /**
   * Which history has this step. `common`: both. `content`: those in which its record exists. `fact`: those that have
   * its target. `unshown`: notes of a host about documents, which recipients never see. `elsewhere`: what others do,
   * and what the host does with others.
   */
  readonly part: 'common' | 'content' | 'fact' | 'unshown' | 'elsewhere'
  /** The record that the step creates. */
  readonly creates: string | null
  /** Records that the step names. */
  readonly names: readonly string[]
  /** For a fact: the target key or the person that it is about. */
  readonly about: string | null
  /** The link that the step grants or opens, and the name of the opened profile. */
  readonly grants?: string
  readonly redeems?: string
  readonly opens?: string
}

/** A point at which the viewer sends a request. */
export interface Pause {
  readonly key: string
  readonly at: number
  readonly asks: number
}

export interface SharingWorld {
  readonly script: readonly (SharingStep | Pause)[]
  /** The link that the viewer opened. */
  readonly link: string
  /** Ids unrelated to the viewer: links, views and profiles of others. */
  readonly others: readonly string[]
  readonly end: number
}

export const SHARING_HOST: Who = { actor: 'hana' }
export const SHARING_COLLEAGUE: Who = { actor: 'hugo' }
const ADMIN: Who = { actor: 'admin', audience: 'host' }
export const SHARING_CALLERS: readonly Who[] = [SHARING_HOST, SHARING_COLLEAGUE, ADMIN]
export const VIEWER = 'viewer'
/** Both hosts have a corpus `bank`. */
export const SHARED_CORPORA = ['bank', 'file', 'desk'] as const
export const SHARING_PEOPLE = ['kim', 'lee', 'max'] as const
const FILING_UNITS = ['unit-1', 'unit-2'] as const
const VERSIONS = ['version-1', 'version-2', 'version-3'] as const
const PARTS = ['part-1', 'part-2'] as const
export const SHARED_DOCUMENTS = ['paper-1', 'paper-2', 'paper-3', 'paper-4'] as const
const CHUNKS = ['segment-1', 'segment-2'] as const

/** A file that several recipients send to their host. */
export const SENT_FILE = { document: 'answer.txt', content: Buffer.from('sent in').toString('base64') }

const START = Date.parse('2026-05-01T09:00:00.000Z')
const MINUTE = 60_000

/** Words that occur in only one place of one record. */
export const marksOf = (id: string) => ({
  title: `ttl${id.slice(0, 8)}`,
  early: `early${id.slice(0, 8)}`,
  late: `late${id.slice(0, 8)}`,
  field: `fld${id.slice(0, 8)}`,
  provenance: `prv${id.slice(0, 8)}`,
  tag: `tag${id.slice(0, 8)}`,
  span: `spn${id.slice(0, 8)}`,
})

interface MadeRecord {
  readonly id: string
  readonly by: Who
  /** Whether it was replaced, retracted or forgotten. */
  ended: boolean
}

/** Generates what a host stores and shares with a link, and what happens meanwhile as a recipient asks. */
export function makeSharing(rng: Random, name: string): SharingWorld {
  return new Script(rng, name).world()
}

class Script {
  readonly #rng: Random
  readonly #name: string
  readonly #script: (SharingStep | Pause)[] = []
  readonly #made: MadeRecord[] = []
  readonly #others: string[] = []
  readonly #overlays: { id: string; about: string }[] = []
  readonly #grants: { id: string; about: string; part: 'fact' | 'elsewhere' }[] = []
  /** Open profiles of other recipients. */
  readonly #sessions: { name: string; profile: string }[] = []
  readonly #links: { name: string; id: string }[] = []
  #views: string[] = []
  #link: string | null = null
  #isOpen = false
  #at = START

  constructor(rng: Random, name: string) {
    this.#rng = rng
    this.#name = name
  }

  world(): SharingWorld {
    const rng = this.#rng
    for (const person of SHARING_PEOPLE) {
      this.#common(SHARING_HOST, 'people.add', { person })
      this.#common(SHARING_COLLEAGUE, 'people.add', { person })
    }
    // Consent is mostly granted, because without it nothing of a record is visible.
    for (const person of rng.some(SHARING_PEOPLE, 0.6)) this.#consent(person, 'granted')
    const before = 12 + rng.below(8)
    for (let count = 0; count < before; count++) this.#turn(0.75)
    this.#share()
    this.#restrictSome()
    for (let count = rng.below(3); count > 0; count--) this.#turn(0.3)
    this.#redeem('main', VIEWER, 'common')
    this.#isOpen = true
    const rounds = 8 + rng.below(6)
    for (let round = 0; round < rounds; round++) {
      for (let count = 1 + rng.below(3); count > 0; count--) this.#turn(0.3)
      this.#pause(1 + rng.below(3))
    }
    this.#meanwhile()
    return { script: this.#script, link: this.#link ?? '', others: this.#others, end: this.#at + MINUTE }
  }

  get #next(): string {
    return `${this.#name}:${this.#script.length}`
  }

  #add(step: Omit<SharingStep, 'key' | 'at'>): string {
    const key = this.#next
    this.#at += MINUTE
    this.#script.push({ ...step, key, at: this.#at })
    return key
  }

  #pause(asks: number): void {
    const key = this.#next
    this.#at += MINUTE
    this.#script.push({ key, at: this.#at, asks })
  }

  #plain(
    part: SharingStep['part'],
    by: Who | string,
    operation: string,
    input: SharingStep['input'],
    more = {},
  ) {
    return this.#add({ part, by, operation, input, creates: null, names: [], about: null, ...more })
  }

  #common(by: Who, operation: string, input: SharingStep['input'], more = {}): string {
    return this.#plain('common', by, operation, input, more)
  }

  #consent(person: string, status: string): void {
    this.#plain('fact', SHARING_HOST, 'people.consent', { person, status }, { about: person })
  }

  /** One random step: mostly a record is written, sometimes something else happens. */
  #turn(keeping: number): void {
    const rng = this.#rng
    if (this.#made.length < 4 || rng.chance(keeping)) {
      this.#keep()
      return
    }
    const kind = rng.below(20)
    if (kind < 3) this.#revise()
    else if (kind < 5) this.#relabel()
    else if (kind < 6)
      this.#consent(rng.pick(SHARING_PEOPLE), rng.pick(['granted', 'granted', 'pending', 'revoked']))
    else if (kind < 9) this.#restrict()
    else if (kind < 11) this.#grant()
    else if (kind < 14) this.#note()
    else if (kind < 15) this.#keep(SHARING_COLLEAGUE)
    else this.#elsewhere()
  }

  #pickMade(by: Who = SHARING_HOST): MadeRecord | undefined {
    const own = this.#made.filter(one => one.by === by && !one.ended)
    return own.length === 0 ? undefined : this.#rng.pick(own)
  }

  #keep(by: Who = SHARING_HOST): void {
    const rng = this.#rng
    const id = idOf(this.#next, 'record')
    const own = this.#made.filter(one => one.by === by && !one.ended)
    const sources = rng.chance(0.15) ? rng.some(own, 0.2).slice(0, 2) : []
    const twinOf = sources.length === 0 && rng.chance(0.15) ? this.#pickMade(by) : undefined
    const draft = {
      ...makeDraft(rng, id, this.#at),
      ...makePlace(rng),
      ...(sources.length === 0 ? {} : { derivedFrom: sources.map(source => source.id) }),
      ...(twinOf === undefined ? {} : { redactedOf: twinOf.id }),
    }
    this.#add({
      part: by === SHARING_HOST ? 'content' : 'elsewhere',
      by,
      operation: 'memory.remember',
      input: { records: [draft] },
      creates: id,
      names: [...sources.map(source => source.id), ...(twinOf === undefined ? [] : [twinOf.id])],
      about: null,
    })
    this.#made.push({ id, by, ended: false })
  }

  #revise(): void {
    const rng = this.#rng
    const old = this.#pickMade()
    if (old === undefined) return
    const how = rng.pick(['supersede', 'supersede', 'supersede', 'merge', 'fork', 'retract', 'forget'])
    if (how === 'retract' || how === 'forget') {
      old.ended = true
      const input = how === 'forget' ? { records: [old.id] } : { how, record: old.id }
      const operation = how === 'forget' ? 'memory.forget' : 'memory.revise'
      this.#plain('content', SHARING_HOST, operation, input, { names: [old.id] })
      return
    }
    const id = idOf(this.#next, 'record')
    const { kind: _, markedShareable: __, ...by } = makeDraft(rng, id, this.#at)
    const beside = how === 'merge' ? this.#pickMade() : undefined
    const merged = beside !== undefined && beside.id !== old.id ? beside : undefined
    const named = merged === undefined ? [old] : [old, merged]
    this.#add({
      part: 'content',
      by: SHARING_HOST,
      operation: 'memory.revise',
      input:
        merged === undefined
          ? { how: how === 'merge' ? 'supersede' : how, record: old.id, by }
          : { how, records: named.map(one => one.id), by },
      creates: id,
      names: named.map(one => one.id),
      about: null,
    })
    for (const one of named) if (how !== 'fork') one.ended = true
    this.#made.push({ id, by: SHARING_HOST, ended: false })
  }

  #relabel(): void {
    const rng = this.#rng
    const one = this.#pickMade()
    if (one === undefined) return
    const change = rng.pick([
      { sensitivity: rng.pick(['public', 'low', 'medium', 'high', 'hyper']) },
      { visibilityClass: rng.pick(VISIBILITY_CLASSES) },
      { markedShareable: rng.chance(0.5) },
      { addParticipants: [rng.pick(SHARING_PEOPLE)] },
      { expiresAt: new Date(this.#at + MINUTE * (2 + rng.below(30))).toISOString() },
    ])
    this.#plain('content', SHARING_HOST, 'memory.relabel', { record: one.id, ...change }, { names: [one.id] })
  }

  #target(): { target: { kind: string; ref: string }; about: string } {
    const rng = this.#rng
    const made = this.#made.filter(({ by }) => by === SHARING_HOST).map(({ id }) => id)
    const [kind, refs] = rng.pick([
      // Most records are in one corpus, and restricting all of it would leave nothing to see.
      ['corpus', rng.chance(0.5) ? SHARED_CORPORA : ['file', 'desk']],
      ['filing_unit', FILING_UNITS],
      ['version', VERSIONS],
      ['part', PARTS],
      ['document', SHARED_DOCUMENTS],
      ['document', made],
      ['document', made],
      ['document', made],
      ['segment', CHUNKS],
    ] as const)
    const ref = rng.pick(refs)
    return { target: { kind, ref }, about: JSON.stringify([kind, SHARING_HOST.actor, ref]) }
  }

  #restrict(): void {
    const rng = this.#rng
    if (this.#overlays.length > 0 && rng.chance(0.4)) {
      const { id, about } = rng.pick(this.#overlays)
      this.#overlays.splice(
        this.#overlays.findIndex(one => one.id === id),
        1,
      )
      this.#plain('fact', SHARING_HOST, 'overlays.remove', { overlay: id }, { about })
      return
    }
    const { target, about } = this.#target()
    // A restriction on a whole corpus leaves little to see, so it is mostly a mild one.
    const mild = target.kind === 'corpus' || rng.chance(0.4)
    const restriction = mild ? rng.pick(['none', 'preview_only', 'redacted_only']) : rng.pick(RESTRICTIONS)
    this.#overlays.push({ id: idOf(this.#next, 'overlay'), about })
    this.#plain('fact', SHARING_HOST, 'overlays.add', { target, restriction }, { about })
  }

  /** Restricts some records in any case. It has a random generator of its own, so that the rest stays the same. */
  #restrictSome(): void {
    const chance = random(Number.parseInt(idOf(this.#name, 'restricted').slice(0, 8), 16))
    const made = this.#made.filter(({ by, ended }) => by === SHARING_HOST && !ended)
    const restrict = (restriction: string, grantee?: string) => {
      const target = { kind: 'document', ref: chance.pick(made).id }
      const about = JSON.stringify([target.kind, SHARING_HOST.actor, target.ref])
      this.#plain('fact', SHARING_HOST, 'overlays.add', { target, restriction }, { about })
      const part = grantee === `link:${this.#link}` ? 'fact' : 'elsewhere'
      if (grantee !== undefined) this.#plain(part, SHARING_HOST, 'grants.add', { grantee, target }, { about })
    }
    restrict('preview_only')
    if (chance.chance(0.7)) restrict('preview_only')
    if (chance.chance(0.6)) restrict('not_shareable')
    if (chance.chance(0.6)) restrict('explicit_access_required', this.#anyOther('link'))
    if (chance.chance(0.4)) restrict('explicit_access_required', `link:${this.#link}`)
  }

  #grant(): void {
    const rng = this.#rng
    if (this.#grants.length > 0 && rng.chance(0.25)) {
      const [taken] = this.#grants.splice(rng.below(this.#grants.length), 1)
      if (taken !== undefined)
        this.#plain(taken.part, SHARING_HOST, 'grants.revoke', { grant: taken.id }, { about: taken.about })
      return
    }
    const { target, about } = this.#target()
    const mine = this.#link !== null && rng.chance(0.6)
    const grantee = mine ? `link:${this.#link}` : rng.pick([this.#anyOther('link'), 'hugo', 'hana'])
    // The grant opens something that needs explicit access, so such a restriction is added first.
    if (rng.chance(0.6)) {
      this.#overlays.push({ id: idOf(this.#next, 'overlay'), about })
      this.#plain(
        'fact',
        SHARING_HOST,
        'overlays.add',
        { target, restriction: 'explicit_access_required' },
        { about },
      )
    }
    // A grant to the host itself decides what the host may write to.
    const part = mine || grantee === SHARING_HOST.actor ? 'fact' : 'elsewhere'
    this.#grants.push({ id: idOf(this.#next, 'grant'), about, part })
    this.#plain(part, SHARING_HOST, 'grants.add', { grantee, target }, { about })
  }

  #anyOther(kind: 'link'): string {
    const [any] = this.#links.filter(({ name }) => name !== 'main')
    return any === undefined ? `${kind}:${idOf(this.#name, 'made up')}` : `${kind}:${any.id}`
  }

  /** Notes of a host about its documents, which recipients never see. */
  #note(): void {
    const rng = this.#rng
    const one = this.#pickMade()
    if (one === undefined) return
    const note = (operation: string, input: object) =>
      this.#plain('unshown', SHARING_HOST, operation, { record: one.id, ...input }, { names: [one.id] })
    switch (rng.below(7)) {
      case 0:
        return void note('memory.relabel', { tags: [rng.pick(TAGS), rng.pick(WORDS)] })
      case 1:
        return void note('memory.relabel', { salience: rng.below(11) / 10, confidence: rng.below(11) / 10 })
      case 2:
        return void note('memory.revise', { how: 'contest', reason: rng.pick(WORDS) })
      case 3:
        return void note('memory.pin', {})
      case 4:
        return void note('memory.penalise', { by: 0.9 })
      case 5:
        return void note('memory.reinforce', { by: 0.9 })
      default:
        return void this.#plain('unshown', SHARING_HOST, 'signals.record', {
          kind: 'explicit_helpful',
          record: one.id,
        })
    }
  }

  /** What others do, and what the host does that does not concern the viewer. */
  #elsewhere(): void {
    const rng = this.#rng
    const session = this.#sessions.length === 0 ? undefined : rng.pick(this.#sessions)
    const any = this.#made.length === 0 ? idOf(this.#name, 'made up') : rng.pick(this.#made).id
    const host = (operation: string, input: SharingStep['input']) =>
      this.#plain('elsewhere', SHARING_HOST, operation, input)
    switch (rng.below(15)) {
      case 0:
      case 1: {
        const view = this.#view('elsewhere')
        this.#others.push(view)
        const name = `link ${this.#links.length}`
        this.#grantLink(name, [view], 'elsewhere')
        this.#redeem(name, `session ${this.#links.length}`, 'elsewhere')
        return
      }
      case 2:
      case 3:
        if (this.#link !== null) this.#redeem('main', `peer ${this.#script.length}`, 'elsewhere')
        return
      case 4:
      case 5:
      case 6:
      case 7: {
        if (session === undefined) return
        const [operation, input] = rng.pick<[string, object]>([
          ['search.execute', { query: `${rng.pick(WORDS)} ${rng.pick(WORDS)}` }],
          ['document_view.open', { document: any }],
          ['document_download.fetch', { document: any }],
          ['signals.record', { kind: 'explicit_helpful', record: any }],
          ['document_view.list', {}],
        ])
        return void this.#plain('elsewhere', session.name, operation, { ...input })
      }
      case 8:
        if (session === undefined) return
        return void host(rng.pick(['profiles.suspend', 'profiles.revoke']), { profile: session.profile })
      case 9:
        return void host('keys.create', { name: `key ${this.#script.length}` })
      case 13:
        // Policies of a tenant affect how a profile is opened; after that they no longer matter to it.
        if (this.#link === null || !this.#isOpen) return
        return void this.#plain('elsewhere', ADMIN, 'policies.set', {
          policy: `calm ${this.#script.length}`,
          mode: 'allow_all_except',
        })
      case 14:
        return void host('profiles.create', { sessionKind: 'host_session' })
      case 10:
        return void host('memory.search', { query: rng.pick(WORDS) })
      case 11: {
        const other = this.#links.filter(({ name }) => name !== 'main')
        if (other.length === 0 || this.#link === null) return
        return void host('links.revoke', { link: rng.pick(other).id, reason: 'over' })
      }
      default:
        return void host('agents.spawn', { agent: `scribe ${this.#script.length}`, maxSensitivity: 'high' })
    }
  }

  /** What the host does with links, and what those do who came by another one, by a copy or by the same. */
  #meanwhile(): void {
    const host = (operation: string, input: SharingStep['input'], more = {}) =>
      this.#plain('elsewhere', SHARING_HOST, operation, input, more)
    const view = this.#view('elsewhere', 'bank')
    this.#others.push(view)
    this.#grantLink('late', [view], 'elsewhere')
    this.#redeem('late', 'late', 'elsewhere')
    host('links.change', {
      link: this.#links.at(-1)?.id,
      expiresAt: new Date(this.#at + 90 * MINUTE).toISOString(),
      sessionIdleSeconds: 3_600,
    })
    host('links.change', { link: this.#link, notices: { events: [] } })
    const copy = { name: 'copy', id: idOf(this.#next, 'link') }
    this.#others.push(copy.id)
    this.#links.push(copy)
    host('links.copy', { link: this.#link, recipients: [{ name: 'berg' }] }, { grants: 'copy' })
    this.#redeem('copy', 'copied', 'elsewhere')
    this.#redeem('main', 'peer', 'elsewhere')
    for (const name of ['late', 'copied', 'peer']) {
      const document = this.#rng.pick(this.#made).id
      const other = (operation: string, input: SharingStep['input']) =>
        this.#plain('elsewhere', name, operation, input)
      other('document_view.reading', { document, pages: [{ page: 1, seconds: 30 }] })
      other('document_download.fetch', { document })
      other('upload.send', SENT_FILE)
    }
  }

  #view(part: 'common' | 'elsewhere', corpus: string = this.#rng.pick(SHARED_CORPORA)): string {
    const rng = this.#rng
    const id = idOf(this.#next, 'view')
    const viewTemporalMode = rng.pick(TEMPORAL_MODES)
    const made = this.#made.filter(({ by }) => by === SHARING_HOST).map(one => one.id)
    const all = { kind: 'all_documents' }
    const scope = rng.pick([
      ...[all, all, all, all, all],
      {
        kind: 'explicit_document_list',
        documentRefs: [
          ...rng.some(SHARED_DOCUMENTS, 0.6),
          rng.pick(SHARED_DOCUMENTS),
          ...rng.some(made, 0.6),
        ],
      },
      {
        kind: 'filing_unit_version_list',
        versionRefs: [rng.pick(VERSIONS), rng.pick(VERSIONS), 'version-9'],
      },
      {
        kind: 'structural_selector',
        selector: [
          ...FILING_UNITS.map(ref => ({ kind: 'filing_unit', ref })).slice(rng.below(2)),
          { kind: 'part', ref: rng.pick(PARTS) },
          { kind: 'segment', ref: rng.pick(CHUNKS) },
          { kind: 'document', ref: rng.pick([...made, ...SHARED_DOCUMENTS]) },
        ],
      },
    ])
    const surfaces = [...new Set(['source_documents', ...rng.some(SURFACES, 0.8)])]
    this.#plain(part, SHARING_HOST, 'views.create', {
      corpus,
      exposedSurfaces: surfaces,
      derivedMemorySharePolicy: rng.pick(DERIVED_MEMORY_SHARE_POLICIES),
      hostAnnotationPolicy: rng.pick(HOST_ANNOTATION_POLICIES),
      viewTemporalMode,
      documentScope: scope,
      visibilityClassCeiling: rng.pick(['privileged', ...VISIBILITY_CLASSES]),
      disclosesExclusions: rng.chance(0.25),
      ...(viewTemporalMode.startsWith('snapshot') && rng.chance(0.25)
        ? { snapshotAtTimestamp: new Date(this.#at - rng.below(8) * MINUTE).toISOString() }
        : {}),
    })
    return id
  }

  #share(): void {
    const rng = this.#rng
    this.#views = [this.#view('common', 'bank')]
    if (rng.chance(0.3)) this.#turn(0.5)
    if (rng.chance(0.3)) this.#views.push(this.#view('common', 'bank'))
    if (rng.chance(0.4)) this.#views.push(this.#view('common', 'file'))
    this.#grantLink('main', this.#views, 'common')
  }

  #grantLink(name: string, views: readonly string[], part: 'common' | 'elsewhere'): void {
    const rng = this.#rng
    // Sharing counts records in the index. Loading it before means that the request runs only once, and ids are as
    // predicted.
    this.#plain(part, SHARING_HOST, 'memory.search', { query: 'everything' })
    const id = idOf(this.#next, 'link')
    if (name === 'main') this.#link = id
    else this.#others.push(id)
    this.#links.push({ name, id })
    const input = {
      name: `for ${name}`,
      views,
      recipientIdentityMode: 'anonymous_share_token',
      maxSensitivity: rng.pick(['low', 'low', 'medium', 'medium', 'high']),
      auditVisibility: rng.pick(['both', 'both', 'host_only', 'session_local']),
      sessionSeconds: 30 * 24 * 3_600,
      // Only rate limits may reveal what other recipients of the same link use.
      rateLimits: {
        maxQueriesPerHour: 100_000,
        maxDocumentViewsPerHour: 100_000,
        maxUploadsPerDay: 100_000,
        maxRecipientSessionsConcurrent: 1_000,
      },
      ...maybe(rng, 0.2, {
        allowedActions: [
          { kind: 'namespace_all', namespace: 'search' },
          { kind: 'namespace_all', namespace: 'document_view' },
        ],
      }),
    }
    this.#plain(part, SHARING_HOST, 'links.grant', input, { grants: name })
  }

  #redeem(link: string, session: string, part: 'common' | 'elsewhere'): void {
    const id = this.#links.find(({ name }) => name === link)?.id ?? ''
    const by: Who = {
      actor: `link:${id}`,
      audience: 'recipient',
      trust: { maxSensitivity: 'public', scopes: ['share_link'] },
    }
    const profile = idOf(this.#next, 'profile')
    if (session !== VIEWER) {
      this.#others.push(profile)
      this.#sessions.push({ name: session, profile })
    }
    this.#plain(part, by, 'links.redeem', {}, { redeems: link, opens: session })
  }
}

/** Where in a corpus a record is filed. */
function makePlace(rng: Random) {
  const version = rng.pick(VERSIONS)
  return {
    corpus: rng.pick(['bank', 'bank', 'bank', 'bank', 'bank', 'file', 'file', 'desk']),
    surface: rng.chance(0.6) ? 'source_documents' : rng.pick(SURFACES),
    ...maybe(rng, 0.6, { filingUnit: rng.pick(FILING_UNITS) }),
    ...maybe(rng, 0.5, { version, versionKind: rng.pick(VERSION_KINDS) }),
    ...maybe(rng, 0.3, { part: rng.pick(PARTS) }),
    ...maybe(rng, 0.6, { document: rng.pick(SHARED_DOCUMENTS) }),
    ...maybe(rng, 0.2, { segment: rng.pick(CHUNKS) }),
  }
}

function makeDraft(rng: Random, id: string, at: number) {
  const mark = marksOf(id)
  const words = Array.from({ length: 4 + rng.below(24) }, () => rng.pick(WORDS)).join(' ')
  return {
    kind: rng.chance(0.05)
      ? 'ai_synthesis'
      : rng.pick(['document', 'document', 'segment', 'annotation', 'note']),
    title: `${mark.title} ${rng.pick(WORDS)}`,
    text: `${mark.early} ${`${words} `.padEnd(220, '.')} ${mark.late} ${rng.pick(WORDS)}`,
    tags: [mark.tag, ...rng.some(TAGS, 0.4), ...maybeWord(rng)],
    fields: { court: mark.field, size: rng.below(3) },
    provenance: { source: mark.provenance },
    salience: rng.below(11) / 10,
    pinned: rng.chance(0.2),
    confidence: rng.below(11) / 10,
    spans: [
      { document: rng.pick(SHARED_DOCUMENTS), start: 0, end: 1 + rng.below(9) },
      { document: mark.span, start: 0, end: 5 },
    ],
    // Biased towards open labels: leaks show up where visible and hidden records meet.
    sensitivity: rng.pick(['public', 'public', 'low', 'low', 'low', 'medium', 'medium', 'high']),
    visibilityClass: rng.chance(0.7) ? 'public_open' : rng.pick(VISIBILITY_CLASSES),
    participants: rng.some(SHARING_PEOPLE, 0.06),
    markedShareable: rng.chance(0.4),
    ...maybe(rng, 0.1, { scope: rng.pick(['share_link', 'work']) }),
    ...maybe(rng, 0.5, { occurredAt: new Date(at - rng.below(90) * MINUTE).toISOString() }),
    ...maybe(rng, 0.08, { expiresAt: new Date(at + MINUTE * (3 + rng.below(60))).toISOString() }),
  }
}

const maybeWord = (rng: Random) => (rng.chance(0.5) ? [rng.pick(WORDS)] : [])
