import type { TextSnippet, WordMeant } from '../../search/snippet.js'
import type { PassageAllowance, PassageBounds } from '../deliver.js'
import type { ReadRequest } from '../request.js'
import { jobModule } from '../threads/threads.js'
import type { Result } from './run.js'
import type { SnippetInput } from './snippet-job.js'

/** The snippets of long texts, by record. What is short is cut when it is described. */
export type LongSnippets = ReadonlyMap<string, TextSnippet>

/** Texts with more characters are looked through in another thread, because that takes longer than to ask it. */
const LONG_TEXT = 65_536

const SNIPPET_JOB = jobModule('runtime/search/snippet-job.js')

/** Cuts the snippets of long texts while other requests are answered (OP-8). */
export async function cutLongSnippets(
  { parts: { threads, party } }: ReadRequest,
  results: readonly Pick<Result, 'row' | 'view'>[],
  words: ReadonlyMap<string, WordMeant>,
  asked: PassageBounds,
  allowance: PassageAllowance,
): Promise<LongSnippets> {
  const snippets = new Map<string, TextSnippet>()
  for (const { row, view } of results) {
    const { text, bounds } = allowance.atMost(row, view.face, asked)
    if (text.length <= LONG_TEXT || snippets.has(row.id)) continue
    const input: SnippetInput = { text, words, bounds, title: view.payload?.title ?? '' }
    snippets.set(row.id, await threads.run<TextSnippet>(party, { module: SNIPPET_JOB, input }))
  }
  return snippets
}
