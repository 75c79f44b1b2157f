import { useQuery } from '@tanstack/react-query'
import type { ChangeRequest } from 'privity/client'
import { useState } from 'react'
import { Link } from 'wouter'
import { Badge } from '../../components/badge'
import { Button } from '../../components/button'
import { Card } from '../../components/page'
import { titleOf } from '../../components/record-line'
import { Time } from '../../components/time'
import { privity } from '../../lib/api'
import { useAction } from '../../lib/use-action'
import { ForgetDialog } from '../memory/forget-dialog'

type How = ChangeRequest['how']

const WORDS: Readonly<Record<How, { asks: string; accept: string; done: string }>> = {
  supersede: { asks: 'correct', accept: 'Save the correction', done: 'The correction was saved.' },
  retract: { asks: 'withdraw', accept: 'Withdraw it', done: 'The memory was withdrawn.' },
  contest: { asks: 'mark as contested', accept: 'Mark as contested', done: 'The memory was marked.' },
  forget: { asks: 'delete', accept: 'Delete …', done: 'The memory was deleted.' },
}

export const useChangeRequests = (state: ChangeRequest['state']) =>
  useQuery({
    queryKey: ['changes', state],
    queryFn: () => privity.changes.list({ state, limit: 100 }),
  })

/** What an agent asks to change: the memory as it is beside what it would say. */
export function ChangeRequestCard({ request }: { readonly request: ChangeRequest }) {
  const { id, how, record, text, reason, requestedBy, createdAt } = request
  const { act, busy } = useAction()
  const [deleting, setDeleting] = useState(false)
  const found = useQuery({
    queryKey: ['record', record],
    queryFn: () => (record === null ? null : privity.get(record)),
  })
  const current = found.data ?? null
  const { asks, accept, done } = WORDS[how]
  const decide = (decision: 'accepted' | 'declined') => privity.changes.decide({ request: id, decision })
  return (
    <Card
      title={
        <>
          {requestedBy ?? 'An agent'} asks to {asks} a memory <Badge tone="violet">Agent</Badge>
        </>
      }
      actions={
        <span className="muted small">
          <Time at={createdAt} />
        </span>
      }
    >
      <div className="stack">
        {reason === null ? null : <p className="wrap-anywhere">Reason: “{reason}”</p>}
        <div className="grid-2">
          <section className="private" aria-label="The memory as it is">
            <h3>The memory as it is</h3>
            {current === null ? (
              <p className="muted">It was deleted.</p>
            ) : (
              <>
                <blockquote className="wrap-anywhere">{current.payload?.text ?? titleOf(current)}</blockquote>
                <Link href={`/memory/${current.id}`}>Open it</Link>
              </>
            )}
          </section>
          {text === null ? null : (
            <section className="crossing" aria-label="What it would say">
              <h3>What it would say</h3>
              <blockquote className="wrap-anywhere">{text}</blockquote>
            </section>
          )}
        </div>
        <div className="row">
          <Button
            kind={how === 'forget' ? 'danger' : 'primary'}
            busy={busy}
            disabled={current === null}
            onClick={() => (how === 'forget' ? setDeleting(true) : void act(() => decide('accepted'), done))}
          >
            {accept}
          </Button>
          <Button
            disabled={busy}
            onClick={() => void act(() => decide('declined'), 'Declined. The memory stays as it is.')}
          >
            Decline
          </Button>
        </div>
      </div>
      {deleting && current !== null ? (
        <ForgetDialog
          record={current}
          onClose={() => setDeleting(false)}
          onForget={async () => void (await act(() => decide('accepted'), done))}
        />
      ) : null}
    </Card>
  )
}

const STATES = { accepted: ['good', 'Accepted'], declined: ['plain', 'Declined'] } as const

/** What was decided about changes, newest first. */
export function DecidedChanges() {
  const accepted = useChangeRequests('accepted')
  const declined = useChangeRequests('declined')
  const all = [...(accepted.data?.requests ?? []), ...(declined.data?.requests ?? [])].sort((a, b) =>
    (b.decidedAt ?? '').localeCompare(a.decidedAt ?? ''),
  )
  if (all.length === 0) return null
  return (
    <Card title="Changes that agents asked for">
      <ul aria-label="Decided changes">
        {all.slice(0, 50).map(({ id, how, record, requestedBy, state, decidedAt }) => {
          const [tone, label] = STATES[state === 'accepted' ? 'accepted' : 'declined']
          return (
            <li key={id} className="list-item row-between">
              <div className="grow">
                <p>
                  {requestedBy ?? 'An agent'} asked to {WORDS[how].asks}{' '}
                  {record === null ? (
                    'a memory that is deleted'
                  ) : (
                    <Link href={`/memory/${record}`}>a memory</Link>
                  )}
                  .
                </p>
                <p className="muted small">
                  Decided <Time at={decidedAt} />
                </p>
              </div>
              <Badge tone={tone}>{label}</Badge>
            </li>
          )
        })}
      </ul>
    </Card>
  )
}
