import type { z } from 'zod'
import { isAgentAudience } from '../policy/subject.js'
import type { Audience } from '../policy/vocabulary.js'
import type { QueryToEmbed } from './embedding/embeddings.js'
import type { ReadRequest, WriteRequest } from './request.js'
import type { SampleInput, SampleWorld } from './sample-world.js'

/** The kinds of use that a profile or a link limits by rate. */
export type Rate = 'query' | 'completion' | 'view' | 'upload'

type DottedName = `${string}.${string}`

/** How far a state change can be undone (AU-2). */
export type Reversibility =
  | 'reversible'
  | 'compensating_operation_only'
  | 'irreversible'
  | 'irreversible_external_effect'

/** Anyone; owners for themselves and the host; or the host alone. */
export type Callers = 'anyone' | 'owner' | 'host'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
export type Route = `${Method} /${string}`

/** The built-in capability policies: what an audience, or an agent that only reads, may do by default. */
export type BuiltInPolicy = 'agent' | 'reader' | 'recipient'

/** The arguments of a method: none, one input field, or one field followed by an object with the others. */
export type Positional = readonly [] | readonly [field: string] | readonly [field: string, others: '...']

/** Whether this audience may call the operation at all (WR-4). */
export function mayCall(callers: Callers, audience: Audience): boolean {
  return (
    callers === 'anyone' ||
    (callers === 'owner' && !isAgentAudience(audience)) ||
    (callers === 'host' && audience === 'host')
  )
}

/** The question of an operation. The runtime knows only the part that has to be embedded. */
export interface Asks {
  /** What has to be embedded before the snapshot is taken; null if keywords are enough. */
  readonly meaning: QueryToEmbed | null
}

interface OperationDeclaration<
  Input extends z.ZodType,
  Output extends z.ZodType,
  Name extends DottedName,
  Question extends Asks,
> {
  /** The name of the operation, which is also its capability (CP-4). */
  readonly name: Name
  /**
   * The route under the API. Path parameters (`:record`) are input fields; the other fields come from the query of a
   * GET or DELETE and from the JSON body of other methods. Questions are sent in bodies, because URLs end up in logs.
   */
  readonly route: Route
  readonly summary: string
  /** The name of its method in the library, if that is not the operation's name in camel case. */
  readonly method?: DottedName
  /** The arguments of its method before the options, if they are not the whole input as one object. */
  readonly positional?: Positional
  /** The list in the output that its method returns. A caller that passes a single item gets a single item back. */
  readonly answers?: string
  /** The built-in policies that allow it. */
  readonly policies?: readonly BuiltInPolicy[]
  /** The answer contains a secret that is shown only once, so a lost answer cannot be requested again. */
  readonly answeredOnce?: true
  /** Called without a credential: the input contains what is presented. */
  readonly isPublic?: true
  /**
   * An input that is useful in most test worlds. It may restrict what others see, but never reopen what they
   * restricted.
   */
  sample(world: SampleWorld): SampleInput
  readonly input: Input
  readonly output: Output
  /** Who may call it at all, whatever a capability policy says (WR-4). */
  readonly callers: Callers
  /**
   * It acts on or tells of more than one record's label decides: sharing, lifting, consent, the audit as a whole. Only
   * a caller who sees everything of its principal may use it; others get this answer, whatever there is (NI-11).
   */
  readonly needsWholeSight?: 'absent' | { readonly otherwise: z.input<Output> }
  /** The rate of a profile that a call counts against (SP-10). */
  readonly rate?: Rate
  /** Whether a call with this input is a view as well, whatever it finds. */
  isView?(input: z.output<Input>): boolean
  /**
   * Whether the answer is meant for a model; if so, the consent of people in it is respected, whoever calls (PC-2).
   */
  readonly forModel?: boolean
  /** The question it will ask. It is parsed once, before the snapshot, and passed to every run. */
  asks?(input: z.output<Input>): Question
}

/** Reads within one snapshot. */
export interface ReadOperation<
  Input extends z.ZodType = z.ZodType,
  Output extends z.ZodType = z.ZodType,
  Name extends DottedName = DottedName,
  // biome-ignore lint/suspicious/noExplicitAny: a table of operations holds those of any question.
  Question extends Asks = any,
> extends OperationDeclaration<Input, Output, Name, Question> {
  readonly access: 'read'
  run(request: ReadRequest, input: z.output<Input>, question: Question): Promise<z.input<Output>>
}

/** What a write did. The ids of what it touched are stored instead of the answer, so that a replay decides again. */
export interface WriteResult<Value> {
  readonly output: Value
  readonly refs: readonly string[]
  /** Operations that it followed from, by their ids, beside those that the caller names (AU-2). */
  readonly causes?: readonly string[] | undefined
  /** Effects that only this run had. */
  readonly effects?: readonly string[] | undefined
  /** The reason if the answer is a refusal although the attempt must be committed. Only the audit sees it. */
  readonly refused?: string | undefined
}

/** Changes state in one transaction, all or nothing. */
export interface WriteOperation<
  Input extends z.ZodType = z.ZodType,
  Output extends z.ZodType = z.ZodType,
  Name extends DottedName = DottedName,
> extends OperationDeclaration<Input, Output, Name, Asks> {
  readonly access: 'write'
  readonly effects: readonly string[]
  readonly reversibility: Reversibility
  /**
   * Whether it changes facts that decisions rest on. It then excludes writers that rest on those facts, and they
   * exclude it.
   */
  readonly changesFacts: boolean
  /**
   * Whether with this input it only adds records, under facts that the statement which adds them confirms. It then
   * needs no transaction; if it turns out to, it starts again with one.
   */
  onlyAdds?(input: z.output<Input>): boolean
  run(request: WriteRequest, input: z.output<Input>): Promise<WriteResult<z.input<Output>>>
  /** The answer to a repeated request with the same idempotency key, decided now. */
  replay(request: WriteRequest, refs: readonly string[], input: z.output<Input>): Promise<z.input<Output>>
}

/** The rates that a call with this input counts against. */
export function ratesOf(operation: Operation, input: unknown): readonly Rate[] {
  const { rate } = operation
  return [
    ...(rate === undefined ? [] : [rate]),
    ...(operation.isView?.(input) === true ? ['view' as const] : []),
  ]
}

export type Operation = ReadOperation | WriteOperation

/** Whether its output may be null: there is nothing to see, for whatever reason (NI-5). */
export const answersNull = ({ output }: Operation): boolean => output.safeParse(null).success

export function readOperation<
  Input extends z.ZodType,
  Output extends z.ZodType,
  const Name extends DottedName,
  Question extends Asks,
>(
  operation: Omit<ReadOperation<Input, Output, Name, Question>, 'access'>,
): ReadOperation<Input, Output, Name> {
  return { ...operation, access: 'read' }
}

export function writeOperation<
  Input extends z.ZodType,
  Output extends z.ZodType,
  const Name extends DottedName,
>(operation: Omit<WriteOperation<Input, Output, Name>, 'access'>): WriteOperation<Input, Output, Name> {
  return { ...operation, access: 'write' }
}
