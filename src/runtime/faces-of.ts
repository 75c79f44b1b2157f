import { CompartmentTable } from '../policy/compartments.js'
import { decide, faceOf } from '../policy/decide.js'
import { type Face, NONE } from '../policy/faces.js'
import type { Subject } from '../policy/subject.js'
import type { PolicyTuple, RecordTimes } from '../policy/tuple.js'

/** What the decision about a record depends on. */
export interface DecisionInput {
  readonly tuple: PolicyTuple
  readonly times: RecordTimes
}

/**
 * The compartments of some records, one per distinct tuple, and the place of each record's compartment in the table.
 */
export function compartmentsOf(records: readonly DecisionInput[]): {
  table: CompartmentTable
  placed: number[]
} {
  const table = new CompartmentTable()
  const places = new Map<string, number>()
  const placed = records.map(({ tuple }) => {
    const key = JSON.stringify(tuple)
    const place = places.get(key) ?? table.add(tuple)
    places.set(key, place)
    return place
  })
  return { table, placed }
}

/** The faces of some records for a subject with the facts that they cite. */
export function facesOf(
  subject: Subject,
  records: readonly DecisionInput[],
  { table, placed } = compartmentsOf(records),
): Face[] {
  const faces = decide(subject, table)
  return records.map(({ tuple, times }, at) => faceOf(faces[placed[at] ?? -1] ?? NONE, subject, tuple, times))
}
