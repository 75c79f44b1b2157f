import { describe, expect, it } from 'vitest'
import { checkRecipientNonInterference } from '../../../src/testing/index.js'
import { breaksAll, chosen } from '../../support/chosen.js'
import { deep } from '../../support/depth.js'
import {
  expectSeen,
  type Look,
  leaksOfUnbroken,
  type PlantedLeak,
  TIME_TO_LOOK,
} from '../../support/planted-leaks.js'
import { SHARING_LEAKS } from './sharing.js'

const look: Look<PlantedLeak> = async (connectWith, world, { mutations }) => {
  const connect = connectWith({ embedding: [], sweeps: false })
  try {
    return await checkRecipientNonInterference({ connect, seed: world, worlds: 1, failFast: true })
  } catch (error) {
    // What is broken may let the host itself do more: the histories then part by themselves.
    if (mutations.length > 0 && error instanceof Error && / shows something else/.test(error.message))
      return []
    throw error
  }
}

describe('planted leaks to recipients', () => {
  const all = Object.entries(SHARING_LEAKS)
  it.runIf(breaksAll).each(chosen('leaks-sharing', all, all.slice(0, 1)))(
    '[NI-1, NI-3, NI-5, NI-6, SV-2, SV-3, SV-4, CV-4] the harness sees %s',
    (name, leak) => expectSeen('sharing', name, leak, look),
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
