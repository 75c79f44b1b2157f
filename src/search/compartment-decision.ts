import type { MaskLevel } from './mask.js'

/** What was decided for one caller, in the index's own terms: policy itself is elsewhere. */
export interface CompartmentDecision {
  /** The level of each compartment. */
  readonly levels: Uint8Array
  /** The level of a document in a compartment, where its times have a say. */
  refine(
    compartment: number,
    times: { readonly createdAt: number; readonly expiresAt: number | null },
  ): MaskLevel
  /** Whether times have a say for every document, not only for those that expire. */
  readonly refinesAll: boolean
}
