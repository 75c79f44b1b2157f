import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import type { OutputOf } from 'privity/client'
import { useState } from 'react'
import { Link } from 'wouter'
import { Badge } from '../../components/badge'
import { Button } from '../../components/button'
import { ConfirmDialog } from '../../components/dialog'
import { Card } from '../../components/page'
import { titleOf } from '../../components/record-line'
import { EmptyState, QueryView } from '../../components/states'
import { VirtualList } from '../../components/virtual-list'
import { privity } from '../../lib/api'
import { count, formatDuration, inWords } from '../../lib/format'
import { useAction } from '../../lib/use-action'

type Counted = OutputOf<'signals.pending'>['pending'][number]
type OfRecord = OutputOf<'signals.summary'>['records'][number]

const WORDS: Readonly<Record<string, readonly [one: string, many: string]>> = {
  explicit_helpful: ['said helpful', 'said helpful'],
  explicit_not_helpful: ['said not helpful', 'said not helpful'],
  click_dwell: ['opened', 'opened'],
  query_refinement: ['asked again in other words', 'asked again in other words'],
  result_share: ['passed on', 'passed on'],
}

function Signal({ kind, count: often, dwellMs }: Pick<Counted, 'kind' | 'count' | 'dwellMs'>) {
  const [one, many] = WORDS[kind] ?? [inWords(kind), inWords(kind)]
  const tone = kind === 'explicit_helpful' ? 'good' : kind === 'explicit_not_helpful' ? 'warn' : 'plain'
  return (
    <Badge tone={tone}>
      {count(often, one, many)}
      {dwellMs > 0 ? `, for ${formatDuration(dwellMs)} in all` : ''}
    </Badge>
  )
}

/** Signals by the collection they are about. */
function byCorpus(signals: readonly Counted[]) {
  const groups = new Map<string, { owner: string; corpus: string | null; signals: Counted[] }>()
  for (const signal of signals) {
    const key = JSON.stringify([signal.owner, signal.corpus])
    const group = groups.get(key) ?? { owner: signal.owner, corpus: signal.corpus, signals: [] }
    group.signals.push(signal)
    groups.set(key, group)
  }
  return [...groups.values()]
}
type Group = ReturnType<typeof byCorpus>[number]
const nameOf = (corpus: string | null) => corpus ?? 'Memories outside of any corpus'

/** What readers found helpful. Signals of others count only after review, and never change what a search finds. */
export function FeedbackPanel() {
  const pending = useQuery({ queryKey: ['signals', 'pending'], queryFn: () => privity.signals.pending() })
  const summary = useInfiniteQuery({
    queryKey: ['signals', 'summary'],
    queryFn: ({ pageParam }) =>
      privity.signals.summary({ limit: 100, ...(pageParam ? { cursor: pageParam } : {}) }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ cursor }) => cursor,
  })
  const [rejecting, setRejecting] = useState<Group | null>(null)
  const { act, busy } = useAction()
  const review = ({ owner, corpus }: Group, decision: 'accept' | 'reject') =>
    privity.signals.review({ owner, decision, ...(corpus === null ? {} : { corpus }) })
  return (
    <>
      <QueryView query={pending}>
        {({ pending }) =>
          pending.length === 0 ? null : (
            <Card title="Waiting for your review">
              <ul aria-label="Waiting for your review">
                {byCorpus(pending).map(group => (
                  <li key={JSON.stringify([group.owner, group.corpus])} className="list-item row-between">
                    <div className="grow stack-tight">
                      <strong className="wrap-anywhere">{nameOf(group.corpus)}</strong>
                      <div className="row">
                        {group.signals.map(signal => (
                          <Signal key={signal.kind} {...signal} />
                        ))}
                      </div>
                    </div>
                    <div className="row">
                      <Button
                        small
                        kind="primary"
                        busy={busy}
                        onClick={() => void act(() => review(group, 'accept'), 'They count from now on.')}
                      >
                        Accept
                      </Button>
                      <Button small onClick={() => setRejecting(group)}>
                        Reject …
                      </Button>
                    </div>
                  </li>
                ))}
              </ul>
            </Card>
          )
        }
      </QueryView>
      <QueryView
        query={summary}
        empty={{
          when: ({ pages }) => pages[0]?.corpora.length === 0 && pages[0].records.length === 0,
          show: (
            <EmptyState title="No feedback that counts yet">
              Programs report what readers found helpful (signals.record in the API reference). What named
              recipients of your links report waits here until you accept it; of anonymous ones nothing is
              kept.
            </EmptyState>
          ),
        }}
      >
        {({ pages }) => (
          <Card title="What counts">
            <p className="muted small">For you to look at. It never changes what a search finds.</p>
            {(pages[0]?.corpora.length ?? 0) === 0 ? null : (
              <ul aria-label="Feedback by corpus">
                {byCorpus(pages[0]?.corpora ?? []).map(group => (
                  <li key={JSON.stringify([group.owner, group.corpus])} className="list-item stack-tight">
                    <strong className="wrap-anywhere">{nameOf(group.corpus)}</strong>
                    <div className="row">
                      {group.signals.map(signal => (
                        <Signal key={signal.kind} {...signal} />
                      ))}
                    </div>
                  </li>
                ))}
              </ul>
            )}
            <VirtualList
              label="Feedback by memory"
              items={pages.flatMap(({ records }) => records)}
              keyOf={({ record, kind, owner }) => `${record} ${kind} ${owner}`}
              hasMore={summary.hasNextPage}
              onEnd={() => void summary.fetchNextPage()}
              render={signal => <RecordSignal {...signal} />}
            />
          </Card>
        )}
      </QueryView>
      {rejecting === null ? null : (
        <ConfirmDialog
          open
          onOpenChange={open => open || setRejecting(null)}
          title={`Reject the feedback on “${nameOf(rejecting.corpus)}”?`}
          description={`${count(
            rejecting.signals.reduce((sum, signal) => sum + signal.count, 0),
            'signal is',
            'signals are',
          )} deleted for good.`}
          confirm="Reject"
          danger
          onConfirm={() => act(() => review(rejecting, 'reject'), 'The feedback is gone.')}
        />
      )}
    </>
  )
}

function RecordSignal({ record, kind, count: often, dwellMs }: OfRecord) {
  const found = useQuery({ queryKey: ['record', record], queryFn: () => privity.get(record) })
  return (
    <div className="row-between">
      <Link href={`/memory/${record}`} className="wrap-anywhere">
        {found.data ? titleOf(found.data) : 'Open the memory'}
      </Link>
      <Signal kind={kind} count={often} dwellMs={dwellMs} />
    </div>
  )
}
