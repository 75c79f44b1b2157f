import { type TestClock, testClock } from '../clock.js'
import type { Leak } from './harness.js'
import { type Connect, type ConnectedStore, History, introduce } from './history.js'
import { makeAllRequests, makeRequestsInBetween, type PartnerKnowledge } from './mediation-requests.js'
import {
  type Act,
  ANA,
  BEN,
  KEPT,
  MEDIATION_CALLERS,
  type MediationStep,
  type MediationWorld,
  makeMediation,
  mediatorFor,
  NARROWED_ANA,
} from './mediation-world.js'
import type { PlannedRequest } from './planned-request.js'
import { type Answer, cursorOf, type LeakKind } from './probes.js'
import { random, randomOf } from './random.js'
import { reportDefects } from './report-defects.js'
import { isRead, type Request } from './requests.js'
import { idOf, type Who } from './world.js'

export interface PartnerOptions {
  /** How to reach the setup under test; `connectTo` creates this from the options of `open`. */
  readonly connect: Connect
  readonly seed?: number
  readonly worlds?: number
  /** Stops at the first leak. */
  readonly failFast?: boolean
  readonly onWorld?: (world: number) => void
}

/**
 * Generates mediations between two people, each as two histories that differ only in what one of them keeps private:
 * the content of their vessel, what they are asked for and deny, how they rank, what they do elsewhere. The other
 * person sends the same requests to both, directly and through an agent: every byte of every answer must be equal,
 * and so must the statements of every read and every refusal (NI-3, NI-5, RC-5). What is shared, and the state of the
 * gates, is the same in both (NI-8).
 *
 * @example
 * const leaks = await checkPartnerNonInterference({ connect: connectTo({ dataDir: './scratch' }), worlds: 20 })
 */
export async function checkPartnerNonInterference(options: PartnerOptions): Promise<Leak[]> {
  const { seed = 1, worlds = 20, failFast = false } = options
  const clock = testClock()
  const trace: string[] = []
  const leaks: Leak[] = []
  const defects: Leak[] = []
  const connected = await reportDefects(options.connect, defects)(clock, sql => trace.push(sql))
  try {
    for (let world = 0; world < worlds; world++) {
      await new Twins(connected, clock, trace, seed + world, leaks, failFast).check()
      options.onWorld?.(world)
      if (failFast && leaks.length > 0) break
    }
  } finally {
    await connected.twin?.close()
    await connected.privity.close()
  }
  return [...leaks, ...defects]
}

const SECOND = 1_000

/** One mediation as two histories. */
class Twins {
  readonly #seed: number
  readonly #whole: History
  readonly #other: History
  readonly #leaks: Leak[]
  readonly #failFast: boolean
  /** Ids that ana must not learn. */
  readonly #hidden = new Set<string>()
  /** Ids of requests that ben may have received, which ana must not learn either. */
  readonly #asked = new Set<string>()
  /** Ids of what was shared with ana before it was revoked: the notifications of both still name it. */
  readonly #told = new Set<string>()

  constructor(
    { privity, twin = privity }: ConnectedStore,
    clock: TestClock,
    trace: string[],
    seed: number,
    leaks: Leak[],
    failFast: boolean,
  ) {
    this.#seed = seed
    this.#whole = new History(`m${seed}-whole`, privity, clock, trace)
    this.#other = new History(`m${seed}-other`, twin, clock, trace)
    this.#leaks = leaks
    this.#failFast = failFast
  }

