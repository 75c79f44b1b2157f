import { useInfiniteQuery } from '@tanstack/react-query'
import { RefreshCw } from 'lucide-react'
import type { CapturedFact, CaptureJob, MemoryCaptureOutput } from 'privity/client'
import { useState } from 'react'
import { Link } from 'wouter'
import { Badge, type Tone } from '../../components/badge'
import { Button } from '../../components/button'
import { CheckField, SelectField, TextArea, TextField } from '../../components/field'
import { Card } from '../../components/page'
import { Time } from '../../components/time'
import { privity } from '../../lib/api'
import { count, inWords } from '../../lib/format'
import { useAction } from '../../lib/use-action'
import { SENSITIVITIES } from '../../lib/viewers'
import { listOf } from './label-dialog'

interface Message {
  readonly text: string
  readonly speaker?: string
  readonly role?: 'assistant'
}

const SPEAKER = /^([\p{L}][\p{L}\p{M}\d .'’-]{0,39}):\s+(.*)$/u

/** Reads `Name: text` lines. A line without a name goes on with what was said before. */
export function readConversation(text: string): Message[] {
  const messages: { text: string; speaker?: string }[] = []
  for (const line of text.split('\n').map(one => one.trim())) {
    if (line === '') continue
    const [, speaker, said] = SPEAKER.exec(line) ?? []
    const last = messages.at(-1)
    if (speaker !== undefined && said !== undefined) messages.push({ speaker, text: said })
    else if (last === undefined) messages.push({ text: line })
    else last.text += `\n${line}`
  }
  return messages.map(({ text, speaker }) =>
    speaker === undefined || speaker.toLowerCase() === 'me'
      ? { text }
      : speaker.toLowerCase() === 'assistant'
        ? { text, role: 'assistant' }
        : { text, speaker },
  )
}

const OUTCOMES: Readonly<Record<CapturedFact['outcome'], { tone: Tone; label: string }>> = {
  new: { tone: 'good', label: 'New' },
  reinforced: { tone: 'plain', label: 'Known, confirmed' },
  superseded: { tone: 'accent', label: 'Replaces an older fact' },
  contested: { tone: 'warn', label: 'Contradicts another' },
  past: { tone: 'plain', label: 'No longer holds' },
}

/** Keeps a conversation: what was said, and the facts in it. */
export function Conversation() {
  const { act, busy } = useAction()
  const [text, setText] = useState('')
  const [about, setAbout] = useState('')
  const [sensitivity, setSensitivity] = useState('low')
  const [facts, setFacts] = useState(true)
  const [kept, setKept] = useState<MemoryCaptureOutput | null>(null)
  const messages = readConversation(text)
  const speakers = [
    ...new Set(messages.map(({ speaker, role }) => speaker ?? (role ? 'the assistant' : 'you'))),
  ]
  const keep = async () => {
    const done = await act(async () =>
      setKept(
        await privity.capture({
          messages: [...messages],
          facts,
          sensitivity: sensitivity as never,
          ...(listOf(about).length === 0 ? {} : { about: listOf(about) }),
        }),
      ),
    )
    if (done) setText('')
  }
  return (
    <div className="stack">
      <Card title="Keep a conversation">
        <div className="stack">
          <TextArea
            label="What was said"
            rows={8}
            placeholder={'Me: Ben starts at the bakery in June.\nRosa: He always wanted that.'}
            hint={
              messages.length === 0
                ? 'Paste a chat. Begin each message with a name and a colon; “Me” is you.'
                : `${count(messages.length, 'message')} by ${speakers.join(', ')}.`
            }
            value={text}
            onChange={event => setText(event.target.value)}
          />
          <div className="grid-2">
            <TextField
              label="People it is about"
              hint="Names, separated by commas. Agents see it once all of them agree."
              value={about}
              onChange={event => setAbout(event.target.value)}
            />
            <SelectField
              label="Sensitivity"
              value={sensitivity}
              onChange={event => setSensitivity(event.target.value)}
              choices={SENSITIVITIES.map(value => ({ value, label: inWords(value) }))}
            />
          </div>
          <CheckField
            label="Also keep the facts in it as memories of their own"
            checked={facts}
            onChange={event => setFacts(event.target.checked)}
          />
          <div className="row">
            <Button kind="primary" busy={busy} disabled={messages.length === 0} onClick={() => void keep()}>
              Keep it
            </Button>
          </div>
        </div>
      </Card>
      {kept === null ? null : <Kept kept={kept} />}
      <Jobs />
    </div>
  )
}

function Kept({ kept: { turns, facts } }: { readonly kept: MemoryCaptureOutput }) {
  return (
    <Card
      title={`${count(turns.length, 'message')} kept, ${facts.length === 0 ? 'no facts found' : `${count(facts.length, 'fact')} found`}`}
    >
      <ul aria-label="Facts">
        {facts.map(({ record, text, outcome, readable }) => (
          <li key={record} className="list-item row-between">
            <span className="grow wrap-anywhere">
              {readable ? <Link href={`/memory/${record}`}>{text}</Link> : text}
            </span>
            <Badge tone={OUTCOMES[outcome].tone}>{OUTCOMES[outcome].label}</Badge>
          </li>
        ))}
      </ul>
      {facts.length === 0 ? (
        <p className="muted">
          Facts are read from plain statements such as “I live in Lisbon”. A model can find more; see Settings
          → Providers.
        </p>
      ) : null}
    </Card>
  )
}

const JOB_STATES: Readonly<Record<CaptureJob['state'], { tone: Tone; label: string }>> = {
  waiting: { tone: 'accent', label: 'Waiting for the model' },
  done: { tone: 'good', label: 'Read by the model' },
  failed: { tone: 'danger', label: 'Failed' },
}

/** Conversations that a model reads in the background. Without a model there are none. */
function Jobs() {
  const { act, busy } = useAction()
  const query = useInfiniteQuery({
    queryKey: ['captures'],
    queryFn: ({ pageParam }) =>
      privity.captures.list({ limit: 20, ...(pageParam ? { cursor: pageParam } : {}) }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ cursor }) => cursor,
    refetchInterval: ({ state }) =>
      state.data?.pages.some(({ jobs }) => jobs.some(({ state }) => state === 'waiting')) ? 3_000 : false,
  })
  const jobs = query.data?.pages.flatMap(page => page.jobs) ?? []
  if (jobs.length === 0) return null
  return (
    <Card title="Conversations that the model reads">
      <ul aria-label="Conversations">
        {jobs.map(
          ({ job, turns, state, facts, heldBack, lastFailure, attempts, createdAt, nextAttemptAt }) => (
            <li key={job} className="list-item row-between">
              <div className="grow">
                <p>
                  {count(turns, 'message')}
                  {facts === null ? '' : `, ${count(facts, 'fact')} found`}
                  {heldBack
                    ? `, ${count(heldBack, 'message')} not sent, because ${heldBack === 1 ? 'it' : 'they'} may not leave this machine`
                    : ''}
                </p>
                <p className="muted small">
                  <Time at={createdAt} />
                  {lastFailure === null ? '' : `. ${inWords(lastFailure)}, ${count(attempts, 'attempt')}`}
                  {state === 'waiting' && nextAttemptAt !== null && attempts > 0 ? (
                    <>
                      . Next attempt <Time at={nextAttemptAt} />
                    </>
                  ) : null}
                </p>
              </div>
              <div className="row">
                <Badge tone={JOB_STATES[state].tone}>{JOB_STATES[state].label}</Badge>
                {state === 'failed' ? (
                  <Button
                    small
                    busy={busy}
                    icon={<RefreshCw size={16} aria-hidden />}
                    onClick={() => void act(() => privity.captures.retry(job), 'The model reads it again.')}
                  >
                    Try again
                  </Button>
                ) : null}
              </div>
            </li>
          ),
        )}
      </ul>
      {query.hasNextPage ? (
        <Button small onClick={() => void query.fetchNextPage()}>
          Show more
        </Button>
      ) : null}
    </Card>
  )
}
