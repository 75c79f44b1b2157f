import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { FairLine, type Party } from './fair-line.js'

const of = (tenant: string, credential = 'key'): Party => ({ tenant, credential })
const wide = { total: 1_000, perTenant: 1_000, perCredential: 1_000 }

describe('a fair line', () => {
  it('[OP-8] serves a newcomer after one turn of each, however many jobs another tenant has', () => {
    const line = new FairLine<string>({ ...wide, total: 1 }, wide)
    for (let at = 0; at < 100; at++) line.add(of('many'), `many ${at}`)
    expect(line.take()?.job).toBe('many 0')
    line.add(of('one'), 'one')
    line.leave(of('many'))
    expect(line.take()?.job).toBe('many 1')
    line.leave(of('many'))
    expect(line.take()?.job).toBe('one')
  })

  it('[OP-8] prefers whoever has less running to whose turn it is', () => {
    const line = new FairLine<string>({ ...wide, total: 3 }, wide)
    for (let at = 0; at < 9; at++) line.add(of('many'), 'many')
    expect([line.take()?.job, line.take()?.job]).toEqual(['many', 'many'])
    line.add(of('one'), 'one')
    expect(line.take()?.job).toBe('one')
  })

  it('[OP-8] gives a tenant with many keys no more than one with a single key', () => {
    const line = new FairLine<string>({ ...wide, total: 1 }, wide)
    for (let at = 0; at < 10; at++) line.add(of('many', `key ${at}`), 'many')
    for (let at = 0; at < 10; at++) line.add(of('one'), 'one')
    const served = Array.from({ length: 10 }, () => {
      const next = line.take()
      if (next !== null) line.leave(next.party)
      return next?.job
    })
    expect(served.filter(job => job === 'one')).toHaveLength(5)
  })

  it('[OP-8] tells whether the end of a job would let in somebody else, and nobody who would wait anyway', () => {
    const line = new FairLine<string>({ total: 2, perTenant: 1, perCredential: 1 }, wide)
    line.add(of('home', 'one'), 'read')
    line.take()
    line.add(of('home', 'one'), 'own')
    expect(line.isInTheWay(of('home', 'one'))).toBe(false)
    line.add(of('away'), 'read')
    line.take()
    line.add(of('away'), 'waits for its own tenant')
    expect(line.isInTheWay(of('home', 'one'))).toBe(false)
    line.add(of('third'), 'waits')
    expect(line.isInTheWay(of('home', 'one'))).toBe(true)
    line.drain()
    line.add(of('home', 'two'), 'colleague')
    expect(line.isInTheWay(of('home', 'one'))).toBe(true)
    expect(line.isInTheWay(of('away'))).toBe(false)
  })

  it('[OP-8] lets the credentials of a tenant take turns', () => {
    const line = new FairLine<string>({ ...wide, total: 1 }, wide)
    for (let at = 0; at < 5; at++) line.add(of('home', 'greedy'), 'greedy')
    line.add(of('home', 'modest'), 'modest')
    const served = Array.from({ length: 2 }, () => {
      const next = line.take()
      if (next !== null) line.leave(next.party)
      return next?.job
    })
    expect(served).toEqual(['greedy', 'modest'])
  })

  it('[OP-8] keeps room for others while one tenant runs all it may', () => {
    const line = new FairLine<string>({ total: 4, perTenant: 3, perCredential: 2 }, wide)
    for (let at = 0; at < 9; at++) line.add(of('many', `key ${at % 2}`), 'many')
    const taken = Array.from({ length: 4 }, () => line.take()?.job)
    expect(taken).toEqual(['many', 'many', 'many', undefined])
    line.add(of('one'), 'one')
    expect(line.take()?.job).toBe('one')
  })

  it('[OP-8] refuses whoever fills its own share of the line, and nobody else', () => {
    const line = new FairLine<number>({ ...wide, total: 0 }, { total: 6, perTenant: 4, perCredential: 2 })
    const add = (tenant: string, credential: string) => line.add(of(tenant, credential), 0)
    expect([add('many', 'a'), add('many', 'a'), add('many', 'a')]).toEqual([true, true, false])
    expect([add('many', 'b'), add('many', 'b'), add('many', 'c')]).toEqual([true, true, false])
    expect([add('one', 'a'), add('one', 'b'), add('two', 'a')]).toEqual([true, true, false])
    expect(line.isFull).toBe(true)
  })

  it('runs every job once, within all limits, and forgets everybody at the end', () => {
    const limits = { total: 5, perTenant: 3, perCredential: 2 }
    const party = fc.record({ tenant: fc.constantFrom('a', 'b', 'c'), credential: fc.constantFrom('x', 'y') })
    const step = fc.oneof(
      fc.record({ kind: fc.constant('add' as const), party }),
      fc.record({ kind: fc.constantFrom('take' as const, 'leave' as const, 'remove' as const) }),
    )
    fc.assert(
      fc.property(fc.array(step, { maxLength: 200 }), steps => {
        const line = new FairLine<number>(limits, wide)
        const waiting = new Map<number, Party>()
        const running: { party: Party; job: number }[] = []
        const take = () => {
          const next = line.take()
          if (next === null) return false
          expect(waiting.get(next.job)).toEqual(next.party)
          waiting.delete(next.job)
          running.push(next)
          const same = (one: { party: Party }) => one.party.tenant === next.party.tenant
          expect(running.length).toBeLessThanOrEqual(limits.total)
          expect(running.filter(same).length).toBeLessThanOrEqual(limits.perTenant)
          expect(
            running.filter(one => same(one) && one.party.credential === next.party.credential).length,
          ).toBeLessThanOrEqual(limits.perCredential)
          return true
        }
        const leave = () => {
          const one = running.shift()
          if (one !== undefined) line.leave(one.party)
        }
        for (const [job, one] of steps.entries()) {
          if (one.kind === 'add') {
            expect(line.add(one.party, job)).toBe(true)
            waiting.set(job, one.party)
          } else if (one.kind === 'take') take()
          else if (one.kind === 'leave') leave()
          else {
            const [first] = waiting
            if (first === undefined) continue
            expect(line.remove(first[1], first[0])).toBe(true)
            waiting.delete(first[0])
          }
          expect([line.waiting, line.running]).toEqual([waiting.size, running.length])
        }
        while (waiting.size > 0 || running.length > 0) if (!take()) leave()
        expect([line.waiting, line.running]).toEqual([0, 0])
      }),
    )
  })
})
