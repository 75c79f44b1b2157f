import { useInfiniteQuery } from '@tanstack/react-query'
import { Search } from 'lucide-react'
import type { OutputOf } from 'privity/client'
import { Link } from 'wouter'
import { Badge } from '../../components/badge'
import { Card } from '../../components/page'
import { EmptyState, QueryView } from '../../components/states'
import { Time } from '../../components/time'
import { VirtualList } from '../../components/virtual-list'
import { privity } from '../../lib/api'
import { count } from '../../lib/format'
import { completenessInWords, retentionInWords } from './receipt-words'

type Receipt = OutputOf<'receipts.list'>['receipts'][number]

/** The receipts of searches: what each searched and how complete it was. */
export function SearchesPanel() {
  const query = useInfiniteQuery({
    queryKey: ['receipts'],
    queryFn: ({ pageParam }) =>
      privity.receipts.list({ limit: 100, ...(pageParam ? { cursor: pageParam } : {}) }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ cursor }) => cursor,
  })
  return (
    <QueryView
      query={query}
      empty={{
        when: ({ pages }) => pages[0]?.receipts.length === 0,
        show: (
          <EmptyState icon={<Search size={28} aria-hidden />} title="No searches yet">
            Every search leaves a receipt that says what was searched and how complete it was. It is kept for
            a day, or longer if you mark it.
          </EmptyState>
        ),
      }}
    >
      {({ pages }) => (
        <Card>
          <VirtualList
            label="Searches"
            items={pages.flatMap(({ receipts }) => receipts)}
            keyOf={({ searchRunId }) => searchRunId}
            hasMore={query.hasNextPage}
            onEnd={() => void query.fetchNextPage()}
            render={receipt => <SearchLine {...receipt} />}
          />
        </Card>
      )}
    </QueryView>
  )
}

function SearchLine({ searchRunId, at, receipt, retention }: Receipt) {
  const { label, tone } = completenessInWords(receipt.resultSetCompleteness)
  return (
    <div className="row-between">
      <div className="grow">
        <Link href={`/audit/searches/${searchRunId}`}>
          <strong>
            A search of {count(receipt.searchedCount, 'record')}, <Time at={at} />
          </strong>
        </Link>
        <p className="muted small">
          {receipt.kind === 'internal' && receipt.searchedCorpora.length > 0
            ? `In ${receipt.searchedCorpora.join(', ')}. `
            : ''}
          {retentionInWords(retention)}
        </p>
      </div>
      <Badge tone={tone}>{label}</Badge>
    </div>
  )
}
