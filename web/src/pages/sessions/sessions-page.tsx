import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import { MessagesSquare } from 'lucide-react'
import type { OutputOf } from 'privity/client'
import { useState } from 'react'
import { Link, useRoute } from 'wouter'
import { Badge, type Tone } from '../../components/badge'
import { Button } from '../../components/button'
import { ConfirmDialog, Dialog } from '../../components/dialog'
import { TextField } from '../../components/field'
import { Card, Page } from '../../components/page'
import { EmptyState, QueryView } from '../../components/states'
import { Tabs } from '../../components/tabs'
import { Time } from '../../components/time'
import { useToast } from '../../components/toast'
import { VirtualList } from '../../components/virtual-list'
import { privity } from '../../lib/api'
import { count, inWords } from '../../lib/format'
import { useWho } from '../../lib/session'
import { titleOf } from '../inbox/inbox-page'
import { PrivateNotes } from './private-notes'
import { SharedItems } from './shared-items'
import { StageTask } from './stage-task'
import { StageTrack } from './stage-track'

type Session = OutputOf<'sessions.get'>

const STATES: Readonly<Record<string, Tone>> = { ACTIVE: 'good', INVITED: 'accent', PAUSED: 'warn' }
export const StateBadge = ({ state }: { readonly state: string }) => (
  <Badge tone={STATES[state] ?? 'plain'}>{inWords(state)}</Badge>
)

/** The mediations somebody takes part in. */
export default function SessionsPage() {
  const [, params] = useRoute('/sessions/:session')
  return params === null ? <SessionList /> : <SessionView session={params.session} />
}

function SessionList() {
  const [starting, setStarting] = useState(false)
  const query = useInfiniteQuery({
    queryKey: ['sessions', 'all'],
    queryFn: ({ pageParam }) =>
      privity.sessions.list({ limit: 50, ...(pageParam ? { cursor: pageParam } : {}) }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ cursor }) => cursor,
  })
  const start = (
    <Button kind="primary" onClick={() => setStarting(true)}>
      Start a mediation
    </Button>
  )
  return (
    <Page
      title="Sessions"
      lead="A mediation between two people. Each talks with a model in private; only what its owner grants crosses to the other."
      actions={start}
    >
      <QueryView
        query={query}
        empty={{
          when: ({ pages }) => pages[0]?.sessions.length === 0,
          show: (
            <EmptyState
              icon={<MessagesSquare size={28} aria-hidden />}
              title="No mediation yet"
              action={start}
            >
              Start one with somebody of this tenant. They are invited and can decline.
            </EmptyState>
          ),
        }}
      >
        {({ pages }) => (
          <Card>
            <VirtualList
              label="Sessions"
              items={pages.flatMap(({ sessions }) => sessions)}
              keyOf={({ id }) => id}
              hasMore={query.hasNextPage}
              onEnd={() => void query.fetchNextPage()}
              render={session => (
                <div className="row-between">
                  <div className="grow">
                    <Link href={`/sessions/${session.id}`}>
                      <strong>{titleOf(session)}</strong>
                    </Link>
                    <p className="muted small">
                      {session.participants.join(', ')}
                      {session.invited.length === 0 ? '' : `, invited: ${session.invited.join(', ')}`}.
                      Changed <Time at={session.updatedAt} />
                    </p>
                  </div>
                  <StateBadge state={session.state} />
                </div>
              )}
            />
          </Card>
        )}
      </QueryView>
      <StartDialog open={starting} onOpenChange={setStarting} />
    </Page>
  )
}

function StartDialog({ open, onOpenChange }: { open: boolean; onOpenChange: (open: boolean) => void }) {
  const [partner, setPartner] = useState('')
  const [title, setTitle] = useState('')
  const client = useQueryClient()
  const start = async () => {
    await privity.sessions.create({
      participants: [partner.trim()],
      ...(title.trim() === '' ? {} : { title: title.trim() }),
    })
    await client.invalidateQueries({ queryKey: ['sessions'] })
  }
  return (
    <ConfirmDialog
      open={open}
      onOpenChange={onOpenChange}
      title="Start a mediation"
      description="1 person is invited. They see your name and the title, and nothing else of yours."
      confirm="Invite"
      disabled={partner.trim() === ''}
      onConfirm={start}
    >
      <TextField
        label="With whom"
        hint="The name by which they sign in."
        value={partner}
        onChange={event => setPartner(event.target.value)}
      />
      <TextField label="Title" value={title} onChange={event => setTitle(event.target.value)} />
    </ConfirmDialog>
  )
}

