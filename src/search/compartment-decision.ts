import type { MaskLevel } from './mask.js'

/** The policy decision for one caller, in terms of the index. The policy itself is evaluated elsewhere. */
export interface CompartmentDecision {
  /** The level of each compartment. */
  readonly levels: Uint8Array
  /** The level of a document in a compartment where its creation or expiry time affects the decision. */
  refine(
    compartment: number,
    times: { readonly createdAt: number; readonly expiresAt: number | null },
  ): MaskLevel
  /** Whether times affect the level of every document, not only of those that expire. */
  readonly refinesAll: boolean
}
