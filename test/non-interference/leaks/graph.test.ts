import { describe, it } from 'vitest'
import { checkNonInterference } from '../../../src/testing/index.js'
import { breaksAll, chosen } from '../../support/chosen.js'
import { expectSeen, type Look, type PlantedLeak, TIME_TO_LOOK } from '../../support/planted-leaks.js'
import { GRAPH_LEAKS } from './graph.js'

const look: Look<PlantedLeak> = (connectWith, world) =>
  checkNonInterference({
    connect: connectWith(),
    seed: world,
    worlds: 1,
    failFast: true,
    focus: 'graph',
    requests: 8,
  })

describe('planted leaks of graphs', () => {
  const all = Object.entries(GRAPH_LEAKS)
  it.runIf(breaksAll).each(chosen('leaks-graph', all, all.slice(0, 1)))(
    '[NI-3, TR-6, PC-5] the harness sees %s',
    (name, leak) => expectSeen('graph', name, leak, look),
    TIME_TO_LOOK,
  )
})
