import { z } from 'zod'
import { FACT_OUTCOMES, type KeptFact } from '../capture/keep-facts.js'
import type { WriteRequest } from '../request.js'
import { canReadBack } from './remember.js'

export const capturedFact = z
  .object({
    record: z.string().meta({ description: 'The id of the record that holds the fact.' }),
    text: z.string().meta({ description: 'What was stated.' }),
    outcome: z.enum(FACT_OUTCOMES).meta({
      description:
        'What became of it: new, reinforced a known fact, superseded another, contested with another, or true in the past only.',
    }),
    turns: z.array(z.string()).meta({ description: 'Ids of the turns that state it.' }),
    readable: z.boolean().meta({ description: 'Whether you can read the fact back.' }),
  })
  .meta({ id: 'CapturedFact', description: 'A fact that was made of a conversation.' })

/** Tells a writer what became of the facts that it stated. */
export async function viewFacts(
  request: WriteRequest,
  facts: readonly KeptFact[],
): Promise<z.input<typeof capturedFact>[]> {
  const written = facts.flatMap(fact => fact.written ?? [])
  const readable = await canReadBack(request, written, [])
  const canRead = new Map(written.map(({ id }, at) => [id, readable[at] === true]))
  return facts.map(({ record, text, outcome, turns }) => ({
    record,
    text,
    outcome,
    turns: [...turns],
    // A known fact that was reinforced is one that the caller sees.
    readable: canRead.get(record) ?? true,
  }))
}
