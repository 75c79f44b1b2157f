import type { PartKind } from '../../runtime/search/router/posture.js'
import { CAPTION_MOST, headEnd, readCaptionBlock } from './caption-block.js'
import { typeOfTitle } from './document-type.js'
import { type DocumentLine, isFurniture, lastBefore, nextLine, skipSpace, tidy } from './lines.js'
import { findSigns, type Sign } from './signs.js'

/** A part of a filing: the text from `start` to `end`. */
export interface FilingPart {
  readonly kind: PartKind
  readonly title: string | null
  readonly start: number
  readonly end: number
}

export interface PagedText {
  readonly text: string
  readonly pages: readonly { readonly number: number; readonly start: number; readonly end: number }[]
  readonly headings: readonly { readonly start: number; readonly end: number }[]
}

interface Opening {
  readonly kind: PartKind
  readonly title: string | null
  readonly start: number
}

/** The longest distance between the heading of an exhibit and the title of the document in it, in characters. */
const OWN_TITLE = 300

/**
 * The parts of a filing, which partition its text; a text without any sign of a part is one lead argument. A part
 * begins with the first character of its heading, so white space before the heading belongs to the part before.
 */
export function partsOf(document: PagedText): FilingPart[] {
  const { text } = document
  if (text === '') return []
  const openings = new PartOpenings(document)
  for (const [at, sign] of openings.signs.entries()) openings.read(sign, at)
  return openings.parts()
}

/** Reads the signs of a filing in order and collects the parts that they open. */
class PartOpenings {
  readonly signs: readonly Sign[]
  readonly #document: PagedText
  readonly #openings: Opening[] = []
  /** How many headings each exhibit has. */
  readonly #labels = new Map<string, number>()
  readonly #titles = new Map<string, number>()
  /** Signs before this position are ignored: they are in a table of contents or a caption. */
  #until = 0
  /** Whether the lead argument already has a title of its own, so that another title begins another argument. */
  #isTitled = false

