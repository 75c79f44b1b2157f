import { VERSION_KINDS } from '../../policy/vocabulary.js'
import { type Random, random } from './random.js'
import { idOf, maybe, type Who } from './world.js'

/** One step of a history with documents. All ids are known in advance, because they are derived from the key. */
export interface DocumentStep {
  readonly key: string
  readonly at: number
  readonly by: Who
  readonly operation: string
  readonly input: Readonly<Record<string, unknown>>
  /**
   * Which history has this step. `common`: both. `content`: those in which its records are visible or needed. `fact`:
   * those that have its target. `watch`: a step of a watch, as far as its files exist or are visible.
   */
  readonly part: 'common' | 'content' | 'fact' | 'watch'
  /** Records that the step names. */
  readonly names: readonly string[]
  /** For a fact: the key of its target. */
  readonly about: string | null
  /** For a watch: the watch and the documents concerned. */
  readonly watched?: WorldWatch
  /** The link that the step grants, or the viewer that it admits. */
  readonly grants?: string
  readonly lets?: DocumentViewer
  readonly redeems?: string
}

export interface WatchEvent {
  readonly binding: string
  readonly sourceEventId: string
}

export interface WorldWatch {
  readonly binding: string
  readonly documents: readonly string[]
}

/** An agent with less trust, an agent limited by views, the recipients of two links, and another owner. */
export const VIEWERS = ['aide', 'bound', 'live', 'snapshot', 'hugo', 'narrow'] as const
export type DocumentViewer = (typeof VIEWERS)[number]

export interface DocumentWorld {
  readonly steps: readonly DocumentStep[]
  readonly aide: Who
  /** The final cards of the files. */
  readonly cards: readonly string[]
  /** The watches, and all of their events. */
  readonly bindings: readonly string[]
  readonly events: readonly WatchEvent[]
  readonly end: number
}

export const DOCUMENT_HOST: Who = { actor: 'hana' }
export const DOCUMENT_GUEST: Who = { actor: 'hugo' }
/** A key of the host's that holds less than the host (NI-10). */
export const NARROWED_HOST: Who = {
  actor: DOCUMENT_HOST.actor,
  trust: { maxSensitivity: 'low' },
  visibility: { ceiling: 'party_confidential' },
}
const ADMIN: Who = { actor: 'admin', audience: 'host' }
export const DOCUMENT_CALLERS: readonly Who[] = [DOCUMENT_HOST, DOCUMENT_GUEST, ADMIN]

/** Both owners have all of these corpora; `bank` and `file` are shared. */
export const DOCUMENT_CORPORA = ['bank', 'file', 'desk'] as const
/** A corpus that only its owner sees. */
export const VAULT = 'vault'
export const UNITS = ['unit-1', 'unit-2', 'unit-3', 'unit-4'] as const
export const DOCUMENTS = ['a.txt', 'b.txt', 'c.txt', 'd.txt', 'e.txt'] as const
export const CASES = ['1:24-cv-01234', '3:23-cv-00567', '2:22-cr-00089'] as const
export const DAYS = ['2024-03-01', '2024-06-15', '2025-01-31'] as const
const ZONES = ['UTC', 'America/New_York', 'Pacific/Honolulu'] as const
/** With each of these, a part and a chunk of a file begin. */
export const HEADINGS = ['EXHIBIT A\n\n', '[PROPOSED] ORDER\n\n']
const DATE_FIELDS = ['filingDate', 'effectiveDate', 'rulingDate', 'docketEntryDate'] as const
const PART_KINDS = ['lead_argument', 'argument', 'exhibit', 'proposed_order'] as const

