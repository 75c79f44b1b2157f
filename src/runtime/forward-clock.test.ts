import { expect, it } from 'vitest'
import type { Clock } from './clock.js'
import { ForwardClock } from './forward-clock.js'

function fake() {
  const state = { at: 1_000_000, elapsed: 0 }
  const clock: Clock = {
    now: () => new Date(state.at),
    elapsed: () => state.elapsed,
    newId: () => '00000000-0000-4000-8000-000000000001',
  }
  const pass = (ms: number) => {
    state.at += ms
    state.elapsed += ms
  }
  return { state, clock, pass }
}

it('is the clock of the system while that goes on', () => {
  const { clock, pass } = fake()
  const forward = new ForwardClock(clock, null)
  for (const ms of [0, 1, 999, 86_400_000]) {
    pass(ms)
    expect(forward.now()).toEqual(clock.now())
    expect(forward.aheadBy).toBe(0)
  }
})

it('[OP-4] goes on from the latest time when the clock is set back, at half speed until it is caught up', () => {
  const { state, clock, pass } = fake()
  const forward = new ForwardClock(clock, null)
  const latest = forward.now().getTime()
  state.at -= 3_600_000
  expect(forward.now().getTime()).toBe(latest)
  expect(forward.aheadBy).toBe(3_600_000)
  pass(600_000)
  expect(forward.now().getTime()).toBe(latest + 300_000)
  pass(6_600_000)
  expect(forward.now()).toEqual(clock.now())
})

it('[OP-4] begins at the latest time that the store knows', () => {
  const { clock } = fake()
  expect(new ForwardClock(clock, new Date(5_000_000)).now()).toEqual(new Date(5_000_000))
  expect(new ForwardClock(clock, new Date(5)).now()).toEqual(clock.now())
})

it('follows a clock that replays a history', () => {
  const { state, clock } = fake()
  const forward = new ForwardClock({ ...clock, mayGoBack: true }, new Date(5_000_000))
  state.at = 7
  expect(forward.now()).toEqual(new Date(7))
})
