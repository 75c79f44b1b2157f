import type { Statement } from '../../policy/recognise/statements.js'
import type { Source } from '../write-records.js'

/** A turn of a conversation, as it is read for facts. */
export interface TurnToRead {
  readonly text: string
  /** Who said it; the owner's own name for the owner. */
  readonly speaker: string
  readonly at: Date
  /** Whether what it says is taken for facts: what an assistant or a tool says is not. */
  readonly states: boolean
}

/** A turn that was written. */
export interface KeptTurn extends TurnToRead {
  readonly source: Source
  readonly language: string | null
}

/** A fact that a turn states, before it is compared with what is known. */
export interface FoundFact
  extends Pick<
    Statement,
    | 'attribute'
    | 'value'
    | 'kind'
    | 'fixed'
    | 'confidence'
    | 'validFrom'
    | 'validTo'
    | 'due'
    | 'start'
    | 'end'
  > {
  /** The place of its turn among those that were captured together. */
  readonly turn: number
  readonly subject: string
  /** Whether the subject is a person, whose consent counts. */
  readonly isPerson: boolean
  readonly text: string
}
