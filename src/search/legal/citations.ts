import { type CaseName, nameBefore, nameWords, signalBefore } from './case-names.js'
import type { CitationReading, LegalCitation } from './citation.js'
import { readLead } from './read-lead.js'
import { readNumbered } from './read-numbered.js'
import { isWithinOpinion } from './reading.js'

/** The beginning of a word, a number or a section mark. */
const BEGINNING = /(?<![\p{L}\p{N}_])[\p{L}\p{N}§]/gu
/** Text before a digit which shows that the digit continues a number or belongs to an amount. */
const WITHIN_NUMBER = /(?:\d[.,:/\-–]|[$#*€£])$/

/**
 * Finds the citations of a text in order. With `anyCase`, which is meant for search boxes, reporters need no
 * capitals: `550 us 544`.
 */
export function findCitations(text: string, { anyCase = false } = {}): LegalCitation[] {
  const antecedents = new Antecedents(text)
  BEGINNING.lastIndex = 0
  for (let found = BEGINNING.exec(text); found !== null; found = BEGINNING.exec(text)) {
    const place = found.index
    const digit = /\d/.test(found[0])
    if (digit && WITHIN_NUMBER.test(text.slice(Math.max(0, place - 2), place))) continue
    const reads = digit ? readNumbered(text, place, anyCase) : readLead(text, place, anyCase)
    for (const read of reads) antecedents.add(read)
    const end = reads.at(-1)?.end
    if (end !== undefined) BEGINNING.lastIndex = end
  }
  return antecedents.citations
}

/** The most decisions of one volume that are considered for a short form. */
const MOST_OF_A_VOLUME = 64

/** Collects citations in order and resolves each by those before it. */
class Antecedents {
  readonly citations: LegalCitation[] = []
  readonly #text: string
  readonly #ofSource = new Map<string, { readonly place: number; readonly page: number }[]>()
  readonly #ofItem = new Map<string, number>()
  readonly #ofName = new Map<string, number>()

  constructor(text: string) {
    this.#text = text
  }

  add(read: CitationReading): void {
    const named = read.kind === 'case' || read.form === 'supra' ? nameBefore(this.#text, read.start) : null
    switch (read.form) {
      case 'full':
        this.#addFull(read, named)
        break
      case 'short':
        if (read.kind === 'case') this.#addShortCase(read, named)
        else this.#addShortSection(read)
        break
      case 'id':
        this.#addId(read)
        break
      case 'supra':
        this.#addSupra(read, named)
        break
    }
  }

  #push(
    read: CitationReading,
    normal: string,
    rest: Partial<LegalCitation>,
    signalPlace = read.start,
  ): number {
    const { kind, form, start, end, source, pinpoints, court = null, year = null } = read
    this.citations.push({
      kind,
      form,
      start,
      end,
      normal,
      source,
      pinpoints,
      refersTo: null,
      parallelOf: null,
      name: null,
      court,
      year,
      signal: signalBefore(this.#text, signalPlace),
      ...rest,
    })
    return this.citations.length - 1
  }

  #addFull(read: CitationReading, named: CaseName | null): void {
    const parallelOf = read.kind === 'case' ? this.#parallel(read) : null
    const first = parallelOf === null ? undefined : this.citations[parallelOf]
    const name = first === undefined ? (named?.name ?? null) : first.name
    const year = read.year ?? named?.year ?? first?.year ?? null
    const place = this.#push(
      read,
      normalOf(read),
      { name, year, court: read.court ?? first?.court ?? null, parallelOf },
      named?.start,
    )
    if (parallelOf !== null && read.year != null) this.#shareCourtAndYear(parallelOf, place)
    this.#ofItem.set(JSON.stringify([read.kind, read.item.toLowerCase()]), place)
    if (read.kind !== 'case') return
    const ofVolume = this.#ofSource.get(read.source) ?? []
    ofVolume.push({ place, page: Number(read.item) })
    if (ofVolume.length > MOST_OF_A_VOLUME) ofVolume.shift()
    this.#ofSource.set(read.source, ofVolume)
    if (parallelOf === null && name !== null)
      for (const word of nameWords(name)) this.#ofName.set(word, place)
  }

  /**
   * Finds the first of the parallel citations: another reporter directly after a comma or in brackets, unless a
   * parenthesis has closed the citation before.
   */
  #parallel(read: CitationReading): number | null {
    const place = this.citations.length - 1
    const before = this.citations[place]
    if (before?.kind !== 'case' || before.form !== 'full' || read.start - before.end > 4) return null
    if (!/^[^)](?:,\s{0,3}|\s?\[)$/.test(this.#text.slice(before.end - 1, read.start))) return null
    return before.parallelOf ?? place
  }

  /**
   * Copies the court and year to all parallel citations. Their parenthesis stands only once, after the last of them.
   */
  #shareCourtAndYear(first: number, last: number): void {
    const { court, year } = this.citations[last] ?? { court: null, year: null }
    for (let place = first; place < last; place++) {
      const citation = this.citations[place]
      if (citation !== undefined)
        this.citations[place] = { ...citation, court: citation.court ?? court, year: citation.year ?? year }
    }
  }

  #addShortCase(read: CitationReading, named: CaseName | null): void {
    const page = Number(/^\d+/.exec(read.pinpoints[0] ?? '')?.[0])
    const words = nameWords(named?.name ?? '')
    let best: { readonly place: number; readonly page: number } | null = null
    for (const one of this.#ofSource.get(read.source) ?? []) {
      if (!isWithinOpinion(page, one.page) || !this.#mayBeNamed(one.place, words)) continue
      if (best === null || one.page >= best.page) best = one
    }
    const name = named?.name ?? null
    if (best === null) this.#push(read, `${read.source} at ${read.pinpoints[0]}`, { name }, named?.start)
    else this.#push(read, this.#normalAt(best.place), { name, refersTo: best.place }, named?.start)
  }

  /** Two names that share no word belong to two decisions. */
  #mayBeNamed(place: number, words: readonly string[]): boolean {
    const citation = this.citations[place]
    const name = citation?.name ?? null
    if (name === null || words.length === 0) return true
    const others = new Set(nameWords(name))
    return words.some(word => others.has(word))
  }

  /** Adds `Rule 12(b)(6)` or `§ 78u-4` after its full citation. A section of an unknown law is not a citation. */
  #addShortSection(read: CitationReading): void {
    const item = read.item.toLowerCase()
    const kinds = read.kind === 'rule' ? ['rule'] : ['statute', 'regulation']
    const before = kinds
      .map(kind => this.#ofItem.get(JSON.stringify([kind, item])))
      .find(at => at !== undefined)
    if (before !== undefined) {
      const { kind, source } = this.citations[before] ?? read
      this.#push(read, this.#normalAt(before), { kind, source, refersTo: before })
    } else if (read.otherwise !== undefined)
      this.#push(read, `${read.otherwise} ${read.item}`, { source: read.otherwise })
  }

  /** `Id.` refers to the last citation, whatever its form; of parallel citations it refers to the first. */
  #addId(read: CitationReading): void {
    const last = this.citations.length - 1
    const place = this.citations[last]?.parallelOf ?? last
    const target = this.citations[place]
    if (target === undefined || target.kind === 'reference' || isUnresolved(target)) {
      this.#push(read, 'Id.', {})
      return
    }
    const { kind, source, name, normal } = target
    const refersTo = target.refersTo ?? place
    // It cites another section of the same law.
    if (read.item !== '' && (kind === 'statute' || kind === 'regulation'))
      this.#push(read, `${source} ${read.item}`, { kind, source, refersTo })
    else if (read.item !== '') this.#push(read, 'Id.', {})
    else this.#push(read, normal, { kind, source, name, refersTo })
  }

  #addSupra(read: CitationReading, named: CaseName | null): void {
    const words = nameWords(named?.name ?? '')
    const last = words.at(-1)
    const place = last === undefined || read.item === 'infra' ? undefined : this.#ofName.get(last)
    const target = place === undefined ? undefined : this.citations[place]
    const others = new Set(nameWords(target?.name ?? ''))
    if (place === undefined || target === undefined || !words.every(word => others.has(word))) {
      this.#push(read, read.item, { name: named?.name ?? null }, named?.start)
      return
    }
    const { kind, normal, source, name } = target
    this.#push(read, normal, { kind, source, name, refersTo: place }, named?.start)
  }

  #normalAt(place: number): string {
    return this.citations[place]?.normal ?? ''
  }
}

const normalOf = ({ source, item }: CitationReading) => `${source} ${item}`.trim()

/** Whether a short form names a page of a volume whose decision is unknown. */
export const isUnresolved = ({ kind, form, refersTo }: LegalCitation) =>
  kind === 'case' && form === 'short' && refersTo === null
