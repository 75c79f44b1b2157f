import { useQuery } from '@tanstack/react-query'
import type { Agreement, OutputOf, SharedItem } from 'privity/client'
import { useEffect, useState } from 'react'
import { Badge, type Tone } from '../../components/badge'
import { Button } from '../../components/button'
import { CheckField, TextArea } from '../../components/field'
import { Card } from '../../components/page'
import { QueryView } from '../../components/states'
import { Time } from '../../components/time'
import { privity } from '../../lib/api'
import { useAction } from '../../lib/use-action'

/** Stage 4: ideas without names, a ranking by each, agreements, and what they try. */
export function RepairTask({ session }: { readonly session: string }) {
  const pool = useQuery({
    queryKey: ['strategies', session],
    queryFn: () => privity.strategies.pool(session),
  })
  return (
    <>
      <NewIdea session={session} />
      <QueryView query={pool}>
        {found => (
          <>
            <Ideas session={session} pool={found} />
            <Agreements session={session} pool={found} />
          </>
        )}
      </QueryView>
      <Experiments session={session} />
    </>
  )
}

interface OneTextProps {
  readonly label: string
  readonly hint: string
  readonly button: string
  readonly done: string
  readonly onSend: (text: string) => Promise<unknown>
}

/** A box for a few sentences that is empty again once they were sent. */
function OneText({ label, hint, button, done, onSend }: OneTextProps) {
  const { act, busy } = useAction()
  const [text, setText] = useState('')
  const send = async () => {
    if (await act(() => onSend(text.trim()), done)) setText('')
  }
  return (
    <div className="stack-tight">
      <TextArea
        label={label}
        rows={2}
        hint={hint}
        value={text}
        onChange={event => setText(event.target.value)}
      />
      <div className="row">
        <Button busy={busy} disabled={text.trim() === ''} onClick={() => void send()}>
          {button}
        </Button>
      </div>
    </div>
  )
}

const NewIdea = ({ session }: { readonly session: string }) => (
  <Card title="Propose something to try">
    <OneText
      label="Your idea"
      hint="Both of you see it without a name."
      button="Propose it"
      done="Your idea is among the others, without your name."
      onSend={content => privity.strategies.submit({ session, content })}
    />
  </Card>
)

type Pool = OutputOf<'strategies.pool'>

function Ideas({
  session,
  pool: { strategies, ranking, overlap },
}: {
  readonly session: string
  readonly pool: Pool
}) {
  const { act, busy } = useAction()
  const ranked = (ranking ?? []).flatMap(({ proposal }) => proposal ?? [])
  const known = [...ranked, ...strategies.map(({ id }) => id).filter(id => !ranked.includes(id))].join(' ')
  const [order, setOrder] = useState<readonly string[]>([])
  useEffect(() => setOrder(known === '' ? [] : known.split(' ')), [known])
  const move = (at: number, by: number) => {
    const next = [...order]
    const [moved] = next.splice(at, 1)
    if (moved !== undefined) next.splice(at + by, 0, moved)
    setOrder(next)
  }
  const contents = new Map(strategies.map(({ id, content }) => [id, content]))
  if (strategies.length === 0) return null
  return (
    <Card
      title="Ideas"
      actions={
        <Button
          kind="primary"
          busy={busy}
          onClick={() =>
            void act(
              () => privity.strategies.rank({ session, proposals: [...order] }),
              'Your ranking was saved. The other does not see it.',
            )
          }
        >
          {ranking === null ? 'Save my ranking' : 'Change my ranking'}
        </Button>
      }
    >
      <p className="muted">Put the best first. What both of you place among the first three is marked.</p>
      <ol aria-label="Ideas, the best first">
        {order.map((id, at) => (
          <li key={id} className="list-item row-between">
            <span className="grow wrap-anywhere">
              <span className="muted tabular">{at + 1}.</span> {contents.get(id)}{' '}
              {overlap.includes(id) ? <Badge tone="good">You both like it</Badge> : null}
            </span>
            <span className="row">
              <Button small disabled={at === 0} label={`Move idea ${at + 1} up`} onClick={() => move(at, -1)}>
                ↑
              </Button>
              <Button
                small
                disabled={at === order.length - 1}
                label={`Move idea ${at + 1} down`}
                onClick={() => move(at, 1)}
              >
                ↓
              </Button>
            </span>
          </li>
        ))}
      </ol>
    </Card>
  )
}

const STATES: Readonly<Record<Agreement['status'], { tone: Tone; label: string }>> = {
  ACTIVE: { tone: 'accent', label: 'Open' },
  COMPLETED: { tone: 'good', label: 'Kept' },
  ABANDONED: { tone: 'plain', label: 'Given up' },
}

