import { z } from 'zod'
import { QUERY_SOURCES } from '../policy/retrieval-contract.js'
import { name } from '../runtime/input.js'

const ofUser = <Type extends string>(type: Type) =>
  z.strictObject({
    type: z.literal(type),
    vessel: z.literal('user'),
    source: z.enum(QUERY_SOURCES),
    userId: name,
  })

const derived = <Type extends string>(type: Type) =>
  z.strictObject({ type: z.literal(type), vessel: z.literal('shared'), source: z.literal('structured') })

/** Every query that a turn can make (RC-1). Anything outside this union cannot be asked. */
export const retrievalQuery = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('session_metadata'), source: z.literal('metadata') }),
  z.strictObject({ type: z.literal('relationship_metadata'), source: z.literal('metadata') }),
  z.strictObject({ type: z.literal('session_outcomes'), source: z.literal('structured') }),
  ofUser('user_event'),
  ofUser('emotional_reading'),
  ofUser('need'),
  z.strictObject({
    type: z.literal('boundary'),
    vessel: z.literal('user'),
    source: z.literal('structured'),
    userId: name,
  }),
  z.strictObject({
    type: z.literal('consented_content'),
    vessel: z.literal('shared'),
    source: z.enum(['structured', 'vector']),
    consentActive: z.literal(true),
  }),
  derived('common_ground'),
  derived('agreement'),
  derived('micro_experiment'),
  z.strictObject({
    type: z.literal('experiment_suggestion'),
    vessel: z.literal('global'),
    source: z.literal('vector'),
  }),
])
export type RetrievalQuery = z.output<typeof retrievalQuery>
