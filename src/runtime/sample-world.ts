/** What an earlier request of the caller may have made. */
export type MadeThing =
  | 'saved_search'
  | 'consent_request'
  | 'entry'
  | 'library_entry'
  | 'session'
  | 'profile'
  | 'view'
  | 'link'
  | 'link_request'
  | 'watched'
  | 'contribution'
  | 'source'

/** The input of a sample request, as a caller would send it. */
export type SampleInput = Readonly<Record<string, unknown>>

/**
 * What sample requests are made of: ids that are visible, hidden, forgotten or made up, and words that meet visible and
 * hidden records alike. Each call draws anew, and draws follow one another in the order of the calls.
 */
export interface SampleWorld {
  /** Different in each request: makes a name that nothing else has. */
  readonly key: string
  readonly people: readonly string[]
  readonly corpora: readonly string[]
  record(): string
  /** The id of something that belongs to somebody else. */
  other(): string
  /** An id that nobody has. */
  missing(): string
  /** The id of what the caller may have made a while ago. */
  made(thing: MadeThing): string
  /** The same, or the id of something that belongs to somebody else. */
  madeOrOther(thing: MadeThing): string
  /** The id of a search that the caller may have run a while ago. */
  searchRun(): string
  word(): string
  /** A word as people type it: as it stands, cut short, or with a letter wrong. */
  typed(): string
  tag(): string
  kind(): string
  person(): string
  corpus(): string
  /** Before, when or after the world begins. */
  moment(): string
  pick<T>(from: readonly T[]): T
  /** A whole number from 0 up to, not including, `below`. */
  below(below: number): number
  chance(probability: number): boolean
  /** The fields, or none of them. */
  maybe<T extends object>(probability: number, fields: T): T | Record<string, never>
}

/** Conditions on records. */
export const sampleConditions = (world: SampleWorld): SampleInput => ({
  ...world.maybe(0.2, { tags: [world.tag()] }),
  ...world.maybe(0.15, { kinds: [world.kind()] }),
  ...world.maybe(0.15, { corpus: world.corpus() }),
  ...world.maybe(0.1, { people: [world.person()] }),
  ...world.maybe(0.1, { fields: { size: world.below(3) } }),
})

/** A question that meets visible and hidden words alike. */
export function sampleQuestion(world: SampleWorld): SampleInput {
  const words = Array.from({ length: 1 + world.below(3) }, () => world.typed())
  const more = [
    ...(world.chance(0.2) ? [`"${world.word()} ${world.word()}"`] : []),
    ...(world.chance(0.2) ? [`-${world.word()}`] : []),
    ...(world.chance(0.2) ? [world.tag()] : []),
  ]
  return {
    query: [...words, ...more].join(' '),
    ...sampleConditions(world),
    ...world.maybe(0.2, { stemming: false }),
    ...world.maybe(0.2, {
      synonyms: [
        { of: world.word(), terms: [world.word()], ...world.maybe(0.5, { corpus: world.corpus() }) },
      ],
    }),
    ...world.maybe(0.1, { posture: 'metadata_primary' }),
  }
}
