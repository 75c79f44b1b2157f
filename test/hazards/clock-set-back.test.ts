import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Privity } from '../../src/open.js'
import type { Clock } from '../../src/runtime/clock.js'
import { type SharedStore, sharedStore } from '../support/shared-store.js'
import { anyEngine } from '../support/stores.js'

const HOUR = 3_600_000
const START = Date.parse('2026-01-01T00:00:00Z')

/** The clock of a machine, which somebody sets as they like. */
function machine() {
  const state = { at: START }
  const clock: Clock = { now: () => new Date(state.at), newId: () => randomUUID() }
  return { state, clock }
}

describe('a clock that is set back', () => {
  let store: SharedStore
  beforeAll(async () => {
    store = await sharedStore(anyEngine)
  })
  afterAll(() => store.dispose())

  it('[OP-4] revives no key, link, session or record that has expired, not even across a restart', async () => {
    const { state, clock } = machine()
    let privity = await store.instance(clock)
    const tenant = store.tenant()
    const expiresAt = new Date(START + HOUR)
    const of = (opened: Privity) => opened.as({ tenant, actor: 'ana' })
    const { secret } = await of(privity).keys.create({ name: 'short', expiresAt })
    const { id: passing } = await of(privity).remember({ kind: 'note', text: 'soon gone', expiresAt })
    const { view } = await of(privity).views.create({ corpus: 'bank' })
    const { token } = await of(privity).links.grant({
      views: [view],
      recipientIdentityMode: 'anonymous_share_token',
      expiresAt,
    })

    const session = await privity.redeem({ token: token ?? '' })

    const alive = async () => {
      const ok = (promise: Promise<unknown>) => promise.then(Boolean, () => false)
      return {
        key: await ok(privity.authenticate(secret ?? '')),
        record: await ok(of(privity).get(passing)),
        session: await ok(
          privity
            .authenticate('key' in session ? session.key : '')
            .then(({ credential }) => privity.as(credential).documents.list()),
        ),
        link: await ok(privity.redeem({ token: token ?? '' })),
        token: new Date(START + HOUR) > privity.now(),
      }
    }
    const everything = { key: true, record: true, session: true, link: true, token: true }
    const nothing = { key: false, record: false, session: false, link: false, token: false }
    expect(await alive()).toEqual(everything)
    state.at = START + 2 * HOUR
    expect(await alive()).toEqual(nothing)
    state.at = START
    expect(await alive()).toEqual(nothing)

    // The process ends, once in order and once not, and the machine's clock is wrong when the next one starts.
    await privity.close()
    privity = await store.instance(clock)
    expect(await alive()).toEqual(nothing)
    const died = privity
    privity = await store.instance(clock)
    expect(await alive()).toEqual(nothing)
    expect((await privity.health()).checks).toContainEqual({
      name: 'clock',
      status: 'warning',
      message: 'the clock of this machine is 120 minutes behind the latest time in the store; set it right',
    })
    state.at = START + 3 * HOUR
    const named = async () => (await privity.health()).checks.map(({ name }) => name)
    await expect.poll(named, { timeout: 5_000 }).not.toContain('clock')
    await died.close()
    await privity.close()
  })
})
