/** Parts of names that are words of their own. */
const PARTICLES = new Set(
  'the my our your his her of and de del della di da do du la le van von der den zu al el bin ibn ben mr mrs ms dr'.split(
    ' ',
  ),
)

/** Scripts that put no space between words: there, a name may stand anywhere in one. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}]/u

/** Without accents and capitals. */
const fold = (word: string) =>
  word.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase().replaceAll('ß', 'ss')

/** Names to be recognised in a text, however they are spelt: by each of their words. */
export class KnownNames {
  readonly #words = new Set<string>()
  readonly #unspaced: string[] = []

  constructor(names: readonly string[]) {
    for (const name of names) {
      const words = name.split(/[^\p{L}\p{M}\p{N}]+/u).filter(word => word.length >= 2)
      for (const word of words) {
        if (words.length > 1 && PARTICLES.has(fold(word))) continue
        this.#words.add(fold(word))
        if (UNSPACED.test(word)) this.#unspaced.push(word.normalize('NFC'))
      }
    }
    this.#unspaced.sort((a, b) => b.length - a.length)
  }

  /** Whether a word, or a part of it as in Anna-Lena, is a name; also with the s of a possessive. */
  has(word: string): boolean {
    return [word, ...word.split(/['’-]/)]
      .map(fold)
      .some(part => this.#words.has(part) || this.#words.has(part.replace(/s$/, '')))
  }

  /** The parts of a word around the names that stand in it; just the word where there are none. */
  partsAround(word: string): string[] {
    return this.#unspaced.reduce((parts, name) => parts.flatMap(part => part.split(name)), [word])
  }
}
