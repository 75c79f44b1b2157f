import { describe, expect, it } from 'vitest'
import { type PagedText, partsOf } from './parts.js'

const laid = (text: string, given: Partial<PagedText> = {}): PagedText => ({
  text,
  pages: [],
  headings: [],
  ...given,
})
const kinds = (text: string, given: Partial<PagedText> = {}) =>
  partsOf(laid(text, given)).map(({ kind }) => kind)
const listed = (text: string, given: Partial<PagedText> = {}) =>
  partsOf(laid(text, given)).map(({ kind, title }) => [kind, title])

/** A document with pages, separated by a line break. */
function paged(...pages: string[]): PagedText {
  const starts = pages.map((_, at) => pages.slice(0, at).join('\n').length + (at === 0 ? 0 : 1))
  return laid(pages.join('\n'), {
    pages: pages.map((page, at) => ({
      number: at + 1,
      start: starts[at] as number,
      end: (starts[at] as number) + page.length,
    })),
  })
}

function headed(text: string, ...titles: string[]): PagedText {
  return laid(text, {
    headings: titles.map(title => ({ start: text.indexOf(title), end: text.indexOf(title) + title.length })),
  })
}

const CAPTION = `UNITED STATES DISTRICT COURT
NORTHERN DISTRICT OF CALIFORNIA

JANE DOE,                      Case No. 3:24-cv-01234-ABC
          Plaintiff,
     v.                        TITLE
ACME, INC.,
          Defendant.
`
const captioned = (title: string) => CAPTION.replace('TITLE', title)
const stamp = (page: number) => `Case 3:24-cv-01234-ABC   Document 45   Filed 03/01/24   Page ${page} of 9`

