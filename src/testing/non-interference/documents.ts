import type { Credential } from '../../runtime/caller.js'
import type { Database } from '../../storage/database.js'
import { type TestClock, testClock } from '../clock.js'
import { documentCounterpart } from './documents-counterpart.js'
import { inspectDocuments, type ReaderOfWorld, type SeenDocuments } from './documents-reference.js'
import { documentRequests } from './documents-requests.js'
import {
  DOCUMENT_CALLERS,
  DOCUMENT_GUEST,
  type DocumentStep,
  type DocumentViewer,
  type DocumentWorld,
  MARK,
  makeDocumentWorld,
  NARROWED_HOST,
  VIEWERS,
} from './documents-world.js'
import type { Leak } from './harness.js'
import { type Connect, History, introduce, type TestedPrivity } from './history.js'
import { type Answer, cursorOf, type LeakKind } from './probes.js'
import { random } from './random.js'
import { reportDefects } from './report-defects.js'
import { isRead, type Request } from './requests.js'
import { idOf, type Who } from './world.js'

export interface DocumentOptions {
  /** How to reach the setup under test; `connectTo` creates this from the options of `open`. */
  readonly connect: Connect
  readonly seed?: number
  readonly worlds?: number
  /** The viewers in each world. Default: all of them. */
  readonly viewers?: (world: number) => readonly DocumentViewer[]
  /** Whether to search by meaning too, which needs a setup with an embedding provider. */
  readonly meaning?: boolean
  /** Stops at the first leak. */
  readonly failFast?: boolean
  readonly onViewer?: (about: ViewerAccount) => void
}

/** Statistics for one viewer, which show whether the check was meaningful. */
export interface ViewerAccount {
  readonly world: number
  readonly viewer: DocumentViewer
  readonly asked: number
  /** Search results, and those with a span into a source. */
  readonly results: number
  readonly spans: number
  readonly expansions: number
  /** Results by meaning alone, and rows about files that a watch brought. */
  readonly meant: number
  readonly brought: number
  /** Visible records, and those left out or changed in the other history. */
  readonly seen: number
  readonly hidden: number
}

/**
 * Generates owners with corpora of filings: versions, parts and chunks, sealed filings and their twins, memories with
 * spans into them, and folders and feeds that bring them. Each world is loaded as two histories that differ only in
 * what discloses nothing to a viewer. The viewer sends the same requests to both, to the router and to every
 * operation on documents: every byte of the answers must be equal, and so must the statements (NI-3, NI-5).
 *
 * @example
 * const leaks = await checkDocumentNonInterference({ connect: connectTo({ dataDir: './scratch' }), worlds: 5 })
 */
export async function checkDocumentNonInterference(options: DocumentOptions): Promise<Leak[]> {
  const { seed = 1, worlds = 5, failFast = false, meaning = false, viewers = () => VIEWERS } = options
  const clock = testClock()
  const trace: string[] = []
  const leaks: Leak[] = []
  const defects: Leak[] = []
  const {
    privity,
    twin = privity,
    db,
  } = await reportDefects(options.connect, defects)(clock, sql => trace.push(sql))
  try {
    for (let world = seed; world < seed + worlds; world++) {
      const made = makeDocumentWorld(random(world), `d${world}`)
      const whole = await Run.start({ privity, db, clock, trace }, `d${world}-whole`)
      const succeeded = await whole.goThrough(made.steps, step => step)
      for (const viewer of viewers(world)) {
        const found = await compare({ privity: twin, db, clock, trace }, made, whole, succeeded, {
          world,
          viewer,
          failFast,
          meaning,
        })
        leaks.push(...found.leaks)
        options.onViewer?.(found.account)
        if (failFast && leaks.length > 0) return [...leaks, ...defects]
      }
    }
  } finally {
    if (twin !== privity) await twin.close()
    await privity.close()
  }
  return [...leaks, ...defects]
}

interface Stage {
  readonly privity: TestedPrivity
  readonly db: Database
  readonly clock: TestClock
  readonly trace: string[]
}

interface RunOptions {
  readonly world: number
  readonly viewer: DocumentViewer
  readonly failFast: boolean
  readonly meaning: boolean
}

const SECOND = 1_000

