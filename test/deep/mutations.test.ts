import { existsSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { AREAS } from '../support/areas.js'

it.each(
  AREAS.map(area => [area.name, area] as const),
)('every text that %s replaces occurs exactly once in its file', (_, { broken }) => {
  const misplaced = broken.flatMap(({ name, mutations }) =>
    mutations
      .filter(({ file, find }) => !existsSync(file) || readFileSync(file, 'utf8').split(find).length !== 2)
      .map(({ file, find }) => `${name}: ${file}: ${find}`),
  )
  expect(misplaced).toEqual([])
})
