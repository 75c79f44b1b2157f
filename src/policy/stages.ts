import { STAGES, type Stage } from './retrieval-contract.js'

/** The gates that complete a stage, from the perspective of one participant (RC-9). */
export const STAGE_GATES = {
  0: ['compactSigned', 'partnerCompactSigned'],
  1: ['feelHeardConfirmed'],
  2: ['empathyDraftReady', 'empathyConsented', 'partnerConsented', 'partnerValidated'],
  3: ['needsConfirmed', 'partnerNeedsConfirmed', 'commonGroundConfirmed'],
  4: ['strategiesSubmitted', 'rankingsSubmitted', 'overlapIdentified', 'agreementCreated'],
} as const satisfies Record<Stage, readonly string[]>
export type StageGate = (typeof STAGE_GATES)[Stage][number]

/** What one participant has done. Of others, only the result of a partner gate is ever shown (NI-8). */
export interface ParticipantProgress {
  /** The furthest stage that the participant entered. */
  readonly stage: number
  readonly compactSigned: boolean
  readonly feelHeardConfirmed: boolean
  readonly empathyDraftReady: boolean
  readonly empathyConsented: boolean
  /** Whether the others felt understood by it. */
  readonly empathyValidated: boolean
  readonly needsConfirmed: boolean
  readonly commonGroundConfirmed: boolean
  readonly strategiesSubmitted: boolean
  readonly rankingsSubmitted: boolean
}

/** The progress of all participants. */
export interface Progress {
  readonly participants: ReadonlyMap<string, ParticipantProgress>
  readonly overlapIdentified: boolean
  readonly agreementCreated: boolean
}

/** Gates that depend on others. They are needed to complete a stage, but not to enter the next one. */
const OF_PARTNERS: ReadonlySet<StageGate> = new Set([
  'partnerCompactSigned',
  'partnerConsented',
  'partnerValidated',
  'partnerNeedsConfirmed',
])

/** Whether a participant has passed a gate. */
export function isPassed(progress: Progress, actor: string, gate: StageGate): boolean {
  const own = progress.participants.get(actor)
  if (own === undefined) return false
  const others = [...progress.participants].filter(([other]) => other !== actor).map(([, done]) => done)
  const everyOther = (done: (other: ParticipantProgress) => boolean) =>
    others.length > 0 && others.every(done)
  switch (gate) {
    case 'partnerCompactSigned':
      return everyOther(other => other.compactSigned)
    case 'partnerConsented':
      return everyOther(other => other.empathyConsented)
    case 'partnerValidated':
      return own.empathyValidated
    case 'partnerNeedsConfirmed':
      return everyOther(other => other.needsConfirmed)
    case 'overlapIdentified':
      return progress.overlapIdentified
    case 'agreementCreated':
      return progress.agreementCreated
    default:
      return own[gate]
  }
}

/** Whether every gate of a stage is passed. */
export function isComplete(progress: Progress, actor: string, stage: Stage): boolean {
  return STAGE_GATES[stage].every(gate => isPassed(progress, actor, gate))
}

/** Whether only the others still have something to do in a stage. */
export function isWaiting(progress: Progress, actor: string, stage: Stage): boolean {
  return ownGatesPassed(progress, actor, stage) && !isComplete(progress, actor, stage)
}

const ownGatesPassed = (progress: Progress, actor: string, stage: Stage) =>
  STAGE_GATES[stage].every(gate => OF_PARTNERS.has(gate) || isPassed(progress, actor, gate))

/**
 * Whether a participant may enter the stage after this one. Everyone goes through stages 1 to 3 at their own pace;
 * leaving stage 0 and entering stage 4 require everybody (RC-8).
 */
export function mayEnterNext(progress: Progress, actor: string, stage: Stage): boolean {
  switch (stage) {
    case 0:
      return isComplete(progress, actor, 0)
    case 1:
    case 2:
      return ownGatesPassed(progress, actor, stage)
    case 3:
      return (
        STAGES.slice(0, 4).every(earlier => isComplete(progress, actor, earlier)) &&
        [...progress.participants].every(([other, done]) => other === actor || isReadyToRepair(done))
      )
    case 4:
      return false
  }
}

/**
 * What the last stage requires of the others: only what they did for both sides, and nothing that is private to them.
 */
const isReadyToRepair = ({ stage, ...done }: ParticipantProgress): boolean =>
  stage >= 3 &&
  done.empathyConsented &&
  done.empathyValidated &&
  done.needsConfirmed &&
  done.commonGroundConfirmed
