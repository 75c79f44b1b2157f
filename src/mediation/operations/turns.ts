import { z } from 'zod'
import { PrivityError } from '../../errors.js'
import { MEMORY_DEPTHS, MEMORY_INTENTS, memoryIntent } from '../../policy/memory-intent.js'
import { readSignals } from '../../policy/message-signals.js'
import { QUERY_SOURCES, QUERY_TYPES } from '../../policy/retrieval-contract.js'
import { DISTRESS_KINDS } from '../../policy/signals/signals.js'
import { nextCursor } from '../../runtime/fields.js'
import { name, text } from '../../runtime/input.js'
import { listNewestFirst, pageInput } from '../../runtime/list-newest-first.js'
import { readOperation } from '../../runtime/operation.js'
import type { ReadRequest } from '../../runtime/request.js'
import type { ParticipantRow } from '../../storage/queries/sessions.js'
import { findEarlierTurns, insertTurn, listTurns } from '../../storage/queries/turns.js'
import { type BundleItem, makeBundle } from '../bundle.js'
import { DISTRESS_COURSES } from '../distress-courses.js'
import { experimentOutcome } from '../item-facts.js'
import { planningPrompt, readPlan } from '../planning-prompt.js'
import { planBuiltIn, validateRetrievalPlan } from '../retrieval-plan.js'
import { retrieve } from '../retrieve.js'
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
  new PrivityError('conflict', 'this turn already has a context; use another turn', {
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
  sample: world => ({ session: world.made('session'), message: world.word() }),
  callers: 'anyone',
  forModel: true,
  input: z.strictObject({
    session: sessionId,
    turn: name.optional().meta({
      description: 'Your name for the turn, such as the id of the message. A turn has one plan.',
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
    // RC-16
    queries: z
      .unknown()
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
    const { tx, tenant, caller, now } = request
    const { session, message } = asked
    const tokenBudget = Math.min(asked.tokenBudget, request.parts.profile?.most.tokens ?? asked.tokenBudget)
    const row = await requireSession(request, session)
    const turn = asked.turn ?? request.parts.clock.newId('turn')
    const before = await findEarlierTurns(tx, tenant, session, caller.actingFor, turn)
    if (before.this) throw taken()
    const contract = enterContract(request, row, 'turn')
    // The answer depends on the stage even if nothing is retrieved, so the stage is read with its generation.
    await request.subjectFor({ owners: new Set(), consents: new Set() })
    const { stage } = contract
    // The intensity that a caller claims may raise, but never lower, what the person said themselves.
    const felt = latestIntensity(request, seatOf(request, row))
    const intensity = Math.max(asked.emotionalIntensity ?? 0, felt ?? 0) || null
    const { intent, depth } = memoryIntent({ stage, intensity, message, firstTurn: !before.any })
    const { distress: code } = readSignals(message)
    const { planner, proposed } = propose(request, asked, { stage, intent, depth })
    const plan = validateRetrievalPlan(proposed, contract, caller.actingFor, depth)
    const dropped = plan.verdicts.filter(each => each.verdict === 'dropped')
    request.count('queries', plan.queries.length)
    request.count('droppedQueries', dropped.length + (plan.malformed ? 1 : 0))

    const found = await retrieve(request, plan, message)
    const bundle = makeBundle(
      { stage, intent, message },
      found.map(({ item }) => item),
      tokenBudget,
      request.parts.tokenizer,
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
      distress: code === null ? null : { code, course: DISTRESS_COURSES[code] },
      malformed: plan.malformed,
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
type TurnLog = ReturnType<typeof logOf>

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
        listTurns<z.input<typeof verdict>, TurnLog>(
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

function countByType(items: readonly TurnLog[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const { type } of items) counts[type] = (counts[type] ?? 0) + 1
  return counts
}
