import type { Level } from '../../policy/faces.js'
import { FULL, METADATA, PREVIEW } from '../../search/mask.js'
import { IndexBehind } from '../index/cells.js'
import { cellsOf } from '../index/visible-set.js'
import type { ReadRequest } from '../request.js'

/** What the index calls a face, as records call it. */
export const LEVEL_OF: Readonly<Record<number, Level>> = {
  [FULL]: 'full',
  [PREVIEW]: 'preview',
  [METADATA]: 'metadata',
}

/** Two locks that do not agree: the index is made again from the records, and nothing is answered before. */
export function disagreement(request: ReadRequest): IndexBehind {
  const cells = cellsOf(request)
  request.parts.cells.distrust(request.tenant, cells)
  return new IndexBehind(request.tenant, cells)
}
