import { useInfiniteQuery } from '@tanstack/react-query'
import type { Notification } from 'privity/client'
import { Link } from 'wouter'
import { Badge } from '../../components/badge'
import { Button } from '../../components/button'
import { Card } from '../../components/page'
import { EmptyState, QueryView } from '../../components/states'
import { Time } from '../../components/time'
import { VirtualList } from '../../components/virtual-list'
import { privity } from '../../lib/api'
import { count } from '../../lib/format'
import { useAction } from '../../lib/use-action'

const SAYS: Readonly<Record<Notification['type'], string>> = {
  'session.invited': 'You were invited to a mediation.',
  'session.joined': 'The other person joined the mediation.',
  'session.state_changed': 'A mediation was paused, resumed or ended.',
  'consent.requested': 'You are asked to share something.',
  'consent.granted': 'The other person shared something with you.',
  'consent.revoked': 'The other person took back something they had shared.',
  'stage.ready': 'You can go on to the next stage.',
  'empathy.validated': 'The other person answered your empathy text.',
  'strategies.overlap': 'You both like one of the proposals.',
  'agreement.proposed': 'An agreement was proposed.',
  'agreement.reached': 'You both agreed.',
  'experiment.planned': 'You planned something to try.',
  'experiment.check_in': 'How is what you are trying going?',
  'experiment.reported': 'The other person said how it is going.',
  'share.requested': 'Somebody asks to open a link of yours.',
  'share.opened': 'A link of yours was opened.',
  'share.downloaded': 'A document was downloaded through a link of yours.',
  'share.refused': 'Somebody was refused at a link of yours.',
  'share.locked': 'A link of yours is locked after too many wrong attempts.',
  'share.full': 'A link of yours has no place left for another visitor.',
  'share.uploaded': 'A file was sent to you.',
  'share.quarantined': 'A file that was sent to you was set aside, because it may be harmful.',
}

/** Where what a notification tells of can be seen. */
function placeOf({ type, session, refs }: Notification): string | null {
  if (type === 'consent.requested') return '/inbox'
  if (session !== null) return `/sessions/${session}`
  return refs.link === undefined ? (type.startsWith('share.') ? '/shares' : null) : `/shares/${refs.link}`
}

/** What happened in mediations and with links, newest first. */
export function Notifications() {
  const { act, busy } = useAction()
  const query = useInfiniteQuery({
    queryKey: ['notifications'],
    queryFn: ({ pageParam }) =>
      privity.notifications.list({ limit: 50, ...(pageParam ? { cursor: pageParam } : {}) }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ cursor }) => cursor,
  })
  const all = query.data?.pages.flatMap(({ notifications }) => notifications) ?? []
  const unread = all.filter(({ readAt }) => readAt === null)
  return (
    <QueryView
      query={query}
      empty={{
        when: () => all.length === 0,
        show: (
          <EmptyState title="No notifications">
            You are told here when something happens in a mediation or with a link of yours.
          </EmptyState>
        ),
      }}
    >
      {() => (
        <Card
          title={unread.length === 0 ? 'All read' : `${count(unread.length, 'new notification')}`}
          actions={
            unread.length === 0 ? null : (
              <Button
                small
                busy={busy}
                onClick={() => void act(() => privity.notifications.read(unread.map(({ id }) => id)))}
              >
                Mark all as read
              </Button>
            )
          }
        >
          <VirtualList
            label="Notifications"
            items={all}
            keyOf={({ id }) => id}
            hasMore={query.hasNextPage}
            onEnd={() => void query.fetchNextPage()}
            render={notification => {
              const place = placeOf(notification)
              const says = SAYS[notification.type]
              return (
                <div className="row-between">
                  <span className="grow">{place === null ? says : <Link href={place}>{says}</Link>}</span>
                  <span className="row muted small">
                    {notification.readAt === null ? <Badge tone="accent">New</Badge> : null}
                    <Time at={notification.createdAt} />
                  </span>
                </div>
              )
            }}
          />
        </Card>
      )}
    </QueryView>
  )
}
