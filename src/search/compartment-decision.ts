import type { SurfaceCode } from './mask.js'

/** What was decided for one caller, in the index's own terms: policy itself is elsewhere. */
export interface CompartmentDecision {
  /** The surface of each compartment. */
  readonly surfaces: Uint8Array
  /** The surface of a document in a compartment, where its times have a say. */
  refine(
    compartment: number,
    times: { readonly createdAt: number; readonly expiresAt: number | null },
  ): SurfaceCode
  /** Whether times have a say for every document, not only for those that expire. */
  readonly refinesAll: boolean
}
