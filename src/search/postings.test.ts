import { describe, expect, it } from 'vitest'
import { aDocument, aSegment, aText, seenAs, seenInFull } from '../../test/support/search-documents.js'
import { Hits } from './hits.js'
import { detectLanguage, LANGUAGES, type Language } from './languages.js'
import { FULL_LEVEL, HIDDEN_LEVEL, type Mask, type MaskLevel, METADATA_LEVEL } from './mask.js'
import { keyTerm, type Postings } from './postings.js'

function read(postings: Postings, term: string, mask: Mask, languages: Uint8Array | null = null) {
  const hits = new Hits()
  postings.read(postings.find(term), mask, languages, hits)
  return Array.from({ length: hits.length }, (_, at) => [hits.documents[at], hits.frequencies[at]])
}

const only = (...languages: Language[]) =>
  Uint8Array.from(LANGUAGES, language => (languages.includes(language) ? 1 : 0))

describe('reading a term', () => {
  const segment = aSegment([
    aDocument(0, 'garden shed garden', { metadata: aText('tag') }),
    aDocument(1, 'shed', { metadata: aText('garden'), compartment: 1 }),
    aDocument(2, 'garden', { metadata: aText('garden tag'), compartment: 2 }),
  ])

  it('gives documents, ascending, and how often each has it', () => {
    const { mask } = seenInFull(segment)
    expect(read(segment.full, 'garden', mask)).toEqual([
      [0, 2],
      [2, 1],
    ])
    expect(read(segment.full, 'shed', mask)).toEqual([
      [0, 1],
      [1, 1],
    ])
    expect(segment.full.find('tag')).toBe(-1)
  })

  it('gives documents that are far apart, and terms that occur very often', () => {
    const often = Array.from({ length: 300 }, () => 'rare').join(' ')
    const sparse = aSegment(
      Array.from({ length: 20_000 }, (_, at) =>
        aDocument(
          at,
          [0, 63, 128, 300, 17_000, 19_999].includes(at) ? (at === 300 ? often : 'rare') : 'filler',
        ),
      ),
    )
    const { mask } = seenInFull(sparse)
    expect(read(sparse.full, 'rare', mask)).toEqual([
      [0, 1],
      [63, 1],
      [128, 1],
      [300, 300],
      [17_000, 1],
      [19_999, 1],
    ])
    expect(sparse.full.positions(sparse.full.find('rare'), mask, 300)).toEqual(
      Array.from({ length: 300 }, (_, at) => at),
    )
  })

  it('[NI-1] gives nothing of what is hidden', () => {
    const { mask } = seenAs(segment, [HIDDEN_LEVEL, FULL_LEVEL, FULL_LEVEL])
    expect(read(segment.full, 'garden', mask)).toEqual([[2, 1]])
  })

  it('[NI-4] gives each document through the face it shows', () => {
    const { mask } = seenAs(
      aSegment([0, 1, 2].map(at => aDocument(at, 'garden', { metadata: aText('tag'), compartment: at }))),
      [FULL_LEVEL, METADATA_LEVEL, METADATA_LEVEL],
    )
    expect(read(segment.full, 'garden', mask)).toEqual([[0, 2]])
    expect(read(segment.metadata, 'garden', mask)).toEqual([
      [1, 1],
      [2, 1],
    ])
  })

  it('adds to what was found before', () => {
    const { mask } = seenInFull(segment)
    const hits = new Hits()
    segment.full.read(segment.full.find('shed'), mask, null, hits)
    segment.full.read(segment.full.find('garden'), mask, null, hits)
    expect([...hits.documents.subarray(0, hits.length)]).toEqual([0, 1, 0, 2])
  })

  it('leaves out documents in other languages', () => {
    const spoken = aSegment([
      aDocument(0, '', { full: aText('gift', { language: 'en' }) }),
      aDocument(1, '', { full: aText('gift', { language: 'de' }) }),
      aDocument(2, '', { full: aText('gift') }),
    ])
    const { mask } = seenInFull(spoken)
    expect(read(spoken.full, 'gift', mask, only('de'))).toEqual([[1, 1]])
    expect(read(spoken.full, 'gift', mask, only('en', 'und'))).toEqual([
      [0, 1],
      [2, 1],
    ])
    expect(read(spoken.full, 'gift', mask, only())).toEqual([])
  })
})

