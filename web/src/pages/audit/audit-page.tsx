import { useInfiniteQuery } from '@tanstack/react-query'
import type { OutputOf } from 'privity/client'
import { useDeferredValue, useMemo, useState } from 'react'
import { useLocation, useRoute } from 'wouter'
import { Badge } from '../../components/badge'
import { Button } from '../../components/button'
import { Chart } from '../../components/chart'
import { SelectField, TextField } from '../../components/field'
import { Card, Page } from '../../components/page'
import { EmptyState, QueryView } from '../../components/states'
import { Tabs } from '../../components/tabs'
import { Time } from '../../components/time'
import { VirtualList } from '../../components/virtual-list'
import { privity } from '../../lib/api'
import { countByTime } from '../../lib/count-by-time'
import { count, formatNumber } from '../../lib/format'
import { useWho } from '../../lib/session'
import { ChainCard } from './chain-card'
import { LatencyChart } from './latency-chart'
import { SearchReceipt } from './search-receipt'
import { SearchesPanel } from './searches-panel'

type Entry = OutputOf<'audit.list'>['entries'][number]

const isRefusal = ({ outcome }: Entry) => outcome !== 'ok' && outcome !== 'null'
const isChange = ({ effects }: Entry) => effects.length > 0

const KINDS = [
  { value: 'all', label: 'Everything' },
  { value: 'reads', label: 'Reads' },
  { value: 'changes', label: 'Changes' },
  { value: 'refusals', label: 'Refusals' },
] as const
const KEEPS: Readonly<Record<string, (entry: Entry) => boolean>> = {
  all: () => true,
  reads: entry => !isChange(entry) && !isRefusal(entry),
  changes: isChange,
  refusals: isRefusal,
}

/** Who asked for what, whether the record of it is whole, and what each search left. */
export default function AuditPage() {
  const [, params] = useRoute('/audit/searches/:search')
  return params === null ? <AuditTabs /> : <SearchReceipt id={params.search} />
}

function AuditTabs() {
  const [isSearches] = useRoute('/audit/searches')
  const [, navigate] = useLocation()
  return (
    <Page
      title="Audit"
      lead="Every request is recorded before it is answered. Entries hold names, codes and counts, never content."
    >
      <Tabs
        label="Parts of the audit"
        value={isSearches ? 'searches' : 'log'}
        onChange={part => navigate(part === 'log' ? '/audit' : '/audit/searches', { replace: true })}
        tabs={[
          { value: 'log', label: 'Log', content: <LogPanel /> },
          { value: 'searches', label: 'Searches', content: <SearchesPanel /> },
        ]}
      />
    </Page>
  )
}

function LogPanel() {
  const isHost = useWho().audience === 'host'
  const [kind, setKind] = useState('all')
  const [text, setText] = useState('')
  const wanted = useDeferredValue(text.trim().toLowerCase())
  const query = useInfiniteQuery({
    queryKey: ['audit'],
    queryFn: ({ pageParam }) =>
      privity.audit.list({ limit: 200, ...(pageParam ? { cursor: pageParam } : {}) }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ cursor }) => cursor,
  })
  const entries = useMemo(() => query.data?.pages.flatMap(page => page.entries) ?? [], [query.data])
  const shown = useMemo(
    () => entries.filter(entry => (KEEPS[kind]?.(entry) ?? true) && mentions(entry, wanted)),
    [entries, kind, wanted],
  )
  return (
    <>
      {isHost ? <ChainCard /> : null}
      <QueryView
        query={query}
        empty={{
          when: ({ pages }) => pages[0]?.entries.length === 0,
          show: <EmptyState title="Nothing was asked yet" />,
        }}
      >
        {() => (
          <>
            <div className={isHost ? 'grid-2' : undefined}>
              <ActivityChart entries={entries} />
              {isHost ? <LatencyChart /> : null}
            </div>
            <Card
              title="Stream"
              actions={
                <>
                  <span className="muted small">
                    {shown.length === entries.length ? '' : `${formatNumber(shown.length)} of `}
                    {count(entries.length, 'entry', 'entries')}
                    {query.hasNextPage ? ' so far' : ''}
                  </span>
                  <Button small onClick={() => void query.refetch()}>
                    Refresh
                  </Button>
                </>
              }
            >
              <div className="audit-filters">
                <SelectField
                  label="Show"
                  choices={KINDS}
                  value={kind}
                  onChange={event => setKind(event.target.value)}
                />
                <TextField
                  label="Containing"
                  placeholder="memory.search, ana, refused …"
                  value={text}
                  onChange={event => setText(event.target.value)}
                />
              </div>
              {shown.length === 0 ? (
                <EmptyState
                  title="No entry matches"
                  action={
                    query.hasNextPage ? (
                      <Button busy={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
                        Load older entries
                      </Button>
                    ) : null
                  }
                />
              ) : (
                <VirtualList
                  label="Audit entries"
                  items={shown}
                  keyOf={keyOf}
                  estimate={56}
                  hasMore={query.hasNextPage}
                  onEnd={() => void query.fetchNextPage()}
                  render={entry => <EntryLine entry={entry} />}
                />
              )}
            </Card>
          </>
        )}
      </QueryView>
    </>
  )
}

/** Entries have no id of their own. What is equal in all of this is told apart by its place. */
const places = new WeakMap<Entry, string>()
let last = 0
function keyOf(entry: Entry): string {
  const known = places.get(entry)
  if (known !== undefined) return known
  const made = String(++last)
  places.set(entry, made)
  return made
}

const mentions = ({ operation, actor, for: person, outcome, reason, effects }: Entry, wanted: string) =>
  wanted === '' ||
  [operation, actor, person, outcome, reason, ...effects].some(part => part?.toLowerCase().includes(wanted))

function EntryLine({ entry }: { readonly entry: Entry }) {
  const { operation, actor, for: person, audience, outcome, reason, effects, records, at } = entry
  return (
    <div className="row-between">
      <div className="grow">
        <div className="row">
          <code>{operation}</code>
          {effects.map(effect => (
            <Badge key={effect} tone="accent">
              {effect.replaceAll('_', ' ')}
            </Badge>
          ))}
          {isRefusal(entry) ? <Badge tone="danger">{reason ?? outcome}</Badge> : null}
        </div>
        <p className="muted small">
          {actor ?? 'Somebody'} ({audience}
          {person === null || person === actor ? '' : ` for ${person}`}){' '}
          {records.length === 0 ? '' : `· ${count(records.length, 'record')}`}
        </p>
      </div>
      <span className="muted small">
        <Time at={at} />
      </span>
    </div>
  )
}

function ActivityChart({ entries }: { readonly entries: readonly Entry[] }) {
  const { times, series } = useMemo(() => {
    const { times, counts } = countByTime(entries, {
      reads: entry => !isChange(entry) && !isRefusal(entry),
      changes: isChange,
      refusals: isRefusal,
    })
    return {
      times,
      series: [
        { label: 'Reads', values: counts.reads, tone: 'accent' as const },
        { label: 'Changes', values: counts.changes, tone: 'good' as const },
        { label: 'Refusals', values: counts.refusals, tone: 'danger' as const },
      ],
    }
  }, [entries])
  return (
    <Card>
      <Chart label="Requests over time" times={times} series={series} />
    </Card>
  )
}
