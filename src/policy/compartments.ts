import type { Gate } from './gate.js'
import { GATES } from './gates/all.js'
import { ownerOfKey, type PolicyTuple, TUPLE_FIELDS } from './tuple.js'

type FieldName = keyof PolicyTuple
type FieldValue = PolicyTuple[FieldName]

/** One field over all compartments: each distinct value once, and which compartment has which. */
export interface FieldColumn {
  readonly values: readonly FieldValue[]
  readonly codes: Uint32Array
}

/** What a gate reads, over all compartments: a code for each distinct combination, and a compartment that has it. */
export interface GateColumn {
  readonly codes: Uint32Array
  readonly examples: readonly number[]
  /** Where sets are all that differs and the gate asks each member by itself: the sets, by code. */
  readonly sets: SetColumn | null
}

/** Sets as places in a list of all their members. */
export interface SetColumn {
  readonly field: FieldName
  readonly members: readonly string[]
  /** The members of set n stand from starts[n] to starts[n + 1]. */
  readonly flat: readonly number[]
  readonly starts: readonly number[]
}

/**
 * Compartments, laid out so that a gate runs once per distinct value of what it reads. It holds tuples only, never
 * a decision, so nothing in it can be stale. It only grows.
 */
export class CompartmentTable {
  readonly gates: readonly Gate[]
  readonly #fields = new Map<FieldName, Field>()
  readonly #columns = new Map<Gate, KeptColumn>()
  readonly #cited = { owners: new Set<string>(), consents: new Set<string>() }
  readonly #citedUpTo = new Map<FieldName, number>()
  #size = 0

  constructor(gates: readonly Gate[] = GATES) {
    this.gates = gates
    for (const name of TUPLE_FIELDS) this.#fields.set(name, new Field())
  }

  /** The table that `fields` was taken from. */
  static of(size: number, fields: ReadonlyMap<string, FieldColumn>): CompartmentTable {
    const table = new CompartmentTable()
    for (const [name, field] of table.#fields) {
      const column = fields.get(name)
      if (column === undefined || column.codes.length !== size) throw new Error('not a table of compartments')
      field.take(column)
    }
    table.#size = size
    return table
  }

  get size(): number {
    return this.#size
  }

