import { describe, expect, it } from 'vitest'
import { isOpening, previewOf, shownTitle } from './preview.js'

const chunk = (text: string, start?: number) => ({
  title: 'A heading',
  text,
  fields: {},
  spans: start === undefined ? [] : [{ document: 'd', start, end: start + text.length }],
  tuple: { kind: 'segment' },
})

describe('a preview', () => {
  it('[NI-12, OV-1] of chunks shows together the first 200 characters of their document, and no heading', () => {
    for (const text of ['x'.repeat(1_000), '😀'.repeat(500), `${'a😀'.repeat(60)}${'b'.repeat(700)}`])
      for (const size of [1, 7, 150, 199, 200, 201, 999]) {
        const pieces: string[] = []
        let rest = [...text]
        let start = 0
        while (rest.length > 0) {
          const piece = rest.slice(0, size).join('')
          const shown = previewOf(chunk(piece, start))
          expect(shown.title).toBeNull()
          expect(shown.text === '' || isOpening('segment', chunk(piece, start).spans)).toBe(true)
          pieces.push(shown.text)
          rest = rest.slice(size)
          start += piece.length
        }
        const shown = pieces.join('')
        expect(text.startsWith(shown)).toBe(true)
        expect([...shown].length).toBeLessThanOrEqual(200)
        if (text.length === [...text].length) expect(shown).toHaveLength(200)
      }
  })

  it('[NI-12] of a chunk that stands nowhere shows nothing, of a card its title, of any other record its beginning', () => {
    expect(previewOf(chunk('words'))).toEqual({ title: null, text: '' })
    expect(isOpening('segment', [])).toBe(false)
    expect(isOpening('segment', [{ start: '0' }])).toBe(false)
    expect(isOpening('document', [{ start: 0 }])).toBe(false)
    const document = { title: 'A title', text: 'x'.repeat(300), spans: [], tuple: { kind: 'document' } }
    expect(previewOf({ ...document, fields: { parts: ['text'] } })).toEqual({ title: 'A title', text: '' })
    expect(previewOf({ ...document, fields: {} })).toEqual({ title: 'A title', text: 'x'.repeat(200) })
  })

  it('[NI-12, TR-3] shows the title of a document and of no chunk; below it no title is shown', () => {
    const document = { ...chunk('words', 0), tuple: { kind: 'document' } }
    expect(shownTitle(document, 'preview')).toBe('A heading')
    expect(shownTitle(chunk('words', 0), 'preview')).toBeNull()
    for (const row of [document, chunk('words', 0)]) {
      expect(shownTitle(row, 'full')).toBe('A heading')
      expect(shownTitle(row, 'metadata')).toBeNull()
      expect(shownTitle(row, 'none')).toBeNull()
    }
  })
})
