import { useQueries, useQuery } from '@tanstack/react-query'
import { Inbox } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'wouter'
import { Card, Page } from '../../components/page'
import { EmptyState, ErrorState, QueryView, Skeleton } from '../../components/states'
import { Tabs } from '../../components/tabs'
import { privity } from '../../lib/api'
import { count } from '../../lib/format'
import { HistoryList } from './history-list'
import { RequestCard } from './request-card'

const useOpenSessions = () =>
  useQuery({
    queryKey: ['sessions', 'open'],
    queryFn: () => privity.sessions.list({ states: ['ACTIVE', 'PAUSED'], limit: 50 }),
  })

/** What somebody is asked to share with the other in a mediation, and what they decided. */
export default function InboxPage() {
  const [tab, setTab] = useState('open')
  const sessions = useOpenSessions()
  return (
    <Page
      title="Inbox"
      lead="In a mediation you are asked to share things. The other person reads nothing of yours until you grant it here."
    >
      <QueryView
        query={sessions}
        empty={{
          when: ({ sessions }) => sessions.length === 0,
          show: (
            <EmptyState icon={<Inbox size={28} aria-hidden />} title="You take part in no mediation">
              Requests to share something appear here once you do.{' '}
              <Link href="/sessions">Go to sessions</Link>
            </EmptyState>
          ),
        }}
      >
        {({ sessions }) => (
          <Tabs
            label="Parts of the inbox"
            value={tab}
            onChange={setTab}
            tabs={[
              { value: 'open', label: 'To decide', content: <OpenRequests sessions={sessions} /> },
              {
                value: 'history',
                label: 'Decided',
                content: (
                  <div className="stack">
                    {sessions.map(session => (
                      <Card key={session.id} title={titleOf(session)}>
                        <HistoryList session={session.id} partner={session.participants} />
                      </Card>
                    ))}
                  </div>
                ),
              },
            ]}
          />
        )}
      </QueryView>
    </Page>
  )
}

interface SessionLine {
  readonly id: string
  readonly title: string | null
  readonly participants: readonly string[]
}

export const titleOf = ({ title, participants }: Pick<SessionLine, 'title' | 'participants'>) =>
  title ?? participants.join(' and ')

function OpenRequests({ sessions }: { readonly sessions: readonly SessionLine[] }) {
  const asked = useQueries({
    queries: sessions.map(({ id }) => ({
      queryKey: ['bridge', id, 'pending'],
      queryFn: () => privity.bridge.pending(id),
    })),
  })
  const failed = asked.find(({ error }) => error !== null)
  if (failed?.error && failed.data === undefined)
    return <ErrorState error={failed.error} onRetry={() => void failed.refetch()} />
  if (asked.some(({ isPending }) => isPending)) return <Skeleton lines={5} />
  const open = sessions.flatMap((session, at) =>
    (asked[at]?.data?.pendingRequests ?? []).map(request => ({ session, request })),
  )
  if (open.length === 0)
    return (
      <EmptyState icon={<Inbox size={28} aria-hidden />} title="Nothing to decide">
        When the mediation reaches a point where something of yours could help, you are asked here.
      </EmptyState>
    )
  return (
    <div className="stack">
      <p className="muted">
        {count(open.length, 'request')} to decide. Nothing is shared until you grant it.
      </p>
      {open.map(({ session, request }) => (
        <RequestCard
          key={request.id}
          session={session.id}
          sessionTitle={titleOf(session)}
          request={request}
        />
      ))}
    </div>
  )
}
