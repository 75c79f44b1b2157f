import { z } from 'zod'

/** The needs that mediation distinguishes. */
export const NEED_CATEGORIES = [
  'SAFETY',
  'CONNECTION',
  'AUTONOMY',
  'RECOGNITION',
  'MEANING',
  'FAIRNESS',
] as const
export type NeedCategory = (typeof NEED_CATEGORIES)[number]
export const needCategory = z
  .enum(NEED_CATEGORIES)
  .meta({ id: 'NeedCategory', description: 'What a need is about.' })

export const isNeedCategory = (value: unknown): value is NeedCategory =>
  (NEED_CATEGORIES as readonly unknown[]).includes(value)
