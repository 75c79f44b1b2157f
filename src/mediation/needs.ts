/** What people need of each other, as mediation tells it apart. */
export const NEED_CATEGORIES = [
  'SAFETY',
  'CONNECTION',
  'AUTONOMY',
  'RECOGNITION',
  'MEANING',
  'FAIRNESS',
] as const
export type NeedCategory = (typeof NEED_CATEGORIES)[number]

export const isNeedCategory = (value: unknown): value is NeedCategory =>
  (NEED_CATEGORIES as readonly unknown[]).includes(value)
