import type { z } from 'zod'
import { isAgentAudience } from '../policy/subject.js'
import type { Audience } from '../policy/vocabulary.js'
import type { QueryToEmbed } from './embedding/embeddings.js'
import type { ReadRequest, WriteRequest } from './request.js'
import type { SampleInput, SampleWorld } from './sample-world.js'

/** What a profile or a link may do so often. */
export type Rate = 'query' | 'completion' | 'view' | 'upload'

type DottedName = `${string}.${string}`

/** How far a state change can be taken back (AU-2). */
export type Reversibility =
  | 'reversible'
  | 'compensating_operation_only'
  | 'irreversible'
  | 'irreversible_external_effect'

/** Anyone, people for themselves and the host, or the host alone. */
export type Callers = 'anyone' | 'owner' | 'host'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
export type Route = `${Method} /${string}`

/** Policies that come with the product: what an audience, or an agent that only reads, may do unless told otherwise. */
export type BuiltInPolicy = 'agent' | 'reader' | 'recipient'

/** No input; one field of it by itself; or one field, and the others as one object. */
export type Positional = readonly [] | readonly [field: string] | readonly [field: string, others: '...']

/** WR-4. */
export function mayCall(callers: Callers, audience: Audience): boolean {
  return (
    callers === 'anyone' ||
    (callers === 'owner' && !isAgentAudience(audience)) ||
    (callers === 'host' && audience === 'host')
  )
}

/** A question as an operation carries it; of its other parts the runtime knows nothing. */
export interface Asks {
  /** What of it has to be embedded before its snapshot; null where words are enough. */
  readonly meaning: QueryToEmbed | null
}

interface OperationDeclaration<
  Input extends z.ZodType,
  Output extends z.ZodType,
  Name extends DottedName,
  Question extends Asks,
> {
  /** Also its capability (CP-4). */
  readonly name: Name
  /**
   * Where it stands under the API. What a path names (`:record`) is a field of the input; the other fields come from
   * the query of a GET or DELETE and from the JSON body of anything else. Questions are asked in bodies: an address
   * ends up in logs.
   */
  readonly route: Route
  readonly summary: string
  /** Its method in the library, where that is not its name in camel case. */
  readonly method?: DottedName
  /** What its method takes before the options, where that is not the input as one object. */
  readonly positional?: Positional
  /** The list in the output that its method answers with: whoever gives one thing is given one. */
  readonly answers?: string
  /** The built-in policies that allow it. */
  readonly policies?: readonly BuiltInPolicy[]
  /** Its answer holds a secret that is not told again: a lost answer cannot be asked for a second time. */
  readonly answeredOnce?: true
  /** Asked for without a credential: what is presented is in its input. */
  readonly isPublic?: true
  /** Runs the same statements whatever is hidden: it names records, goes from one to another, or pages (NI-5). */
  readonly traced?: true
  /** One request that makes sense in most worlds. It may narrow what others see, and never open what they closed. */
  sample(world: SampleWorld): SampleInput
  readonly input: Input
  readonly output: Output
  /** Who may call it at all, whatever a capability policy says (WR-4). */
  readonly callers: Callers
  /** What of a profile's rates it counts against (SP-10). */
  readonly rate?: Rate
  /** Whether what it answers is meant for a model: people in it are asked then, whoever calls (PC-2). */
  readonly forModel?: boolean
  /** The question that it is going to ask: read once, before its snapshot, and given to `run` each time that begins. */
  asks?(input: z.output<Input>): Question
}

/** Asks, in one snapshot. */
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

/** What a write did: ids of what it touched, kept instead of a response, so that a replay decides again. */
export interface WriteResult<Value> {
  readonly output: Value
  readonly refs: readonly string[]
  /** Why the answer is a refusal, where what was tried has to count: for the audit alone. */
  readonly refused?: string | undefined
}

/** Changes state, in one transaction, all or nothing. */
export interface WriteOperation<
  Input extends z.ZodType = z.ZodType,
  Output extends z.ZodType = z.ZodType,
  Name extends DottedName = DottedName,
> extends OperationDeclaration<Input, Output, Name, Asks> {
  readonly access: 'write'
  readonly effects: readonly string[]
  readonly reversibility: Reversibility
  /** Whether it changes facts that decisions rest on: it then waits for writers under those facts, and they for it. */
  readonly changesFacts: boolean
  run(request: WriteRequest, input: z.output<Input>): Promise<WriteResult<z.input<Output>>>
  /** The answer to a repeated request with the same idempotency key, decided now. */
  replay(request: WriteRequest, refs: readonly string[], input: z.output<Input>): Promise<z.input<Output>>
}

export type Operation = ReadOperation | WriteOperation

/** Whether null is one of its answers: there is nothing to be seen then, for whatever reason (NI-5). */
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
