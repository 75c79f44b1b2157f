import { makeSnippet, type TextSnippet, type WordMeant } from '../../search/snippet.js'
import type { PassageBounds } from '../deliver.js'
import type { JobResult } from '../threads/threads.js'

export interface SnippetInput {
  readonly text: string
  readonly words: ReadonlyMap<string, WordMeant>
  readonly bounds: PassageBounds
  readonly title: string
}

/** Cuts the snippet of a text in a thread. */
export default ({ text, words, bounds, title }: SnippetInput): JobResult<TextSnippet> => ({
  value: makeSnippet(text, words, bounds, title),
})
