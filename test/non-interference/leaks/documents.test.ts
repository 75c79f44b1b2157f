import { describe, expect, it } from 'vitest'
import { builtIn } from '../../../src/embedding/built-in.js'
import { legal } from '../../../src/legal/index.js'
import { checkDocumentNonInterference } from '../../../src/testing/non-interference/documents.js'
import { breaksAll, chosen } from '../../support/chosen.js'
import { deep } from '../../support/depth.js'
import { expectSeen, type Look, leaksOfUnbroken, TIME_TO_LOOK } from '../../support/planted-leaks.js'
import { DOCUMENT_LEAKS, type DocumentLeak } from './documents.js'

const look: Look<DocumentLeak> = (connectWith, world, { viewer, meaning = false }) =>
  checkDocumentNonInterference({
    connect: connectWith({ domain: legal(), embedding: meaning ? [builtIn()] : [], sweeps: false }),
    seed: world,
    worlds: 1,
    viewers: () => [viewer],
    meaning,
    failFast: true,
  })

describe('planted leaks of the router and of documents', () => {
  const all = Object.entries(DOCUMENT_LEAKS)
  it.runIf(breaksAll).each(chosen('leaks-documents', all, all.slice(0, 1)))(
    '[NI-1, NI-2, NI-3, NI-4, NI-5, NI-6, QX-2, SC-4, SR-4, SR-10, BK-1] the harness sees %s',
    (name, leak) => expectSeen('documents', name, leak, look),
    TIME_TO_LOOK,
  )

  it.runIf(deep)(
    '[NI-3] and nothing in an unbroken copy',
    async () => {
      const unbroken: DocumentLeak = { viewer: 'aide', seenIn: 1, meaning: true, mutations: [] }
      expect(await leaksOfUnbroken(unbroken, look)).toEqual([])
    },
    TIME_TO_LOOK,
  )
})
