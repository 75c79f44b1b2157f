import { ByteWriter, NumberWriter } from './bytes.js'
import type { Hits } from './hits.js'
import {
  detectLanguage,
  evidenceOf,
  LANGUAGES,
  type Language,
  LanguageCount,
  LOOKED_AT,
  type WordEvidence,
} from './languages.js'
import { compareBytes, encodeUtf8, type Lexicon, LexiconWriter } from './lexicon.js'
import type { Mask, MaskLevel } from './mask.js'
import { stemKey } from './stem.js'
import { TermTable } from './term-table.js'
import { eachWord, plainTerm, type WordVisitor } from './tokenize.js'
import { LONGEST_WITH_TRAITS, traitsOfTerm } from './traits.js'

/** The number of postings in a block. A block without a visible document is skipped unread. */
const BLOCK = 128

/** The distance in positions between two parts of a text, so that no phrase matches across them. */
const PART_GAP = 100

/**
 * The first character of a key that is not a word. Keys can be searched, but are not counted, suggested or completed.
 */
const KEY = '\u0001'
export const keyTerm = (key: string): string => KEY + key

/** The searchable text of a face. */
export interface FaceText {
  readonly parts: readonly string[]
  /** Null if it is to be detected, in the first two parts: the title and the text. */
  readonly language: Language | null
  /** Exact values that filters look up. */
  readonly keys: readonly string[]
}

export interface PostingsData {
  readonly terms: Lexicon
  /** The first block of each term, followed by the end of the last. */
  readonly termBlocks: Uint32Array
  /** For each block: its first document and where its bytes begin, followed by the end of the last. */
  readonly blockFirst: Uint32Array
  readonly blockAt: Uint32Array
  readonly blockPositionsAt: Uint32Array
  /** For each posting: the difference from the document before, and how often the term occurs. */
  readonly documents: Uint8Array
  /** For each posting: the differences between its positions in the text. */
  readonly positions: Uint8Array
  /** Words by their stem class (QX-1), unless the class is the word itself. */
  readonly classes: Lexicon
  readonly classTerms: Uint32Array
  /** For each document: its word count, and its language as an index into LANGUAGES. */
  readonly lengths: Uint32Array
  readonly languages: Uint8Array
}

const UNKNOWN = LANGUAGES.indexOf('und')

/** Forms of a word that begin with these many of its letters are looked for in texts of unknown language. */
const ALIKE_LETTERS = 3

/** How many terms' relatives are kept. If there are more, all are looked for again. */
const MOST_RELATIVES = 4_000

/** The inverted index of one level of one segment. It is immutable and uses the segment's document numbers. */
export class Postings {
  readonly data: PostingsData
  readonly #level: MaskLevel
  /** The indexes into LANGUAGES of the documents' languages. Only these are asked for the stem of a word. */
  readonly #languages: readonly number[]
  /** The place of the first word; keys, which are not words, come before it. */
  readonly #firstWord: number
  #alphabet: readonly string[] | null = null
  /** The relatives of terms that were asked for: the lexicon does not change. */
  readonly #relatives = new Map<string, ReadonlyMap<number, Uint8Array>>()

  constructor(data: PostingsData, level: MaskLevel) {
    this.data = data
    this.#level = level
    this.#firstWord = data.terms.withPrefix(KEY)[1]
    const spoken = new Uint8Array(LANGUAGES.length)
    for (let document = 0; document < data.languages.length; document++)
      spoken[data.languages[document] as number] = 1
    this.#languages = LANGUAGES.map((_, code) => code).filter(code => spoken[code] === 1)
  }

  /** The place of a term, or -1. This does not say whether any document with the term is visible. */
  find(term: string): number {
    return this.data.terms.find(term)
  }

