import type { Need } from '../needs.js'

/** What something is about, in words so general that they tell nothing of what happened. Specific ones come first. */
export const TOPICS = [
  'FIDELITY',
  'ALCOHOL',
  'INTIMACY',
  'EXTENDED_FAMILY',
  'MONEY',
  'CHILDREN',
  'HOUSEHOLD',
  'PUNCTUALITY',
  'HEALTH',
  'ARGUMENTS',
  'CONVERSATION',
  'MESSAGES',
  'SCREENS',
  'FRIENDS',
  'WORK',
  'FUTURE',
  'FAITH',
  'PETS',
  'SPECIAL_DAYS',
  'HOME',
  'TIME',
] as const
export type Topic = (typeof TOPICS)[number]

/** A name to be said, and patterns of what expresses it, over the text that `plainText` returns. */
export interface Entry {
  readonly name: string
  readonly words: string
}

/** The wordings of what crosses the bridge, the plainest first. `{topic}`, `{need}` and `{feeling}` are names of ours. */
export interface Wordings {
  readonly needAndFeeling: readonly string[]
  readonly need: readonly string[]
  readonly feeling: readonly string[]
  readonly topic: readonly string[]
}

/** What one language says for needs, feelings and topics, and what in it blames or insults. */
export interface MessageLexicon {
  readonly topics: Readonly<Record<Topic, Entry>>
  readonly needs: Readonly<Record<Need, Entry>>
  /** By the English name of the feeling. Only what the speaker says of themselves counts. */
  readonly feelings: Readonly<Record<string, Entry>>
  /** Begins a remark that means the contrary of what it says. */
  readonly irony: string
  readonly feelingAlone: readonly string[]
  readonly event: Wordings
  /** With a topic, and without one. */
  readonly need: { readonly about: Wordings; readonly alone: Wordings }
  readonly boundary: { readonly about: Wordings; readonly alone: Wordings }
  /** What tells of a need, a feeling, a wish or a boundary. */
  readonly tells: string
  readonly attacks: string
  readonly accuses: string
}
