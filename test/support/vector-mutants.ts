import type { NamedMutation } from './mutants.js'

const inFile =
  (file: string) =>
  (what: string, find: string, replace: string): NamedMutation => [
    `${file.replace(/^src\/search\//, '')}: ${what}`,
    { file, find, replace },
  ]
const vectors = inFile('src/search/vectors.ts')
const estimates = inFile('src/search/estimates.ts')
const query = inFile('src/search/vector-query.ts')
const similarity = inFile('src/search/similarity.ts')
const plain = inFile('src/search/vector-kernel/plain-kernel.ts')
const memory = inFile('src/search/vector-kernel/memory.ts')

export const VECTOR_MUTANTS: readonly NamedMutation[] = [
  // What the mask hides.
  estimates(
    'estimates whatever has a row',
    'if (levels[document] !== FULL_LEVEL || row < 0) continue',
    'if (row < 0) continue',
  ),
  estimates(
    'estimates past the mask',
    'const document = documents[place] as number\n    const row = rows[document] as number\n    if (levels[document] !== FULL_LEVEL || row < 0) continue',
    'const document = place\n    const row = rows[document] as number\n    if (row < 0) continue',
  ),
  vectors(
    'compares in full past the mask',
    'if (mask.levels[document] !== FULL_LEVEL || row < 0) return null',
    'if (row < 0) return null',
  ),
  vectors(
    'compares in full through a lesser face',
    'if (mask.levels[document] !== FULL_LEVEL || row < 0) return null',
    'if (mask.levels[document] === 0 || row < 0) return null',
  ),
  vectors(
    'bounds of other documents are left over',
    'const lower = new Float32Array(rows.length)',
    'const lower = new Float32Array(rows.length).fill(1)',
  ),

  // Scales.
  vectors(
    'learns its scale from all vectors',
    'let largest = 0\n  for (let at = 0; at < dimension; at++) {',
    'let largest = (quantise as { seen?: number }).seen ?? 0\n  for (let at = 0; at < dimension; at++) {\n    ;(quantise as { seen?: number }).seen = Math.max(largest, Math.abs(values[at] as number))',
  ),
  vectors(
    'scales by the largest component of one sign',
    'largest = Math.max(largest, Math.abs(value))',
    'largest = Math.max(largest, value)',
  ),
  vectors('cuts off instead of rounding', 'Math.sign(value) * Math.round(', 'Math.sign(value) * Math.floor('),
  vectors(
    'rounds halves up',
    'Math.sign(value) * Math.round((Math.abs(value) / largest) * LARGEST)',
    'Math.round((value / largest) * LARGEST)',
  ),

  // Bounds.
  vectors('forgets the low bytes', 'share: Math.sqrt(lowSquare / square)', 'share: 0'),
  vectors(
    'takes the low bytes for half as long',
    'share: Math.sqrt(lowSquare / square)',
    'share: Math.sqrt(lowSquare / square) / 2',
  ),
  vectors('takes squares for lengths', 'share: Math.sqrt(lowSquare / square)', 'share: lowSquare / square'),
  vectors('forgets rounding', 'const ROUNDING = 2 ** -20', 'const ROUNDING = 0'),
  vectors('bounds exclude nothing', 'const ROUNDING = 2 ** -20', 'const ROUNDING = 2'),
  vectors('forgets that the query was reduced', '(256 * 2 ** query.shift) / query.norm', '256 / query.norm'),
  query('forgets what reducing lost', 'this.lost = Math.sqrt(squareOf(rest)) / this.norm', 'this.lost = 0'),
  query('reduces too little', '127 * sizeOf(reduced) >= 2 ** 31', '127 * sizeOf(reduced) >= 2 ** 33'),
  query('reduces too much', '127 * sizeOf(reduced) >= 2 ** 31', '127 * sizeOf(reduced) >= 2 ** 16'),
  query(
    'measures the reduced query',
    'this.norm = Math.sqrt(squareOf(vector))',
    'this.norm = Math.sqrt(squareOf(reduced))',
  ),
  plain('sums in fewer bits', 'let product = 0', 'let product = 1'),
  plain(
    'forgets the low bytes',
    '(256 * (bytes[high + at] as number) + (bytes[low + at] as number))',
    '(256 * (bytes[high + at] as number))',
  ),
  plain('slack without what the query lost', 'share + lost * (1 + share) + rounding', 'share + rounding'),

  // The store.
  vectors(
    'answers the first question again',
    'if (this.#loaded === query) return',
    'if (this.#loaded !== null) return',
  ),
  vectors(
    'does not see what grew',
    'this.#bytes = new Int8Array(buffer)',
    'if (this.#bytes.length === 0) this.#bytes = new Int8Array(buffer)',
  ),
  estimates('takes the row of another document', 'wanted[count++] = row', 'wanted[count++] = place % size'),
  vectors(
    'forgets all but the first batch',
    'from < mask.documents.length; from += this.#batch',
    'from < Math.min(BATCH, mask.documents.length); from += BATCH',
  ),
  estimates(
    'mixes up documents of a batch',
    'lower[document] = found[at] as number',
    'lower[document] = found[count - 1 - at] as number',
  ),
  estimates('takes any documents for a stretch', 'batch[count - 1] === first + count - 1', 'count > 1'),
  estimates(
    'puts a stretch at the beginning',
    'lower.set(found.subarray(0, count), first)',
    'lower.set(found.subarray(0, count))',
  ),
  estimates(
    'takes lower bounds for upper ones',
    'upper[document] = found[half + at] as number',
    'upper[document] = found[at] as number',
  ),
  vectors(
    'keeps half of a component',
    'const component = vector[at] as number\n      const byte = (component + 128) >> 8',
    'const component = vector[at] as number\n      const byte = component >> 8',
  ),
  vectors(
    'keeps rows in another order',
    'low.set(own.low, row * this.dimension)',
    'low.set(own.low, (this.#size - 1 - row) * this.dimension)',
  ),
  vectors(
    'compacts the first rows',
    'const { high, low } = this.#planesOf(row)\n      store.#append',
    'const { high, low } = this.#planesOf(store.size)\n      store.#append',
  ),
  vectors(
    'writes the high byte first',
    'view.setInt16(at * 2, vector[at] as number, true)',
    'view.setInt16(at * 2, vector[at] as number, false)',
  ),
  memory('loses what was there', 'new Uint8Array(grown).set(new Uint8Array(this.buffer))', ''),

  // Similarities and neighbours.
  similarity(
    'a similarity below 0',
    'return Math.min(1, Math.max(0, this.cosine(part, document) ?? 0))',
    'return this.cosine(part, document) ?? 0',
  ),
  similarity(
    'a similarity above 1',
    'return Math.min(1, Math.max(0, this.cosine(part, document) ?? 0))',
    'return Math.max(0, this.cosine(part, document) ?? 0)',
  ),
  similarity(
    'gives a part to one without a vector',
    'this.cosine(part, document) ?? 0)',
    'this.cosine(part, document) ?? 0.5)',
  ),
  similarity('a bound above 1', 'Math.min(1, Math.max(0, (', '(Math.max(0, ('),
  similarity(
    'a bound below 0',
    'return Math.max(0, (this.#estimates[part] as Estimates).lower[document] ?? 0)',
    'return (this.#estimates[part] as Estimates).lower[document] ?? 0',
  ),
  similarity(
    'near by what the scan says',
    '(lower[document] as number) >= floor || this.#cosineOf(part, document) >= floor',
    'true',
  ),
  similarity(
    'near only where it is sure',
    '(lower[document] as number) >= floor || this.#cosineOf(part, document) >= floor',
    '(lower[document] as number) >= floor',
  ),
  similarity(
    'nearest of those that are sure',
    'if ((upper[document] as number) >= floor)\n          found',
    'if ((lower[document] as number) >= floor)\n          found',
  ),
  similarity(
    'nearest by too high a floor',
    'reachedBy(this.#estimates, most)',
    'reachedBy(this.#estimates, Math.ceil(most / 2))',
  ),
  similarity(
    'nearest by what is possible',
    'const cosine = lower[documents[place] as number] as number',
    'const cosine = -(lower[documents[place] as number] as number)',
  ),
  similarity('equals in no order', 'b.cosine - a.cosine || compare(a, b)', 'b.cosine - a.cosine'),
]
