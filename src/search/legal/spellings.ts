interface Node<Value> {
  readonly next: Map<string, Node<Value>>
  value?: Value
}

/** Ignored between the letters of an abbreviation: `F. Supp. 2d`, `F.Supp.2d` and `F Supp 2d` are the same. */
const PASSED_OVER = /[.'’\s]/
const MOST_PASSED_OVER = 5
const LETTER_OR_DIGIT = /[\p{L}\p{N}]/u

export interface SpellingMatch<Value> {
  readonly value: Value
  /** The end of the match, including the period of an abbreviation. */
  readonly end: number
}

/** Finds abbreviations and names in a text, ignoring case, periods, apostrophes and spaces. */
export class Spellings<Value> {
  readonly #root: Node<Value> = { next: new Map() }

  /** If a spelling is added twice, its first value is kept. */
  add(spelling: string, value: Value): void {
    let node = this.#root
    for (const letter of lettersOf(spelling)) {
      let next = node.next.get(letter)
      if (next === undefined) {
        next = { next: new Map() }
        node.next.set(letter, next)
      }
      node = next
    }
    node.value ??= value
  }

  /** Finds the longest spelling that begins at a place and ends at the end of a word. Its length bounds the work. */
  longest(text: string, at: number): SpellingMatch<Value> | undefined {
    let node = this.#root
    let found: SpellingMatch<Value> | undefined
    let passed = 0
    let lines = 0
    for (let place = at; place < text.length; place++) {
      const char = text.charAt(place)
      if (PASSED_OVER.test(char)) {
        passed++
        if (char === '\n') lines++
        if (place === at || passed > MOST_PASSED_OVER || lines > 1) break
        continue
      }
      passed = 0
      lines = 0
      let next: Node<Value> | undefined = node
      for (const letter of char === '&' ? 'and' : char === '–' ? '-' : char.toLowerCase())
        next = next?.next.get(letter)
      if (next === undefined) break
      node = next
      if (node.value === undefined || LETTER_OR_DIGIT.test(text.charAt(place + 1))) continue
      found = { value: node.value, end: place + (text.charAt(place + 1) === '.' ? 2 : 1) }
    }
    return found
  }
}

/**
 * The end of a name without the period of the sentence: the period belongs to `I.R.C.`, but not to `Exchange Act.`
 */
export function endOfName(text: string, start: number, end: number): number {
  const name = text.slice(start, end)
  return /^[^.]*\.$/.test(name) ? end - 1 : end
}

const lettersOf = (spelling: string) =>
  spelling
    .toLowerCase()
    .replaceAll('&', 'and')
    .replace(/[.'’\s]/g, '')
