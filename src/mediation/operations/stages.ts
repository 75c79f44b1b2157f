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
import { readOperation, writeOperation } from '../../runtime/operation.js'
import type { ReadRequest, WriteRequest } from '../../runtime/request.js'
import { confirmGate, enterStage, type SessionRow } from '../../storage/queries/sessions.js'
import { askForStage } from '../ask-for-consent.js'
import {
  changeSession,
  lockOpenSession,
  progressOf,
  requireSession,
  requireStage,
  sessionId,
  stageOf,
} from '../session.js'

const stageView = z.object({
  session: z.string(),
  /** The caller's own. The partner's is told by gates alone. */
  stage: z.int(),
  stages: z.array(
    z.object({
      stage: z.int(),
      enteredAt: z.string().nullable(),
      gates: z.record(z.string(), z.boolean()),
      complete: z.boolean(),
    }),
  ),
  /** Whether all that is left of the stage is for the partner to do. */
  waiting: z.boolean(),
  /** Whether the next stage can be entered now. */
  mayAdvance: z.boolean(),
})

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
  summary: 'Read your own stage in a session, its gates, and what is waited for',
  callers: 'anyone',
  input: z.strictObject({ session: sessionId }),
  output: stageView,
  async run(request, { session }) {
    return viewOf(request, await requireSession(request, session))
  },
})

/** A gate that rests on the person's word. */
const confirming = <const Name extends `${string}.${string}`>(
  operation: Name,
  summary: string,
  gate: 'compactSigned' | 'feelHeardConfirmed',
  least: Stage,
) =>
  writeOperation({
    name: operation,
    summary,
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
  'Sign the compact of a session: how you will talk with each other',
  'compactSigned',
  0,
)

export const confirmHeard = confirming(
  'stages.confirm_heard',
  'Confirm that you feel heard',
  'feelHeardConfirmed',
  1,
)

/** The gates that the caller can read of, where one of them is open. */
function waitsFor(progress: Progress, actor: string, stage: Stage): string {
  const open = STAGE_GATES[stage].filter(gate => !isPassed(progress, actor, gate))
  return open.length === 0 ? 'your partner' : open.join(', ')
}

export const advanceStage = writeOperation({
  name: 'stages.advance',
  summary: 'Enter the next stage of a session',
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
    await askForStage(request, entered)
    return { output: await viewOf(request, entered), refs: [session] }
  },
  replay,
})