async function compare(
  stage: Stage,
  made: DocumentWorld,
  whole: Run,
  succeeded: ReadonlySet<string>,
  { world, viewer, failFast, meaning }: RunOptions,
): Promise<{ leaks: Leak[]; account: ViewerAccount }> {
  const records = await whole.look(made, viewer)
  const other = await Run.start(stage, `d${world}-${viewer}`)
  const who = whole.whoIs(made, viewer)
  await other.goThrough(made.steps, documentCounterpart(made.steps, records, succeeded, who))
  const there = await other.look(made, viewer)
  if (spell(records) !== spell(there))
    throw new Error(
      `world ${world}: ${viewer} sees something else in the other history\n${spell(records)}\n${spell(there)}`,
    )
  const leaks: Leak[] = []
  const heard = {
    records: [...records.keys()].sort(),
    cards: made.cards,
    marks: marksIn([...records.values()].map(({ text }) => text)),
    // The viewer's own watches come first.
    bindings: viewer === 'hugo' ? made.bindings.toReversed() : made.bindings,
    events: made.events,
    meaning,
  }
  const key = `d${world}:${viewer}`
  const requests = documentRequests(viewer, { ...heard, key })
  const hidden = hiddenIn(records)
  const counts = { asked: 0, results: 0, spans: 0, expansions: 0, meant: 0, brought: 0 }
  for (let index = 0; index < requests.length; index++) {
    const request = requests[index] as Request
    const at = made.end + (VIEWERS.indexOf(viewer) * 1_000 + index) * SECOND
    const askedKey = `${key}:${index}`
    const first = await whole.ask(askedKey, at, who, request)
    const second = await other.ask(askedKey, at, other.whoIs(made, viewer), request)
    const leak = (kind: LeakKind, detail: string) => leaks.push({ kind, detail, world, viewer: who, request })
    for (const [kind, detail] of differences(request, first, second)) leak(kind, detail)
    for (const answer of first) for (const [kind, detail] of told(answer, request, hidden)) leak(kind, detail)
    const values = first.map(({ value }) => value as CheckedAnswer | null)
    for (const value of values) {
      counts.results += value?.results?.length ?? 0
      counts.spans += value?.results?.filter(({ sourceSpans }) => (sourceSpans?.length ?? 0) > 0).length ?? 0
      counts.expansions += value?.expansions?.length ?? 0
      if (request.input.mode === 'vector') counts.meant += value?.results?.length ?? 0
      counts.brought += (value?.outcomes ?? value?.contributions)?.length ?? 0
    }
    counts.asked++
    if (failFast && leaks.length > 0) break
    // Now and then, the receipt of a search is read right after it.
    const searchRun = values[0]?.receipt?.searchRunId ?? values[0]?.searchRun
    if (typeof searchRun === 'string' && index % 3 === 0)
      requests.splice(index + 1, 0, { operation: 'receipts.get', input: { searchRun }, traced: true })
  }
  const all = [...records.values()]
  const seen = all.filter(({ level }) => level !== 'none').length
  return { leaks, account: { world, viewer, ...counts, seen, hidden: all.length - seen } }
}

interface CheckedAnswer {
  readonly results?: readonly { readonly sourceSpans?: readonly unknown[] }[]
  readonly expansions?: readonly unknown[]
  readonly outcomes?: readonly unknown[]
  readonly contributions?: readonly unknown[]
  readonly receipt?: { readonly searchRunId?: unknown } | null
  readonly searchRun?: unknown
}

/** What a viewer sees as text: which records, and how much of each. */
const spell = (records: SeenDocuments): string =>
  [...records.values()]
    .filter(({ level, framed }) => level !== 'none' || framed === 'full')
    .map(({ id, level, framed, text }) => `${id} ${level} ${framed} ${level === 'full' ? text.length : ''}`)
    .sort()
    .join('\n')

const marksIn = (texts: readonly string[]) => [...new Set(texts.flatMap(text => text.match(MARK) ?? []))]

/** Ids and words of what is not visible at all. */
function hiddenIn(records: SeenDocuments): readonly string[] {
  const all = [...records.values()]
  const [seen, unseen] = [true, false].map(is =>
    all.filter(({ level, framed }) => (level !== 'none' || framed === 'full') === is),
  ) as [typeof all, typeof all]
  const shown = new Set(
    marksIn(
      seen.map(({ level, framed, text, spans, tuple }) => {
        if (level === 'full' || framed === 'full') return text
        const start = tuple.kind === 'segment' ? (spans[0]?.start ?? 200) : 0
        return level === 'preview' ? text.slice(0, Math.max(0, 200 - start)) : ''
      }),
    ),
  )
  return [
    ...unseen.map(({ id }) => id),
    ...marksIn(all.map(({ text }) => text)).filter(mark => !shown.has(mark)),
  ]
}

/** No answer names or quotes hidden records, unless the request already did. */
function* told(
  { text }: Answer,
  { input }: Request,
  hidden: readonly string[],
): Generator<[LeakKind, string]> {
  const asked = JSON.stringify(input)
  for (const word of hidden)
    if (text.includes(word) && !asked.includes(word))
      yield [word.startsWith('zq') ? 'hidden content' : 'hidden id', `${word}: ${text}`]
}

type HistoryAnswer = Awaited<ReturnType<History['ask']>>

