import { tool } from 'ai'
import { z } from 'zod'
import type { Handle } from '../handle.js'
import type { InputOf } from '../operations.js'
import { asData } from '../runtime/data-markers.js'
import { draft } from '../runtime/draft.js'
import type { RequestOptions } from '../runtime/runtime.js'

export interface PrivityToolsOptions {
  /** Default search options, for what the model does not set. */
  readonly search?: Omit<InputOf<'memory.search'>, 'query'>
  readonly request?: RequestOptions
}

const { kind, text, title, tags, participants, sensitivity } = draft.shape

/**
 * Tools for a model that acts through a handle of the library or of the client. With the handle of an agent, the model
 * sees and stores what that agent may. With that of a person, it is an agent of theirs, as over MCP: people in a record
 * must have agreed, and `request.trust` says how sensitive a record may be (default: `medium`). Answers are enclosed
 * in markers that declare them as data (RC-15, PC-2).
 */
export function privityTools(
  handle: Pick<Handle, 'search' | 'get' | 'remember'>,
  { search = {}, ...options }: PrivityToolsOptions = {},
) {
  const request: RequestOptions = { ...options.request, forModel: true }
  return {
    searchMemories: tool({
      description:
        'Search what is remembered, by words and by meaning, best first. What you may not see is as if it were not there.',
      inputSchema: z.object({
        query: z.string().describe('A question or words; "quotes" for a phrase, -word to exclude.'),
        limit: z.int().min(1).max(50).optional().describe('How many results to give.'),
      }),
      async execute({ query, limit }) {
        const asked = limit === undefined ? search : { ...search, limit }
        const { results, notice, receipt } = await handle.search(query, asked, request)
        const found = results.map(({ record, score }) => ({ ...record, score }))
        return asData({ results: found, notice, searchRun: receipt.searchRunId })
      },
    }),
    getMemory: tool({
      description: 'Read one memory by its id. Null means that there is none for you to see.',
      inputSchema: z.object({ record: z.string().describe('The id, as a search gave it.') }),
      execute: async ({ record }) => asData(await handle.get(record, request)),
    }),
    remember: tool({
      description:
        'Keep something for later, in words that can be understood on their own. Name the people it is about as participants.',
      inputSchema: z.object({
        kind: kind.describe('`episodic` for what happened, `semantic` for a fact, `note` for anything else.'),
        text: text.describe('What to remember.'),
        title: title.describe('A short title.'),
        tags: tags.describe('Words to find it by.'),
        participants: participants.describe('The people it is about, by name.'),
        sensitivity: sensitivity.describe('How confidential it is.'),
      }),
      execute: async record => asData(await handle.remember(record, request)),
    }),
  }
}
