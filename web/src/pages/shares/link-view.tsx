import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import type { OutputOf } from 'privity/client'
import { useMemo, useState } from 'react'
import { Link } from 'wouter'
import { Badge } from '../../components/badge'
import { Button } from '../../components/button'
import { Chart } from '../../components/chart'
import { Card, Page } from '../../components/page'
import { EmptyState, QueryView } from '../../components/states'
import { Tabs } from '../../components/tabs'
import { Time } from '../../components/time'
import { useToast } from '../../components/toast'
import { VirtualList } from '../../components/virtual-list'
import { privity } from '../../lib/api'
import { countByTime } from '../../lib/count-by-time'
import { count, formatDateTime, inWords } from '../../lib/format'
import { ChangeLinkDialog } from './change-link-dialog'
import { EffectiveView } from './effective-view'
import { LinkMail } from './link-mail'
import { LinkReadings } from './link-readings'
import { identityLabel, linkState, placeOf, type ShareLink } from './link-words'
import { RevokeLinkDialog } from './revoke-link-dialog'
import { useViews } from './views-panel'

type Entry = OutputOf<'links.access_log'>['entries'][number]

/** One link: what it shows, who came, what they opened, and how to end it. */
export function LinkView({ link: id }: { readonly link: string }) {
  const [tab, setTab] = useState('visits')
  const [revoking, setRevoking] = useState(false)
  const [changing, setChanging] = useState(false)
  const query = useQuery({ queryKey: ['links', id], queryFn: () => privity.links.get(id) })
  const views = useViews()
  return (
    <QueryView query={query}>
      {link => {
        if (link === null) return <NotShared />
        const state = linkState(link)
        return (
          <Page
            title={link.name}
            lead={
              <>
                <Link href="/shares">All shares</Link> · {identityLabel(link.recipientIdentityMode)} ·{' '}
                <Badge tone={state.tone}>{state.label}</Badge>
              </>
            }
            actions={
              link.revokedAt === null ? (
                <>
                  <Button onClick={() => setChanging(true)}>Change …</Button>
                  <Button kind="danger" onClick={() => setRevoking(true)}>
                    Revoke …
                  </Button>
                </>
              ) : null
            }
          >
            <Requests link={id} />
            <Tabs
              label="Parts of the share"
              value={tab}
              onChange={setTab}
              tabs={[
                { value: 'visits', label: 'Who came', content: <Visits link={id} /> },
                { value: 'readings', label: 'Time on pages', content: <LinkReadings link={id} /> },
                { value: 'mail', label: 'Mail', content: <LinkMail link={id} /> },
                {
                  value: 'shows',
                  label: link.fileRequest === null ? 'What it shows' : 'What it asks for',
                  content:
                    link.fileRequest !== null ? (
                      <Card>
                        <p className="pre-wrap">
                          {link.fileRequest.message === '' ? 'No message.' : link.fileRequest.message}
                        </p>
                        <p className="muted">Files are filed in {placeOf(link.fileRequest)}.</p>
                      </Card>
                    ) : (
                      <Card>
                        <EffectiveView
                          views={link.views}
                          names={new Map(views.data?.views.map(({ view, name }) => [view, name]) ?? [])}
                        />
                      </Card>
                    ),
                },
                { value: 'settings', label: 'Settings', content: <Settings link={link} /> },
              ]}
            />
            {changing ? <ChangeLinkDialog link={link} onClose={() => setChanging(false)} /> : null}
            {revoking ? <RevokeLinkDialog link={link} onClose={() => setRevoking(false)} /> : null}
          </Page>
        )
      }}
    </QueryView>
  )
}

const NotShared = () => (
  <Page title="Share">
    <EmptyState title="There is no such share" action={<Link href="/shares">All shares</Link>}>
      It does not exist, or somebody else granted it.
    </EmptyState>
  </Page>
)

