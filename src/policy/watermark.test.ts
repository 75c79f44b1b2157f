import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  findInvisibleNumbers,
  findNumbers,
  invisibleNumber,
  numberFrom,
  readNumber,
  visibilityFor,
} from './watermark.js'

const numbers = fc.uint8Array({ minLength: 13, maxLength: 13 }).map(numberFrom)

describe('the number of a copy', () => {
  it('[ST-4] is found as it was printed, wrapped or scanned', () => {
    fc.assert(
      fc.property(numbers, number => {
        const text = `x ${number.toLowerCase()}. And\n${number.replaceAll('-', ' -\n').replaceAll('0', 'O').replaceAll('1', 'l')}`
        expect(findNumbers(text)).toEqual([number])
        expect(readNumber(` ${number} `)).toBe(number)
        expect(findInvisibleNumbers(`a${invisibleNumber(number)}b`)).toEqual([number])
      }),
    )
  })

  it('[ST-4] is not found with a wrong digit, or with two swapped', () => {
    fc.assert(
      fc.property(numbers, fc.nat({ max: 12 }), fc.nat({ max: 30 }), (number, at, by) => {
        const digits = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
        const plain = number.slice(3).replaceAll('-', '')
        const other = digits[(digits.indexOf(plain[at] ?? '') + 1 + by) % 32]
        const wrong = plain.slice(0, at) + other + plain.slice(at + 1)
        expect(findNumbers(`PV-${wrong}`)).toEqual([])
        const swapped = plain.slice(0, at) + plain[at + 1] + plain[at] + plain.slice(at + 2)
        if (swapped !== plain) expect(findNumbers(`PV-${swapped}`)).toEqual([])
      }),
    )
  })

  it('[ST-4] is in metadata where the policy applies to something else', () => {
    const policy = {
      appliesTo: 'downloaded_artifacts',
      watermarkKind: 'session_id',
      watermarkVisibility: 'visible',
    } as const
    expect(visibilityFor(policy, 'downloaded_artifacts')).toBe('visible')
    expect(visibilityFor(policy, 'displayed_content')).toBe('invisible_metadata')
    expect(visibilityFor({ ...policy, appliesTo: 'both' }, 'displayed_content')).toBe('visible')
  })
})
