import { LONGEST_TERM, tokenize } from '../search/tokenize.js'

/** Takes no room on a page: joiners, zero-width spaces, variation selectors, direction marks, fillers. */
const INVISIBLE = /[\p{Default_Ignorable_Code_Point}\p{Cf}]/gu
/** What a keyboard gives in place of an apostrophe and Unicode does not count as one. */
const FALSE_APOSTROPHE = /(?<=\p{L})[`´′ʹ](?=\p{L})/gu
const LINE_BREAK = /\r\n?|[\u0085\u2028\u2029\v\f]/g

/** Letters of other alphabets that look like a Latin one, and the one they look like. */
const LOOKALIKES = new Map(
  [...'аaеeоoрpсcхxуyіiјjѕsԁdһhкkмmтtвbнnαaοoνvιiκkρpτtυuıi'.matchAll(/(.)(.)/gu)].map(
    ([, foreign = '', latin = '']) => [foreign, latin],
  ),
)
const LOOKALIKE = new RegExp(`[${[...LOOKALIKES.keys()].join('')}]`, 'gu')

/** Contractions that no rule below spells out, and the ones that are often typed without their apostrophe. */
const SPELLED_OUT: ReadonlyMap<string, string> = new Map(
  Object.entries({
    "can't": 'can not',
    cannot: 'can not',
    cant: 'can not',
    "won't": 'will not',
    wont: 'will not',
    "shan't": 'shall not',
    "ain't": 'is not',
    aint: 'is not',
    "let's": 'let us',
    im: 'i am',
    ive: 'i have',
    u: 'you',
    r: 'are',
    ur: 'your',
    youre: 'you are',
    youve: 'you have',
    youll: 'you will',
    hes: 'he is',
    shes: 'she is',
    theyre: 'they are',
    theyve: 'they have',
    theyll: 'they will',
    weve: 'we have',
    thats: 'that is',
    gonna: 'going to',
    wanna: 'want to',
    gotta: 'have to',
    mum: 'mom',
    ...Object.fromEntries(
      'do does did is are was were have has had could would should need'
        .split(' ')
        .map(verb => [`${verb}nt`, `${verb} not`]),
    ),
  }),
)
const ENDINGS: readonly (readonly [RegExp, string])[] = [
  [/n't$/, ' not'],
  [/'m$/, ' am'],
  [/'re$/, ' are'],
  [/'ve$/, ' have'],
  [/'ll$/, ' will'],
  [/'d$/, ' would'],
  [/(?<=^(?:he|she|it|that|what|there|here|who|how|why|where|this|everything|nothing))'s$/, ' is'],
]

/** Joins letters in some scripts, and pictures into one; anywhere else nobody sees it. */
const JOINER =
  /(?<!\p{Extended_Pictographic}|\p{Emoji_Modifier}|\ufe0f|\p{Script=Arabic}|\p{Script=Devanagari}|\p{Script=Bengali}|\p{Script=Malayalam}|\p{Script=Sinhala}|\p{Script=Khmer})(?:\u200c|\u200d)|(?<=\u200c|\u200d)(?:\u200c|\u200d)/gu
const UNSEEN =
  /(?!\u200c|\u200d|\n|(?<=\p{Extended_Pictographic})\ufe0f)[\p{Default_Ignorable_Code_Point}\p{Cf}\p{Cc}\p{Co}\p{Cn}]/gu

/**
 * A text as its reader sees it: without the characters that take no room, in which any other text could be hidden from
 * who decides about it and from the screen (CB-3).
 */
export const seenText = (text: string): string =>
  text
    .normalize('NFC')
    .replace(LINE_BREAK, '\n')
    .replace(/\t/g, ' ')
    .replace(UNSEEN, '')
    .replace(JOINER, '')
    .trim()

/** A text with everything gone that a reader does not see, and each character in its plainest form. */
const plain = (text: string): string =>
  text.replace(FALSE_APOSTROPHE, "'").normalize('NFKC').replace(INVISIBLE, '').replace(LINE_BREAK, '\n')

function fold(term: string): string {
  const bare = term
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .replace(LOOKALIKE, letter => LOOKALIKES.get(letter) ?? letter)
    .replaceAll('ß', 'ss')
    .replaceAll('ς', 'σ')
    .replace(/(\p{L})\1{2,}/gu, '$1')
  const known = SPELLED_OUT.get(bare)
  if (known !== undefined) return known
  for (const [ending, instead] of ENDINGS) if (ending.test(bare)) return bare.replace(ending, instead)
  return bare.replaceAll("'", '')
}

/** A term is cut where it is long, and what hides behind the cut would go unseen. */
const foldedWords = (piece: string): string[] =>
  tokenize(piece).map(({ term, start, end }) =>
    fold(end - start < LONGEST_TERM ? term : piece.slice(start, end).toLowerCase()),
  )

/**
 * The words of a text as they compare: no case, accents, punctuation, invisible characters or Unicode forms. A
 * contraction is one word, spelled out.
 *
 * @example
 * wordsOf('I don’t  FEEL sáfe!') // ['i', 'do not', 'feel', 'safe']
 */
export const wordsOf = (text: string): string[] => foldedWords(plain(text))

const ABBREVIATION = /\b(?:e\.g|i\.e|etc|vs|mrs?|ms|dr|a\.m|p\.m)\./giu
// From the first of its dots on: tried at each of them, a long row would be read over and over.
const TRAILING_OFF = /(?<!\.)\.{2,}(?=\s*\p{Ll})/gu
const SENTENCE_END = /[.!?]+(?!\d)|[。।॥؟]+|\n\s*\n|\n(?=\s*[\p{Lu}\p{N}•*-])/u
const CLAUSE_END = /[,;:()[\]"“”«»—–\n]|\s-+\s/u

const pieces = (text: string): string[] =>
  plain(text)
    .replace(ABBREVIATION, found => found.replaceAll('.', ''))
    .replace(TRAILING_OFF, ' ')
    .split(SENTENCE_END)

const said = (piece: string): string => foldedWords(piece).join(' ')

/** Each sentence as its words with one space between them, contractions spelled out. */
export const sentencesOf = (text: string): string[] =>
  pieces(text)
    .map(said)
    .filter(sentence => sentence !== '')

/** Like sentences, and divided at commas and dashes as well. */
export const clausesOf = (text: string): string[] =>
  pieces(text)
    .flatMap(sentence => sentence.split(CLAUSE_END))
    .map(said)
    .filter(clause => clause !== '')

/** Sentences, and then again as they read without line breaks and with a lone word joined to its neighbours. */
export function utterancesOf(text: string): string[] {
  const joined: string[] = []
  for (const sentence of sentencesOf(text.replace(/\s+/g, ' '))) {
    const last = joined.at(-1)
    const isLone = !sentence.includes(' ') || !(last ?? ' ').includes(' ')
    if (last !== undefined && isLone) joined[joined.length - 1] = `${last} ${sentence}`
    else joined.push(sentence)
  }
  return [...new Set([...sentencesOf(text), ...joined])]
}