function* differences(
  request: Request,
  first: readonly HistoryAnswer[],
  second: readonly HistoryAnswer[],
): Generator<[LeakKind, string]> {
  for (let page = 0; page < Math.max(first.length, second.length); page++) {
    const [one, other] = [first[page], second[page]]
    if (one?.text !== other?.text) yield ['bytes', `page ${page + 1}: ${one?.text}\n${other?.text}`]
    else if (one !== undefined && other !== undefined && request.traced && (!one.ok || isRead(request))) {
      const at = one.statements.findIndex((sql, index) => sql !== other.statements[index])
      if (at >= 0 || one.statements.length !== other.statements.length)
        yield ['statements', `${one.statements[at]}\n${other.statements[at]}`]
    }
  }
}

/** Whether a request was refused, and did not fail for a technical reason. */
const isRefusal = ({ value }: Answer) =>
  !['unavailable', 'internal'].includes(String((value as { code?: unknown } | null)?.code))

/** One history and the viewers that were admitted in it. */
class Run {
  readonly #history: History
  readonly #stage: Stage
  readonly #tokens = new Map<string, string>()
  readonly #let = new Map<string, Who>()

  private constructor(stage: Stage, history: History) {
    this.#stage = stage
    this.#history = history
  }

  static async start(stage: Stage, tenant: string): Promise<Run> {
    const history = new History(tenant, stage.privity, stage.clock, stage.trace)
    await introduce(history, DOCUMENT_CALLERS)
    return new Run(stage, history)
  }

  /** Runs the given steps and returns which succeeded; for a missing step only time passes. */
  async goThrough(
    steps: readonly DocumentStep[],
    as: (step: DocumentStep) => DocumentStep | null,
  ): Promise<ReadonlySet<string>> {
    const succeeded = new Set<string>()
    for (const planned of steps) {
      const step = as(planned)
      if (step === null) {
        await this.#history.tick(planned.at)
        continue
      }
      const told = await this.#take(step)
      if (told.ok) succeeded.add(step.key)
      else if (step.part === 'common' || !isRefusal(told))
        throw new Error(`could not ${step.operation}: ${told.text}`)
    }
    return succeeded
  }

  async #take(step: DocumentStep): Promise<HistoryAnswer> {
    const input = step.redeems === undefined ? step.input : { token: this.#tokens.get(step.redeems) ?? '' }
    const told = await this.#history.ask(step.key, step.at, step.by, { operation: step.operation, input })
    const value = told.value as { token?: string; key?: unknown; secret?: string }
    if (step.grants !== undefined && value.token) this.#tokens.set(step.grants, value.token)
    const secret = value.secret ?? value.key
    if (step.lets !== undefined && typeof secret === 'string')
      this.#let.set(step.lets, await this.#enter(secret))
    return told
  }

  async #enter(secret: string): Promise<Who> {
    const { authenticate } = this.#stage.privity
    if (authenticate === undefined) throw new Error('whoever comes with a key needs a door that takes it')
    const { credential } = (await this.#stage.privity.authenticate?.(secret)) as { credential: Credential }
    // Without the key itself, because its last use is recorded asynchronously, at no fixed point of a request.
    const { tenant: _, key: __, ...who } = credential
    return who
  }

  whoIs({ aide }: DocumentWorld, viewer: DocumentViewer): Who {
    if (viewer === 'aide') return aide
    if (viewer === 'hugo') return DOCUMENT_GUEST
    if (viewer === 'narrow') return NARROWED_HOST
    const who = this.#let.get(viewer)
    if (who === undefined) throw new Error(`${viewer} never came in`)
    return who
  }

  /** Everything that exists, and what the viewer sees of it by the reference. */
  look(world: DocumentWorld, viewer: DocumentViewer): Promise<SeenDocuments> {
    const link = linkOf(world, viewer === 'bound' ? 'live' : viewer)
    const looking: ReaderOfWorld = { who: this.whoIs(world, viewer), link }
    return inspectDocuments(this.#stage.db, this.#history.tenant, looking, world.end)
  }

  /** Asks page by page. */
  async ask(key: string, at: number, who: Who, request: Request): Promise<HistoryAnswer[]> {
    const told: HistoryAnswer[] = []
    let asked = request
    for (let page = 0; page < 6; page++) {
      const one = await this.#history.ask(page === 0 ? key : `${key}:${page}`, at, who, asked)
      told.push(one)
      const cursor = one.ok ? cursorOf(one.value) : null
      if (cursor === null) break
      asked = { ...request, input: { ...request.input, cursor } }
    }
    return told
  }
}

function linkOf({ steps }: DocumentWorld, name: string): string | null {
  const step = steps.find(({ grants }) => grants === name)
  return step === undefined ? null : idOf(step.key, 'link')
}
