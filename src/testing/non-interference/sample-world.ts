import { MADE_BY, type SampleWorld } from '../../runtime/sample-world.js'
import { plannedKey } from './planned-request.js'
import type { Random } from './random.js'
import { CORPORA, idOf, MOMENTS, maybe, PEOPLE, TAGS, WORDS } from './world.js'

/** Ids that a viewer may know: existing, hidden, forgotten or made up. */
export interface Known {
  readonly records: readonly string[]
  readonly others: readonly string[]
  readonly key: string
  /** How the keys of all requests begin that the viewer makes. Default: `key`. */
  readonly script?: string
}

/** The material for an operation's sample request, as one viewer knows it. */
export function sampleWorld(rng: Random, { records, others, key, script = key }: Known): SampleWorld {
  const world: SampleWorld = {
    key,
    people: PEOPLE,
    corpora: CORPORA,
    record: () => (rng.chance(0.9) && records.length > 0 ? rng.pick(records) : world.missing()),
    other: () => (rng.chance(0.8) && others.length > 0 ? rng.pick(others) : world.missing()),
    missing: () => idOf(key, 'made up'),
    made: thing => idOf(keyOf(MADE_BY[thing]), thing),
    madeOrOther: thing => (rng.chance(0.7) ? world.made(thing) : world.other()),
    searchRun: () => idOf(keyOf('memory.search'), 'search', 1),
    word: () => rng.pick(WORDS),
    typed() {
      const word = world.word()
      if (rng.chance(0.15)) return `${word.slice(0, 3)}*`
      if (rng.chance(0.2)) return `${word.slice(0, -2)}x${word.slice(-1)}`
      return word
    },
    tag: () => rng.pick(TAGS),
    kind: () => rng.pick(['episodic', 'semantic', 'ai_synthesis']),
    person: () => rng.pick(PEOPLE),
    corpus: () => rng.pick(CORPORA),
    moment: () => rng.pick(MOMENTS),
    pick: from => rng.pick(from),
    below: below => rng.below(below),
    chance: probability => rng.chance(probability),
    maybe: (probability, fields) => maybe(rng, probability, fields),
  }

  /** The key of a request that the viewer may have made earlier with this operation. */
  function keyOf(operation: string): string {
    return plannedKey(script, rng.pick([operation, `${operation}#0`, `${operation}#1`]))
  }
  return world
}
