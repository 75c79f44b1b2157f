import { full, gate, none } from '../gate.js'
import { rank, VISIBILITY_CLASSES } from '../vocabulary.js'

/** Checks the caller's visibility ceiling. Records below the caller's floor count as if at the floor (OV-4). */
export const visibility = gate('visibility', ['visibilityClass'], ({ visibility }, record) => {
  const own = rank(VISIBILITY_CLASSES, record.visibilityClass)
  if (Number.isNaN(own) || visibility === null) return none('access.unknown_visibility')
  const floor = visibility.floor === null ? 0 : rank(VISIBILITY_CLASSES, visibility.floor)
  const within = Math.max(own, floor) <= rank(VISIBILITY_CLASSES, visibility.ceiling)
  return within ? full('access.within_ceiling') : none('access.above_ceiling')
})
