import { describe, it } from 'vitest'
import { checkNonInterference } from '../../../src/testing/index.js'
import { breaksAll, chosen } from '../../support/chosen.js'
import { expectSeen, type Look, type PlantedLeak, TIME_TO_LOOK } from '../../support/planted-leaks.js'
import { SEARCH_LEAKS } from './search.js'

const look: Look<PlantedLeak> = (connectWith, world) =>
  checkNonInterference({
    connect: connectWith(),
    seed: world,
    worlds: 1,
    failFast: true,
    focus: 'search',
    requests: 6,
  })

describe('planted leaks of search', () => {
  const all = Object.entries(SEARCH_LEAKS)
  it.runIf(breaksAll).each(chosen('leaks-search', all, all.slice(0, 1)))(
    '[NI-1, NI-2, NI-4] the harness sees %s',
    (name, leak) => expectSeen('search', name, leak, look),
    TIME_TO_LOOK,
  )
})
