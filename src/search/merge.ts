import { compareBytes, encode } from './lexicon.js'
import { type Postings, type PostingsData, PostingsWriter } from './postings.js'
import { ColumnsBuilder, Segment } from './segment.js'

/** A segment and those of its documents that are gone. */
export interface Part {
  readonly segment: Segment
  readonly dead: Uint8Array
}

const GONE = 0xffff_ffff

/** How many terms are merged between two pauses. */
const TERMS_AT_ONCE = 2_000

/**
 * One segment with the living documents of several, ordered by compartment. A generator, so that whoever runs it may
 * do other things between two steps. `moved` says where each document of each part went.
 */
export function* merging(
  parts: readonly Part[],
): Generator<void, { segment: Segment; moved: Uint32Array[] }> {
  const living = parts.flatMap(({ segment, dead }, part) => {
    const documents: { part: number; document: number; compartment: number }[] = []
    for (let document = 0; document < segment.size; document++)
      if (dead[document] === 0)
        documents.push({ part, document, compartment: segment.data.compartments[document] as number })
    return documents
  })
  yield
  living.sort((a, b) => a.compartment - b.compartment || a.part - b.part || a.document - b.document)
  const moved = parts.map(({ segment }) => new Uint32Array(segment.size).fill(GONE))
  const expiries = parts.map(({ segment: { data } }) => {
    const times = new Map<number, number>()
    for (const [at, document] of data.expiring.entries()) times.set(document, data.expiresAt[at] as number)
    return times
  })
  const columns = new ColumnsBuilder()
  for (const { part, document, compartment } of living) {
    const { data } = (parts[part] as Part).segment
    const occurredAt = data.occurredAt[document] as number
    const place = columns.add({
      id: data.ids.subarray(document * 16, document * 16 + 16),
      compartment,
      createdAt: data.createdAt[document] as number,
      occurredAt: Number.isNaN(occurredAt) ? null : occurredAt,
      expiresAt: expiries[part]?.get(document) ?? null,
      tags: data.tagSets[data.tags[document] as number] ?? [],
      preview: data.previews[document] as number,
    })
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

/** The same, in one go. */
export function mergeSegments(parts: readonly Part[]): Segment {
  const run = merging(parts)
  for (;;) {
    const step = run.next()
    if (step.done) return step.value.segment
  }
}

function* mergingPostings(
  parts: readonly Postings[],
  moved: readonly Uint32Array[],
  count: number,
): Generator<void, PostingsData> {
  const { lengths, languages } = mergeColumns(parts, moved, count)
  const writer = new PostingsWriter()
  const cursors = parts.map(() => 0)
  let sinceYield = 0
  for (;;) {
    const term = least(parts, cursors)
    if (term === undefined) break
    const entries: { document: number; positions: number[] }[] = []
    for (const [part, postings] of parts.entries()) {
      const at = cursors[part] as number
      if (at >= postings.data.terms.size || postings.term(at) !== term) continue
      cursors[part] = at + 1
      for (const { document, positions } of postings.entries(at)) {
        const place = moved[part]?.[document] ?? GONE
        if (place !== GONE) entries.push({ document: place, positions })
      }
    }
    // A term of documents that are gone is gone with them (AU-4).
    if (entries.length > 0) {
      if (!isSorted(entries)) entries.sort((a, b) => a.document - b.document)
      writer.beginTerm(term)
      for (const { document, positions } of entries)
        writer.add(document, positions, languages[document] as number)
    }
    sinceYield += 1 + entries.length / 100
    if (sinceYield >= TERMS_AT_ONCE) {
      sinceYield = 0
      yield
    }
  }
  return writer.finish(lengths, languages)
}

function isSorted(entries: readonly { document: number }[]): boolean {
  for (let at = 1; at < entries.length; at++)
    if ((entries[at] as { document: number }).document < (entries[at - 1] as { document: number }).document)
      return false
  return true
}

/** The first term that any part still has. */
function least(parts: readonly Postings[], cursors: readonly number[]): string | undefined {
  let first: { term: string; bytes: Uint8Array } | undefined
  for (const [part, postings] of parts.entries()) {
    const at = cursors[part] as number
    if (at >= postings.data.terms.size) continue
    const term = postings.term(at)
    const bytes = encode(term)
    if (first === undefined || compareBytes(bytes, first.bytes) < 0) first = { term, bytes }
  }
  return first?.term
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
    for (const [document, place] of (moved[part] as Uint32Array).entries()) {
      if (place === GONE || data.lengths.length === 0) continue
      lengths[place] = data.lengths[document] as number
      languages[place] = data.languages[document] as number
    }
  return { lengths, languages }
}
