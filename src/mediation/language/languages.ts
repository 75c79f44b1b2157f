import { detectLanguage } from '../../search/languages.js'
import { GERMAN_LEXICON } from './de.js'
import { ENGLISH_LEXICON } from './en.js'
import { SPANISH_LEXICON } from './es.js'
import { FRENCH_LEXICON } from './fr.js'
import type { MessageLexicon } from './lexicon.js'

export const LEXICONS = {
  en: ENGLISH_LEXICON,
  de: GERMAN_LEXICON,
  es: SPANISH_LEXICON,
  fr: FRENCH_LEXICON,
} as const satisfies Record<string, MessageLexicon>
export type MediationLanguage = keyof typeof LEXICONS
export const MEDIATION_LANGUAGES = Object.keys(LEXICONS) as MediationLanguage[]

/** The languages to read a text in: the one it is written in, or all of ours if that cannot be told. */
export function languagesOf(text: string): readonly MediationLanguage[] {
  const found = detectLanguage(text)
  const known = MEDIATION_LANGUAGES.find(language => language === found)
  return known === undefined ? MEDIATION_LANGUAGES : [known]
}
