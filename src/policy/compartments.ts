import type { Gate } from './gate.js'
import { GATES } from './gates/all.js'
import { HashIndex } from './hash-index.js'
import { ownerOfKey, type PolicyTuple, TUPLE_FIELDS } from './tuple.js'

type FieldName = keyof PolicyTuple
type FieldValue = PolicyTuple[FieldName]

/** One field of all compartments as columns: each distinct value once, and the value of each compartment. */
export interface FieldColumns {
  /** The distinct values that are not lists. */
  readonly plain: readonly Exclude<FieldValue, readonly string[]>[]
  /** The distinct members of lists. `flat` and `starts` hold the lists as indexes into `members`. */
  readonly members: readonly string[]
  readonly flat: Uint32Array
  readonly starts: Uint32Array
  /** For each distinct value: twice its index into `plain`, or twice the index of a list plus one. */
  readonly values: Uint32Array
  /** For each compartment: the index of its value; empty if all compartments have the same. */
  readonly codes: Uint32Array
}

/**
 * The input of a gate for all compartments: a code for each distinct combination, and an example compartment for each
 * code.
 */
export interface GateColumn {
  readonly codes: Uint32Array
  readonly examples: ArrayLike<number>
  /** The sets by code, if only sets differ and the gate decides for each member separately; otherwise null. */
  readonly sets: SetColumn | null
}

/** Sets as indexes into a list of all their members. */
export interface SetColumn {
  readonly field: FieldName
  readonly members: readonly string[]
  /** The members of set n are from starts[n] to starts[n + 1]. */
  readonly flat: Uint32Array
  readonly starts: Uint32Array
}

/**
 * All compartments, arranged so that a gate runs once per distinct value of what it reads. The table holds only
 * tuples and no decisions, so nothing in it can be stale. It only grows.
 */
export class CompartmentTable {
  readonly gates: readonly Gate[]
  readonly #fields = new Map<FieldName, Field>()
  readonly #columns = new Map<Gate, { readonly size: number; readonly column: GateColumn }>()
  readonly #cited = { owners: new Set<string>(), consents: new Set<string>() }
  readonly #citedUpTo = new Map<FieldName, number>()
  #size = 0
  /** The tuple that was last asked for, since the table last grew. */
  #last: { readonly place: number; readonly tuple: PolicyTuple } | null = null

  constructor(gates: readonly Gate[] = GATES) {
    this.gates = gates
    for (const name of TUPLE_FIELDS) this.#fields.set(name, new Field())
  }

  /** Restores a table from its `fields`. */
  static of(size: number, fields: ReadonlyMap<string, FieldColumns>): CompartmentTable {
    const table = new CompartmentTable()
    for (const [name, field] of table.#fields) {
      const columns = fields.get(name)
      if (columns === undefined) throw new Error('not a table of compartments')
      field.take(columns)
    }
    table.#size = size
    return table
  }

  get size(): number {
    return this.#size
  }

