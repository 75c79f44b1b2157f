import type { CONTENT_TYPES } from '../policy/vocabulary.js'
import { FEELINGS } from './feelings.js'
import { LEXICONS } from './language/languages.js'
import type { MessageLexicon, Wordings } from './language/lexicon.js'
import type { Need } from './needs.js'
import { type KnownReading, recogniseShareable, type Shareable } from './recognise-shareable.js'
import { screen, screenKindOf } from './screen.js'

export type ContentType = (typeof CONTENT_TYPES)[number]

export interface Transformation {
  /** The description that the owner reads. */
  readonly description: string
  /** The text that the partner would read; empty if nothing was recognised that could be said. */
  readonly text: string
  /** Whether the owner should be asked to share it without having asked for that themselves (CB-10). */
  readonly isWorthSharing: boolean
  readonly need: Need | null
}

/** What is already known about the original, and a seed for choosing among wordings. */
export interface Hints extends KnownReading {
  /** Used instead of the original's words, so that the choice reveals nothing about them. */
  readonly wording?: string
}

/**
 * The transformation that needs no model: our own sentence about the need, the feeling and the topic that were
 * recognised, in the language of the original. It adds no wish, and says nothing where nothing was recognised
 * (CB-3, CB-4, CB-10).
 *
 * @example
 * transformBuiltIn('He lied about the credit card and it hurts', 'EVENT_SUMMARY').text
 * // 'When it comes to money, I feel hurt, and honesty matters to me.'
 */
export function transformBuiltIn(
  original: string,
  contentType: ContentType,
  hints: Hints = {},
): Transformation {
  const told = withoutUnfitJoy(recogniseShareable(original, hints), contentType)
  const texts = wordingsOf(told, contentType).map(wording => fill(wording, told))
  const first = texts.length === 0 ? 0 : hash(`${contentType} ${hints.wording ?? original}`) % texts.length
  const kind = screenKindOf(contentType)
  const text = [...texts.slice(first), ...texts.slice(0, first)].find(
    each => screen(each, original, { kind }).ok,
  )
  return {
    description: describe(contentType, told),
    text: text ?? '',
    isWorthSharing: isWorthSharing(contentType, told, text),
    need: told.need,
  }
}

/** Joy does not come from an unmet need, and nobody sets a boundary against it. */
function withoutUnfitJoy(told: Shareable, contentType: ContentType): Shareable {
  const isJoy = FEELINGS.find(({ name }) => name === told.feeling)?.pleasant === true
  if (!isJoy) return told
  return contentType === 'EVENT_SUMMARY' || contentType === 'EMOTIONAL_PATTERN'
    ? { ...told, need: null }
    : { ...told, feeling: null }
}

/** A boundary and a confirmed need are made to be shared. Anything else must tell something about a topic (CB-10). */
function isWorthSharing(contentType: ContentType, told: Shareable, text: string | undefined): boolean {
  if (contentType === 'IDENTIFIED_NEED' || contentType === 'BOUNDARY') return true
  return text !== undefined && told.topic !== null && (told.need !== null || told.feeling !== null)
}

function wordingsOf(told: Shareable, contentType: ContentType): readonly string[] {
  const lexicon: MessageLexicon = LEXICONS[told.language]
  // "Intimacy, when it comes to intimacy" would say the same twice.
  const isAbout = told.topic !== null && told.topic !== told.need
  const alone = { ...lexicon.need.alone, feeling: lexicon.feelingAlone }
  switch (contentType) {
    case 'EVENT_SUMMARY':
    case 'EMOTIONAL_PATTERN':
      return pick(isAbout ? lexicon.event : alone, told)
    case 'IDENTIFIED_NEED':
      return pick(isAbout ? lexicon.need.about : lexicon.need.alone, told)
    case 'BOUNDARY':
      return pick(isAbout ? lexicon.boundary.about : lexicon.boundary.alone, told)
    // People word these themselves.
    case 'EMPATHY_DRAFT':
    case 'EMPATHY_ATTEMPT':
    case 'STRATEGY_PROPOSAL':
      return []
  }
}

function pick(wordings: Wordings, { need, feeling }: Shareable): readonly string[] {
  if (need !== null && feeling !== null) return wordings.needAndFeeling
  if (need !== null) return wordings.need
  return feeling !== null ? wordings.feeling : wordings.topic
}

function fill(wording: string, { language, need, feeling, topic }: Shareable): string {
  const lexicon: MessageLexicon = LEXICONS[language]
  // A feeling without a word in this language is said in English, so that nothing is left out unnoticed.
  const felt = feeling === null ? '' : (lexicon.feelings[feeling]?.name ?? feeling)
  const text = wording
    .replaceAll('{need}', need === null ? '' : lexicon.needs[need].name)
    .replaceAll('{feeling}', felt)
    .replaceAll('{topic}', topic === null ? '' : lexicon.topics[topic].name)
  return text.charAt(0).toUpperCase() + text.slice(1)
}

const WHAT: Readonly<Record<ContentType, string>> = {
  IDENTIFIED_NEED: 'A need of yours',
  EVENT_SUMMARY: 'Something you told',
  EMOTIONAL_PATTERN: 'A feeling of yours',
  BOUNDARY: 'A boundary of yours',
  EMPATHY_DRAFT: 'Your draft of what your partner may feel',
  EMPATHY_ATTEMPT: 'Your words on what your partner may feel',
  STRATEGY_PROPOSAL: 'A proposal of yours',
}

/** What the owner reads: the type, and what was recognised in general words. */
function describe(contentType: ContentType, { need, feeling, topic }: Shareable): string {
  const lexicon: MessageLexicon = LEXICONS.en
  const noun = FEELINGS.find(({ name }) => name === feeling)?.noun
  // An empathy text is about the other person, so what it says of needs and feelings is not the writer's.
  const isOfOwn = contentType !== 'EMPATHY_DRAFT' && contentType !== 'EMPATHY_ATTEMPT'
  const parts = [
    need === null ? [] : [`a need for ${lexicon.needs[need].name}`],
    noun === undefined ? [] : [`a feeling of ${noun}`],
  ].flat()
  const about = topic === null ? '' : `, about ${lexicon.topics[topic].name}`
  const what =
    contentType === 'IDENTIFIED_NEED' && need !== null
      ? `Your need for ${lexicon.needs[need].name}`
      : WHAT[contentType]
  const rest = contentType === 'IDENTIFIED_NEED' ? [] : parts
  return `${what}${about}${isOfOwn && rest.length > 0 ? `: ${rest.join(' and ')}` : ''}`
}

/** FNV-1a. Any deterministic hash that spreads texts evenly would do. */
function hash(text: string): number {
  let sum = 0x811c9dc5
  for (let at = 0; at < text.length; at++) sum = Math.imul(sum ^ text.charCodeAt(at), 0x01000193)
  return sum >>> 0
}