/** Each list holds forms of one citation or term. Texts use random forms, so some occur only in hidden texts. */
export const FORMS: readonly (readonly string[])[] = [
  ['PSLRA', 'Private Securities Litigation Reform Act'],
  ['ERISA', 'Employee Retirement Income Security Act'],
  ['FCPA', 'Foreign Corrupt Practices Act'],
  ['FLSA', 'Fair Labor Standards Act'],
  ['HIPAA', 'Health Insurance Portability and Accountability Act'],
  ['FDCPA', 'Fair Debt Collection Practices Act'],
  ['TCPA', 'Telephone Consumer Protection Act'],
  ['NLRA', 'National Labor Relations Act'],
  ['FCRA', 'Fair Credit Reporting Act'],
  ['SLUSA', 'Securities Litigation Uniform Standards Act'],
  ['MTD', 'motion to dismiss'],
  ['551 U.S. 308', '551 U. S. 308, 314', 'Tellabs, 551 US 308'],
  ['425 U.S. 185', '425 US 185, 193'],
  ['550 U.S. 544', '550 U. S. 544, 570'],
  ['556 U.S. 662', '556 US 662, 678'],
  ['15 U.S.C. § 78u-4', '15 USC 78u-4(b)(2)'],
  ['17 C.F.R. § 240.10b-5', '17 CFR 240.10b-5'],
]
export const FREQUENT_WORDS =
  'scienter pleading pleadings plead dismissal dismiss dismissed fraud inference inferences cogent market holder the the of and'.split(
    ' ',
  )
/** Words that occur in few texts: a misspelt one is suggested only if the viewer sees such a text. */
export const RARE_WORDS =
  'laches estoppel replevin champerty barratry escheat escheated novation novations mandamus garnish garnished'.split(
    ' ',
  )

const START = Date.parse('2026-05-01T09:00:00.000Z')
const MINUTE = 60_000

/** A word that occurs in only one text. */
const markOf = (key: string, at: number) => `zq${idOf(`${key}:${at}`, 'mark').slice(0, 8)}`
export const MARK = /zq[0-9a-f]{8}/g

/** Sentences of a text that is identified by its mark. */
export function makePassage(rng: Random, key: string, at: number, sentences: number): string {
  const said = Array.from({ length: sentences }, (_, index) => {
    const words = Array.from({ length: 7 }, () => rng.pick(FREQUENT_WORDS))
    if (index % 5 === 1) words.splice(3, 0, rng.pick(rng.pick(FORMS)))
    if (index % 5 === 3) words.push(rng.pick(RARE_WORDS))
    return `The ${words.join(' ')} stands.`
  })
  return [`Here ${markOf(key, at)} begins.`, ...said].join(' ')
}

/** Generates an owner's filings, what is shared of them, and the viewers. */
export function makeDocumentWorld(rng: Random, name: string): DocumentWorld {
  return new Script(rng, name).world()
}

interface File {
  readonly document: string
  readonly corpus: string
  readonly card: string
  readonly key: string
}

class Script {
  readonly #rng: Random
  readonly #name: string
  readonly #steps: DocumentStep[] = []
  readonly #files: File[] = []
  readonly #written: string[] = []
  readonly #bindings: string[] = []
  /** By document: its contribution to a watch, and the step that ingested the file. */
  readonly #contributions = new Map<string, { readonly id: string; readonly key: string }>()
  #watching = 0
  #at = START

  constructor(rng: Random, name: string) {
    this.#rng = rng
    this.#name = name
  }

