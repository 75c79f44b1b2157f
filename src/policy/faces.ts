/**
 * What is disclosed of a record, in one byte, encoded so that the meet of two faces is `&` (DE-1).
 *
 *     bit 3        the original; without it, a substitute
 *     bits 2..0    the level as a thermometer: full 111, preview 011, metadata 001, none 000
 */
export type Face = number

export const LEVELS = ['none', 'metadata', 'preview', 'full'] as const
export type Level = (typeof LEVELS)[number]
export type Form = 'original' | 'substitute'

export const NONE: Face = 0b0000
export const METADATA: Face = 0b1001
export const PREVIEW: Face = 0b1011
export const FULL: Face = 0b1111
export const SUBSTITUTE: Face = 0b0111

const LEVEL_BITS = 0b0111
const ORIGINAL_BIT = 0b1000

/** The most that all faces agree to disclose. Without any face, nothing is disclosed. */
export function meet(...faces: readonly Face[]): Face {
  if (faces.length === 0) return NONE
  let met = FULL
  for (const face of faces) met &= face
  return settle(met)
}

/** Maps every face that shows nothing to the same value. */
export function settle(face: Face): Face {
  return (face & LEVEL_BITS) === 0 ? NONE : face
}

export function levelOf(face: Face): Level {
  switch (face & LEVEL_BITS) {
    case 0b111:
      return 'full'
    case 0b011:
      return 'preview'
    case 0b001:
      return 'metadata'
    default:
      return 'none'
  }
}

export function formOf(face: Face): Form {
  return face & ORIGINAL_BIT ? 'original' : 'substitute'
}

/**
 * What is shown under the record's own id. A substitute shows nothing there, because its twin is a separate record
 * with its own face.
 */
export function shownLevel(face: Face): Level {
  return formOf(face) === 'original' ? levelOf(face) : 'none'
}

/** Whether `a` discloses no more than `b`. */
export function atMost(a: Face, b: Face): boolean {
  return meet(a, b) === settle(a)
}
