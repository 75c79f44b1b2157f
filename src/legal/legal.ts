import type { Domain } from '../runtime/domain.js'
import { jobModule } from '../runtime/threads/threads.js'
import { caseKeys, keysOfCase } from '../search/legal/case-number.js'
import { legalKeys } from '../search/legal/keys.js'
import { authoritiesIn } from './authorities.js'
import { layoutOf } from './layout.js'
import { LEGAL_QUESTIONS } from './questions.js'

export interface LegalOptions {
  readonly corpora?: readonly string[]
}

/**
 * US law, for the corpora that hold legal documents (default: all). Search finds citations and legal terms in any of
 * their forms, captions and parts of filings are recognised, and questions are read as a lawyer's.
 *
 * @example
 * const privity = await open({ domain: legal({ corpora: ['briefs'] }) })
 */
export function legal({ corpora }: LegalOptions = {}): Domain {
  const named = corpora === undefined ? null : new Set(corpora)
  return {
    module: {
      module: jobModule('legal/legal.js'),
      options: corpora === undefined ? {} : { corpora: [...corpora] },
    },
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

/** Makes the same domain in another thread. */
export const makeDomain = legal
