import { joinLabels, type Label } from '../../policy/labels.js'
import { type TestClock, testClock } from '../clock.js'
import { counterpart } from './counterpart.js'
import { type Connect, type ConnectedStore, History, introduce } from './history.js'
import { type BornRecord, type Contents, inspect, readRecord } from './inspect.js'
import { type Plan, type PlannedRequest, plannedKey } from './planned-request.js'
import {
  type Answer,
  checkAnswer,
  checkGraph,
  checkSearch,
  checkWritten,
  contentShown,
  cursorOf,
  facesIn,
  isReadable,
  type LeakKind,
  type Report,
  resultsIn,
  wordsTold,
} from './probes.js'
import { random } from './random.js'
import { reportDefects } from './report-defects.js'
import { type Focus, isRead, makeRequests, type Request } from './requests.js'
import { withGuesses, withReplay, withRevocations } from './script.js'
import { idOf, makeWorld, type Variety, type Who, type World } from './world.js'

/** Something that a caller could notice but should not: what, where, and who asked. */
export interface Leak {
  readonly kind: LeakKind
  readonly world: number
  readonly viewer: Who
  readonly request: Request
  readonly detail: string
}

export interface HarnessOptions {
  /** How to reach the setup under test; `connectTo` creates this from the options of `open`. */
  readonly connect: Connect
  readonly seed?: number
  readonly worlds?: number
  /** How many requests a viewer makes in each world, besides one of every operation. */
  readonly requests?: number
  /** What the requests concentrate on. Default: everything, over many worlds. */
  readonly focus?: Focus
  /** How many compartments the worlds have. Default: each variety in turn. */
  readonly variety?: Variety
  /** Stops at the first leak. */
  readonly failFast?: boolean
  readonly onWorld?: (world: number) => void
  /** Called with the time before each request, for example to make providers fail for a while. */
  readonly weather?: (at: number) => void
}

/**
 * Generates worlds, loads each as two histories that differ only in what discloses nothing to a viewer, and lets the
 * viewer send the same requests to both: every byte of every answer must be equal (NI-3). Each answer is also checked
 * against the slow reference: no hidden id, no hidden word, the right face, the complete list.
 *
 * @example
 * const leaks = await checkNonInterference({ connect: connectTo({ dataDir: './scratch' }), worlds: 20 })
 */
export async function checkNonInterference(options: HarnessOptions): Promise<Leak[]> {
  const { seed = 1, worlds = 20, requests = 12, failFast = false, focus = 'everything' } = options
  const clock = testClock()
  const trace: string[] = []
  const leaks: Leak[] = []
  const defects: Leak[] = []
  const connected = await reportDefects(options.connect, defects)(clock, sql => trace.push(sql))
  try {
    for (let world = 0; world < worlds; world++) {
      const variety = options.variety ?? (focus === 'search' ? VARIETIES[(seed + world) % 3] : undefined)
      const about = {
        seed: seed + world,
        length: requests,
        focus,
        variety,
        failFast,
        weather: options.weather,
      }
      leaks.push(...(await checkWorld(connected, clock, trace, about)))
      options.onWorld?.(world)
      if (failFast && leaks.length > 0) break
    }
  } finally {
    await connected.twin?.close()
    await connected.privity.close()
  }
  return [...leaks, ...defects]
}

const VARIETIES: readonly Variety[] = ['many', 'few', 'each']

async function checkWorld(
  connected: ConnectedStore,
  clock: TestClock,
  trace: string[],
  {
    seed,
    length,
    focus,
    variety,
    failFast,
    weather,
  }: {
    seed: number
    length: number
    focus: Focus
    variety: Variety | undefined
    failFast: boolean
    weather: HarnessOptions['weather']
  },
): Promise<Leak[]> {
  const rng = random(seed)
  const name = `w${seed}`
  const world = makeWorld(rng, name, variety)
  const { privity, twin = privity } = connected
  const whole = new History(`${name}-whole`, privity, clock, trace, weather)
  const other = new History(`${name}-other`, twin, clock, trace, weather)
  for (const history of [whole, other])
    await introduce(history, [...world.steps.map(step => step.by), world.viewer])

  const born = new Map<string, BornRecord>()
  const succeeded = new Set<string>()
  for (const step of world.steps) {
    const { ok } = await whole.run(step)
    if (!ok) continue
    succeeded.add(step.key)
    const record =
      step.creates === null ? undefined : await readRecord(connected.db, whole.tenant, step.creates)
    if (record !== undefined) born.set(record.id, record)
  }
  let contents: Contents | null = null
  const look: Scene['look'] = async (at, changed) => {
    if (changed) contents = null
    contents ??= await inspect(connected.db, whole.tenant, world.viewer)
    return { ...contents.seenAt(new Date(at)), edges: contents.edges }
  }
  const before = await look(world.end, true)
  const steps = counterpart(
    world.steps,
    succeeded,
    born,
    before.records,
    world.viewer,
    before.subject.principals,
  )
  const kept = new Map(steps.map(step => [step.key, step]))
  for (const { key, at } of world.steps) {
    const step = kept.get(key)
    // If a step is missing, time passes all the same.
    await (step === undefined ? other.tick(at) : other.run(step))
  }

  return askBoth({ seed, world, whole, other, look, length, focus, failFast, born })
}

