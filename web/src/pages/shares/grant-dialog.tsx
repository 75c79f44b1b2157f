import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Button } from '../../components/button'
import { CopyBlock } from '../../components/copy-button'
import { Dialog } from '../../components/dialog'
import { CheckField, SelectField, TextField } from '../../components/field'
import { QueryView } from '../../components/states'
import { privity } from '../../lib/api'
import { describeFailure } from '../../lib/errors'
import { EffectiveView } from './effective-view'
import { IDENTITY_MODES, type IdentityMode } from './link-words'
import { ViewDialog } from './view-dialog'
import { useViews } from './views-panel'

/** Grants a link: which views, to whom, until when. The address is shown once. */
export function GrantDialog({ onClose }: { readonly onClose: () => void }) {
  const views = useViews()
  const client = useQueryClient()
  const [making, setMaking] = useState(false)
  const [chosen, setChosen] = useState<readonly string[]>([])
  const [name, setName] = useState('')
  const [mode, setMode] = useState<IdentityMode>('passcode_required')
  const [proof, setProof] = useState('')
  const [days, setDays] = useState('30')
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<string | null>(null)
  const [address, setAddress] = useState<string | null>(null)
  const toggle = (view: string) =>
    setChosen(now => (now.includes(view) ? now.filter(one => one !== view) : [...now, view]))
  const grant = async () => {
    setBusy(true)
    setFailure(null)
    try {
      const { token } = await privity.links.grant({
        views: [...chosen],
        ...(name.trim() === '' ? {} : { name: name.trim() }),
        recipientIdentityMode: mode,
        ...(mode === 'passcode_required' ? { passcode: proof } : {}),
        ...(mode === 'email_bound' ? { recipientEmail: proof } : {}),
        ...(days === '' ? {} : { expiresAt: new Date(Date.now() + Number(days) * 86_400_000).toISOString() }),
      })
      setAddress(`${location.origin}/share#${token}`)
      await client.invalidateQueries({ queryKey: ['links'] })
      await client.invalidateQueries({ queryKey: ['views'] })
    } catch (error) {
      const { title, advice } = describeFailure(error)
      setFailure(`${title} ${advice}`)
    } finally {
      setBusy(false)
    }
  }
  if (making) return <ViewDialog onClose={() => setMaking(false)} onMade={view => setChosen([view])} />
  if (address !== null)
    return (
      <Dialog
        open
        onOpenChange={open => open || onClose()}
        title="Your link"
        description="Copy it now. It is shown this once and stored nowhere."
        footer={
          <Button kind="primary" onClick={onClose}>
            Done
          </Button>
        }
      >
        <CopyBlock label="Send this address" text={address} />
        {mode === 'passcode_required' ? (
          <p className="muted">Tell the passcode in another way, such as by phone.</p>
        ) : null}
      </Dialog>
    )
  const needsProof = mode === 'passcode_required' || mode === 'email_bound'
  return (
    <Dialog
      open
      wide
      onOpenChange={open => open || onClose()}
      title="Share by a link"
      description="The recipient searches, reads and downloads what the chosen views show, and nothing else."
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            kind="primary"
            busy={busy}
            disabled={chosen.length === 0 || (needsProof && proof === '')}
            onClick={grant}
          >
            Create the link
          </Button>
        </>
      }
    >
      <div className="grid-2">
        <div className="stack">
          <fieldset className="plain stack-tight">
            <legend className="field-label">Views</legend>
            <QueryView query={views}>
              {({ views }) => (
                <>
                  {views.map(({ view, name, corpus }) => (
                    <CheckField
                      key={view}
                      checked={chosen.includes(view)}
                      onChange={() => toggle(view)}
                      label={name === corpus ? name : `${name} (${corpus})`}
                    />
                  ))}
                  <div>
                    <Button small onClick={() => setMaking(true)}>
                      Create a view
                    </Button>
                  </div>
                </>
              )}
            </QueryView>
          </fieldset>
          <TextField label="Name of the link" value={name} onChange={event => setName(event.target.value)} />
          <SelectField
            label="For whom"
            choices={IDENTITY_MODES}
            value={mode}
            onChange={event => setMode(event.target.value as IdentityMode)}
          />
          {mode === 'passcode_required' ? (
            <TextField
              label="Passcode"
              hint="At least 8 characters. Five wrong ones lock the link for 15 minutes."
              value={proof}
              onChange={event => setProof(event.target.value)}
            />
          ) : null}
          {mode === 'email_bound' ? (
            <TextField
              label="Email address"
              type="email"
              hint="A code of eight digits is sent to it each time."
              value={proof}
              onChange={event => setProof(event.target.value)}
            />
          ) : null}
          <TextField
            label="Days until it expires"
            type="number"
            min={1}
            hint="Empty: it does not expire."
            value={days}
            onChange={event => setDays(event.target.value)}
          />
          {failure === null ? null : (
            <p className="notice notice-danger" role="alert">
              {failure}
            </p>
          )}
        </div>
        <div className="stack">
          <h3>As the recipient</h3>
          <EffectiveView
            views={chosen}
            names={new Map(views.data?.views.map(({ view, name }) => [view, name]) ?? [])}
          />
        </div>
      </div>
    </Dialog>
  )
}
