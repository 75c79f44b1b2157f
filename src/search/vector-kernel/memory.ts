import { KERNEL } from './kernel-wasm.js'
import { plainKernel } from './plain-kernel.js'

/**
 * The functions that read vectors. All offsets are in bytes. At `blocks` there are blocks of 2^shift rows: first the
 * high bytes of all rows, `stride` bytes per row, then their low bytes, then sixteen bytes per row with its norm as a
 * float64 and its share as a float32.
 */
export interface Kernel {
  /**
   * Computes bounds of the cosine between the reduced query at offset 0 and each of the rows whose numbers are at
   * `rows`. Lower bounds are written to `out`, and upper bounds `upper` bytes after them.
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
  /** Computes the exact dot product of the query at `query` and a row. */
  product(blocks: number, stride: number, shift: number, query: number, row: number): number
}

/** Memory that can grow, and a kernel that reads it. */
export interface VectorMemory {
  /** Growing replaces both the buffer and the kernel. */
  readonly buffer: ArrayBuffer
  readonly kernel: Kernel
  /** Grows the memory to at least this size and keeps its contents. */
  grow(bytes: number): void
}

interface Pages {
  readonly buffer: ArrayBuffer
  grow(pages: number): number
}

/** The part of WebAssembly that is used here. TypeScript declares it only with the types of browsers. */
declare const WebAssembly: {
  Module: new (bytes: Uint8Array) => object
  Memory: new (size: { initial: number }) => Pages
  Instance: new (module: object, imports: object) => { readonly exports: object }
}

const PAGE = 65_536

let compiled: object | undefined

/** A SIMD kernel over its own memory, which grows in place. */
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

/** Returns the WebAssembly kernel or, if that is not available, the plain one, which gives the same results. */
export function vectorMemory(): VectorMemory {
  try {
    return new WasmMemory()
  } catch {
    // There is no SIMD, or no address space left to reserve.
    return new PlainMemory()
  }
}
