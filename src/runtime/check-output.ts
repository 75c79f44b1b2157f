import type { Operation } from './operation.js'

type OutputCheck = (operation: Operation, output: unknown) => void

let check: OutputCheck | null = null

/** From now on, holds every answer against what its operation declares. For tests: in production it would cost every answer. */
export function checkOutputs(by: OutputCheck): void {
  check = by
}

export function checkOutput(operation: Operation, output: unknown): void {
  check?.(operation, output)
}
