import { describe, expect, it } from 'vitest'
import { Admission, partyOf } from './admission.js'

describe('admission', () => {
  it('[OP-8] a tenant with many keys has half of the places and half of the line, and others have the rest', async () => {
    const admission = new Admission(16, 60_000)
    const ended: (() => void)[] = []
    const ask = (tenant: string, credential: string) =>
      admission.run({ tenant, credential }, () => new Promise<void>(resolve => ended.push(resolve)))
    const refused: number[] = []
    const asked = Array.from({ length: 16 }, (_, at) =>
      ask('many', `key ${at}`).catch(() => {
        refused.push(at)
      }),
    )
    await new Promise(setImmediate)
    // Of 4 that run at once 2 are theirs, and of 16 that may be here no more than 8 wait.
    expect(admission.load).toEqual({ running: 2, waiting: 8, full: false })
    expect(refused).toEqual([10, 11, 12, 13, 14, 15])
    const others = [ask('one', 'key'), ask('two', 'key')]
    await new Promise(setImmediate)
    expect(admission.load).toMatchObject({ running: 4, waiting: 8 })
    expect(admission.hasRoomFor({ tenant: 'many', credential: 'another key' })).toBe(false)
    expect(admission.hasRoomFor({ tenant: 'three', credential: 'key' })).toBe(true)
    const all = Promise.all([...asked, ...others])
    let isDone = false
    void all.then(() => {
      isDone = true
    })
    while (!isDone) {
      for (const end of ended.splice(0)) end()
      await new Promise(setImmediate)
    }
    expect(admission.load).toMatchObject({ running: 0, waiting: 0 })
  })

  it('[OP-8] two keys of one actor are two parties, and two tokens of one are one', () => {
    const credential = { tenant: 'home', actor: 'ana', audience: 'owner' } as const
    const keyed = (key: string) => partyOf({ credential: { ...credential, key } } as never)
    expect(keyed('one')).not.toEqual(keyed('two'))
    expect(partyOf({ credential } as never)).toEqual(partyOf({ credential: { ...credential } } as never))
  })
})
