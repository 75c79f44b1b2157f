import { z } from 'zod'
import { QUERY_SOURCES, type QuerySource } from '../policy/retrieval-contract.js'
import { name } from '../runtime/input.js'

const type = <Type extends string>(what: Type) => z.literal(what).meta({ description: 'What to retrieve.' })

const by = <const Sources extends readonly QuerySource[]>(sources: Sources) =>
  z
    .enum(sources)
    .meta({ description: 'How to look for it: by its fields, by similarity, or times and counts.' })

const vessel = <Vessel extends string>(where: Vessel) =>
  z.literal(where).meta({ description: 'Where it is kept.' })

const userId = name.meta({ description: 'Whose it is: the name of the speaker.', example: 'ana' })

const ofUser = <Type extends string, const Sources extends readonly QuerySource[]>(
  what: Type,
  sources: Sources,
) => z.strictObject({ type: type(what), vessel: vessel('user'), source: by(sources), userId })

const ofSession = <Type extends string>(what: Type) =>
  z.strictObject({ type: type(what), vessel: vessel('shared'), source: by(['structured']) })

/** Every query that a turn can make (RC-1). Anything outside this union cannot be asked. */
export const retrievalQuery = z
  .discriminatedUnion('type', [
    z.strictObject({ type: type('session_metadata'), source: by(['metadata']) }),
    z.strictObject({ type: type('relationship_metadata'), source: by(['metadata']) }),
    z.strictObject({ type: type('session_outcomes'), source: by(['structured']) }),
    ofUser('user_event', QUERY_SOURCES),
    ofUser('emotional_reading', QUERY_SOURCES),
    ofUser('need', QUERY_SOURCES),
    ofUser('boundary', ['structured']),
    z.strictObject({
      type: type('consented_content'),
      vessel: vessel('shared'),
      source: by(['structured', 'vector']),
      consentActive: z.literal(true).meta({ description: 'Only what its owner still shares.' }),
    }),
    ofSession('common_ground'),
    ofSession('agreement'),
    ofSession('micro_experiment'),
    z.strictObject({
      type: type('experiment_suggestion'),
      vessel: vessel('global'),
      source: by(['vector']),
    }),
  ])
  .meta({
    id: 'RetrievalQuery',
    description: 'Something that a turn may retrieve, as far as its stage allows it.',
  })
export type PlanQuery = z.output<typeof retrievalQuery>