  constructor(document: PagedText) {
    this.#document = document
    this.signs = findSigns(document)
    for (const { kind, label, title } of this.signs) {
      const [counts, key] = kind === 'exhibit' ? [this.#labels, label] : [this.#titles, plain(title)]
      counts.set(key, (counts.get(key) ?? 0) + 1)
    }
    this.#openCaption()
  }

  parts(): FilingPart[] {
    const { text } = this.#document
    return this.#openings.map(({ kind, title, start }, at) => ({
      kind,
      title,
      start,
      end: this.#openings[at + 1]?.start ?? text.length,
    }))
  }

  /** Opens the caption as front matter; its title tells what kind of part follows. */
  #openCaption(): void {
    const { text, pages } = this.#document
    const { end, title } = readCaptionBlock(text, 0, headEnd(text, pages))
    const body = end === null ? 0 : skipFurniture(text, end)
    if (end === null || body === text.length) {
      this.#open('lead_argument', null, 0)
      return
    }
    this.#open('front_matter', null, 0)
    this.#until = end
    this.#isTitled = ['brief', 'opposition', 'reply'].includes(typeOfTitle(title ?? '') ?? '')
    const next = this.signs.find(
      ({ start, kind }) => start >= end && !['body', 'caption', 'argument'].includes(kind),
    )
    if (next !== undefined && next.start <= body) return
    const kind = kindOfTitle(title)
    this.#open(kind === 'argument' || kind === null ? 'lead_argument' : kind, title, body)
  }

  read(sign: Sign, at: number): void {
    if (sign.start < this.#until) return
    const current = this.#current
    const isInAnother = ['exhibit', 'declaration', 'proposed_order'].includes(current.kind)
    const isOwnTitle = current.kind === 'exhibit' && sign.start - current.start < OWN_TITLE
    switch (sign.kind) {
      case 'contents':
        if (!isInAnother) this.#openContents(sign, at)
        return
      case 'exhibit':
        if (current.kind === 'exhibit' && labelOf(current) === sign.label) return
        // This is an entry in a list of exhibits, not the exhibit.
        if (current.kind === 'front_matter' && !sign.isSure && this.#once(this.#labels, sign.label)) return
        this.#open('exhibit', sign.title, sign.start)
        return
      case 'proposed_order':
      case 'declaration':
      case 'certificate':
        if (this.#isRunning(sign) || (isOwnTitle && sign.kind !== 'proposed_order')) return
        this.#open(sign.kind, sign.title, sign.start)
        return
      case 'argument':
        if (isInAnother || (!sign.isKnown && (this.#titles.get(plain(sign.title)) ?? 0) > 1)) return
        // This is the heading of the argument that has just begun.
        if (sign.start <= current.start) this.#isTitled = true
        else if (this.#isTitled && this.#hasLead) this.#open('argument', sign.title, sign.start)
        else this.#resume(sign.start, sign.title)
        this.#isTitled = true
        return
      case 'body':
        if (current.kind === 'front_matter' || current.kind === 'certificate') this.#resume(sign.start, null)
        return
      case 'caption':
        this.#readCaption(sign, isOwnTitle)
    }
  }

  /** A page with a caption of its own begins a part, if the title of the caption tells the kind of part. */
  #readCaption(sign: Sign, isOwnTitle: boolean): void {
    const { text } = this.#document
    if (isOwnTitle) return
    const { end, title } = readCaptionBlock(
      text,
      sign.start,
      Math.min(text.length, sign.start + CAPTION_MOST),
    )
    const kind = kindOfTitle(title)
    if (end === null || kind === null || (kind === 'argument' && this.#current.kind === 'exhibit')) return
    this.#open(kind, title, sign.start)
    this.#until = end
  }

  #openContents(sign: Sign, at: number): void {
    const { text } = this.#document
    if (this.#current.kind !== 'front_matter') this.#open('front_matter', sign.title, sign.start)
    this.#until = contentsEnd(this.#document, sign)
    const next = skipSpace(text, this.#until, text.length)
    let following = at + 1
    // Caption signs are skipped, because a page must be read to tell whether it has a caption.
    while ((this.signs[following]?.start ?? text.length) < next || this.signs[following]?.kind === 'caption')
      following++
    const goesOn = skipFurniture(text, next)
    if (goesOn < (this.signs[following]?.start ?? text.length)) this.#resume(goesOn, null)
  }

  /** Continues the most recent argument. */
  #resume(start: number, title: string | null): void {
    const last = this.#openings.findLast(({ kind }) => kind === 'argument' || kind === 'lead_argument')
    const kind = last?.kind ?? 'lead_argument'
    if (this.#current.kind !== kind) this.#open(kind, title, start)
  }

  /** Whether a sign is a running header or footer that repeats the title of the current part. */
  #isRunning(sign: Sign): boolean {
    const [mine, theirs] = [plain(this.#current.title ?? ''), plain(sign.title)]
    return this.#current.kind === sign.kind && (mine.startsWith(theirs) || theirs.startsWith(mine))
  }

  #once(counts: Map<string, number>, key: string): boolean {
    const left = (counts.get(key) ?? 0) - 1
    counts.set(key, left)
    return left > 0
  }

  #open(kind: PartKind, title: string | null, start: number): void {
    // A blank and the combining mark after it are one letter.
    const isMark = /^[^\n]\p{M}$/u.test(this.#document.text.slice(start - 1, start + 1))
    const at = isMark ? start - 1 : start
    while ((this.#openings.at(-1)?.start ?? -1) >= at) this.#openings.pop()
    this.#openings.push({ kind, title: title === null ? null : tidy(title), start: at })
  }

  get #hasLead(): boolean {
    return this.#openings.some(({ kind }) => kind === 'lead_argument')
  }

  get #current(): Opening {
    return this.#openings.at(-1) ?? { kind: 'lead_argument', title: null, start: 0 }
  }
}

function kindOfTitle(title: string | null): PartKind | null {
  if (title === null) return null
  if (/\bproposed\b/i.test(title)) return 'proposed_order'
  if (/^(?:\S+ ){0,3}(?:declaration|affidavit|affirmation)\b/i.test(title)) return 'declaration'
  if (/^(?:certificate|proof) of\b/i.test(title)) return 'certificate'
  const type = typeOfTitle(title)
  return type !== null && ['motion', 'brief', 'opposition', 'reply'].includes(type) ? 'argument' : null
}

const plain = (title: string) =>
  title
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
const labelOf = (part: Opening) => exhibitLabel(part.title ?? '')

/** A label that is equal for all headings of an exhibit, such as `EXHIBIT A` and `Ex. A: the lease`. */
export function exhibitLabel(title: string): string {
  const [, kind = '', mark = ''] =
    /(exhibit|ex|annex|appendix|attachment|schedule)\.?\s*[“"']?([a-z0-9-]*)/i.exec(title) ?? []
  return `${kind.toLowerCase().slice(0, 2)} ${mark.toUpperCase()}`
}

const LEADER = /(?:(?:\.\s?){3,}|…|\t|\s{3,})\s*(?:\d{1,4}|[ivxlc]{1,7})(?:,.{0,40})?$|\bpassim\.?$/i
/** How many lines of a table entry may precede the line with its page number. */
const ENTRY_LINES = 8

/**
 * Where a table of contents ends: after its last entry or, without page numbers, at the end of its page or at a
 * heading.
 */
function contentsEnd({ text, pages, headings }: PagedText, sign: Sign): number {
  let last = sign.end
  let others = 0
  for (
    let line = nextLine(text, last, text.length);
    line !== null;
    line = nextLine(text, line.end, text.length)
  ) {
    if (LEADER.test(line.text)) {
      last = line.end
      others = 0
    } else if (!isFurniture(line.text) && ++others > ENTRY_LINES) break
  }
  if (last > sign.end) return last
  const page = lastBefore(pages, sign.start)
  const heading = headings.find(({ start }) => start >= sign.end)
  if (page === undefined && heading === undefined) return last
  const end = Math.max(last, Math.min(page?.end ?? text.length, heading?.start ?? text.length))
  // A part begins at the start of a line, whatever pages and headings the file declares.
  const next = skipSpace(text, end, text.length)
  const line = text.lastIndexOf('\n', next - 1) + 1
  if (skipSpace(text, line, next) === next) return end
  return nextLine(text, next, text.length)?.end ?? text.length
}

/** Skips blank lines, stamps and page numbers. */
function skipFurniture(text: string, from: number): number {
  let line: DocumentLine | null = nextLine(text, from, text.length)
  while (line !== null && isFurniture(line.text)) line = nextLine(text, line.end, text.length)
  return line?.start ?? text.length
}
