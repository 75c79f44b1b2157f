import { describe, expect, it } from 'vitest'
import { legal } from '../../legal/index.js'
import type { LaidText } from '../../runtime/domain.js'
import { typeOfTitle } from './document-type.js'
import { isTimeZone } from './legal-date.js'
import { structureOf } from './structure.js'

const captionOf = (text: string, given: Partial<LaidText> = {}) =>
  structureOf(
    { text, title: null, pages: [], headings: [], about: {}, ...given },
    { timeZone: 'Europe/Berlin', domain: legal() },
  ).caption

const MOTION = `Case 3:24-cv-01234-ABC   Document 45   Filed 03/01/24   Page 1 of 9

Jane Lawyer (SBN 123456)
LAWYER & LAWYER LLP
Attorneys for Defendant

UNITED STATES DISTRICT COURT
NORTHERN DISTRICT OF CALIFORNIA
SAN FRANCISCO DIVISION

JANE DOE, individually and on behalf      Case No. 3:24-cv-01234-ABC
of all others similarly situated,
          Plaintiff,                      NOTICE OF MOTION AND MOTION TO
     v.                                   DISMISS; MEMORANDUM OF POINTS
ACME, INC., a Delaware corporation;       AND AUTHORITIES
and JOHN ROE,
          Defendants.                     Date: April 1, 2024

On May 5, 2023 the plaintiff filed a complaint. Filed on June 6, 2023, the answer denied it.
`
const ORDER = `UNITED STATES DISTRICT COURT
SOUTHERN DISTRICT OF NEW YORK
-------------------------------x
ACME CORP.,
                Plaintiff,
     -against-                        24 Civ. 1234 (ABC)
ROE LLC,                              OPINION AND ORDER
                Defendant.
-------------------------------x
The motion of January 5, 2024 is granted. Dated: this is not.

SO ORDERED.
Dated: New York, New York
       March 11, 2024
`
const district = (state: string, side = '', after = '') =>
  captionOf(
    `UNITED STATES DISTRICT COURT\nFOR THE ${side}DISTRICT OF ${state}\n${after}\nNo. 24-1234\nFiled 07/01/24\n\nText.`,
  )

