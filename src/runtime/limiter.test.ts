import { setImmediate as turn } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { makeLimiter } from './limiter.js'

/** More microtasks than pass between the end of one piece of work and the beginning of the next. */
const HOPS = 8

/** Work that runs until it is told to end. */
function lasting() {
  const underWay: ((failed?: Error) => void)[] = []
  const work = () =>
    new Promise<void>((resolve, reject) => {
      underWay.push(failed => (failed === undefined ? resolve() : reject(failed)))
    })
  return { underWay, work }
}

it('so many are under way at once, however closely others follow', async () => {
  for (let hop = 0; hop <= HOPS; hop++) {
    const inTurn = makeLimiter({ atOnce: 2 })
    const { underWay, work } = lasting()
    const all = [inTurn(work), inTurn(async () => {}), inTurn(work)]
    for (let hops = 0; hops < hop; hops++) await null
    all.push(inTurn(work))
    await turn()
    expect(underWay.length, `${hop}`).toBe(2)
    for (let at = 0; at < 3; at++) {
      underWay[at]?.()
      await turn()
    }
    await Promise.all(all)
  }
})

it('whoever waits comes in order, also after one that failed, and places are free again at the end', async () => {
  const inTurn = makeLimiter({ atOnce: 1 })
  const { underWay, work } = lasting()
  const order: string[] = []
  const all = ['a', 'b', 'c'].map(name => inTurn(work).then(...noting(name, order)))
  for (const failed of [new Error('broken'), undefined, undefined]) {
    underWay.shift()?.(failed)
    await turn()
  }
  await Promise.all(all)
  expect(order).toEqual(['a failed', 'b', 'c'])
  expect(await inTurn(async () => 'at once')).toBe('at once')
})

const noting = (name: string, order: string[]) =>
  [() => order.push(name), () => order.push(`${name} failed`)] as const

it('more than may wait are told that it is busy', async () => {
  const inTurn = makeLimiter({ atOnce: 1, waiting: { most: 1, busy: 'too many at once' } })
  const { underWay, work } = lasting()
  const all = [inTurn(work), inTurn(work)]
  await expect(inTurn(work)).rejects.toMatchObject({ code: 'busy', message: 'too many at once' })
  for (let at = 0; at < 2; at++) {
    underWay[at]?.()
    await turn()
  }
  await Promise.all(all)
})
