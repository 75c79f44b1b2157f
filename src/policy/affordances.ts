/** What a reader may do with a result, in the order of 002 §10.1. */
export const AFFORDANCES = [
  'download',
  'download_redacted',
  'view',
  'view_redacted',
  'quote',
  'quote_from_redacted',
  'cite',
  'fetch_to_view',
  'fetch_to_quote',
] as const
export type Affordance = (typeof AFFORDANCES)[number]

/** Whether the document itself is available, can be fetched, or is unavailable. */
export const MATERIALIZATION_STATES = ['materialized', 'not_materialized', 'unavailable_blocked'] as const
export type MaterializationState = (typeof MATERIALIZATION_STATES)[number]

export interface AffordanceFacts {
  /** The level at which this reader sees the result. */
  readonly level: 'full' | 'preview' | 'metadata'
  /** Whether it is the redacted twin that replaces the original. */
  readonly redacted: boolean
  /** Whether the profile's capabilities allow viewing. */
  readonly mayView: boolean
  readonly mayDownload: boolean
  readonly materialization: MaterializationState
}

/**
 * What this reader may do with a result, in the order of 002; null if the result must be removed. Everyone who sees a
 * result may cite it; everything else requires its full text. (SR-13)
 */
export function affordancesOf(facts: AffordanceFacts): readonly Affordance[] | null {
  const { level, redacted, mayView, mayDownload, materialization } = facts
  const atHand = materialization === 'materialized'
  if (!atHand && materialization !== 'not_materialized') return null // Blocked or unknown (DE-2).
  const full = level === 'full'
  const may: Readonly<Record<Affordance, boolean>> = {
    download: full && atHand && mayDownload && !redacted,
    download_redacted: full && atHand && mayDownload && redacted,
    view: full && atHand && mayView && !redacted,
    view_redacted: full && atHand && mayView && redacted,
    quote: full && atHand && mayView && !redacted,
    quote_from_redacted: full && atHand && mayView && redacted,
    cite: true,
    fetch_to_view: full && !atHand && mayView,
    fetch_to_quote: full && !atHand && mayView,
  }
  return AFFORDANCES.filter(affordance => may[affordance])
}
