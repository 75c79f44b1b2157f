import type { LegalCitation } from './citation.js'
import { findCitations, isUnresolved } from './citations.js'
import { findTerms, type TermForm } from './legal-terms.js'

/** The most keys that one text adds to the index: terms first, then citations in the order of the text. */
export const MOST_KEYS = 2_000

export const citeKey = (normal: string, pinpoint?: string) =>
  JSON.stringify(pinpoint === undefined ? ['cite', normal] : ['cite', normal, pinpoint])
/** The key of a page of a volume if the text does not say of which decision it is. */
export const citeAtKey = (source: string, page: string) => JSON.stringify(['cite-at', source, page])
export const termKey = (id: string, form: TermForm) => JSON.stringify(['term', id, form])

/** The index keys of one citation. */
export function keysOf(citation: LegalCitation): string[] {
  const { kind, normal, source, pinpoints } = citation
  if (isUnresolved(citation)) return pinpoints.map(page => citeAtKey(source, page))
  if (kind === 'reference') return []
  return [citeKey(normal), ...pinpoints.map(pinpoint => citeKey(normal, pinpoint)), ...partKeys(citation)]
}

/** A citation of `29 C.F.R. § 1910.12` also cites part 1910. */
function partKeys({ source, normal }: LegalCitation): string[] {
  const part = source.endsWith(' C.F.R.') ? /§ (\d+)\./.exec(normal)?.[1] : undefined
  return part === undefined ? [] : [citeKey(`${source} pt. ${part}`)]
}

/**
 * The distinct index keys of a text's citations and legal terms, sorted. Each form of a term has its own key, to keep
 * the form that is written apart from the other form, which means the same.
 *
 * `legalKeys('PSLRA: 15 USC 78u-4')` is `['["cite","15 U.S.C. § 78u-4"]', '["term","pslra","short"]']`.
 */
export function legalKeys(text: string): string[] {
  const keys = new Set(findTerms(text).map(({ id, form }) => termKey(id, form)))
  for (const citation of findCitations(text))
    for (const key of keysOf(citation)) {
      if (keys.size >= MOST_KEYS) return [...keys].sort()
      keys.add(key)
    }
  return [...keys].sort()
}
