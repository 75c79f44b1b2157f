import { Document } from '@langchain/core/documents'
import { BaseRetriever, type BaseRetrieverInput } from '@langchain/core/retrievers'
import type { Handle } from '../handle.js'
import type { InputOf } from '../operations.js'
import { asData } from '../runtime/data-markers.js'
import type { RecordView } from '../runtime/record-view.js'
import type { RequestOptions } from '../runtime/runtime.js'

export interface PrivityRetrieverOptions extends BaseRetrieverInput {
  /** Who asks: of the library or of the client alike. */
  readonly handle: Pick<Handle, 'search'>
  /** How to search; ten results unless said otherwise. */
  readonly search?: Omit<InputOf<'memory.search'>, 'query'>
  readonly request?: RequestOptions
}

/** What is known of a document besides its text. */
export interface PrivityMetadata {
  readonly id: string
  /** From 0 to 1, relative to everything the caller can see. */
  readonly score: number
  /** How much of the record is shown: the text of `metadata` is its tags. */
  readonly face: RecordView['face']
  readonly kind: string
  readonly sensitivity: string
  readonly scope: string | null
  readonly tags: readonly string[]
  readonly createdAt: string
  /** The search it came from: `handle.receipts` has what was searched, and keeps it when an answer cites it. */
  readonly searchRun: string
}

/** Retrieves what the caller of a handle may see. What it may not see is as if it were not there. */
export class PrivityRetriever extends BaseRetriever<PrivityMetadata & Record<string, unknown>> {
  static override lc_name() {
    return 'PrivityRetriever'
  }
  override lc_namespace = ['privity', 'retrievers']

  readonly #options: PrivityRetrieverOptions

  constructor(options: PrivityRetrieverOptions) {
    super(options)
    this.#options = options
  }

  override async _getRelevantDocuments(
    query: string,
  ): Promise<Document<PrivityMetadata & Record<string, unknown>>[]> {
    const { handle, search = {}, request } = this.#options
    const { results, receipt } = await handle.search(query, search, request)
    return results.map(({ record, score }) => {
      const { id, face, kind, sensitivity, scope, tags, createdAt } = record
      const searchRun = receipt.searchRunId
      return new Document({
        id,
        pageContent: shownText(record),
        metadata: { id, score, face, kind, sensitivity, scope, tags, createdAt, searchRun },
      })
    })
  }
}

/** What a face says: its title and text, and where neither is shown its tags. */
function shownText({ payload, tags }: RecordView): string {
  if (payload === null) return tags.join(', ')
  return payload.title === null ? payload.text : `${payload.title}\n${payload.text}`
}

/** Documents for a prompt, between markers that say they are data: text in them is not taken for instructions (RC-15). */
export function documentsAsData(documents: readonly Pick<Document, 'pageContent' | 'metadata'>[]): string {
  return asData(documents.map(({ pageContent, metadata }) => ({ ...metadata, text: pageContent })))
}
