import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Button } from '../../components/button'
import { Dialog } from '../../components/dialog'
import { CheckField, TextField } from '../../components/field'
import { QueryView } from '../../components/states'
import { privity } from '../../lib/api'
import { describeFailure } from '../../lib/errors'
import { EffectiveView } from './effective-view'
import { NewLinkDialog } from './new-link-dialog'
import { DEFAULT_TERMS, isWhole, RecipientFields, termsToGrant } from './recipient-fields'
import { ViewDialog } from './view-dialog'
import { useViews } from './views-panel'

/** Grants a link: which views, to whom, until when. The address is shown once. */
export function GrantDialog({ onClose }: { readonly onClose: () => void }) {
  const views = useViews()
  const client = useQueryClient()
  const [making, setMaking] = useState(false)
  const [chosen, setChosen] = useState<readonly string[]>([])
  const [name, setName] = useState('')
  const [terms, setTerms] = useState(DEFAULT_TERMS)
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
        ...termsToGrant(terms),
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
  if (address !== null) return <NewLinkDialog address={address} terms={terms} onClose={onClose} />
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
            disabled={chosen.length === 0 || !isWhole(terms)}
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
          <RecipientFields terms={terms} onChange={setTerms} />
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
