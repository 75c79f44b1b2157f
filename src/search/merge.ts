import { compareBytes } from './lexicon.js'
import { GONE, type Postings, type PostingsData, PostingsWriter, TermPostings } from './postings.js'
import { ColumnsBuilder, Segment } from './segment.js'

/** A segment with a flag for each of its deleted documents. */
export interface MergePart {
  readonly segment: Segment
  readonly dead: Uint8Array
}

/** The merged segment, and the new number of each document of each part; a deleted document has `GONE`. */
export interface MergeResult {
  readonly segment: Segment
  readonly moved: readonly Uint32Array[]
}

/** The number of terms that are merged between two pauses. */
const TERMS_AT_ONCE = 2_000

/**
 * Merges the living documents of several segments into one, ordered by compartment. It is a generator, so that the
 * caller can do other work between two steps.
 */
export function* mergeInSteps(parts: readonly MergePart[]): Generator<void, MergeResult> {
  const living = livingInOrder(parts)
  yield
  const moved = parts.map(({ segment }) => new Uint32Array(segment.size).fill(GONE))
  const expiries = parts.map(({ segment: { data } }) => {
    const times = new Map<number, number>()
    for (const [at, document] of data.expiring.entries()) times.set(document, data.expiresAt[at] as number)
    return times
  })
  const salient = parts.map(({ segment: { data } }) => new Set(data.salient))
  const columns = new ColumnsBuilder()
  for (let at = 0; at < living.parts.length; at++) {
    const part = living.parts[at] as number
    const document = living.documents[at] as number
    const { segment } = parts[part] as MergePart
    const { data } = segment
    const occurredAt = data.occurredAt[document] as number
    const values = {
      compartment: data.compartments[document] as number,
      createdAt: data.createdAt[document] as number,
      occurredAt: Number.isNaN(occurredAt) ? null : occurredAt,
      expiresAt: expiries[part]?.get(document) ?? null,
      salience: salient[part]?.has(document) ? segment.salienceOf(document) : null,
      tags: data.tagSets[data.tags[document] as number] ?? [],
      filing: data.filings[(data.filing[document] as number) - 1] ?? null,
      turn: segment.turnOf(document),
      speaker: segment.speakerOf(document),
    }
    const id = data.ids.subarray(document * 16, document * 16 + 16)
    const place = columns.add(id, values, data.previews[document] === 1, data.traits[document] as number)
    ;(moved[part] as Uint32Array)[document] = place
  }
  yield
  const merge = (of: (segment: Segment) => Postings) =>
    mergingPostings(
      parts.map(({ segment }) => of(segment)),
      moved,
      columns.size,
    )
  const full = yield* merge(segment => segment.full)
  const preview = yield* merge(segment => segment.preview)
  const metadata = yield* merge(segment => segment.metadata)
  return { segment: new Segment(columns.finish(), { full, preview, metadata }), moved }
}

/** The living documents by compartment, and within one in the order of parts and documents: a counting sort. */
function livingInOrder(parts: readonly MergePart[]): { parts: Uint32Array; documents: Uint32Array } {
  let compartments = 0
  for (const { segment } of parts)
    for (const compartment of segment.data.compartments)
      if (compartment >= compartments) compartments = compartment + 1
  const starts = new Uint32Array(compartments + 1)
  for (const { segment, dead } of parts)
    for (let document = 0; document < segment.size; document++)
      if (dead[document] === 0) {
        const next = (segment.data.compartments[document] as number) + 1
        starts[next] = (starts[next] as number) + 1
      }
  for (let at = 0; at < compartments; at++)
    starts[at + 1] = (starts[at + 1] as number) + (starts[at] as number)
  const size = starts[compartments] as number
  const living = { parts: new Uint32Array(size), documents: new Uint32Array(size) }
  for (const [part, { segment, dead }] of parts.entries())
    for (let document = 0; document < segment.size; document++) {
      if (dead[document] !== 0) continue
      const compartment = segment.data.compartments[document] as number
      const to = starts[compartment] as number
      living.parts[to] = part
      living.documents[to] = document
      starts[compartment] = to + 1
    }
  return living
}

/** Merges without pauses. */
export function mergeAtOnce(parts: readonly MergePart[]): MergeResult {
  const run = mergeInSteps(parts)
  for (;;) {
    const step = run.next()
    if (step.done) return step.value
  }
}

export const mergeSegments = (parts: readonly MergePart[]): Segment => mergeAtOnce(parts).segment

function* mergingPostings(
  parts: readonly Postings[],
  moved: readonly Uint32Array[],
  count: number,
): Generator<void, PostingsData> {
  const { lengths, languages } = mergeColumns(parts, moved, count)
  const writer = new PostingsWriter()
  const gathered = new TermPostings()
  const heads = parts.map(postings => new Head(postings))
  let sinceYield = 0
  for (;;) {
    const first = least(heads)
    if (first === undefined) break
    const { bytes } = first
    const term = first.term
    gathered.clear()
    for (const [part, head] of heads.entries()) {
      if (head.bytes === null || compareBytes(head.bytes, bytes) !== 0) continue
      head.postings.gather(head.at, moved[part] as Uint32Array, gathered)
      head.advance()
    }
    // A term that only deleted documents had is dropped with them (AU-4).
    if (gathered.size > 0) {
      writer.beginTerm(term)
      gathered.writeTo(writer, languages)
    }
    sinceYield += 1 + gathered.size / 100
    if (sinceYield >= TERMS_AT_ONCE) {
      sinceYield = 0
      yield
    }
  }
  return writer.finish(lengths, languages)
}

/** A cursor over the terms of one part. */
class Head {
  readonly postings: Postings
  at = 0
  bytes: Uint8Array | null

  constructor(postings: Postings) {
    this.postings = postings
    this.bytes = this.#read()
  }

  advance(): void {
    this.at++
    this.bytes = this.#read()
  }

  #read(): Uint8Array | null {
    const { bytes, starts, size } = this.postings.data.terms
    return this.at < size ? bytes.subarray(starts[this.at], starts[this.at + 1]) : null
  }
}

/** The smallest term at which any of the cursors stands. */
function least(heads: readonly Head[]): { term: string; bytes: Uint8Array } | undefined {
  let first: Head | undefined
  for (const head of heads)
    if (head.bytes !== null && (first?.bytes == null || compareBytes(head.bytes, first.bytes) < 0))
      first = head
  return first?.bytes == null ? undefined : { term: first.postings.term(first.at), bytes: first.bytes }
}

function mergeColumns(
  parts: readonly Postings[],
  moved: readonly Uint32Array[],
  count: number,
): { lengths: Uint32Array; languages: Uint8Array } {
  if (parts.every(({ data }) => data.lengths.length === 0))
    return { lengths: new Uint32Array(0), languages: new Uint8Array(0) }
  const lengths = new Uint32Array(count)
  const languages = new Uint8Array(count)
  for (const [part, { data }] of parts.entries())
    for (let document = 0; document < data.lengths.length; document++) {
      const place = (moved[part] as Uint32Array)[document] as number
      if (place === GONE) continue
      lengths[place] = data.lengths[document] as number
      languages[place] = data.languages[document] as number
    }
  return { lengths, languages }
}
