import type { Level } from '../../policy/faces.js'
import { FULL_LEVEL, METADATA_LEVEL, PREVIEW_LEVEL } from '../../search/mask.js'
import { cellsOf } from '../index/visible-set.js'
import type { ReadRequest } from '../request.js'
import type { RunAgain } from '../run-again.js'

/** What the index calls a face, as records call it. */
export const LEVEL_OF: Readonly<Record<number, Level>> = {
  [FULL_LEVEL]: 'full',
  [PREVIEW_LEVEL]: 'preview',
  [METADATA_LEVEL]: 'metadata',
}

/** Two locks that do not agree: the index is made again from the records, and nothing is answered before. */
export const disagreement = (request: ReadRequest): RunAgain =>
  request.parts.cells.distrust(request.tenant, cellsOf(request))
