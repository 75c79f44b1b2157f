import { useQuery } from '@tanstack/react-query'
import type { SharedItem } from 'privity/client'
import { useEffect, useState } from 'react'
import { Badge } from '../../components/badge'
import { Button } from '../../components/button'
import { ConfirmDialog } from '../../components/dialog'
import { TextArea } from '../../components/field'
import { Card } from '../../components/page'
import { QueryView } from '../../components/states'
import { privity } from '../../lib/api'
import { useAction } from '../../lib/use-action'

/** Stage 2: each writes what the other may feel, and says whether the other's text is right. */
export function EmpathyTask({ session }: { readonly session: string }) {
  const shared = useQuery({
    queryKey: ['shared', session, 'empathy'],
    queryFn: () => privity.shared.list({ session, types: ['empathy_attempt'], limit: 50 }),
  })
  return (
    <QueryView query={shared}>
      {({ items }) => {
        const own = items.find(({ source }) => source === 'you')
        const theirs = items.find(({ source }) => source === 'partner')
        return (
          <>
            <OwnText session={session} shared={own ?? null} />
            <Card title="What the other wrote about you">
              {theirs === undefined ? (
                <p className="muted">
                  Nothing to read yet. Both texts are shown at the same time, once each of you has shared one.
                </p>
              ) : (
                <TheirText session={session} item={theirs} />
              )}
            </Card>
          </>
        )
      }}
    </QueryView>
  )
}

function OwnText({ session, shared }: { readonly session: string; readonly shared: SharedItem | null }) {
  const { act, busy } = useAction()
  const drafts = useQuery({
    queryKey: ['vessel', session, 'drafts'],
    queryFn: () => privity.vessel.list({ session, types: ['empathy_draft'], limit: 1 }),
  })
  const [draft] = drafts.data?.items ?? []
  const [text, setText] = useState('')
  const [sharing, setSharing] = useState(false)
  useEffect(() => setText(draft?.text ?? ''), [draft?.text])
  const save = (ready: boolean) =>
    privity.empathy.draft({ session, text, ready, ...(draft === undefined ? {} : { draft: draft.id }) })
  return (
    <Card title="What the other may feel and need">
      <div className="stack">
        {shared === null ? null : (
          <div className="stack-tight">
            <div className="row">
              <Badge tone="accent">You shared</Badge>
              {shared.revealed ? null : <Badge>Shown once the other has shared theirs</Badge>}
              {shared.validated === true ? <Badge tone="good">The other feels understood</Badge> : null}
            </div>
            <p className="wrap-anywhere">{shared.text}</p>
            {shared.feedback.map(said => (
              <blockquote key={said} className="wrap-anywhere">
                “{said}”
              </blockquote>
            ))}
          </div>
        )}
        <TextArea
          label={shared === null ? 'In your words, as if they said it' : 'Write it anew'}
          rows={4}
          hint="Only you read it until you share it."
          value={text}
          onChange={event => setText(event.target.value)}
        />
        <div className="row">
          <Button kind="primary" disabled={busy || text.trim() === ''} onClick={() => setSharing(true)}>
            Share …
          </Button>
          <Button
            busy={busy}
            disabled={text.trim() === ''}
            onClick={() => void act(() => save(false), 'Your draft was saved. Only you can read it.')}
          >
            Save as a draft
          </Button>
        </div>
      </div>
      <ConfirmDialog
        open={sharing}
        onOpenChange={setSharing}
        title="Share this text?"
        description={
          shared === null
            ? '1 person will read these words, once both of you have shared a text. You can revoke it in your inbox.'
            : '1 person will read these words in place of what you shared before. You can revoke it in your inbox.'
        }
        confirm="Share"
        onConfirm={async () => {
          const { id } = await save(true)
          await privity.empathy.share({ session, draft: id, content: text })
          await act(async () => {}, 'Shared.')
        }}
      >
        <blockquote className="wrap-anywhere">{text}</blockquote>
      </ConfirmDialog>
    </Card>
  )
}

function TheirText({ session, item }: { readonly session: string; readonly item: SharedItem }) {
  const { act, busy } = useAction()
  const [feedback, setFeedback] = useState('')
  const answer = (validated: boolean) =>
    act(
      () =>
        privity.empathy.validate({
          session,
          attempt: item.id,
          validated,
          ...(feedback.trim() === '' ? {} : { feedback: feedback.trim() }),
        }),
      'The other can read your answer.',
    )
  return (
    <div className="stack">
      <blockquote className="wrap-anywhere">{item.text ?? 'Hidden'}</blockquote>
      {item.validated === true ? <Badge tone="good">You feel understood</Badge> : null}
      <TextArea
        label="What you want to say about it (optional)"
        rows={2}
        hint="The other reads this."
        value={feedback}
        onChange={event => setFeedback(event.target.value)}
      />
      <div className="row">
        <Button kind="primary" busy={busy} onClick={() => void answer(true)}>
          I feel understood
        </Button>
        <Button disabled={busy} onClick={() => void answer(false)}>
          Not quite
        </Button>
      </div>
    </div>
  )
}
