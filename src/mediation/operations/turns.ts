import { z } from 'zod'
import { PrivityError } from '../../errors.js'
import { MEMORY_DEPTHS, MEMORY_INTENTS, memoryIntent } from '../../policy/memory-intent.js'
import { QUERY_SOURCES, QUERY_TYPES } from '../../policy/retrieval-contract.js'
import { name, text } from '../../runtime/input.js'
import { newestFirst, page } from '../../runtime/newest-first.js'
import { readOperation } from '../../runtime/operation.js'
import type { ReadRequest } from '../../runtime/request.js'
import type { ParticipantRow } from '../../storage/queries/sessions.js'
import { insertTurn, listTurns, turnsBefore } from '../../storage/queries/turns.js'
import { type BundleItem, makeBundle } from '../bundle.js'
import { planningPrompt, readPlan } from '../planning-prompt.js'
import { planBuiltIn, validatePlan } from '../retrieval-plan.js'
import { retrieve } from '../retrieve.js'
import { enterContract, requireSession, seatOf, sessionId } from '../session.js'

const PLANNERS = ['built_in', 'model', 'caller'] as const
type Planner = (typeof PLANNERS)[number]

const verdict = z.object({
  type: z.enum(QUERY_TYPES as [string, ...string[]]).nullable(),
  source: z.enum(QUERY_SOURCES).nullable(),
  verdict: z.enum(['runs', 'dropped']),
  reason: z.string().nullable(),
})

const bundleItem = z.object({
  type: z.string(),
  text: z.string(),
  facts: z.object({
    status: z.string().optional(),
    agreedAt: z.string().optional(),
    outcomes: z.array(z.object({ by: z.enum(['you', 'partner']), text: z.string() })).optional(),
    category: z.string().optional(),
    intensity: z.int().optional(),
    emotion: z.string().optional(),
  }),
  source: z.enum(QUERY_SOURCES),
  provenance: z.object({
    from: z.enum(['you', 'partner', 'session', 'library']),
    session: z.enum(['current', 'prior']).nullable(),
    at: z.string().nullable(),
    record: z.string().nullable(),
  }),
  consentState: z.enum(['own', 'granted', 'derived', 'not_needed']),
  stageScope: z.int(),
  face: z.literal('full'),
})

const turnFields = {
  turn: z.string(),
  session: z.string(),
  stage: z.int(),
  intent: z.enum(MEMORY_INTENTS),
  depth: z.enum(MEMORY_DEPTHS),
  planner: z.enum(PLANNERS),
  queries: z.array(verdict),
}

const taken = () =>
  new PrivityError('conflict', 'this turn has its plan already; what it retrieves is fixed', {
    reason: 'retrieval.turn_already_planned',
  })

/**
 * What a model may be told before it answers a message: one plan, retrieved once, within the caller's stage (RC-12). It
 * asks and changes nothing but the log of turns, so it is a read that leaves something behind.
 */
export const turnContext = readOperation({
  name: 'turns.context',
  summary: 'Get what a model may be told before it answers a participant’s message',
  callers: 'anyone',
  forModel: true,
  input: z.strictObject({
    session: sessionId,
    turn: name.optional(),
    message: text(16_384).refine(value => value.trim().length > 0, { message: 'must not be empty' }),
    emotionalIntensity: z.int().min(1).max(10).optional(),
    /** A plan proposed by the caller's model. Whatever of it may not run is dropped (RC-16). */
    queries: z.unknown().optional(),
    tokenBudget: z.int().min(100).max(1_000_000).default(2_000),
  }),
  output: z.object({
    ...turnFields,
    /** Whether what was proposed was no plan at all: nothing is retrieved then. */
    malformed: z.boolean(),
    bundle: z.object({
      items: z.array(bundleItem),
      /** What the model is given: a preamble, and everything else as data between markers. */
      text: z.string(),
      tokens: z.int(),
      tokenBudget: z.int(),
      leftOut: z.int(),
    }),
  }),
  async run(request, asked) {
    const { tx, tenant, caller, now } = request
    const { session, message } = asked
    const tokenBudget = Math.min(asked.tokenBudget, request.parts.profile?.most.tokens ?? asked.tokenBudget)
    const row = await requireSession(request, session)
    const turn = asked.turn ?? request.parts.clock.newId('turn')
    const before = await turnsBefore(tx, tenant, session, caller.actingFor, turn)
    if (before.this) throw taken()
    const contract = enterContract(request, row, 'turn')
    // Even where nothing is retrieved, the answer rests on the stage: it is read with its generation.
    await request.subjectFor({ owners: new Set(), consents: new Set() })
    const { stage } = contract
    // What a caller claims may only make it more careful than what the person said themselves.
    const felt = latestIntensity(request, seatOf(request, row))
    const intensity = Math.max(asked.emotionalIntensity ?? 0, felt ?? 0) || null
    const { intent, depth } = memoryIntent({ stage, intensity, message, firstTurn: !before.any })
    const { planner, proposed } = propose(request, asked, { stage, intent, depth })
    const plan = validatePlan(proposed, contract, caller.actingFor, depth)
    const dropped = plan.verdicts.filter(each => each.verdict === 'dropped')
    request.count('queries', plan.queries.length)
    request.count('droppedQueries', dropped.length + (plan.malformed ? 1 : 0))

    const found = await retrieve(request, plan, message)
    const bundle = makeBundle(
      message,
      found.map(({ item }) => item),
      tokenBudget,
    )
    const chosen = new Set(bundle.items)
    for (const { item, view } of found) if (view !== null && chosen.has(item)) request.show(view)
    const verdicts = plan.verdicts.map(each => ({ ...each }))
    const logged = {
      sessionId: session,
      actor: caller.actingFor,
      turnId: turn,
      stage,
      intent,
      depth,
      planner,
      queries: verdicts,
      items: bundle.items.map(logOf),
      tokenBudget,
      tokens: bundle.tokens,
      bundleDigest: request.parts.secrets.digest(bundle.text).toString('base64url'),
      at: now,
    }
    request.claim(second => insertTurn(second, tenant, logged), taken())
    return {
      turn,
      session,
      stage,
      intent,
      depth,
      planner,
      queries: verdicts as z.input<typeof verdict>[],
      malformed: plan.malformed,
      bundle: {
        items: bundle.items.map(itemView),
        text: bundle.text,
        tokens: bundle.tokens,
        tokenBudget,
        leftOut: bundle.leftOut,
      },
    }
  },
})

