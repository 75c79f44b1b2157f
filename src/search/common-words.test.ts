import { describe, expect, it } from 'vitest'
import { COMMON_WORDS, isCommon, type KnownLanguage, languageAsked } from './common-words.js'
import { LANGUAGES } from './languages.js'
import { tokenize } from './tokenize.js'

const spoken = Object.keys(COMMON_WORDS) as KnownLanguage[]

describe('common words', () => {
  it('are known in every language that words are stemmed in', () => {
    expect([...spoken].sort()).toEqual(LANGUAGES.filter(language => language !== 'und').sort())
  })

  it.each(spoken)('of %s are words as an index holds them', language => {
    const words = COMMON_WORDS[language].split(/\s+/)
    expect(words.length).toBeGreaterThan(80)
    for (const word of words) {
      expect(tokenize(word).map(({ term }) => term)).toEqual([word])
      expect(isCommon(word, language)).toBe(true)
    }
  })

  it.each<[KnownLanguage, string, string]>([
    ['en', 'what when did does the', 'garden may week london'],
    ['de', 'wann hat der fur über', 'garten woche montag'],
    ['fr', 'quand où qui est le', 'jardin semaine lundi'],
    ['es', 'cuándo cuando dónde quien', 'jardín mañana lunes'],
    ['it', 'quando dove chi perche', 'giardino domani'],
    ['pt', 'quando onde quem nao', 'jardim amanhã'],
    ['nl', 'wanneer waar wie het', 'tuin morgen'],
    ['sv', 'när var vem är', 'trädgård måndag'],
    ['nb', 'når hvor hvem er', 'hage mandag'],
    ['da', 'hvornår hvor hvem er', 'mandag skole'],
    ['fi', 'milloin missä kuka on', 'puutarha'],
    ['ro', 'când unde cine este', 'grădină luni'],
    ['hu', 'mikor hol miért az', 'kert hétfő'],
    ['ru', 'когда где кто что', 'сад понедельник'],
    ['uk', 'коли де хто що', 'сад понеділок'],
    ['tr', 'nerede kim neden bir', 'bahçe pazartesi'],
    ['el', 'ποτε πού ποιος είναι', 'κήπος'],
  ])('of %s hold a question together, with or without accents; its subject is none', (language, common, not) => {
    expect(common.split(' ').filter(word => !isCommon(word, language))).toEqual([])
    expect(not.split(' ').filter(word => isCommon(word, language))).toEqual([])
  })

  it('[NI-2] are those of the language of the question, and English where it does not tell', () => {
    expect(languageAsked('When did we meet in the garden?')).toBe('en')
    expect(languageAsked('Wann haben wir uns im Garten getroffen?')).toBe('de')
    expect(languageAsked('Où est-ce que nous avons mangé hier ?')).toBe('fr')
    expect(languageAsked('Paris')).toBe('en')
    expect(languageAsked('')).toBe('en')
    expect(isCommon('die', 'de')).toBe(true)
    expect(isCommon('die', 'en')).toBe(false)
  })
})
