import type { Database } from '../../storage/database.js'
import { type TestClock, testClock } from '../clock.js'
import { checkShared } from './check-shared.js'
import type { Leak } from './harness.js'
import { type Connect, History, introduce, type TestedPrivity } from './history.js'
import { type Answer, cursorOf, type LeakKind } from './probes.js'
import { random } from './random.js'
import { reportDefects } from './report-defects.js'
import { isRead, type Request } from './requests.js'
import {
  type Course,
  countedCorpora,
  counterpartOf,
  noteSeen,
  type SeenHistory,
  spellSeen,
} from './sharing-counterpart.js'
import { inspectShared, type SeenByLink, type SharedContents } from './sharing-reference.js'
import { makeRecipientRequest, makeRecipientRequests, type RecipientKnowledge } from './sharing-requests.js'
import {
  makeSharing,
  type Pause,
  SHARING_CALLERS,
  SHARING_HOST,
  type SharingStep,
  type SharingWorld,
  VIEWER,
} from './sharing-world.js'
import type { Who } from './world.js'

export interface RecipientOptions {
  /** How to reach the setup under test; `connectTo` creates this from the options of `open`. */
  readonly connect: Connect
  readonly seed?: number
  readonly worlds?: number
  /** Stops at the first leak. */
  readonly failFast?: boolean
  readonly onWorld?: (world: number, about: WorldAccount) => void
}

/** Statistics of a world, which show whether the check was meaningful. */
export interface WorldAccount {
  readonly asked: number
  /** Records of which the recipient saw something, and those left out of the other history. */
  readonly seen: number
  readonly leftOut: number
  /** Whether no record could be left out, because a hidden one later decided what is visible. */
  readonly everything: boolean
}

/**
 * Generates hosts that share part of a corpus with a link, each as two histories that differ only in what discloses
 * nothing to the recipient of that link: host notes, other corpora, restricted records, additions after a snapshot,
 * and what other recipients do. The recipient sends the same requests to both: every byte of every answer must be
 * equal, and so must the statements of every read and every refusal (NI-3, NI-5, SV-3). Each answer is also checked
 * against the slow reference.
 *
 * @example
 * const leaks = await checkRecipientNonInterference({ connect: connectTo({ dataDir: './scratch' }), worlds: 20 })
 */
export async function checkRecipientNonInterference(options: RecipientOptions): Promise<Leak[]> {
  const { seed = 1, worlds = 20, failFast = false } = options
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
    for (let world = 0; world < worlds; world++) {
      const sharing = new Sharing({ privity, twin, db, clock, trace }, seed + world, leaks, failFast)
      const account = await sharing.check()
      options.onWorld?.(seed + world, account)
      if (failFast && leaks.length > 0) break
    }
  } finally {
    if (twin !== privity) await twin.close()
    await privity.close()
  }
  return [...leaks, ...defects]
}

interface Stage {
  readonly privity: TestedPrivity
  readonly twin: TestedPrivity
  readonly db: Database
  readonly clock: TestClock
  readonly trace: string[]
}

/** A question and its answer in the whole history, page by page. */
interface AskedQuestion {
  readonly key: string
  readonly at: number
  readonly request: Request
  readonly told: readonly HistoryAnswer[]
  readonly seen: SeenByLink
}
type HistoryAnswer = Awaited<ReturnType<History['ask']>>

const SECOND = 1_000

/** One host that shares, as two histories. */
class Sharing {
  readonly #stage: Stage
  readonly #seed: number
  readonly #world: SharingWorld
  readonly #leaks: Leak[]
  readonly #failFast: boolean

  constructor(stage: Stage, seed: number, leaks: Leak[], failFast: boolean) {
    this.#stage = stage
    this.#seed = seed
    this.#world = makeSharing(random(seed), `s${seed}`)
    this.#leaks = leaks
    this.#failFast = failFast
  }

