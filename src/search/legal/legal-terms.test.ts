import { describe, expect, it } from 'vitest'
import { times } from '../../../test/support/depth.js'
import { findTerms, LEGAL_TERMS } from './legal-terms.js'

const told = (text: string) =>
  findTerms(text).map(({ id, form, start, end }) => [id, form, text.slice(start, end)])

describe('legal terms', () => {
  it('[QX-1] are about 150, each with its own acronym and long form', () => {
    expect(LEGAL_TERMS.size).toBeGreaterThanOrEqual(150)
    for (const { id, short, long } of LEGAL_TERMS.values()) {
      expect(told(`the ${short} here`)).toContainEqual([id, 'short', short])
      expect(told(`the ${long} here`)).toEqual([[id, 'long', long]])
      expect(told(`the ${long.toUpperCase()} here`)).toContainEqual([id, 'long', long.toUpperCase()])
    }
  })

  it.each<[string, string[][]]>([
    [
      'oppositions to MTDs that argue PSLRA falls short',
      [
        ['mtd', 'short', 'MTD'],
        ['pslra', 'short', 'PSLRA'],
      ],
    ],
    [
      'P.S.L.R.A. and A.D.A.',
      [
        ['pslra', 'short', 'P.S.L.R.A.'],
        ['ada', 'short', 'A.D.A.'],
      ],
    ],
    ['motions to dismiss', [['mtd', 'long', 'motions to dismiss']]],
    ['statutes of limitation', [['sol', 'long', 'statutes of limitation']]],
    ['a motion\nto  dismiss', [['mtd', 'long', 'motion\nto  dismiss']]],
    ["the ERISA's reach", [['erisa', 'short', 'ERISA']]],
    [
      'Comprehensive Environmental Response, Compensation and Liability Act',
      [['cercla', 'long', 'Comprehensive Environmental Response, Compensation and Liability Act']],
    ],
    ['Family & Medical Leave Act', [['fmla', 'long', 'Family & Medical Leave Act']]],
    [
      'Children’s Online Privacy Protection Act',
      [['coppa', 'long', 'Children’s Online Privacy Protection Act']],
    ],
    ['Federal Food, Drug, and Cosmetic Act', [['fdca', 'long', 'Federal Food, Drug, and Cosmetic Act']]],
    ['California Uniform Trade Secrets Act', [['cutsa', 'long', 'California Uniform Trade Secrets Act']]],
    ['the Hart-Scott-Rodino Act', [['hsr', 'long', 'Hart-Scott-Rodino Act']]],
    ['fraud-on-the-market', [['fotm', 'long', 'fraud-on-the-market']]],
    ['pslra, Pslra and a good idea', []],
    ['XPSLRA PSLRAX PSLRAx PSLRA2', []],
    ['motion. To dismiss', []],
    ['motion to be dismissed', []],
    ['motion\n\nto dismiss', []],
    ['SEC. 2. DEFINITIONS', []],
    ['the SEC. It', [['sec', 'short', 'SEC']]],
    ['AT&T', []],
    ['', []],
  ])('[QX-1] %j', (text, expected) => {
    expect(told(text)).toEqual(expected)
  })

  it('[QX-1] are found in linear time', () => {
    for (const bit of ['motion to ', 'A.', 'AB ', 's', "'s", 'motion-', ',', 'Federal '])
      findTerms(bit.repeat(Math.ceil(times(100_000, 1_000_000) / bit.length)))
  }, 60_000)
})
