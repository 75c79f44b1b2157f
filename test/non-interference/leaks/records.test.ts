import { describe, it } from 'vitest'
import { checkNonInterference } from '../../../src/testing/index.js'
import { chosen } from '../../support/chosen.js'
import { expectSeen, type Look, type PlantedLeak, TIME_TO_LOOK } from '../../support/planted-leaks.js'
import { RECORD_LEAKS } from './records.js'

const look: Look<PlantedLeak> = (connectWith, world) =>
  checkNonInterference({ connect: connectWith(), seed: world, worlds: 1, failFast: true })

describe('planted leaks', () => {
  const all = Object.entries(RECORD_LEAKS)
  it.each(chosen('leaks-records', all, all.slice(0, 1)))(
    '[NI-3] the harness sees %s',
    (name, leak) => expectSeen('records', name, leak, look),
    TIME_TO_LOOK,
  )
})
