import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { SEED, WORLDS } from '../../../test/support/generated.js'
import { REAL_CITATIONS } from '../../../test/support/real-citations.js'
import { findCitations } from './citations.js'
import { legalKeys, MOST_KEYS } from './keys.js'

const keys = (...each: string[][]) => each.map(key => JSON.stringify(key)).sort()

describe('keys of a text', () => {
  it.each<[string, string[][]]>([
    ['87 FR 12345', [['cite', '87 Fed. Reg. 12345']]],
    ['29 C.F.R. part 1910', [['cite', '29 C.F.R. pt. 1910']]],
    [
      '29 CFR § 1910.12',
      [
        ['cite', '29 C.F.R. § 1910.12'],
        ['cite', '29 C.F.R. pt. 1910'],
      ],
    ],
    ['Twombly, 550 U.S. 544 (2007)', [['cite', '550 U.S. 544']]],
    [
      '550 U.S. 544, 570 n.3',
      [
        ['cite', '550 U.S. 544'],
        ['cite', '550 U.S. 544', '570'],
        ['cite', '550 U.S. 544', '570 n.3'],
      ],
    ],
    [
      '550 U.S. at 570-71',
      [
        ['cite-at', '550 U.S.', '570'],
        ['cite-at', '550 U.S.', '571'],
      ],
    ],
    [
      '550 U.S. 544. Id. at 570.',
      [
        ['cite', '550 U.S. 544'],
        ['cite', '550 U.S. 544', '570'],
      ],
    ],
    [
      '550 U.S. 544. 550 U.S. at 570.',
      [
        ['cite', '550 U.S. 544'],
        ['cite', '550 U.S. 544', '570'],
      ],
    ],
    ['Id. at 570. Twombly, supra, at 5. See infra.', []],
    [
      '15 USC 78u-4(b)',
      [
        ['cite', '15 U.S.C. § 78u-4'],
        ['cite', '15 U.S.C. § 78u-4', '(b)'],
      ],
    ],
    ['the PSLRA and P.S.L.R.A.', [['term', 'pslra', 'short']]],
    [
      'the Private Securities Litigation Reform Act of 1995 (PSLRA)',
      [
        ['term', 'pslra', 'long'],
        ['term', 'pslra', 'short'],
      ],
    ],
    [
      'FRCP 12',
      [
        ['cite', 'Fed. R. Civ. P. 12'],
        ['term', 'frcp', 'short'],
      ],
    ],
    ['nothing of law', []],
    ['', []],
  ])('[SR-5] %s', (text, expected) => {
    expect(legalKeys(text)).toEqual(keys(...expected))
  })

  it('[SR-5] are told from what a text has, not from capitals that a question may lack', () => {
    expect(legalKeys('they gave 550 us 544')).toEqual([])
  })

  it('[SR-5] are distinct, short, sorted, the same again, and no others when the text comes twice', () => {
    const text = fc
      .array(
        fc.oneof(
          fc.constantFrom(...REAL_CITATIONS.map(([one]) => one)),
          fc.constantFrom('PSLRA', 'motion to dismiss', 'text'),
        ),
        {
          maxLength: 12,
        },
      )
      .map(parts => parts.join('.\n\n'))
    fc.assert(
      fc.property(text, one => {
        const found = legalKeys(one)
        expect(found).toEqual([...new Set(found)].sort())
        expect(legalKeys(one)).toEqual(found)
        for (const key of found) expect(key.length).toBeLessThan(200)
        // Repeating the text can resolve a short form that comes before its full citation.
        if (findCitations(one).every(({ form }) => form === 'full'))
          expect(legalKeys(`${one}.\n\n${one}`)).toEqual(found)
      }),
      { seed: SEED, numRuns: WORLDS },
    )
  })

  it('[SR-5] are the same in whatever order full citations come', () => {
    const full = REAL_CITATIONS.map(([one]) => one).filter(one =>
      findCitations(one).every(({ form }) => form === 'full'),
    )
    fc.assert(
      fc.property(fc.subarray(full), some => {
        const text = (parts: readonly string[]) => parts.join('.\n\n')
        expect(legalKeys(text(some))).toEqual(legalKeys(text([...some].reverse())))
      }),
      { seed: SEED, numRuns: 50 },
    )
  })

  it('[SR-5] are bounded: the terms, and of the citations the first', () => {
    const many = Array.from({ length: 3_000 }, (_, more) => `1 F.3d ${more + 1}`).join('; ')
    const found = legalKeys(`${many}; PSLRA`)
    expect(found).toHaveLength(MOST_KEYS)
    expect(found).toContain('["term","pslra","short"]')
    expect(found).toContain('["cite","1 F.3d 1999"]')
    expect(found).not.toContain('["cite","1 F.3d 2000"]')
  })
})
