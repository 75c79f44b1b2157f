import { setImmediate } from 'node:timers/promises'

const SLICE_MS = 8
/** How deep objects and lists are written part by part: an answer, its data and their lists. */
const DEPTH = 3

/** The same text as `JSON.stringify`, written part by part, so that others get a turn while a long answer is written. */
export async function stringifyInSlices(value: unknown): Promise<string> {
  const pieces: string[] = []
  let until = performance.now() + SLICE_MS
  for (const piece of piecesOf(value, DEPTH)) {
    pieces.push(piece)
    if (performance.now() < until) continue
    await setImmediate()
    until = performance.now() + SLICE_MS
  }
  return pieces.join('')
}

function* piecesOf(value: unknown, depth: number): Generator<string> {
  if (depth === 0 || !isOpenable(value)) {
    yield JSON.stringify(value) ?? 'null'
  } else if (Array.isArray(value)) {
    for (const [at, item] of value.entries()) {
      yield at === 0 ? '[' : ','
      yield* piecesOf(item, depth - 1)
    }
    yield value.length === 0 ? '[]' : ']'
  } else {
    let first = true
    for (const [name, item] of Object.entries(value)) {
      if (item === undefined || typeof item === 'function' || typeof item === 'symbol') continue
      yield `${first ? '{' : ','}${JSON.stringify(name)}:`
      yield* piecesOf(item, depth - 1)
      first = false
    }
    yield first ? '{}' : '}'
  }
}

/** Whether a value is a list or a plain object, which JSON writes part by part. */
function isOpenable(value: unknown): value is object {
  if (typeof value !== 'object' || value === null || 'toJSON' in value) return false
  return Array.isArray(value) || Object.getPrototypeOf(value) === Object.prototype
}
