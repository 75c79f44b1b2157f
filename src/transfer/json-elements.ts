import { asUtf8 } from './decode.js'
import type { Bytes } from './item.js'

/** A part of a JSON document. In a path, `*` matches any index of a list. */
export type JsonPart =
  | { readonly kind: 'value'; readonly path: readonly string[]; readonly value: unknown }
  | { readonly kind: 'problem'; readonly problem: string }

/** Longer elements are dropped while they are read. */
const MOST_CHARACTERS = 64 * 1_048_576

/**
 * Reads a JSON document of any size as a stream: the wanted elements by path (`chats.list.*.messages.*`), each parsed
 * when it is complete, and the plain values outside of them. Only one element is in memory at a time.
 */
export async function* jsonElements(
  source: Bytes,
  isWanted: (path: string) => boolean,
): AsyncGenerator<JsonPart> {
  const decoder = new TextDecoder()
  const scanner = new Scanner(isWanted)
  for await (const chunk of asUtf8(source)) yield* scanner.scan(decoder.decode(chunk, { stream: true }))
  yield* scanner.end()
}

interface Open {
  readonly list: boolean
  key: string
}

class Scanner {
  readonly #isWanted: (path: string) => boolean
  readonly #open: Open[] = []
  #expectsKey = false
  #sawAnything = false
  /** The string or number that is being read outside of a wanted element. */
  #token = ''
  #in: 'nothing' | 'string' | 'literal' | 'element' = 'nothing'
  /** State within an element: its text so far, its depth, whether inside a string, and whether after a backslash. */
  #element: string[] = []
  #length = 0
  #depth = 0
  #quoted = false
  #escaped = false

  constructor(isWanted: (path: string) => boolean) {
    this.#isWanted = isWanted
  }

  *scan(text: string): Generator<JsonPart> {
    let start = 0
    for (let at = 0; at < text.length; at++) {
      const character = text[at] as string
      switch (this.#in) {
        case 'element':
          if (!this.#closes(character)) break
          this.#keep(text.slice(start, at + 1))
          yield this.#takeElement()
          break
        case 'string':
          this.#token += character
          if (this.#escaped) this.#escaped = false
          else if (character === '\\') this.#escaped = true
          else if (character === '"') yield* this.#takeString()
          break
        case 'literal':
          if (/[^\s,\]}]/.test(character)) {
            this.#token += character
            break
          }
          yield* this.#takeValue()
          this.#structure(character)
          break
        case 'nothing':
          if (/[\s\ufeff]/.test(character)) break
          this.#sawAnything = true
          if (character === '"') this.#begin('string', character)
          else if ('{[]},:'.includes(character)) {
            if (this.#structure(character)) start = at
          } else this.#begin('literal', character)
      }
    }
    if (this.#in === 'element') this.#keep(text.slice(start))
  }

  *end(): Generator<JsonPart> {
    if (this.#in === 'literal' && this.#open.length === 0) yield* this.#takeValue()
    if (this.#in !== 'nothing' || this.#open.length > 0 || !this.#sawAnything)
      yield { kind: 'problem', problem: this.#sawAnything ? 'ends before it is complete' : 'is empty' }
  }

  #begin(token: 'string' | 'literal', character: string): void {
    this.#in = token
    this.#token = character
    this.#escaped = false
  }

  get #path(): string[] {
    return this.#open.map(({ list, key }) => (list ? '*' : key))
  }

  /** Returns whether a wanted element begins at this character. */
  #structure(character: string): boolean {
    if (character === '{' || character === '[') {
      if (this.#isWanted(this.#path.join('.'))) {
        this.#in = 'element'
        this.#depth = 1
        this.#quoted = false
        this.#escaped = false
        return true
      }
      this.#open.push({ list: character === '[', key: '' })
      this.#expectsKey = character === '{'
    } else if (character === '}' || character === ']') this.#open.pop()
    else if (character === ',') this.#expectsKey = this.#open.at(-1)?.list === false
    return false
  }

  *#takeString(): Generator<JsonPart> {
    const open = this.#open.at(-1)
    if (!this.#expectsKey || open === undefined) {
      yield* this.#takeValue()
      return
    }
    this.#in = 'nothing'
    this.#expectsKey = false
    open.key = String(parsed(this.#token) ?? '')
  }

  *#takeValue(): Generator<JsonPart> {
    this.#in = 'nothing'
    const value = parsed(this.#token)
    yield value === undefined
      ? { kind: 'problem', problem: 'is not JSON' }
      : { kind: 'value', path: this.#path, value }
  }

  /** Returns whether the current element ends at this character. */
  #closes(character: string): boolean {
    if (this.#quoted) {
      if (this.#escaped) this.#escaped = false
      else if (character === '\\') this.#escaped = true
      else if (character === '"') this.#quoted = false
    } else if (character === '"') this.#quoted = true
    else if (character === '{' || character === '[') this.#depth++
    else if (character === '}' || character === ']') this.#depth--
    return this.#depth === 0
  }

  #keep(text: string): void {
    this.#length += text.length
    if (this.#length <= MOST_CHARACTERS) this.#element.push(text)
    else this.#element = []
  }

  #takeElement(): JsonPart {
    const tooLong = this.#length > MOST_CHARACTERS
    const value = tooLong ? undefined : parsed(this.#element.join(''))
    this.#in = 'nothing'
    this.#element = []
    this.#length = 0
    if (tooLong) return { kind: 'problem', problem: `is longer than ${MOST_CHARACTERS} characters` }
    if (value === undefined) return { kind: 'problem', problem: 'is not JSON' }
    return { kind: 'value', path: this.#path, value }
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
