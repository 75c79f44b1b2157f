/** What is recognized, and the placeholder that replaces it. */
export const PLACEHOLDERS = {
  names: 'someone',
  addresses: 'an address',
  links: 'a link',
  places: 'a place',
  times: 'some time',
  amounts: 'an amount',
  numbers: 'a number',
} as const

export type PlaceholderKind = keyof typeof PLACEHOLDERS

/** A token of a text. Anything that matches no pattern is skipped. */
export interface ScannedToken {
  readonly token: TokenKind
  readonly value: string
  readonly start: number
  readonly startsSentence: boolean
}

export type TokenKind = PlaceholderKind | 'placeholder' | 'initials' | 'digits' | 'word'

const WORD = String.raw`[\p{L}\p{M}][\p{L}\p{M}\p{N}_]*`
/** Word boundaries: the start and the end of a word. */
const BEGIN = String.raw`(?<![\p{L}\p{M}\p{N}_])`
const END = String.raw`(?![\p{L}\p{M}\p{N}_])`

/** A character that may end an address in the middle of a sentence. */
const NOT_PUNCTUATION = String.raw`[^\s.,;:!?)\]}>"'’”]`

const MONTH = `(?:january|february|march|april|may|june|july|august|september|october|november|december|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)${END}`
const DAY = String.raw`\p{Nd}{1,2}(?:st|nd|rd|th)?`
const YEAR = String.raw`(?:,?\s+\p{Nd}{2,4}${END})?`
const HALF_OF_DAY = String.raw`\s?(?:[ap]\.m\.|[ap]m${END})`
const AMOUNT = String.raw`\p{Nd}(?:[\p{Nd}.,'’]*\p{Nd})?(?:\s?(?:k|m|thousand|million)${END})?`
const CURRENCY = `(?:euros?|dollars?|pounds?|francs?|bucks?|quid|cents?|pence|yen|yuan|rupees?|pesos?|rubles?|kron(?:er|or|a|e)|zloty|lira|eur|usd|gbp|chf|jpy|cny|inr)${END}`
const NUMBER_WORD =
  '(?:one|two|three|four|five|six|seven|eight|nine|ten|twelve|fifteen|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|hundred|thousand|million|a|few|some|several)'

/** Patterns in order of priority: the first that matches takes the whole match. */
const PATTERNS: readonly (readonly [TokenKind, ...string[]])[] = [
  ['placeholder', `${BEGIN}(?:${Object.values(PLACEHOLDERS).join('|')})(?!@)${END}`],
  [
    'links',
    String.raw`${BEGIN}[a-z][a-z0-9+.-]{1,20}:\/\/\S*${NOT_PUNCTUATION}`,
    String.raw`${BEGIN}www\.\S*${NOT_PUNCTUATION}`,
  ],
  ['addresses', String.raw`[^\s@<>()"',;:]{1,64}@[^\s@<>()"',;:]+\.[\p{L}\p{N}-]+`],
  ['names', String.raw`[@#][\p{L}\p{M}\p{N}_][\p{L}\p{M}\p{N}_.-]*`],
  [
    'links',
    String.raw`${BEGIN}[\p{L}\p{N}-]{2,63}(?:\.[\p{L}\p{N}-]{2,63}){0,3}\.\p{L}{2,24}${END}(?:\/(?:\S*${NOT_PUNCTUATION})?)?`,
  ],
  [
    'places',
    String.raw`\p{Nd}{1,5}[a-z]?,?\s+(?:${WORD}\.?\s+){0,2}(?:street|road|rd|avenue|ave|lane|ln|boulevard|blvd|crescent|terrace|highway)${END}`,
    String.raw`${BEGIN}${WORD}(?:[ -]?(?:stra(?:ß|ss)e|str|gasse|weg|platz|allee|straat|laan|plein|gatan|gata|vej))\.?\s+\p{Nd}{1,5}[a-z]?${END}`,
    String.raw`${BEGIN}(?:rue|via|viale|calle|avenida|rua|piazza|plaza|ulica|avenue)\s+(?:${WORD}\.?,?\s+){0,4}\p{Nd}{1,5}`,
  ],
  [
    'times',
    String.raw`\p{Nd}{4}-\p{Nd}{1,2}-\p{Nd}{1,2}(?:t[\p{Nd}:.]+(?:z|[+-][\p{Nd}:]+)?)?`,
    String.raw`\p{Nd}{1,2}(?<separator>[./-])\s?\p{Nd}{1,2}\k<separator>\s?\p{Nd}{2,4}`,
    String.raw`\p{Nd}{1,2}\.\p{Nd}{1,2}\.(?!\p{Nd})`,
    String.raw`${DAY}\.?\s+(?:of\s+)?${MONTH}${YEAR}`,
    String.raw`${BEGIN}${MONTH}\.?\s+(?:the\s+)?(?:\p{Nd}{4}${END}|${DAY}${END}${YEAR})`,
    String.raw`\p{Nd}{1,2}[:h]\p{Nd}{2}(?::\p{Nd}{2})?(?:${HALF_OF_DAY})?`,
    String.raw`\p{Nd}{1,2}(?:\.\p{Nd}{2})?${HALF_OF_DAY}`,
    String.raw`\p{Nd}{1,2}\s?(?:o['’]?clock|uhr)${END}`,
  ],
  [
    'amounts',
    String.raw`\p{Sc}\s?${AMOUNT}`,
    String.raw`${AMOUNT}\s?(?:\p{Sc}|${CURRENCY})`,
    String.raw`${BEGIN}${CURRENCY}\s?${AMOUNT}`,
    `${BEGIN}${NUMBER_WORD}(?:[ -]${NUMBER_WORD}){0,4}[ -]${CURRENCY}`,
  ],
  ['numbers', String.raw`\+?\(?\p{Nd}(?:[\s()./-]{0,3}\p{Nd}){6,}`],
  ['names', String.raw`${BEGIN}(?:mr|mrs|ms|mx|dr|prof|st)(?:\.\s*|\s+)${WORD}(?:['’-]${WORD})*`],
  // Initials include their dots, so the next word does not start a sentence.
  ['initials', String.raw`${BEGIN}\p{L}\.(?:\s?\p{L}\.)*(?=\s*\p{L})`],
  ['digits', String.raw`\p{Nd}+(?:[.,]\p{Nd}+)*`],
  ['word', `${WORD}(?:['’-]${WORD})*`],
]

const SCANNER = new RegExp(
  PATTERNS.map(([, ...sources], at) => `(?<p${at}>${sources.join('|')})`).join('|'),
  'giu',
)

/** The tokens of a text in order. */
export function scan(text: string): ScannedToken[] {
  const found: ScannedToken[] = []
  let end = 0
  for (const { 0: value, index: start, groups = {} } of text.matchAll(SCANNER)) {
    const [token] = PATTERNS.find((_, at) => groups[`p${at}`] !== undefined) ?? ['word']
    const startsSentence = end === 0 || /[.!?…。！？\n]/.test(text.slice(end, start))
    found.push({ token, value, start, startsSentence })
    end = start + value.length
  }
  return found
}