describe('[SR-14] captions', () => {
  it('[SR-14] of a motion in two columns', () => {
    expect(captionOf(MOTION)).toEqual({
      documentType: 'motion',
      caseNumber: '3:24-cv-01234-ABC',
      court: 'United States District Court for the Northern District of California',
      courtShortName: 'N.D. Cal.',
      parties: ['JANE DOE', 'ACME, INC.', 'JOHN ROE'],
      filingDate: { date: '2024-03-01', timeZone: 'America/Los_Angeles', at: '2024-03-01T08:00:00.000Z' },
    })
  })

  it('[SR-14] of an order, with the day it was ruled', () => {
    expect(captionOf(ORDER)).toEqual({
      documentType: 'order',
      caseNumber: '24 Civ. 1234 (ABC)',
      court: 'United States District Court for the Southern District of New York',
      courtShortName: 'S.D.N.Y.',
      parties: ['ACME CORP.', 'ROE LLC'],
      rulingDate: { date: '2024-03-11', timeZone: 'America/New_York', at: '2024-03-11T04:00:00.000Z' },
    })
  })

  it('[SR-14] of a text without one: nothing but that it is some document', () => {
    expect(captionOf('On March 1, 2024 we met, see Smith v. Jones, 1 U.S. 1 (N.D. Cal. 2020).')).toEqual({
      documentType: 'other',
    })
    expect(captionOf('')).toEqual({ documentType: 'other' })
    expect(captionOf('The argument.\n\nV.\n\nThe lease is void.')).toEqual({ documentType: 'other' })
  })

  it('[SR-14] of pleading paper with numbered lines', () => {
    const numbered = MOTION.split('\n')
      .slice(2)
      .filter(line => line.trim() !== '')
      .map((line, at) => `${at + 1} ${line}`)
      .join('\n')
    expect(captionOf(numbered)).toMatchObject({
      documentType: 'motion',
      caseNumber: '3:24-cv-01234-ABC',
      courtShortName: 'N.D. Cal.',
      parties: ['JANE DOE', 'ACME, INC.', 'JOHN ROE'],
    })
  })

  it('[SR-14] of a letter and of a message', () => {
    const letter =
      'March 1, 2024\n\nRe: Doe v. Acme Corp., No. 24-cv-1234 (ABC)\n\nDear Judge Roe:\n\nWe write.'
    expect(captionOf(letter)).toEqual({ documentType: 'letter', parties: ['Doe', 'Acme Corp.'] })
    const about = { from: 'a@example.org', date: 'Fri, 01 Mar 2024 23:30:00 -0800' }
    expect(captionOf('Filed: May 5, 2020', { about, title: 'Motion' })).toEqual({
      documentType: 'email',
      sentDate: { date: '2024-03-01', timeZone: '-08:00', at: '2024-03-01T08:00:00.000Z' },
    })
  })

  it.each([
    ['Case No. 3:24-cv-01234-ABC', '3:24-cv-01234-ABC'],
    ['CASE NO.: 1:24-CV-01234-ABC-DEF', '1:24-cv-01234-ABC-DEF'],
    ['Civil Action No. 24 – cv – 1234', '24-cv-1234'],
    ['No. 23-1234', '23-1234'],
    ['Index No. 650123/2024', '650123/2024'],
    ['Case No. 24STCV01234', '24STCV01234'],
    ['Cause No. D-1-GN-24-001234', 'D-1-GN-24-001234'],
    ['2:24-cr-00012-JD', '2:24-cr-00012-JD'],
  ])('[SR-14] the number of %s is %s', (written, caseNumber) => {
    expect(captionOf(`${written}\n\nText.`).caseNumber).toBe(caseNumber)
  })

  it('[SR-14] a number in a sentence is not that of the case; one on a stamp is', () => {
    expect(
      captionOf('We refer to 3:24-cv-01234-ABC here.\nNo one came.\nNotice is given.').caseNumber,
    ).toBeUndefined()
    expect(captionOf('Case 24-10123   Doc 45   Filed 03/01/24   Page 1 of 20\n\nText.').caseNumber).toBe(
      '24-10123',
    )
  })

  it.each([
    [
      'UNITED STATES COURT OF APPEALS\nFOR THE NINTH CIRCUIT',
      'United States Court of Appeals for the Ninth Circuit',
      '9th Cir.',
    ],
    [
      'IN THE UNITED STATES BANKRUPTCY COURT\nFOR THE DISTRICT OF DELAWARE',
      'United States Bankruptcy Court for the District of Delaware',
      'Bankr. D. Del.',
    ],
    [
      'UNITED STATES DISTRICT COURT FOR THE DISTRICT OF COLUMBIA',
      'United States District Court for the District of Columbia',
      'D.D.C.',
    ],
    [
      'UNITED STATES DISTRICT COURT\nSOUTHERN DISTRICT OF WEST VIRGINIA',
      'United States District Court for the Southern District of West Virginia',
      'S.D. W. Va.',
    ],
    ['Supreme Court of the United States', 'Supreme Court of the United States', 'U.S.'],
    [
      'SUPERIOR COURT OF THE STATE OF CALIFORNIA\nCOUNTY OF LOS ANGELES',
      'Superior Court of the State of California, County of Los Angeles',
      undefined,
    ],
    ['IN THE CIRCUIT COURT OF COOK COUNTY, ILLINOIS', 'Circuit Court of Cook County, Illinois', undefined],
    ['N.D. Cal.', 'United States District Court for the Northern District of California', 'N.D. Cal.'],
  ])('[SR-14] the court of %j is the %s', (written, court, short) => {
    const caption = captionOf(`${written}\n\nNo. 23-1234\n\nText.`)
    expect([caption.court, caption.courtShortName]).toEqual([court, short])
  })

  it('[SR-14] a court in a sentence is not the court', () => {
    expect(captionOf('The superior court of California held so.').court).toBeUndefined()
    expect(
      captionOf('United States District Court for the District of Maine judges agree.').court,
    ).toBeUndefined()
  })

  it.each([
    [
      'JANE DOE and JOHN ROE,\nPlaintiffs,\nv.\nACME, INC., BETA LLC, and GAMMA CO.,\nDefendants.',
      ['JANE DOE', 'JOHN ROE', 'ACME, INC.', 'BETA LLC', 'GAMMA CO.'],
    ],
    [
      'SMITH AND SONS, LTD.,\nPlaintiff-Appellant,\nvs.\nUNITED STATES OF AMERICA, et al.,\nDefendants-Appellees.',
      ['SMITH AND SONS, LTD.', 'UNITED STATES OF AMERICA'],
    ],
    ['Jane Doe, Plaintiff, v. Acme Corp., Defendant.', ['Jane Doe', 'Acme Corp.']],
  ])('[SR-14] parties in their order: %j', (written, parties) => {
    expect(
      captionOf(`UNITED STATES DISTRICT COURT\nDISTRICT OF MAINE\n\n${written}\n\nThe text is here.`).parties,
    ).toEqual(parties)
  })

  it.each([
    ['ORDER GRANTING MOTION TO DISMISS', 'order'],
    ['MOTION FOR A PROTECTIVE ORDER', 'motion'],
    ['MEMORANDUM OPINION', 'order'],
    ['MEMORANDUM OF LAW IN OPPOSITION TO MOTION', 'opposition'],
    ['REPLY IN SUPPORT OF MOTION', 'reply'],
    ['FIRST AMENDED COMPLAINT', 'complaint'],
    ['ANSWER TO COMPLAINT', 'other'],
    ['OPENING BRIEF', 'brief'],
    ['[PROPOSED] ORDER', 'other'],
    ['NOTICE OF ENTRY OF ORDER', 'other'],
    ['MOTION PICTURE RIGHTS', null],
  ])('[SR-14] %s is of type %s', (title, type) => {
    expect(typeOfTitle(title)).toBe(type)
  })
})

