import type { Level } from './faces.js'

/**
 * What an operation may hand over of a document, least first. A list tells that it is there, with what its face shows
 * beside the text; a snippet is a short passage of it; a preview is its beginning; text is all of it, to be read; the
 * original is its file; a download is a copy to keep.
 */
export const DELIVERIES = ['list', 'snippet', 'preview', 'text', 'original', 'download'] as const
export type Delivery = (typeof DELIVERIES)[number]

/** What a caller may do with documents at all, by its profile and its capabilities. */
export interface DeliveryRights {
  /** Whether it may read texts: its profile opens documents, and it has a capability that does. */
  readonly mayView: boolean
  /** Whether it may have originals and copies: its profile opens documents, and lets copies leave. */
  readonly mayCopy: boolean
}

export type DeliveryRefusal =
  | 'session.document_view_not_allowed'
  | 'session.document_copy_not_allowed'
  | 'session.document_not_in_full'

export type DeliveryVerdict =
  | { readonly part: Delivery; readonly reason: null }
  | { readonly part: null; readonly reason: DeliveryRefusal }

/** The reason why this caller gets this of no document whatever; null if that depends on the document. */
export function refusalOf(want: Delivery, { mayView, mayCopy }: DeliveryRights): DeliveryRefusal | null {
  switch (want) {
    case 'list':
    case 'snippet':
      return null
    case 'preview':
    case 'text':
      return mayView ? null : 'session.document_view_not_allowed'
    case 'original':
    case 'download':
      if (mayCopy) return null
      return mayView ? 'session.document_copy_not_allowed' : 'session.document_view_not_allowed'
  }
}

/**
 * What of a document is delivered: what is wanted, or as much of that as the face shows (NI-12). A file is delivered
 * whole or not at all.
 */
export function deliveryOf(
  want: Delivery,
  level: Exclude<Level, 'none'>,
  rights: DeliveryRights,
): DeliveryVerdict {
  const refused = refusalOf(want, rights)
  if (refused !== null) return { part: null, reason: refused }
  if (want === 'list' || level === 'full') return { part: want, reason: null }
  if (want === 'original' || want === 'download')
    return { part: null, reason: 'session.document_not_in_full' }
  if (level === 'metadata') return { part: 'list', reason: null }
  return { part: want === 'text' ? 'preview' : want, reason: null }
}
