import { describe, it } from 'vitest'
import { checkNonInterference } from '../../../src/testing/index.js'
import { breaksAll, chosen } from '../../support/chosen.js'
import { expectSeen, type Look, TIME_TO_LOOK } from '../../support/planted-leaks.js'
import { PAGE_LEAKS, type PageLeak } from './pages.js'

/** By what is answered: statements alone would show the half that is not planted as well. */
const look: Look<PageLeak> = async (connectWith, world, { operation }) => {
  const leaks = await checkNonInterference({ connect: connectWith(), seed: world, worlds: 1 })
  return leaks.some(({ kind }) => kind !== 'statements')
    ? leaks.filter(({ request }) => operation.test(request.operation))
    : []
}

describe('planted leaks of pages', () => {
  const all = Object.entries(PAGE_LEAKS)
  it.runIf(breaksAll).each(chosen('leaks-pages', all, all.slice(0, 1)))(
    '[NI-3, NI-4] the harness sees %s',
    (name, leak) => expectSeen('pages', name, leak, look),
    TIME_TO_LOOK,
  )
})
