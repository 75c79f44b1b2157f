import { type Face, FULL, METADATA, NONE, PREVIEW, SUBSTITUTE } from './faces.js'
import type { Subject } from './subject.js'
import type { PolicyTuple, RecordTimes } from './tuple.js'

/** The most a gate would disclose, and why. */
export interface Verdict {
  readonly face: Face
  readonly reason: `access.${string}`
}

/** One pure policy check. It sees the subject and the fields it declares, nothing else. */
export interface Gate {
  readonly name: string
  readonly reads: readonly (keyof PolicyTuple)[]
  decide(subject: Subject, fields: PolicyTuple): Verdict
  /** A set that it asks member by member: its verdict on several is the meet of its verdicts on each. */
  readonly over?: keyof PolicyTuple
  /** What cannot be told from the tuple: a condition on one record's times. */
  condition?(subject: Subject, times: RecordTimes, fields: PolicyTuple): Verdict
}

/** Declares a gate. `fields` is narrowed to what is declared in `reads`, so reading more does not compile. */
export function gate<K extends keyof PolicyTuple>(
  name: string,
  reads: readonly K[],
  decide: (subject: Subject, fields: Pick<PolicyTuple, K>) => Verdict,
  condition?: (subject: Subject, times: RecordTimes, fields: Pick<PolicyTuple, K>) => Verdict,
): Gate {
  return condition ? { name, reads, decide, condition } : { name, reads, decide }
}

/** Declares that a gate asks the members of a set one by one, so that each has to be asked about only once. */
export const over = (field: keyof PolicyTuple, gate: Gate): Gate => ({ ...gate, over: field })

export const full = (reason: Verdict['reason']): Verdict => ({ face: FULL, reason })
export const preview = (reason: Verdict['reason']): Verdict => ({ face: PREVIEW, reason })
export const metadata = (reason: Verdict['reason']): Verdict => ({ face: METADATA, reason })
export const substitute = (reason: Verdict['reason']): Verdict => ({ face: SUBSTITUTE, reason })
export const none = (reason: Verdict['reason']): Verdict => ({ face: NONE, reason })
