import type { Domain } from '../runtime/domain.js'
import { caseKeys, keysOfCase } from '../search/legal/case-number.js'
import { legalKeys } from '../search/legal/keys.js'
import { authoritiesIn } from './authorities.js'
import { layoutOf } from './layout.js'
import { LEGAL_QUESTIONS } from './questions.js'

/**
 * US law, for the corpora that hold it (all of them, where none are named): citations and legal terms are found in
 * whatever form they are written, filings have captions and parts, and questions are read as those of a lawyer.
 *
 * @example
 * const privity = await open({ domain: legal({ corpora: ['briefs'] }) })
 */
export function legal({ corpora }: { readonly corpora?: readonly string[] } = {}): Domain {
  const named = corpora === undefined ? null : new Set(corpora)
  return {
    name: JSON.stringify(['legal', named === null ? null : [...named].sort()]),
    has: corpus => named === null || named.has(corpus),
    keysOf: ({ title, text, fields: { caseNumber } }) => [
      ...(typeof caseNumber === 'string' ? caseKeys(caseNumber) : []),
      ...legalKeys(`${title ?? ''}\n${text}`),
    ],
    keysOfCase,
    authoritiesIn,
    questions: LEGAL_QUESTIONS,
    layoutOf,
  }
}