  /**
   * The other terms with the same stem as `term`, each with the languages that stem it so. A stem counts only in
   * documents of that language, and a stem of the question's language also in documents whose language is not known.
   */
  relatives(term: string, asked: Language = 'und'): ReadonlyMap<number, Uint8Array> {
    const key = `${asked} ${term}`
    const known = this.#relatives.get(key)
    if (known !== undefined) return known
    const found = this.#findRelatives(term, asked)
    if (this.#relatives.size >= MOST_RELATIVES) this.#relatives.clear()
    this.#relatives.set(key, found)
    return found
  }

  #findRelatives(term: string, asked: Language): Map<number, Uint8Array> {
    const found = new Map<number, Uint8Array>()
    const { terms, classes, classTerms } = this.data
    if (terms.size === 0) return found
    const add = (place: number, language: number) => {
      const languages = found.get(place) ?? new Uint8Array(LANGUAGES.length)
      languages[language] = 1
      found.set(place, languages)
    }
    for (const code of this.#languages) {
      const language = LANGUAGES[code] ?? 'und'
      const key = stemKey(term, language)
      const [from, to] = classes.findAll(classKey(code, key))
      for (let at = from; at < to; at++) add(classTerms[at] as number, code)
      if (key !== term && stemKey(key, language) === key) {
        const place = terms.find(key)
        if (place >= 0) add(place, code)
      }
    }
    if (asked !== 'und' && this.#languages.includes(UNKNOWN))
      for (const place of this.#stemmedAlike(term, asked)) add(place, UNKNOWN)
    const self = terms.find(term)
    if (self >= 0) found.delete(self)
    return found
  }

  /**
   * The words that have the same stem in a language, whatever the languages of their documents. They are looked for among
   * those that begin alike.
   */
  #stemmedAlike(term: string, language: Language): readonly number[] {
    const stem = stemKey(term, language)
    const [from, to] = this.withPrefix([...term].slice(0, ALIKE_LETTERS).join(''))
    const places: number[] = []
    for (let place = from; place < to; place++)
      if (stemKey(this.term(place), language) === stem) places.push(place)
    return places
  }

  /** The range of words that begin with a prefix. */
  withPrefix(prefix: string): [from: number, to: number] {
    const [from, to] = this.data.terms.withPrefix(prefix)
    return [Math.max(from, this.#firstWord), to]
  }

  /** The places of a key or, with `chooses`, of those keys with this prefix that it accepts. */
  *keys(key: string, chooses?: (key: string) => boolean): Generator<number> {
    if (chooses === undefined) {
      const place = this.find(keyTerm(key))
      if (place >= 0) yield place
      return
    }
    const [from, to] = this.data.terms.withPrefix(keyTerm(key))
    for (let place = from; place < to; place++) if (chooses(this.term(place).slice(KEY.length))) yield place
  }

  /**
   * The places of all words, visible or not. A word may be shown only after `read` has found it in a visible
   * document.
   */
  *words(): Generator<number> {
    for (let place = this.#firstWord; place < this.data.terms.size; place++) yield place
  }

  term(place: number): string {
    return this.data.terms.get(place)
  }

  /** Every character that occurs in a word, sorted. */
  get alphabet(): readonly string[] {
    if (this.#alphabet === null) {
      const characters = new Set<string>()
      for (const place of this.words()) for (const character of this.term(place)) characters.add(character)
      this.#alphabet = [...characters].sort()
    }
    return this.#alphabet
  }

  /**
   * Adds the visible documents with a term to `hits` in ascending order. This is the only way to find documents, and
   * it requires a mask (NI-1). `languages` restricts it to documents in these languages.
   */
  read(place: number, mask: Mask, languages: Uint8Array | null, hits: Hits): void {
    const { termBlocks, blockFirst, blockAt, documents } = this.data
    const levels = mask.levels
    const visible = mask.documents
    const level = this.#level
    const firstBlock = termBlocks[place] as number
    const endBlock = termBlocks[place + 1] as number
    hits.reserve(Math.min((endBlock - firstBlock) * BLOCK, visible.length))
    const { documents: found, frequencies } = hits
    let length = hits.length
    let next = 0
    for (let block = firstBlock; block < endBlock; block++) {
      const first = blockFirst[block] as number
      if (endBlock - firstBlock > 1) {
        const beyond = block + 1 < endBlock ? (blockFirst[block + 1] as number) : levels.length
        next = gallop(visible, next, first)
        if (next === visible.length) break
        if ((visible[next] as number) >= beyond) continue
      }
      let document = first
      let at = blockAt[block] as number
      const end = blockAt[block + 1] as number
      while (at < end) {
        let byte = documents[at++] as number
        let value = byte & 127
        for (let shift = 7; byte > 127; shift += 7) {
          byte = documents[at++] as number
          value |= (byte & 127) << shift
        }
        let frequency = 1
        if ((value & 1) === 0) {
          byte = documents[at++] as number
          frequency = byte & 127
          for (let shift = 7; byte > 127; shift += 7) {
            byte = documents[at++] as number
            frequency |= (byte & 127) << shift
          }
        }
        document += value >>> 1
        if (levels[document] !== level) continue
        if (languages !== null && languages[this.data.languages[document] as number] === 0) continue
        found[length] = document
        frequencies[length++] = frequency
      }
    }
    hits.length = length
  }

  /** The positions of a term in one visible document, ascending; none if it is hidden or lacks the term. */
  positions(place: number, mask: Mask, document: number): number[] {
    if (mask.levels[document] !== this.#level) return []
    const { termBlocks, blockFirst, blockAt, blockPositionsAt, documents, positions } = this.data
    let block = termBlocks[place] as number
    for (let beyond = termBlocks[place + 1] as number; beyond - block > 1; ) {
      const middle = (block + beyond) >>> 1
      if ((blockFirst[middle] as number) > document) beyond = middle
      else block = middle
    }
    const reader = new VarintReader(documents, blockAt[block] as number)
    const end = blockAt[block + 1] as number
    let current = blockFirst[block] as number
    let before = 0
    while (reader.at < end) {
      const value = reader.next()
      const frequency = value & 1 ? 1 : reader.next()
      current += value >>> 1
      if (current > document) return []
      if (current < document) {
        before += frequency
        continue
      }
      const places = new VarintReader(positions, blockPositionsAt[block] as number)
      for (let skipped = 0; skipped < before; skipped++) places.next()
      let position = 0
      return Array.from({ length: frequency }, () => {
        position += places.next()
        return position
      })
    }
    return []
  }

  /** Adds all postings of a term to `gathered`, renumbered by `moved`, to build another index. */
  gather(place: number, moved: Uint32Array, gathered: TermPostings): void {
    const { termBlocks, blockFirst, blockAt, blockPositionsAt, documents, positions } = this.data
    const endBlock = termBlocks[place + 1] as number
    for (let block = termBlocks[place] as number; block < endBlock; block++) {
      const reader = new VarintReader(documents, blockAt[block] as number)
      const places = new VarintReader(positions, blockPositionsAt[block] as number)
      const end = blockAt[block + 1] as number
      let document = blockFirst[block] as number
      while (reader.at < end) {
        const value = reader.next()
        const frequency = value & 1 ? 1 : reader.next()
        document += value >>> 1
        const to = moved[document] as number
        if (to !== GONE) gathered.begin(to)
        let position = 0
        for (let count = 0; count < frequency; count++) {
          position += places.next()
          if (to !== GONE) gathered.add(to, position)
        }
      }
    }
  }

  get bytes(): number {
    const { terms, classes, ...columns } = this.data
    const lexicons = [terms.bytes, terms.starts, classes.bytes, classes.starts]
    return [...lexicons, ...Object.values(columns)].reduce((sum, column) => sum + column.byteLength, 0)
  }
}

/** The new number of a document that is not in the merged index. */
export const GONE = 0xffff_ffff

/** With more runs than this, sorting is faster than comparing the first of each. */
const MOST_RUNS = 16

/** The postings of one term, gathered from several indexes to write a new one. */
export class TermPostings {
  /** A document and a position for each occurrence. */
  readonly #pairs = new NumberWriter()
  /** Where each run of ascending documents begins: one for each index, unless its documents were not in order. */
  readonly #runs = new NumberWriter()
  #documents = 0
  #last = 0

  /** The number of documents. */
  get size(): number {
    return this.#documents
  }

  begin(document: number): void {
    if (this.#documents === 0 || this.#last > document) this.#runs.push(this.#pairs.length)
    this.#last = document
    this.#documents++
  }

  add(document: number, position: number): void {
    this.#pairs.pushTwo(document, position)
  }

  clear(): void {
    this.#pairs.clear()
    this.#runs.clear()
    this.#documents = 0
  }

  /** Writes the postings in the order of their documents. */
  writeTo(writer: PostingsWriter, languages: Uint8Array): void {
    const pairs = this.#pairs.view()
    const runs = this.#runs.view()
    if (runs.length === 1) writer.addAll(pairs, 0, pairs.length, languages)
    else if (runs.length <= MOST_RUNS) mergeRuns(pairs, runs, writer, languages)
    else {
      const starts = new NumberWriter()
      for (let at = 0; at < pairs.length; at = endOfDocument(pairs, at, pairs.length)) starts.push(at)
      const order = starts.finish().sort((a, b) => (pairs[a] as number) - (pairs[b] as number))
      for (const at of order) writer.add(pairs, at, endOfDocument(pairs, at, pairs.length), languages)
    }
  }
}

/** Where the pairs of the document that begins here end. */
function endOfDocument(pairs: Uint32Array, from: number, end: number): number {
  const document = pairs[from]
  let to = from + 2
  while (to < end && pairs[to] === document) to += 2
  return to
}

/** Writes ascending runs of documents in the order of all of them. */
function mergeRuns(
  pairs: Uint32Array,
  starts: Uint32Array,
  writer: PostingsWriter,
  languages: Uint8Array,
): void {
  const heads = starts.slice()
  for (;;) {
    let least = -1
    for (let run = 0; run < heads.length; run++) {
      const head = heads[run] as number
      if (head === (starts[run + 1] ?? pairs.length)) continue
      if (least < 0 || (pairs[head] as number) < (pairs[heads[least] as number] as number)) least = run
    }
    if (least < 0) return
    const head = heads[least] as number
    const end = endOfDocument(pairs, head, starts[least + 1] ?? pairs.length)
    writer.add(pairs, head, end, languages)
    heads[least] = end
  }
}

/**
 * Finds the first index at or after `from` whose value is not below `value`, by galloping search: fast if it is near,
 * and logarithmic at worst.
 */
function gallop(values: Uint32Array, from: number, value: number): number {
  let step = 1
  let low = from
  let high = from
  while (high < values.length && (values[high] as number) < value) {
    low = high + 1
    high += step
    step *= 2
  }
  if (high > values.length) high = values.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((values[middle] as number) < value) low = middle + 1
    else high = middle
  }
  return low
}

class VarintReader {
  readonly #bytes: Uint8Array
  at: number

  constructor(bytes: Uint8Array, at: number) {
    this.#bytes = bytes
    this.at = at
  }

  next(): number {
    let byte = this.#bytes[this.at++] as number
    let value = byte & 127
    for (let shift = 7; byte > 127; shift += 7) {
      byte = this.#bytes[this.at++] as number
      value |= (byte & 127) << shift
    }
    return value
  }
}

const classKey = (language: number, key: string) => String.fromCharCode(language + 1) + key

/** Writes postings. Terms must come in order, and each term's postings in the order of documents. */
export class PostingsWriter {
  readonly #terms = new LexiconWriter()
  readonly #termBlocks = new NumberWriter()
  readonly #blockFirst = new NumberWriter()
  readonly #blockAt = new NumberWriter()
  readonly #blockPositionsAt = new NumberWriter()
  readonly #documents = new ByteWriter()
  readonly #positions = new ByteWriter()
  readonly #classes: { key: Uint8Array; term: number }[] = []
  #count = 0
  #inBlock = 0
  #last = 0
  readonly #languages = new Uint8Array(LANGUAGES.length)
  #term = ''

  beginTerm(term: string): void {
    this.#endTerm()
    this.#terms.add(encodeUtf8(term))
    this.#termBlocks.push(this.#blockFirst.length)
    this.#term = term
    this.#count++
    this.#inBlock = 0
  }

  /** Adds documents in ascending order. There is a pair of a document and a position for each occurrence. */
  addAll(pairs: Uint32Array, from: number, end: number, languages: Uint8Array): void {
    for (let at = from; at < end; ) {
      const to = endOfDocument(pairs, at, end)
      this.add(pairs, at, to, languages)
      at = to
    }
  }

  /** Adds one document, of which all of these pairs are. */
  add(pairs: Uint32Array, from: number, to: number, languages: Uint8Array): void {
    const document = pairs[from] as number
    if (this.#inBlock % BLOCK === 0) {
      this.#blockFirst.push(document)
      this.#blockAt.push(this.#documents.length)
      this.#blockPositionsAt.push(this.#positions.length)
      this.#last = document
    }
    this.#inBlock++
    const distance = document - this.#last
    this.#last = document
    const once = to - from === 2
    this.#documents.varint(distance * 2 + (once ? 1 : 0))
    if (!once) this.#documents.varint((to - from) >>> 1)
    let before = 0
    for (let at = from + 1; at < to; at += 2) {
      const position = pairs[at] as number
      this.#positions.varint(position - before)
      before = position
    }
    this.#languages[languages[document] as number] = 1
  }

  finish(lengths: Uint32Array, languages: Uint8Array): PostingsData {
    this.#endTerm()
    this.#termBlocks.push(this.#blockFirst.length)
    this.#blockAt.push(this.#documents.length)
    this.#classes.sort((a, b) => compareBytes(a.key, b.key) || a.term - b.term)
    const classes = new LexiconWriter()
    for (const { key } of this.#classes) classes.add(key)
    return {
      terms: this.#terms.finish(),
      termBlocks: this.#termBlocks.finish(),
      blockFirst: this.#blockFirst.finish(),
      blockAt: this.#blockAt.finish(),
      blockPositionsAt: this.#blockPositionsAt.finish(),
      documents: this.#documents.finish(),
      positions: this.#positions.finish(),
      classes: classes.finish(),
      classTerms: Uint32Array.from(this.#classes, ({ term }) => term),
      lengths,
      languages,
    }
  }

  #endTerm(): void {
    const place = this.#count - 1
    if (place >= 0 && !this.#term.startsWith(KEY)) {
      for (const [code, language] of LANGUAGES.entries()) {
        if (this.#languages[code] === 0) continue
        const key = stemKey(this.#term, language)
        if (key !== this.#term) this.#classes.push({ key: encodeUtf8(classKey(code, key)), term: place })
      }
    }
    this.#languages.fill(0)
  }
}

/** The part of a face that is its text, after its title. Its language is detected in both. */
const TEXT = 1

/** Builds postings from texts. Documents must come in ascending order; numbers may be skipped. */
export class PostingsBuilder {
  readonly #terms = new TermTable()
  /** What each term says about the language of its text, and what it names, as bits (`traits.ts`). */
  readonly #evidence: WordEvidence[] = []
  readonly #traits: number[] = []
  readonly #count = new LanguageCount()
  #detects = false
  #named = 0
  // The term of each word of each document, in order; the words are sorted by term at the end.
  readonly #words = new NumberWriter(4_096)
  /** The words whose positions do not follow from those before them, and their positions. */
  readonly #jumps = new NumberWriter()
  readonly #jumpsTo = new NumberWriter()
  readonly #documents = new NumberWriter()
  /** The first word of each document. */
  readonly #firsts = new NumberWriter()
  readonly #lengths = new NumberWriter()
  readonly #languages = new NumberWriter()

  readonly #visitor: WordVisitor = {
    plain: (text, units, start, end, hash) => {
      const known = this.#terms.find(units, start, end, hash)
      this.#enter(known < 0 ? this.#number(plainTerm(text, start, end)) : known)
    },
    other: term => this.#enter(this.#number(term)),
  }

  /** Adds a face, and returns what the words of its text name if it is short, as bits (`traits.ts`). */
  add(document: number, { parts, language, keys }: FaceText): number {
    const first = this.#words.length
    this.#documents.push(document)
    this.#firsts.push(first)
    const [title = '', text = ''] = parts
    const detects = language === null && title.length + 1 + text.length <= LOOKED_AT
    if (detects) this.#count.clear()
    let position = 0
    let traits = 0
    for (let at = 0; at < parts.length; at++) {
      const from = this.#words.length
      this.#detects = detects && at <= TEXT
      this.#named = 0
      eachWord(parts[at] as string, this.#visitor)
      if (at === TEXT && text.length <= LONGEST_WITH_TRAITS) traits = this.#named
      const more = this.#words.length - from
      if (at > 0 && more > 0) this.#jump(from, position)
      position += more + PART_GAP
    }
    this.#detects = false
    this.#lengths.push(this.#words.length - first)
    const found = language ?? (detects ? this.#count.winner : detectLanguage(title, text))
    this.#languages.push(LANGUAGES.indexOf(found))
    for (const key of keys.length > 1 ? new Set(keys) : keys) {
      this.#jump(this.#words.length, 0)
      this.#enter(this.#number(keyTerm(key)))
    }
    return traits
  }

  /** Builds the postings of a segment with `count` documents. */
  finish(count: number): PostingsData {
    const { names } = this.#terms
    const { lengths, languages } = this.#columns(count)
    const { pairs, starts } = this.#sort()
    const writer = new PostingsWriter()
    for (const place of orderOf(names)) {
      writer.beginTerm(names[place] as string)
      writer.addAll(pairs, starts[place] as number, starts[place + 1] as number, languages)
    }
    return writer.finish(lengths, languages)
  }

  /**
   * The document and the position of each word, by term: a counting sort, which leaves those of a term in the order of
   * documents and positions. A pair is beside itself in memory, because it is written to some far place.
   */
  #sort(): { pairs: Uint32Array; starts: Uint32Array } {
    const words = this.#words.view()
    const starts = new Uint32Array(this.#terms.names.length + 1)
    for (let word = 0; word < words.length; word++) {
      const next = (words[word] as number) + 1
      starts[next] = (starts[next] as number) + 2
    }
    for (let term = 1; term < starts.length; term++)
      starts[term] = (starts[term] as number) + (starts[term - 1] as number)
    const free = starts.slice()
    const pairs = new Uint32Array(words.length * 2)
    const documents = this.#documents.view()
    const firsts = this.#firsts.view()
    const jumps = this.#jumps.view()
    const jumpsTo = this.#jumpsTo.view()
    let jump = 0
    for (let at = 0; at < documents.length; at++) {
      const document = documents[at] as number
      const end = at + 1 < firsts.length ? (firsts[at + 1] as number) : words.length
      let position = 0
      for (let word = firsts[at] as number; word < end; word++) {
        if (jumps[jump] === word) position = jumpsTo[jump++] as number
        const term = words[word] as number
        const to = free[term] as number
        pairs[to] = document
        pairs[to + 1] = position++
        free[term] = to + 2
      }
    }
    return { pairs, starts }
  }

  /** The number of a term. */
  #number(term: string): number {
    const place = this.#terms.add(term)
    if (place === this.#evidence.length) {
      this.#evidence.push(evidenceOf(term))
      this.#traits.push(traitsOfTerm(term))
    }
    return place
  }

  #enter(place: number): void {
    this.#words.push(place)
    this.#named |= this.#traits[place] as number
    if (this.#detects) this.#count.add(this.#evidence[place] as WordEvidence)
  }

  #jump(word: number, position: number): void {
    this.#jumps.push(word)
    this.#jumpsTo.push(position)
  }

  #columns(count: number): { lengths: Uint32Array; languages: Uint8Array } {
    const documents = this.#documents.view()
    if (documents.length === 0) return { lengths: new Uint32Array(0), languages: new Uint8Array(0) }
    const lengths = new Uint32Array(count)
    const languages = new Uint8Array(count)
    const ownLengths = this.#lengths.view()
    const ownLanguages = this.#languages.view()
    for (let at = 0; at < documents.length; at++) {
      const document = documents[at] as number
      lengths[document] = ownLengths[at] as number
      languages[document] = ownLanguages[at] as number
    }
    return { lengths, languages }
  }
}

const SURROGATE = /[\ud800-\udfff]/

/** The places of names in the order of their UTF-8 bytes, which is that of their units unless some are surrogates. */
function orderOf(names: readonly string[]): number[] {
  if (!names.some(name => SURROGATE.test(name)))
    return names
      .map((_, place) => place)
      .sort((a, b) => ((names[a] as string) < (names[b] as string) ? -1 : 1))
  return names
    .map((name, place) => ({ bytes: encodeUtf8(name), place }))
    .sort((a, b) => compareBytes(a.bytes, b.bytes))
    .map(({ place }) => place)
}