  /** Everything there is, by field. */
  get fields(): ReadonlyMap<string, FieldColumn> {
    return new Map([...this.#fields].map(([name, field]) => [name, field.column(this.#size)]))
  }

  /** Adds a compartment and returns its place. */
  add(tuple: PolicyTuple): number {
    const place = this.#size++
    for (const [name, field] of this.#fields) field.add(place, tuple[name])
    return place
  }

  tuple(place: number): PolicyTuple {
    const entries = [...this.#fields].map(([name, field]) => [name, field.at(place)])
    return Object.fromEntries(entries) as PolicyTuple
  }

  /** One field of a compartment. */
  value<Name extends FieldName>(name: Name, place: number): PolicyTuple[Name] {
    return this.#field(name).at(place) as PolicyTuple[Name]
  }

  /** Whose facts, and which consents, decisions on these compartments ask for. */
  get cited(): { readonly owners: ReadonlySet<string>; readonly consents: ReadonlySet<string> } {
    const { owners, consents } = this.#cited
    this.#eachNew('participants', key => owners.add(ownerOfKey(key)))
    this.#eachNew('overlayTargets', key => owners.add(ownerOfKey(key)))
    this.#eachNew('inputConsents', id => consents.add(id))
    this.#eachNew('consentRecord', id => consents.add(id))
    return this.#cited
  }

  /** What a gate reads, laid out for it. */
  column(gate: Gate): GateColumn {
    const varying = gate.reads.filter(name => this.#field(name).distinct > 1)
    const kept = this.#columns.get(gate)
    if (kept !== undefined && kept.size === this.#size) return kept.column
    const column =
      varying.length > 1 ? this.#combine(varying) : this.#single(gate, varying[0] ?? gate.reads[0])
    this.#columns.set(gate, { size: this.#size, column })
    return column
  }

  #field(name: FieldName): Field {
    const field = this.#fields.get(name)
    if (field === undefined) throw new Error('no such field')
    return field
  }

  #single(gate: Gate, name: FieldName | undefined): GateColumn {
    if (name === undefined)
      return { codes: new Uint32Array(this.#size), examples: this.#size === 0 ? [] : [0], sets: null }
    const field = this.#field(name)
    const { codes } = field.column(this.#size)
    return { codes, examples: field.examples, sets: gate.over === name ? field.sets(name) : null }
  }

  #combine(names: readonly FieldName[]): GateColumn {
    const columns = names.map(name => this.#field(name).column(this.#size))
    const known = new Map<number, number>()
    const examples: number[] = []
    const codes = new Uint32Array(this.#size)
    for (let place = 0; place < this.#size; place++) {
      let key = 0
      for (const { codes, values } of columns) key = key * values.length + (codes[place] as number)
      let code = known.get(key)
      if (code === undefined) {
        code = examples.length
        known.set(key, code)
        examples.push(place)
      }
      codes[place] = code
    }
    return { codes, examples, sets: null }
  }

  #eachNew(name: FieldName, visit: (member: string) => void): void {
    const { values } = this.#field(name).column(this.#size)
    for (let at = this.#citedUpTo.get(name) ?? 0; at < values.length; at++)
      for (const member of [values[at] ?? []].flat()) visit(String(member))
    this.#citedUpTo.set(name, values.length)
  }
}

interface KeptColumn {
  readonly size: number
  readonly column: GateColumn
}

class Field {
  #values: FieldValue[] = []
  #examples: number[] = []
  #codes = new Uint32Array(16)
  /** Made when the first value is added: a table that is only read needs none. */
  #known: Map<string, number> | null = null
  #sets: { members: string[]; known: Map<string, number>; flat: number[]; starts: number[] } | null = null

  get distinct(): number {
    return this.#values.length
  }
  get examples(): readonly number[] {
    return this.#examples
  }

  column(size: number): FieldColumn {
    return { values: this.#values, codes: this.#codes.subarray(0, size) }
  }

  at(place: number): FieldValue {
    return this.#values[this.#codes[place] as number] as FieldValue
  }

  take({ values, codes }: FieldColumn): void {
    this.#values = [...values]
    this.#codes = codes.slice()
    this.#examples = new Array<number>(values.length).fill(-1)
    for (let place = codes.length - 1; place >= 0; place--) this.#examples[codes[place] as number] = place
  }

  add(place: number, value: FieldValue): void {
    this.#known ??= new Map(this.#values.map((known, code) => [encode(known), code]))
    const key = encode(value)
    let code = this.#known.get(key)
    if (code === undefined) {
      code = this.#values.length
      this.#known.set(key, code)
      this.#values.push(value)
      this.#examples.push(place)
    }
    if (place >= this.#codes.length) {
      const grown = new Uint32Array(Math.max(16, place * 2))
      grown.set(this.#codes)
      this.#codes = grown
    }
    this.#codes[place] = code
  }

  /** The distinct values as sets. */
  sets(field: FieldName): SetColumn {
    this.#sets ??= { members: [], known: new Map(), flat: [], starts: [0] }
    const { members, known, flat, starts } = this.#sets
    for (let at = starts.length - 1; at < this.#values.length; at++) {
      for (const member of this.#values[at] as readonly string[]) {
        let place = known.get(member)
        if (place === undefined) {
          place = members.length
          known.set(member, place)
          members.push(member)
        }
        flat.push(place)
      }
      starts.push(flat.length)
    }
    return { field, members, flat, starts }
  }
}

/** Injective, as no stored string holds a NUL; strings, the common case, skip JSON unless they look like it. */
function encode(value: FieldValue): string {
  return typeof value === 'string' && value[0] !== '\u0001' ? value : `\u0001${JSON.stringify(value)}`
}