function itemView({ facts, ...item }: BundleItem): z.input<typeof bundleItem> {
  const { outcomes, ...rest } = facts
  return { ...item, facts: { ...rest, ...(outcomes === undefined ? {} : { outcomes: [...outcomes] }) } }
}

/** For how long a reading says how somebody feels. */
const READING_HOLDS_MS = 3_600_000

/** How strongly the caller's principal felt, where they said so lately. */
function latestIntensity({ now }: ReadRequest, { felt, feltAt }: ParticipantRow): number | null {
  const isRecent = feltAt !== null && now.getTime() - Date.parse(feltAt) <= READING_HOLDS_MS
  return isRecent ? felt : null
}

/** By whoever is asked to plan: the caller, a configured model, or what is built in where the model does not answer. */
function propose(
  request: ReadRequest,
  { queries, message }: { readonly queries?: unknown; readonly message: string },
  at: Pick<Parameters<typeof planningPrompt>[0], 'stage' | 'intent' | 'depth'>,
): { planner: Planner; proposed: unknown } {
  if (queries !== undefined) return { planner: 'caller', proposed: queries }
  const userId = request.caller.actingFor
  // Where nothing is recalled, nothing has to be planned.
  if (request.parts.completions.model !== null && at.depth !== 'none') {
    const messages = planningPrompt({ ...at, userId, message })
    const [answer] = request.parts.completions.of([{ messages, records: [] }], request.restsOn)
    if (answer != null) return { planner: 'model', proposed: readPlan(answer) }
  }
  return { planner: 'built_in', proposed: planBuiltIn(at.stage, userId, at.depth) }
}

/** An item as it is logged: what it is and where it is from, and no word of it (AU-3). */
const logOf = ({ type, source, provenance, consentState, face }: BundleItem) => ({
  type,
  source,
  record: provenance.record,
  consentState,
  face,
})
type Logged = ReturnType<typeof logOf>

export const listTurnsOf = readOperation({
  name: 'turns.list',
  summary: 'List what was retrieved for your turns in a session, newest first, without any of it',
  callers: 'owner',
  input: z.strictObject({ session: sessionId, ...page }),
  output: z.object({
    turns: z.array(
      z.object({
        ...turnFields,
        /** How many of each type reached the model. Which ones is not told: some may not be shared any more. */
        items: z.record(z.string(), z.int()),
        tokens: z.int(),
        tokenBudget: z.int(),
        at: z.string(),
      }),
    ),
    cursor: z.string().nullable(),
  }),
  async run(request, { session, limit, cursor }) {
    await requireSession(request, session)
    const { rows, cursor: next } = await newestFirst(
      request,
      ['turns.list', session],
      { limit, cursor },
      (before, most) =>
        listTurns<z.input<typeof verdict>, Logged>(
          request.tx,
          request.tenant,
          session,
          request.caller.actingFor,
          before,
          most,
        ),
      ({ at, turnId }) => ({ createdAt: at, id: turnId }),
    )
    return {
      turns: rows.map(row => ({
        turn: row.turnId,
        session: row.sessionId,
        stage: row.stage,
        intent: row.intent as z.input<typeof turnFields.intent>,
        depth: row.depth as z.input<typeof turnFields.depth>,
        planner: row.planner as Planner,
        queries: [...row.queries],
        items: countByType(row.items),
        tokens: row.tokens,
        tokenBudget: row.tokenBudget,
        at: row.at.toISOString(),
      })),
      cursor: next,
    }
  },
})

function countByType(items: readonly Logged[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const { type } of items) counts[type] = (counts[type] ?? 0) + 1
  return counts
}
