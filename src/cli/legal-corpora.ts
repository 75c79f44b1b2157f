import { LAW } from '../example-world/brief-bank.js'
import { legal } from '../legal/index.js'
import type { OpenOptions } from '../open.js'
import { UsageError } from './usage-error.js'

/**
 * The legal corpora in `PRIVITY_LEGAL`: a comma-separated list, or all; plus those of the example, if it is loaded.
 */
export function domainOf(
  { PRIVITY_LEGAL: named }: Readonly<Record<string, string | undefined>>,
  { withExample }: { readonly withExample: boolean },
): Pick<OpenOptions, 'domain'> {
  if (named === 'all') return { domain: legal() }
  const corpora = (named ?? '').split(',').map(corpus => corpus.trim())
  if (named !== undefined && corpora.includes(''))
    throw new UsageError('PRIVITY_LEGAL must name corpora, separated by commas, or say all')
  const law = [...(named === undefined ? [] : corpora), ...(withExample ? LAW : [])]
  return law.length === 0 ? {} : { domain: legal({ corpora: law }) }
}