function SessionView({ session: id }: { readonly session: string }) {
  const { actor } = useWho()
  const query = useQuery({ queryKey: ['sessions', id], queryFn: () => privity.sessions.get(id) })
  const [tab, setTab] = useState('stages')
  return (
    <QueryView query={query}>
      {session => (
        <Page
          title={titleOf(session)}
          lead={
            <>
              <Link href="/sessions">All sessions</Link> · {session.participants.join(' and ')} ·{' '}
              <StateBadge state={session.state} />
            </>
          }
          actions={takesPart(session, actor) ? <SessionActions session={session} /> : null}
        >
          {takesPart(session, actor) ? (
            <Tabs
              label="Parts of the session"
              value={tab}
              onChange={setTab}
              tabs={[
                {
                  value: 'stages',
                  label: 'Stages',
                  content: (
                    <div className="stack">
                      <StageTrack session={id} />
                      <StageTask session={id} />
                    </div>
                  ),
                },
                { value: 'notes', label: 'Private notes', content: <PrivateNotes session={id} /> },
                { value: 'shared', label: 'Shared', content: <SharedItems session={id} /> },
                { value: 'turns', label: 'What the model was given', content: <Turns session={id} /> },
              ]}
            />
          ) : (
            <EmptyState title="You do not take part in this mediation">
              You see who takes part and whether it is active. What they write and share is theirs alone.
            </EmptyState>
          )}
        </Page>
      )}
    </QueryView>
  )
}

const takesPart = ({ participants, invited }: Session, actor: string) =>
  participants.includes(actor) || invited.includes(actor)

function SessionActions({ session }: { readonly session: Session }) {
  const who = useWho()
  const client = useQueryClient()
  const toast = useToast()
  const [leaving, setLeaving] = useState(false)
  const changed = () => client.invalidateQueries({ queryKey: ['sessions'] })
  const act = (done: string, run: () => Promise<unknown>) => async () => {
    try {
      await run()
      toast.say(done)
      await changed()
    } catch (error) {
      toast.fail(error)
    }
  }
  const setState = (state: 'ACTIVE' | 'PAUSED') => () =>
    privity.sessions.setState({ session: session.id, state })
  const isInvited = session.invited.includes(who.actor)
  return (
    <>
      {isInvited ? (
        <>
          <Button kind="primary" onClick={act('You take part now.', () => privity.sessions.join(session.id))}>
            Join
          </Button>
          <Button onClick={act('Declined.', () => privity.sessions.decline(session.id))}>Decline</Button>
        </>
      ) : null}
      {session.state === 'ACTIVE' && !isInvited ? (
        <Button onClick={act('Paused.', setState('PAUSED'))}>Pause</Button>
      ) : null}
      {session.state === 'PAUSED' ? (
        <Button onClick={act('Resumed.', setState('ACTIVE'))}>Resume</Button>
      ) : null}
      {(session.state === 'ACTIVE' || session.state === 'PAUSED') && !isInvited ? (
        <Button kind="danger" onClick={() => setLeaving(true)}>
          Leave …
        </Button>
      ) : null}
      {leaving ? (
        <LeaveDialog session={session.id} onClose={() => setLeaving(false)} onDone={changed} />
      ) : null}
    </>
  )
}

