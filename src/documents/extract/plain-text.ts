import { cleanText } from './clean-text.js'
import { decodeText } from './decode-text.js'
import { type Extracted, type ReadLimits, Unreadable } from './extracted.js'

/** The text of a file that is text, as it is. */
export function readText(bytes: Uint8Array, limits: ReadLimits, declared?: string): string {
  const text = decodeText(bytes, declared)
  if (text === null) throw new Unreadable('unknown_type', 'is not text')
  const cleaned = cleanText(text)
  if (cleaned.length > limits.characters) throw new Unreadable('too_large', 'holds too much text')
  return cleaned
}

export function readPlainText(bytes: Uint8Array, limits: ReadLimits): Extracted {
  const text = readText(bytes, limits)
  return { mediaType: 'text/plain', text, title: null, pages: [], headings: [], about: {}, state: 'complete' }
}