  /** The columns of all fields, by field name. */
  get fields(): ReadonlyMap<string, FieldColumns> {
    return new Map([...this.#fields].map(([name, field]) => [name, field.columns]))
  }

  get bytes(): number {
    return [...this.#fields.values()].reduce((sum, field) => sum + field.bytes, 0)
  }

  /** Adds a compartment and returns its index. */
  add(tuple: PolicyTuple): number {
    const place = this.#size++
    this.#last = null
    for (const [name, field] of this.#fields) field.add(place, tuple[name])
    return place
  }

  tuple(place: number): PolicyTuple {
    // Gate after gate asks for the same one.
    if (this.#last?.place === place) return this.#last.tuple
    const fields: Partial<Record<FieldName, FieldValue>> = {}
    for (const [name, field] of this.#fields) fields[name] = field.at(place)
    const tuple = fields as PolicyTuple
    this.#last = { place, tuple }
    return tuple
  }

  /** One field of a compartment. */
  value<Name extends FieldName>(name: Name, place: number): PolicyTuple[Name] {
    return this.#field(name).at(place) as PolicyTuple[Name]
  }

  /** The owners whose facts, and the consents, that decisions about these compartments need. */
  get cited(): { readonly owners: ReadonlySet<string>; readonly consents: ReadonlySet<string> } {
    const { owners, consents } = this.#cited
    this.#eachNew('participants', key => owners.add(ownerOfKey(key)))
    this.#eachNew('overlayTargets', key => owners.add(ownerOfKey(key)))
    this.#eachNew('inputConsents', id => consents.add(id))
    this.#eachNew('consentRecord', id => consents.add(id))
    return this.#cited
  }

  /** The columns of the fields that a gate reads. */
  column(gate: Gate): GateColumn {
    const kept = this.#columns.get(gate)
    if (kept !== undefined && kept.size === this.#size) return kept.column
    const varying = gate.reads.filter(name => this.#field(name).distinct > 1)
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
    const sets = gate.over === name ? field.sets(name) : null
    return { codes: field.codes(this.#size), examples: field.examples, sets }
  }

  #combine(names: readonly FieldName[]): GateColumn {
    const columns = names.map(name => ({
      codes: this.#field(name).codes(this.#size),
      distinct: this.#field(name).distinct,
    }))
    const known = new Map<number, number>()
    const examples: number[] = []
    const codes = new Uint32Array(this.#size)
    for (let place = 0; place < this.#size; place++) {
      let key = 0
      for (const { codes, distinct } of columns) key = key * distinct + (codes[place] as number)
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
    const { strings } = this.#field(name)
    for (let at = this.#citedUpTo.get(name) ?? 0; at < strings.length; at++) visit(strings[at] as string)
    this.#citedUpTo.set(name, strings.length)
  }
}

/** What every list begins with: a table of a few records has a hundred lists, and most stay empty. */
const NO_NUMBERS = new Uint32Array(0)

/** A list of numbers that grows. */
class Numbers {
  #values = NO_NUMBERS
  length = 0

  push(value: number): void {
    if (this.length === this.#values.length) {
      const grown = new Uint32Array(Math.max(4, Math.ceil(this.length * 1.5)))
      grown.set(this.#values)
      this.#values = grown
    }
    this.#values[this.length++] = value
  }
  at(place: number): number {
    return this.#values[place] as number
  }
  get view(): Uint32Array {
    return this.#values.subarray(0, this.length)
  }
  take(values: Uint32Array): void {
    this.#values = values.slice()
    this.length = values.length
  }
}

/**
 * One field: plain values are stored as they are, lists as indexes of their members, so that a set of people is
 * small.
 */
class Field {
  readonly #plain: Exclude<FieldValue, readonly string[]>[] = []
  readonly #plainPlaces = new Map<unknown, number>()
  readonly #members: string[] = []
  readonly #memberPlaces = new Map<string, number>()
  readonly #flat = new Numbers()
  readonly #starts = new Numbers()
  readonly #lists = new HashIndex()
  readonly #values = new Numbers()
  readonly #codes = new Numbers()
  readonly #examples = new Numbers()

  constructor() {
    this.#starts.push(0)
  }

  get distinct(): number {
    return this.#values.length
  }
  get examples(): Uint32Array {
    return this.#examples.view
  }
  /** Every string in the field. */
  get strings(): readonly string[] {
    return this.#members.length > 0 ? this.#members : this.#plain.filter(value => typeof value === 'string')
  }
  get bytes(): number {
    const numbers = [this.#flat, this.#starts, this.#values, this.#codes, this.#examples]
    return numbers.reduce((sum, { length }) => sum + 4 * length, 0) + this.#starts.length * 16
  }

  /** For each compartment, the code of its value. */
  codes(size: number): Uint32Array {
    return this.distinct > 1 ? this.#codes.view : new Uint32Array(size)
  }

  get columns(): FieldColumns {
    return {
      plain: this.#plain,
      members: this.#members,
      flat: this.#flat.view,
      starts: this.#starts.view,
      values: this.#values.view,
      codes: this.distinct > 1 ? this.#codes.view : new Uint32Array(0),
    }
  }

  at(place: number): FieldValue {
    return this.#value(this.distinct > 1 ? this.#codes.at(place) : 0)
  }

  take({ plain, members, flat, starts, values, codes }: FieldColumns): void {
    for (const value of plain) this.#plainPlace(value)
    for (const member of members) this.#memberPlace(member)
    this.#flat.take(flat)
    this.#starts.take(starts)
    this.#values.take(values)
    this.#codes.take(codes)
    for (let code = 0; code < values.length; code++)
      if ((values[code] as number) & 1) this.#lists.add(this.#hashOf((values[code] as number) >>> 1), code)
    const examples = new Uint32Array(values.length)
    for (let place = codes.length - 1; place >= 0; place--) examples[codes[place] as number] = place
    this.#examples.take(examples)
  }

  add(place: number, value: FieldValue): void {
    const code = Array.isArray(value) ? this.#listCode(value as readonly string[]) : this.#plainCode(value)
    if (code === this.#examples.length) {
      this.#examples.push(place)
      // Codes were not stored as long as all compartments had the same value.
      if (code === 1) while (this.#codes.length < place) this.#codes.push(0)
    }
    if (this.distinct > 1) this.#codes.push(code)
  }

  /** The distinct values as sets; null if some value is not a list. */
  sets(field: FieldName): SetColumn | null {
    if (this.#plain.length > 0) return null
    return { field, members: this.#members, flat: this.#flat.view, starts: this.#starts.view }
  }

  #value(code: number): FieldValue {
    const value = this.#values.at(code)
    if ((value & 1) === 0) return this.#plain[value >>> 1] as FieldValue
    const list = value >>> 1
    const members: string[] = []
    for (let at = this.#starts.at(list); at < this.#starts.at(list + 1); at++)
      members.push(this.#members[this.#flat.at(at)] as string)
    return members
  }

  #plainCode(value: FieldValue): number {
    const known = this.#plainPlaces.get(value)
    if (known !== undefined) return this.#codeOf(known * 2)
    const place = this.#plainPlace(value)
    this.#values.push(place * 2)
    return this.#values.length - 1
  }

  /** A linear search is fast enough, because plain fields have few distinct values. */
  #codeOf(value: number): number {
    return this.#values.view.indexOf(value)
  }

  #listCode(list: readonly string[]): number {
    const places = list.map(member => this.#memberPlace(member))
    const known = this.#lists.find(hash(places), code => this.#isList(code, places))
    if (known >= 0) return known
    for (const place of places) this.#flat.push(place)
    const code = this.#values.length
    this.#values.push((this.#starts.length - 1) * 2 + 1)
    this.#starts.push(this.#flat.length)
    this.#lists.add(hash(places), code)
    return code
  }

  #isList(code: number, places: readonly number[]): boolean {
    const list = this.#values.at(code) >>> 1
    const from = this.#starts.at(list)
    if (this.#starts.at(list + 1) - from !== places.length) return false
    return places.every((place, at) => this.#flat.at(from + at) === place)
  }

  #hashOf(list: number): number {
    return hash(this.#flat.view.subarray(this.#starts.at(list), this.#starts.at(list + 1)))
  }

  #plainPlace(value: FieldValue): number {
    const place = this.#plain.length
    this.#plainPlaces.set(value, place)
    this.#plain.push(value as Exclude<FieldValue, readonly string[]>)
    return place
  }

  #memberPlace(member: string): number {
    let place = this.#memberPlaces.get(member)
    if (place === undefined) {
      place = this.#members.length
      this.#memberPlaces.set(member, place)
      this.#members.push(member)
    }
    return place
  }
}

function hash(places: ArrayLike<number>): number {
  let value = 0x811c9dc5
  for (let at = 0; at < places.length; at++)
    value = Math.imul(value ^ (places[at] as number), 0x01000193) ^ (value >>> 15)
  return value >>> 0
}
