import type { z } from 'zod'
import { isAgentAudience } from '../policy/subject.js'
import type { Audience } from '../policy/vocabulary.js'
import type { Asked } from './embedding/embeddings.js'
import type { ReadRequest, WriteRequest } from './request.js'

/** What a profile or a link may do so often. */
export type Rate = 'query' | 'completion' | 'view' | 'upload'

type Named = `${string}.${string}`

/** How far a state change can be taken back (AU-2). */
export type Reversibility =
  | 'reversible'
  | 'compensating_operation_only'
  | 'irreversible'
  | 'irreversible_external_effect'

/** Anyone, people for themselves and the host, or the host alone. */
export type Callers = 'anyone' | 'owner' | 'host'

/** WR-4. */
export function mayCall(callers: Callers, audience: Audience): boolean {
  return (
    callers === 'anyone' ||
    (callers === 'owner' && !isAgentAudience(audience)) ||
    (callers === 'host' && audience === 'host')
  )
}

interface Declared<Input extends z.ZodType, Output extends z.ZodType, Name extends Named> {
  /** Also its capability (CP-4). */
  readonly name: Name
  readonly summary: string
  readonly input: Input
  readonly output: Output
  /** Who may call it at all, whatever a capability policy says (WR-4). */
  readonly callers: Callers
  /** What of a profile's rates it counts against (SP-10). */
  readonly rate?: Rate
  /** Whether what it answers is meant for a model: people in it are asked then, whoever calls (PC-2). */
  readonly forModel?: boolean
  /** The question that it is going to ask, to be embedded before its snapshot; null where there is none. */
  asks?(input: z.output<Input>): Asked | null
}

/** Asks, in one snapshot. */
export interface ReadOperation<
  Input extends z.ZodType = z.ZodType,
  Output extends z.ZodType = z.ZodType,
  Name extends Named = Named,
> extends Declared<Input, Output, Name> {
  readonly access: 'read'
  run(request: ReadRequest, input: z.output<Input>): Promise<z.input<Output>>
}

/** What a write did: ids of what it touched, kept instead of a response, so that a replay decides again. */
export interface Written<Value> {
  readonly output: Value
  readonly refs: readonly string[]
  /** Why the answer is a refusal, where what was tried has to count: for the audit alone. */
  readonly refused?: string | undefined
}

/** Changes state, in one transaction, all or nothing. */
export interface WriteOperation<
  Input extends z.ZodType = z.ZodType,
  Output extends z.ZodType = z.ZodType,
  Name extends Named = Named,
> extends Declared<Input, Output, Name> {
  readonly access: 'write'
  readonly effects: readonly string[]
  readonly reversibility: Reversibility
  /** Whether it changes facts that decisions rest on: it then waits for writers under those facts, and they for it. */
  readonly changesFacts: boolean
  run(request: WriteRequest, input: z.output<Input>): Promise<Written<z.input<Output>>>
  /** The answer to a repeated request with the same idempotency key, decided now. */
  replay(request: WriteRequest, refs: readonly string[], input: z.output<Input>): Promise<z.input<Output>>
}

export type Operation = ReadOperation | WriteOperation

export function readOperation<Input extends z.ZodType, Output extends z.ZodType, const Name extends Named>(
  operation: Omit<ReadOperation<Input, Output, Name>, 'access'>,
): ReadOperation<Input, Output, Name> {
  return { ...operation, access: 'read' }
}

export function writeOperation<Input extends z.ZodType, Output extends z.ZodType, const Name extends Named>(
  operation: Omit<WriteOperation<Input, Output, Name>, 'access'>,
): WriteOperation<Input, Output, Name> {
  return { ...operation, access: 'write' }
}
