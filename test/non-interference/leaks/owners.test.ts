import { describe, it } from 'vitest'
import { checkNonInterference } from '../../../src/testing/index.js'
import { breaksAll, chosen } from '../../support/chosen.js'
import { expectSeen, type Look, type PlantedLeak, TIME_TO_LOOK } from '../../support/planted-leaks.js'
import { OWNER_LEAKS } from './owners.js'

const look: Look<PlantedLeak> = (connectWith, world) =>
  checkNonInterference({ connect: connectWith(), seed: world, worlds: 1, failFast: true })

describe('planted leaks to a key that holds less than its owner', () => {
  const all = Object.entries(OWNER_LEAKS)
  it.runIf(breaksAll).each(chosen('leaks-owners', all, all.slice(0, 1)))(
    '[NI-3, NI-6, NI-10, NI-11] the harness sees %s',
    (name, leak) => expectSeen('owners', name, leak, look),
    TIME_TO_LOOK,
  )
})
