/** How many bytes are sampled to tell text from binary data. */
const SAMPLE = 65_536

const BOMS = [
  { mark: [0xef, 0xbb, 0xbf], encoding: 'utf-8' },
  { mark: [0xff, 0xfe], encoding: 'utf-16le' },
  { mark: [0xfe, 0xff], encoding: 'utf-16be' },
] as const

/** The encoding that the byte order mark declares. */
export function declaredEncoding(start: Uint8Array): string | undefined {
  return BOMS.find(({ mark }) => mark.every((byte, at) => start[at] === byte))?.encoding
}

/**
 * Decodes bytes to text, or returns null if they are not text. A byte order mark takes precedence over an encoding
 * that is declared elsewhere. Without either it is UTF-8 if that fits, UTF-16 if zeros alternate, else windows-1252.
 */
export function decodeText(bytes: Uint8Array, declared?: string): string | null {
  const known =
    declaredEncoding(bytes) ?? utf16Of(bytes) ?? (declared === undefined ? undefined : encodingOf(declared))
  const text = known === undefined ? guess(bytes) : decodeAs(bytes, known)
  return text !== null && readsAsText(text) ? text : null
}

function guess(bytes: Uint8Array): string | null {
  const text = decodeAs(bytes, 'utf-8')
  if (!text.includes('\ufffd')) return text
  // A few invalid sequences among many valid ones: the text is UTF-8 all the same.
  let fits = 0
  let bad = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === 0xfffd) bad++
    else if (code > 0x7f) fits++
  }
  if (fits > 2 * bad) return text
  const high = bytes.reduce((count, byte) => (byte > 0x7f ? count + 1 : count), 0)
  return high > bytes.length * 0.4 ? null : decodeAs(bytes, 'windows-1252')
}

function decodeAs(bytes: Uint8Array, encoding: string): string {
  const text = new TextDecoder(encoding).decode(bytes)
  return encoding === 'windows-1252' ? mendWindows1252(text) : text
}

/** The canonical name of an encoding for `TextDecoder`; undefined if it knows none. */
function encodingOf(label: string): string | undefined {
  try {
    return new TextDecoder(label).encoding
  } catch {
    return undefined
  }
}

const WINDOWS_1252 = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ'

/** Node before 23 reads windows-1252 as ISO 8859-1, which has control characters where there should be quotes. */
export const mendWindows1252 = (text: string): string =>
  text.replace(/[\x80-\x9f]/g, character => WINDOWS_1252[character.charCodeAt(0) - 0x80] ?? character)

/** Detects UTF-16 without a byte order mark: in Western text every other byte is zero. */
function utf16Of(bytes: Uint8Array): string | undefined {
  if (bytes.length % 2 === 1 || bytes.length < 8) return undefined
  const pairs = Math.floor(Math.min(bytes.length, SAMPLE) / 2)
  let even = 0
  let odd = 0
  for (let at = 0; at < pairs * 2; at += 2) {
    if (bytes[at] === 0) even++
    if (bytes[at + 1] === 0) odd++
  }
  if (odd > pairs * 0.4 && even < pairs * 0.05) return 'utf-16le'
  if (even > pairs * 0.4 && odd < pairs * 0.05) return 'utf-16be'
  return undefined
}

/**
 * Whether at most one character, or one in a hundred, is a control or invalid character that text does not contain.
 */
function readsAsText(text: string): boolean {
  const most = Math.min(text.length, SAMPLE)
  let odd = 0
  for (let at = 0; at < most; at++) if (isOdd(text.charCodeAt(at))) odd++
  return odd <= Math.max(1, most * 0.01)
}

const isOdd = (code: number) =>
  (code < 0x20 && (code < 0x08 || code > 0x0d) && code !== 0x1b) ||
  (code >= 0x7f && code < 0xa0) ||
  code === 0xfffd ||
  code === 0xffff
