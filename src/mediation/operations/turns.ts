import { z } from 'zod'
import { PrivityError } from '../../errors.js'
import {
  MEMORY_DEPTHS,
  MEMORY_INTENTS,
  type MemoryDepth,
  type MemoryIntent,
  memoryIntent,
} from '../../policy/memory-intent.js'
import { readSignals } from '../../policy/message-signals.js'
import { QUERY_SOURCES, QUERY_TYPES } from '../../policy/retrieval-contract.js'
import { DISTRESS_KINDS } from '../../policy/signals/signals.js'
import { type ContractFacts, isAgentAudience } from '../../policy/subject.js'
import { nextCursor } from '../../runtime/fields.js'
import { name, text } from '../../runtime/input.js'
import { listNewestFirst, pageInput } from '../../runtime/list-newest-first.js'
import { readOperation } from '../../runtime/operation.js'
import type { ReadRequest } from '../../runtime/request.js'
import type { ParticipantRow } from '../../storage/queries/sessions.js'
import { findEarlierTurns, insertTurn, listTurns, type TurnRow } from '../../storage/queries/turns.js'
import { type BundleItem, makeBundle } from '../bundle.js'
import { DISTRESS_COURSES } from '../distress-courses.js'
import { experimentOutcome } from '../item-facts.js'
import { planningPrompt, readPlan } from '../planning-prompt.js'
import { retrievalQuery } from '../query.js'
import {
  isMalformed,
  MOST_QUERIES,
  type PlanVerdict,
  planBuiltIn,
  queryOf,
  validateRetrievalPlan,
} from '../retrieval-plan.js'
import { type LoggedItem, type RetrievedItem, retrieve, retrieveAgain } from '../retrieve.js'
import { enterContract, requireSession, seatOf, sessionId } from '../session.js'

const PLANNERS = ['built_in', 'model', 'caller'] as const
type Planner = (typeof PLANNERS)[number]

const verdict = z
  .object({
    type: z
      .enum(QUERY_TYPES)
      .nullable()
      .meta({ description: 'What the query asks for; null if it could not be read.' }),
    source: z
      .enum(QUERY_SOURCES)
      .nullable()
      .meta({ description: 'Where it looks; null if it could not be read.' }),
    verdict: z.enum(['runs', 'dropped']).meta({ description: 'Whether it runs.' }),
    reason: z.string().nullable().meta({ description: 'Why it was dropped; null if it runs.' }),
  })
  .meta({ id: 'PlannedQuery', description: 'A query of the plan of a turn, and whether it runs.' })

const bundleItem = z
  .object({
    type: z.string().meta({ description: 'What sort of item it is.' }),
    text: z.string().meta({ description: 'What it says.' }),
    facts: z
      .object({
        status: z.string().optional().meta({ description: 'How far it got.' }),
        agreedAt: z.string().optional().meta({ description: 'When the last of you agreed.' }),
        outcomes: z
          .array(experimentOutcome)
          .optional()
          .meta({ description: 'How it went, as each of you tells it.' }),
        category: z.string().optional().meta({ description: 'What the need is about.' }),
        intensity: z.int().optional().meta({ description: 'How strong the feeling is, from 1 to 10.' }),
        emotion: z.string().optional().meta({ description: 'The feeling, by its name.' }),
        validated: z.boolean().optional().meta({ description: 'Whether whom it is about feels understood.' }),
        feedback: z
          .array(z.string())
          .optional()
          .meta({ description: 'What the one whom it is about said of it.' }),
      })
      .meta({ description: 'What else is known of it.' }),
    source: z.enum(QUERY_SOURCES).meta({ description: 'Where it was found.' }),
    provenance: z
      .object({
        from: z.enum(['you', 'partner', 'session', 'library']).meta({ description: 'Whose words it is.' }),
        session: z.enum(['current', 'prior']).nullable().meta({
          description: 'Whether it comes from this session or an earlier one; null for the library.',
        }),
        at: z.string().nullable().meta({ description: 'When it was written; null for the library.' }),
        record: z
          .string()
          .nullable()
          .meta({ description: 'The id of the record; null if you may not read it directly.' }),
      })
      .meta({ description: 'Where it comes from.' }),
    consentState: z
      .enum(['own', 'granted', 'derived', 'not_needed'])
      .meta({ description: 'Why it may be recalled.' }),
    stageScope: z.int().meta({ description: 'The stage it belongs to.' }),
    face: z.literal('full').meta({ description: 'It is shown in full.' }),
  })
  .meta({ id: 'RecalledItem', description: 'Something recalled for a turn.' })

