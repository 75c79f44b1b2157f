import { askCondition, askGate } from './decide.js'
import { type Face, meet } from './faces.js'
import type { Verdict } from './gate.js'
import { GATES } from './gates/all.js'
import type { Subject } from './subject.js'
import type { PolicyTuple, RecordTimes } from './tuple.js'

export interface GateVerdict extends Verdict {
  readonly gate: string
}

/** Lists the verdict of each gate that `decide` asks (DE-4). */
export function explain(
  subject: Subject,
  tuple: PolicyTuple,
  times: RecordTimes,
): { face: Face; gates: GateVerdict[] } {
  const gates = GATES.map((gate): GateVerdict => {
    const verdict = askGate(gate, subject, tuple)
    if (!gate.condition) return { gate: gate.name, ...verdict }
    const condition = askCondition(gate, subject, tuple, times)
    const face = meet(verdict.face, condition.face)
    return { gate: gate.name, face, reason: face === verdict.face ? verdict.reason : condition.reason }
  })
  return { face: meet(...gates.map(verdict => verdict.face)), gates }
}
