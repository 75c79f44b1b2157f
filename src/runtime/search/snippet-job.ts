import { makeSnippet, type TextSnippet } from '../../search/snippet.js'
import type { PassageBounds } from '../deliver.js'
import type { JobResult } from '../threads/threads.js'

export interface SnippetInput {
  readonly text: string
  readonly words: ReadonlySet<string>
  readonly bounds: PassageBounds
}

/** Cuts the snippet of a text in a thread. */
export default ({ text, words, bounds }: SnippetInput): JobResult<TextSnippet> => ({
  value: makeSnippet(text, term => words.has(term), bounds),
})