interface Scene {
  readonly seed: number
  readonly world: World
  readonly whole: History
  readonly other: History
  /** What exists in the whole history and what the viewer may see; read again only if something may have changed. */
  readonly look: (
    at: number,
    changed: boolean,
  ) => Promise<ReturnType<Contents['seenAt']> & Pick<Contents, 'edges'>>
  readonly length: number
  readonly focus: Focus
  readonly failFast: boolean
  readonly born: ReadonlyMap<string, BornRecord>
}

/** What a credential with the viewer's name stored: the viewer may have heard of it by its id. */
const idsOfAsides = ({ steps }: World) =>
  steps
    .filter(({ isAside }) => isAside)
    .flatMap(({ key, operation }) => THINGS_MADE[operation]?.map(thing => idOf(key, thing)) ?? [])

const THINGS_MADE: Readonly<Record<string, readonly string[]>> = {
  'overlays.add': ['overlay'],
  'grants.add': ['grant'],
  'groups.create': ['group'],
  'keys.create': ['key'],
  'searches.save': ['saved_search'],
}

/** They come last, so that whatever they write changes no other answer. */
const questionsAbout = ({ questions }: World, { key, start, span }: Plan): PlannedRequest[] =>
  questions.map(({ operation, input }, at) => ({
    key: plannedKey(key, `${operation} of a namesake#${at}`),
    at: start + span,
    request: { operation, input, traced: true },
  }))

/** In milliseconds: long enough that some visible records expire while the viewer asks. */
const TIME_TO_ASK = 3_600_000

async function askBoth(scene: Scene): Promise<Leak[]> {
  const { seed, world, whole, other, look } = scene
  const leaks: Leak[] = []
  const plan = { key: `w${seed}:ask`, start: world.end, span: TIME_TO_ASK }
  const known = {
    records: world.steps.flatMap(step => step.creates ?? []),
    others: [world.group.slice('group:'.length), ...idsOfAsides(world)],
    key: plan.key,
  }
  const requests = [
    ...makeRequests(plan, world.viewer, known, scene.length, scene.focus),
    ...(scene.focus === 'everything' ? questionsAbout(world, plan) : []),
  ]
  const script = withGuesses(world, plan, withReplay(world, plan, withRevocations(world, requests)))
  // What a namesake searched has loaded the index of one history only, which costs time and changes no answer.
  const namesake = world.steps.find(({ isAside }) => isAside)?.by
  if (namesake !== undefined)
    for (const history of [whole, other])
      await history.ask(`${plan.key}:loading`, world.end, namesake, {
        operation: 'memory.search',
        input: { query: 'garden' },
      })
  let changed = false
  let shown: Label = joinLabels()
  for (const event of script) {
    if (scene.failFast && leaks.length > 0) return leaks
    const { key, at, request } = event
    if (event.kind === 'revocation') {
      // These changes are made by others, in both histories, and only ever narrow access.
      for (const history of [whole, other]) await history.ask(key, at, event.by, request)
      changed = true
      continue
    }
    const first = await whole.ask(key, at, world.viewer, request)
    const second = await other.ask(key, at, world.viewer, request)
    const leak: Report = (kind, detail) =>
      leaks.push({ kind, detail, world: seed, viewer: world.viewer, request })
    if (first.text !== second.text) leak('bytes', `${first.text}\n${second.text}`)
    else if (scene.focus !== 'meaning')
      await checkStatements(scene, { key, at, request }, [first, second], leak)

    const { records, edges } = await look(at, changed || !isRead(request))
    changed = false
    checkAnswer(first, request, at, records, leak)
    if (request.operation === 'memory.search' && first.ok) checkSearch(first, request, records, leak)
    if (request.operation === 'memory.retrieve_graph' && first.ok)
      checkGraph(first, request, records, edges, leak)
    if (request.operation === 'memory.remember' && first.ok && isAgent(world.viewer))
      checkWritten(first.value, records, shown, leak)
    shown = joinLabels(shown, ...contentShown(first.value, records), ...wordsTold(first.value, records))
    const cursor = cursorOf(first.value)
    if (cursor !== null) {
      if (isReadable(cursor, records)) leak('readable cursor', cursor)
      await followPages(scene, key, at, request, first, leak)
    }
  }
  await checkWholeList(scene, plan.start + plan.span, leaks)
  return leaks
}

