import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { stringifyInSlices } from './stringify-in-slices.js'

describe('an answer written part by part', () => {
  it('[OP-8] is what JSON.stringify writes, to the last byte', async () => {
    const odd = { date: new Date(0), none: undefined, list: [undefined, () => 1, [], {}], nan: Number.NaN }
    for (const value of [odd, [odd], { a: { b: { c: { d: { e: odd } } } } }, null, 'x', 1])
      expect(await stringifyInSlices(value)).toBe(JSON.stringify(value))
    await fc.assert(
      fc.asyncProperty(fc.jsonValue({ maxDepth: 6 }), async value => {
        expect(await stringifyInSlices(value)).toBe(JSON.stringify(value))
      }),
    )
  })

  it('[OP-8] lets others work meanwhile', async () => {
    let turns = 0
    const timer = setInterval(() => turns++, 1)
    await stringifyInSlices({ data: { list: Array.from({ length: 400 }, () => 'é"'.repeat(50_000)) } })
    clearInterval(timer)
    expect(turns).toBeGreaterThan(2)
  })
})
