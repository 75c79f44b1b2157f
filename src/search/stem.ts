import { stemmer as danish } from '@orama/stemmers/danish'
import { stemmer as dutch } from '@orama/stemmers/dutch'
import { stemmer as english } from '@orama/stemmers/english'
import { stemmer as finnish } from '@orama/stemmers/finnish'
import { stemmer as french } from '@orama/stemmers/french'
import { stemmer as german } from '@orama/stemmers/german'
import { stemmer as greek } from '@orama/stemmers/greek'
import { stemmer as hungarian } from '@orama/stemmers/hungarian'
import { stemmer as italian } from '@orama/stemmers/italian'
import { stemmer as norwegian } from '@orama/stemmers/norwegian'
import { stemmer as portuguese } from '@orama/stemmers/portuguese'
import { stemmer as romanian } from '@orama/stemmers/romanian'
import { stemmer as russian } from '@orama/stemmers/russian'
import { stemmer as spanish } from '@orama/stemmers/spanish'
import { stemmer as swedish } from '@orama/stemmers/swedish'
import { stemmer as turkish } from '@orama/stemmers/turkish'
import { stemmer as ukrainian } from '@orama/stemmers/ukrainian'
import { LANGUAGES, type Language } from './languages.js'
import { LONGEST_TERM } from './tokenize.js'

type Stemmer = (term: string) => string

const POSSESSIVE = /'s?$/
const FRENCH_ELISION = /^(?:[cdjlmnst]|qu|jusqu|lorsqu|puisqu|quoiqu)'(?=.)/
const ITALIAN_ELISION = /^(?:[cdlmstv]|un|quest|quell|bell|gl|dell|all|dall|nell|sull|coll)'(?=.)/

/**
 * The English stemmer only handles unaccented letters, so accents are removed before it; otherwise `résumés` would
 * not match `resume`. The other stemmers need accents to recognise endings, so they are removed afterwards.
 */
const STEMMERS: Record<Language, Stemmer> = {
  und: term => term,
  en: term => english(fold(term).replace(POSSESSIVE, '')),
  de: german,
  fr: term => french(term.replace(FRENCH_ELISION, '')),
  es: spanish,
  it: term => italian(term.replace(ITALIAN_ELISION, '')),
  pt: portuguese,
  nl: dutch,
  sv: swedish,
  nb: norwegian,
  da: danish,
  fi: finnish,
  ro: romanian,
  hu: hungarian,
  ru: russian,
  uk: ukrainian,
  tr: turkish,
  el: greek,
}

/**
 * Stems are cached, because the most common words make up most of any text. A full cache is emptied, which costs
 * little.
 */
const KEYS_KEPT = 50_000
const kept = Object.fromEntries(LANGUAGES.map(language => [language, new Map()])) as Record<
  Language,
  Map<string, string>
>

/**
 * The class of a word in a language; words of one class match each other (QX-1). It is the stem without accents or, if
 * the language is unknown, the word without accents.
 *
 * @example
 * stemKey('gardening', 'en') === stemKey('gardens', 'en')
 */
export function stemKey(term: string, language: Language): string {
  if (term.length > LONGEST_TERM) return fold(term)
  const keys = kept[language]
  const known = keys.get(term)
  if (known !== undefined) return known

  const key = fold(stemOf(term, STEMMERS[language])) || fold(term)
  if (keys.size >= KEYS_KEPT) keys.clear()
  keys.set(term, key)
  return key
}

/** The stemmers are written for ordinary words; an error on any other input must not fail a search. */
function stemOf(term: string, stemmer: Stemmer): string {
  try {
    return stemmer(term)
  } catch {
    return term
  }
}

const ACCENTS = /(?<=[\p{sc=Latin}\p{sc=Greek}\p{sc=Cyrillic}])\p{M}+/gu
const NO_ACCENT_TO_TAKE = /[ßøłæœđðþıħŧς]/g
const PLAIN: Readonly<Record<string, string>> = {
  ß: 'ss',
  ø: 'o',
  ł: 'l',
  æ: 'ae',
  œ: 'oe',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ı: 'i',
  ħ: 'h',
  ŧ: 't',
  ς: 'σ',
}

/** Removes accents in scripts where people leave them out. In others a combining mark is a vowel of the word. */
const fold = (term: string): string =>
  isAscii(term)
    ? term
    : term
        .normalize('NFD')
        .replace(ACCENTS, '')
        .replace(NO_ACCENT_TO_TAKE, letter => PLAIN[letter] ?? letter)
        .normalize('NFC')

function isAscii(term: string): boolean {
  for (let at = 0; at < term.length; at++) if (term.charCodeAt(at) > 127) return false
  return true
}
