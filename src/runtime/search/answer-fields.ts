import { z } from 'zod'
import type { SuggestedQuery } from './execute.js'
import { expansionRecord } from './receipt.js'

/* What the answers of both searches say beside their results. */

export const suggestion = z
  .object({
    query: z.string().meta({ description: 'The question as it is suggested.' }),
    terms: z
      .array(
        z.object({
          from: z.string().meta({ description: 'The word that was typed.' }),
          to: z.string().meta({ description: 'The word that is suggested instead.' }),
        }),
      )
      .meta({ description: 'The words that differ.' }),
  })
  .meta({ id: 'SpellingSuggestion', description: 'Another spelling of a question.' })
  .nullable()
  .meta({ description: 'Another spelling of the question; null if there is none.' })

/** A suggestion as an answer holds it: a copy that nobody else holds. */
export const copySuggestion = (made: SuggestedQuery | null): z.input<typeof suggestion> =>
  made === null ? null : { ...made, terms: [...made.terms] }

export const notice = z
  .string()
  .nullable()
  .meta({ description: 'What to say when nothing was found; null if something was.' })

export const expansions = z
  .array(expansionRecord)
  .meta({ description: 'The words that were added to the question, and why.' })
