/** A question vector, prepared for the scan. */
export class VectorQuery {
  readonly vector: Int16Array
  /** The Euclidean norm. */
  readonly norm: number
  /** The components, divided by 2^shift and rounded. */
  readonly reduced: Int16Array
  readonly shift: number
  /** The norm of the rounding error, relative to that of the vector. */
  readonly lost: number

  /**
   * The scan sums products of `reduced` with bytes from -127 to 127 in 32 bits. Whatever the order and the number of
   * partial sums, none exceeds 127 times the sum of all absolute components. The shift is the smallest that keeps
   * this below 2^31.
   */
  constructor(vector: Int16Array) {
    let reduced = vector
    let shift = 0
    while (127 * sizeOf(reduced) >= 2 ** 31) {
      shift++
      const half = 2 ** (shift - 1)
      reduced = vector.map(component => (component + half) >> shift)
    }
    this.vector = vector
    this.norm = Math.sqrt(squareOf(vector))
    if (this.norm === 0) throw new RangeError('a question has no direction')
    this.reduced = reduced
    this.shift = shift
    const rest = Float64Array.from(
      vector,
      (component, at) => component - (reduced[at] as number) * 2 ** shift,
    )
    this.lost = Math.sqrt(squareOf(rest)) / this.norm
  }
}

/** The squares are integers and their sum stays below 2^53 at any dimension, so the result is exact. */
function squareOf(vector: Int16Array | Float64Array): number {
  let sum = 0
  for (let at = 0; at < vector.length; at++) sum += (vector[at] as number) ** 2
  return sum
}

function sizeOf(vector: Int16Array): number {
  let sum = 0
  for (let at = 0; at < vector.length; at++) sum += Math.abs(vector[at] as number)
  return sum
}
