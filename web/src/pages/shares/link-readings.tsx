import { useQuery } from '@tanstack/react-query'
import { Card } from '../../components/page'
import { EmptyState, QueryView } from '../../components/states'
import { Time } from '../../components/time'
import { privity } from '../../lib/api'

/** How long recipients had which page on screen, as their pages told it. */
export function LinkReadings({ link }: { readonly link: string }) {
  const query = useQuery({
    queryKey: ['links', link, 'readings'],
    queryFn: () => privity.links.readings(link),
  })
  return (
    <QueryView
      query={query}
      empty={{
        when: ({ readings }) => readings.length === 0,
        show: (
          <EmptyState title="No reading times yet">
            How long recipients look at each page appears here while they read.
          </EmptyState>
        ),
      }}
    >
      {({ readings }) => (
        <div className="stack">
          {readings.map(({ session, document, recipient, title, seconds, pages, lastAt }) => {
            const most = Math.max(...pages.map(page => page.seconds))
            return (
              <Card key={`${session}${document}`} title={title ?? 'Untitled'}>
                <p className="muted small">
                  {recipient ?? 'Somebody'}, {inMinutes(seconds)} in all, last <Time at={lastAt} />
                </p>
                <ul className="bars" aria-label={`Time on pages of ${title ?? 'an untitled document'}`}>
                  {pages.map(page => (
                    <li key={page.page} className="bar">
                      <span className="bar-label">{page.page === 0 ? 'Text' : `Page ${page.page}`}</span>
                      <span className="bar-track" aria-hidden>
                        <span className="bar-fill" style={{ width: `${(100 * page.seconds) / most}%` }} />
                      </span>
                      <span className="bar-value">{inMinutes(page.seconds)}</span>
                    </li>
                  ))}
                </ul>
              </Card>
            )
          })}
        </div>
      )}
    </QueryView>
  )
}

const inMinutes = (seconds: number) =>
  seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`
