/**
 * One pattern of many phrases, for text as words.ts gives it. Phrases stand between commas or line breaks; a star ends
 * a word in any way. The longest that fits is found.
 *
 * @example
 * phrases('taken for granted, ignor*').test('i feel ignored') // true
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
