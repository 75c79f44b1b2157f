import { Document } from '@langchain/core/documents'
import { BaseRetriever, type BaseRetrieverInput } from '@langchain/core/retrievers'
import type { Handle } from '../handle.js'
import type { InputOf } from '../operations.js'
import { asData } from '../runtime/data-markers.js'
import type { RecordView } from '../runtime/record-view.js'
import type { RequestOptions } from '../runtime/runtime.js'

export interface PrivityRetrieverOptions extends BaseRetrieverInput {
  /**
   * The handle of the caller, from the library or from the client. With that of a person, the model sees what an agent
   * of theirs sees over MCP: people in a record must have agreed, and `request.trust` says how sensitive a record may
   * be. Default: `medium`.
   */
  readonly handle: Pick<Handle, 'search'>
  /** Search options. Default: ten results. */
  readonly search?: Omit<InputOf<'memory.search'>, 'query'>
  readonly request?: RequestOptions
}

/** The metadata of a document. */
export interface PrivityMetadata {
  readonly id: string
  /** Score from 0 to 1, relative to everything that the caller can see. */
  readonly score: number
  /** How much of the record is shown. For `metadata`, the text consists of its tags. */
  readonly face: RecordView['face']
  readonly kind: string
  readonly sensitivity: string
  readonly scope: string | null
  readonly tags: readonly string[]
  readonly createdAt: string
  /**
   * The search that found it: `handle.receipts` tells what was searched, and keeps the receipt if an answer cites it.
   */
  readonly searchRun: string
}

/** Retrieves records that the caller of a handle may see. Anything else is as if it did not exist. */
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
    const { results, receipt } = await handle.search(query, search, { ...request, forModel: true })
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

/** The title and text that are shown, or the tags if neither is. */
function shownText({ payload, tags }: RecordView): string {
  if (payload === null) return tags.join(', ')
  return payload.title === null ? payload.text : `${payload.title}\n${payload.text}`
}

/**
 * Documents for a prompt, in markers that declare them as data, so that a model does not take them for instructions
 * (RC-15).
 */
export function documentsAsData(documents: readonly Pick<Document, 'pageContent' | 'metadata'>[]): string {
  return asData(documents.map(({ pageContent, metadata }) => ({ ...metadata, text: pageContent })))
}