  async check(): Promise<void> {
    const world = makeMediation(random(this.#seed), `m${this.#seed}`)
    for (const history of [this.#whole, this.#other]) await introduce(history, MEDIATION_CALLERS)
    for (const step of world.steps) {
      await this.#take(step)
      for (const id of step.hides) this.#hidden.add(id)
      for (const id of requestsMadeBy(step)) this.#asked.add(id)
      for (let count = 0; count < step.asks; count++) {
        const heard = this.#heard(world, `${step.key}:ask:${count}`)
        const requests = makeRequestsInBetween(step.at + (1 + count) * SECOND, heard)
        if (!(await this.#askAll(requests))) return
      }
      if (this.#isOver) return
    }
    const plan = { key: `m${this.#seed}:last`, start: world.end, span: 100 * SECOND }
    await this.#askAll(makeAllRequests(plan, this.#heard(world, plan.key)))
  }

  /** Asks until it is over; false if it is. */
  async #askAll(planned: readonly PlannedRequest[]): Promise<boolean> {
    for (const { key, at, request } of planned) {
      await this.#ask(key, at, request)
      if (this.#isOver) return false
    }
    return true
  }

  /** What ana may know by now. Her latest session comes first, because it is the current one. */
  #heard({ sessions, open, hidden }: MediationWorld, key: string): PartnerKnowledge {
    const own = sessions.filter(session => !hidden.includes(session)).reverse()
    const foreign = sessions.filter(session => hidden.includes(session))
    return {
      sessions: [...own, ...foreign],
      open,
      hidden: [...this.#hidden],
      requests: [...this.#asked],
      key,
    }
  }

  get #isOver(): boolean {
    return this.#failFast && this.#leaks.length > 0
  }

  /** Runs a step in both histories. A common step must succeed in both, or the generated world is invalid. */
  async #take(step: MediationStep): Promise<void> {
    const first = await perform(this.#whole, step, step.whole)
    const second = await perform(this.#other, step, step.other)
    if (step.hidden) return
    const { operation = '', input = {} } = step.whole ?? {}
    const request: Request = { operation, input, traced: false }
    if (step.by === ANA) this.#compare(ANA, request, first, second)
    if (!first?.ok || !second?.ok)
      throw new Error(
        `world ${this.#seed}: ${step.by.actor} could not ${operation} ${JSON.stringify(input)}: ${first?.text} ${second?.text}`,
      )
  }

  /** Ana sends the same request to both histories, page by page. */
  async #ask(key: string, at: number, request: Request): Promise<void> {
    const by = askedBy(randomOf(key, 'by').below(20))
    let asked = request
    for (let page = 0; page < 20; page++) {
      const [first, second] = await this.#askBoth(page === 0 ? key : `${key}:${page}`, at, by, asked)
      if (isTraced(asked, first) && spell(first) !== spell(second)) {
        // Repeat the request, because occasionally something else runs in between, such as a check for new keys.
        const again = isTurn(asked) ? { ...asked, input: { ...asked.input, turn: `${key}:again` } } : asked
        const [one, other] = await this.#askBoth(`${key}:${page}:again`, at, by, again)
        if (spell(one) !== spell(other))
          this.#leak('statements', by, asked, differing(one.statements, other.statements))
      }
      this.#compare(by, asked, first, second)
      const cursor = first.ok ? cursorOf(first.value) : null
      if (cursor === null) break
      asked = { ...request, input: { ...request.input, cursor } }
    }
  }

  async #askBoth(
    key: string,
    at: number,
    by: Who,
    request: Request,
  ): Promise<[HistoryAnswer, HistoryAnswer]> {
    const first = await this.#whole.ask(key, at, by, request)
    return [first, await this.#other.ask(key, at, by, request)]
  }

  #compare(viewer: Who, request: Request, first: Answer | null, second: Answer | null): void {
    if (first === null || second === null) return
    if (first.text !== second.text) this.#leak('bytes', viewer, request, `${first.text}\n${second.text}`)
    const asked = JSON.stringify(request.input)
    const isNotified = request.operation === 'notifications.list'
    for (const { text } of [first, second]) {
      for (const [id] of text.matchAll(UUID))
        if (!this.#hidden.has(id) && !this.#asked.has(id)) this.#told.add(id)
        else if (!asked.includes(id) && !(isNotified && this.#told.has(id)))
          this.#leak('hidden id', viewer, request, id)
      for (const [word] of text.matchAll(KEPT))
        if (!asked.includes(word)) this.#leak('hidden content', viewer, request, word)
    }
  }

  #leak(kind: LeakKind, viewer: Who, request: Request, detail: string): void {
    this.#leaks.push({ kind, detail, world: this.#seed, viewer, request })
  }
}

type HistoryAnswer = Awaited<ReturnType<History['ask']>>

/** A read runs the same statements whatever is hidden; so does a write that is refused (NI-5). */
/** Ana, the mediator that works for her, or a key of hers that holds less (NI-10). */
function askedBy(drawn: number): Who {
  if (drawn < 7) return mediatorFor('ana')
  return drawn < 10 ? NARROWED_ANA : ANA
}

const isTraced = (request: Request, { ok }: Answer) => request.traced && (!ok || isRead(request))
const isTurn = ({ operation }: Request) => operation === 'turns.context'
const spell = ({ statements }: HistoryAnswer) => statements.join('\n')

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g

/** The first statement in which two answers differ. */
function differing(first: readonly string[], second: readonly string[]): string {
  const at = first.findIndex((sql, index) => sql !== second[index])
  const shown = (statements: readonly string[]) =>
    (statements[at] ?? 'nothing').replace(/\s+/g, ' ').slice(0, 300)
  return at < 0
    ? `${first.length} statements, ${second.length} statements`
    : `statement ${at}: ${shown(first)}\n${shown(second)}`
}

/** Ids of the consent requests that ben may have got from a step of his. */
function requestsMadeBy({ key, by, whole, other }: MediationStep): string[] {
  const isBens = (by.for ?? by.actor) === BEN.actor
  const asks = [whole, other].some(act => act !== null && MAY_ASK.includes(act.operation))
  return isBens && asks
    ? [key, `${key}:request`].flatMap(made => [0, 1].map(at => idOf(made, 'bridge_request', at)))
    : []
}
const MAY_ASK = ['vessel.write', 'vessel.confirm_needs', 'stages.advance', 'bridge.request', 'bridge.decide']

/** Runs an action in one history; without one, only time passes. */
async function perform(history: History, step: MediationStep, act: Act | null) {
  const { key, at, by } = step
  if (act === null) {
    await history.tick(at)
    return null
  }
  if (act.about === undefined) return history.ask(key, at, by, act)
  const consentRequestId = await requestAbout(history, step, act)
  if (consentRequestId === undefined) return null
  return history.ask(key, at, by, { ...act, input: { ...act.input, consentRequestId } })
}

/** The consent request that a decision is about, created if it does not exist yet. */
async function requestAbout(
  history: History,
  { key, at, by }: MediationStep,
  { about, input: { session } }: Act,
): Promise<string | undefined> {
  const pending = async (round: string) => {
    const request = { operation: 'bridge.pending', input: { session } }
    const { value } = await history.ask(`${key}:${round}`, at, by, request)
    return (value as { pendingRequests?: { id: string; originalContentId: string }[] }).pendingRequests ?? []
  }
  const open = await pending('before')
  if (about === 'whatever is asked' || about === undefined) return open[0]?.id
  const found = open.find(({ originalContentId }) => originalContentId === about.original)
  if (found !== undefined) return found.id
  const input = { session, content: about.original, contentType: about.contentType }
  await history.ask(`${key}:request`, at, by, { operation: 'bridge.request', input })
  const after = await pending('after')
  return after.find(({ originalContentId }) => originalContentId === about.original)?.id
}
