import fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import { SEED, WORLDS } from '../../test/support/generated.js'
import { LANGUAGES, type Language } from './languages.js'
import { stemKey } from './stem.js'
import { tokenize } from './tokenize.js'

const classes = (words: string, language: Language): Set<string> =>
  new Set(words.split(' ').map(word => stemKey(word, language)))

it.each<[Language, string]>([
  ['en', "garden gardens gardening gardened garden's"],
  ['en', 'story stories'],
  ['en', 'resume résumé résumés resumes'],
  ['de', 'garten gärten'],
  ['de', 'straße straßen strasse strassen'],
  ['de', 'vertrag verträge vertrages'],
  ['fr', 'réunion réunions reunion'],
  ['fr', 'cafe café cafés'],
  ['fr', "église églises l'église d'églises qu'église eglise"],
  ['es', 'reunión reuniones reunion'],
  ['es', 'niño niños niña ninos'],
  ['it', "amico amici l'amico dell'amico"],
  ['pt', 'menina meninas menino'],
  ['nl', 'vergadering vergaderingen'],
  ['sv', 'bil bilen bilar'],
  ['nb', 'bil bilen bilene'],
  ['da', 'bil bilen bilerne'],
  ['fi', 'talo talossa talot'],
  ['ro', 'prieten prieteni'],
  ['hu', 'könyv könyvek könyvet konyv'],
  ['ru', 'книга книги книгу'],
  ['uk', 'книга книги книгу'],
  ['tr', 'kitap kitaplar kitabı'],
  ['el', 'σπίτι σπίτια σπιτι'],
  ['und', 'cafe café'],
  ['und', 'strasse straße'],
  ['und', 'lodz łódź'],
  ['und', 'oeuvre œuvre'],
  ['und', 'ore øre'],
  ['und', 'aether æther'],
  ['und', 'ελπις ελπίς ελπίσ'],
  ['und', 'елка ёлка'],
])('[QX-1] in %s one class holds %s', (language, words) => {
  expect(classes(words, language).size).toBe(1)
})

it.each<[Language, string]>([
  ['en', 'garden guard card'],
  ['en', "don't done"],
  ['de', 'haus hass hase'],
  ['fr', "ami amer l'or"],
  ['und', 'garden gardens'],
  ['und', "l'ami ami"],
  // A combining mark in these scripts is a vowel or another letter, not an accent.
  ['und', 'कि का'],
  ['und', 'か が'],
])('[QX-1] in %s each of %s has a class of its own', (language, words) => {
  expect(classes(words, language).size).toBe(words.split(' ').length)
})

it('every language but the unknown one has a stemmer of its own', () => {
  const words =
    'gardening häuser réunions reuniones gatos huizen flickor bilene taloissa könyvek книгами зустрічей встречей evler σπίτια møterne huset prieteni mangiando copiilor столів'
  const keys = LANGUAGES.map(language =>
    words
      .split(' ')
      .map(word => stemKey(word, language))
      .join(' '),
  )
  expect(new Set(keys).size).toBe(LANGUAGES.length)
})

describe('of any string', () => {
  const anyString = fc.oneof(
    fc.string({ unit: 'binary', minLength: 1 }),
    fc.string({
      unit: fc.constantFrom(..."aeiouytsnrlmdégäüßø'’йыеиαεισςğışßőřț\u0301\u{1f642}\ud800\0"),
      minLength: 1,
    }),
    fc.string({ unit: fc.constantFrom('.', "'", '\u0301', '\u0300'), minLength: 1 }),
    fc.string({ minLength: 65, maxLength: 200 }),
  )
  const language = fc.constantFrom(...LANGUAGES)

  it('there is a class, the same each time', () => {
    fc.assert(
      fc.property(anyString, language, (term, spoken) => {
        const key = stemKey(term, spoken)
        expect(key).not.toBe('')
        expect(stemKey(term, spoken)).toBe(key)
      }),
      { seed: SEED, numRuns: 5 * WORLDS },
    )
  })

  it('where the language is unknown, the class of a class is itself', () => {
    fc.assert(
      fc.property(anyString, term => {
        const key = stemKey(term, 'und')
        expect(stemKey(key, 'und')).toBe(key)
      }),
      { seed: SEED, numRuns: WORLDS },
    )
  })

  it('where the language is unknown, a term without accents is in the class of the term', () => {
    const accented = fc.string({ unit: fc.constantFrom(...'aáàâeéoöuüñçyýzžсйёεέ'), minLength: 1 })
    fc.assert(
      fc.property(accented, text => {
        const [term] = tokenize(text)
        const bare = text.normalize('NFD').replace(/\p{M}/gu, '')
        expect(stemKey(term?.term ?? '', 'und')).toBe(bare.slice(0, 64))
      }),
      { seed: SEED, numRuns: WORLDS },
    )
  })
})

it('a stemmer that fails leaves the word without accents', async () => {
  vi.resetModules()
  vi.doMock('@orama/stemmers/turkish', () => ({
    stemmer: (): string => {
      throw new Error('cannot stem')
    },
  }))
  vi.doMock('@orama/stemmers/greek', () => ({ stemmer: () => '' }))
  const { stemKey } = await import('./stem.js')
  vi.doUnmock('@orama/stemmers/turkish')
  vi.doUnmock('@orama/stemmers/greek')
  // Test files that run later in this worker must import a working stemmer.
  vi.resetModules()
  expect(stemKey('kitaplär', 'tr')).toBe('kitaplar')
  expect(stemKey('σπίτια', 'el')).toBe('σπιτια')
})

it('[QX-1] the class of a word does not depend on how many were asked for before', () => {
  const before = stemKey('gardening', 'en')
  for (let n = 0; n < 60_000; n++) stemKey(`word${n}`, 'en')
  expect(stemKey('gardening', 'en')).toBe(before)
  expect(stemKey('word1', 'en')).toBe('word1')
})
