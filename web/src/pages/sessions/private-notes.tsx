import { useInfiniteQuery } from '@tanstack/react-query'
import type { VesselItem } from 'privity/client'
import { useState } from 'react'
import { Badge } from '../../components/badge'
import { Button } from '../../components/button'
import { SelectField, TextArea } from '../../components/field'
import { Card } from '../../components/page'
import { EmptyState, QueryView } from '../../components/states'
import { Time } from '../../components/time'
import { VirtualList } from '../../components/virtual-list'
import { privity } from '../../lib/api'
import { inWords } from '../../lib/format'
import { useAction } from '../../lib/use-action'
import { NEEDS } from './needs-task'

const KINDS = [
  { value: 'user_event', label: 'Something that happened' },
  { value: 'emotional_reading', label: 'How I feel' },
  { value: 'need', label: 'Something I need' },
  { value: 'boundary', label: 'A boundary of mine' },
] as const
type Kind = (typeof KINDS)[number]['value']

export const VESSEL_WORDS: Readonly<Record<VesselItem['type'], string>> = {
  user_event: 'What happened',
  emotional_reading: 'Feeling',
  need: 'Need',
  boundary: 'Boundary',
  empathy_draft: 'Empathy text',
}

/** What somebody keeps to themselves in a mediation. */
export function PrivateNotes({ session }: { readonly session: string }) {
  const query = useInfiniteQuery({
    queryKey: ['vessel', session, 'all'],
    queryFn: ({ pageParam }) =>
      privity.vessel.list({ session, limit: 50, ...(pageParam ? { cursor: pageParam } : {}) }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ cursor }) => cursor,
  })
  const all = query.data?.pages.flatMap(({ items }) => items) ?? []
  return (
    <div className="stack">
      <WriteNote session={session} />
      <QueryView
        query={query}
        empty={{
          when: () => all.length === 0,
          show: (
            <EmptyState title="You have written nothing yet">
              Only you and the model that talks with you read what you write here.
            </EmptyState>
          ),
        }}
      >
        {() => (
          <Card title="What you wrote">
            <VirtualList
              label="Private notes"
              items={all}
              keyOf={({ id }) => id}
              hasMore={query.hasNextPage}
              onEnd={() => void query.fetchNextPage()}
              render={({ type, text, emotion, intensity, category, need, confirmed, createdAt }) => (
                <div className="stack-tight">
                  <div className="row">
                    <Badge>{VESSEL_WORDS[type]}</Badge>
                    {emotion === null ? null : <Badge tone="violet">{inWords(emotion)}</Badge>}
                    {intensity === null ? null : <Badge>{intensity} of 10</Badge>}
                    {category === null ? null : <Badge tone="accent">{inWords(need ?? category)}</Badge>}
                    {confirmed ? <Badge tone="good">Confirmed</Badge> : null}
                    <span className="muted small">
                      <Time at={createdAt} />
                    </span>
                  </div>
                  {text === null || text === '' ? null : <p className="wrap-anywhere">{text}</p>}
                </div>
              )}
            />
          </Card>
        )}
      </QueryView>
    </div>
  )
}

function WriteNote({ session }: { readonly session: string }) {
  const { act, busy } = useAction()
  const [kind, setKind] = useState<Kind>('user_event')
  const [text, setText] = useState('')
  const [intensity, setIntensity] = useState('5')
  const [category, setCategory] = useState<(typeof NEEDS)[number]['value']>('CONNECTION')
  const write = async () => {
    const item =
      kind === 'emotional_reading'
        ? { type: kind, intensity: Number(intensity), text }
        : kind === 'need'
          ? { type: kind, category, text }
          : { type: kind, text }
    if (await act(() => privity.vessel.write({ session, items: [item] }), 'Kept. Only you can read it.'))
      setText('')
  }
  return (
    <Card title="Write something down">
      <div className="stack">
        <div className="grid-2">
          <SelectField
            label="What it is"
            value={kind}
            choices={KINDS}
            onChange={event => setKind(event.target.value as Kind)}
          />
          {kind === 'need' ? (
            <SelectField
              label="What it is about"
              value={category}
              choices={NEEDS}
              onChange={event => setCategory(event.target.value as typeof category)}
            />
          ) : null}
          {kind === 'emotional_reading' ? (
            <SelectField
              label="How strong"
              value={intensity}
              choices={Array.from({ length: 10 }, (_, at) => ({
                value: String(at + 1),
                label: `${at + 1} of 10`,
              }))}
              onChange={event => setIntensity(event.target.value)}
            />
          ) : null}
        </div>
        <TextArea
          label="In your words"
          rows={3}
          hint="Nobody else reads this. You may be asked later whether to share a version of it."
          value={text}
          onChange={event => setText(event.target.value)}
        />
        <div className="row">
          <Button kind="primary" busy={busy} disabled={text.trim() === ''} onClick={() => void write()}>
            Keep it
          </Button>
        </div>
      </div>
    </Card>
  )
}
