import { type Face, FULL, meet, NONE, settle } from './faces.js'
import type { Gate, Verdict } from './gate.js'
import { GATES } from './gates/all.js'
import type { Subject } from './subject.js'
import type { PolicyTuple, RecordTimes } from './tuple.js'

/** One gate's inputs over all compartments: each distinct value once, and which compartment has which. */
interface Column {
  readonly gate: Gate
  readonly distinct: Map<string, number>
  readonly examples: PolicyTuple[]
  values: Uint32Array
}

/**
 * Compartments, laid out so that a gate runs once per distinct value of what it reads. It holds tuples only, never
 * a decision, so nothing in it can be stale.
 */
export class CompartmentTable {
  readonly tuples: PolicyTuple[] = []
  readonly columns: readonly Column[]

  constructor(gates: readonly Gate[] = GATES) {
    this.columns = gates.map(gate => ({
      gate,
      distinct: new Map(),
      examples: [],
      values: new Uint32Array(16),
    }))
  }

  get size(): number {
    return this.tuples.length
  }

  /** Adds a compartment and returns its place. */
  add(tuple: PolicyTuple): number {
    const place = this.tuples.length
    this.tuples.push(tuple)
    for (const column of this.columns) {
      const key = column.gate.reads.map(field => encode(tuple[field])).join('\u0000')
      let value = column.distinct.get(key)
      if (value === undefined) {
        value = column.examples.length
        column.distinct.set(key, value)
        column.examples.push(tuple)
      }
      if (place === column.values.length) {
        const grown = new Uint32Array(place * 2)
        grown.set(column.values)
        column.values = grown
      }
      column.values[place] = value
    }
    return place
  }
}

/** Injective, as no stored string holds a NUL; strings, the common case, skip JSON unless they look like it. */
function encode(value: PolicyTuple[keyof PolicyTuple]): string {
  return typeof value === 'string' && value[0] !== '\u0001' ? value : `\u0001${JSON.stringify(value)}`
}

/** The face of every compartment for one caller: the meet of all gates, taken column by column (DE-1, DE-5). */
export function decide(subject: Subject, table: CompartmentTable): Uint8Array {
  const faces = new Uint8Array(table.size).fill(table.columns.length === 0 ? NONE : FULL)
  for (const { gate, examples, values } of table.columns) {
    const verdicts = Uint8Array.from(examples, fields => ask(gate, subject, fields).face)
    if (verdicts.every(face => face === FULL)) continue
    for (let place = 0; place < faces.length; place++) {
      faces[place] = (faces[place] as number) & (verdicts[values[place] as number] as number)
    }
  }
  return faces.map(settle)
}

/** The face of one record: its compartment's, met with what only its times can tell. */
export function faceOf(compartment: Face, subject: Subject, tuple: PolicyTuple, times: RecordTimes): Face {
  let face = compartment
  for (const gate of GATES) {
    if (face === NONE) return NONE
    if (gate.condition) face = meet(face, askCondition(gate, subject, tuple, times).face)
  }
  return face
}

/** A gate that fails denies (DE-2). */
export function ask(gate: Gate, subject: Subject, fields: PolicyTuple): Verdict {
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