const turnFields = {
  turn: z.string().meta({ description: 'Your name for the turn.' }),
  session: z.string().meta({ description: 'The session, by its id.' }),
  stage: z.int().meta({ description: 'Your stage.' }),
  intent: z.enum(MEMORY_INTENTS).meta({ description: 'What the message is taken for.' }),
  depth: z.enum(MEMORY_DEPTHS).meta({ description: 'How much is recalled.' }),
  planner: z.enum(PLANNERS).meta({ description: 'Who made the plan.' }),
  queries: z.array(verdict).meta({ description: 'The queries of the plan, and which of them run.' }),
}

const taken = () =>
  new PrivityError('conflict', 'this turn was planned for other words; use another turn', {
    reason: 'retrieval.turn_already_planned',
  })

/**
 * What a model may see before it answers a message: one plan, retrieved once, within the caller's stage (RC-12). It
 * changes nothing but the log of turns, so it is a read operation that leaves a trace.
 */
export const turnContext = readOperation({
  name: 'turns.context',
  route: 'POST /sessions/:session/turns',
  summary: 'Get what a model may be told before it answers a participant’s message',
  policies: ['agent'],
  sample: world => ({ session: world.made('session'), turn: world.word(), message: world.word() }),
  callers: 'anyone',
  forModel: true,
  input: z.strictObject({
    session: sessionId,
    turn: name.optional().meta({
      description:
        'Your name for the turn, such as the id of the message. A turn has one plan. Ask for it again with the same words if its answer was lost. Agents must name it.',
      example: 'message-17',
    }),
    message: text(16_384)
      .refine(value => value.trim().length > 0, { message: 'must not be empty' })
      .meta({ description: 'What the participant said.', example: 'What did we agree on last time?' }),
    emotionalIntensity: z.int().min(1).max(10).optional().meta({
      description:
        "How strongly it is felt, from 1 to 10. From 8 on nothing is recalled. Default: the last hour's reading.",
      example: 3,
    }),
    // A plan that cannot be read is no error: it retrieves nothing (RC-16).
    queries: z
      .union([z.array(retrievalQuery).max(MOST_QUERIES), z.unknown()])
      .optional()
      .meta({
        description: 'A plan proposed by your own model. Queries that may not run are dropped.',
        example: [{ type: 'common_ground', vessel: 'shared', source: 'structured' }],
      }),
    tokenBudget: z
      .int()
      .min(100)
      .max(1_000_000)
      .default(2_000)
      .meta({ description: 'Most tokens of context to return.' }),
  }),
  output: z.object({
    ...turnFields,
    distress: z
      .object({
        code: z.enum(DISTRESS_KINDS).meta({ description: 'What the person may be going through.' }),
        course: z.string().meta({ description: 'What to do now, in any country.' }),
      })
      .nullable()
      .meta({ description: 'Whether the message shows distress. Nothing is recalled then; null if not.' }),
    malformed: z
      .boolean()
      .meta({ description: 'Whether the proposed plan could not be read. Nothing is recalled then.' }),
    bundle: z
      .object({
        items: z.array(bundleItem).meta({ description: 'What was recalled.' }),
        text: z.string().meta({
          description:
            'What to give the model: what the stage asks of it, what is recalled as data between markers, and the message.',
        }),
        tokens: z.int().meta({ description: 'Number of tokens in the text.' }),
        tokenizer: z.string().meta({ description: 'What counted them.' }),
        tokenBudget: z.int().meta({ description: 'Most tokens that were asked for.' }),
        leftOut: z.int().meta({ description: 'Number of items that did not fit.' }),
      })
      .meta({ description: 'What the model is given.' }),
  }),
  async run(request, asked) {
    const { tx, tenant, caller } = request
    const { session, message } = asked
    if (asked.turn === undefined && isAgentAudience(caller.audience))
      throw new PrivityError(
        'invalid_input',
        'turn: an agent must name the turn, for example by the id of the message; a turn has one plan',
      )
    const row = await requireSession(request, session)
    const turn = asked.turn ?? request.parts.clock.newId('turn')
    const tokenBudget = Math.min(asked.tokenBudget, request.parts.profile?.most.tokens ?? asked.tokenBudget)
    const before = await findEarlierTurns<PlanVerdict, LoggedItem>(
      tx,
      tenant,
      session,
      caller.actingFor,
      turn,
    )
    if (before.this !== null && !isSameAgain(request, before.this, asked)) throw taken()
    const contract = enterContract(request, row, 'turn')
    // The answer depends on the stage even if nothing is retrieved, so the stage is read with its generation.
    await request.subjectFor({ owners: new Set(), consents: new Set() })
    const planned =
      before.this === null
        ? await planTurn(request, asked, contract, seatOf(request, row), !before.any)
        : await planAgain(request, asked, contract, before.this)
    const { stage, intent, depth, planner, verdicts, malformed, found } = planned
    const dropped = verdicts.filter(each => each.verdict === 'dropped')
    request.count('queries', verdicts.length - dropped.length)
    request.count('droppedQueries', dropped.length + (malformed ? 1 : 0))

    const bundle = makeBundle(
      { stage, intent, message },
      found.map(({ item }) => item),
      tokenBudget,
      request.parts.tokenizer,
    )
    const chosen = new Set(bundle.items)
    for (const { item, view } of found) if (view !== null && chosen.has(item)) request.show(view)
    if (before.this === null) {
      const logged = {
        sessionId: session,
        actor: caller.actingFor,
        turnId: turn,
        asked: request.parts.secrets.keep(wordsOf(asked)),
        stage,
        intent,
        depth,
        planner,
        queries: verdicts,
        items: bundle.items.map(logOf),
        tokenBudget,
        tokens: bundle.tokens,
        bundleDigest: request.parts.secrets.digest(bundle.text).toString('base64url'),
        at: request.now,
      }
      request.claim(second => insertTurn(second, tenant, logged), taken())
    }
    const { distress: code } = readSignals(message)
    return {
      turn,
      session,
      stage,
      intent,
      depth,
      planner,
      queries: verdicts.map(each => ({ ...each })) as z.input<typeof verdict>[],
      distress: code === null ? null : { code, course: DISTRESS_COURSES[code] },
      malformed,
      bundle: {
        items: bundle.items.map(itemView),
        text: bundle.text,
        tokens: bundle.tokens,
        tokenizer: request.parts.tokenizer.name,
        tokenBudget,
        leftOut: bundle.leftOut,
      },
    }
  },
})

