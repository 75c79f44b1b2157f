/** What a watermark policy applies to, whom its mark names, and where the mark stands (ST-4, 002 §6.1). */
export const WATERMARK_TARGETS = ['downloaded_artifacts', 'displayed_content', 'both'] as const
export const WATERMARK_KINDS = ['user_email', 'session_id', 'timestamp'] as const
export const WATERMARK_VISIBILITIES = ['visible', 'invisible_metadata', 'both'] as const
export type WatermarkVisibility = (typeof WATERMARK_VISIBILITIES)[number]

export interface MarkingPolicy {
  readonly appliesTo: (typeof WATERMARK_TARGETS)[number]
  readonly watermarkKind: (typeof WATERMARK_KINDS)[number]
  readonly watermarkVisibility: WatermarkVisibility
}

/** What is put on one copy. */
export interface Mark {
  /** The number of the copy in the registry. */
  readonly number: string
  /** What a reader sees on the copy, on one line; the number is part of it. */
  readonly line: string
  readonly visibility: WatermarkVisibility
}

/**
 * How copies are marked: as the policy says for what it applies to, and for everything else in metadata alone. What is
 * displayed in a browser can be kept, so no copy leaves without a number.
 */
export function visibilityFor(
  { appliesTo, watermarkVisibility }: MarkingPolicy,
  target: 'downloaded_artifacts' | 'displayed_content',
): WatermarkVisibility {
  return appliesTo === 'both' || appliesTo === target ? watermarkVisibility : 'invisible_metadata'
}

/** The line that a reader sees: whom the copy was made for, its number and when that was. */
export function markLine(
  kind: MarkingPolicy['watermarkKind'],
  {
    number,
    email,
    session,
    at,
  }: {
    readonly number: string
    readonly email: string | null
    readonly session: string
    readonly at: Date
  },
): string {
  const time = `${at.toISOString().slice(0, 16).replace('T', ' ')} UTC`
  switch (kind) {
    case 'user_email':
      return `${email ?? `session ${session}`} · ${number} · ${time}`
    case 'session_id':
      return `session ${session} · ${number} · ${time}`
    case 'timestamp':
      return `${time} · ${number}`
  }
}

/** Crockford's base 32: no letter looks like a digit. */
const DIGITS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const RANDOM_DIGITS = 13
const CHECK_DIGITS = 2
/** How many random bytes a number is made of. */
export const NUMBER_BYTES = RANDOM_DIGITS

/** A number such as `PV-7K3M9-QXD2T-WBCPE`. Its last two digits check the others, so that a misread one is noticed. */
export function numberFrom(random: Uint8Array): string {
  const digits = [...random.subarray(0, RANDOM_DIGITS)].map(byte => DIGITS[byte % 32]).join('')
  return written(digits + checkOf(digits))
}

const written = (digits: string) => `PV-${digits.slice(0, 5)}-${digits.slice(5, 10)}-${digits.slice(10)}`

/** The remainder of the number by a prime below 32²: every wrong digit and every swap of neighbours changes it. */
function checkOf(digits: string): string {
  let rest = 0
  for (const digit of digits) rest = (rest * 32 + DIGITS.indexOf(digit)) % 1_021
  return `${DIGITS[Math.floor(rest / 32)]}${DIGITS[rest % 32]}`
}

/** Reads a number that somebody typed or a scanner recognised; null if it is none. */
export function readNumber(text: string): string | null {
  const [only, ...more] = findNumbers(text)
  return only !== undefined && more.length === 0 ? only : null
}

const LENGTH = RANDOM_DIGITS + CHECK_DIGITS
/** Line breaks and dashes may stand anywhere, and letters that look alike may have been mixed up. */
const NUMBER = new RegExp(
  String.raw`P\s*V(?:[\s\u00ad\u2010-\u2015-]*[0-9A-TV-Z]){${LENGTH}}(?![0-9A-TV-Z])`,
  'gi',
)

/** All numbers that stand in a text, each once, in order. */
export function findNumbers(text: string): string[] {
  const found = new Set<string>()
  for (const [match] of text.matchAll(NUMBER)) {
    const digits = match
      .replace(/[^0-9a-z]/gi, '')
      .slice(2)
      .toUpperCase()
      .replaceAll('O', '0')
      .replace(/[IL]/g, '1')
    if (checkOf(digits.slice(0, RANDOM_DIGITS)) === digits.slice(RANDOM_DIGITS)) found.add(written(digits))
  }
  return [...found]
}

const ZERO = '\u200b'
const ONE = '\u200c'
const EDGE = '\u2060\u200d\u2060'
const BITS = LENGTH * 5

/** A number as characters that have no width: a text has no other place that is not shown. */
export function invisibleNumber(number: string): string {
  const bits = [...number.slice(3).replaceAll('-', '')].flatMap(digit =>
    [...DIGITS.indexOf(digit).toString(2).padStart(5, '0')].map(bit => (bit === '1' ? ONE : ZERO)),
  )
  return EDGE + bits.join('') + EDGE
}

const INVISIBLE = new RegExp(`${EDGE}([${ZERO}${ONE}]{${BITS}})${EDGE}`, 'g')

export function findInvisibleNumbers(text: string): string[] {
  return [...text.matchAll(INVISIBLE)].flatMap(([, bits = '']) => {
    const digits = (bits.match(/.{5}/g) ?? []).map(
      five => DIGITS[Number.parseInt(five.replaceAll(ZERO, '0').replaceAll(ONE, '1'), 2)],
    )
    return findNumbers(written(digits.join('')))
  })
}

/** A text with the mark on its first and last line, and behind its first line where it is not shown. */
export function markText(text: string, { number, line, visibility }: Mark): string {
  const hidden = visibility === 'visible' ? '' : invisibleNumber(number)
  const end = text.search(/\r?\n|$/)
  const body = text.slice(0, end) + hidden + text.slice(end)
  return visibility === 'invisible_metadata' ? body : `[${line}]\n\n${body}\n\n[${line}]\n`
}
