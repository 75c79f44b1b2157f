import { useQuery } from '@tanstack/react-query'
import type { OutputOf } from 'privity/client'
import { Link } from 'wouter'
import { Badge } from '../../components/badge'
import { Button, buttonClass } from '../../components/button'
import { Card, Page } from '../../components/page'
import { EmptyState, QueryView } from '../../components/states'
import { privity } from '../../lib/api'
import { count, formatDateTime, formatDuration, formatNumber, inWords } from '../../lib/format'
import { useAction } from '../../lib/use-action'
import { completenessInWords, executorInWords, retentionInWords } from './receipt-words'

type Receipt = NonNullable<OutputOf<'receipts.get'>>

const back = (
  <Link href="/audit/searches" className={buttonClass()}>
    All searches
  </Link>
)

/** The receipt of one search: what was searched, how, how completely, and how long that is kept. */
export function SearchReceipt({ id }: { readonly id: string }) {
  const query = useQuery({ queryKey: ['receipts', id], queryFn: () => privity.receipts.get(id) })
  return (
    <Page
      title="Receipt of a search"
      lead="What was searched and how. The question itself is kept sealed and not shown."
      actions={back}
    >
      <QueryView
        query={query}
        empty={{
          when: found => found === null,
          show: (
            <EmptyState title="There is no such receipt">
              It was kept for its time and deleted, or it is not of a search of yours.
            </EmptyState>
          ),
        }}
      >
        {found => (found === null ? null : <Whole {...found} />)}
      </QueryView>
    </Page>
  )
}

function Whole({ searchRunId, at, receipt, retention, manifest, expansions, indexSnapshots }: Receipt) {
  const { act, busy } = useAction()
  const { label, tone, says } = completenessInWords(receipt.resultSetCompleteness)
  return (
    <>
      <div className="grid-2">
        <Card title="What was searched" actions={<Badge tone={tone}>{label}</Badge>}>
          <p>{says}</p>
          <dl className="facts">
            <dt>When</dt>
            <dd>{formatDateTime(at)}</dd>
            <dt>Searched</dt>
            <dd>{count(receipt.searchedCount, 'record')}</dd>
            {receipt.kind === 'internal' ? <Inside receipt={receipt} /> : null}
            <dt>Words added</dt>
            <dd className="wrap-anywhere">
              {expansions.length === 0
                ? 'None'
                : expansions
                    .map(
                      ({ expansionKind, appliedTerms }) =>
                        `${inWords(expansionKind)}: ${appliedTerms.join(', ')}`,
                    )
                    .join('; ')}
            </dd>
          </dl>
        </Card>
        <Card title="How long it is kept">
          <p>{retentionInWords(retention)}</p>
          <div className="row">
            <Button
              busy={busy}
              onClick={() =>
                void act(
                  () => privity.receipts.mark({ searchRun: searchRunId, retentionClass: 'durable_audit_1y' }),
                  'The receipt is kept for a year.',
                )
              }
              disabled={retention.retentionClass !== 'ephemeral_session_lifetime'}
            >
              Keep it for a year
            </Button>
            <Button
              busy={busy}
              onClick={() =>
                void act(
                  () => privity.receipts.mark({ searchRun: searchRunId, retentionClass: 'durable_audit_7y' }),
                  'The receipt is kept for seven years.',
                )
              }
              disabled={retention.retentionClass === 'durable_audit_7y'}
            >
              Keep it for seven years
            </Button>
          </div>
          <p className="muted small">A receipt is never kept for a shorter time than before.</p>
        </Card>
      </div>
      <Card title="What ran">
        <div className="table-scroll">
          <table className="table">
            <thead>
              <tr>
                <th scope="col">Search</th>
                <th scope="col">Results</th>
                <th scope="col">Took</th>
              </tr>
            </thead>
            <tbody>
              {manifest.executorExecutions.map(({ executorClass, resultCount, startedAt, completedAt }) => (
                <tr key={`${executorClass} ${startedAt}`}>
                  <td>{executorInWords(executorClass)}</td>
                  <td>{formatNumber(resultCount)}</td>
                  <td>{formatDuration(Date.parse(completedAt) - Date.parse(startedAt))}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
        <p className="muted small">
          {indexSnapshots.length === 0
            ? 'No index was used.'
            : indexSnapshots
                .map(
                  ({ indexKind, documentsCoveredCount }) =>
                    `The index of ${indexKind} held ${count(documentsCoveredCount, 'record')}.`,
                )
                .join(' ')}
        </p>
        <p className="muted small">
          Search <code className="wrap-anywhere">{searchRunId}</code>, receipt{' '}
          <code className="wrap-anywhere">{receipt.receiptId}</code>
        </p>
      </Card>
    </>
  )
}

/** What only somebody who sees everything of theirs is told: what was left out, and why. */
function Inside({ receipt }: { readonly receipt: Extract<Receipt['receipt'], { kind: 'internal' }> }) {
  const left = [
    [receipt.policyFilteredCount, 'by permission'],
    [receipt.visibilityFilteredCount, 'by visibility class'],
    [receipt.stalenessFilteredCount, 'because they were stale'],
  ] as const
  const files = [...receipt.waitingFiles, ...receipt.unreadFiles]
  return (
    <>
      <dt>Corpora</dt>
      <dd className="wrap-anywhere">
        {receipt.searchedCorpora.join(', ') || 'None: records outside of any'}
      </dd>
      <dt>Left out</dt>
      <dd>
        {left
          .filter(([number]) => number > 0)
          .map(([number, why]) => `${formatNumber(number)} ${why}`)
          .join(', ') || 'Nothing'}
      </dd>
      <dt>By meaning</dt>
      <dd>
        {receipt.meaning.length === 0
          ? 'Not used. Only words were compared.'
          : receipt.meaning.map(({ model, state }) => `${model}: ${inWords(state).toLowerCase()}`).join(', ')}
      </dd>
      {files.length === 0 ? null : (
        <>
          <dt>Files not read</dt>
          <dd>{count(files.length, 'file')}</dd>
        </>
      )}
    </>
  )
}
