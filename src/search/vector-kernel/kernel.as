// Comparing a query with rows, in AssemblyScript. `scripts/build-kernel.js` compiles it into kernel-wasm.ts;
// plain-kernel.ts is its twin and layout.ts says where things stand.

/** The bytes of one block: two planes, and sixteen bytes of facts a row. */
// @ts-ignore: decorator
@inline
function blockBytes(stride: usize, shift: usize): usize {
  return ((stride << 1) + 16) << shift
}

/** Where the high bytes of a row begin. */
// @ts-ignore: decorator
@inline
function highOf(row: usize, blocks: usize, stride: usize, shift: usize): usize {
  return blocks + (row >> shift) * blockBytes(stride, shift) + (row & ((1 << shift) - 1)) * stride
}

/** Where its norm stands, and eight bytes on its share. */
// @ts-ignore: decorator
@inline
function factsOf(row: usize, blocks: usize, stride: usize, shift: usize): usize {
  return blocks + (row >> shift) * blockBytes(stride, shift) + (stride << 1 << shift) + (row & ((1 << shift) - 1)) * 16
}

/** Adds the products of sixteen components of the query, eight low and eight high, with sixteen bytes of a row. */
// @ts-ignore: decorator
@inline
function add(sum: v128, low: v128, high: v128, row: usize): v128 {
  const first = i32x4.dot_i16x8_s(low, v128.load_ext<i8>(row))
  const second = i32x4.dot_i16x8_s(high, v128.load_ext<i8>(row, 8))
  return i32x4.add(sum, i32x4.add(first, second))
}

// @ts-ignore: decorator
@inline
function total(sum: v128): i32 {
  const halves = i32x4.add(sum, v128.shuffle<i32>(sum, sum, 2, 3, 0, 1))
  return i32x4.extract_lane(halves, 0) + i32x4.extract_lane(halves, 1)
}

// @ts-ignore: decorator
@inline
function bound(product: i32, facts: usize, unit: f64, lost: f64, rounding: f64, out: usize, upper: usize): void {
  const share = <f64>load<f32>(facts, 8)
  const cosine = (<f64>product * unit) / load<f64>(facts)
  const slack = share + lost * (1 + share) + rounding
  store<f32>(out, <f32>(cosine - slack))
  store<f32>(out + upper, <f32>(cosine + slack))
}

/**
 * Bounds of the cosine of each of `count` rows, whose numbers stand at `rows`: the lower ones go to `out`, the upper ones
 * stand `upper` bytes behind them. Four rows at a time share what is read of the query. The query at 0 is such that no
 * sum leaves 32 bits.
 */
export function estimate(
  blocks: usize,
  stride: usize,
  shift: usize,
  rows: usize,
  count: usize,
  out: usize,
  upper: usize,
  unit: f64,
  lost: f64,
  rounding: f64,
): void {
  const end = rows + (count << 2)
  const fours = rows + ((count & ~3) << 2)
  while (rows < fours) {
    const rowA: usize = load<u32>(rows)
    const rowB: usize = load<u32>(rows, 4)
    const rowC: usize = load<u32>(rows, 8)
    const rowD: usize = load<u32>(rows, 12)
    const a = highOf(rowA, blocks, stride, shift)
    const b = highOf(rowB, blocks, stride, shift)
    const c = highOf(rowC, blocks, stride, shift)
    const d = highOf(rowD, blocks, stride, shift)
    let sumA = i32x4.splat(0)
    let sumB = i32x4.splat(0)
    let sumC = i32x4.splat(0)
    let sumD = i32x4.splat(0)
    for (let at: usize = 0; at < stride; at += 16) {
      const low = v128.load(at << 1)
      const high = v128.load(at << 1, 16)
      sumA = add(sumA, low, high, a + at)
      sumB = add(sumB, low, high, b + at)
      sumC = add(sumC, low, high, c + at)
      sumD = add(sumD, low, high, d + at)
    }
    bound(total(sumA), factsOf(rowA, blocks, stride, shift), unit, lost, rounding, out, upper)
    bound(total(sumB), factsOf(rowB, blocks, stride, shift), unit, lost, rounding, out + 4, upper)
    bound(total(sumC), factsOf(rowC, blocks, stride, shift), unit, lost, rounding, out + 8, upper)
    bound(total(sumD), factsOf(rowD, blocks, stride, shift), unit, lost, rounding, out + 12, upper)
    rows += 16
    out += 16
  }
  while (rows < end) {
    const row: usize = load<u32>(rows)
    const a = highOf(row, blocks, stride, shift)
    let sum = i32x4.splat(0)
    for (let at: usize = 0; at < stride; at += 16)
      sum = add(sum, v128.load(at << 1), v128.load(at << 1, 16), a + at)
    bound(total(sum), factsOf(row, blocks, stride, shift), unit, lost, rounding, out, upper)
    rows += 4
    out += 4
  }
}

/** Eight components of a row, from their high and low bytes. */
// @ts-ignore: decorator
@inline
function components(high: usize, low: usize): v128 {
  return i16x8.add(i16x8.shl(v128.load_ext<i8>(high), 8), v128.load_ext<i8>(low))
}

/**
 * The whole product of the query at `query` with a row. Two products of components stay within 32 bits, as none exceeds
 * 32,639; their sums are kept in 64.
 */
export function product(blocks: usize, stride: usize, shift: usize, query: usize, row: usize): f64 {
  const high = highOf(row, blocks, stride, shift)
  const low = high + (stride << shift)
  let sum = i64x2.splat(0)
  for (let at: usize = 0; at < stride; at += 8) {
    const pairs = i32x4.dot_i16x8_s(v128.load(query + (at << 1)), components(high + at, low + at))
    sum = i64x2.add(sum, i64x2.add(i64x2.extend_low_i32x4_s(pairs), i64x2.extend_high_i32x4_s(pairs)))
  }
  return <f64>(i64x2.extract_lane(sum, 0) + i64x2.extract_lane(sum, 1))
}
