import { describe, expect, it } from 'vitest'
import { ChatTurns } from './turns.js'

describe('the turns of a chat', () => {
  it('are numbered within conversations, which end after hours of silence', () => {
    const turns = new ChatTurns()
    expect(turns.next('Ben', '2026-05-03T20:00:00.000Z')).toEqual({
      conversation: 'Ben 2026-05-03T20:00:00.000Z',
      turn: 1,
    })
    expect(turns.next('Ben', '2026-05-03T23:59:00.000Z').turn).toBe(2)
    expect(turns.next('Cleo', '2026-05-03T23:59:30.000Z').turn).toBe(1)
    expect(turns.next('Ben', '2026-05-04T01:00:00.000Z').turn).toBe(3)
    expect(turns.next('Ben', '2026-05-04T07:00:00.000Z')).toEqual({
      conversation: 'Ben 2026-05-04T07:00:00.000Z',
      turn: 1,
    })
  })

  it('have conversations whose names a record can hold', () => {
    const { conversation } = new ChatTurns().next('é'.repeat(100), '2026-05-03T20:00:00.000Z')
    expect(Buffer.byteLength(conversation)).toBeLessThanOrEqual(200)
  })
})
