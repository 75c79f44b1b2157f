import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Caption } from './caption.js'
import { cardText, cardTitle } from './card.js'
import { requireLegalDate } from './legal-date.js'

const caption = {
  documentType: 'motion',
  caseNumber: '3:24-cv-01234-ABC',
  court: 'United States District Court for the Northern District of California',
  courtShortName: 'N.D. Cal.',
  parties: ['JANE DOE', 'ACME, INC.'],
  filingDate: requireLegalDate('2024-03-01', 'America/Los_Angeles'),
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

  it('[SR-14] are titled by the document, else by its file, and say of which case it is', () => {
    const called = (name: string, file: string | null, of: Caption, filing: string | null = null) =>
      cardTitle(name, { filing, file }, of)
    const other = { documentType: 'other' } as const
    expect(called('a/b.pdf', '  A\n title ', other)).toBe('A title')
    expect(called('a/b.pdf', '  A\n title ', caption)).toBe('A title — JANE DOE v. ACME, INC.')
    expect(called('a/b.pdf', 'Word - b', caption, 'MOTION TO DISMISS')).toBe(
      'MOTION TO DISMISS — JANE DOE v. ACME, INC.',
    )
    expect(called('a/b.pdf', null, caption)).toBe('b — JANE DOE v. ACME, INC.')
    expect(called('a/b.pdf', 'UNITED STATES DISTRICT COURT', caption)).toBe('b — JANE DOE v. ACME, INC.')
    expect(called('a/b.pdf', 'Doe v. Acme, No. 24-1234', caption)).toBe('Doe v. Acme, No. 24-1234')
    expect(called('a.eml', 'Lunch', { ...caption, documentType: 'email' })).toBe('Lunch')
    expect(called('a/b.c.pdf', ' … ', other)).toBe('b.c')
    expect(called('a/.pdf', null, other)).toBe('a/.pdf')
    expect(called('...', null, other)).toBe('Untitled document')
  })

  it('[SR-14] leave room for both, however long they are', () => {
    const long = cardTitle(
      'a',
      { filing: 'M'.repeat(300), file: null },
      { ...caption, parties: ['P'.repeat(300), 'Q'] },
    )
    expect(long.length).toBeLessThanOrEqual(200)
    expect(long).toMatch(/^M{100,}… — P{40,}…$/)
  })
})
