import type { Level } from '../policy/faces.js'
import type { RecordRow } from '../storage/queries/fetch-records.js'

/** How many characters of a document a preview shows (OV-1). */
export const PREVIEW_CHARACTERS = 200

type Previewed = Pick<RecordRow, 'title' | 'text' | 'fields' | 'spans'> & {
  readonly tuple: Pick<RecordRow['tuple'], 'kind'>
}

/**
 * The title and text of a record in a preview. A document is one thing however many records it is made of: its card
 * shows the title, and its chunks show together the first characters of the text. A chunk has no title in a preview,
 * because that is a heading from anywhere in the document.
 */
export function previewOf({ title, text, fields, spans, tuple }: Previewed): {
  readonly title: string | null
  readonly text: string
} {
  if (tuple.kind === 'segment')
    return { title: null, text: firstCharacters(text, PREVIEW_CHARACTERS - startOf(spans)) }
  // The text of a card is made from all of the document.
  if (isCard({ fields, tuple })) return { title, text: '' }
  return { title, text: firstCharacters(text, PREVIEW_CHARACTERS) }
}

/** The title of a record as a face shows it; null if it shows none. */
export function shownTitle(row: Previewed, level: Level): string | null {
  if (level === 'full') return row.title
  return level === 'preview' ? previewOf(row).title : null
}

/** Whether a record is the card of a document whose text is in chunks. */
export const isCard = ({ fields, tuple }: Pick<Previewed, 'fields' | 'tuple'>): boolean =>
  tuple.kind === 'document' && 'parts' in fields

/** Whether a chunk holds some of what a preview of its document shows. */
export const isOpening = (kind: string, spans: readonly unknown[]): boolean =>
  kind === 'segment' && startOf(spans) < PREVIEW_CHARACTERS

/**
 * Where a chunk begins in its document; beyond every preview if that is not known. It is counted in units of UTF-16,
 * of which a character has one or two, so all chunks together never show too many characters.
 */
function startOf([span]: readonly unknown[]): number {
  const { start } = (span ?? {}) as { readonly start?: unknown }
  return Number.isInteger(start) ? Math.max(0, start as number) : Number.POSITIVE_INFINITY
}

/** Counts code points, so that no character is cut in half. */
export function firstCharacters(text: string, count: number): string {
  let end = 0
  for (let seen = 0; seen < count && end < text.length; seen++)
    end += (text.codePointAt(end) ?? 0) > 0xffff ? 2 : 1
  return text.slice(0, end)
}
