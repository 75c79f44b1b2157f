import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { InputOf } from 'privity/client'
import { useState } from 'react'
import { Button } from '../../components/button'
import { Dialog } from '../../components/dialog'
import { CheckField, SelectField, TextField } from '../../components/field'
import { useToast } from '../../components/toast'
import { privity } from '../../lib/api'
import { EffectiveView } from './effective-view'
import { CEILINGS, SURFACES } from './link-words'

type NewView = InputOf<'views.create'>

interface ViewDialogProps {
  readonly onClose: () => void
  readonly onMade: (view: string) => void
}

/** The corpora that somebody has records in. */
export const useCorpora = () =>
  useQuery({
    queryKey: ['corpora'],
    queryFn: async () => {
      const { facets } = await privity.search('', { limit: 1, facets: ['corpus'] })
      return facets?.corpus?.map(({ value }) => String(value)) ?? []
    },
  })

/** Makes a view, and shows what a recipient would see before it is shared. */
export function ViewDialog({ onClose, onMade }: ViewDialogProps) {
  const [corpus, setCorpus] = useState('')
  const [name, setName] = useState('')
  const [ceiling, setCeiling] = useState<NonNullable<NewView['visibilityClassCeiling']>>('public_open')
  const [live, setLive] = useState(false)
  const [surfaces, setSurfaces] = useState<readonly string[]>(
    SURFACES.filter(({ byDefault }) => byDefault).map(({ value }) => value),
  )
  const [made, setMade] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)
  const client = useQueryClient()
  const toast = useToast()
  const corpora = useCorpora()
  const make = async () => {
    setBusy(true)
    try {
      // What is tried and not kept is deleted again, so that nothing is left of it.
      if (made !== null) await privity.views.delete(made)
      const { view } = await privity.views.create({
        corpus: corpus.trim(),
        ...(name.trim() === '' ? {} : { name: name.trim() }),
        visibilityClassCeiling: ceiling,
        viewTemporalMode: live ? 'live_view' : 'snapshot_at_share',
        exposedSurfaces: surfaces as NonNullable<NewView['exposedSurfaces']>,
      })
      setMade(view)
      await client.invalidateQueries({ queryKey: ['views'] })
    } catch (error) {
      toast.fail(error)
    } finally {
      setBusy(false)
    }
  }
  const keep = () => {
    if (made !== null) onMade(made)
    onClose()
  }
  const discard = async () => {
    if (made !== null) {
      await privity.views.delete(made).catch(toast.fail)
      await client.invalidateQueries({ queryKey: ['views'] })
    }
    onClose()
  }
  const toggle = (value: string) =>
    setSurfaces(now => (now.includes(value) ? now.filter(one => one !== value) : [...now, value]))
  return (
    <Dialog
      open
      wide
      onOpenChange={open => open || void discard()}
      title="Create a view"
      description="A view says what of one corpus may be seen. Preview it as its recipient before you share it."
      footer={
        <>
          <Button onClick={() => void discard()}>Cancel</Button>
          <Button busy={busy} disabled={corpus.trim() === '' || surfaces.length === 0} onClick={make}>
            {made === null ? 'Preview' : 'Preview again'}
          </Button>
          <Button kind="primary" disabled={made === null || busy} onClick={keep}>
            Save this view
          </Button>
        </>
      }
    >
      <div className="grid-2">
        <div className="stack">
          <TextField
            label="Corpus"
            list="corpora"
            value={corpus}
            onChange={event => setCorpus(event.target.value)}
            hint="The collection to share from."
          />
          <datalist id="corpora">
            {corpora.data?.map(value => (
              <option key={value} value={value} />
            ))}
          </datalist>
          <TextField
            label="Name"
            value={name}
            onChange={event => setName(event.target.value)}
            placeholder={corpus}
          />
          <SelectField
            label="Highest visibility class"
            hint="Records above it are not shown."
            choices={CEILINGS}
            value={ceiling}
            onChange={event => setCeiling(event.target.value as typeof ceiling)}
          />
          <fieldset className="plain stack-tight">
            <legend className="field-label">What is shown</legend>
            {SURFACES.map(({ value, label }) => (
              <CheckField
                key={value}
                label={label}
                checked={surfaces.includes(value)}
                onChange={() => toggle(value)}
              />
            ))}
          </fieldset>
          <CheckField
            label="Also show what is added later (live)"
            checked={live}
            onChange={() => setLive(now => !now)}
          />
        </div>
        <div className="stack">
          <h3>As the recipient</h3>
          {made === null ? (
            <p className="muted">Press “Preview” to see how many documents a recipient would see.</p>
          ) : (
            <EffectiveView views={[made]} names={new Map([[made, name || corpus]])} />
          )}
        </div>
      </div>
    </Dialog>
  )
}
