import { cleanExtractedText } from './clean-text.js'
import { decodeText } from './decode-text.js'
import { type ExtractedText, type ReadLimits, UnreadableFile } from './extracted.js'

/** The text of a text file, unchanged. */
export function readText(bytes: Uint8Array, limits: ReadLimits, declared?: string): string {
  const text = decodeText(bytes, declared)
  if (text === null) throw new UnreadableFile('unknown_type', 'is not text')
  const cleaned = cleanExtractedText(text)
  if (cleaned.length > limits.characters) throw new UnreadableFile('too_large', 'holds too much text')
  return cleaned
}

export function readPlainText(bytes: Uint8Array, limits: ReadLimits): ExtractedText {
  const text = readText(bytes, limits)
  return { mediaType: 'text/plain', text, title: null, pages: [], headings: [], about: {}, state: 'complete' }
}