interface TurnInput {
  readonly message: string
  readonly emotionalIntensity?: number | undefined
  readonly queries?: unknown
  readonly tokenBudget: number
}

/** Everything that was asked for in a turn, as one text to compare. */
const wordsOf = ({ message, emotionalIntensity, queries, tokenBudget }: TurnInput): string =>
  JSON.stringify([message, emotionalIntensity ?? null, queries ?? null, tokenBudget])

/** Whether a turn is asked for again because its answer was lost. Other words would be a second plan (RC-12). */
const isSameAgain = (
  { parts }: ReadRequest,
  { asked }: { readonly asked: Uint8Array | null },
  again: TurnInput,
) => asked !== null && parts.secrets.isKeptOf(asked, wordsOf(again))

/** A plan of a turn and what it retrieved. */
interface PlannedTurn {
  readonly stage: number
  readonly intent: MemoryIntent
  readonly depth: MemoryDepth
  readonly planner: Planner
  readonly verdicts: readonly PlanVerdict[]
  readonly malformed: boolean
  readonly found: readonly RetrievedItem[]
}

async function planTurn(
  request: ReadRequest,
  asked: TurnInput,
  contract: ContractFacts,
  seat: ParticipantRow,
  firstTurn: boolean,
): Promise<PlannedTurn> {
  const { stage } = contract
  const { message } = asked
  // The intensity that a caller claims may raise, but never lower, what the person said themselves.
  const felt = latestIntensity(request, seat)
  const intensity = Math.max(asked.emotionalIntensity ?? 0, felt ?? 0) || null
  const { intent, depth } = memoryIntent({ stage, intensity, message, firstTurn })
  const { planner, proposed } = propose(request, asked, { stage, intent, depth })
  const plan = validateRetrievalPlan(proposed, contract, request.caller.actingFor, depth)
  const { verdicts, malformed } = plan
  return { stage, intent, depth, planner, verdicts, malformed, found: await retrieve(request, plan, message) }
}

