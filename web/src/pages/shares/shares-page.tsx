import { useInfiniteQuery } from '@tanstack/react-query'
import { Share2 } from 'lucide-react'
import { useState } from 'react'
import { Link, useRoute } from 'wouter'
import { Badge } from '../../components/badge'
import { Button } from '../../components/button'
import { Card, Page } from '../../components/page'
import { EmptyState, QueryView } from '../../components/states'
import { Tabs } from '../../components/tabs'
import { Time } from '../../components/time'
import { VirtualList } from '../../components/virtual-list'
import { privity } from '../../lib/api'
import { count } from '../../lib/format'
import { useParams } from '../../lib/use-params'
import { FeedbackPanel } from './feedback-panel'
import { GrantDialog } from './grant-dialog'
import { LinkView } from './link-view'
import { identityLabel, linkState, placeOf } from './link-words'
import { RequestFilesDialog } from './request-files-dialog'
import { UploadsPanel } from './uploads-panel'
import { ViewsPanel } from './views-panel'
import { WatermarkPanel } from './watermark-panel'

/** What is shared with people outside: views, the links to them, and who came. */
export default function SharesPage() {
  const [, params] = useRoute('/shares/:link')
  return params === null ? <ShareList /> : <LinkView link={params.link} />
}

function ShareList() {
  const [params, change] = useParams()
  const [granting, setGranting] = useState(false)
  const [asking, setAsking] = useState(false)
  return (
    <Page
      title="Shares"
      lead="Share part of a corpus with somebody outside by a link, see what they opened, and end it at any time."
      actions={
        <>
          <Button onClick={() => setAsking(true)}>Request files</Button>
          <Button kind="primary" onClick={() => setGranting(true)}>
            Share something
          </Button>
        </>
      }
    >
      <Tabs
        label="Parts of sharing"
        value={params.get('view') ?? 'links'}
        onChange={view => change({ view: view === 'links' ? null : view })}
        tabs={[
          { value: 'links', label: 'Links', content: <Links onGrant={() => setGranting(true)} /> },
          { value: 'views', label: 'Views', content: <ViewsPanel /> },
          { value: 'uploads', label: 'Received files', content: <UploadsPanel /> },
          { value: 'feedback', label: 'Feedback', content: <FeedbackPanel /> },
          { value: 'watermarks', label: 'Check a copy', content: <WatermarkPanel /> },
        ]}
      />
      {asking ? <RequestFilesDialog onClose={() => setAsking(false)} /> : null}
      {granting ? <GrantDialog onClose={() => setGranting(false)} /> : null}
    </Page>
  )
}

function Links({ onGrant }: { readonly onGrant: () => void }) {
  const query = useInfiniteQuery({
    queryKey: ['links', 'all'],
    queryFn: ({ pageParam }) =>
      privity.links.list({ limit: 50, ...(pageParam ? { cursor: pageParam } : {}) }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ cursor }) => cursor,
  })
  return (
    <QueryView
      query={query}
      empty={{
        when: ({ pages }) => pages[0]?.links.length === 0,
        show: (
          <EmptyState
            icon={<Share2 size={28} aria-hidden />}
            title="Nothing is shared"
            action={<Button onClick={onGrant}>Share something</Button>}
          >
            Choose a corpus, see what its recipient would see, and send them a link.
          </EmptyState>
        ),
      }}
    >
      {({ pages }) => (
        <Card>
          <VirtualList
            label="Share links"
            items={pages.flatMap(({ links }) => links)}
            keyOf={({ link }) => link}
            hasMore={query.hasNextPage}
            onEnd={() => void query.fetchNextPage()}
            render={link => {
              const state = linkState(link)
              return (
                <div className="row-between">
                  <div className="grow">
                    <Link href={`/shares/${link.link}`}>
                      <strong>{link.name}</strong>
                    </Link>
                    <p className="muted small">
                      {identityLabel(link.recipientIdentityMode)}
                      {link.recipientEmail === null ? '' : ` (${link.recipientEmail})`},{' '}
                      {link.fileRequest === null
                        ? count(link.views.length, 'view')
                        : `takes files in for ${placeOf(link.fileRequest)}`}
                      . Granted <Time at={link.createdAt} />
                    </p>
                  </div>
                  <Badge tone={state.tone}>{state.label}</Badge>
                </div>
              )
            }}
          />
        </Card>
      )}
    </QueryView>
  )
}
