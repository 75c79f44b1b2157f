import { sameLabel } from '../policy/labels.js'
import type { Source } from '../runtime/write-records.js'
import { tokenize } from '../search/tokenize.js'

/** So many words in a row that two texts have in common are no accident. */
const RUN = 8

/**
 * The text of chunks that lie under more than their card does: a stricter label of their own, or an overlay on them or
 * on their part. Whatever of the next version has words of it in common is made from it, and so lies under the same (TR-7,
 * OV-2): names of parts and chunks are counted anew with each version and cannot carry that over.
 */
export class GuardedText {
  /** Chunks by each run of their words, by how long the run is. */
  readonly #runs = new Map<number, Map<string, Source[]>>()

  constructor(chunks: readonly (Source & { readonly text: string })[], cards: readonly Source[]) {
    const overlaid = new Set(cards.flatMap(({ tuple }) => tuple.overlayTargets))
    const isGuarded = ({ tuple }: Source) =>
      !cards.some(card => sameLabel(card.tuple, tuple)) ||
      tuple.overlayTargets.some(target => !overlaid.has(target))
    for (const chunk of chunks.filter(isGuarded)) {
      const words = wordsOf(chunk.text)
      const length = Math.min(RUN, words.length)
      const runs = this.#runs.get(length) ?? new Map<string, Source[]>()
      this.#runs.set(length, runs)
      for (const run of runsOf(words, length)) runs.set(run, [...(runs.get(run) ?? []), chunk])
    }
  }

  /** The chunks that a text has words of. */
  sharing(text: string): Source[] {
    if (this.#runs.size === 0) return []
    const found = new Set<Source>()
    const words = wordsOf(text)
    for (const [length, runs] of this.#runs)
      for (const run of runsOf(words, length)) for (const chunk of runs.get(run) ?? []) found.add(chunk)
    return [...found]
  }
}

const wordsOf = (text: string): string[] => tokenize(text).map(({ term }) => term)

function runsOf(words: readonly string[], length: number): Set<string> {
  const runs = new Set<string>()
  if (length === 0) return runs
  for (let at = 0; at + length <= words.length; at++) runs.add(words.slice(at, at + length).join(' '))
  return runs
}
