import { sameLabel } from '../policy/labels.js'
import type { Source } from '../runtime/write-records.js'
import { tokenize } from '../search/tokenize.js'

/** Two texts that share this many words in a row are not alike by accident. */
const RUN = 8

/**
 * The text of chunks that are protected more strictly than their card, by a label of their own or by an overlay on
 * them or on their part. Chunks of the next version that share words with it count as derived from it and get the
 * same protection (TR-7, OV-2). Names cannot carry it over, because parts and chunks are numbered anew in each
 * version.
 */
export class GuardedText {
  /** Chunks by run of words, grouped by the length of the run. */
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

  /** The protected chunks that share words with a text. */
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