function LeaveDialog({
  session,
  onClose,
  onDone,
}: {
  session: string
  onClose: () => void
  onDone: () => Promise<unknown>
}) {
  const history = useQuery({
    queryKey: ['bridge', session, 'history'],
    queryFn: () => privity.bridge.history(session),
  })
  const toast = useToast()
  const active = history.data?.records.filter(
    ({ decision, revokedAt }) => decision === 'GRANTED' && revokedAt === null,
  ).length
  return (
    <ConfirmDialog
      open
      onOpenChange={open => open || onClose()}
      title="Leave this mediation?"
      description={
        active === undefined
          ? 'Counting what you shared …'
          : `The session ends for both of you. ${count(active, 'text')} that you shared ${active === 1 ? 'is' : 'are'} taken back.`
      }
      confirm="Leave"
      danger
      disabled={active === undefined}
      onConfirm={async () => {
        const { revoked } = await privity.sessions.leave({ session })
        toast.say(`You left. ${count(revoked, 'shared text')} taken back.`)
        await onDone()
      }}
    />
  )
}

type Turn = OutputOf<'turns.list'>['turns'][number]

function Turns({ session }: { readonly session: string }) {
  const [opened, setOpened] = useState<Turn | null>(null)
  const query = useInfiniteQuery({
    queryKey: ['turns', session],
    queryFn: ({ pageParam }) =>
      privity.turns.list({ session, limit: 50, ...(pageParam ? { cursor: pageParam } : {}) }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ cursor }) => cursor,
  })
  return (
    <>
      <QueryView
        query={query}
        empty={{
          when: ({ pages }) => pages[0]?.turns.length === 0,
          show: (
            <EmptyState title="The model was asked nothing yet">
              Each turn of yours appears here: what kinds of things the model was given, how many, and what
              was left out.
            </EmptyState>
          ),
        }}
      >
        {({ pages }) => (
          <Card>
            <VirtualList
              label="Turns"
              items={pages.flatMap(({ turns }) => turns)}
              keyOf={({ turn }) => turn}
              hasMore={query.hasNextPage}
              onEnd={() => void query.fetchNextPage()}
              render={turn => (
                <div className="row-between">
                  <div className="grow">
                    <div className="row">
                      <strong>{inWords(turn.intent)}</strong>
                      <Badge>Stage {turn.stage}</Badge>
                      <Badge tone={turn.depth === 'none' ? 'plain' : 'accent'}>
                        {inWords(turn.depth)} recall
                      </Badge>
                    </div>
                    <p className="muted small">
                      {givenTo(turn)}, {turn.tokens} of {turn.tokenBudget} tokens. <Time at={turn.at} />
                    </p>
                  </div>
                  <Button small onClick={() => setOpened(turn)}>
                    Details
                  </Button>
                </div>
              )}
            />
          </Card>
        )}
      </QueryView>
      {opened === null ? null : (
        <Dialog
          open
          wide
          onOpenChange={open => open || setOpened(null)}
          title={inWords(opened.intent)}
          description={`The model was given ${givenTo(opened)}. The text itself is not kept.`}
        >
          <div className="table-scroll">
            <table className="table">
              <thead>
                <tr>
                  <th>Looked for</th>
                  <th>How</th>
                  <th>What became of it</th>
                </tr>
              </thead>
              <tbody>
                {opened.queries.map(({ type, source, verdict, reason }, at) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: a turn never changes.
                  <tr key={at}>
                    <td>{type === null ? 'Unknown' : inWords(type)}</td>
                    <td>{source === null ? '' : inWords(source)}</td>
                    <td>
                      {verdict === 'runs' ? (
                        <Badge tone="good">Searched</Badge>
                      ) : (
                        <Badge tone="warn" title={reason ?? ''}>
                          Not allowed: {reason === null ? 'no reason' : inWords(reason)}
                        </Badge>
                      )}
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        </Dialog>
      )}
    </>
  )
}

/** `2 user events, 1 need`. */
function givenTo({ items }: Turn): string {
  const parts = Object.entries(items as Record<string, unknown>).flatMap(([type, value]) => {
    const many = typeof value === 'number' ? value : Array.isArray(value) ? value.length : 0
    return many > 0 ? [`${many} × ${inWords(type).toLowerCase()}`] : []
  })
  return parts.length === 0 ? 'nothing' : parts.join(', ')
}
