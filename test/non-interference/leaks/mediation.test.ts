import { describe, expect, it } from 'vitest'
import { checkPartnerNonInterference } from '../../../src/testing/index.js'
import { breaksAll, chosen } from '../../support/chosen.js'
import { deep } from '../../support/depth.js'
import { byHand } from '../../support/mediated.js'
import {
  expectSeen,
  type Look,
  leaksOfUnbroken,
  type PlantedLeak,
  TIME_TO_LOOK,
} from '../../support/planted-leaks.js'
import { MEDIATION_LEAKS } from './mediation.js'

const look: Look<PlantedLeak> = async (connectWith, world, { mutations }) => {
  const connect = connectWith({ embedding: [byHand] }, 'twin')
  try {
    return await checkPartnerNonInterference({ connect, seed: world, worlds: 1, failFast: true })
  } catch (error) {
    // What is broken may keep a world from happening at all.
    if (mutations.length > 0 && error instanceof Error && / could not /.test(error.message)) return []
    throw error
  }
}

describe('planted leaks between partners', () => {
  const all = Object.entries(MEDIATION_LEAKS)
  it.runIf(breaksAll).each(chosen('leaks-mediation', all, all.slice(0, 1)))(
    '[NI-3, NI-5, RC-5, CB-6, CB-8] the harness sees %s',
    (name, leak) => expectSeen('mediation', name, leak, look),
    TIME_TO_LOOK,
  )

  it.runIf(deep)(
    '[NI-3] and nothing in an unbroken copy',
    async () => {
      expect(await leaksOfUnbroken({ seenIn: 1, mutations: [] }, look)).toEqual([])
    },
    TIME_TO_LOOK,
  )
})