describe('[SR-4] dates of a document', () => {
  const on = (text: string) => {
    const { filingDate, docketEntryDate, effectiveDate, rulingDate } = captionOf(text)
    return [filingDate?.date, docketEntryDate?.date, effectiveDate?.date, rulingDate?.date]
  }
  const none = undefined

  it.each([
    ['Filed 03/01/24\nText.', ['2024-03-01', none, none, none]],
    ['Filed: March 1, 2024\nText.', ['2024-03-01', none, none, none]],
    ['E-FILED 3/1/2024 at 10:11\nText.', ['2024-03-01', none, none, none]],
    ['FILED\nMAR 01 2024\nCLERK', ['2024-03-01', none, none, none]],
    [
      'Case 24-1 Doc 45 Filed 03/01/24 Entered 03/02/24 10:11:12 Page 1 of 20',
      ['2024-03-01', '2024-03-02', none, none],
    ],
    ['Case: 23-1234, 03/01/2024, ID: 12345, DktEntry: 10-1, Page 1 of 20', ['2024-03-01', none, none, none]],
    ['Entered on docket: March 2, 2024', [none, '2024-03-02', none, none]],
    ['Effective Date: March 3, 2024', [none, none, '2024-03-03', none]],
    ['This Agreement is effective as of March 3, 2024.', [none, none, '2024-03-03', none]],
    ['Made as of March 3, 2024 (the “Effective Date”) by us.', [none, none, '2024-03-03', none]],
  ])('[SR-4] %j', (text, dates) => expect(on(text)).toEqual(dates))

  it.each([
    'Filed on March 1, 2024, the complaint says so.',
    'The complaint was filed\nfiled March 1, 2024\nhere.',
    'Filed: 13/13/2024',
    'The rule became effective as of March 3, 2024.',
    'Dated: March 4, 2024',
    'IT IS SO ORDERED.\nDated: March 4, 2024',
    'MOTION\n\nDated: March 4, 2024',
  ])('[SR-4] takes no unrelated date: %j', text => expect(on(text)).toEqual([none, none, none, none]))

  it('[SR-4] a ruling is dated where an order is signed, and a proposed one is not', () => {
    const order = (title: string, end: string) =>
      on(
        MOTION.replace(/NOTICE[^\n]*/, title)
          .replace('DISMISS; MEMORANDUM OF POINTS', '')
          .replace('AND AUTHORITIES', '') + end,
      )[3]
    expect(order('ORDER', 'IT IS SO ORDERED.\n\nDated: March 4, 2024\n')).toBe('2024-03-04')
    expect(order('ORDER', 'DATED this 4th day of March, 2024.\n')).toBe('2024-03-04')
    expect(
      order(
        'ORDER',
        `${'Dated: March 3, 2024 is a quote.\n'.padEnd(3_000, 'x ')}SO ORDERED this 4th day of March, 2024.`,
      ),
    ).toBe('2024-03-04')
    expect(order('ORDER', 'IT IS SO ORDERED.\n\nDated: ________, 2024\n')).toBeUndefined()
    expect(order('[PROPOSED] ORDER', 'IT IS SO ORDERED.\n\nDated: March 4, 2024\n')).toBeUndefined()
    expect(order('ORDER', 'Granted.\n\nEXHIBIT A\n\nSO ORDERED.\nDated: March 4, 2024\n')).toBeUndefined()
  })

  it.each([
    ['CALIFORNIA', 'CENTRAL ', '', 'America/Los_Angeles'],
    ['ALASKA', '', '', 'America/Anchorage'],
    ['ARIZONA', '', '', 'America/Phoenix'],
    ['HAWAII', '', '', 'Pacific/Honolulu'],
    ['TENNESSEE', 'EASTERN ', '', 'America/New_York'],
    ['TENNESSEE', 'MIDDLE ', '', 'America/Chicago'],
    ['KENTUCKY', 'WESTERN ', '', 'America/Kentucky/Louisville'],
    ['FLORIDA', 'NORTHERN ', '', 'America/New_York'],
    ['FLORIDA', 'NORTHERN ', 'PENSACOLA DIVISION', 'America/Chicago'],
    ['TEXAS', 'WESTERN ', 'EL PASO DIVISION', 'America/Denver'],
    ['THE VIRGIN ISLANDS', '', '', 'America/Puerto_Rico'],
  ])('[SR-4] the District of %s (%s%s) keeps %s', (state, side, division, zone) => {
    expect(district(state, side, division).filingDate?.timeZone).toBe(zone)
    expect(isTimeZone(zone)).toBe(true)
  })

  it('[SR-4] without a court it is the zone that was given', () => {
    expect(captionOf('Filed 03/01/24').filingDate).toEqual({
      date: '2024-03-01',
      timeZone: 'Europe/Berlin',
      at: '2024-02-29T23:00:00.000Z',
    })
  })

  it.each([
    ['Fri, 01 Mar 2024 23:30:00 -0800 (PST)', '2024-03-01', '-08:00'],
    ['Fri, 01 Mar 2024 23:30:00 PST', '2024-03-01', '-08:00'],
    ['Fri, 01 Mar 2024 00:30:00 +1000', '2024-03-01', '+10:00'],
    ['Fri, 01 Mar 2024 23:30:00 +0000', '2024-03-01', 'UTC'],
    ['2024-03-01T23:30:00Z', '2024-03-01', 'UTC'],
    ['Fri, 01 Mar 2024 23:30:00 -0000', '2024-03-02', 'Europe/Berlin'],
    ['Fri, 01 Mar 2024 23:30:00 +0530', '2024-03-01', '+05:30'],
    ['Fri, 01 Mar 2024 23:30:00', '2024-03-01', 'Europe/Berlin'],
    ['2024-03-01', '2024-03-01', 'Europe/Berlin'],
    ['yesterday 1', undefined, undefined],
  ])('[SR-4] a message of %s is of %s', (written, date, zone) => {
    const { sentDate, filingDate } = captionOf('Text.', { about: { messageId: '<1@x>', date: written } })
    expect([sentDate?.date, sentDate?.timeZone, filingDate]).toEqual([date, zone, undefined])
  })

  it('[SR-4] the date of a file is not the date of a filing', () => {
    expect(captionOf('Text.', { about: { date: '2024-03-01', author: 'x' } }).filingDate).toBeUndefined()
  })
})
