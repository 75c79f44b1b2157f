import { useQueryClient } from '@tanstack/react-query'
import type { InputOf } from 'privity/client'
import { useState } from 'react'
import { ConfirmDialog } from '../../components/dialog'
import { CheckField, SelectField, TextArea, TextField } from '../../components/field'
import { privity } from '../../lib/api'
import type { ShareLink } from './link-words'

type Notices = NonNullable<InputOf<'links.change'>['notices']>
type HostEvent = NonNullable<Notices['events']>[number]

export const EVENTS: readonly { value: HostEvent; label: string }[] = [
  { value: 'opened', label: 'Somebody opens it' },
  { value: 'downloaded', label: 'Somebody downloads' },
  { value: 'uploaded', label: 'Somebody sends a file' },
  { value: 'refused', label: 'Somebody is not let in' },
  { value: 'locked', label: 'It is locked' },
  { value: 'full', label: 'It is full' },
]
const DIGESTS = [
  { value: 'none', label: 'Each at once' },
  { value: 'hourly', label: 'Once an hour' },
  { value: 'daily', label: 'Once a day' },
] as const

const toLocal = (iso: string | null) => {
  if (iso === null) return ''
  const at = new Date(iso)
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}
const listOf = (text: string) =>
  text
    .split(/[\s,;]+/)
    .map(one => one.trim())
    .filter(one => one !== '')

interface ChangeProps {
  readonly link: ShareLink
  readonly onClose: () => void
}

/** Changes a link that was handed out. Its address stays, and open sessions follow at their next request. */
export function ChangeLinkDialog({ link, onClose }: ChangeProps) {
  const [name, setName] = useState(link.name)
  const [expires, setExpires] = useState(toLocal(link.expiresAt))
  const [searches, setSearches] = useState(String(link.rateLimits.maxQueriesPerHour))
  const [views, setViews] = useState(String(link.rateLimits.maxDocumentViewsPerHour))
  const [sessions, setSessions] = useState(String(link.rateLimits.maxRecipientSessionsConcurrent))
  const [idle, setIdle] = useState(String(Math.round((link.sessionIdleSeconds ?? 3_600) / 60)))
  const [allow, setAllow] = useState(link.allowList.join('\n'))
  const [deny, setDeny] = useState(link.denyList.join('\n'))
  const [events, setEvents] = useState<readonly string[]>(link.notices.events)
  const [email, setEmail] = useState(link.notices.email ?? '')
  const [digest, setDigest] = useState(link.notices.digest)
  const client = useQueryClient()
  const byAddress = link.recipientIdentityMode === 'email_bound'
  return (
    <ConfirmDialog
      open
      onOpenChange={open => open || onClose()}
      title={`Change “${link.name}”`}
      description="The address of the link stays the same. Open sessions follow at their next request."
      confirm="Save"
      disabled={name.trim() === ''}
      onConfirm={async () => {
        await privity.links.change({
          link: link.link,
          name: name.trim(),
          expiresAt: expires === '' ? null : new Date(expires).toISOString(),
          rateLimits: {
            maxQueriesPerHour: Number(searches),
            maxDocumentViewsPerHour: Number(views),
            maxRecipientSessionsConcurrent: Number(sessions),
          },
          sessionIdleSeconds: Number(idle) * 60,
          ...(byAddress ? { allowList: listOf(allow), denyList: listOf(deny) } : {}),
          notices: {
            events: EVENTS.map(({ value }) => value).filter(value => events.includes(value)),
            email: email.trim() === '' ? null : email.trim(),
            digest: digest as NonNullable<Notices['digest']>,
          },
        })
        await client.invalidateQueries({ queryKey: ['links'] })
      }}
    >
      <TextField label="Name" value={name} onChange={({ target }) => setName(target.value)} />
      <TextField
        label="Expires"
        hint="Leave it empty for never."
        type="datetime-local"
        value={expires}
        onChange={({ target }) => setExpires(target.value)}
      />
      <TextField
        label="Searches an hour"
        type="number"
        min={0}
        value={searches}
        onChange={({ target }) => setSearches(target.value)}
      />
      <TextField
        label="Views an hour"
        type="number"
        min={0}
        value={views}
        onChange={({ target }) => setViews(target.value)}
      />
      <TextField
        label="Sessions at once"
        type="number"
        min={1}
        value={sessions}
        onChange={({ target }) => setSessions(target.value)}
      />
      <TextField
        label="Minutes without use until a session ends"
        type="number"
        min={1}
        value={idle}
        onChange={({ target }) => setIdle(target.value)}
      />
      {byAddress ? (
        <>
          <TextArea
            label="Addresses and domains that may open it"
            hint="One per line, such as clerk@court.example or @court.example."
            rows={3}
            value={allow}
            onChange={({ target }) => setAllow(target.value)}
          />
          <TextArea
            label="Addresses and domains that may not"
            rows={2}
            value={deny}
            onChange={({ target }) => setDeny(target.value)}
          />
        </>
      ) : null}
      <fieldset className="stack-tight">
        <legend>Tell me when</legend>
        {EVENTS.map(({ value, label }) => (
          <CheckField
            key={value}
            label={label}
            checked={events.includes(value)}
            onChange={({ target }) =>
              setEvents(target.checked ? [...events, value] : events.filter(one => one !== value))
            }
          />
        ))}
      </fieldset>
      <TextField
        label="Also by mail to"
        type="email"
        value={email}
        onChange={({ target }) => setEmail(target.value)}
      />
      <SelectField
        label="Mail"
        choices={DIGESTS}
        value={digest}
        onChange={({ target }) => setDigest(target.value)}
      />
    </ConfirmDialog>
  )
}