/** Who waits to be let in. */
function Requests({ link }: { readonly link: string }) {
  const client = useQueryClient()
  const toast = useToast()
  const query = useQuery({
    queryKey: ['links', link, 'requests'],
    queryFn: () => privity.links.requests({ link, state: 'pending' }),
  })
  const decide = (request: string, decision: 'approve' | 'decline') => async () => {
    try {
      await privity.links.decide({ request, decision })
      await client.invalidateQueries({ queryKey: ['links', link] })
    } catch (error) {
      toast.fail(error)
    }
  }
  const waiting = query.data?.requests ?? []
  if (waiting.length === 0) return null
  return (
    <Card title={`${count(waiting.length, 'person', 'people')} waiting to be let in`}>
      <ul aria-label="Requests">
        {waiting.map(({ request, name, createdAt }) => (
          <li key={request} className="list-item row-between">
            <span>
              <strong>{name}</strong>{' '}
              <span className="muted small">
                asked <Time at={createdAt} />
              </span>
            </span>
            <span className="row">
              <Button small kind="primary" onClick={decide(request, 'approve')}>
                Let in
              </Button>
              <Button small onClick={decide(request, 'decline')}>
                Decline
              </Button>
            </span>
          </li>
        ))}
      </ul>
    </Card>
  )
}

function Visits({ link }: { readonly link: string }) {
  const query = useInfiniteQuery({
    queryKey: ['links', link, 'log'],
    queryFn: ({ pageParam }) =>
      privity.links.accessLog({ link, limit: 100, ...(pageParam ? { cursor: pageParam } : {}) }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ cursor }) => cursor,
  })
  const toast = useToast()
  const entries = useMemo(() => query.data?.pages.flatMap(page => page.entries) ?? [], [query.data])
  return (
    <QueryView
      query={query}
      empty={{
        when: ({ pages }) => pages[0]?.entries.length === 0,
        show: (
          <EmptyState title="Nobody has opened the link yet">
            Who comes, and what they open, appears here.
          </EmptyState>
        ),
      }}
    >
      {({ pages }) => (
        <div className="stack">
          <Totals totals={pages[0]?.totals} />
          <AccessChart entries={entries} />
          <Card title="What they did">
            <div>
              <Button small onClick={() => void exportCsv(link).catch(toast.fail)}>
                Export as CSV
              </Button>
            </div>
            <VirtualList
              label="Accesses"
              items={entries}
              keyOf={({ at, session, operation }) => `${at}${session}${operation}`}
              hasMore={query.hasNextPage}
              onEnd={() => void query.fetchNextPage()}
              estimate={58}
              render={entry => (
                <div className="row-between">
                  <div className="grow">
                    <strong>{ACTIONS[entry.operation] ?? inWords(entry.operation)}</strong>{' '}
                    {entry.documents.map(({ document, title }) => (
                      <Badge key={document}>{title ?? 'Untitled'}</Badge>
                    ))}
                    {entry.query === null ? null : <q>{entry.query}</q>}
                    {entry.watermarks.map(number => (
                      <code key={number} className="small">
                        {number}
                      </code>
                    ))}
                    {entry.others > 0 ? <span className="muted small"> and {entry.others} more</span> : null}
                    <p className="muted small">
                      {entry.recipient ?? 'Somebody'}, <Time at={entry.at} />
                    </p>
                  </div>
                  {entry.outcome === 'ok' ? null : (
                    <Badge tone="warn">{inWords(entry.reason ?? entry.outcome)}</Badge>
                  )}
                </div>
              )}
            />
          </Card>
        </div>
      )}
    </QueryView>
  )
}

const ACTIONS: Readonly<Record<string, string>> = {
  'links.redeem': 'Opened the link',
  'search.execute': 'Searched',
  'document_view.list': 'Listed documents',
  'document_view.open': 'Read',
  'document_download.fetch': 'Downloaded',
  'document_view.file': 'Saw the pages of',
  'upload.send': 'Sent a file',
  'views.changes': 'Checked for changes',
  'profiles.leave': 'Left',
}

/** Hands the log over as a file. */
async function exportCsv(link: string): Promise<void> {
  const { fileName, csv } = await privity.links.exportLog(link)
  const url = URL.createObjectURL(new Blob([csv], { type: 'text/csv' }))
  Object.assign(document.createElement('a'), { href: url, download: fileName }).click()
  URL.revokeObjectURL(url)
}

