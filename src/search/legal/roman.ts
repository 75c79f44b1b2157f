const NUMERALS: readonly (readonly [string, number])[] = [
  ['XC', 90],
  ['L', 50],
  ['XL', 40],
  ['X', 10],
  ['IX', 9],
  ['V', 5],
  ['IV', 4],
  ['I', 1],
]

/** A number from 1 to 99 in Roman numerals. */
export function toRoman(number: number): string | null {
  if (!Number.isInteger(number) || number < 1 || number > 99) return null
  let rest = number
  let roman = ''
  for (const [numeral, value] of NUMERALS)
    while (rest >= value) {
      roman += numeral
      rest -= value
    }
  return roman
}
