import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openMediation } from '../support/mediation.js'
import { openTestPrivity, type TestPrivity } from '../support/privity.js'
import { engines } from '../support/stores.js'

describe.each(engines)('empathy on %s', engine => {
  let store: TestPrivity
  beforeAll(async () => {
    store = await openTestPrivity(engine)
  })
  afterAll(() => store.dispose())
  it('smoke', async () => {
    const { alice, bob, session } = await openMediation(store.privity, { stage: 4 })
    console.log(JSON.stringify([await alice.stages.get(session), await bob.shared.list({ session })], null, 1))
    const one = await alice.strategies.submit({ session, content: 'Let us have tea at four.' })
    const two = await bob.strategies.submit({ session, content: 'We could take turns with the dishes.' })
    await alice.strategies.rank({ session, proposals: [one.id, two.id] })
    await bob.strategies.rank({ session, proposals: [two.id] })
    const made = await alice.agreements.propose({ session, text: 'We will take turns with dishes.', proposals: [two.id] })
    console.log(await alice.strategies.pool(session), await bob.agreements.agree({ session, agreement: made.id }))
    await bob.bridge.revoke({ session, consentRecordId: two.consentRecordId })
    const e = await alice.experiments.add({ session, text: 'Try it for a week.', agreement: made.id }).catch(e => e)
    console.log(e, await alice.agreements.list({ session }), await alice.strategies.pool(session))
    console.log(await alice.stages.get(session), await bob.notifications.list({}))
  })
})
