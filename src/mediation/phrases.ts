/**
 * One pattern that matches many phrases, for text in the form that words.ts returns. Commas or line breaks separate
 * the phrases; a star stands for any word ending. The longest phrase that fits is matched.
 *
 * @example
 * makePhrasePattern('taken for granted, ignor*').test('i feel ignored') // true
 */
export function makePhrasePattern(list: string): RegExp {
  const longestFirst = list
    .split(/[,\n]/)
    .map(phrase => phrase.trim())
    .filter(phrase => phrase !== '')
    .sort((one, other) => other.length - one.length)
    .map(phrase => phrase.replaceAll('*', '[a-z]*'))
  return new RegExp(`(?<![^ ])(?:${longestFirst.join('|')})(?![^ ])`, 'g')
}