const isAgent = (viewer: Who) => viewer.audience === 'agent' || viewer.audience === 'recipient'

/** A read runs the same statements whatever is hidden; so does a write that is refused (NI-5). */
const mustTrace = (request: Request, { ok }: Answer) => request.traced && (!ok || isRead(request))

type HistoryAnswer = Awaited<ReturnType<History['ask']>>

/**
 * Statements must be equal. What loads an index or what is remembered of a caller runs when it is first needed, which
 * may be sooner in one history: where statements differ, the request is made again, and they must not differ then.
 */
async function checkStatements(
  { whole, other, world }: Scene,
  { key, at, request }: PlannedRequest,
  answers: readonly [HistoryAnswer, HistoryAnswer],
  leak: Report,
): Promise<void> {
  const areEqual = ([one, another]: typeof answers) =>
    one.statements.join('\n') === another.statements.join('\n')
  if (!mustTrace(request, answers[0]) || areEqual(answers)) return
  const again = `${key}:again`
  const repeated = [
    await whole.ask(again, at, world.viewer, request),
    await other.ask(again, at, world.viewer, request),
  ] as const
  const [first, second] = repeated
  if (first.text !== second.text) leak('bytes', `asked again: ${first.text}\n${second.text}`)
  else if (!areEqual(repeated)) leak('statements', describeDifference(first.statements, second.statements))
}

/** Reads all further pages in both histories: page sizes, cursors and the end must be equal. */
async function followPages(
  scene: Scene,
  key: string,
  at: number,
  request: Request,
  answer: Answer,
  leak: Report,
): Promise<void> {
  const { whole, other, world } = scene
  let next = cursorOf(answer.value)
  const results = resultsIn(answer.value)
  for (let page = 0; next !== null && page < 100; page++) {
    const paged = { ...request, input: { ...request.input, cursor: next } }
    const first = await whole.ask(`${key}:${page}`, at, world.viewer, paged)
    const second = await other.ask(`${key}:${page}`, at, world.viewer, paged)
    if (first.text !== second.text) leak('bytes', `page ${page + 2}: ${first.text}\n${second.text}`)
    else await checkStatements(scene, { key: `${key}:${page}`, at, request: paged }, [first, second], leak)
    next = cursorOf(first.value)
    results.push(...resultsIn(first.value))
  }
  if (request.operation !== 'memory.search') return
  // Page boundaries must not affect the results (SC-4).
  const everything = { ...request, input: { ...request.input, limit: 100 } }
  const atOnce = await whole.ask(`${key}:whole`, at, world.viewer, everything)
  // Both histories must get every request, because requests leave receipts.
  await other.ask(`${key}:whole`, at, world.viewer, everything)
  if (JSON.stringify(resultsIn(atOnce.value)) !== JSON.stringify(results))
    leak('pages differ', `${results.length} results by page, ${resultsIn(atOnce.value).length} at once`)
}

/** The list holds everything that the viewer may see by the reference, and nothing else. */
async function checkWholeList({ seed, whole, world, look }: Scene, at: number, leaks: Leak[]): Promise<void> {
  const request: Request = { operation: 'memory.list', input: { limit: 200 }, traced: false }
  const answer = await whole.ask(`w${seed}:list`, at, world.viewer, request)
  if (!answer.ok) return
  const { records } = await look(at, true)
  const visible = [...records.values()].filter(record => record.level !== 'none').map(record => record.id)
  const listed = facesIn(answer.value).map(({ id }) => id)
  if (visible.sort().join() !== listed.sort().join())
    leaks.push({
      kind: 'incomplete list',
      world: seed,
      viewer: world.viewer,
      request,
      detail: `${visible.length} visible, ${listed.length} listed`,
    })
}

/** How many there are, and the first ones that differ. */
function describeDifference(first: readonly string[], second: readonly string[]): string {
  const at = first.findIndex((sql, index) => sql !== second[index])
  const [one, other] = [first[at], second[at]].map(sql => sql?.trim() ?? 'nothing')
  return `${first.length} statements, ${second.length} statements; at ${at}: ${one}\nthere: ${other}`
}

/** Describes a leak in a sentence. */
export function describeLeak({ kind, world, viewer, request, detail }: Leak): string {
  return `${kind} in world ${world}: ${JSON.stringify(viewer)} asked ${request.operation} ${JSON.stringify(request.input)}\n${detail}`
}