  async check(): Promise<WorldAccount> {
    const { course, asked, excluded } = await this.#goThrough()
    for (const one of asked)
      checkShared(one, { excluded, others: this.#world.others }, (kind, detail) =>
        this.#leak(kind, one.request, detail),
      )
    const seen = [...course.ever.values()].filter(({ level }) => level !== 'none').length
    let everything = false
    if (this.#failFast && this.#leaks.length > 0) return { asked: asked.length, seen, leftOut: 0, everything }
    let compared = await this.#repeat(course, asked, { everything })
    if (compared === null) {
      everything = true
      compared = await this.#repeat(course, asked, { everything })
    }
    if (compared === null) throw new Error(`world ${this.#seed}: the other history shows something else`)
    this.#leaks.push(...compared.leaks)
    return { asked: asked.length, seen, leftOut: compared.leftOut, everything }
  }

  /** Runs the whole history, with every question in its place. */
  async #goThrough(): Promise<{ course: Course; asked: AskedQuestion[]; excluded: number }> {
    const { script, link, end } = this.#world
    const steps = script.filter((one): one is SharingStep => 'operation' in one)
    const course = {
      steps,
      succeeded: new Set<string>(),
      telling: new Set<string>(),
      ever: new Map<string, SeenHistory>(),
      corpora: new Map<string, never>() as Course['corpora'],
    }
    const asked: AskedQuestion[] = []
    const run = await this.#start('whole', this.#stage.privity)
    let contents = await inspectShared(this.#stage.db, run.history.tenant, link)
    let excluded = 0
    const ask = async (key: string, at: number, request: Request) => {
      const seen = contents.seenAt(at)
      noteSeen(course.ever, seen)
      asked.push({ key, at, request, told: await run.ask(key, at, request), seen })
    }
    for (const one of script) {
      if (!('operation' in one)) {
        for (let count = 0; count < one.asks; count++) {
          const { key, at } = questionAt(one, count)
          await ask(key, at, makeRecipientRequest(this.#heard(one.key, key, asked)))
        }
        continue
      }
      const before = spellSeen(contents.seenAt(one.at))
      const answer = await run.take(one)
      if (answer?.ok) course.succeeded.add(one.key)
      else if (one.part === 'common')
        throw new Error(`world ${this.#seed}: could not ${one.operation}: ${answer?.text}`)
      contents = await inspectShared(this.#stage.db, run.history.tenant, link)
      const after = contents.seenAt(one.at)
      noteSeen(course.ever, after)
      if (spellSeen(after) !== before) course.telling.add(one.key)
      if (one.grants === 'main') {
        course.corpora = after.corpora
        excluded = this.#noteCounted(course, contents, one.at)
      }
    }
    const plan = { key: `s${this.#seed}:last`, start: end, span: 100 * SECOND }
    for (const { key, at, request } of makeRecipientRequests(plan, this.#heard(plan.key, plan.key, asked)))
      await ask(key, at, request)
    return { course, asked, excluded }
  }

  /** Records that are counted as left out when a view is shared must exist in both histories (CV-4). */
  #noteCounted(course: Course, contents: SharedContents, at: number): number {
    const corpora = countedCorpora(course.steps)
    for (const one of course.ever.values()) if (corpora.has(one.corpus)) one.counted = true
    return contents.excludedAt(at, SHARING_HOST.actor)
  }

  /** Runs the other history; null if it is invalid, because the viewer sees something else in it by the reference. */
  async #repeat(
    course: Course,
    asked: readonly AskedQuestion[],
    { everything }: { everything: boolean },
  ): Promise<{ leaks: Leak[]; leftOut: number } | null> {
    const { script, link } = this.#world
    const other = counterpartOf(course, { everything })
    const run = await this.#start(everything ? 'other-whole' : 'other', this.#stage.twin)
    const leaks: Leak[] = []
    let leftOut = 0
    let contents = await inspectShared(this.#stage.db, run.history.tenant, link)
    const byKey = new Map(asked.map(one => [one.key, one]))
    const repeat = async (one: AskedQuestion): Promise<boolean> => {
      if (spellSeen(contents.seenAt(one.at)) !== spellSeen(one.seen)) return false
      const told = await run.ask(one.key, one.at, one.request)
      for (const [kind, detail] of differences(one.request, one.told, told))
        leaks.push(this.#leakOf(kind, one.request, detail))
      return true
    }
    for (const one of script) {
      if (!('operation' in one)) {
        for (let count = 0; count < one.asks; count++) {
          const question = byKey.get(questionAt(one, count).key)
          if (question !== undefined && !(await repeat(question))) return null
        }
        if (this.#failFast && leaks.length > 0) return { leaks, leftOut }
        continue
      }
      const step = other(one)
      if (step === null) {
        if (one.creates !== null && course.succeeded.has(one.key)) leftOut++
        await run.history.tick(one.at)
        continue
      }
      const answer = await run.take(step)
      if (!answer?.ok) return null
      contents = await inspectShared(this.#stage.db, run.history.tenant, link)
    }
    for (const one of asked.filter(({ key }) => key.startsWith(`s${this.#seed}:last:`))) {
      if (!(await repeat(one))) return null
      if (this.#failFast && leaks.length > 0) break
    }
    return { leaks, leftOut }
  }

  async #start(name: string, privity: TestedPrivity): Promise<Run> {
    const { clock, trace } = this.#stage
    const history = new History(`s${this.#seed}-${name}`, privity, clock, trace)
    await introduce(history, SHARING_CALLERS)
    return new Run(history, privity)
  }

  #heard(until: string, key: string, asked: readonly AskedQuestion[]): RecipientKnowledge {
    const { script, others } = this.#world
    const at = script.findIndex(one => one.key === until)
    const past = (at < 0 ? script : script.slice(0, at)).filter(
      (one): one is SharingStep => 'operation' in one,
    )
    return {
      records: past.flatMap(({ creates }) => creates ?? []),
      others,
      before: [
        ...asked.slice(-12).map(one => one.key),
        ...past.filter(({ operation }) => LEAVES_RUNS.has(operation)).map(one => one.key),
      ],
      key,
    }
  }

  #leak(kind: LeakKind, request: Request, detail: string): void {
    this.#leaks.push(this.#leakOf(kind, request, detail))
  }

  #leakOf(kind: LeakKind, request: Request, detail: string): Leak {
    return { kind, detail, world: this.#seed, viewer: { actor: VIEWER, audience: 'recipient' }, request }
  }
}

const LEAVES_RUNS: ReadonlySet<string> = new Set([
  'search.execute',
  'memory.search',
  'document_download.fetch',
])

const questionAt = ({ key, at }: Pause, count: number) => ({
  key: `${key}:${count}`,
  at: at + (1 + count) * SECOND,
})

/** One history, with the tokens granted in it and the profiles that they opened. */
class Run {
  readonly history: History
  readonly #privity: TestedPrivity
  readonly #tokens = new Map<string, string>()
  readonly #sessions = new Map<string, Who>()

  constructor(history: History, privity: TestedPrivity) {
    this.history = history
    this.#privity = privity
  }

  /** Runs a step; null if the profile that would do it was never opened. */
  async take(step: SharingStep): Promise<HistoryAnswer | null> {
    const by = typeof step.by === 'string' ? this.#sessions.get(step.by) : step.by
    if (by === undefined) return null
    const input = step.redeems === undefined ? step.input : { token: this.#tokens.get(step.redeems) ?? '' }
    const told = await this.history.ask(step.key, step.at, by, { operation: step.operation, input })
    if (!told.ok) return told
    const value = told.value as { token?: string; key?: string; copies?: readonly { token: string }[] }
    if (step.grants !== undefined)
      this.#tokens.set(step.grants, value.token ?? value.copies?.[0]?.token ?? '')
    if (step.opens !== undefined && value.key) {
      if (this.#privity.authenticate === undefined) throw new Error('whoever comes by a link needs a key')
      // Without the key itself, because its last use is recorded asynchronously, at no fixed point of a request.
      const { tenant: _, key: __, ...who } = (await this.#privity.authenticate(value.key)).credential
      this.#sessions.set(step.opens, who)
    }
    return told
  }

  /** The viewer asks, page by page to the end. */
  async ask(key: string, at: number, request: Request): Promise<HistoryAnswer[]> {
    const by = this.#sessions.get(VIEWER)
    if (by === undefined) throw new Error('the viewer never came in')
    const told: HistoryAnswer[] = []
    let asked = request
    for (let page = 0; page < 60; page++) {
      const one = await this.history.ask(page === 0 ? key : `${key}:${page}`, at, by, asked)
      told.push(one)
      const cursor = one.ok ? cursorOf(one.value) : null
      if (cursor === null) break
      asked = { ...request, input: { ...request.input, cursor } }
    }
    return told
  }
}

function* differences(
  request: Request,
  first: readonly HistoryAnswer[],
  second: readonly HistoryAnswer[],
): Generator<[LeakKind, string]> {
  for (let page = 0; page < Math.max(first.length, second.length); page++) {
    const [one, other] = [first[page], second[page]]
    if (one?.text !== other?.text) yield ['bytes', `page ${page + 1}: ${one?.text}\n${other?.text}`]
    else if (one !== undefined && other !== undefined && isTraced(request, one)) {
      const at = one.statements.findIndex((sql, index) => sql !== other.statements[index])
      if (at >= 0 || one.statements.length !== other.statements.length)
        yield [
          'statements',
          `page ${page + 1}: ${one.statements.length} statements, ${other.statements.length} statements; at ${at}: ${one.statements[at]}\n${other.statements[at]}`,
        ]
    }
  }
}

/** A read runs the same statements whatever is hidden; so does a write that is refused (NI-5). */
const isTraced = (request: Request, { ok }: Answer) => request.traced && (!ok || isRead(request))
