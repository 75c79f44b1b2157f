import type { CallerRow } from '../storage/queries/load-caller.js'
import type { RequestCaller } from './caller.js'

/** Who a caller was when the store was last asked. */
export interface KnownCaller {
  readonly row: CallerRow
  /** The same as a text, to compare by. */
  readonly text: string
  /** Whose facts its decisions rest on in any case. */
  readonly principals: readonly string[]
  /** The changes of facts by this process that it includes. */
  readonly mark: number
}

/** Something as it was last read. */
interface Known<Value> {
  readonly value: Value
  readonly mark: number
}

type FactKind = 'generation' | 'consent' | 'target'

/** How many generations, consents and targets are remembered. */
const MOST_FACTS = 100_000

const factKey = (tenant: string, kind: string, id: string) => JSON.stringify([tenant, kind, id])

/** How many callers are remembered. */
const MOST_CALLERS = 20_000

/**
 * What this process remembers of its callers and of the generations of facts. A request begins with it and has it confirmed by the statement that
 * brings its content, so it saves a statement and decides nothing. After a change of facts by this process it is read
 * again first.
 */
export class KnownCallers {
  readonly #callers = new Map<string, KnownCaller>()
  readonly #facts = new Map<string, Known<unknown>>()
  readonly #marks = new Map<string, number>()

  /** What is remembered of a caller; null if that is nothing, or outdated for certain. */
  recall(caller: RequestCaller): KnownCaller | null {
    const known = this.#callers.get(keyOf(caller))
    return known !== undefined && known.mark === this.mark(caller.tenant) ? known : null
  }

  /** Remembers what the store says. `mark` is the one from before it was asked. */
  learn(caller: RequestCaller, row: CallerRow, mark: number): KnownCaller {
    const key = keyOf(caller)
    const text = JSON.stringify(row)
    const before = this.#callers.get(key)
    if (before !== undefined && before.mark === mark && before.text === text) return before
    const known = { row, text, principals: principalsOf(caller, row), mark }
    this.#callers.delete(key)
    if (this.#callers.size >= MOST_CALLERS) this.#callers.clear()
    this.#callers.set(key, known)
    return known
  }

  /** Forgets a caller who is not what was remembered, so that the store is asked first. */
  forget(caller: RequestCaller): void {
    this.#callers.delete(keyOf(caller))
  }

  /** What was last read of something; undefined if that is nothing, or outdated for certain. */
  recallFact<Value>(tenant: string, kind: FactKind, id: string): Known<Value> | undefined {
    const known = this.#facts.get(factKey(tenant, kind, id)) as Known<Value> | undefined
    return known !== undefined && known.mark === this.mark(tenant) ? known : undefined
  }

  learnFact<Value>(tenant: string, kind: FactKind, id: string, value: Value, mark: number): void {
    if (this.#facts.size >= MOST_FACTS) this.#facts.clear()
    this.#facts.set(factKey(tenant, kind, id), { value, mark })
  }

  /** How often this process has changed facts of a tenant. */
  mark(tenant: string): number {
    return this.#marks.get(tenant) ?? 0
  }

  /** Notes that this process has changed facts of a tenant. */
  noteChange(tenant: string): void {
    this.#marks.set(tenant, this.mark(tenant) + 1)
  }
}

/** Everything that decides who a caller is; what it is trusted with does not. */
const keyOf = ({ tenant, actingFor, key, profile }: RequestCaller) =>
  JSON.stringify([tenant, actingFor, key, profile])

/** The principal, its groups and its roles in them. */
export function principalsOf({ actingFor }: RequestCaller, { memberships }: CallerRow): string[] {
  const principals = new Set([actingFor])
  for (const { groupId, role } of memberships) {
    principals.add(`group:${groupId}`)
    if (role !== '') principals.add(`role:${groupId}/${role}`)
  }
  return [...principals]
}
