import type { DateOrder } from '../formats.js'
import type { Bytes, Item } from '../item.js'
import { type InputLine, readLines } from '../lines.js'
import { cleanName, cleanNames } from '../names.js'
import { ChatTurns } from '../turns.js'

export interface WhatsAppOptions {
  readonly encoding?: string | undefined
  /** The order of day, month and year. Default: detected from the dates in the export. */
  readonly dateOrder?: DateOrder | undefined
  /** The person that the chat is with, or the name of the group. */
  readonly chat?: string | undefined
}

const MOST_BYTES = 2 * 1_048_576

/**
 * The first line of a message: `31/12/23, 21:41 - Ana: …` on Android, `[31.12.2023, 9:41:05 PM] Ana: …` on iOS.
 * Direction marks may occur anywhere before the text.
 */
const START =
  /^[\u200e\u200f\u202a-\u202c]*\[?(\d{1,4})[./-](\d{1,2})[./-](\d{1,4}),?\s+(\d{1,2})[:.](\d{2})(?:[:.](\d{2}))?(?:\s*([ap])\.?\s?m\.?)?\]?(?:\s+[-–]\s+|\s+)([\s\S]*)$/iu

/** Whether a line begins a message of a WhatsApp export. */
export const isWhatsAppLine = (line: string): boolean => {
  const match = START.exec(line)
  return match !== null && /^[\u200e\u200f\u202a-\u202c]*\[|\s[-–]\s/u.test(line)
}

/** Placeholders for images, deleted messages and the like. */
const NO_TEXT =
  /^[\u200e\u200f]*(?:<[^<>]*(?:omitted|attached|weggelassen|omitido|omis)[^<>]*>|[\p{L} -]+ omitted|this message was deleted\.?|you deleted this message\.?|null)$/iu

/**
 * Notices of the app under the name of a chat, as iOS writes them: after a mark that people do not type. The mark
 * alone is not enough, because it also precedes media that people sent.
 */
const NOTICE =
  /^\u200e(?:messages and calls are end-to-end encrypted|nachrichten und anrufe sind ende-zu-ende|los mensajes y las llamadas est|les messages et les appels sont|as mensagens e as |your security code with .* changed|.{1,100} (?:created this group|changed the group|added you|joined using|left$))/iu

interface BegunMessage {
  readonly line: number
  readonly numbers: readonly [number, number, number]
  readonly hour: number
  readonly minute: number
  readonly second: number
  readonly from: string | undefined
  readonly text: string[]
}

/**
 * Reads the text export of a chat, one record per message. It reads twice, because the date order depends on all
 * dates.
 */
export async function* readWhatsApp(
  open: () => Bytes,
  { encoding, dateOrder, chat }: WhatsAppOptions = {},
): AsyncGenerator<Item> {
  const lines = () => readLines(open(), { mostBytes: MOST_BYTES, encoding })
  const order = dateOrder ?? (await findDateOrder(lines()))
  const name = cleanName(chat)
  const turns = new ChatTurns()
  let message: BegunMessage | undefined
  for await (const line of lines()) {
    if ('problem' in line) {
      yield { kind: 'problem', where: `line ${line.number}`, problem: line.problem }
      continue
    }
    const next = begin(line.number, line.text)
    if (next === undefined) {
      if (message !== undefined) message.text.push(line.text)
      else if (line.text.trim() !== '')
        yield { kind: 'problem', where: `line ${line.number}`, problem: 'is not part of a message' }
      continue
    }
    if (message !== undefined) yield finish(message, order, name, turns)
    message = next
  }
  if (message !== undefined) yield finish(message, order, name, turns)
}

/**
 * Detects the order from numbers that cannot be a month. If all dates are ambiguous, a 12-hour clock means American
 * order.
 */
async function findDateOrder(lines: AsyncIterable<InputLine>): Promise<DateOrder> {
  let american = false
  for await (const line of lines) {
    const match = 'text' in line ? START.exec(line.text) : null
    if (match === null) continue
    const [first = 0, second = 0] = match.slice(1, 3).map(Number)
    if (first > 31) return 'ymd'
    if (first > 12) return 'dmy'
    if (second > 12) return 'mdy'
    american ||= match[7] !== undefined
  }
  return american ? 'mdy' : 'dmy'
}

function begin(line: number, text: string): BegunMessage | undefined {
  const match = isWhatsAppLine(text) ? START.exec(text) : null
  if (match === null) return undefined
  const [, a, b, c, hour, minute, second, half, rest = ''] = match
  const [, from, said] = /^[\u200e\u200f\u202a-\u202c~\s]*([^:]{1,100}?):(?:\s([\s\S]*))?$/u.exec(rest) ?? []
  return {
    line,
    numbers: [Number(a), Number(b), Number(c)],
    hour: half === undefined ? Number(hour) : (Number(hour) % 12) + (/p/i.test(half) ? 12 : 0),
    minute: Number(minute),
    second: Number(second ?? 0),
    from: cleanName(from),
    text: [from === undefined ? rest : (said ?? '')],
  }
}

function finish(message: BegunMessage, order: DateOrder, chat: string | undefined, turns: ChatTurns): Item {
  const where = `line ${message.line}`
  if (message.from === undefined || NOTICE.test(message.text[0] ?? ''))
    return { kind: 'skipped', where, why: 'is a notice of the app' }
  const text = message.text
    .join('\n')
    .replace(/^[\u200e\u200f]+/u, '')
    .trim()
  if (text === '' || NO_TEXT.test(text)) return { kind: 'skipped', where, why: 'holds no text' }
  const at = momentOf(message, order)
  if (at === undefined) return { kind: 'problem', where, problem: 'has a date that does not exist' }
  return {
    kind: 'record',
    where,
    draft: {
      kind: 'episodic',
      text,
      occurredAt: at.toISOString(),
      ...turns.next(chat ?? 'WhatsApp', at.toISOString()),
      speaker: message.from,
      participants: cleanNames([message.from, chat]),
      tags: ['chat'],
      fields: { from: message.from, ...(chat === undefined ? {} : { chat }) },
      provenance: { source: 'WhatsApp' },
    },
  }
}

/** Uses the time zone of this machine, because the export names none. */
function momentOf({ numbers, hour, minute, second }: BegunMessage, order: DateOrder): Date | undefined {
  const [a, b, c] = numbers
  const [year, month, day] = order === 'ymd' ? [a, b, c] : order === 'dmy' ? [c, b, a] : [c, a, b]
  const full = year < 100 ? 2_000 + year : year
  const at = new Date(full, month - 1, day, hour, minute, second)
  const exists = at.getMonth() === month - 1 && at.getDate() === day && hour < 24 && minute < 60
  return exists ? at : undefined
}
