import { setImmediate as turn } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { hashPasscode, isPasscodeOf } from './passcode.js'

/** Microtasks between the end of one comparison and the begin of the next, and some more. */
const HOPS = 8

it('[ST-2] two are compared at once, however closely others follow', async () => {
  const hash = await hashPasscode('correct horse battery')
  for (let hop = 0; hop <= HOPS; hop++) {
    let compared = 0
    const compare = () =>
      isPasscodeOf(hash, 'wrong horse', () => {
        compared++
        return false
      })
    // One is being compared, one is over at once and makes place for the one that waits; and then one more comes.
    const running = [compare(), isPasscodeOf(hash, '', () => true), compare()]
    for (let hops = 0; hops < hop; hops++) await null
    running.push(compare())
    await turn()
    expect(compared, `${hop}`).toBe(2)
    await Promise.all(running)
  }
}, 60_000)
