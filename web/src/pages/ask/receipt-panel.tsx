import type { MemorySearchOutput } from 'privity/client'
import { Link } from 'wouter'
import { count, formatDuration, inWords } from '../../lib/format'

interface ReceiptProps {
  readonly receipt: MemorySearchOutput['receipt']
  readonly expansions: MemorySearchOutput['expansions']
  readonly took: number
  /** Whether the search was the reader's own, so that its receipt can be opened. */
  readonly own: boolean
}

const COMPLETENESS: Readonly<Record<string, string>> = {
  exhaustive_for_scope: 'Everything you may see was searched.',
  partial_due_to_staleness:
    'Semantic search is still catching up. Newer records were found by their words only.',
  ranked_top_k_not_exhaustive: 'Only the best matches were ranked. There may be more.',
}

/** What was searched, how completely and for how long, in words. */
export function ReceiptPanel({ receipt, expansions, took, own }: ReceiptProps) {
  const { searchedCount, resultSetCompleteness, meaning } = receipt
  return (
    <details className="receipt">
      <summary>
        Searched {count(searchedCount, 'record')} in {formatDuration(took)}.{' '}
        {COMPLETENESS[resultSetCompleteness] ?? inWords(resultSetCompleteness)}
      </summary>
      <dl className="facts small">
        <dt>Searched</dt>
        <dd>{count(searchedCount, 'record')} that you may see</dd>
        {receipt.kind === 'internal' && receipt.searchedCorpora.length > 0 ? (
          <>
            <dt>Corpora</dt>
            <dd>{receipt.searchedCorpora.join(', ')}</dd>
          </>
        ) : null}
        <dt>By meaning</dt>
        <dd>
          {meaning.length === 0
            ? 'Not used. Only words were compared.'
            : meaning
                .map(({ model, state, waiting }) =>
                  state === 'partial'
                    ? `${model}, still catching up (${waiting} waiting)`
                    : `${model}: ${inWords(state)}`,
                )
                .join(', ')}
        </dd>
        <dt>Words added</dt>
        <dd>
          {expansions.length === 0
            ? 'None'
            : expansions
                .map(
                  ({ expansionKind, appliedTerms }) =>
                    `${inWords(expansionKind)}: ${appliedTerms.join(', ')}`,
                )
                .join('; ')}
        </dd>
        <dt>Complete</dt>
        <dd>{COMPLETENESS[resultSetCompleteness] ?? inWords(resultSetCompleteness)}</dd>
        <dt>Took</dt>
        <dd>{formatDuration(took)}, measured in the browser</dd>
        <dt>Receipt</dt>
        <dd>
          <code className="wrap-anywhere">{receipt.receiptId}</code>
          {own ? (
            <>
              {' '}
              <Link href={`/audit/searches/${receipt.searchRunId}`}>Open the receipt</Link>
            </>
          ) : null}
        </dd>
      </dl>
    </details>
  )
}
