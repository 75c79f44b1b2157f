/** A silence after which a chat that goes on for years begins another conversation. */
const SILENCE_MS = 6 * 3_600_000

/** The place of a message in its chat, as records have it. */
export interface ChatTurn {
  readonly conversation: string
  readonly turn: number
}

/**
 * Numbers the messages of chats in the order in which they are read. A chat is cut into conversations where nobody wrote
 * for some hours; each is named after the chat and the moment of its first message.
 */
export class ChatTurns {
  readonly #chats = new Map<string, { conversation: string; turn: number; last: number }>()

  next(chat: string, at: string): ChatTurn {
    const now = Date.parse(at)
    const known = this.#chats.get(chat)
    const goesOn = known !== undefined && Math.abs(now - known.last) < SILENCE_MS
    const conversation = goesOn ? known.conversation : nameOf(chat, at)
    const turn = goesOn ? known.turn + 1 : 1
    this.#chats.set(chat, { conversation, turn, last: now })
    return { conversation, turn }
  }
}

/** Names hold at most 200 bytes. */
const nameOf = (chat: string, at: string) => `${shortened(chat, 150)} ${at}`

function shortened(name: string, mostBytes: number): string {
  let kept = ''
  for (const character of name) {
    if (Buffer.byteLength(kept + character) > mostBytes) break
    kept += character
  }
  return kept
}