/**
 * The plan that a turn has, for an answer that was lost: of what it retrieved then, what may be told now. Nothing is
 * planned, and nothing that came later is added (RC-12).
 */
async function planAgain(
  request: ReadRequest,
  { message, queries }: TurnInput,
  contract: ContractFacts,
  { intent, depth, planner, queries: verdicts, items }: TurnRow<PlanVerdict, LoggedItem>,
): Promise<PlannedTurn> {
  const ran = verdicts.flatMap(({ type, source, verdict }) =>
    verdict === 'runs' && type !== null && source !== null
      ? [queryOf(type, source, request.caller.actingFor)]
      : [],
  )
  const plan = validateRetrievalPlan(ran, contract, request.caller.actingFor, depth as MemoryDepth)
  return {
    stage: contract.stage,
    intent: intent as MemoryIntent,
    depth: depth as MemoryDepth,
    planner: planner as Planner,
    verdicts,
    malformed: queries !== undefined && isMalformed(queries),
    found: await retrieveAgain(request, plan, message, items),
  }
}

function itemView({ facts, ...item }: BundleItem): z.input<typeof bundleItem> {
  const { outcomes, feedback, ...rest } = facts
  return {
    ...item,
    facts: {
      ...rest,
      ...(outcomes === undefined ? {} : { outcomes: [...outcomes] }),
      ...(feedback === undefined ? {} : { feedback: [...feedback] }),
    },
  }
}

/** How long an emotional reading stays valid. */
const READING_HOLDS_MS = 3_600_000

/** How strongly the caller's principal felt, if they said so recently. */
function latestIntensity({ now }: ReadRequest, { felt, feltAt }: ParticipantRow): number | null {
  const isRecent = feltAt !== null && now.getTime() - Date.parse(feltAt) <= READING_HOLDS_MS
  return isRecent ? felt : null
}

/** A plan from the caller, from the configured model, or the built-in one if the model does not answer. */
function propose(
  request: ReadRequest,
  { queries, message }: { readonly queries?: unknown; readonly message: string },
  at: Pick<Parameters<typeof planningPrompt>[0], 'stage' | 'intent' | 'depth'>,
): { planner: Planner; proposed: unknown } {
  if (queries !== undefined) return { planner: 'caller', proposed: queries }
  const userId = request.caller.actingFor
  // If nothing is recalled, there is nothing to plan.
  if (request.parts.completions.model !== null && at.depth !== 'none') {
    const messages = planningPrompt({ ...at, userId, message })
    const [answer] = request.parts.completions.of([{ messages, records: [] }], request.restsOn)
    if (answer != null) return { planner: 'model', proposed: readPlan(answer) }
  }
  return { planner: 'built_in', proposed: planBuiltIn(at.stage, userId, at.depth) }
}

/** An item as logged: its type and provenance, without its text (AU-3). */
const logOf = ({ type, source, provenance, consentState, face }: BundleItem) => ({
  type,
  source,
  record: provenance.record,
  consentState,
  face,
})

export const listTurnsOf = readOperation({
  name: 'turns.list',
  route: 'GET /sessions/:session/turns',
  summary: 'List what was retrieved for your turns in a session, newest first, without any of it',
  sample: world => ({ session: world.made('session') }),
  callers: 'owner',
  needsWholeSight: { otherwise: { turns: [], cursor: null } },
  input: z.strictObject({ session: sessionId, ...pageInput }),
  output: z.object({
    turns: z
      .array(
        z.object({
          ...turnFields,
          items: z
            .record(z.string(), z.int())
            .meta({ description: 'Number of items given to the model, by type.' }),
          tokens: z.int().meta({ description: 'Number of tokens given to the model.' }),
          tokenBudget: z.int().meta({ description: 'Most tokens that were asked for.' }),
          at: z.string().meta({ description: 'When the turn was taken.' }),
        }),
      )
      .meta({ description: 'The turns, newest first.' }),
    cursor: nextCursor,
  }),
  async run(request, { session, limit, cursor }) {
    await requireSession(request, session)
    const { rows, cursor: next } = await listNewestFirst(
      request,
      ['turns.list', session],
      { limit, cursor },
      (before, most) =>
        listTurns<z.input<typeof verdict>, LoggedItem>(
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

function countByType(items: readonly LoggedItem[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const { type } of items) counts[type] = (counts[type] ?? 0) + 1
  return counts
}
