import { FEELINGS } from './feelings.js'
import { NEED_CATEGORIES, type NeedCategory } from './needs.js'
import { findGentleName, recognise, recogniseInAnother } from './needs-and-feelings.js'
import { screen } from './screen.js'
import {
  CLOSINGS,
  type ContentType,
  DESCRIPTIONS,
  LAST_RESORTS,
  NEEDS,
  OPENINGS,
  type Openings,
} from './templates.js'

export interface Transformation {
  /** The description that the owner reads. */
  readonly description: string
  /** The text that the partner would read. */
  readonly text: string
}

/** What is already known about the original. It takes precedence over what is recognized in the text. */
export interface Hints {
  readonly category?: NeedCategory
  readonly feeling?: string
  /**
   * Seed for choosing the wording, used instead of the original's words, so that the choice reveals nothing about
   * them.
   */
  readonly wording?: string
}

/**
 * The transformation that needs no model: our own sentences about the need and the feeling that were recognised. All
 * that they take from the original is which need and feeling it expresses (CB-3, CB-4).
 *
 * @example
 * transformBuiltIn('He never thanks me for cooking, and it hurts!', 'IDENTIFIED_NEED').description
 * // 'Your need for recognition'
 */
export function transformBuiltIn(
  original: string,
  contentType: ContentType,
  hints: Hints = {},
): Transformation {
  const told = toldOf(original, contentType, hints)
  const texts = textsOf(told, contentType)
  const first = hash(`${contentType} ${hints.wording ?? original}`) % texts.length
  const inTurn = [...texts.slice(first), ...texts.slice(0, first), ...lastResorts(told, contentType)]
  return {
    description: fill(DESCRIPTIONS[contentType][told.group], told),
    text: inTurn.find(text => screen(text, original).ok) ?? LAST_RESORTS.own[0],
  }
}

interface StatementContent {
  readonly group: keyof Openings
  readonly category: NeedCategory | undefined
  readonly feeling: (typeof FEELINGS)[number] | undefined
}

const isEmpathy = (contentType: ContentType): boolean =>
  contentType === 'EMPATHY_DRAFT' || contentType === 'EMPATHY_ATTEMPT'

function toldOf(original: string, contentType: ContentType, hints: Hints): StatementContent {
  const recognised = recognise(original)
  const category = NEED_CATEGORIES.find(known => known === hints.category) ?? recognised.needs[0]
  const hinted = hints.feeling === undefined ? undefined : findGentleName(hints.feeling)
  const names = isEmpathy(contentType) ? recogniseInAnother(original) : recognised.feelings
  // Joy does not come from an unmet need, and nobody sets a boundary against it.
  const takesJoy =
    category === undefined && (contentType === 'EVENT_SUMMARY' || contentType === 'EMOTIONAL_PATTERN')
  const feeling = [hinted, ...names]
    .map(name => FEELINGS.find(known => known.name === name))
    .find(known => known !== undefined && (takesJoy || known.pleasant !== true))
  const group = category ? (feeling ? 'both' : 'need') : feeling ? 'feeling' : 'neither'
  return { group, category, feeling }
}

/** All fitting texts: an opening and, if speakers talk about themselves, a second sentence. */
function textsOf(told: StatementContent, contentType: ContentType): string[] {
  const openings = OPENINGS[contentType][told.group]
  const seconds =
    isEmpathy(contentType) || told.group === 'neither'
      ? ['']
      : told.category
        ? NEEDS[told.category].wishes
        : told.feeling?.pleasant
          ? CLOSINGS.slice(0, 2)
          : CLOSINGS
  return seconds.flatMap(second =>
    openings.map(opening => (second === '' ? fill(opening, told) : `${fill(opening, told)} ${second}`)),
  )
}

const lastResorts = ({ category }: StatementContent, contentType: ContentType): readonly string[] =>
  isEmpathy(contentType)
    ? LAST_RESORTS.empathy
    : [...(category ? [NEEDS[category].short] : []), ...LAST_RESORTS.own]

const fill = (template: string, { category, feeling }: StatementContent): string =>
  template
    .replaceAll('{need}', category ? NEEDS[category].noun : '')
    .replaceAll('{feeling}', feeling?.name ?? '')
    .replaceAll('{noun}', feeling?.noun ?? '')

/** FNV-1a. Any deterministic hash that spreads texts evenly would do. */
function hash(text: string): number {
  let sum = 0x811c9dc5
  for (let at = 0; at < text.length; at++) sum = Math.imul(sum ^ text.charCodeAt(at), 0x01000193)
  return sum >>> 0
}
