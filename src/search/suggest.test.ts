import { describe, expect, it } from 'vitest'
import { aDocument, aSegment, aText, seenAs, seenInFull } from '../../test/support/search-documents.js'
import { FULL_LEVEL, HIDDEN_LEVEL, METADATA_LEVEL } from './mask.js'
import { wordsNear, wordsWithPrefix } from './suggest.js'

const documents = [
  aDocument(0, 'garden garden warden', { metadata: aText('garde') }),
  aDocument(1, 'gardens garden', { compartment: 1 }),
  aDocument(2, 'gardem', { compartment: 2 }),
]
const segment = aSegment(documents)
const all = [seenInFull(segment)]

describe('words near another', () => {
  it('are one edit away, the most frequent first, then by their bytes', () => {
    expect(wordsNear(all, 'gardon', 10)).toEqual([{ word: 'garden', documents: 2 }])
    expect(wordsNear(all, 'garden', 10)).toEqual([
      { word: 'gardem', documents: 1 },
      { word: 'gardens', documents: 1 },
      { word: 'warden', documents: 1 },
    ])
    expect(wordsNear(all, 'garden', 2).map(({ word }) => word)).toEqual(['gardem', 'gardens'])
    expect(wordsNear(all, 'shed', 10)).toEqual([])
  })

  it.each([
    ['gadren', 'swapped'],
    ['arden', 'left out at the start'],
    ['garde', 'left out at the end'],
    ['ggarden', 'doubled'],
    ['gardenx', 'put in at the end'],
    ['xarden', 'replaced by a letter that no word has'],
  ])('%s is near, %s', term => {
    expect(wordsNear(all, term, 10).map(({ word }) => word)).toContain('garden')
  })

  it('[NI-1, QX-2] are visible ones, counted in what is visible', () => {
    const parts = [seenAs(segment, [HIDDEN_LEVEL, FULL_LEVEL, HIDDEN_LEVEL])]
    expect(wordsNear(parts, 'garden', 10)).toEqual([{ word: 'gardens', documents: 1 }])
    expect(wordsNear(parts, 'gardon', 10)).toEqual([{ word: 'garden', documents: 1 }])
    expect(wordsNear([seenAs(segment, [HIDDEN_LEVEL, HIDDEN_LEVEL, HIDDEN_LEVEL])], 'gardon', 10)).toEqual([])
  })

  it('[NI-4, QX-2] are words of the face that is seen', () => {
    const parts = [seenAs(segment, [METADATA_LEVEL, HIDDEN_LEVEL, HIDDEN_LEVEL])]
    expect(wordsNear(parts, 'gardon', 10)).toEqual([])
    expect(wordsNear(parts, 'gard', 10)).toEqual([{ word: 'garde', documents: 1 }])
    expect(wordsNear(parts, 'gardn', 10)).toEqual([{ word: 'garde', documents: 1 }])
  })

  it('[SC-1] are counted over all segments', () => {
    expect(wordsNear([...all, seenInFull(aSegment([aDocument(9, 'garden')]))], 'gardon', 10)).toEqual([
      { word: 'garden', documents: 3 },
    ])
  })

  it('are the same where there are more letters than most scripts have', () => {
    const letters = Array.from({ length: 250 }, (_, at) => String.fromCodePoint(0xac00 + at)).join(' ')
    const wide = [seenInFull(aSegment([...documents, aDocument(3, `${letters} \u{10428}abc`)]))]
    for (const term of ['gardon', 'garden', 'gadren', 'ggarden', 'gard', 'shed'])
      expect(wordsNear(wide, term, 10)).toEqual(wordsNear(all, term, 10))
    expect(wordsNear(wide, 'abc', 10)).toEqual([{ word: '\u{10428}abc', documents: 1 }])
    expect(wordsNear(wide, '\uac01x', 10)).toEqual([{ word: '\uac01', documents: 1 }])
  })
})

describe('completions', () => {
  it('begin alike, the most frequent first', () => {
    expect(wordsWithPrefix(all, 'gard', 10)).toEqual([
      { word: 'garden', documents: 2 },
      { word: 'gardem', documents: 1 },
      { word: 'gardens', documents: 1 },
    ])
    expect(wordsWithPrefix(all, 'gard', 1)).toEqual([{ word: 'garden', documents: 2 }])
    expect(wordsWithPrefix(all, 'x', 10)).toEqual([])
  })

  it('[NI-1, QX-2] are visible ones, through the face that is seen', () => {
    expect(wordsWithPrefix([seenAs(segment, [METADATA_LEVEL, HIDDEN_LEVEL, HIDDEN_LEVEL])], 'g', 10)).toEqual(
      [{ word: 'garde', documents: 1 }],
    )
    expect(wordsWithPrefix([seenAs(segment, [HIDDEN_LEVEL, HIDDEN_LEVEL, FULL_LEVEL])], 'g', 10)).toEqual([
      { word: 'gardem', documents: 1 },
    ])
  })
})

describe('keys', () => {
  const keyed = [
    seenInFull(aSegment([aDocument(0, '', { full: aText('shed', { keys: ['garden', 'shed'] }) })])),
  ]

  it('[QX-2] are no words, so they are not suggested', () => {
    expect(wordsNear(keyed, 'garden', 10)).toEqual([])
    expect(wordsNear(keyed, 'shed', 10)).toEqual([])
    expect(wordsNear(keyed, 'sheds', 10)).toEqual([{ word: 'shed', documents: 1 }])
  })

  it('[QX-2] nor completed, however little was typed', () => {
    expect(wordsWithPrefix(keyed, 's', 10)).toEqual([{ word: 'shed', documents: 1 }])
    expect(wordsWithPrefix(keyed, '', 10)).toEqual([{ word: 'shed', documents: 1 }])
  })
})
