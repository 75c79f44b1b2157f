import type { CompartmentTable, SetColumn } from './compartments.js'
import { type Face, FULL, meet, NONE, settle } from './faces.js'
import type { Gate, Verdict } from './gate.js'
import { GATES } from './gates/all.js'
import { isBoundByViews, type Subject } from './subject.js'
import type { PolicyTuple, RecordTimes } from './tuple.js'

/** The face of every compartment for one caller: the meet of all gates, computed column by column (DE-1, DE-5). */
export function decide(subject: Subject, table: CompartmentTable): Uint8Array {
  const faces = new Uint8Array(table.size).fill(table.gates.length === 0 ? NONE : FULL)
  for (const gate of table.gates) {
    const { codes, examples, sets } = table.column(gate)
    const verdicts =
      sets === null
        ? Uint8Array.from(examples, place => askGate(gate, subject, table.tuple(place)).face)
        : verdictsOverSets(gate, subject, table, sets)
    if (verdicts.every(face => face === FULL)) continue
    for (let place = 0; place < faces.length; place++) {
      faces[place] = (faces[place] as number) & (verdicts[codes[place] as number] as number)
    }
  }
  return faces.map(settle)
}

/**
 * Decides once for each member, however many sets contain it. The face of a set is the meet of its members' faces.
 */
function verdictsOverSets(
  gate: Gate,
  subject: Subject,
  table: CompartmentTable,
  { field, members, flat, starts }: SetColumn,
): Uint8Array {
  const example = table.tuple(0)
  const of = (set: readonly string[]) => askGate(gate, subject, { ...example, [field]: set }).face
  const ofMembers = Uint8Array.from(members, member => of([member]))
  const ofNobody = of([])
  const verdicts = new Uint8Array(starts.length - 1)
  for (let set = 0; set < verdicts.length; set++) {
    const end = starts[set + 1] as number
    let face = FULL
    for (let at = starts[set] as number; at < end; at++) face &= ofMembers[flat[at] as number] as number
    verdicts[set] = end === starts[set] ? ofNobody : settle(face)
  }
  return verdicts
}

/** The face of one record: the meet of its compartment's face and the conditions on its times. */
export function faceOf(compartment: Face, subject: Subject, tuple: PolicyTuple, times: RecordTimes): Face {
  let face = compartment
  for (const gate of GATES) {
    if (face === NONE) return NONE
    if (gate.condition) face = meet(face, askCondition(gate, subject, tuple, times).face)
  }
  return face
}

/** Whether times affect every record that this subject may see, not only those that expire. */
export const timesDecideAll = (subject: Subject): boolean => isBoundByViews(subject)

/** Asks a gate. A gate that throws denies (DE-2). */
export function askGate(gate: Gate, subject: Subject, fields: PolicyTuple): Verdict {
  return guarded(() => gate.decide(subject, fields))
}

export function askCondition(gate: Gate, subject: Subject, fields: PolicyTuple, times: RecordTimes): Verdict {
  return guarded(() => gate.condition?.(subject, times, fields) ?? { face: FULL, reason: 'access.current' })
}

function guarded(decide: () => Verdict): Verdict {
  try {
    return decide()
  } catch {
    return { face: NONE, reason: 'access.gate_failed' }
  }
}
