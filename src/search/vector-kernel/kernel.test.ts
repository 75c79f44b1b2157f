import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { expect, it } from 'vitest'
import { generate, KERNELS } from '../../../scripts/build-kernel.js'

function isInstalled(name: string): boolean {
  try {
    createRequire(import.meta.url).resolve(name)
    return true
  } catch {
    return false
  }
}

it.runIf(isInstalled('assemblyscript'))(
  '[SC-3] a kernel that is checked in is the one that its source makes',
  async () => {
    for (const kernel of KERNELS)
      expect(await readFile(kernel.generated, 'utf8')).toBe(await generate(kernel))
  },
)
