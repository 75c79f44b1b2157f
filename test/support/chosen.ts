import { readFileSync } from 'node:fs'
import { beforeEach } from 'vitest'
import { deep, few } from './depth.js'
import type { NamedMutation } from './mutants.js'

/** What `npm run test:near` leaves to run, by area, and until when. */
export interface NearRun {
  readonly names: Readonly<Record<string, readonly string[]>>
  /** In milliseconds of the epoch. */
  readonly until: number
}

const near: NearRun | null = process.env.PRIVITY_NEAR
  ? JSON.parse(readFileSync(process.env.PRIVITY_NEAR, 'utf8'))
  : null

/** Whether this run breaks more than witnesses: of leaks that the same check sees, `npm test` has one. */
export const breaksAll = deep || near !== null

/**
 * What of an area is broken on purpose in this run: everything in the deep run, what a change touches in the near one,
 * and in `npm test` the witnesses, which guard the machinery itself. Called in the `describe` of its tests, which are
 * skipped once a near run has no time left.
 */
export function chosen<Entry extends readonly [name: string, ...unknown[]]>(
  area: string,
  all: readonly Entry[],
  witnesses: readonly Entry[],
): readonly Entry[] {
  if (near === null) return deep ? all : witnesses
  const { names, until } = near
  beforeEach(({ skip }) => {
    if (Date.now() > until) skip('no time left')
  })
  return (names[area] ?? []).map(name => {
    const found = all.find(([own]) => own === name)
    if (found === undefined) throw new Error(`there is nothing called "${name}" in ${area}`)
    return found
  })
}

/** The first mutants of a few files, which show that the laws catch mutants at all. */
export function someMutants(all: readonly NamedMutation[]): readonly NamedMutation[] {
  const firsts = new Map(all.toReversed().map(mutant => [mutant[1].file, mutant]))
  return few([...firsts.values()], 3)
}
