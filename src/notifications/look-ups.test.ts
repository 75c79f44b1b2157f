import dns from 'node:dns'
import { syncBuiltinESMExports } from 'node:module'
import { setImmediate as turn } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { resolveHost } from './addresses.js'

type Answer = (error: Error | null, addresses: readonly { address: string; family: number }[]) => void

const underWay: Answer[] = []

beforeAll(() => {
  vi.spyOn(dns, 'lookup').mockImplementation(((_host: string, _options: object, answer: Answer) =>
    underWay.push(answer)) as never)
  syncBuiltinESMExports()
})
afterAll(() => {
  vi.restoreAllMocks()
  syncBuiltinESMExports()
})
beforeEach(() => {
  underWay.length = 0
})

/** Slightly more microtasks than pass between the end of one lookup and the start of the next. */
const HOPS = 8

it('two hosts are looked up at once, however closely others follow', async () => {
  for (let hop = 0; hop <= HOPS; hop++) {
    underWay.length = 0
    const found = ['a.test', 'b.test', 'c.test'].map(resolveHost)
    // One host is found and makes room for the one that waits, and then one more arrives.
    underWay[1]?.(null, [])
    for (let hops = 0; hops < hop; hops++) await null
    found.push(resolveHost('d.test'))
    await turn()
    expect(underWay.length - 1, `${hop}`).toBe(2)
    for (const at of [0, 2, 3]) {
      underWay[at]?.(null, [])
      await turn()
    }
    await Promise.all(found)
  }
})

it('a host that is not found makes place as well', async () => {
  const found = ['a.test', 'b.test', 'c.test'].map(host => resolveHost(host).catch(() => 'none'))
  underWay[0]?.(new Error('no such host'), [])
  await turn()
  underWay[1]?.(null, [])
  underWay[2]?.(null, [{ address: '203.0.113.7', family: 4 }])
  expect(await Promise.all(found)).toEqual(['none', [], [{ address: '203.0.113.7', family: 4 }]])
})
