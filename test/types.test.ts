import { describe, expect, it } from 'vitest'
import type { z } from 'zod'
import type { Inputs, Outputs } from '../src/generated/types.js'
import type { OPERATIONS, OperationName } from '../src/operations.js'

type Named<Name extends OperationName> = Extract<(typeof OPERATIONS)[number], { name: Name }>

/** True for types that are the same to the last optional field; both ways assignable would be less. */
type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false

type OtherInputs = {
  [Name in OperationName]: Same<Inputs[Name], z.input<Named<Name>['input']>> extends true ? never : Name
}[OperationName]
type OtherOutputs = {
  [Name in OperationName]: Same<Outputs[Name], z.output<Named<Name>['output']>> extends true ? never : Name
}[OperationName]

describe('the types that are generated', () => {
  it('are those that the schemas infer', () => {
    // The compiler compares them: a name that stands here is an operation whose types differ.
    const others: [OtherInputs, OtherOutputs, Exclude<keyof Inputs | keyof Outputs, OperationName>] extends [
      never,
      never,
      never,
    ]
      ? true
      : [OtherInputs, OtherOutputs] = true
    expect(others).toBe(true)
  })
})
