import { z } from 'zod'
import { PrivityError } from '../../errors.js'
import { STAGES, type Stage } from '../../policy/retrieval-contract.js'
import {
  isComplete,
  isPassed,
  isWaiting,
  mayEnterNext,
  type Progress,
  STAGE_GATES,
} from '../../policy/stages.js'
import { type Route, readOperation, writeOperation } from '../../runtime/operation.js'
import type { ReadRequest, WriteRequest } from '../../runtime/request.js'
import { confirmGate, enterStage, type SessionRow } from '../../storage/queries/sessions.js'
import { askForStage } from '../ask-for-consent.js'
import {
  changeSession,
  leastStage,
  lockOpenSession,
  progressOf,
  requireSession,
  requireStage,
  sessionId,
  stageOf,
} from '../session.js'
import { announceSharedBefore } from '../share.js'

const stageView = z
  .object({
    session: z.string().meta({ description: 'The session, by its id.' }),
    stage: z.int().meta({ description: "Your stage. Your partner's is told by gates alone." }),
    stages: z
      .array(
        z.object({
          stage: z.int().meta({ description: 'The number of the stage.' }),
          enteredAt: z
            .string()
            .nullable()
            .meta({ description: 'When you entered it; null if you have not.' }),
          gates: z
            .record(z.string(), z.boolean())
            .meta({ description: 'What must be done in it, and whether it is.' }),
          complete: z.boolean().meta({ description: 'Whether all its gates are open.' }),
        }),
      )
      .meta({ description: 'All stages, in order.' }),
    waiting: z
      .boolean()
      .meta({ description: 'Whether all that is left of your stage is for your partner to do.' }),
    mayAdvance: z.boolean().meta({ description: 'Whether you can enter the next stage now.' }),
  })
  .meta({ id: 'Stages', description: 'How far you have got in a session.' })

async function viewOf(request: ReadRequest, session: SessionRow): Promise<z.input<typeof stageView>> {
  const actor = request.caller.actingFor
  const stage = stageOf(request, session)
  const progress = await progressOf(request, session)
  const own = session.participants.find(participant => participant.actor === actor)
  return {
    session: session.sessionId,
    stage,
    stages: STAGES.map(each => ({
      stage: each,
      enteredAt: own?.entered[each] ?? null,
      gates: Object.fromEntries(STAGE_GATES[each].map(gate => [gate, isPassed(progress, actor, gate)])),
      complete: isComplete(progress, actor, each),
    })),
    waiting: isWaiting(progress, actor, stage),
    mayAdvance: session.state === 'ACTIVE' && mayEnterNext(progress, actor, stage),
  }
}

const replay = async (request: WriteRequest, [session = '']: readonly string[]) =>
  viewOf(request, await requireSession(request, session))

export const getStages = readOperation({
  name: 'stages.get',
  route: 'GET /sessions/:session/stages',
  summary: 'Read your own stage in a session, its gates, and what is waited for',
  positional: ['session'],
  policies: ['agent', 'reader'],
  sample: world => ({ session: world.made('session') }),
  callers: 'anyone',
  input: z.strictObject({ session: sessionId }),
  output: stageView,
  async run(request, { session }) {
    return viewOf(request, await requireSession(request, session))
  },
})

/** An operation for a stage gate that the person passes by confirming something. */
const confirming = <const Name extends `${string}.${string}`>(
  name: Name,
  route: Route,
  summary: string,
  gate: 'compactSigned' | 'feelHeardConfirmed',
  least: Stage,
) =>
  writeOperation({
    name,
    route,
    summary,
    positional: ['session'],
    sample: world => ({ session: world.made('session') }),
    callers: 'owner',
    effects: ['stage_gate_passed'],
    reversibility: 'irreversible',
    changesFacts: true,
    input: z.strictObject({ session: sessionId }),
    output: stageView,
    async run(request, { session }) {
      const { tx, tenant, caller, now } = request
      const row = await lockOpenSession(request, session)
      requireStage(request, row, least)
      await changeSession(request, row, () => confirmGate(tx, tenant, session, caller.actingFor, gate, now))
      return { output: await viewOf(request, await requireSession(request, session)), refs: [session] }
    },
    replay,
  })

export const signCompact = confirming(
  'stages.sign_compact',
  'POST /sessions/:session/compact',
  'Sign the compact of a session: how you will talk with each other',
  'compactSigned',
  0,
)

export const confirmHeard = confirming(
  'stages.confirm_heard',
  'POST /sessions/:session/feel-heard',
  'Confirm that you feel heard',
  'feelHeardConfirmed',
  1,
)

/** The open gates of the caller, or "your partner" if the caller has passed all of theirs. */
function waitsFor(progress: Progress, actor: string, stage: Stage): string {
  const open = STAGE_GATES[stage].filter(gate => !isPassed(progress, actor, gate))
  return open.length === 0 ? 'your partner' : open.join(', ')
}

export const advanceStage = writeOperation({
  name: 'stages.advance',
  route: 'POST /sessions/:session/advance',
  summary: 'Enter the next stage of a session',
  positional: ['session'],
  sample: world => ({ session: world.made('session') }),
  callers: 'owner',
  effects: ['stage_entered'],
  reversibility: 'irreversible',
  changesFacts: true,
  input: z.strictObject({ session: sessionId }),
  output: stageView,
  async run(request, { session }) {
    const { tx, tenant, caller, now } = request
    const row = await lockOpenSession(request, session)
    if (row.state !== 'ACTIVE')
      throw new PrivityError('conflict', `the session is ${row.state}; stages go on while it is ACTIVE`, {
        reason: 'session.not_active',
      })
    const stage = stageOf(request, row)
    const next = STAGES[stage + 1]
    if (next === undefined) throw new PrivityError('conflict', 'this is the last stage')
    const progress = await progressOf(request, row)
    if (!mayEnterNext(progress, caller.actingFor, stage))
      throw new PrivityError(
        'conflict',
        `stage ${stage} waits for ${waitsFor(progress, caller.actingFor, stage)}`,
        {
          reason: 'session.stage_gates_open',
        },
      )
    await changeSession(request, row, () => enterStage(tx, tenant, session, caller.actingFor, next, now))
    const entered = await requireSession(request, session)
    if (leastStage(row) < 2 && leastStage(entered) >= 2) await announceSharedBefore(request, entered)
    await askForStage(request, entered)
    return { output: await viewOf(request, entered), refs: [session] }
  },
  replay,
})
