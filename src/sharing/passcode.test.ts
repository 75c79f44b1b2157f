import { setImmediate as turn } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { times } from '../../test/support/depth.js'
import { hashPasscode, isPasscodeOf } from './passcode.js'

/** Slightly more microtasks than pass between the end of one comparison and the start of the next. */
const HOPS = 8

it('[ST-2] a passcode takes long to compare, and two are compared at once, however closely others follow', async () => {
  const hash = await hashPasscode('correct horse battery')
  expect(hash).toMatch(/^scrypt\$32768\$8\$1\$/)
  for (let hop = 0; hop <= HOPS; hop += times(4, 1)) {
    let compared = 0
    const compare = () =>
      isPasscodeOf(hash, 'wrong horse', () => {
        compared++
        return false
      })
    // One comparison runs, one ends at once and makes room for the one that waits, and then one more arrives.
    const running = [compare(), isPasscodeOf(hash, '', () => true), compare()]
    for (let hops = 0; hops < hop; hops++) await null
    running.push(compare())
    await turn()
    expect(compared, `${hop}`).toBe(2)
    await Promise.all(running)
  }
}, 60_000)
