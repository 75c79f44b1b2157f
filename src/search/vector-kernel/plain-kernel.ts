import type { Kernel } from './memory.js'

/** Implements kernel.as over an ordinary buffer: it takes the same arguments and gives bit-identical results. */
export function plainKernel(buffer: ArrayBuffer): Kernel {
  const bytes = new Int8Array(buffer)
  const components = new Int16Array(buffer)
  const numbers = new Uint32Array(buffer)
  const floats = new Float32Array(buffer)
  const doubles = new Float64Array(buffer)

  const blockOf = (row: number, blocks: number, stride: number, shift: number) =>
    blocks + (row >>> shift) * ((stride * 2 + 16) << shift)
  const inBlock = (row: number, shift: number) => row & ((1 << shift) - 1)

  return {
    estimate(blocks, stride, shift, rows, count, out, upper, unit, lost, rounding) {
      for (let place = 0; place < count; place++) {
        const row = numbers[rows / 4 + place] as number
        const block = blockOf(row, blocks, stride, shift)
        const high = block + inBlock(row, shift) * stride
        const facts = block + ((stride * 2) << shift) + inBlock(row, shift) * 16
        let product = 0
        for (let at = 0; at < stride; at++)
          product += (components[at] as number) * (bytes[high + at] as number)
        const share = floats[facts / 4 + 2] as number
        const cosine = (product * unit) / (doubles[facts / 8] as number)
        const slack = share + lost * (1 + share) + rounding
        floats[out / 4 + place] = cosine - slack
        floats[(out + upper) / 4 + place] = cosine + slack
      }
    },

    product(blocks, stride, shift, query, row) {
      const high = blockOf(row, blocks, stride, shift) + inBlock(row, shift) * stride
      const low = high + (stride << shift)
      let sum = 0
      for (let at = 0; at < stride; at++)
        sum +=
          (components[query / 2 + at] as number) *
          (256 * (bytes[high + at] as number) + (bytes[low + at] as number))
      return sum
    },
  }
}