  world(): DocumentWorld {
    const rng = this.#rng
    const maxSensitivity = 'low'
    const aide: Who = {
      actor: 'aide',
      audience: 'agent',
      for: DOCUMENT_HOST.actor,
      session: 'desk',
      policy: 'searcher',
      trust: { maxSensitivity },
      visibility: { ceiling: rng.pick(['public_open', 'party_confidential'] as const) },
    }
    this.#step(ADMIN, 'policies.set', { policy: 'searcher', mode: 'allow_all_except' })
    for (const owner of [DOCUMENT_HOST, DOCUMENT_GUEST]) {
      for (const person of ['kim', 'lee']) this.#step(owner, 'people.add', { person })
      this.#step(owner, 'people.consent', { person: 'kim', status: 'granted' })
    }
    for (const document of DOCUMENTS) this.#ingest(DOCUMENT_HOST, document)
    for (const document of DOCUMENTS.slice(0, 2)) this.#ingest(DOCUMENT_GUEST, document)
    this.#watch()
    for (let count = 0; count < 9; count++) this.#write(DOCUMENT_HOST)
    this.#write(DOCUMENT_GUEST)
    this.#twin()
    for (let count = 0; count < 6; count++) this.#remember()
    for (let count = 0; count < 5; count++) this.#restrict()
    this.#again('now')
    this.#share()
    this.#again(rng.pick(['now', 'later']))
    this.#write(DOCUMENT_HOST)
    this.#write(DOCUMENT_HOST)
    this.#remember()
    this.#seenInPart()
    this.#wait()
    this.#watchOn()
    return {
      steps: this.#steps,
      aide,
      cards: this.#files.map(({ card }) => card),
      bindings: this.#bindings,
      events: this.#steps.flatMap(({ operation, input }) =>
        operation === 'bindings.fire'
          ? { binding: String(input.binding), sourceEventId: String(input.sourceEventId) }
          : [],
      ),
      end: this.#at + MINUTE,
    }
  }

  get #next(): string {
    return `${this.#name}:${this.#steps.length - this.#watching}`
  }

  #add(step: Omit<DocumentStep, 'key' | 'at'>): string {
    // Watch steps have a counter of their own, so that a world is the same with and without them.
    const key = step.part === 'watch' ? this.#nextWatch : this.#next
    if (step.part === 'watch') this.#watching++
    this.#at += MINUTE
    this.#steps.push({ ...step, key, at: this.#at })
    return key
  }

  #step(by: Who, operation: string, input: DocumentStep['input'], more: Partial<DocumentStep> = {}): string {
    return this.#add({ part: 'common', by, operation, input, names: [], about: null, ...more })
  }

  /** Mostly open labels: leaks show up where visible and hidden records meet. */
  #label() {
    const rng = this.#rng
    return rng.pick<Record<string, unknown>>([
      ...Array.from({ length: 5 }, () => ({ sensitivity: 'public', visibilityClass: 'public_open' })),
      { sensitivity: 'low', visibilityClass: 'public_open', participants: ['kim'] },
      { sensitivity: 'medium', visibilityClass: 'public_open' },
      { sensitivity: 'medium', visibilityClass: 'public_open' },
      { sensitivity: 'medium', visibilityClass: 'public_open' },
      { sensitivity: 'high', visibilityClass: 'public_open' },
      { sensitivity: 'public', visibilityClass: 'party_confidential' },
      { sensitivity: 'public', visibilityClass: 'privileged' },
      { sensitivity: 'public', visibilityClass: 'sealed' },
      { sensitivity: 'public', visibilityClass: 'firewalled' },
      { sensitivity: 'public', visibilityClass: 'public_open', participants: ['lee'] },
    ])
  }

  #date() {
    const rng = this.#rng
    return { date: rng.pick(DAYS), timeZone: rng.pick(ZONES) }
  }

  /** A file with a caption, parts and several chunks. */
  #fileText(key: string): string {
    const rng = this.#rng
    const paragraphs = Array.from({ length: 3 + rng.below(2) }, (_, at) => makePassage(rng, key, at, 14))
    const last = paragraphs.pop() ?? ''
    const ending = rng.pick(['', ...HEADINGS])
    return `${[...paragraphs, `${ending}${last}`].join('\n\n')}\n`
  }

  #ingest(by: Who, document: string, more: Record<string, unknown> = {}): void {
    const rng = this.#rng
    const key = this.#next
    const corpus = rng.pick(['bank', 'bank', 'bank', 'file', 'desk'])
    const metadata = {
      ...maybe(rng, 0.7, { caseNumber: rng.pick(CASES) }),
      ...Object.fromEntries(rng.some(DATE_FIELDS, 0.5).map(field => [field, this.#date()])),
    }
    this.#step(
      by,
      'documents.ingest',
      {
        document,
        corpus,
        content: base64(this.#fileText(key)),
        title: `Brief ${document}`,
        ...maybe(rng, 0.8, { filingUnit: rng.pick(UNITS), versionKind: rng.pick(VERSION_KINDS) }),
        ...this.#label(),
        metadata,
        ...more,
      },
      { part: 'content' },
    )
    if (by === DOCUMENT_HOST && more.extract === undefined)
      this.#files.push({ document, corpus, card: idOf(key, 'record'), key })
  }

  /** Other bytes under the name of an existing file, which makes records derived from the previous version stale. */
  #again(extract: 'now' | 'later', file = this.#rng.pick(this.#files)): void {
    const key = this.#next
    const content = base64(this.#fileText(key))
    this.#step(
      DOCUMENT_HOST,
      'documents.ingest',
      { document: file.document, corpus: file.corpus, content, extract },
      { part: 'content', names: [file.card] },
    )
    if (extract === 'later') return
    this.#files.splice(this.#files.indexOf(file), 1, { ...file, card: idOf(key, 'record'), key })
  }

  /**
   * Situations that chance would seldom create: a replaced open file with a partly visible chunk and a less open
   * record derived from it before; two filings of one unit, one of them partly visible; and a corpus without visible
   * records.
   */
  #seenInPart(): void {
    const rng = this.#rng
    const open = { sensitivity: 'public', visibilityClass: 'public_open', participants: [] }
    const document = 'open.txt'
    const key = this.#next
    this.#ingest(DOCUMENT_HOST, document, { ...open, corpus: 'bank' })
    const file = this.#files.at(-1) as File
    const source = idOf(key, 'record', 1)
    this.#step(
      DOCUMENT_HOST,
      'memory.remember',
      {
        records: [
          {
            kind: 'semantic',
            surface: 'derived_memories',
            corpus: 'bank',
            title: 'Summary of what was replaced',
            text: makePassage(rng, this.#next, 0, 2),
            ...open,
            sensitivity: 'medium',
            derivedFrom: [source],
          },
        ],
      },
      { part: 'content', names: [source] },
    )
    this.#again('now', file)
    this.#overlay('segment', `${document}@2#2`, 'preview_only')
    const pair = [0, 1].map(() => {
      const made = this.#next
      const filing = { kind: 'document', surface: 'source_documents', corpus: 'bank', filingUnit: 'unit-2' }
      const draft = { ...this.#draft(made), ...open, ...filing, version: 'unit-2-v9', versionKind: 'amended' }
      this.#step(DOCUMENT_HOST, 'memory.remember', { records: [draft] }, { part: 'content' })
      return idOf(made, 'record')
    })
    this.#overlay('document', pair[0] as string, 'preview_only')
    const hidden = { ...this.#draft(this.#next), corpus: VAULT, visibilityClass: 'firewalled' }
    this.#step(DOCUMENT_HOST, 'memory.remember', { records: [hidden] }, { part: 'content' })
  }

  /** Files that wait to be read. */
  #wait(): void {
    const rng = this.#rng
    for (const by of [DOCUMENT_HOST, DOCUMENT_GUEST])
      this.#step(
        by,
        'documents.ingest',
        {
          document: `wait-${by.actor}.txt`,
          corpus: rng.pick([...DOCUMENT_CORPORA, 'attic']),
          filingUnit: rng.pick([...UNITS, 'unit-9']),
          content: base64(makePassage(rng, this.#next, 0, 3)),
          extract: 'later',
        },
        { part: 'content' },
      )
  }

  get #nextWatch(): string {
    return `${this.#name}:w${this.#watching}`
  }

  #watched(by: Who, operation: string, input: DocumentStep['input'], watched: WorldWatch): string {
    return this.#step(by, operation, input, { part: 'watch', watched })
  }

  /** A folder or a feed brings every file, visible and hidden ones side by side. */
  #watch(): void {
    const brought = {
      [DOCUMENT_HOST.actor]: this.#bind(DOCUMENT_HOST, DOCUMENTS),
      [DOCUMENT_GUEST.actor]: this.#bind(DOCUMENT_GUEST, ['a.txt']),
    }
    const ingested = this.#steps.filter(({ operation }) => operation === 'documents.ingest')
    for (const { key, by, input } of ingested) {
      const document = String(input.document)
      const of = brought[by.actor]?.get(document)
      if (of === undefined) continue
      const entry = { document, outcome: 'created', source: sourceOf(key) }
      const fired = this.#fire(by, { ...of, documents: [document] }, [entry])
      if (by === DOCUMENT_HOST) this.#contributions.set(document, { id: idOf(fired, 'contribution'), key })
    }
  }

  /** Two watches, and which of them brings which file. */
  #bind(by: Who, documents: readonly string[]): ReadonlyMap<string, WorldWatch> {
    return new Map(
      [0, 1].flatMap(which => {
        const own = documents.filter((_, at) => (at % 3 === 2 ? 1 : 0) === which)
        const binding = idOf(this.#nextWatch, 'watched')
        const watched = { binding, documents: own }
        const place =
          which === 0
            ? { kind: 'folder', location: `/srv/${by.actor}` }
            : { kind: 'feed', location: `https://courts.test/${by.actor}` }
        this.#watched(by, 'bindings.create', { name: `watched ${which}`, corpus: 'bank', ...place }, watched)
        this.#bindings.push(binding)
        return own.map(document => [document, watched] as const)
      }),
    )
  }

  #fire(by: Who, watched: WorldWatch, entries: readonly Readonly<Record<string, unknown>>[]): string {
    const { binding } = watched
    const sourceEventId = `event ${this.#watching}`
    return this.#watched(by, 'bindings.fire', { binding, sourceEventId, entries }, watched)
  }

  /** What happens to the watches: new versions, verdicts, and a scan that finds files missing or broken. */
  #watchOn(): void {
    const rng = random(Number.parseInt(idOf(this.#name, 'watching').slice(0, 8), 16))
    const [folder, feed] = this.#bindings as [string, string]
    const own = this.#files.filter(({ document }) => this.#contributions.has(document))
    const [inFeed, inFolder] = [true, false].map(is =>
      own.filter(
        ({ document }) => (DOCUMENTS.indexOf(document as (typeof DOCUMENTS)[number]) % 3 === 2) === is,
      ),
    ) as [File[], File[]]
    for (const [binding, files] of [
      [folder, inFolder],
      [feed, inFeed],
    ] as const) {
      for (const { document, key } of files.filter(
        one => one.key !== this.#contributions.get(one.document)?.key,
      ))
        this.#fire(DOCUMENT_HOST, { binding, documents: [document] }, [
          { document, outcome: 'versioned', source: sourceOf(key) },
        ])
      for (const { document } of rng.some(files, 0.6)) {
        const contribution = this.#contributions.get(document)?.id
        const verdict = rng.pick(['confirm', 'reject'])
        this.#watched(
          DOCUMENT_HOST,
          'bindings.judge',
          { contribution, verdict },
          { binding, documents: [document] },
        )
      }
      const documents = rng.some(files, 0.8).map(({ document }) => document)
      const entries = documents.map(document => ({
        document,
        ...rng.pick([{ outcome: 'removed' }, { outcome: 'failed', problem: 'unreadable' }]),
      }))
      if (entries.length > 0) this.#fire(DOCUMENT_HOST, { binding, documents }, entries)
    }
  }

  #fields() {
    const rng = this.#rng
    const at = ({ date, timeZone }: { date: string; timeZone: string }) => ({
      date,
      timeZone,
      at: `${date}T${timeZone === 'UTC' ? '00' : timeZone === 'America/New_York' ? '05' : '10'}:00:00.000Z`,
    })
    return {
      caseNumber: rng.pick(CASES),
      court: rng.pick(['Northern District', 'Southern District']),
      ...Object.fromEntries(rng.some(DATE_FIELDS, 0.6).map(field => [field, at(this.#date())])),
      ...maybe(rng, 0.7, { partKind: rng.pick(PART_KINDS) }),
    }
  }

  #draft(key: string): Record<string, unknown> {
    const rng = this.#rng
    const unit = rng.pick(UNITS)
    return {
      kind: rng.pick(['document', 'document', 'segment', 'annotation', 'note']),
      title: `On ${rng.pick(FREQUENT_WORDS)} ${rng.pick(RARE_WORDS)}`,
      text: makePassage(rng, key, 0, 4 + rng.below(6)),
      corpus: rng.pick(['bank', 'bank', 'bank', 'file', 'desk']),
      surface: rng.pick(['source_documents', 'source_documents', 'source_documents', 'host_annotations']),
      fields: this.#fields(),
      salience: rng.below(11) / 10,
      ...this.#label(),
      ...maybe(rng, 0.8, {
        filingUnit: unit,
        version: `${unit}-v${rng.below(4)}`,
        versionKind: rng.pick(VERSION_KINDS),
      }),
      ...maybe(rng, 0.3, { document: rng.pick(['p.pdf', 'q.pdf']) }),
    }
  }

  #write(by: Who): void {
    const key = this.#next
    const id = idOf(key, 'record')
    this.#step(by, 'memory.remember', { records: [this.#draft(key)] }, { part: 'content' })
    if (by === DOCUMENT_HOST) this.#written.push(id)
  }

  /** A sealed filing, and the redacted twin that is shown in its place. */
  #twin(): void {
    const key = this.#next
    const id = idOf(key, 'record')
    const sealed = { ...this.#draft(key), kind: 'document', surface: 'source_documents', corpus: 'bank' }
    this.#step(
      DOCUMENT_HOST,
      'memory.remember',
      { records: [{ ...sealed, sensitivity: 'public', visibilityClass: 'sealed', participants: [] }] },
      { part: 'content' },
    )
    const twinKey = this.#next
    this.#step(
      DOCUMENT_HOST,
      'memory.remember',
      {
        records: [
          {
            ...sealed,
            text: makePassage(this.#rng, twinKey, 0, 3),
            sensitivity: 'public',
            visibilityClass: 'public_open',
            participants: [],
            redactedOf: id,
          },
        ],
      },
      { part: 'content', names: [id] },
    )
  }

  /** Records derived from documents, with spans into visible and hidden ones. */
  #remember(): void {
    const rng = this.#rng
    const key = this.#next
    const file = rng.pick(this.#files)
    const quoted = [file, rng.pick(this.#files), rng.pick(this.#files)]
    const places = quoted.map(({ document }) => {
      const start = rng.below(2_000)
      return { document, start, end: start + 20 + rng.below(200) }
    })
    // Every other one cites the beginning of one document alone, which is long enough for it.
    const spans =
      (places[0]?.start ?? 0) % 2 === 0
        ? places
        : places.slice(0, 1).map(({ document }) => ({ document, start: 0, end: 20 }))
    const sources = rng.chance(0.5)
      ? [idOf(file.key, 'record', rng.below(3))]
      : rng.chance(0.3)
        ? [rng.pick(this.#written)]
        : []
    this.#step(
      DOCUMENT_HOST,
      'memory.remember',
      {
        records: [
          {
            kind: rng.pick(['semantic', 'semantic', 'annotation', 'note']),
            surface: rng.pick(['derived_memories', 'derived_memories', 'host_annotations']),
            corpus: rng.pick(['bank', 'bank', 'file']),
            title: `Summary ${rng.pick(RARE_WORDS)}`,
            text: makePassage(rng, key, 0, 2),
            markedShareable: rng.chance(0.7),
            spans,
            ...this.#label(),
            ...(sources.length === 0 ? {} : { derivedFrom: sources }),
          },
        ],
      },
      // What the spans cite is a source, too.
      { part: 'content', names: [...sources, ...quoted.map(({ key }) => idOf(key, 'record'))] },
    )
  }

  #restrict(): void {
    const rng = this.#rng
    const file = rng.pick(this.#files)
    const [kind, ref] = rng.pick<[string, string]>([
      ['segment', `${file.document}@1#2`],
      ['segment', `${file.document}@1#2`],
      ['segment', `${file.document}@1#3`],
      ['filing_unit', rng.pick(UNITS)],
      ['version', `${rng.pick(UNITS)}-v1`],
      ['version', `${file.document}@1`],
      ['document', file.document],
      ['document', rng.pick(this.#written)],
      ['document', rng.pick(this.#written)],
      ['corpus', 'desk'],
    ])
    const restriction = rng.pick([
      'blocked',
      'preview_only',
      'preview_only',
      'not_shareable',
      'redacted_only',
    ])
    this.#overlay(kind, ref, restriction)
  }

  #overlay(kind: string, ref: string, restriction: string): void {
    const about = JSON.stringify([kind, DOCUMENT_HOST.actor, ref])
    this.#step(DOCUMENT_HOST, 'overlays.add', { target: { kind, ref }, restriction }, { part: 'fact', about })
  }

  #share(): void {
    const rng = this.#rng
    const surfaces = (fields: boolean) => [
      'source_documents',
      'derived_memories',
      ...(rng.chance(0.5) ? ['host_annotations'] : []),
      ...(fields ? ['filing_metadata'] : []),
    ]
    const view = (corpus: string, viewTemporalMode: string, fields: boolean) => {
      const id = idOf(this.#next, 'view')
      this.#step(DOCUMENT_HOST, 'views.create', {
        corpus,
        exposedSurfaces: surfaces(fields),
        derivedMemorySharePolicy: rng.pick(['include_with_provenance', 'include_only_user_marked_shareable']),
        hostAnnotationPolicy: 'include_marked_shareable',
        viewTemporalMode,
        documentScope: { kind: 'all_documents' },
        visibilityClassCeiling: rng.pick(['public_open', 'party_confidential']),
      })
      return id
    }
    const exposed = rng.chance(0.5)
    const live = ['bank', 'file'].map(corpus => view(corpus, 'live_view', exposed))
    const snapshot = [view('bank', 'snapshot_at_share', !exposed)]
    // Sharing counts records in the index. Loading it before means that the request runs only once.
    this.#step(DOCUMENT_HOST, 'memory.search', { query: 'everything' })
    for (const [link, views] of Object.entries({ live, snapshot })) {
      const linkId = idOf(this.#next, 'link')
      this.#step(
        DOCUMENT_HOST,
        'links.grant',
        {
          name: link,
          views,
          recipientIdentityMode: 'anonymous_share_token',
          maxSensitivity: rng.pick(['low', 'medium']),
          sessionSeconds: 30 * 24 * 3_600,
          // The viewer asks after a while: a session that ended in between would be told nothing.
          sessionIdleSeconds: 30 * 24 * 3_600,
          rateLimits: {
            maxQueriesPerHour: 100_000,
            maxDocumentViewsPerHour: 100_000,
            maxRecipientSessionsConcurrent: 1_000,
          },
        },
        { grants: link },
      )
      const by: Who = {
        actor: `link:${linkId}`,
        audience: 'recipient',
        trust: { maxSensitivity: 'public', scopes: ['share_link'] },
      }
      this.#step(by, 'links.redeem', {}, { redeems: link, lets: link as 'live' | 'snapshot' })
    }
    this.#step(
      DOCUMENT_HOST,
      'agents.spawn',
      {
        agent: 'bound',
        capabilityPolicyRef: 'searcher',
        sharedCorpusViewRefs: live,
        maxSensitivity: 'medium',
        visibilityClassCeiling: 'party_confidential',
        binding: { contextInheritancePolicy: 'scoped_inherit' },
      },
      { lets: 'bound' },
    )
  }
}

/** The file that a step ingested. Reading a file starts the step again, so its id is the second one. */
const sourceOf = (key: string): string => idOf(key, 'source', 1)

export const base64 = (text: string): string => Buffer.from(text).toString('base64')
