import fc, { type Arbitrary } from 'fast-check'
import { HOUR, NOW, UNKNOWN_VALUES } from './pools.js'

export const oneOf = <T>(values: readonly T[]): Arbitrary<T> => fc.constantFrom(...values)
export const unknown: Arbitrary<string> = oneOf(UNKNOWN_VALUES)
/** Mostly the first; the less likely it is that one field alone hides a record, the more the others get to say. */
export const mostly = <T, U>(usual: Arbitrary<T>, rare: Arbitrary<U>, weight = 12): Arbitrary<T | U> =>
  fc.oneof({ weight, arbitrary: usual }, { weight: 1, arbitrary: rare })
export const orUnknown = (values: readonly string[]) => mostly(oneOf(values), unknown, 24)
export const some = <T>(values: readonly T[], most = values.length) =>
  fc.uniqueArray(oneOf(values), { maxLength: most })
export const time = fc.integer({ min: -2, max: 2 }).map(hours => NOW + hours * HOUR)

/** Most of a pool, each with its own facts; those left out are missing. */
export function someOf<T, U>(pool: readonly T[], facts: (item: T) => Arbitrary<U>): Arbitrary<U[]> {
  return fc
    .tuple(...pool.map(item => mostly(facts(item), fc.constant(null), 10)))
    .map(found => found.flatMap(item => (item === null ? [] : [item])))
}

/** What is mostly written and asked for in a world: memories, a mediation, or a corpus that was shared. */
export const SETTINGS = ['memory', 'mediation', 'mediation', 'sharing'] as const
export type Setting = (typeof SETTINGS)[number]

/** What belongs to a setting, and now and then what belongs to another. */
export function usually<T>(of: Readonly<Record<Setting, Arbitrary<T>>>, setting: Setting): Arbitrary<T> {
  return mostly(of[setting], fc.oneof(...Object.values(of)), 5)
}

/** A few of a thing's parts replaced: too many, and it is hidden for so many reasons that none is tested. */
export function spoiled<T extends object>(
  plausible: Arbitrary<T>,
  wrong: { readonly [K in keyof T]?: Arbitrary<T[K]> },
  most: number,
): Arbitrary<T> {
  const parts = Object.entries<Arbitrary<unknown> | undefined>(wrong).map(([key, arbitrary]) =>
    (arbitrary ?? fc.constant(undefined)).map(value => ({ [key]: value })),
  )
  return fc
    .tuple(
      plausible,
      fc.array(mostly(fc.oneof(...parts), fc.constant({}), 1), { maxLength: most, size: 'max' }),
    )
    .map(([thing, replaced]) => Object.assign({}, thing, ...replaced))
}
