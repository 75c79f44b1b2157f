import type { Level } from '../../policy/faces.js'
import { FULL_LEVEL, METADATA_LEVEL, PREVIEW_LEVEL } from '../../search/mask.js'
import { cellsOf } from '../index/visible-set.js'
import type { ReadRequest } from '../request.js'
import type { RunAgain } from '../run-again.js'

/** Maps a level of a mask to the level of a record. */
export const LEVEL_OF: Readonly<Record<number, Level>> = {
  [FULL_LEVEL]: 'full',
  [PREVIEW_LEVEL]: 'preview',
  [METADATA_LEVEL]: 'metadata',
}

/** Row-level security and the index disagree. The index is rebuilt from the records before anything is answered. */
export const disagreement = (request: ReadRequest): RunAgain =>
  request.parts.cells.distrust(request.tenant, cellsOf(request))
