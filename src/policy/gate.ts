import { type Face, FULL, METADATA, NONE, PREVIEW, SUBSTITUTE } from './faces.js'
import type { Subject } from './subject.js'
import type { PolicyTuple, RecordTimes } from './tuple.js'

/** The most that a gate would disclose, and why. */
export interface Verdict {
  readonly face: Face
  readonly reason: `access.${string}`
}

/** One pure policy check. It sees only the subject and the fields that it declares. */
export interface Gate {
  readonly name: string
  readonly reads: readonly (keyof PolicyTuple)[]
  decide(subject: Subject, fields: PolicyTuple): Verdict
  /**
   * A set whose members the gate checks separately: its verdict on a set is the meet of its verdicts on the members.
   */
  readonly over?: keyof PolicyTuple
  /** A condition on one record's times, which the tuple does not contain. */
  condition?(subject: Subject, times: RecordTimes, fields: PolicyTuple): Verdict
}

/** Declares a gate. `fields` is narrowed to the fields in `reads`, so reading any other does not compile. */
export function gate<K extends keyof PolicyTuple>(
  name: string,
  reads: readonly K[],
  decide: (subject: Subject, fields: Pick<PolicyTuple, K>) => Verdict,
  condition?: (subject: Subject, times: RecordTimes, fields: Pick<PolicyTuple, K>) => Verdict,
): Gate {
  return condition ? { name, reads, decide, condition } : { name, reads, decide }
}

/** Declares that a gate checks the members of a set separately, so that each member is checked only once. */
export const over = (field: keyof PolicyTuple, gate: Gate): Gate => ({ ...gate, over: field })

export const full = (reason: Verdict['reason']): Verdict => ({ face: FULL, reason })
export const preview = (reason: Verdict['reason']): Verdict => ({ face: PREVIEW, reason })
export const metadata = (reason: Verdict['reason']): Verdict => ({ face: METADATA, reason })
export const substitute = (reason: Verdict['reason']): Verdict => ({ face: SUBSTITUTE, reason })
export const none = (reason: Verdict['reason']): Verdict => ({ face: NONE, reason })
