import { z } from 'zod'

export const NEED_CATEGORIES = [
  'SAFETY',
  'CONNECTION',
  'AUTONOMY',
  'RECOGNITION',
  'MEANING',
  'FAIRNESS',
] as const
export type NeedCategory = (typeof NEED_CATEGORIES)[number]

/** The needs that mediation distinguishes, each with the more particular ones that it covers. */
export const SUB_NEEDS = {
  SAFETY: ['HONESTY', 'TRUST', 'RELIABILITY', 'STABILITY', 'CALM'],
  CONNECTION: ['TIME_TOGETHER', 'HEARING', 'INTIMACY', 'CLOSENESS', 'BELONGING', 'LOYALTY'],
  AUTONOMY: ['FREEDOM', 'PRIVACY', 'SPACE', 'REST'],
  RECOGNITION: ['RESPECT', 'APPRECIATION', 'UNDERSTANDING'],
  MEANING: ['SHARED_FUTURE', 'GROWTH', 'PURPOSE'],
  FAIRNESS: ['EQUALITY', 'SUPPORT'],
} as const satisfies Record<NeedCategory, readonly string[]>

const ALL_SUB_NEEDS = NEED_CATEGORIES.flatMap(category => [...SUB_NEEDS[category]])
export type SubNeed = (typeof ALL_SUB_NEEDS)[number]
/** One of the six, or something more particular. */
export type Need = NeedCategory | SubNeed

const CATEGORY_OF_SUB_NEED = new Map<string, NeedCategory>(
  NEED_CATEGORIES.flatMap(category => SUB_NEEDS[category].map(need => [need, category] as const)),
)

/** The particular needs first, so that what is said is as particular as what was meant. */
export const NEEDS_IN_ORDER: readonly Need[] = NEED_CATEGORIES.flatMap(category => [
  ...SUB_NEEDS[category],
  category,
])

export const needCategory = z
  .enum(NEED_CATEGORIES)
  .meta({ id: 'NeedCategory', description: 'What a need is about.' })

export const subNeed = z
  .enum(ALL_SUB_NEEDS)
  .meta({ id: 'SubNeed', description: 'A more particular need within one of the six.' })

export const isNeedCategory = (value: unknown): value is NeedCategory =>
  (NEED_CATEGORIES as readonly unknown[]).includes(value)

export const isSubNeed = (value: unknown): value is SubNeed =>
  typeof value === 'string' && CATEGORY_OF_SUB_NEED.has(value)

/** Which of the six a need belongs to. */
export const categoryOf = (need: Need): NeedCategory =>
  isNeedCategory(need) ? need : (CATEGORY_OF_SUB_NEED.get(need) ?? 'SAFETY')
