import { readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { generate } from '../scripts/generate.js'

it('[CP-4] what is generated from the declarations is current', async () => {
  const files = await generate()
  expect(files.size).toBeGreaterThan(1)
  for (const [path, text] of files)
    expect(await readFile(path, 'utf8'), `${path} is stale: run npm run generate`).toBe(text)
})
