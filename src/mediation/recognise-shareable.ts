import { plainText } from '../policy/message-signals.js'
import { LEXICONS, languagesOf, MEDIATION_LANGUAGES, type MediationLanguage } from './language/languages.js'
import { type MessageLexicon, TOPICS, type Topic } from './language/lexicon.js'
import { categoryOf, NEEDS_IN_ORDER, type Need, type NeedCategory } from './needs.js'
import { findGentleName, recognise } from './needs-and-feelings.js'

/** What a text tells of its writer that a partner could hear: a need, a feeling, and what both are about. */
export interface Shareable {
  readonly language: MediationLanguage
  readonly need: Need | null
  /** By its English name. */
  readonly feeling: string | null
  readonly topic: Topic | null
}

const NOTHING: Shareable = { language: 'en', need: null, feeling: null, topic: null }

/** What is known besides the text. It takes precedence over what is recognised in it. */
export interface KnownReading {
  readonly category?: NeedCategory | undefined
  readonly need?: Need | undefined
  readonly emotion?: string | undefined
}

const pattern = (words: string): RegExp => new RegExp(`(?<![^ ])(?:${words})(?![^ ])`, 'gu')

const compile = (lexicon: MessageLexicon) => ({
  topics: TOPICS.map(value => ({ value, pattern: pattern(lexicon.topics[value].words) })),
  needs: NEEDS_IN_ORDER.map(value => ({ value, pattern: pattern(lexicon.needs[value].words) })),
  feelings: Object.entries(lexicon.feelings)
    .filter(([, { words }]) => words !== '')
    .map(([value, { words }]) => ({ value, pattern: pattern(words) })),
  irony: new RegExp(`^(?:${lexicon.irony})(?![^ ])`, 'u'),
})
const PATTERNS = Object.fromEntries(
  MEDIATION_LANGUAGES.map(language => [language, compile(LEXICONS[language])]),
) as Readonly<Record<MediationLanguage, ReturnType<typeof compile>>>

/**
 * Recognises what could be shared of a text in English, German, Spanish or French. Nothing is guessed: an ironic
 * remark, or one without a word for a need or a feeling, tells neither.
 *
 * @example
 * recogniseShareable('He lied about the credit card and it hurts')
 * // { language: 'en', need: 'HONESTY', feeling: 'hurt', topic: 'MONEY' }
 */
export function recogniseShareable(text: string, known: KnownReading = {}): Shareable {
  const readings = languagesOf(text).map(language => readAs(language, text))
  const [first = NOTHING] = [...readings].sort((one, other) => weightOf(other) - weightOf(one))
  const given = known.need ?? known.category
  return {
    ...first,
    need: given === undefined ? first.need : moreParticular(given, first.need),
    feeling: (known.emotion === undefined ? undefined : findFeeling(known.emotion)) ?? first.feeling,
  }
}

/** What a person says their need is stands; the text may only make it more particular. */
const moreParticular = (given: Need, recognised: Need | null): Need =>
  recognised !== null && categoryOf(recognised) === given ? recognised : given

const weightOf = ({ need, feeling, topic }: Shareable): number =>
  [need, feeling, topic].filter(each => each !== null).length

function readAs(language: MediationLanguage, text: string): Shareable {
  const { topics, needs, feelings, irony } = PATTERNS[language]
  const said = plainText(text)
  if (irony.test(said)) return { ...NOTHING, language }
  return {
    language,
    topic: strongest(topics, said),
    need: strongest(needs, said),
    feeling: language === 'en' ? (recognise(text).feelings[0] ?? null) : strongest(feelings, said),
  }
}

/** The value that is expressed most often; of several, the first in the order of the list. */
function strongest<T>(
  entries: readonly { readonly value: T; readonly pattern: RegExp }[],
  said: string,
): T | null {
  let best: T | null = null
  let most = 0
  for (const { value, pattern } of entries) {
    const times = said.match(pattern)?.length ?? 0
    if (times > most) [best, most] = [value, times]
  }
  return best
}

/** The feeling that a word names, in any of the languages. */
function findFeeling(word: string): string | undefined {
  const said = plainText(word)
  const named = MEDIATION_LANGUAGES.flatMap(language => Object.entries(LEXICONS[language].feelings)).find(
    ([, { name }]) => plainText(name) === said,
  )
  return findGentleName(word) ?? named?.[0]
}
