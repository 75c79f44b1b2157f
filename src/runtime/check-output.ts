import type { Operation } from './operation.js'

type OutputCheck = (operation: Operation, output: unknown) => void

let check: OutputCheck | null = null

/**
 * Checks every answer from now on against its operation's output schema. Only tests use it: it would slow down every
 * answer.
 */
export function checkOutputs(by: OutputCheck): void {
  check = by
}

export function checkOutput(operation: Operation, output: unknown): void {
  check?.(operation, output)
}
