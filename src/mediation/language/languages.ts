import { detectLanguage } from '../../search/languages.js'
import { GERMAN } from './de.js'
import { ENGLISH } from './en.js'
import { SPANISH } from './es.js'
import { FRENCH } from './fr.js'
import type { Lexicon } from './lexicon.js'

export const LEXICONS = { en: ENGLISH, de: GERMAN, es: SPANISH, fr: FRENCH } as const satisfies Record<
  string,
  Lexicon
>
export type MediationLanguage = keyof typeof LEXICONS
export const MEDIATION_LANGUAGES = Object.keys(LEXICONS) as MediationLanguage[]

/** The languages to read a text in: the one it is written in, or all of ours if that cannot be told. */
export function languagesOf(text: string): readonly MediationLanguage[] {
  const found = detectLanguage(text)
  const known = MEDIATION_LANGUAGES.find(language => language === found)
  return known === undefined ? MEDIATION_LANGUAGES : [known]
}
