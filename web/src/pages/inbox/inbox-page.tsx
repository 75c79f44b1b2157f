import { useQueries, useQuery } from '@tanstack/react-query'
import { Inbox } from 'lucide-react'
import { Link } from 'wouter'
import { Card, Page } from '../../components/page'
import { EmptyState, ErrorState, QueryView, Skeleton } from '../../components/states'
import { Tabs } from '../../components/tabs'
import { privity } from '../../lib/api'
import { count } from '../../lib/format'
import { useWho } from '../../lib/session'
import { useParams } from '../../lib/use-params'
import { ChangeRequestCard, DecidedChanges, useChangeRequests } from './change-requests'
import { HistoryList } from './history-list'
import { Notifications } from './notifications'
import { RequestCard } from './request-card'

/** The mediations that somebody takes part in. A host lists those of others as well, and has nothing to decide there. */
function useOpenSessions() {
  const { actor } = useWho()
  return useQuery({
    queryKey: ['sessions', 'open'],
    queryFn: () => privity.sessions.list({ states: ['ACTIVE', 'PAUSED'], limit: 50 }),
    select: ({ sessions }) => ({
      sessions: sessions.filter(({ participants }) => participants.includes(actor)),
    }),
  })
}

/** What agents and mediations ask of somebody, what they decided, and what happened. */
export default function InboxPage() {
  const [params, change] = useParams()
  return (
    <Page
      title="Inbox"
      lead="What agents and mediations ask you. Nothing is changed and nothing is shared until you decide."
    >
      <Tabs
        label="Parts of the inbox"
        value={params.get('view') ?? 'open'}
        onChange={view => change({ view: view === 'open' ? null : view })}
        tabs={[
          { value: 'open', label: 'To decide', content: <ToDecide /> },
          { value: 'history', label: 'Decided', content: <Decided /> },
          { value: 'notifications', label: 'Notifications', content: <Notifications /> },
        ]}
      />
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

function ToDecide() {
  const sessions = useOpenSessions()
  const changes = useChangeRequests('open')
  const failed = [sessions, changes].find(({ error, data }) => error !== null && data === undefined)
  if (failed !== undefined) return <ErrorState error={failed.error} onRetry={() => void failed.refetch()} />
  if (sessions.data === undefined || changes.data === undefined) return <Skeleton lines={5} />
  return <OpenRequests sessions={sessions.data.sessions} changes={changes.data.requests} />
}

function OpenRequests({
  sessions,
  changes,
}: {
  readonly sessions: readonly SessionLine[]
  readonly changes: Parameters<typeof ChangeRequestCard>[0]['request'][]
}) {
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
  if (open.length + changes.length === 0)
    return (
      <EmptyState icon={<Inbox size={28} aria-hidden />} title="Nothing to decide">
        You are asked here when an agent wants to change a memory of yours, or when something of yours could
        help in a mediation. Requests for the consent of people are under <Link href="/people">People</Link>.
      </EmptyState>
    )
  return (
    <div className="stack">
      <p className="muted">{count(open.length + changes.length, 'request')} to decide.</p>
      {changes.map(request => (
        <ChangeRequestCard key={request.id} request={request} />
      ))}
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

function Decided() {
  const sessions = useOpenSessions()
  return (
    <div className="stack">
      <DecidedChanges />
      <QueryView
        query={sessions}
        empty={{
          when: ({ sessions }) => sessions.length === 0,
          show: <p className="muted">You take part in no mediation, so you have shared nothing in one.</p>,
        }}
      >
        {({ sessions }) =>
          sessions.map(session => (
            <Card key={session.id} title={titleOf(session)}>
              <HistoryList session={session.id} partner={session.participants} />
            </Card>
          ))
        }
      </QueryView>
    </div>
  )
}
