import { cleanExtractedText } from '../../documents/extract/clean-text.js'
import type { Bytes, Item } from '../item.js'
import { jsonElements } from '../json-elements.js'
import { cleanName, cleanNames, omitEmpty } from '../names.js'
import { ChatTurns } from '../turns.js'

/** Reads the JSON export of Telegram, of one chat or of all, one record per message. */
export async function* readTelegram(source: Bytes): AsyncGenerator<Item> {
  let chat: { name: string | undefined; isPersonal: boolean } = { name: undefined, isPersonal: false }
  const turns = new ChatTurns()
  let count = 0
  let found = false
  for await (const part of jsonElements(source, path => /(^|\.)messages\.\*$/.test(path))) {
    if (part.kind === 'problem') {
      yield { kind: 'problem', where: `after message ${count}`, problem: part.problem }
      continue
    }
    const path = part.path.join('.')
    if (/(^|\.)messages\.\*$/.test(path)) {
      count++
      found = true
      yield readMessage(part.value, count, chat, turns)
    } else if (/^(?:(?:chats|left_chats)\.list\.\*\.)?name$/.test(path))
      chat = { name: cleanName(part.value), isPersonal: false }
    else if (/^(?:(?:chats|left_chats)\.list\.\*\.)?type$/.test(path))
      chat = { ...chat, isPersonal: part.value === 'personal_chat' }
  }
  if (!found) yield { kind: 'problem', where: 'the file', problem: 'holds no messages' }
}

interface Message {
  readonly id?: unknown
  readonly type?: unknown
  readonly date?: unknown
  readonly date_unixtime?: unknown
  readonly from?: unknown
  readonly text?: unknown
}

function readMessage(
  value: unknown,
  count: number,
  chat: { readonly name: string | undefined; readonly isPersonal: boolean },
  turns: ChatTurns,
): Item {
  if (typeof value !== 'object' || value === null)
    return { kind: 'problem', where: `message ${count}`, problem: 'is not an object' }
  const message: Message = value
  const where = `message ${typeof message.id === 'number' ? message.id : count}`
  if (message.type === 'service') return { kind: 'skipped', where, why: 'is a notice of the app' }
  const text = cleanExtractedText(textOf(message.text)).trim()
  if (text === '') return { kind: 'skipped', where, why: 'holds no text' }
  const at = momentOf(message)
  if (at === undefined) return { kind: 'problem', where, problem: 'has no date' }
  const from = cleanName(message.from)
  return {
    kind: 'record',
    where,
    draft: omitEmpty({
      kind: 'episodic',
      text,
      occurredAt: at,
      ...turns.next(chat.name ?? 'Telegram', at),
      speaker: from,
      participants: cleanNames([from, chat.isPersonal ? chat.name : undefined]),
      tags: ['chat'],
      fields: omitEmpty({ from, chat: chat.name }),
      provenance: { source: 'Telegram' },
    }),
  }
}

/** A text, or a list of plain and formatted parts such as bold text and links. */
function textOf(text: unknown): string {
  if (typeof text === 'string') return text
  if (Array.isArray(text)) return text.map(textOf).join('')
  return typeof text === 'object' && text !== null && 'text' in text ? textOf(text.text) : ''
}

function momentOf({ date, date_unixtime }: Message): string | undefined {
  const seconds = typeof date_unixtime === 'string' ? Number(date_unixtime) : Number.NaN
  // Older exports only have the local time.
  const at = new Date(
    Number.isFinite(seconds) ? seconds * 1_000 : typeof date === 'string' ? date : Number.NaN,
  )
  return Number.isNaN(at.getTime()) ? undefined : at.toISOString()
}
