import { createHash } from 'node:crypto'

/** A small seeded generator: the same seed creates the same world everywhere. */
export interface Random {
  /** An integer from 0 up to but not including `below`. */
  below(below: number): number
  chance(probability: number): boolean
  pick<T>(from: readonly T[]): T
  /** Some of the items, possibly none, in their order. */
  some<T>(from: readonly T[], probability: number): T[]
}

export function random(seed: number): Random {
  let state = seed >>> 0
  // mulberry32
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = state
    t = Math.imul(t ^ (t >>> 15), t | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32
  }
  const self: Random = {
    below: below => Math.floor(next() * below),
    chance: probability => next() < probability,
    pick(from) {
      const picked = from[self.below(from.length)]
      if (picked === undefined) throw new Error('nothing to pick from')
      return picked
    },
    some: (from, probability) => from.filter(() => self.chance(probability)),
  }
  return self
}

/**
 * The generator of something that has a name: what it draws depends on its name alone, so whatever is added beside it
 * changes nothing for it.
 */
export function randomOf(...names: readonly string[]): Random {
  return random(createHash('sha256').update(JSON.stringify(names)).digest().readUInt32LE())
}

/** Picks one of several names. Another name among them replaces some of the picks and leaves the others. */
export function pickName<Name extends string>(key: string, names: readonly Name[]): Name {
  const drawn = names.map(name => ({ name, number: randomOf(key, name).below(2 ** 30) }))
  const [first] = drawn.sort((a, b) => a.number - b.number)
  if (first === undefined) throw new Error('nothing to pick from')
  return first.name
}
