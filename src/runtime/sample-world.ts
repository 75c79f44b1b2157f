/** The things that an earlier request of the caller may have created, and the operation that creates them. */
export const MADE_BY = {
  saved_search: 'searches.save',
  capture_job: 'memory.capture',
  consent_request: 'consents.request',
  change_request: 'changes.request',
  /** The entry of the audit. */
  entry: 'memory.relate',
  library_entry: 'library.contribute',
  session: 'sessions.create',
  profile: 'profiles.create',
  view: 'views.create',
  link: 'links.grant',
  link_request: 'links.redeem',
  watched: 'bindings.create',
  contribution: 'bindings.fire',
  source: 'documents.ingest',
} as const
export type MadeThing = keyof typeof MADE_BY

/** The input of a sample request, as a caller would send it. */
export type SampleInput = Readonly<Record<string, unknown>>

/**
 * What sample requests are made of: ids that are visible, hidden, forgotten or invented, and words that occur in
 * visible and hidden records alike. Each call draws a new random value, so results depend on the order of calls.
 */
export interface SampleWorld {
  /** A value that is different in each request, to make unique names. */
  readonly key: string
  readonly people: readonly string[]
  readonly corpora: readonly string[]
  record(): string
  /** The id of something that belongs to another owner. */
  other(): string
  /** An id that does not exist. */
  missing(): string
  /** The id of something that the caller may have created earlier. */
  made(thing: MadeThing): string
  /** The id of something that the caller may have created earlier, or of something that belongs to another owner. */
  madeOrOther(thing: MadeThing): string
  /** The id of a search that the caller may have run earlier. */
  searchRun(): string
  word(): string
  /** A word as people type it: correct, cut short, or misspelt. */
  typed(): string
  tag(): string
  kind(): string
  person(): string
  corpus(): string
  /** A moment before, at or after the beginning of the world. */
  moment(): string
  pick<T>(from: readonly T[]): T
  /** A whole number from 0 up to but not including `below`. */
  below(below: number): number
  chance(probability: number): boolean
  /** The fields with the given probability, otherwise an empty object. */
  maybe<T extends object>(probability: number, fields: T): T | Record<string, never>
}

/** Filter conditions on records. */
export const sampleConditions = (world: SampleWorld): SampleInput => ({
  ...world.maybe(0.2, { tags: [world.tag()] }),
  ...world.maybe(0.15, { kinds: [world.kind()] }),
  ...world.maybe(0.15, { corpus: world.corpus() }),
  ...world.maybe(0.1, { people: [world.person()] }),
  ...world.maybe(0.1, { fields: { size: world.below(3) } }),
  ...world.maybe(0.1, { asOf: world.pick(['any', world.moment()]) }),
  ...world.maybe(0.05, { minSalience: 0.5 }),
})

/** A question whose words occur in visible and hidden records alike. */
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
