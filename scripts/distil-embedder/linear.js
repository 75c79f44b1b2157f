import { loadPackage } from './packages.js'

const { EigenvalueDecomposition, Matrix } = loadPackage('ml-matrix')

/**
 * Without the mean of the first few.
 *
 * @param {readonly Float64Array[]} vectors
 * @param {number} few
 */
export function centre(vectors, few) {
  const mean = new Float64Array(sizeOf(vectors))
  for (const vector of vectors.slice(0, few)) addTo(mean, vector, 1 / few)
  return vectors.map(vector => vector.map((x, at) => x - (mean[at] ?? 0)))
}

/**
 * Without the direction in which the first few differ most: it says how frequent a word is, not what it means.
 *
 * @param {readonly Float64Array[]} vectors
 * @param {number} few
 */
export function withoutCommonPart(vectors, few) {
  const [common = new Float64Array()] = directions(vectors.slice(0, few), 1)
  return vectors.map(vector => {
    const along = dot(vector, common)
    return vector.map((x, at) => x - along * (common[at] ?? 0))
  })
}

/**
 * Scaled alike, so that the first few have this length on average.
 *
 * @param {readonly Float64Array[]} vectors
 * @param {number} few
 * @param {number} length
 */
export function sameSize(vectors, few, length) {
  const squares = vectors.slice(0, few).reduce((sum, vector) => sum + dot(vector, vector), 0)
  const factor = length / Math.sqrt(squares / few)
  return vectors.map(vector => vector.map(x => x * factor))
}

/**
 * In the dimensions in which they differ most.
 *
 * @param {readonly Float64Array[]} vectors
 * @param {number} dimension
 */
export function project(vectors, dimension) {
  const axes = directions(vectors, dimension)
  return vectors.map(vector => Float64Array.from(axes, axis => dot(vector, axis)))
}

/**
 * The directions in which vectors differ most, of length 1, the first first. Of a direction and its opposite, the one
 * whose largest part is positive.
 *
 * @param {readonly Float64Array[]} vectors
 * @param {number} count
 */
function directions(vectors, count) {
  const size = sizeOf(vectors)
  const products = Array.from({ length: size }, () => new Float64Array(size))
  for (const vector of vectors)
    for (const [row, own] of products.entries()) addTo(own, vector, vector[row] ?? 0)
  const found = new EigenvalueDecomposition(new Matrix(products), { assumeSymmetric: true })
  /** @type {number[]} */
  const spreads = found.realEigenvalues
  const order = Array.from(spreads.keys()).sort((a, b) => (spreads[b] ?? 0) - (spreads[a] ?? 0))
  return order.slice(0, count).map(at => {
    const axis = Float64Array.from(found.eigenvectorMatrix.getColumn(at))
    const largest = axis.reduce((most, x) => (Math.abs(x) > Math.abs(most) ? x : most), 0)
    return largest < 0 ? axis.map(x => -x) : axis
  })
}

/** @param {Float64Array} sum @param {Float64Array} vector @param {number} factor */
function addTo(sum, vector, factor) {
  for (let at = 0; at < sum.length; at++) sum[at] = (sum[at] ?? 0) + factor * (vector[at] ?? 0)
}

/** @param {readonly Float64Array[]} vectors */
const sizeOf = vectors => vectors[0]?.length ?? 0

/** @param {Float64Array} a @param {Float64Array} b */
function dot(a, b) {
  let sum = 0
  for (let at = 0; at < a.length; at++) sum += (a[at] ?? 0) * (b[at] ?? 0)
  return sum
}
