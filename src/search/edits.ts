/**
 * Whether exactly one edit turns one word into the other: a character inserted, deleted, replaced, or swapped with its
 * neighbour. Characters are code points. Equal words are zero edits apart, so they do not count.
 *
 * @example
 * withinOneEdit('garden', 'gadren') // true
 */
export function withinOneEdit(a: string, b: string): boolean {
  if (a === b || Math.abs(a.length - b.length) > 2) return false

  // Any single edit can be made at the first place where the words differ.
  const at = firstDifference(a, b)
  const afterA = at + widthAt(a, at)
  const afterB = at + widthAt(b, at)
  return (
    sameRest(a, afterA, b, afterB) ||
    sameRest(a, afterA, b, at) ||
    sameRest(a, at, b, afterB) ||
    swapped(a, b, at, afterA, afterB)
  )
}

function swapped(a: string, b: string, at: number, afterA: number, afterB: number): boolean {
  const secondA = a.codePointAt(afterA)
  const secondB = b.codePointAt(afterB)
  return (
    secondA !== undefined &&
    secondA === b.codePointAt(at) &&
    secondB === a.codePointAt(at) &&
    sameRest(a, afterA + widthAt(a, afterA), b, afterB + widthAt(b, afterB))
  )
}

/** The offset of the first character that differs; never in the middle of a surrogate pair. */
function firstDifference(a: string, b: string): number {
  const length = Math.min(a.length, b.length)
  let at = 0
  while (at < length && a.charCodeAt(at) === b.charCodeAt(at)) at++
  return at > 0 && a.codePointAt(at - 1) !== b.codePointAt(at - 1) ? at - 1 : at
}

/** The number of UTF-16 units of the character at this offset; 0 at the end. */
function widthAt(text: string, at: number): number {
  const code = text.codePointAt(at)
  if (code === undefined) return 0
  return code < 0x10000 ? 1 : 2
}

const sameRest = (a: string, fromA: number, b: string, fromB: number): boolean =>
  a.length - fromA === b.length - fromB && a.slice(fromA) === b.slice(fromB)
