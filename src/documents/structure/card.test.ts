import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cardText, cardTitle } from './card.js'
import { legalDate } from './legal-date.js'

const caption = {
  documentType: 'motion',
  caseNumber: '3:24-cv-01234-ABC',
  court: 'United States District Court for the Northern District of California',
  courtShortName: 'N.D. Cal.',
  parties: ['JANE DOE', 'ACME, INC.'],
  filingDate: legalDate('2024-03-01', 'America/Los_Angeles'),
} as const

describe('[SR-14] cards', () => {
  it('[SR-14] say what a document is', () => {
    expect(
      cardText({
        title: 'Motion to Dismiss',
        caption,
        pages: 20,
        mediaType: 'application/pdf',
        documentType: 'motion',
      }),
    ).toBe(
      'Motion to Dismiss · motion · JANE DOE; ACME, INC. · No. 3:24-cv-01234-ABC · United States District Court for the Northern District of California (N.D. Cal.) · filed 2024-03-01 · 20 pages · application/pdf',
    )
    expect(
      cardText({
        title: '',
        caption: { documentType: 'other' },
        pages: 1,
        mediaType: 'text/plain',
        documentType: 'other',
      }),
    ).toBe('Untitled document · 1 page · text/plain')
  })

  it('[SR-14] are never empty and never long', () => {
    const long = fc.string({ unit: 'grapheme', maxLength: 5_000, size: 'max' })
    fc.assert(
      fc.property(long, fc.array(long, { minLength: 1, maxLength: 60 }), long, (title, parties, court) => {
        const text = cardText({
          title,
          caption: { ...caption, parties, court },
          pages: null,
          mediaType: 'text/plain',
          documentType: 'other',
        })
        expect(text.length).toBeGreaterThan(0)
        expect(text.length).toBeLessThanOrEqual(2_000)
        expect(text).not.toMatch(/\p{Surrogate}|\n/u)
      }),
      { numRuns: 60 },
    )
  })

  it('[SR-14] show the number of the case however many parties there are', () => {
    const parties = Array.from({ length: 50 }, () => 'P'.repeat(300))
    const card = { title: 'T', pages: 1, mediaType: 'text/plain', documentType: 'motion' }
    expect(cardText({ ...card, caption: { ...caption, parties } })).toContain('No. 3:24-cv-01234-ABC')
  })

  it('[SR-14] are titled by the document, else by its case, else by its file', () => {
    expect(cardTitle('a/b.pdf', '  A\n title ', caption)).toBe('A title')
    expect(cardTitle('a/b.pdf', null, caption)).toBe('JANE DOE v. ACME, INC.')
    expect(cardTitle('a/b.c.pdf', ' … ', { documentType: 'other' })).toBe('b.c')
    expect(cardTitle('a/.pdf', null, { documentType: 'other' })).toBe('a/.pdf')
    expect(cardTitle('...', null, { documentType: 'other' })).toBe('Untitled document')
  })
})
