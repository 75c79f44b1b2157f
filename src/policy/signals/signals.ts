/** What a person in distress may be going through. */
export const DISTRESS_KINDS = ['self_harm', 'violence', 'overwhelmed'] as const
export type DistressKind = (typeof DISTRESS_KINDS)[number]

/**
 * The phrases of one language that decide how a turn goes: patterns over text in lower case, without accents and
 * apostrophes, in which a dot between spaces ends a clause.
 */
export interface Signals {
  readonly distress: Readonly<Record<DistressKind, readonly string[]>>
  /** Something that was agreed or promised. */
  readonly commitment: readonly string[]
  /** A wish to leave out a part of the process. */
  readonly skipping: readonly string[]
}

/** The end of a clause. */
export const END = '(?= \\.|$)'