describe('[SR-3] the parts of a filing', () => {
  it('[SR-3] a text without signs is one lead argument, and no text has none', () => {
    expect(partsOf(laid('The lease is void.'))).toEqual([
      { kind: 'lead_argument', title: null, start: 0, end: 18 },
    ])
    expect(partsOf(laid(' \n '))).toEqual([{ kind: 'lead_argument', title: null, start: 0, end: 3 }])
    expect(partsOf(laid(''))).toEqual([])
  })

  it('[SR-3] a whole filing: caption, contents, argument, certificate, declaration, exhibits, proposed order', () => {
    const text = `${captioned('MOTION TO DISMISS')}
TABLE OF CONTENTS

I. INTRODUCTION .......... 1
CERTIFICATE OF SERVICE ... 9
Exhibit A ................ 12
TABLE OF AUTHORITIES
Smith v. Jones, 1 U.S. 1 ...... 3

MEMORANDUM OF POINTS AND AUTHORITIES

I. INTRODUCTION

The lease is attached as Exhibit A.

CERTIFICATE OF SERVICE

I served it.

DECLARATION OF JANE DOE IN SUPPORT OF MOTION

I declare.

EXHIBIT A

The lease.

Exhibit B

The letter.

[PROPOSED] ORDER GRANTING MOTION

IT IS SO ORDERED.
`
    expect(listed(text)).toEqual([
      ['front_matter', null],
      ['lead_argument', 'MEMORANDUM OF POINTS AND AUTHORITIES'],
      ['certificate', 'CERTIFICATE OF SERVICE'],
      ['declaration', 'DECLARATION OF JANE DOE IN SUPPORT OF MOTION'],
      ['exhibit', 'EXHIBIT A'],
      ['exhibit', 'Exhibit B'],
      ['proposed_order', '[PROPOSED] ORDER GRANTING MOTION'],
    ])
    const parts = partsOf(laid(text))
    expect(text.slice(parts[3]?.start, parts[3]?.end)).toBe(
      'DECLARATION OF JANE DOE IN SUPPORT OF MOTION\n\nI declare.\n\n',
    )
  })

  it.each([
    'EXHIBIT A',
    'Exhibit 1',
    'Ex. B',
    'EXHIBIT "C"',
    'Exhibit 12-3',
    'EXHIBIT AA',
    'Annex IV',
    'APPENDIX 2',
    'APPENDIX',
    'Attachment 3',
    "Plaintiff's Exhibit 4",
  ])('[SR-3] %s begins an exhibit', heading => {
    expect(listed(`Body.\n\n${heading}\n\nThe lease.`)).toEqual([
      ['lead_argument', null],
      ['exhibit', heading],
    ])
  })

  it.each([
    'The lease (Exhibit A) is void.',
    'Exhibit A is the lease.',
    'It is attached hereto as\nExhibit A\nand incorporated here.',
    'It is attached hereto as\n\nExhibit A\n\nThe lease is void.',
    'See, among others,\nEXHIBIT A\nThe lease is void.',
    'The lease is\nExhibit A\nThe next line.',
    'Exhibit A ..... 12',
    'Exhibit A    12',
    'Enclosed:\n\nExhibit A\nExhibit B\nExhibit C\n\nYours.',
    'Appendix',
    'the certificate of service\n\nwas filed.',
    'The Declaration of Jane Doe\nsays so.',
    'Declaration of Jane Doe',
    'AS WE SAID IN THE\nDECLARATION OF JANE DOE\nTHE LEASE IS VOID.',
    'DECLARATION OF JANE DOE, WHICH SAYS SO.',
    'THE LEASE IS VOID AND EXHIBIT A SAYS SO.\nDECLARATION OF JANE DOE SAYS SO TOO.',
    'The proposed order grants it.',
    'CERTIFICATE OF SERVICE WAS GIVEN.',
    'הנספח Exhibit A מצורף',
  ])('[SR-3] a mention is no heading: %j', text => {
    expect(kinds(`The beginning.\n\n${text}\n\nThe end.`)).toEqual(['lead_argument'])
  })

  it('[SR-3] a body all in capitals and one from right to left have parts by their headings only', () => {
    const capitals = 'THE LEASE IS VOID, AS EXHIBIT A SHOWS.\n'.repeat(20)
    expect(kinds(`${capitals}\nEXHIBIT A\n\n${capitals}`)).toEqual(['lead_argument', 'exhibit'])
    const hebrew = 'בית המשפט קבע כי החוזה בטל.\n'.repeat(20)
    expect(kinds(`${hebrew}\nEXHIBIT A\n\n${hebrew}`)).toEqual(['lead_argument', 'exhibit'])
    expect(kinds(`${'x'.repeat(1_000_000)} EXHIBIT A`)).toEqual(['lead_argument'])
  })

  it('[SR-3] the top of a page, below its stamp, needs no blank line, and the part begins with the stamp', () => {
    const document = paged(`${stamp(1)}\nThe lease is`, `${stamp(2)}\nExhibit A: The lease\nText`)
    const parts = partsOf(document)
    expect(parts.map(({ kind }) => kind)).toEqual(['lead_argument', 'exhibit'])
    expect(parts[1]?.start).toBe(document.pages[1]?.start)
    expect(kinds('The lease is\nExhibit A: The lease\nText')).toEqual(['lead_argument'])
  })

  it('[SR-3] headings of the source count as they are', () => {
    const text = 'The lease is\nAppendix\nmore\nDeclaration of Jane Doe\nmore\nExhibit 1: the lease\nmore'
    expect(kinds(text)).toEqual(['lead_argument'])
    const known = headed(text, 'Appendix', 'Declaration of Jane Doe', 'Exhibit 1: the lease')
    expect(partsOf(known).map(({ kind }) => kind)).toEqual(
      ['lead_argument', 'exhibit', 'declaration', 'exhibit'].filter((_, at) => at !== 2),
    )
  })

  it('[SR-3] what an exhibit calls itself is the exhibit; what comes long after it is not', () => {
    const text = `Body.\n\nEXHIBIT A\n\nDECLARATION OF JANE DOE\n\n${'I declare. '.repeat(50)}\n\nAFFIDAVIT OF JOHN ROE\n\nI swear.`
    expect(listed(text).slice(1)).toEqual([
      ['exhibit', 'EXHIBIT A'],
      ['declaration', 'AFFIDAVIT OF JOHN ROE'],
    ])
    expect(kinds('Body.\n\nEXHIBIT C\n\n[PROPOSED] ORDER\n\nGranted.')).toEqual([
      'lead_argument',
      'exhibit',
      'proposed_order',
    ])
  })

  it('[SR-3] a header repeated on every page opens nothing again', () => {
    const exhibit = paged('Body.', 'EXHIBIT A\nfirst', 'EXHIBIT A\nsecond', 'EXHIBIT B\nthird')
    expect(partsOf(exhibit).map(({ title }) => title)).toEqual([null, 'EXHIBIT A', 'EXHIBIT B'])
    const footer = 'DECLARATION OF JANE DOE'
    const declared = paged('Body.', `${footer} IN SUPPORT OF MOTION\nfirst`, `${footer}\nsecond`)
    expect(partsOf(declared).map(({ kind }) => kind)).toEqual(['lead_argument', 'declaration'])
    const header = "DEFENDANT'S REPLY IN SUPPORT OF MOTION"
    const reply = paged(captioned('REPLY BRIEF'), `${header}\none`, `${header}\ntwo`)
    expect(partsOf(reply).map(({ kind }) => kind)).toEqual(['front_matter', 'lead_argument'])
  })

  it('[SR-3] the first memorandum is the lead argument, a second one and a reply are arguments', () => {
    const text = `${captioned('NOTICE OF MOTION AND MOTION')}
Please take notice.

MEMORANDUM OF LAW

The lease is void.

SUPPLEMENTAL MEMORANDUM OF LAW

It is still void.

REPLY IN SUPPORT OF MOTION

It is.`
    expect(kinds(text)).toEqual(['front_matter', 'lead_argument', 'argument', 'argument'])
    expect(kinds(text.replace('NOTICE OF MOTION AND MOTION', 'MEMORANDUM OF LAW')).slice(1)).toEqual([
      'lead_argument',
      'argument',
      'argument',
      'argument',
    ])
  })

  it('[SR-3] a caption says what the document is, beside the parties or below them', () => {
    const body = '\nThe text of it.'
    expect(kinds(captioned('[PROPOSED] ORDER') + body)).toEqual(['front_matter', 'proposed_order'])
    expect(kinds(captioned('DECLARATION OF JANE DOE') + body)).toEqual(['front_matter', 'declaration'])
    expect(kinds(captioned('ORDER GRANTING MOTION') + body)).toEqual(['front_matter', 'lead_argument'])
    expect(kinds(`${captioned('')}\nDECLARATION OF JANE DOE\n${body}`)).toEqual([
      'front_matter',
      'declaration',
    ])
    expect(kinds(captioned('MOTION TO DISMISS'))).toEqual(['lead_argument'])
  })

  it('[SR-3] a caption ends with a whole line, even where its page or the column ends inside that line', () => {
    const head = 'UNITED STATES DISTRICT COURT\nDISTRICT OF MAINE\nNo. 24-1234\nREPLY BRIEF '
    const text = `${head}${'👍🏽'.repeat(90)}\nThe lease was signed.`
    for (const end of [head.length + 1, head.length + 2, head.length + 3]) {
      const pages = [
        { number: 1, start: 0, end },
        { number: 2, start: end, end: text.length },
      ]
      expect(partsOf(laid(text, { pages })).map(part => text.slice(part.start, part.end))).toEqual([
        text.slice(0, -'The lease was signed.'.length),
        'The lease was signed.',
      ])
    }
  })

  it('[SR-3] a page with a caption of its own begins the part that its title names', () => {
    const document = paged(
      `${captioned('MOTION TO DISMISS')}\nThe lease is void.`,
      'It really is.',
      `${stamp(3)}\n${captioned('[PROPOSED] ORDER')}\nGranted.`,
      `${stamp(4)}\n${captioned('DECLARATION OF JANE DOE')}\nI declare.`,
    )
    const parts = partsOf(document)
    expect(parts.map(({ kind }) => kind)).toEqual([
      'front_matter',
      'lead_argument',
      'proposed_order',
      'declaration',
    ])
    expect(parts[2]?.start).toBe(document.pages[2]?.start)
  })

  it('[SR-3] a brief that is an exhibit stays one', () => {
    const document = paged(
      'Body.',
      'EXHIBIT A',
      `${captioned('MOTION TO DISMISS')}\n${'Old text. '.repeat(60)}`,
      `${captioned('REPLY BRIEF')}\nOld.`,
    )
    expect(partsOf(document).map(({ kind }) => kind)).toEqual(['lead_argument', 'exhibit'])
  })

  it('[SR-3] contents without page numbers end with their page or at a heading; a list of exhibits is none', () => {
    const document = paged('TABLE OF CONTENTS\nIntroduction\nArgument', 'The lease is void.')
    expect(partsOf(document).map(({ kind }) => kind)).toEqual(['front_matter', 'lead_argument'])
    const court = paged(
      'TABLE OF CONTENTS\nIntroduction',
      `${stamp(2)}\nThe court erred.`,
      'The court, again.',
    )
    expect(partsOf(court).map(({ kind }) => kind)).toEqual(['front_matter', 'lead_argument'])
    const own = paged(
      'TABLE OF CONTENTS\nIntroduction',
      `${stamp(2)}\n${captioned('[PROPOSED] ORDER')}\nGranted.`,
    )
    expect(partsOf(own).map(({ kind }) => kind)).toEqual(['front_matter', 'proposed_order'])
    const html = headed('Contents\nIntroduction\nThe start\nThe lease is void.', 'The start')
    expect(partsOf(html).map(({ kind }) => kind)).toEqual(['front_matter', 'lead_argument'])
    const index = paged(
      'Body.',
      'INDEX OF EXHIBITS\n\nExhibit A\n\nThe lease\n\nExhibit B\n\nThe letter',
      'EXHIBIT A\nlease',
      'EXHIBIT B\nletter',
    )
    expect(partsOf(index).map(({ kind }) => kind)).toEqual([
      'lead_argument',
      'front_matter',
      'exhibit',
      'exhibit',
    ])
  })

  it('[SR-3] after a certificate at the front, the argument begins with its first section', () => {
    const text = 'CERTIFICATE OF INTERESTED PARTIES\n\nNone.\n\nINTRODUCTION\n\nThe lease is void.'
    expect(kinds(text)).toEqual(['certificate', 'lead_argument'])
  })
})
