/** Words that may be part of a name but are ordinary words by themselves. */
const PARTICLES = new Set(
  'the my our your his her of and de del della di da do du la le van von der den zu al el bin ibn ben mr mrs ms dr'.split(
    ' ',
  ),
)

/** Scripts without spaces between words, in which a name may occur anywhere in a token. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}]/u

/** Removes accents and capitals. */
const fold = (word: string) =>
  word.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase().replaceAll('ß', 'ss')

/** Recognizes known names in a text by each of their words, whatever the accents and capitals. */
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

  /** Whether a word is a name, or contains one as in Anna-Lena, with or without a possessive s. */
  has(word: string): boolean {
    return [word, ...word.split(/['’-]/)]
      .map(fold)
      .some(part => this.#words.has(part) || this.#words.has(part.replace(/s$/, '')))
  }

  /** Splits a word at the names in it; returns only the word if there are none. */
  partsAround(word: string): string[] {
    return this.#unspaced.reduce((parts, name) => parts.flatMap(part => part.split(name)), [word])
  }
}
