import type { LegalCitation, Range } from './citation.js'
import { findCitations, isUnresolved } from './citations.js'
import { citeAtKey, citeKey, termKey } from './keys.js'
import { findTerms, LEGAL_TERMS, type TermForm } from './legal-terms.js'
import { isWithinOpinion } from './reading.js'

/** Keys that are found by going through those with one beginning. */
export interface KeyWalk {
  readonly prefix: string
  /** Whether a key with that beginning is an answer. */
  readonly accepts: (key: string) => boolean
}

export interface QueryCitation extends Range {
  readonly normal: string
  readonly pinpoints: readonly string[]
  /** A text with any of these cites what is asked for. */
  readonly keys: readonly string[]
  /** Those that also have the pinpoint asked for: a preference among the answers. */
  readonly preferred: readonly string[]
  /** Of a page without a decision: decisions of the volume that may contain it. */
  readonly walk: KeyWalk | null
}

export interface LegalQueryTerm extends Range {
  readonly id: string
  readonly form: TermForm
  /** Both forms answer. */
  readonly keys: readonly string[]
  readonly otherForm: { readonly form: TermForm; readonly text: string; readonly key: string }
}

export interface LegalQuery {
  readonly citations: readonly QueryCitation[]
  readonly terms: readonly LegalQueryTerm[]
  /** The words that are citations or signals before them, `Id.` and `supra` included: all else is what is asked. */
  readonly ranges: readonly Range[]
}

/** What a question cites or names, and which keys of the index answer it. */
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
  // A text may have nothing but the short form, with the decision named in another part of the document.
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

/** Decisions of a volume that begin at or before a page and not too far from it. */
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
