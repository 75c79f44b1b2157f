import { type Heading, UnreadableFile } from './extracted.js'

/**
 * Builds plain text from marked-up pieces: white space collapses to one space, lines end with `\n`, paragraphs are
 * separated by an empty line and the cells of a row by tabs.
 */
export class TextFlow {
  readonly #most: number
  readonly #pieces: string[] = []
  readonly #headings: Heading[] = []
  #length = 0
  #breaks = 0
  #space = false
  /** Whether nothing was written since the current line or cell began. */
  #fresh = true
  #rowStart = 0
  #heading: { readonly level: number; start: number | null } | null = null

  constructor(most: number) {
    this.#most = most
  }

  get length(): number {
    return this.#length
  }

  write(text: string): void {
    const words = text.replace(/[ \t\n\r\f\u00a0]+/g, ' ')
    if (words === '') return
    if (words.startsWith(' ')) this.#space = true
    // `trim` would also remove other kinds of space, which are text here.
    const inner = words.slice(words.startsWith(' ') ? 1 : 0, words.endsWith(' ') ? -1 : undefined)
    if (inner === '') return
    this.#put(inner)
    this.#space = words.endsWith(' ')
  }

  /** Writes text whose white space is significant. */
  verbatim(text: string): void {
    if (text === '') return
    this.#put(text.replace(/\r\n?/g, '\n').replaceAll('\u00a0', ' '))
  }

  /** Starts a new line or paragraph before the next text. */
  break(kind: 'line' | 'paragraph'): void {
    this.#space = false
    if (this.#fresh) return
    this.#breaks = Math.max(this.#breaks, kind === 'line' ? 1 : 2)
  }

  /** Starts the next cell of the row. */
  cell(): void {
    this.#space = false
    this.#breaks = 0
    this.#append('\t')
    this.#fresh = true
  }

  /** Writes pending line breaks now, so that breaks inside the first cell cannot add to them. */
  openRow(): void {
    this.break('line')
    if (this.#breaks > 0) this.#append('\n'.repeat(this.#breaks))
    this.#breaks = 0
    this.#fresh = true
    this.#rowStart = this.#length
  }

  /** Ends the line even if the last cells of the row are empty. */
  closeRow(): void {
    this.#fresh = this.#length === this.#rowStart
    this.break('line')
  }

  openHeading(level: number): void {
    this.break('paragraph')
    this.#heading ??= { level, start: null }
  }

  closeHeading(): void {
    const heading = this.#heading
    this.#heading = null
    if (heading !== null && heading.start !== null)
      this.#headings.push({ start: heading.start, end: this.#length, level: heading.level })
    this.break('paragraph')
  }

  finish(): { readonly text: string; readonly headings: readonly Heading[] } {
    this.closeHeading()
    return { text: this.#pieces.join(''), headings: this.#headings }
  }

  #put(text: string): void {
    if (this.#breaks > 0) this.#append('\n'.repeat(this.#breaks))
    else if (this.#space && !this.#fresh) this.#append(' ')
    this.#breaks = 0
    this.#space = false
    this.#fresh = false
    if (this.#heading !== null) this.#heading.start ??= this.#length
    this.#append(text)
  }

  #append(text: string): void {
    // An HTML entity may yield an unpaired surrogate, and any text may hold NUL.
    const whole = text.replaceAll('\0', '').replace(/\p{Cs}/gu, '\ufffd')
    this.#length += whole.length
    if (this.#length > this.#most) throw new UnreadableFile('too_large', 'holds too much text')
    this.#pieces.push(whole)
  }
}
