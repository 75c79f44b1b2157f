import {
  type Delivery,
  type DeliveryRefusal,
  type DeliveryRights,
  deliveryOf,
  refusalOf,
} from '../policy/delivery.js'
import type { Level } from '../policy/faces.js'
import type { PolicyTuple } from '../policy/tuple.js'
import { SOURCE_KINDS } from '../policy/vocabulary.js'
import type { RecordRow } from '../storage/queries/fetch-records.js'
import { previewOf } from './preview.js'
import { refuse } from './refusal.js'
import type { ReadRequest } from './request.js'
import { gateCaller } from './tenant-facts.js'

/** The capabilities that read texts. Whoever has none of them only searches or lists. */
const READING = ['document_view.open', 'document_view.file', 'documents.read', 'memory.get']

/** What this caller may do with documents at all: what its profiles, its link and its capabilities agree on. */
export function deliveryRights({ parts }: Pick<ReadRequest, 'parts'>): DeliveryRights {
  const { caller, tenantFacts, profile } = parts
  // A policy that no longer exists allows neither opening nor copying (DE-2).
  const opens =
    profile?.policies.all('document_access_policy').every(policy => policy?.access === 'open') ?? true
  const copies =
    profile?.policies
      .all('document_delivery_policy')
      .every(policy => policy?.delivery === 'view_and_download') ?? true
  const reads = READING.some(
    capability => gateCaller(capability, caller, tenantFacts, 'not_needed', profile).permitted,
  )
  return { mayView: opens && reads, mayCopy: opens && copies }
}

/** Whether a record is a document, a piece of one, or filed where it may be shared: delivery is decided for these. */
export function isDocument({
  kind,
  corpus,
  surface,
}: Pick<PolicyTuple, 'kind' | 'corpus' | 'surface'>): boolean {
  return SOURCES.has(kind) || (corpus !== null && surface !== null)
}
const SOURCES: ReadonlySet<string> = new Set(SOURCE_KINDS)

/** Refuses what this caller gets of no document whatever. It is the same whatever there is, so it comes first. */
export function requireDelivery(request: ReadRequest, want: Delivery): void {
  const reason = refusalOf(want, request.deliveryRights)
  if (reason !== null) throw deliveryRefused(request, reason)
}

export function deliveryRefused({ parts }: ReadRequest, reason: DeliveryRefusal): Error {
  return refuse(reason, parts.caller, parts.tenantFacts.reasonCodes, parts.profile)
}

/** What is delivered of a record: the part, and as much of its text. */
export interface Delivered {
  readonly part: Delivery
  readonly text: string
}

/**
 * Decides what of a record this caller receives when an operation wants this much of it (NI-12). Everything that
 * returns text, passages or bytes of documents asks here. Null if nothing is delivered; whether the caller may want
 * that at all is refused before, by `requireDelivery`.
 */
export function deliver(
  request: ReadRequest,
  row: Pick<RecordRow, 'tuple' | 'title' | 'text' | 'fields' | 'spans'>,
  level: Level,
  want: Delivery,
): Delivered | null {
  if (level === 'none') return null
  const rights = isDocument(row.tuple) ? request.deliveryRights : EVERYTHING
  const { part } = deliveryOf(want, level, rights)
  if (part === null) return null
  return { part, text: part === 'list' ? '' : textOf(row, level) }
}
const EVERYTHING: DeliveryRights = { mayView: true, mayCopy: true }

function textOf(row: Parameters<typeof deliver>[1], level: Exclude<Level, 'none'>): string {
  switch (level) {
    case 'full':
      return row.text
    case 'preview':
      return previewOf(row).text
    case 'metadata':
      return ''
  }
}

/** The bounds of the passages of one result. */
export interface PassageBounds {
  readonly passages: number
  readonly length: number
}

/** What a search shows of one document in one answer to a caller that may not read it. */
export const SNIPPET: PassageBounds = { passages: 1, length: 200 }

/** A stretch of text longer than this is no passage of a search any more: to show it is to let it be read. */
export const LONGEST_PASSAGE = 300

/**
 * Bounds what one answer to a search holds of the text of documents. Whoever may read them gets the passages that were
 * asked for. Whoever may not gets one short passage of each document, however many of its pieces were found.
 */
export class PassageAllowance {
  readonly #request: ReadRequest
  readonly #told = new Set<string>()

  constructor(request: ReadRequest) {
    this.#request = request
  }

  /** The text that the passages of a result are cut from, and how many they may be. */
  passagesOf(
    row: Parameters<typeof deliver>[1] & DocumentPlace & Pick<RecordRow, 'tuple'>,
    level: Level,
    asked: PassageBounds,
  ): { readonly text: string; readonly bounds: PassageBounds } {
    const { text, bounds, isFree } = this.atMost(row, level, asked)
    return { text, bounds: isFree || this.#takes(row) ? bounds : { ...bounds, passages: 0 } }
  }

  /** The same if nothing of its document was shown yet; `isFree` if that does not count. */
  atMost(
    row: Parameters<typeof deliver>[1],
    level: Level,
    asked: PassageBounds,
  ): { readonly text: string; readonly bounds: PassageBounds; readonly isFree: boolean } {
    const text = deliver(this.#request, row, level, 'snippet')?.text ?? ''
    const isFree = text === '' || !isDocument(row.tuple) || this.#request.deliveryRights.mayView
    return { text, bounds: isFree ? asked : SNIPPET, isFree }
  }

  /** Whether a stretch of other documents may be quoted whole. */
  quotes(from: readonly DocumentPlace[], length: number): boolean {
    if (this.#request.deliveryRights.mayView) return true
    return length <= SNIPPET.length && from.every(place => this.#takes(place))
  }

  #takes(place: DocumentPlace): boolean {
    const document = nameOf(place)
    if (this.#told.has(document)) return false
    this.#told.add(document)
    return true
  }
}

/** Where a record stands in a document. */
export type DocumentPlace = Pick<RecordRow, 'id' | 'document' | 'version'> & {
  readonly tuple: Pick<PolicyTuple, 'owner'>
}

/** All records of one version of a document have the same name, whether they are its card or its chunks. */
const nameOf = ({ id, document, version, tuple: { owner } }: DocumentPlace): string =>
  JSON.stringify(document === null ? [id] : [owner, document, version])
