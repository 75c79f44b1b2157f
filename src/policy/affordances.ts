/** 002 §10.1: what a reader may do with a result, in its order. */
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

/** Whether the document itself is at hand, can be fetched, or cannot be had. */
export const MATERIALIZATION_STATES = ['materialized', 'not_materialized', 'unavailable_blocked'] as const
export type MaterializationState = (typeof MATERIALIZATION_STATES)[number]

export interface AffordanceFacts {
  /** How much of the result this reader is shown. */
  readonly level: 'full' | 'preview' | 'metadata'
  /** Whether it is the redacted twin that stands in for the original. */
  readonly redacted: boolean
  /** What the profile's capabilities allow. */
  readonly mayView: boolean
  readonly mayDownload: boolean
  readonly materialization: MaterializationState
}

/**
 * What this reader may do with a result, in the order of 002; null when the result must be taken out. Whoever sees
 * a result may cite it; everything else needs its full text. (SR-13)
 */
export function affordancesOf(facts: AffordanceFacts): readonly Affordance[] | null {
  const { level, redacted, mayView, mayDownload, materialization } = facts
  const atHand = materialization === 'materialized'
  if (!atHand && materialization !== 'not_materialized') return null // blocked, or not known (DE-2)
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