describe('blocks', () => {
  /** Every second document has the word, so a block of 128 postings begins at every 256th document. */
  const count = 1_500
  const segment = aSegment(
    Array.from({ length: count }, (_, at) => aDocument(at, at % 2 === 0 ? 'even here' : 'odd')),
  )
  const showing = (...documents: number[]): Mask => {
    const surfaces = new Array<MaskLevel>(count).fill(HIDDEN_LEVEL)
    for (const document of documents) surfaces[document] = FULL_LEVEL
    return seenAs(segment, surfaces).mask
  }

  it.each([0, 2, 254, 256, 258, 510, 512, 1_022, 1_024, 1_280, 1_498])('[NI-1] finds %d alone', document => {
    expect(read(segment.full, 'even', showing(document))).toEqual([[document, 1]])
    expect(read(segment.full, 'odd', showing(document))).toEqual([])
  })

  it.each([
    [0, 1_498],
    [254, 256],
    [255, 257],
    [510, 511, 512],
    [1, 254, 1_281],
    [256, 512, 768, 1_024, 1_280],
  ])('finds those of several that have the word', (...documents) => {
    const expected = documents.filter(document => document % 2 === 0).map(document => [document, 1])
    expect(read(segment.full, 'even', showing(...documents))).toEqual(expected)
  })

  it('finds all of them', () => {
    expect(read(segment.full, 'even', seenInFull(segment).mask)).toHaveLength(750)
    expect(read(segment.full, 'even', showing())).toEqual([])
  })

  it('knows places in every block', () => {
    const { mask } = seenInFull(segment)
    const place = segment.full.find('here')
    for (const document of [0, 2, 254, 256, 1_024, 1_498])
      expect(segment.full.positions(place, mask, document)).toEqual([1])
    for (const document of [1, 255, 257, 1_499])
      expect(segment.full.positions(place, mask, document)).toEqual([])
  })
})

describe('numbers of more than a byte', () => {
  it.each([1, 2, 63, 64, 127, 128, 129, 16_383, 16_384, 20_000])('%d occurrences', times => {
    const segment = aSegment([aDocument(0, 'x '.repeat(times)), aDocument(1, 'y x')])
    const { mask } = seenInFull(segment)
    expect(read(segment.full, 'x', mask)).toEqual([
      [0, times],
      [1, 1],
    ])
    expect(segment.full.positions(segment.full.find('x'), mask, 0)).toEqual([...new Array(times).keys()])
    expect(mask.lengths[0]).toBe(times)
  })

  it.each([1, 63, 64, 65, 127, 128, 8_191, 8_192])('documents %d apart', apart => {
    const documents = Array.from({ length: apart + 1 }, (_, at) =>
      aDocument(at, at % apart === 0 ? 'far far' : ''),
    )
    const segment = aSegment(documents)
    expect(read(segment.full, 'far', seenInFull(segment).mask)).toEqual([
      [0, 2],
      [apart, 2],
    ])
  })
})

describe('places of a term', () => {
  const text = aText('', { parts: ['old shed', 'old old shed', 'shed'] })
  const segment = aSegment([aDocument(0, 'shed'), aDocument(1, '', { full: text })])

  it('are counted through the text, with gaps between its parts', () => {
    const { mask } = seenInFull(segment)
    expect(segment.full.positions(segment.full.find('old'), mask, 1)).toEqual([0, 102, 103])
    expect(segment.full.positions(segment.full.find('shed'), mask, 1)).toEqual([1, 104, 205])
    expect(segment.full.positions(segment.full.find('shed'), mask, 0)).toEqual([0])
    expect(segment.full.positions(segment.full.find('old'), mask, 0)).toEqual([])
  })

  it('[NI-1] are none in what is hidden', () => {
    const { mask } = seenAs(segment, [FULL_LEVEL, HIDDEN_LEVEL])
    expect(segment.full.positions(segment.full.find('old'), mask, 1)).toEqual([])
  })
})

