import { useInfiniteQuery } from '@tanstack/react-query'
import type { MemoryRecord } from 'privity/client'
import { Fragment } from 'react'
import { Button } from '../../components/button'
import { RecordLine } from '../../components/record-line'
import { EmptyState, QueryView } from '../../components/states'
import { privity } from '../../lib/api'
import { count } from '../../lib/format'

const monthName = new Intl.DateTimeFormat(undefined, { month: 'long', year: 'numeric', timeZone: 'UTC' })
const shortMonth = new Intl.DateTimeFormat(undefined, { month: 'short', year: '2-digit', timeZone: 'UTC' })
const firstDayOf = (month: string) => new Date(`${month}-01T00:00:00Z`)
const whenOf = (record: MemoryRecord) => record.payload?.occurredAt ?? record.createdAt

/** What happened when: a drawing of how much, and the records along a line. */
export function Timeline() {
  const timeline = useInfiniteQuery({
    queryKey: ['records', 'timeline'],
    initialPageParam: null as string | null,
    queryFn: ({ pageParam }) =>
      privity.timeline({ limit: 100, order: 'newest', ...(pageParam === null ? {} : { cursor: pageParam }) }),
    getNextPageParam: page => page.cursor,
  })
  return (
    <QueryView
      query={timeline}
      empty={{
        when: ({ pages }) => pages[0]?.records.length === 0,
        show: (
          <EmptyState title="Nothing has a date yet">
            Memories appear here once you say when they happened.
          </EmptyState>
        ),
      }}
    >
      {({ pages }) => {
        const months = byMonth(pages.flatMap(page => page.records))
        return (
          <div className="stack">
            <Density months={months} />
            <ol className="timeline">
              {months.map(({ month, records }) => (
                <li key={month} id={`month-${month}`}>
                  <h2>{monthName.format(firstDayOf(month))}</h2>
                  <ul>
                    {records.map(record => (
                      <li key={record.id} className="timeline-item">
                        <RecordLine record={record} />
                      </li>
                    ))}
                  </ul>
                </li>
              ))}
            </ol>
            {timeline.hasNextPage ? (
              <Button busy={timeline.isFetchingNextPage} onClick={() => void timeline.fetchNextPage()}>
                Show earlier
              </Button>
            ) : null}
          </div>
        )
      }}
    </QueryView>
  )
}

interface Month {
  readonly month: string
  readonly records: readonly MemoryRecord[]
}

function byMonth(records: readonly MemoryRecord[]): Month[] {
  const months = new Map<string, MemoryRecord[]>()
  for (const record of records) {
    const month = whenOf(record).slice(0, 7)
    const known = months.get(month)
    if (known === undefined) months.set(month, [record])
    else known.push(record)
  }
  return [...months].map(([month, records]) => ({ month, records }))
}

const HEIGHT = 64
const monthsBetween = (a: string, b: string) => {
  const [from, to] = [firstDayOf(a), firstDayOf(b)]
  return (to.getUTCFullYear() - from.getUTCFullYear()) * 12 + to.getUTCMonth() - from.getUTCMonth()
}

/** How many records each month has, as bars that lead there. */
function Density({ months }: { readonly months: readonly Month[] }) {
  const oldestFirst = [...months].reverse()
  const most = Math.max(...months.map(({ records }) => records.length))
  return (
    <nav className="density" aria-label="Months">
      {oldestFirst.map(({ month, records }, at) => {
        const before = oldestFirst[at - 1]
        const said = `${monthName.format(firstDayOf(month))}: ${count(records.length, 'memory', 'memories')}`
        return (
          <Fragment key={month}>
            {before !== undefined && monthsBetween(before.month, month) > 1 ? (
              <span className="density-gap" aria-hidden title="Nothing in between">
                …
              </span>
            ) : null}
            <a href={`#month-${month}`} title={said}>
              <span
                className="density-bar"
                style={{ height: Math.max(6, (records.length / most) * HEIGHT) }}
              />
              <span className="small muted" aria-hidden>
                {shortMonth.format(firstDayOf(month))}
              </span>
              <span className="visually-hidden">{said}</span>
            </a>
          </Fragment>
        )
      })}
    </nav>
  )
}
