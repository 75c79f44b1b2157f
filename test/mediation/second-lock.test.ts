import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openMediation } from '../support/mediation.js'
import { attempt } from '../support/second-lock.js'
import { type SharedStore, sharedStore } from '../support/shared-store.js'
import { engines } from '../support/stores.js'

describe.each(engines)('the second lock of a mediation on %s', engine => {
  let store: SharedStore
  beforeAll(async () => {
    store = await sharedStore(engine)
  })
  afterAll(() => store.dispose())

  it('[DE-6, CB-8] keeps what somebody is asked, and their turns, to themselves', async () => {
    const privity = await store.instance()
    const { tenant, session, alice, bob } = await openMediation(privity, { stage: 2 })
    await alice.vessel.write({
      session,
      items: [{ type: 'user_event', text: 'I sat there alone with the kids again' }],
    })
    for (const person of [alice, bob, bob]) await person.turns.context({ session, message: 'Hello' })
    const seenBy = (principal: string, table: string) =>
      attempt(
        store.db,
        'privity_app',
        { 'privity.tenant': tenant, ...(principal !== '' && { 'privity.principal': principal }) },
        `select 1 from privity.${table}`,
      )
    for (const [principal, requests, turns] of [
      ['alice', 1, 1],
      ['bob', 0, 2],
      ['carol', 0, 0],
      ['', 0, 0],
    ] as const) {
      expect(await seenBy(principal, 'bridge_requests'), principal).toBe(requests)
      expect(await seenBy(principal, 'turns'), principal).toBe(turns)
    }
    await privity.close()
  })
})
