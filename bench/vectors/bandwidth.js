import { median } from '../measure.js'
import { READ_ALL } from './read-all-wasm.js'

/**
 * @typedef {{ readonly buffer: ArrayBuffer }} Memory
 * @typedef {{
 *   Module: new (bytes: Uint8Array) => object,
 *   Memory: new (size: { initial: number }) => Memory,
 *   Instance: new (module: object, imports: object) => {
 *     readonly exports: { readAll(from: number, to: number): number },
 *   },
 * }} Wasm
 */

const PAGE = 65_536
const RUNS = 15

/** How fast so many bytes of memory can be read by one thread with SIMD, in GB/s. @param {number} bytes */
export function readSpeed(bytes) {
  const { Module, Memory, Instance } = /** @type {Wasm} */ (Reflect.get(globalThis, 'WebAssembly'))
  const pages = Math.ceil(bytes / PAGE)
  const memory = new Memory({ initial: pages })
  new Uint8Array(memory.buffer).fill(1)
  const { exports } = new Instance(new Module(Buffer.from(READ_ALL, 'base64')), { env: { memory } })
  const times = Array.from({ length: RUNS }, () => {
    const start = performance.now()
    exports.readAll(0, pages * PAGE)
    return performance.now() - start
  })
  return (pages * PAGE) / median(times) / 1e6
}
