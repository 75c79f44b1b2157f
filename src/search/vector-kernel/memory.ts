import { KERNEL } from './kernel-wasm.js'
import { plainKernel } from './plain-kernel.js'

/**
 * What reads vectors. Places are in bytes. At `blocks` stand blocks of 2^shift rows: the high bytes of all of them,
 * `stride` bytes a row, then the low bytes, then sixteen bytes of facts a row: its norm as a float64 and its share as a
 * float32.
 */
export interface Kernel {
  /**
   * Bounds of the cosine of the reduced query at 0 with each of the rows whose numbers stand at `rows`: the lower ones
   * go to `out`, the upper ones stand `upper` bytes behind.
   */
  estimate(
    blocks: number,
    stride: number,
    shift: number,
    rows: number,
    count: number,
    out: number,
    upper: number,
    unit: number,
    lost: number,
    rounding: number,
  ): void
  /** The exact product of the query at `query` with a row. */
  product(blocks: number, stride: number, shift: number, query: number, row: number): number
}

/** Bytes that grow, and a kernel that reads them. */
export interface VectorMemory {
  /** These two are others after each growth. */
  readonly buffer: ArrayBuffer
  readonly kernel: Kernel
  /** Makes it at least that large. What is there stays. */
  grow(bytes: number): void
}

interface Pages {
  readonly buffer: ArrayBuffer
  grow(pages: number): number
}

/** What is used of the platform; its types come with those of browsers only. */
declare const WebAssembly: {
  Module: new (bytes: Uint8Array) => object
  Memory: new (size: { initial: number }) => Pages
  Instance: new (module: object, imports: object) => { readonly exports: object }
}

const PAGE = 65_536

let compiled: object | undefined

/** SIMD over a memory of its own, which grows where it stands. */
export class WasmMemory implements VectorMemory {
  readonly kernel: Kernel
  readonly #pages: Pages

  constructor() {
    compiled ??= new WebAssembly.Module(Buffer.from(KERNEL, 'base64'))
    this.#pages = new WebAssembly.Memory({ initial: 1 })
    this.kernel = new WebAssembly.Instance(compiled, { env: { memory: this.#pages } }).exports as Kernel
  }

  get buffer(): ArrayBuffer {
    return this.#pages.buffer
  }

  grow(bytes: number): void {
    const more = Math.ceil((bytes - this.buffer.byteLength) / PAGE)
    if (more > 0) this.#pages.grow(more)
  }
}

export class PlainMemory implements VectorMemory {
  buffer = new ArrayBuffer(0)
  kernel = plainKernel(this.buffer)

  grow(bytes: number): void {
    if (bytes <= this.buffer.byteLength) return
    const grown = new ArrayBuffer(Math.ceil(bytes / 8) * 8)
    new Uint8Array(grown).set(new Uint8Array(this.buffer))
    this.buffer = grown
    this.kernel = plainKernel(grown)
  }
}

/** The fast one; where it cannot be had, the plain one, which answers the same. */
export function vectorMemory(): VectorMemory {
  try {
    return new WasmMemory()
  } catch {
    // No SIMD, or no addresses left to reserve.
    return new PlainMemory()
  }
}
