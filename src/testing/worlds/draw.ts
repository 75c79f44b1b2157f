import fc, { type Arbitrary } from 'fast-check'
import { HOUR, NOW, UNKNOWN_VALUES } from './pools.js'

export const oneOf = <T>(values: readonly T[]): Arbitrary<T> => fc.constantFrom(...values)
export const unknown: Arbitrary<string> = oneOf(UNKNOWN_VALUES)
/** Mostly the usual value. If a single field seldom hides a record, the other fields get tested more. */
export const mostly = <T, U>(usual: Arbitrary<T>, rare: Arbitrary<U>, weight = 12): Arbitrary<T | U> =>
  fc.oneof({ weight, arbitrary: usual }, { weight: 1, arbitrary: rare })
export const orUnknown = (values: readonly string[]) => mostly(oneOf(values), unknown, 24)
export const some = <T>(values: readonly T[], most = values.length) =>
  fc.uniqueArray(oneOf(values), { maxLength: most })
export const time = fc.integer({ min: -2, max: 2 }).map(hours => NOW + hours * HOUR)

/** Most items of a pool, each with its own facts; the others are missing. */
export function someOf<T, U>(pool: readonly T[], facts: (item: T) => Arbitrary<U>): Arbitrary<U[]> {
  return fc
    .tuple(...pool.map(item => mostly(facts(item), fc.constant(null), 10)))
    .map(found => found.flatMap(item => (item === null ? [] : [item])))
}

/** The main activity in a world: memories, a mediation, or a shared corpus. */
export const SETTINGS = ['memory', 'mediation', 'mediation', 'sharing'] as const
export type Setting = (typeof SETTINGS)[number]

/** Values that fit a setting, and sometimes values of another. */
export function usually<T>(of: Readonly<Record<Setting, Arbitrary<T>>>, setting: Setting): Arbitrary<T> {
  return mostly(of[setting], fc.oneof(...Object.values(of)), 5)
}

/** Replaces a few parts of a value. With too many, a record is hidden for so many reasons that none is tested. */
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