describe('relatives of a term', () => {
  const speaking = (language: Language, text: string) => aText(text, { language })
  const segment = aSegment([
    aDocument(0, '', { full: speaking('en', 'run runs') }),
    aDocument(1, '', { full: speaking('de', 'run running') }),
    aDocument(2, '', { full: speaking('en', 'running') }),
    aDocument(3, '', { full: speaking('und', 'résumé resume') }),
  ])
  const relatives = (term: string) =>
    Object.fromEntries(
      [...segment.full.relatives(term)].map(([place, languages]) => [
        segment.full.term(place),
        LANGUAGES.filter((_, code) => languages[code] === 1),
      ]),
    )

  it('are those of its class, in the languages that say so', () => {
    expect(relatives('runs')).toEqual({ run: ['en', 'de'], running: ['en'] })
    expect(relatives('run')).toMatchObject({ runs: ['en'], running: ['en'] })
    expect(relatives('resume')).toMatchObject({ résumé: ['und'] })
    expect(relatives('résumé').resume).toContain('und')
  })

  it('never hold the term itself, and are none of an unknown one', () => {
    for (const term of ['run', 'runs', 'running', 'résumé']) expect(relatives(term)).not.toHaveProperty(term)
    expect(relatives('unheard')).toEqual({})
  })
})

describe('keys', () => {
  const segment = aSegment([
    aDocument(0, 'garden', { full: aText('garden', { keys: ['garden', 'garden', 'b'] }) }),
    aDocument(1, 'b'),
  ])

  it('can be asked for, each once a document', () => {
    const { mask } = seenInFull(segment)
    expect(read(segment.full, keyTerm('garden'), mask)).toEqual([[0, 1]])
    expect(read(segment.full, keyTerm('b'), mask)).toEqual([[0, 1]])
    expect(segment.full.find(keyTerm('unknown'))).toBe(-1)
  })

  it('are no words: not counted and not listed', () => {
    expect(seenInFull(segment).mask.words).toBe(2)
    expect(Array.from(segment.full.words(), place => segment.full.term(place))).toEqual(['b', 'garden'])
    expect(segment.full.alphabet).toEqual([...'abdegnr'])
  })
})

it('an index of nothing finds nothing', () => {
  const { full } = aSegment([])
  expect(full.find('garden')).toBe(-1)
  expect([...full.words()]).toEqual([])
  expect(full.relatives('garden').size).toBe(0)
  expect(full.withPrefix('g')).toEqual([0, 0])
})

it('a face without a language gets that of its title and its text', () => {
  const english = 'we will meet in the garden tomorrow '
  const german = 'wir treffen uns morgen in dem Garten und das ist gut '
  const faces = [
    ['', english],
    [german, ''],
    ['Der Garten und das Haus', 'ist nicht für uns', english.repeat(3)],
    ['the shed is not for you and', german],
    ['', 'Petra oak 17', english],
    [`${german.repeat(30)}`, english.repeat(40)],
    ['', `${english.repeat(28)} ${german.repeat(100)}`],
    ['é'.repeat(999), english],
  ]
  const { languages } = aSegment(
    faces.map((parts, at) => aDocument(at, '', { full: { parts, language: null, keys: ['der', 'the'] } })),
  ).full.data
  expect([...languages].map(code => LANGUAGES[code])).toEqual(
    faces.map(([title = '', text = '']) => detectLanguage(title, text)),
  )
  expect(new Set(languages).size).toBeGreaterThan(2)
})
