import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { generate, headerOf, KERNELS } from '../../../scripts/build-kernel.js'
import { deep } from '../../../test/support/depth.js'

/** The compiled bytes of each kernel, so that an edit of the generated file alone is seen without the compiler. */
const COMPILED: Readonly<Record<string, string>> = {
  KERNEL: '2abe3999884514e86ad652dd6de0184dd6bfee4bb4217121ea1025a7f79b0eae',
  READ_ALL: '909056ee7284ba1201a7527b7d37431175c070e550354ffc07def88f7cc6f2ec',
}

it.each(KERNELS)('[SC-3] $constant was compiled from its source, and not edited since', async kernel => {
  const [header, ...rest] = (await readFile(kernel.generated, 'utf8')).split('\n')
  expect(header).toBe(headerOf(kernel.source, await readFile(kernel.source, 'utf8')))
  expect(createHash('sha256').update(rest.join('\n')).digest('hex')).toBe(COMPILED[kernel.constant])
})

it.runIf(deep).each(KERNELS)(
  '[SC-3] $constant is what its source compiles to',
  async kernel => {
    expect(await readFile(kernel.generated, 'utf8')).toBe(await generate(kernel))
  },
  600_000,
)
