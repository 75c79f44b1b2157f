import { GERMAN } from './signals/de.js'
import { ENGLISH } from './signals/en.js'
import { SPANISH } from './signals/es.js'
import { FRENCH } from './signals/fr.js'
import { DISTRESS_KINDS, type DistressKind } from './signals/signals.js'

const LANGUAGES = [ENGLISH, GERMAN, SPANISH, FRENCH]

const anyOf = (patterns: readonly string[]): RegExp => new RegExp(`\\b(?:${patterns.join('|')})\\b`, 'u')

const DISTRESS = DISTRESS_KINDS.map(kind => ({
  kind,
  pattern: anyOf(LANGUAGES.flatMap(({ distress }) => distress[kind])),
}))
const COMMITMENT = anyOf(LANGUAGES.flatMap(({ commitment }) => commitment))
const SKIPPING = anyOf(LANGUAGES.flatMap(({ skipping }) => skipping))

/**
 * Lower case, without accents, apostrophes and invisible characters, with one space between words. Clauses stay
 * separate.
 */
export const plainText = (message: string): string =>
  message
    .replace(/['’‘ʼ＇`´′]/g, '')
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .replace(/[\p{M}\p{Cf}\p{Default_Ignorable_Code_Point}]/gu, '')
    .replace(/[.,!?;:()]+/g, ' . ')
    .replace(/[^\p{L}\p{N}.]+/gu, ' ')
    .trim()

/** What a message shows that decides how a turn goes. */
export interface MessageSignals {
  /** The most urgent kind of distress; null if there is none. */
  readonly distress: DistressKind | null
  readonly commitment: boolean
  readonly skipping: boolean
}

/**
 * What a message in English, German, Spanish or French shows.
 *
 * @example
 * readSignals('Er hat mich geschlagen').distress // 'violence'
 */
export function readSignals(message: string): MessageSignals {
  const said = plainText(message)
  return {
    distress: DISTRESS.find(({ pattern }) => pattern.test(said))?.kind ?? null,
    commitment: COMMITMENT.test(said),
    skipping: SKIPPING.test(said),
  }
}
