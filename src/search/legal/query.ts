import type { LegalCitation, Range } from './citation.js'
import { findCitations, isUnresolved } from './citations.js'
import { citeAtKey, citeKey, termKey } from './keys.js'
import { findTerms, LEGAL_TERMS, type TermForm } from './legal-terms.js'
import { isWithinOpinion } from './reading.js'

/** A search through all keys that begin with one prefix. */
export interface KeyWalk {
  readonly prefix: string
  /** Whether a key with that prefix matches. */
  readonly accepts: (key: string) => boolean
}

export interface QueryCitation extends Range {
  readonly normal: string
  readonly pinpoints: readonly string[]
  /** A text with any of these keys cites what the question cites. */
  readonly keys: readonly string[]
  /** Keys that include the pinpoint of the question. Texts that have them are preferred. */
  readonly preferred: readonly string[]
  /** For a page whose decision is not named: finds the decisions of the volume that may contain it. */
  readonly walk: KeyWalk | null
}

export interface LegalQueryTerm extends Range {
  readonly id: string
  readonly form: TermForm
  /** Texts match with either form of the term. */
  readonly keys: readonly string[]
  readonly otherForm: { readonly form: TermForm; readonly text: string; readonly key: string }
}

export interface LegalQuery {
  readonly citations: readonly QueryCitation[]
  readonly terms: readonly LegalQueryTerm[]
  /**
   * The ranges of citations, including `Id.` and `supra`, and of their signals. The rest of the text is the question
   * itself.
   */
  readonly ranges: readonly Range[]
}

/** Finds the citations and terms of a question and the index keys that match them. */
export function legalQuery(query: string): LegalQuery {
  const found = findCitations(query, { anyCase: true })
  return {
    citations: found.filter(({ kind }) => kind !== 'reference').map(queryCitation),
    terms: findTerms(query).map(({ start, end, id, form }) => {
      const otherForm = form === 'short' ? 'long' : 'short'
      return {
        start,
        end,
        id,
        form,
        keys: [termKey(id, form), termKey(id, otherForm)],
        otherForm: {
          form: otherForm,
          text: LEGAL_TERMS.get(id)?.[otherForm] ?? '',
          key: termKey(id, otherForm),
        },
      }
    }),
    ranges: found.flatMap(({ start, end, signal }) => [...(signal === null ? [] : [signal]), { start, end }]),
  }
}

function queryCitation(citation: LegalCitation): QueryCitation {
  const { start, end, normal, source, kind, pinpoints } = citation
  const asked = { start, end, normal, pinpoints }
  // A text may have only the short form, with the decision named in another part of the document.
  const pages = kind === 'case' ? pinpoints.filter(pinpoint => /^\d+$/.test(pinpoint)) : []
  const atPages = pages.map(page => citeAtKey(source, page))
  if (isUnresolved(citation))
    return { ...asked, keys: atPages, preferred: [], walk: walkOfVolume(source, Number(pages[0])) }
  return {
    ...asked,
    keys: [citeKey(normal), ...atPages],
    preferred: [...pinpoints.map(pinpoint => citeKey(normal, pinpoint)), ...atPages],
    walk: null,
  }
}

/** Finds the decisions of a volume that begin at or shortly before a page. */
function walkOfVolume(source: string, page: number): KeyWalk {
  const prefix = `${JSON.stringify(['cite', `${source} `]).slice(0, -2)}`
  return {
    prefix,
    accepts(key) {
      const first = key.startsWith(prefix) ? /^(\d+)"\]$/.exec(key.slice(prefix.length)) : null
      return first !== null && isWithinOpinion(page, Number(first[1]))
    },
  }
}
