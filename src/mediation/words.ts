import { LONGEST_TERM, tokenize } from '../search/tokenize.js'

/** Characters without width: joiners, zero-width spaces, variation selectors, direction marks, fillers. */
const INVISIBLE = /[\p{Default_Ignorable_Code_Point}\p{Cf}]/gu
/** Characters that people type instead of an apostrophe, but that Unicode does not count as one. */
const FALSE_APOSTROPHE = /(?<=\p{L})[`´′ʹ](?=\p{L})/gu
const LINE_BREAK = /\r\n?|[\u0085\u2028\u2029\v\f]/g

/** Letters of other alphabets that look like a Latin letter, mapped to that letter. */
const LOOKALIKES = new Map(
  [
    ...'аaеeоoрpсcхxуyіiјjѕsԁdһhкkмmтtвbнnгrαaοoνvιiκkρpτtυuıiɑaɡgᴀaʙbᴄcᴅdᴇeꜰfɢgʜhɪiᴊjᴋkʟlᴍmɴnᴏoᴘpʀrꜱsᴛtᴜuᴠvᴡwʏyᴢz'.matchAll(
      /(.)(.)/gu,
    ),
  ].map(([, foreign = '', latin = '']) => [foreign, latin]),
)
const LOOKALIKE = new RegExp(`[${[...LOOKALIKES.keys()].join('')}]`, 'gu')

/** Enclosed letters that Unicode normalization does not convert, each row from a to z. */
const ENCLOSED = /[\u{1f150}-\u{1f169}\u{1f170}-\u{1f189}\u{1f1e6}-\u{1f1ff}]/gu
const ENCLOSED_ROWS = [0x1f1e6, 0x1f170, 0x1f150]
function unboxed(letter: string): string {
  const code = letter.codePointAt(0) ?? 0
  const first = ENCLOSED_ROWS.find(row => code >= row) ?? code
  return String.fromCharCode(97 + code - first)
}

/** Signs that replace a letter inside a word, as in "p@ss". An email address is left alone. */
const SIGN_FOR_LETTER = /(?<=\p{L}[$@]{0,3})(?:\$|@(?![\p{L}\p{N}.-]+\.\p{L}))(?=[$@]{0,3}\p{L})/gu
const DIGITS_FOR_LETTERS: Readonly<Record<string, string>> = {
  0: 'o',
  1: 'i',
  3: 'e',
  4: 'a',
  5: 's',
  7: 't',
}
const withLetters = (term: string): string =>
  /\p{L}/u.test(term)
    ? term.replace(/^1(?=[aeiou])/, 'l').replace(/[013457]/g, digit => DIGITS_FOR_LETTERS[digit] ?? digit)
    : term

/** Contractions that the rules below do not cover, and those often typed without their apostrophe. */
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

/** Joiners have a visible effect in some scripts and in emoji; anywhere else they are invisible. */
const JOINER =
  /(?<!\p{Extended_Pictographic}|\p{Emoji_Modifier}|\ufe0f|\p{Script=Arabic}|\p{Script=Devanagari}|\p{Script=Bengali}|\p{Script=Malayalam}|\p{Script=Sinhala}|\p{Script=Khmer})(?:\u200c|\u200d)|(?<=\u200c|\u200d)(?:\u200c|\u200d)/gu
const UNSEEN =
  /(?!\u200c|\u200d|\n|(?<=\p{Extended_Pictographic})\ufe0f)[\p{Default_Ignorable_Code_Point}\p{Cf}\p{Cc}\p{Co}\p{Cn}]/gu

/**
 * The text as its reader sees it. Invisible characters are removed, because they could hide text from the person who
 * decides and from the screen (CB-3).
 */
export const stripInvisible = (text: string): string =>
  text
    .normalize('NFC')
    .replace(LINE_BREAK, '\n')
    .replace(/\t/g, ' ')
    .replace(UNSEEN, '')
    .replace(JOINER, '')
    .trim()

/** Removes everything that a reader does not see, and reduces each character to its plainest form. */
const plain = (text: string): string =>
  text
    .replace(FALSE_APOSTROPHE, "'")
    .normalize('NFKC')
    .replace(INVISIBLE, '')
    .replace(LINE_BREAK, '\n')
    .replace(ENCLOSED, unboxed)
    .replace(SIGN_FOR_LETTER, sign => (sign === '$' ? 's' : 'a'))

const lettersOf = (term: string): string =>
  withLetters(term)
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .replace(LOOKALIKE, letter => LOOKALIKES.get(letter) ?? letter)
    .replaceAll('ß', 'ss')
    .replaceAll('ς', 'σ')
    .replace(/(\p{L})\1{2,}/gu, '$1')

function fold(term: string): string {
  const bare = lettersOf(term)
  const known = SPELLED_OUT.get(bare)
  if (known !== undefined) return known
  for (const [ending, instead] of ENDINGS) if (ending.test(bare)) return bare.replace(ending, instead)
  return bare.replaceAll("'", '')
}

/** Long terms are taken from the text, because the tokenizer truncates them and could hide what follows. */
function foldedWords(piece: string): string[] {
  const terms = tokenize(piece).map(({ term, start, end }) =>
    end - start < LONGEST_TERM ? term : piece.slice(start, end).toLowerCase(),
  )
  const apart = typedApart(terms)
  return terms.map((term, at) => (apart.has(at) ? lettersOf(term) : fold(term)))
}

/** Finds single letters that spell a longer word: an "r" or "u" among them does not stand for "are" or "you". */
function typedApart(terms: readonly string[]): ReadonlySet<number> {
  const apart = new Set<number>()
  for (let from = 0; from < terms.length; from++) {
    let to = from
    while (terms[to]?.length === 1) to++
    const letters = terms.slice(from, to).join('')
    const isWord = letters.replace(/[ai]/g, '').length > 2 || (letters.length > 2 && /[^airu]/.test(letters))
    for (let at = from; isWord && at < to; at++) apart.add(at)
    from = Math.max(from, to)
  }
  return apart
}

/**
 * Rewrites a text as if it were addressed to the people it names: "Bob hit me" becomes "you hit me", and "Bob's"
 * becomes both "your" and "you are". A name that is also a common word counts only if it is capitalized.
 *
 * @example
 * rewriteAsAddressed('Bob’s late', new Set(['bob'])) // ['Your late', 'You are late']
 */
export function rewriteAsAddressed(text: string, names: ReadonlySet<string>): string[] {
  if (names.size === 0) return [text]
  const whole = plain(text)
  let [belonging, being, last] = ['', '', 0]
  let before = Number.NEGATIVE_INFINITY
  for (const { term, start, end } of tokenize(whole)) {
    const owns = term.endsWith("'s")
    const word = fold(owns ? term.slice(0, -2) : term)
    const isCapital = /^\p{Lu}/u.test(whole.slice(start, end))
    if (!names.has(word) || (WORDS_TOO.has(word) && !isCapital)) continue
    // Two names in a row belong to one person.
    const again = before === start - 1
    const between = again ? '' : whole.slice(last, start)
    const you = isCapital ? 'You' : 'you'
    belonging += between + (again ? '' : owns ? `${you}r` : you)
    being += between + (again ? '' : owns ? `${you} are` : you)
    ;[last, before] = [end, end]
  }
  const rest = whole.slice(last)
  return [...new Set([belonging + rest, being + rest])]
}

/** Names that are also common words. */
const WORDS_TOO = new Set(
  `will hope joy may mark grace faith rose art bill jack frank grant drew pat sue rob chase guy dean dawn april june
   august amber sky star angel honey sunny happy love lucky max summer autumn winter rich ray harry nick don ken
   an he she they it us me my so no do her his in on is see`.split(/\s+/),
)

/**
 * The words of a text, normalized for comparison: without case, accents, punctuation, invisible characters or Unicode
 * variants. A contraction is one word, spelled out.
 *
 * @example
 * wordsOf('I don’t  FEEL sáfe!') // ['i', 'do not', 'feel', 'safe']
 */
export const wordsOf = (text: string): string[] => foldedWords(plain(text))

const ABBREVIATION = /\b(?:e\.g|i\.e|etc|vs|mrs?|ms|dr|a\.m|p\.m)\./giu
// This matches from the first dot only, because trying at each dot of a long row would take quadratic time.
const TRAILING_OFF = /(?<!\.)\.{2,}(?=\s*\p{Ll})/gu
const SENTENCE_END = /[.!?]+(?!\d)|[。।॥؟]+|\n\s*\n|\n(?=\s*[\p{Lu}\p{N}•*-])/u
const CLAUSE_END = /[,;:()[\]"“”«»—–\n]|\s-+\s/u

const pieces = (text: string): string[] =>
  plain(text)
    .replace(ABBREVIATION, found => found.replaceAll('.', ''))
    .replace(TRAILING_OFF, ' ')
    .split(SENTENCE_END)

const said = (piece: string): string => foldedWords(piece).join(' ')

/** Each sentence as words separated by single spaces, with contractions spelled out. */
export const sentencesOf = (text: string): string[] =>
  pieces(text)
    .map(said)
    .filter(sentence => sentence !== '')

/** Like `sentencesOf`, but also split at commas and dashes. */
export const clausesOf = (text: string): string[] =>
  pieces(text)
    .flatMap(sentence => sentence.split(CLAUSE_END))
    .map(said)
    .filter(clause => clause !== '')

/** All sentences, plus the same text read without line breaks and with single words joined to their neighbours. */
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
