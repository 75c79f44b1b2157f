/** The form is told in src/embedding/static-table.ts. */
const MAGIC = 'privity words 1\n'

/**
 * @param {{
 *   name: string,
 *   words: readonly string[],
 *   weights: readonly number[],
 *   vectors: readonly Float64Array[],
 * }} table
 */
export function writeTable({ name, words, weights, vectors }) {
  const dimension = vectors[0]?.length ?? 0
  const head = Buffer.from(`${MAGIC}${JSON.stringify({ name, dimension, words: words.length })}\n`)
  const list = Buffer.from(`${words.join('\n')}\n`)
  const text = Buffer.concat([head, list])
  const padding = Buffer.alloc((4 - (text.length % 4)) % 4)
  const scales = Buffer.alloc(words.length * 4)
  const steps = Buffer.alloc(words.length * dimension)
  for (const [at, vector] of vectors.entries()) {
    const largest = vector.reduce((most, x) => Math.max(most, Math.abs(x)), 0)
    scales.writeFloatLE(((weights[at] ?? 0) * largest) / 127, at * 4)
    for (const [place, x] of vector.entries())
      steps.writeInt8(largest === 0 ? 0 : Math.round((x / largest) * 127), at * dimension + place)
  }
  return Buffer.concat([text, padding, scales, steps])
}
