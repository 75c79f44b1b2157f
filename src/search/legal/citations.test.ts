import { readdirSync, readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { times } from '../../../test/support/depth.js'
import { SEED, WORLDS } from '../../../test/support/generated.js'
import { REAL_CITATIONS } from '../../../test/support/real-citations.js'
import type { LegalCitation } from './citation.js'
import { findCitations } from './citations.js'

const normals = (text: string) => findCitations(text).map(({ normal }) => normal)
const only = (text: string): LegalCitation => {
  const found = findCitations(text)
  const [first] = found
  if (first === undefined || found.length > 1) throw new Error(`${found.length} citations`)
  return first
}
/** The text, normal form, form and target of each citation. */
const told = (text: string) =>
  findCitations(text).map(({ start, end, normal, form, refersTo }) => [
    text.slice(start, end),
    normal,
    form,
    refersTo,
  ])

describe('real citations', () => {
  it('[SR-5] are many', () => expect(REAL_CITATIONS.length).toBeGreaterThanOrEqual(300))

  it.each(REAL_CITATIONS)('[SR-5] %s', (text, expected) => {
    expect(normals(text)).toEqual(expected)
  })

  it('[SR-5] are the same in the normal form', () => {
    const canonical = new Set(REAL_CITATIONS.flatMap(([, expected]) => expected))
    for (const normal of canonical) expect(normals(normal)).toEqual([normal])
  })

  it('[SR-5] are the same across a line break and with wide spaces', () => {
    for (const [text, expected] of REAL_CITATIONS) {
      const place = text.search(/\d\s+\p{Lu}/u) + 1
      if (place > 0) expect(normals(`${text.slice(0, place)}\n${text.slice(place + 1)}`)).toEqual(expected)
      expect(normals(text.replaceAll(' ', '\u00a0'))).toEqual(expected)
    }
  })

  it('[SR-5] are the same without capitals in a question', () => {
    for (const [text, expected] of REAL_CITATIONS) {
      if (/index no|no\. s|treas|§ 13-|xiv|art\. |\d(?:\(\p{Lu})|a\*|2b1/iu.test(text)) continue
      const found = findCitations(text.toLowerCase(), { anyCase: true }).map(({ normal }) => normal)
      expect(found).toEqual(expected)
    }
  })
})

describe('what a citation tells', () => {
  it.each([
    ['Twombly, 550 U.S. 544, 570 (2007).', '550 U.S. 544, 570 (2007)', ['570']],
    ['550 U.S. 544, 555-57, 570', '550 U.S. 544, 555-57, 570', ['555', '556', '557', '570']],
    ['550 U.S. 544, 555–557 & n.3.', '550 U.S. 544, 555–557 & n.3', ['555', '556', '557', '557 n.3']],
    ['550 U.S. 544, 570 n.3', '550 U.S. 544, 570 n.3', ['570', '570 n.3']],
    ['550 U.S. 544, 570 nn.3-4', '550 U.S. 544, 570 nn.3-4', ['570', '570 n.3', '570 n.4']],
    ['550 U.S. 544, 570-69', '550 U.S. 544, 570-69', ['570']],
    ['29 U.S.C. § 201(2018)', '29 U.S.C. § 201(2018)', []],
    ['550 U.S. 544, 545-600.', '550 U.S. 544, 545-600', ['545', '600']],
    ['550 U.S. 544, at 570 and 571', '550 U.S. 544, at 570 and 571', ['570', '571']],
    ['550 U.S. 544, 12', '550 U.S. 544', []],
    ['550 U.S. 544, 1044', '550 U.S. 544, 1044', ['1044']],
    ['550 U.S. 544, 1045', '550 U.S. 544', []],
    ['550 U.S. 544, 600,000 people', '550 U.S. 544', []],
    ['550 U.S. 544, 600 F.3d 20', '550 U.S. 544', []],
    ['2010 WL 3341062, at *5-6', '2010 WL 3341062, at *5-6', ['*5', '*6']],
    ['2010 WL 3341062, 5', '2010 WL 3341062', []],
    ['25 Cal.4th 826, at pp. 850–851', '25 Cal.4th 826, at pp. 850–851', ['850', '851']],
    ['15 U.S.C. § 78u-4(b)(2)(A)', '15 U.S.C. § 78u-4(b)(2)(A)', ['(b)', '(b)(2)', '(b)(2)(A)']],
    ['42 U.S.C. § 12101 et seq. (2018)', '42 U.S.C. § 12101 et seq. (2018)', []],
    ['Fed. R. Civ. P. 12(b)(6).', 'Fed. R. Civ. P. 12(b)(6)', ['(b)', '(b)(6)']],
    ['ECF No. 45-2 at 3, 5', 'ECF No. 45-2 at 3, 5', ['3', '5']],
    ['ECF No. 45, ¶¶ 12-13', 'ECF No. 45, ¶¶ 12-13', ['¶ 12', '¶ 13']],
    ['ECF No. 45, 46 people', 'ECF No. 45', []],
    ['U.S. Const. art. I, § 8, cl. 3', 'U.S. Const. art. I, § 8, cl. 3', ['§ 8', '§ 8, cl. 3']],
    ['Pub. L. No. 111-203, § 929', 'Pub. L. No. 111-203, § 929', ['§ 929']],
    ['No. 3:24-cv-01234-ABC', 'No. 3:24-cv-01234-ABC', ['office 3']],
  ])('[SR-5] pinpoints of %s', (text, slice, pinpoints) => {
    const [found] = findCitations(text)
    expect(text.slice(found?.start, found?.end)).toBe(slice)
    expect(found?.pinpoints).toEqual(pinpoints)
  })

  it.each([
    ['Khoja v. Orexigen, 899 F.3d 988 (9th Cir. 2018)', 'Khoja v. Orexigen', '9th Cir.', 2018],
    ['Doe v. Roe, 2019 WL 6251189 (N.D. Cal. Nov. 22, 2019)', 'Doe v. Roe', 'N.D. Cal.', 2019],
    ['See also Bell Atl. Corp. v. Twombly, 550 U.S. 544 (2007)', 'Bell Atl. Corp. v. Twombly', null, 2007],
    ['the rule of In re Debs, 64 F. 724', 'In re Debs', null, null],
    ['as held in Lochner v. New York, 198 U.S. 45', 'Lochner v. New York', null, null],
    ['(quoting Doe v. Roe, 198 U.S. 45)', 'Doe v. Roe', null, null],
    [
      'Aguilar v. Atlantic Richfield Co. (2001) 25 Cal.4th 826',
      'Aguilar v. Atlantic Richfield Co.',
      null,
      2001,
    ],
    ['Compare 198 U.S. 45', null, null, null],
    ['it was so, 198 U.S. 45', null, null, null],
    [`x${'A'.repeat(200)}, 198 U.S. 45`, null, null, null],
  ])('[SR-5] name, court and year of %s', (text, name, court, year) => {
    expect(only(text)).toMatchObject({ name, court, year })
  })

  it.each([
    ['See also 198 U.S. 45', 'See also'],
    ['it is so; but see Doe v. Roe, 198 U.S. 45', 'but see'],
    ['Cf. Doe v. Roe, 198 U.S. 45', 'Cf.'],
    ['See, e.g., Doe v. Roe, 198 U.S. 45', 'See, e.g.'],
    ['We oversee 198 U.S. 45', undefined],
  ])('[SR-5] the signal before %s', (text, signal) => {
    const { signal: found } = only(text)
    expect(found === null ? undefined : text.slice(found.start, found.end)).toBe(signal)
  })

  it('[SR-5] which reporters report one decision, with the court and year of all', () => {
    const text = 'Doe v. Roe, 347 U.S. 483, 490, 74 S. Ct. 686, 98 L. Ed. 873 (1954), 5 F.3d 7 (2d Cir. 1999)'
    expect(
      findCitations(text).map(({ normal, parallelOf, year, court, name }) => [
        normal,
        parallelOf,
        year,
        court,
        name,
      ]),
    ).toEqual([
      ['347 U.S. 483', null, 1954, null, 'Doe v. Roe'],
      ['74 S. Ct. 686', 0, 1954, null, 'Doe v. Roe'],
      ['98 L. Ed. 873', 0, 1954, null, 'Doe v. Roe'],
      ['5 F.3d 7', null, 1999, '2d Cir.', null],
    ])
  })
})

const TWOMBLY = 'Bell Atl. Corp. v. Twombly, 550 U.S. 544 (2007)'
const TWOMBLY_CITED = ['550 U.S. 544 (2007)', '550 U.S. 544', 'full', null]

describe('references', () => {
  it.each<[string, unknown[][]]>([
    [`${TWOMBLY}. Id. at 570.`, [TWOMBLY_CITED, ['Id. at 570', '550 U.S. 544', 'id', 0]]],
    [
      `${TWOMBLY}. Id. Then id. at 5.`,
      [TWOMBLY_CITED, ['Id.', '550 U.S. 544', 'id', 0], ['id. at 5', '550 U.S. 544', 'id', 0]],
    ],
    [`${TWOMBLY}. See id.`, [TWOMBLY_CITED, ['id.', '550 U.S. 544', 'id', 0]]],
    [`${TWOMBLY}. Ibid.`, [TWOMBLY_CITED, ['Ibid.', '550 U.S. 544', 'id', 0]]],
    [`${TWOMBLY}. Id., at 570`, [TWOMBLY_CITED, ['Id., at 570', '550 U.S. 544', 'id', 0]]],
    [`${TWOMBLY}. He showed his id. She left.`, [TWOMBLY_CITED]],
    [`${TWOMBLY}. Tax Id. No. 12-3456789`, [TWOMBLY_CITED]],
    [`${TWOMBLY}. I.D. at 5`, [TWOMBLY_CITED]],
    ['Id. at 570', [['Id. at 570', 'Id.', 'id', null]]],
    [
      `${TWOMBLY}. Twombly, 550 U.S. at 570`,
      [TWOMBLY_CITED, ['550 U.S. at 570', '550 U.S. 544', 'short', 0]],
    ],
    [`${TWOMBLY}. 550 U.S., at 570`, [TWOMBLY_CITED, ['550 U.S., at 570', '550 U.S. 544', 'short', 0]]],
    [
      `${TWOMBLY}. Scott, 550 U.S. at 600`,
      [TWOMBLY_CITED, ['550 U.S. at 600', '550 U.S. at 600', 'short', null]],
    ],
    [`${TWOMBLY}. 550 U.S. at 380`, [TWOMBLY_CITED, ['550 U.S. at 380', '550 U.S. at 380', 'short', null]]],
    [`${TWOMBLY}. 551 U.S. at 570`, [TWOMBLY_CITED, ['551 U.S. at 570', '551 U.S. at 570', 'short', null]]],
    [
      '550 U.S. 372; 550 U.S. 544; 550 U.S. at 380; 550 U.S. at 560',
      [
        ['550 U.S. 372', '550 U.S. 372', 'full', null],
        ['550 U.S. 544', '550 U.S. 544', 'full', null],
        ['550 U.S. at 380', '550 U.S. 372', 'short', 0],
        ['550 U.S. at 560', '550 U.S. 544', 'short', 1],
      ],
    ],
    [
      '550 U.S. at 570. Id. at 571',
      [
        ['550 U.S. at 570', '550 U.S. at 570', 'short', null],
        ['Id. at 571', 'Id.', 'id', null],
      ],
    ],
    [`${TWOMBLY}. Twombly, supra, at 570`, [TWOMBLY_CITED, ['supra, at 570', '550 U.S. 544', 'supra', 0]]],
    [`${TWOMBLY}. Iqbal, supra, at 570`, [TWOMBLY_CITED, ['supra, at 570', 'supra', 'supra', null]]],
    [
      `${TWOMBLY}. Twombly, supra, 550 U.S. at p. 570`,
      [TWOMBLY_CITED, ['supra, 550 U.S. at p. 570', '550 U.S. 544', 'short', 0]],
    ],
    [`${TWOMBLY}. Smith v. Twombly, supra, at 5`, [TWOMBLY_CITED, ['supra, at 5', 'supra', 'supra', null]]],
    [`${TWOMBLY}. See infra Part II.B`, [TWOMBLY_CITED, ['infra Part II.B', 'infra', 'supra', null]]],
    [`${TWOMBLY}. Twombly, infra, at 3`, [TWOMBLY_CITED, ['infra, at 3', 'infra', 'supra', null]]],
    ['supra note 5, at 12', [['supra note 5, at 12', 'supra', 'supra', null]]],
    [
      '347 U.S. 483, 74 S. Ct. 686 (1954). Id. at 490',
      [
        ['347 U.S. 483', '347 U.S. 483', 'full', null],
        ['74 S. Ct. 686 (1954)', '74 S. Ct. 686', 'full', null],
        ['Id. at 490', '347 U.S. 483', 'id', 0],
      ],
    ],
    [
      '15 U.S.C. § 78u-4(b). Id. § 78u-5(c). Id. And § 78u-4(b)(2) but section 12',
      [
        ['15 U.S.C. § 78u-4(b)', '15 U.S.C. § 78u-4', 'full', null],
        ['Id. § 78u-5(c)', '15 U.S.C. § 78u-5', 'id', 0],
        ['Id.', '15 U.S.C. § 78u-5', 'id', 0],
        ['§ 78u-4(b)(2)', '15 U.S.C. § 78u-4', 'short', 0],
      ],
    ],
    [`${TWOMBLY}. Id. § 5`, [TWOMBLY_CITED, ['Id. § 5', 'Id.', 'id', null]]],
    [
      'Fed. R. Crim. P. 12(b). Rule 12(b)(6)',
      [
        ['Fed. R. Crim. P. 12(b)', 'Fed. R. Crim. P. 12', 'full', null],
        ['Rule 12(b)(6)', 'Fed. R. Crim. P. 12', 'short', 0],
      ],
    ],
    [
      'Section 10(b) of the Exchange Act. Section 10(b)',
      [
        ['Section 10(b) of the Exchange Act', 'Exchange Act § 10', 'full', null],
        ['Section 10(b)', 'Exchange Act § 10', 'short', 0],
      ],
    ],
    [
      'ECF No. 45 at 3. Id. at 5',
      [
        ['ECF No. 45 at 3', 'ECF No. 45', 'full', null],
        ['Id. at 5', 'ECF No. 45', 'id', 0],
      ],
    ],
  ])('[SR-5] stand for what was cited: %s', (text, expected) => {
    expect(told(text)).toEqual(expected)
  })

  it('[SR-5] of a page stand for the decision that begins nearest before it, whatever was cited last', () => {
    expect(told('550 U.S. 544; 550 U.S. 372; 550 U.S. at 560').at(-1)).toEqual([
      '550 U.S. at 560',
      '550 U.S. 544',
      'short',
      0,
    ])
  })

  it('[SR-5] of one kind never meet another: a rule is no section', () => {
    expect(normals('29 C.F.R. § 45; Fed. R. Civ. P. 8; § 8; Rule 45')).toEqual([
      '29 C.F.R. § 45',
      'Fed. R. Civ. P. 8',
    ])
  })
})

describe('what is no citation', () => {
  it.each([
    'at 10 U.S. companies in 2019',
    'On May 5, 2019, at 10 a.m.',
    'Call 415-550-1234 or (212) 555-0100.',
    'The meeting is on 12/25/2020 at 5.',
    'Section 3. Definitions',
    'SECTION 12 GENERAL PROVISIONS',
    '§ 4 Payment',
    '1. a. 2. b. 3.',
    'We walked from 123 N.E. 45th Street to 1200 NW 23rd.',
    '120 NE 45 and 10 SW 20',
    'He has 10 A 20 B 30 F 40 P 50 So 60',
    'they gave 10 us 20 and 5 ill 30',
    '$10 U.S. 20',
    '1,550 U.S. 544',
    '10 U.S. 20%',
    '10 U.S. 20.5',
    '1550 U.S. 544',
    '0 U.S. 544',
    '12 WL 3456',
    'First Amendment to the Lease Agreement',
    'the first amendment that she proposed',
    'Fifth Amendment to Credit Agreement',
    '28th Amendment',
    'There is no 24-1234 here',
    'House No. 12 and apartment No. 7',
    'my doc 12 is late',
    'in case 12 fails',
    'rule 5 of the club',
    'Rules of the road',
    'See also the annex.',
    'Title 15 is long.',
    'the Sherman Act and the Exchange Act',
    'Federal Rules of Civil Procedure',
    'IC 555 timer',
    'ERISA 502 plans',
    '15 U.S.C. and its history',
    'title 15, United States Code, 78 times',
    '401 F.\n\n2d 833',
    'No. 1 in the charts',
    'Version 3.10.2, 5 F. below zero',
    '',
  ])('[SR-5] %s', text => {
    expect(findCitations(text)).toEqual([])
  })
})

const anyCitation = fc.constantFrom(...REAL_CITATIONS)
const prose = fc
  .array(
    fc.constantFrom('the', 'court', 'held', 'that', 'it', 'was', 'open', 'so', 'they', 'left', '😀', 'né'),
    { maxLength: 8 },
  )
  .map(words => words.join(' '))
/** Fragments of citations in random order. */
const debris = fc
  .array(
    fc.constantFrom(
      ...[
        '550',
        ' ',
        ' ',
        'U.S.',
        'F.',
        'Supp.',
        '2d',
        '3d',
        '544',
        ',',
        ' at ',
        '570',
        '§',
        '§§',
        '(b)',
        '(2)',
        'Id.',
      ],
      ...[
        'supra',
        'Rule',
        'No.',
        '24-cv-1',
        '\n',
        '-',
        '–',
        'n.3',
        '(2007)',
        'v.',
        'Twombly',
        'WL',
        '2019',
        '¶',
        '*5',
        '&',
        'and',
      ],
      ...['Cal.', 'Civ.', 'Code', 'of the', 'Exchange Act', 'PSLRA', 'section', '😀', 'İ', '\u00a0'],
    ),
    { maxLength: 40 },
  )
  .map(parts => parts.join(''))

describe('finding', () => {
  it('[SR-5] is not changed by the text around', () => {
    fc.assert(
      fc.property(anyCitation, prose, prose, ([text, expected], before, after) => {
        const alone = findCitations(text)
        const around = findCitations(`${before}.\n\n${text}.\n\n${after}`)
        const offset = before.length + 3
        expect(around.map(({ normal }) => normal)).toEqual(expected)
        expect(around.map(({ start }) => start - offset)).toEqual(alone.map(({ start }) => start))
        expect(around.map(({ end }) => end - offset).slice(0, -1)).toEqual(
          alone.map(({ end }) => end).slice(0, -1),
        )
      }),
      { seed: SEED, numRuns: WORLDS },
    )
  })

  it('[SR-5] gives ranges in order that do not overlap, and references that go back to what is cited', () => {
    fc.assert(
      fc.property(debris, text => {
        const found = findCitations(text)
        let last = 0
        for (const [place, { start, end, refersTo, parallelOf, normal, form }] of found.entries()) {
          expect(start).toBeGreaterThanOrEqual(last)
          expect(end).toBeGreaterThan(start)
          expect(end).toBeLessThanOrEqual(text.length)
          expect(text.slice(start, end)).toBe(text.slice(start, end).trim())
          last = end
          if (refersTo !== null) expect(refersTo).toBeLessThan(place)
          if (refersTo !== null && form !== 'id') expect(normal).toBe(found[refersTo]?.normal)
          if (parallelOf !== null) expect(found[parallelOf]?.parallelOf).toBeNull()
        }
      }),
      { seed: SEED, numRuns: WORLDS * 3 },
    )
  })

  it('[SR-5] has a normal form that is its own normal form', () => {
    fc.assert(
      fc.property(debris, text => {
        for (const { normal, form, kind } of findCitations(text))
          if (form === 'full' && kind !== 'reference') expect(normals(normal)).toEqual([normal])
      }),
      { seed: SEED, numRuns: WORLDS * 3 },
    )
  })
})

/** Counts how often a regular expression is tried. The last test makes sure that each try is bounded. */
function tries(text: string): number {
  const { exec } = RegExp.prototype
  let count = 0
  RegExp.prototype.exec = function (this: RegExp, ...tried) {
    count++
    return exec.apply(this, tried)
  }
  try {
    findCitations(text)
    return count
  } finally {
    RegExp.prototype.exec = exec
  }
}

const HOSTILE = [
  '550 U.S. 544, 545, ',
  '550 U.S. 544; 550 U.S. at 545; ',
  '15 U.S.C. §§ 1, 2, ',
  '§§ 1, 2 and ',
  'Twombly, supra, ',
  'Id. Id. at 5, ',
  'A v. B, 1 F. 2; A, supra; ',
  '((((((((((',
  '1 1 1 1 1 ',
  'F. F. F. F. ',
  'Cal. Civ. Cal. Civ. ',
  '12-12-12-',
  '5 (1 Cranch (1 Cranch ',
  'a',
  '9',
  ' ',
  '\n',
  '§',
]

describe('hostile text', () => {
  it.each(HOSTILE)('[SR-5] a great deal of %j ends', bit => {
    findCitations(bit.repeat(Math.ceil(times(100_000, 1_000_000) / bit.length)))
  }, 20_000)

  it.each(HOSTILE)('[SR-5] twice as much of %j is twice the work', bit => {
    const text = bit.repeat(Math.ceil(4_000 / bit.length))
    expect(tries(text + text)).toBeLessThan(2.2 * tries(text) + 100)
  })

  it('[SR-5] meets no pattern that repeats without bound', () => {
    const folder = new URL('.', import.meta.url)
    const sources = readdirSync(folder).filter(
      file => /^(?:reading|read-.*)\.ts$/.test(file) && !file.includes('.test.'),
    )
    expect(sources.length).toBeGreaterThanOrEqual(3)
    for (const file of sources) {
      const text = readFileSync(new URL(file, folder), 'utf8')
      const patterns = [...text.matchAll(/\bstickyPattern\(([\s\S]*?)\n?\)\n/g)].map(
        ([, pattern = '']) => pattern,
      )
      expect(patterns.length).toBeGreaterThan(3)
      for (const pattern of patterns) {
        const quoted = [...pattern.matchAll(/[`']([^`'\n]*)[`']/g)].map(([, inside = '']) => inside).join('')
        expect(quoted.replace(/\[[^\]]*\]/g, '[]').replace(/\\\\./g, 'x')).not.toMatch(/[*+]|\{\d+,\}/)
      }
    }
  })
})
