import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTestPrivity, type TestPrivity } from '../support/privity.js'
import { engines } from '../support/stores.js'

describe.each(engines)('the consensual bridge on %s', engine => {
  let store: TestPrivity
  beforeAll(async () => {
    store = await openTestPrivity(engine)
  })
  afterAll(() => store.dispose())

  it('smoke', async () => {
    const tenant = store.tenant()
    const alice = store.privity.as({ tenant, actor: 'alice' })
    const bob = store.privity.as({ tenant, actor: 'bob' })
    const made = await alice.sessions.create({ participants: ['bob'] })
    const session = made.id
    console.log(await bob.sessions.join(session))
    for (const user of [alice, bob]) await user.stages.signCompact(session)
    for (const user of [alice, bob]) await user.stages.advance(session)
    await alice.vessel.write({ session, items: [{ type: 'user_event', text: 'They never help me with anything at home and I feel so alone' }, { type: 'emotional_reading', intensity: 6, emotion: 'lonely' }] })
    console.log(JSON.stringify(await alice.turns.context({ session, message: 'I feel so alone at home' }), null, 1))
    for (const user of [alice, bob]) { await user.stages.confirmHeard(session); await user.stages.advance(session) }
    const { pendingRequests } = await alice.bridge.pending(session)
    console.log(pendingRequests)
    const decided = await alice.bridge.decide({ session, consentRequestId: pendingRequests[0]?.id ?? '', decision: 'GRANTED' })
    console.log(decided)
    console.log(JSON.stringify(await bob.turns.context({ session, message: 'what did we agree on?' }), null, 1))
    console.log(await alice.bridge.revoke({ session, consentRecordId: decided.consentRecord.id }), await alice.bridge.history(session))
    console.log((await bob.turns.context({ session, message: 'what did we agree on?' })).bundle.items)
    console.log((await bob.notifications.list()), await bob.stages.get(session))
  })
})
