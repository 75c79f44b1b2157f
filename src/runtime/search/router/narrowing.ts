import { z } from 'zod'
import { type FilingContentScope, filingContentScope, posture, type RetrievalPosture } from './posture.js'
import type { RouterQuestion } from './router-question.js'

export const narrowing = z
  .object({
    searched: z.string().meta({ description: 'What alone was searched, in words.' }),
    wider: z
      .object({
        posture: posture.meta({ description: 'The posture to ask with.' }),
        filingContentScope: filingContentScope.meta({ description: 'The parts of filings to ask for.' }),
      })
      .meta({ description: 'What to add to the question so that everything is searched.' }),
  })
  .nullable()
export type RouteNarrowing = z.output<typeof narrowing>

const PARTS: Readonly<Record<FilingContentScope, string | null>> = {
  lead_argument_only: 'Only the main arguments of filings were searched.',
  all_argument_parts: 'Only the arguments of filings were searched.',
  exhibits_only: 'Only exhibits were searched.',
  proposed_orders_only: 'Only proposed orders were searched.',
  all_filing_parts: null,
  package_metadata_only: 'Only facts about documents were searched, not their text.',
}

/**
 * What the router left out because of the words of a question, which its caller did not ask for (SR-17). It depends on
 * the question alone.
 */
export function narrowingOf(
  { posture: named, filingContentScope: parts }: Pick<RouterQuestion, 'posture' | 'filingContentScope'>,
  { posture, filingContentScope }: RetrievalPosture,
): RouteNarrowing {
  if (named !== undefined || parts !== undefined) return null
  const searched =
    posture === 'derived_memory_primary'
      ? 'Only notes and memories were searched, not documents.'
      : filingContentScope === undefined
        ? null
        : PARTS[filingContentScope]
  return searched === null
    ? null
    : { searched, wider: { posture: 'mixed_surface_disclosed', filingContentScope: 'all_filing_parts' } }
}

/** A notice, with what was left out. */
export const withNarrowing = (notice: string | null, narrowed: RouteNarrowing): string | null =>
  narrowed === null
    ? notice
    : [notice, `${narrowed.searched} To search everything, ask with posture mixed_surface_disclosed.`]
        .filter(one => one !== null)
        .join(' ')
