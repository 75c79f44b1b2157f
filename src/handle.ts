import type { Handle } from './generated/handle.js'
import { OPERATION_TABLE } from './generated/operation-table.js'
import { methodOf, type OperationTableRow } from './operation-table-row.js'
import type { OperationName } from './operations.js'
import type { RequestOptions } from './runtime/runtime.js'

export type { Handle }

/** Runs an operation by name, in this process or on a server. */
export type Invoke = (name: OperationName, input: unknown, options?: RequestOptions) => Promise<unknown>

type Given = Readonly<Record<string, unknown>>

const METHODS = Object.entries<OperationTableRow>(OPERATION_TABLE).map(([name, row]) => {
  const [group = '', verb] = methodOf(name, row).split('.')
  return { name: name as OperationName, row, group, verb }
})

/** Everything that one caller can do, as plain methods, whether in this process or on a server. */
export function makeHandle(invoke: Invoke): Handle {
  const handle: Record<string, unknown> = { invoke }
  for (const { name, row, group, verb } of METHODS) {
    const method = methodFor(invoke, name, row)
    if (verb === undefined) handle[group] = method
    else handle[group] = Object.assign(handle[group] ?? {}, { [verb]: method })
  }
  // The type is generated from the same table.
  return handle as unknown as Handle
}

function methodFor(invoke: Invoke, name: OperationName, { positional, many, answers }: OperationTableRow) {
  if (positional === undefined)
    return (input?: Given, options?: RequestOptions) => invoke(name, input ?? {}, options)
  const [field, others] = positional
  if (field === undefined) return (options?: RequestOptions) => invoke(name, {}, options)
  const inputOf = (first: unknown, rest?: Given) => ({ ...rest, [field]: many ? listOf(first) : first })
  if (others !== undefined)
    return (first: unknown, rest?: Given, options?: RequestOptions) =>
      invoke(name, inputOf(first, rest), options)
  if (answers === undefined)
    return (first: unknown, options?: RequestOptions) => invoke(name, inputOf(first), options)
  return async (first: unknown, options?: RequestOptions) => {
    const { [answers]: answered } = (await invoke(name, inputOf(first), options)) as Record<string, unknown[]>
    return Array.isArray(first) ? answered : answered?.[0]
  }
}

const listOf = (given: unknown): unknown[] => (Array.isArray(given) ? [...given] : [given])
