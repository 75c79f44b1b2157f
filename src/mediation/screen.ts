import { plainText } from '../policy/message-signals.js'
import { describesAnother, isAccusation, isAttack } from './hostility.js'
import { LEXICONS, languagesOf } from './language/languages.js'
import { mentionsNeedOrFeeling } from './needs-and-feelings.js'
import { repeatsOriginal } from './repeats.js'
import { rewriteAsAddressed, sentencesOf } from './words.js'

export type ScreenReason =
  | 'bridge_text_empty'
  | 'bridge_text_too_long'
  | 'bridge_too_many_sentences'
  | 'bridge_repeats_original'
  | 'bridge_attacks'
  | 'bridge_accuses'
  | 'bridge_not_about_need'

export type ScreenResult = { readonly ok: true } | { readonly ok: false; readonly reason: ScreenReason }

/**
 * A statement is written by a person in order to be shared: an empathy attempt or a strategy. So are a boundary and a
 * confirmed need, which may keep their own words, and what is contributed to the library.
 */
export type ScreenInputKind = 'transformation' | 'statement' | 'boundary_or_need' | 'library'

/** How what is shared of a content type is screened: venting is screened most strictly. */
export const screenKindOf = (contentType: string): ScreenInputKind =>
  contentType === 'BOUNDARY' || contentType === 'IDENTIFIED_NEED' ? 'boundary_or_need' : 'transformation'

const LIMITS: Readonly<Record<ScreenInputKind, { characters: number; sentences: number }>> = {
  transformation: { characters: 1000, sentences: 3 },
  statement: { characters: 3000, sentences: 10 },
  boundary_or_need: { characters: 1000, sentences: 3 },
  library: { characters: 8000, sentences: 60 },
}

const NOBODY: ReadonlySet<string> = new Set()

/**
 * Whether a text may be shown to the partner. It must be short, not repeat the original, hold no blame or insult and,
 * unless it is made to be shared, be about a need, a feeling, a wish or a boundary (CB-4).
 *
 * @example
 * screen('I feel hurt when plans change.', 'He cancelled dinner for the third time') // { ok: true }
 * screen('You never keep a promise.', '') // { ok: false, reason: 'bridge_accuses' }
 */
export function screen(
  text: string,
  original: string,
  {
    kind = 'transformation',
    names = NOBODY,
  }: {
    readonly kind?: ScreenInputKind
    /** Names of the readers. A sentence about them is screened as if it were addressed to them. */
    readonly names?: ReadonlySet<string>
  } = {},
): ScreenResult {
  const reason = refusal(text, original, kind, names)
  return reason === undefined ? { ok: true } : { ok: false, reason }
}

function refusal(
  text: string,
  original: string,
  kind: ScreenInputKind,
  names: ReadonlySet<string>,
): ScreenReason | undefined {
  const limits = LIMITS[kind]
  if (text.length > 2 * limits.characters || [...text].length > limits.characters)
    return 'bridge_text_too_long'
  const sentences = sentencesOf(text).length
  if (sentences === 0) return 'bridge_text_empty'
  if (sentences > limits.sentences) return 'bridge_too_many_sentences'
  if (kind !== 'boundary_or_need' && repeatsOriginal(text, original)) return 'bridge_repeats_original'
  const readings = rewriteAsAddressed(text, names)
  if (readings.some(isAttack) || hasWords(text, 'attacks')) return 'bridge_attacks'
  if (readings.some(isAccusation) || hasWords(text, 'accuses')) return 'bridge_accuses'
  if (kind !== 'transformation') return undefined
  if (!tellsOfNeed(text)) return 'bridge_not_about_need'
  return readings.some(describesAnother) ? 'bridge_accuses' : undefined
}

const anyOf = (words: string) => new RegExp(`(?<![^ ])(?:${words})(?![^ ])`, 'u')

/** The words of the other languages. The English ones need the context that `hostility.ts` reads. */
const OTHERS = (['de', 'es', 'fr'] as const).map(language => {
  const { attacks, accuses, tells } = LEXICONS[language]
  return { language, attacks: anyOf(attacks), accuses: anyOf(accuses), tells: anyOf(tells) }
})

/** Whether a text, read in each language that it may be written in, has words of this sort. */
function hasWords(text: string, sort: 'attacks' | 'accuses' | 'tells'): boolean {
  const languages: readonly string[] = languagesOf(text)
  const said = plainText(text)
  return OTHERS.some(other => languages.includes(other.language) && other[sort].test(said))
}

const TELLING =
  /\b(?:needs?|needed|needing|feel|feels|feeling|feelings|felt|wish|wishes|wishing|hoping|boundary|boundaries|limits?|important to (?:me|us|them|him|her)|matters? (?:\w+ )?to (?:me|us|them|him|her)|(?:i|we|me|partner)(?: \w+)? (?:want|wants|wanted|hope|hopes|prefer|prefers|would like|would love|would prefer|long for|long to|miss|care about|value|enjoy|ask for|ask that|ask you|am asking|look for|am looking for|can not accept|will not accept|do not accept|do not want|draw the line)|ok(?:ay)? (?:with|for) me|please)\b/

const tellsOfNeed = (text: string): boolean =>
  sentencesOf(text).some(sentence => TELLING.test(sentence)) ||
  mentionsNeedOrFeeling(text) ||
  hasWords(text, 'tells')
