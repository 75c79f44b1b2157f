import { cleanExtractedText } from '../../documents/extract/clean-text.js'
import type { Bytes, Item } from '../item.js'
import { jsonElements } from '../json-elements.js'
import { cleanName, omitEmpty } from '../names.js'

/** Reads `conversations.json` of a ChatGPT export, one record per message of the branch that the app shows. */
export async function* readChatGpt(source: Bytes): AsyncGenerator<Item> {
  let count = 0
  for await (const part of jsonElements(source, path => path === '*')) {
    if (part.kind === 'problem') {
      yield { kind: 'problem', where: `after conversation ${count}`, problem: part.problem }
      continue
    }
    count++
    yield* readConversation(part.value, count)
  }
}

interface Node {
  readonly message?: Message | null
  readonly parent?: string | null
}
interface Message {
  readonly author?: { readonly role?: unknown }
  readonly create_time?: unknown
  readonly content?: { readonly parts?: unknown; readonly text?: unknown }
  readonly metadata?: { readonly is_visually_hidden_from_conversation?: unknown }
}
interface Conversation {
  readonly title?: unknown
  readonly id?: unknown
  readonly conversation_id?: unknown
  readonly create_time?: unknown
  readonly current_node?: unknown
  readonly mapping?: Readonly<Record<string, Node>>
}

function* readConversation(value: unknown, count: number): Generator<Item> {
  const where = `conversation ${count}`
  if (typeof value !== 'object' || value === null || !('mapping' in value)) {
    yield { kind: 'problem', where, problem: 'is not a conversation' }
    return
  }
  const conversation = value as Conversation
  const title = cleanName(conversation.title)
  const id = conversation.conversation_id ?? conversation.id
  const name = cleanName(id) ?? cleanName(`${where} ${title ?? ''}`)
  let turn = 0
  for (const [at, message] of branchOf(conversation).entries()) {
    const here = `${where}, message ${at + 1}`
    const role = message.author?.role
    const hidden = message.metadata?.is_visually_hidden_from_conversation === true
    if (hidden || (role !== 'user' && role !== 'assistant')) continue
    const text = cleanExtractedText(textOf(message)).trim()
    if (text === '') {
      yield { kind: 'skipped', where: here, why: 'holds no text' }
      continue
    }
    yield {
      kind: 'record',
      where: here,
      draft: omitEmpty({
        kind: 'episodic',
        title,
        text,
        conversation: name,
        turn: ++turn,
        speaker: role,
        occurredAt: momentOf(message.create_time) ?? momentOf(conversation.create_time),
        tags: ['chat'],
        fields: { from: role },
        provenance: omitEmpty({
          source: 'ChatGPT',
          uri: typeof id === 'string' ? `urn:chatgpt:${encodeURIComponent(id).slice(0, 500)}` : undefined,
        }),
      }),
    }
  }
}

/** The visible messages, followed back from the last one to the first. */
function branchOf({ mapping = {}, current_node }: Conversation): Message[] {
  const nodes = new Map(Object.entries(mapping))
  const messages: Message[] = []
  const seen = new Set<string>()
  let at = typeof current_node === 'string' ? current_node : [...nodes.keys()].at(-1)
  while (typeof at === 'string' && !seen.has(at)) {
    seen.add(at)
    const node = nodes.get(at)
    if (node?.message) messages.push(node.message)
    at = node?.parent ?? undefined
  }
  return messages.reverse()
}

function textOf({ content }: Message): string {
  const parts = Array.isArray(content?.parts) ? content.parts : [content?.text]
  return parts.filter(part => typeof part === 'string').join('\n')
}

function momentOf(seconds: unknown): string | undefined {
  if (typeof seconds !== 'number' || !(seconds > 0)) return undefined
  const at = new Date(seconds * 1_000)
  return Number.isNaN(at.getTime()) ? undefined : at.toISOString()
}
