import { describe, expect, it } from 'vitest'
import { REAL_CITATIONS } from '../../../test/support/real-citations.js'
import { legalKeys } from './keys.js'
import { legalQuery } from './query.js'

const key = (...parts: string[]) => JSON.stringify(parts)

describe('a question', () => {
  it('[SR-5] [QX-1] is answered by both forms of a term', () => {
    const query = 'Find oppositions to MTDs that argue PSLRA falls short on scienter'
    const { terms, citations } = legalQuery(query)
    expect(citations).toEqual([])
    expect(terms.map(({ start, end }) => query.slice(start, end))).toEqual(['MTD', 'PSLRA'])
    expect(terms[1]).toMatchObject({
      id: 'pslra',
      form: 'short',
      keys: [key('term', 'pslra', 'short'), key('term', 'pslra', 'long')],
      otherForm: {
        form: 'long',
        text: 'Private Securities Litigation Reform Act',
        key: key('term', 'pslra', 'long'),
      },
    })
    expect(legalQuery('when is a motion to dismiss granted').terms[0]?.otherForm).toEqual({
      form: 'short',
      text: 'MTD',
      key: key('term', 'mtd', 'short'),
    })
  })

  it('[SR-5] is answered by the citation however it is written, and better by its page', () => {
    const [asked] = legalQuery('who cites 550 us 544, 570?').citations
    expect(asked).toMatchObject({
      normal: '550 U.S. 544',
      pinpoints: ['570'],
      keys: [key('cite', '550 U.S. 544'), key('cite-at', '550 U.S.', '570')],
      // A text may name the page only in a short form.
      preferred: [key('cite', '550 U.S. 544', '570'), key('cite-at', '550 U.S.', '570')],
      walk: null,
    })
    const [statute] = legalQuery('15 usc 78u-4(b)(2)').citations
    expect(statute).toMatchObject({
      keys: [key('cite', '15 U.S.C. § 78u-4')],
      preferred: [key('cite', '15 U.S.C. § 78u-4', '(b)'), key('cite', '15 U.S.C. § 78u-4', '(b)(2)')],
    })
  })

  it('[SR-5] of a short form is answered by that page and by decisions of the volume that may contain it', () => {
    const [asked] = legalQuery('Twombly, 550 U.S. at 570').citations
    expect(asked?.keys).toEqual([key('cite-at', '550 U.S.', '570')])
    const { prefix, accepts } = asked?.walk ?? { prefix: '', accepts: () => false }
    expect(prefix).toBe('["cite","550 U.S. ')
    const accepted = (...parts: string[]) => key(...parts).startsWith(prefix) && accepts(key(...parts))
    expect(accepted('cite', '550 U.S. 544')).toBe(true)
    expect(accepted('cite', '550 U.S. 570')).toBe(true)
    expect(accepted('cite', '550 U.S. 571')).toBe(false)
    expect(accepted('cite', '550 U.S. 70')).toBe(true)
    expect(accepted('cite', '550 U.S. 69')).toBe(false)
    expect(accepted('cite', '550 U.S. 544', '560')).toBe(false)
    expect(accepted('cite', '55 U.S. 544')).toBe(false)
    expect(accepts(key('cite', '551 U.S. 544'))).toBe(false)
    expect(accepts(key('cite-at', '550 U.S.', '544'))).toBe(false)
    expect(accepts('550')).toBe(false)
  })

  it('[SR-5] is answered by every text with what it cites', () => {
    for (const [text] of REAL_CITATIONS) {
      const indexed = new Set(legalKeys(`It was said: ${text}. So it was.`))
      for (const { keys, preferred } of legalQuery(text).citations) {
        expect(keys.some(one => indexed.has(one))).toBe(true)
        if (preferred.length > 0) expect(preferred.some(one => indexed.has(one))).toBe(true)
      }
    }
  })

  it('[SR-5] has ranges of the words that are citations, their signals and references included', () => {
    const query = 'scienter, see also 551 U.S. 308, 322 (2007), id. at 5, and supra note 3 on pleading'
    const { ranges, citations } = legalQuery(query)
    expect(ranges.map(({ start, end }) => query.slice(start, end))).toEqual([
      'see also',
      '551 U.S. 308, 322 (2007)',
      'id. at 5',
      'supra note 3',
    ])
    expect(citations.map(({ normal }) => normal)).toEqual(['551 U.S. 308', '551 U.S. 308'])
  })

  it('[SR-5] that cites nothing has nothing', () => {
    expect(legalQuery('what did they say about rent?')).toEqual({ citations: [], terms: [], ranges: [] })
  })
})
