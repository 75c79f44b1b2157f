import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { OutputOf } from 'privity/client'
import { useDeferredValue, useEffect, useState } from 'react'
import { Badge } from '../../components/badge'
import { Button } from '../../components/button'
import { ConfirmDialog } from '../../components/dialog'
import { TextArea } from '../../components/field'
import { Card } from '../../components/page'
import { useToast } from '../../components/toast'
import { privity } from '../../lib/api'
import { inWords } from '../../lib/format'

type Request = OutputOf<'bridge.pending'>['pendingRequests'][number]

interface RequestCardProps {
  readonly session: string
  readonly sessionTitle: string
  readonly request: Request
}

/** One request: the private original beside what the other would read, which can be worded anew. */
export function RequestCard({ session, sessionTitle, request }: RequestCardProps) {
  const [wording, setWording] = useState(request.transformedPreview)
  const [denying, setDenying] = useState(false)
  const [busy, setBusy] = useState(false)
  const isEdited = wording.trim() !== request.transformedPreview.trim()
  const screened = useScreening(session, request.id, wording, isEdited)
  const client = useQueryClient()
  const toast = useToast()
  const decided = () => client.invalidateQueries({ queryKey: ['bridge', session] })
  const grant = async () => {
    setBusy(true)
    try {
      await privity.bridge.decide({
        session,
        consentRequestId: request.id,
        decision: 'GRANTED',
        ...(isEdited ? { editedContent: wording.trim() } : {}),
      })
      toast.say('Shared. The other can read your wording from now on. You can revoke it under “Decided”.')
      await decided()
    } catch (error) {
      toast.fail(error)
    } finally {
      setBusy(false)
    }
  }
  const deny = async () => {
    await privity.bridge.decide({ session, consentRequestId: request.id, decision: 'DENIED' })
    toast.say('Not shared. The other is not told that you were asked.')
    await decided()
  }
  const refused = isEdited && screened.data?.shareable === false
  return (
    <Card
      title={
        <>
          {request.contentDescription} <Badge>{inWords(request.contentType)}</Badge>
        </>
      }
      actions={<span className="muted small">{sessionTitle}</span>}
    >
      <div className="grid-2">
        <section className="private" aria-label="Your private original">
          <h3>Private, only you read this</h3>
          <blockquote>{request.originalContentSummary}</blockquote>
        </section>
        <section className="crossing" aria-label="What the other would read">
          <TextArea
            label="What the other would read"
            value={wording}
            rows={4}
            onChange={event => setWording(event.target.value)}
            error={refused ? (screened.data?.description ?? 'This cannot be shared as it is.') : null}
            hint={statusOf(isEdited, screened)}
          />
        </section>
      </div>
      <div className="row card-actions">
        <Button
          kind="primary"
          busy={busy}
          disabled={wording.trim() === '' || refused || (isEdited && screened.data === undefined)}
          onClick={grant}
        >
          {isEdited ? 'Share my wording' : 'Share this'}
        </Button>
        <Button onClick={() => setDenying(true)}>Do not share</Button>
        {isEdited ? (
          <Button kind="quiet" onClick={() => setWording(request.transformedPreview)}>
            Undo my edit
          </Button>
        ) : null}
      </div>
      <ConfirmDialog
        open={denying}
        onOpenChange={setDenying}
        title="Do not share this?"
        description="1 request is closed. The other person reads 0 words of it and is not told that you were asked. You may be asked again later."
        confirm="Do not share"
        onConfirm={deny}
      />
    </Card>
  )
}

/** Asks the server what it thinks of a wording, a moment after the last key. */
function useScreening(session: string, consentRequestId: string, wording: string, isEdited: boolean) {
  const [settled, setSettled] = useState(wording)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(wording), 350)
    return () => clearTimeout(timer)
  }, [wording])
  const editedContent = useDeferredValue(settled.trim())
  const isCurrent = editedContent === wording.trim()
  const query = useQuery({
    queryKey: ['bridge', session, 'screen', consentRequestId, editedContent],
    queryFn: () => privity.bridge.screen({ session, consentRequestId, editedContent }),
    enabled: isEdited && editedContent !== '',
    staleTime: Number.POSITIVE_INFINITY,
  })
  return { data: isCurrent ? query.data : undefined, error: query.error }
}

function statusOf(isEdited: boolean, { data, error }: ReturnType<typeof useScreening>): string {
  if (!isEdited) return 'You can change every word before you share it.'
  if (error) return 'Your wording could not be checked. Try again in a moment.'
  if (data === undefined) return 'Checking your wording …'
  return data.shareable ? 'Your wording can be shared.' : 'Change it, then it can be shared.'
}
