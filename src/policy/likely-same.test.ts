import { expect, it } from 'vitest'
import { likeness } from './likely-same.js'

it('[PC-7] proposes names that may belong to one person, with a reason', () => {
  const alike = [
    ['José Pérez', 'jose perez', 'accents'],
    ['Вen', 'Ben', 'lookalike'],
    ['Smith, Ben', 'Ben Smith', 'word_order'],
    ['Ben Smith', 'ben.smith@example.org', 'email'],
    ['bsmith@example.org', 'Ben Smith', 'email'],
    ['ben@example.org', 'Ben', 'email'],
    ['B. Smith', 'Ben Smith', 'initial'],
    ['Ben', 'Ben Smith', 'part_of_name'],
  ] as const
  for (const [one, other, why] of alike) {
    expect(likeness(one, other), `${one}, ${other}`).toBe(why)
    expect(likeness(other, one), `${other}, ${one}`).toBe(why)
  }
  for (const [one, other] of [
    ['Ben', 'ben'],
    ['Ben', 'Dana'],
    ['Ben Smith', 'Ben Jones'],
    ['Ben Smith', 'Bob Smith'],
    ['Speaker 1 (a)', 'Speaker 1 (b)'],
    ['ben@example.org', 'ben@example.com'],
    ['Jo', 'Jo Li'],
  ] as const)
    expect(likeness(one, other), `${one}, ${other}`).toBeNull()
})
