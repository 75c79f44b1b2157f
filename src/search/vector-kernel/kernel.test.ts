import { readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { generate, KERNELS } from '../../../scripts/build-kernel.js'

it.each(KERNELS)('[SC-3] $constant, as it is checked in, is what its source compiles to', async kernel => {
  expect(await readFile(kernel.generated, 'utf8')).toBe(await generate(kernel))
})
