import { describe, it } from 'vitest'
import { checkNonInterference } from '../../../src/testing/index.js'
import { breaksAll, chosen } from '../../support/chosen.js'
import { meaningUnderTest } from '../../support/harness-meaning.js'
import { expectSeen, type Look, type PlantedLeak, TIME_TO_LOOK } from '../../support/planted-leaks.js'
import { MEANING_LEAKS } from './meaning.js'

const look: Look<PlantedLeak> = (connectWith, world) => {
  const { embedding, weather } = meaningUnderTest()
  const connect = connectWith({ embedding }, 'twin')
  return checkNonInterference({
    connect,
    weather,
    seed: world,
    worlds: 1,
    failFast: true,
    focus: 'meaning',
    requests: 6,
  })
}

describe('planted leaks of meaning', () => {
  const all = Object.entries(MEANING_LEAKS)
  it.runIf(breaksAll).each(chosen('leaks-meaning', all, all.slice(0, 1)))(
    '[NI-2, NI-4, NI-8, NI-9, SC-3, SC-4] the harness sees %s',
    (name, leak) => expectSeen('meaning', name, leak, look),
    TIME_TO_LOOK,
  )
})
