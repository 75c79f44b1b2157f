import { expect, it } from 'vitest'
import { Latencies } from './latencies.js'

it('tells the median and the 95th percentile of each minute, by tenant', () => {
  let now = Date.parse('2026-11-18T10:00:30Z')
  const latencies = new Latencies(() => now)
  for (const ms of [10, 10, 10, 200]) latencies.note('home', ms)
  latencies.note('work', 60_000)
  now += 60_000
  latencies.note('home', 0.4)
  expect(latencies.of('home')).toEqual([
    { at: '2026-11-18T10:00:00.000Z', median: 11.6, p95: 211.8 },
    { at: '2026-11-18T10:01:00.000Z', median: 1, p95: 1 },
  ])
  expect(latencies.of('work')).toHaveLength(1)
  expect(latencies.of('nobody')).toEqual([])
})

it('remembers half a day, and the tenants that were active last', () => {
  let now = 0
  const latencies = new Latencies(() => now)
  for (let minute = 0; minute < 1_000; minute++, now += 60_000) latencies.note('home', 5)
  expect(latencies.of('home')).toHaveLength(720)
  for (let tenant = 0; tenant < 500; tenant++) latencies.note(`tenant ${tenant}`, 5)
  expect(latencies.of('home')).toEqual([])
})