function Agreements({ session, pool }: { readonly session: string; readonly pool: Pool }) {
  const { act, busy } = useAction()
  const query = useQuery({
    queryKey: ['agreements', session],
    queryFn: () => privity.agreements.list({ session, proposed: true }),
  })
  const close = (agreement: string, status: 'COMPLETED' | 'ABANDONED') =>
    act(() => privity.agreements.close({ session, agreement, status }))
  return (
    <Card title="Agreements">
      <div className="stack">
        <QueryView query={query}>
          {({ agreements }) => (
            <ul aria-label="Agreements">
              {agreements.map(({ id, description, agreedAt, status, outcome, agreedByYou, staleNotice }) => (
                <li key={id} className="list-item row-between">
                  <div className="grow">
                    <p className="wrap-anywhere">{description}</p>
                    <p className="row small">
                      {outcome === 'NO_AGREEMENT' ? <Badge>Ends without an agreement</Badge> : null}
                      {agreedAt === null ? (
                        <Badge tone="warn">{agreedByYou ? 'Waits for the other' : 'Waits for you'}</Badge>
                      ) : (
                        <Badge tone={STATES[status].tone}>
                          {status === 'ACTIVE' ? 'Both of you agreed' : STATES[status].label}
                        </Badge>
                      )}
                      {staleNotice === undefined ? null : <span className="muted">{staleNotice}</span>}
                    </p>
                  </div>
                  <div className="row">
                    {agreedByYou || status !== 'ACTIVE' ? null : (
                      <Button
                        small
                        kind="primary"
                        disabled={busy}
                        onClick={() => void act(() => privity.agreements.agree({ session, agreement: id }))}
                      >
                        I agree
                      </Button>
                    )}
                    {agreedAt !== null && status === 'ACTIVE' ? (
                      <>
                        <Button small disabled={busy} onClick={() => void close(id, 'COMPLETED')}>
                          We kept it
                        </Button>
                        <Button small disabled={busy} onClick={() => void close(id, 'ABANDONED')}>
                          We gave it up
                        </Button>
                      </>
                    ) : null}
                  </div>
                </li>
              ))}
            </ul>
          )}
        </QueryView>
        <ProposeAgreement session={session} pool={pool} />
      </div>
    </Card>
  )
}

/** An agreement rests on ideas; without any, both can only end without one. */
function ProposeAgreement({ session, pool }: { readonly session: string; readonly pool: Pool }) {
  const { strategies, overlap } = pool
  const [chosen, setChosen] = useState<readonly string[] | null>(null)
  const ideas = (chosen ?? overlap).filter(id => strategies.some(one => one.id === id))
  const toggle = (id: string) =>
    setChosen(ideas.includes(id) ? ideas.filter(one => one !== id) : [...ideas, id])
  return (
    <div className="stack-tight">
      {strategies.length === 0 ? null : (
        <fieldset className="plain stack-tight">
          <legend>Ideas that it rests on</legend>
          {strategies.map(({ id, content }) => (
            <CheckField key={id} label={content} checked={ideas.includes(id)} onChange={() => toggle(id)} />
          ))}
        </fieldset>
      )}
      <OneText
        label={ideas.length === 0 ? 'Propose to end without an agreement' : 'Propose an agreement'}
        hint={
          ideas.length === 0
            ? 'Say why. The session ends once the other agrees. Choose an idea to propose an agreement instead.'
            : 'It holds once the other agrees.'
        }
        button="Propose it"
        done="Proposed. The other is asked to agree."
        onSend={text =>
          privity.agreements.propose(
            ideas.length === 0
              ? { session, text, outcome: 'NO_AGREEMENT' }
              : { session, text, proposals: [...ideas] },
          )
        }
      />
    </div>
  )
}

const TRIALS: Readonly<Record<string, { tone: Tone; label: string }>> = {
  PLANNED: { tone: 'plain', label: 'Planned' },
  TRYING: { tone: 'accent', label: 'Trying' },
  DONE: { tone: 'good', label: 'Done' },
  DROPPED: { tone: 'plain', label: 'Dropped' },
}

function Experiments({ session }: { readonly session: string }) {
  const query = useQuery({
    queryKey: ['shared', session, 'experiments'],
    queryFn: () => privity.shared.list({ session, types: ['micro_experiment'], limit: 50 }),
  })
  return (
    <Card title="What you try">
      <div className="stack">
        <QueryView query={query}>
          {({ items }) => (
            <ul aria-label="Experiments">
              {items.map(item => (
                <li key={item.id} className="list-item">
                  <Trial session={session} item={item} />
                </li>
              ))}
            </ul>
          )}
        </QueryView>
        <OneText
          label="Something small to try"
          hint="Both of you are asked after 7 days how it goes."
          button="Plan it"
          done="Planned."
          onSend={text => privity.experiments.add({ session, text })}
        />
      </div>
    </Card>
  )
}

function Trial({ session, item }: { readonly session: string; readonly item: SharedItem }) {
  const { act, busy } = useAction()
  const [outcome, setOutcome] = useState('')
  const state = TRIALS[item.status ?? 'PLANNED']
  const isOver = item.status === 'DONE' || item.status === 'DROPPED'
  const report = async (status: 'TRYING' | 'DONE' | 'DROPPED') => {
    const said = { session, experiment: item.id, status, outcome: outcome.trim() }
    if (await act(() => privity.experiments.report(said), 'The other can read how it goes.')) setOutcome('')
  }
  return (
    <div className="stack-tight">
      <p className="row">
        <span className="wrap-anywhere">{item.text ?? 'Hidden'}</span>
        {state === undefined ? null : <Badge tone={state.tone}>{state.label}</Badge>}
        {item.checkInAt === null ? null : (
          <span className="muted small">
            Check in <Time at={item.checkInAt} />
          </span>
        )}
      </p>
      {item.staleNotice === undefined ? null : <p className="notice">{item.staleNotice}</p>}
      {item.outcomes.map(({ by, text }) => (
        <blockquote key={`${by}${text}`} className="small wrap-anywhere">
          <strong>{by === 'you' ? 'You' : 'The other'}:</strong> {text}
        </blockquote>
      ))}
      {isOver ? null : (
        <>
          <TextArea
            label="How does it go?"
            rows={2}
            value={outcome}
            onChange={event => setOutcome(event.target.value)}
          />
          <div className="row">
            {(
              [
                ['TRYING', 'Still trying'],
                ['DONE', 'Done'],
                ['DROPPED', 'Drop it'],
              ] as const
            ).map(([status, label]) => (
              <Button
                key={status}
                small
                disabled={busy || outcome.trim() === ''}
                onClick={() => void report(status)}
              >
                {label}
              </Button>
            ))}
          </div>
        </>
      )}
    </div>
  )
}
