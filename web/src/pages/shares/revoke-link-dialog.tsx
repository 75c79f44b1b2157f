import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { InputOf } from 'privity/client'
import { useState } from 'react'
import { ConfirmDialog } from '../../components/dialog'
import { CheckField, SelectField, TextField } from '../../components/field'
import { useToast } from '../../components/toast'
import { privity } from '../../lib/api'
import { count } from '../../lib/format'
import type { ShareLink } from './link-words'

type Disposition = NonNullable<InputOf<'links.revoke'>['activeSessionDisposition']>

const DISPOSITIONS: readonly { value: Disposition; label: string }[] = [
  { value: 'terminate_immediately', label: 'End at once' },
  { value: 'terminate_after_grace', label: 'End after 5 minutes' },
  { value: 'allow_session_complete', label: 'May run until they expire' },
]

interface RevokeProps {
  readonly link: ShareLink
  readonly onClose: () => void
}

/** Says what a revocation ends and what it cannot, before it is made. */
export function RevokeLinkDialog({ link, onClose }: RevokeProps) {
  const [reason, setReason] = useState('')
  const [disposition, setDisposition] = useState<Disposition>('terminate_immediately')
  const [recall, setRecall] = useState(false)
  const client = useQueryClient()
  const toast = useToast()
  const log = useQuery({
    queryKey: ['links', link.link, 'totals'],
    queryFn: () => privity.links.accessLog({ link: link.link, limit: 1 }),
  })
  const sessions = useQuery({
    queryKey: ['profiles', link.link],
    queryFn: () => privity.profiles.list({ link: link.link, limit: 100 }),
  })
  const active = sessions.data?.profiles.filter(({ profileState }) => profileState === 'active').length
  const totals = log.data?.totals
  const known = active !== undefined && totals !== undefined
  return (
    <ConfirmDialog
      open
      onOpenChange={open => open || onClose()}
      title={`Revoke “${link.name}”?`}
      description={
        known
          ? `The link stops working at once. ${active === 0 ? 'No session is' : active === 1 ? '1 session is' : `${count(active, 'session')} are`} active now. ${totals.downloads === 0 ? 'Nothing was downloaded.' : `${count(totals.downloads, 'download')} cannot be taken back.`}`
          : 'Counting sessions and downloads …'
      }
      confirm="Revoke"
      danger
      disabled={!known || reason.trim() === ''}
      onConfirm={async () => {
        const { message } = await privity.links.revoke({
          link: link.link,
          reason: reason.trim(),
          activeSessionDisposition: disposition,
          downloadedCopiesDisposition: recall ? 'best_effort_recall_request' : 'no_recall_attempt',
        })
        toast.say(message)
        await client.invalidateQueries({ queryKey: ['links'] })
      }}
    >
      <TextField
        label="Reason"
        hint="It is kept with the link."
        value={reason}
        onChange={event => setReason(event.target.value)}
      />
      {active === undefined || active === 0 ? null : (
        <SelectField
          label={count(active, 'active session')}
          choices={DISPOSITIONS}
          value={disposition}
          onChange={event => setDisposition(event.target.value as Disposition)}
        />
      )}
      {(totals?.downloads ?? 0) > 0 ? (
        <CheckField
          label="Ask the recipient by mail to delete downloaded copies"
          checked={recall}
          onChange={() => setRecall(now => !now)}
        />
      ) : null}
    </ConfirmDialog>
  )
}
