import { type LanguageModelMiddleware, tool } from 'ai'
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

export interface PrivityMiddlewareOptions {
  /** How many tokens what is remembered may take in each call. Default: that of `context`. */
  readonly budget?: number
  /** Keeps what the user and the model say, as turns of this conversation. Default: nothing is kept. */
  readonly conversation?: string
  readonly request?: RequestOptions
}

type Prompt = Parameters<NonNullable<LanguageModelMiddleware['transformParams']>>[0]['params']['prompt']

/**
 * Puts what is worth knowing in front of a model before each call, between data markers, and keeps what was said if it is
 * given a conversation. Whose handle it is decides as for `privityTools` (RC-15, PC-2).
 */
export function privityMiddleware(
  handle: Pick<Handle, 'context' | 'capture'>,
  { budget, conversation, ...options }: PrivityMiddlewareOptions = {},
): LanguageModelMiddleware {
  const request: RequestOptions = { ...options.request, forModel: true }
  /** A message has its place in the conversation for an id, so that the steps of one call keep it once. */
  const kept = new Set<string>()
  const keep = async (prompt: Prompt, answer: string) => {
    if (conversation === undefined) return
    const said = prompt.filter(({ role }) => role === 'user').map(textOf)
    const turns = said.map((text, at) => ({ id: `user-${at + 1}`, text, role: 'user' as const }))
    const answered = { id: `assistant-${said.length}`, text: answer, role: 'assistant' as const }
    const messages = [...turns, answered].filter(({ id, text }) => text.trim() !== '' && !kept.has(id))
    if (messages.length === 0) return
    await handle.capture({ conversation, messages }, request)
    for (const { id } of messages) kept.add(id)
  }
  return {
    specificationVersion: 'v3',
    async transformParams({ params }) {
      const about = textOf(params.prompt.findLast(({ role }) => role === 'user')).slice(0, MOST_ABOUT)
      const asked = { ...(about.trim() !== '' && { about }), ...(budget !== undefined && { budget }) }
      const { items } = await handle.context(asked, request)
      if (items.length === 0) return params
      const known = {
        role: 'system' as const,
        content: `What is remembered, for you to use:\n${asData(items)}`,
      }
      const first = params.prompt.findIndex(({ role }) => role !== 'system')
      const at = first < 0 ? params.prompt.length : first
      return { ...params, prompt: params.prompt.toSpliced(at, 0, known) }
    },
    async wrapGenerate({ doGenerate, params }) {
      const result = await doGenerate()
      const texts = result.content.map(part => (part.type === 'text' ? part.text : ''))
      await keep(params.prompt, texts.join(''))
      return result
    },
    async wrapStream({ doStream, params }) {
      const { stream, ...rest } = await doStream()
      let answer = ''
      const heard = new TransformStream<StreamPart, StreamPart>({
        transform(part, controller) {
          if (part.type === 'text-delta') answer += part.delta
          controller.enqueue(part)
        },
        flush: () => keep(params.prompt, answer),
      })
      return { ...rest, stream: stream.pipeThrough(heard) }
    },
  }
}

type StreamPart =
  Awaited<ReturnType<NonNullable<LanguageModelMiddleware['wrapStream']>>>['stream'] extends ReadableStream<
    infer Part
  >
    ? Part
    : never

/** As long as a question may be. */
const MOST_ABOUT = 500

/** The words of a message; what else it holds is left out. */
function textOf(message: Prompt[number] | undefined): string {
  if (message === undefined) return ''
  if (typeof message.content === 'string') return message.content
  return message.content.map(part => (part.type === 'text' ? part.text : '')).join('')
}