function Totals({ totals }: { readonly totals: OutputOf<'links.access_log'>['totals'] | undefined }) {
  if (totals === undefined) return null
  const figures = [
    [totals.sessions, 'session'],
    [totals.searches, 'search', 'searches'],
    [totals.views, 'view'],
    [totals.downloads, 'download'],
    [totals.refused, 'refusal'],
  ] as const
  return (
    <ul className="totals" aria-label="Totals">
      {figures.map(([value, one, many]) => (
        <li key={one} className="total">
          <strong>{value}</strong>
          <span className="muted small">{value === 1 ? one : (many ?? `${one}s`)}</span>
        </li>
      ))}
    </ul>
  )
}

function AccessChart({ entries }: { readonly entries: readonly Entry[] }) {
  const { times, series } = useMemo(() => {
    const { times, counts } = countByTime(entries, {
      Accesses: ({ outcome }) => outcome === 'ok',
      Refusals: ({ outcome }) => outcome !== 'ok',
    })
    return {
      times,
      series: [
        { label: 'Accesses', values: counts.Accesses, tone: 'accent' as const },
        { label: 'Refusals', values: counts.Refusals, tone: 'danger' as const },
      ],
    }
  }, [entries])
  return (
    <Card>
      <Chart label="Accesses over time" times={times} series={series} />
    </Card>
  )
}

function Settings({ link }: { readonly link: ShareLink }) {
  const { rateLimits } = link
  return (
    <Card>
      <dl className="facts">
        <dt>For whom</dt>
        <dd>
          {identityLabel(link.recipientIdentityMode)} {link.recipientEmail ?? link.approvedName ?? ''}
        </dd>
        <dt>Expires</dt>
        <dd>{link.expiresAt === null ? 'Never' : formatDateTime(link.expiresAt)}</dd>
        <dt>Rate limits</dt>
        <dd>
          {count(rateLimits.maxQueriesPerHour, 'search', 'searches')} and{' '}
          {count(rateLimits.maxDocumentViewsPerHour, 'view')} an hour,{' '}
          {count(rateLimits.maxRecipientSessionsConcurrent, 'session')} at once
        </dd>
        <dt>A session lasts</dt>
        <dd>
          {count(Math.round(link.sessionSeconds / 3600), 'hour')}
          {link.sessionIdleSeconds === null
            ? ''
            : `, or until it is not used for ${count(Math.round(link.sessionIdleSeconds / 60), 'minute')}`}
        </dd>
        {link.allowList.length === 0 ? null : (
          <>
            <dt>May open it</dt>
            <dd>{link.allowList.join(', ')}</dd>
          </>
        )}
        {link.denyList.length === 0 ? null : (
          <>
            <dt>May not open it</dt>
            <dd>{link.denyList.join(', ')}</dd>
          </>
        )}
        {link.passcodeRequired ? (
          <>
            <dt>Passcode</dt>
            <dd>Required</dd>
          </>
        ) : null}
        {link.agreement === null ? null : (
          <>
            <dt>Recipients agree to</dt>
            <dd>
              {link.agreement.text}
              <p className="muted small">
                SHA-256 <code>{link.agreement.sha256}</code>
              </p>
            </dd>
          </>
        )}
        <dt>You are told</dt>
        <dd>
          {link.notices.events.length === 0 ? 'Nothing' : link.notices.events.map(inWords).join(', ')}
          {link.notices.email === null ? '' : `; by mail to ${link.notices.email}`}
        </dd>
        <dt>Highest sensitivity</dt>
        <dd>{inWords(link.maxSensitivity)}</dd>
        <dt>Id</dt>
        <dd>
          <code>{link.link}</code>
        </dd>
        {link.revocation === null ? null : (
          <>
            <dt>Revoked</dt>
            <dd>
              {formatDateTime(link.revocation.revokedAt)}: {link.revocation.revokeReason}
            </dd>
          </>
        )}
      </dl>
    </Card>
  )
}
