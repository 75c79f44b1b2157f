import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { ConfirmDialog } from '../../components/dialog'
import { CheckField, SelectField, TextField } from '../../components/field'
import { privity } from '../../lib/api'
import { CEILINGS } from '../shares/link-words'
import { useViews } from '../shares/views-panel'
import { type NewProfile, POLICY_KINDS } from './session-words'

const NUMBERS = [
  { field: 'maxQueriesPerHour', label: 'Searches an hour' },
  { field: 'maxDocumentViewsPerHour', label: 'Documents an hour' },
  { field: 'maxResultCount', label: 'Results a page' },
  { field: 'maxContextTokens', label: 'Tokens for a model' },
] as const
const ANY = { value: '', label: 'No limit of its own' }

/** Makes a draft of a session for whoever uses the caller's own key: it can only narrow. */
export function NewSessionDialog({ onClose }: { readonly onClose: () => void }) {
  const client = useQueryClient()
  const views = useViews()
  const policies = useQuery({ queryKey: ['session-policies'], queryFn: () => privity.profiles.policies() })
  const [numbers, setNumbers] = useState<Readonly<Record<string, string>>>({})
  const [refs, setRefs] = useState<Readonly<Record<string, string>>>({})
  const [ceiling, setCeiling] = useState('')
  const [ends, setEnds] = useState('')
  const [seenBy, setSeenBy] = useState<readonly string[]>([])
  const toggle = (view: string) =>
    setSeenBy(now => (now.includes(view) ? now.filter(one => one !== view) : [...now, view]))
  const written = policies.data?.policies ?? []
  return (
    <ConfirmDialog
      open
      onOpenChange={open => open || onClose()}
      title="Limit a session"
      description="A program that uses your key and names this session gets no more than it allows. It is a draft until you activate it."
      confirm="Save the draft"
      onConfirm={async () => {
        const chosen = (fields: Readonly<Record<string, string>>) =>
          Object.entries(fields).filter(([, value]) => value.trim() !== '')
        await privity.profiles.create({
          ...(Object.fromEntries(
            chosen(numbers).map(([field, value]) => [field, Number(value)]),
          ) as Partial<NewProfile>),
          ...(Object.fromEntries(chosen(refs)) as Partial<NewProfile>),
          ...(ceiling === ''
            ? {}
            : { visibilityClassCeiling: ceiling as (typeof CEILINGS)[number]['value'] }),
          ...(ends === '' ? {} : { expiresAt: new Date(ends).toISOString() }),
          sharedCorpusViewRefs: [...seenBy],
        })
        await client.invalidateQueries({ queryKey: ['profiles'] })
      }}
    >
      <div className="grid-2">
        {NUMBERS.map(({ field, label }) => (
          <TextField
            key={field}
            label={label}
            type="number"
            min={0}
            placeholder="No limit"
            value={numbers[field] ?? ''}
            onChange={event => setNumbers({ ...numbers, [field]: event.target.value })}
          />
        ))}
        <SelectField
          label="Highest visibility class"
          choices={[ANY, ...CEILINGS]}
          value={ceiling}
          onChange={event => setCeiling(event.target.value)}
        />
        <TextField
          label="Ends"
          type="datetime-local"
          value={ends}
          onChange={event => setEnds(event.target.value)}
        />
        {POLICY_KINDS.flatMap(({ kind, ref, label }) => {
          const choices = written.filter(policy => policy.kind === kind)
          return choices.length === 0
            ? []
            : [
                <SelectField
                  key={kind}
                  label={label}
                  choices={[ANY, ...choices.map(({ policy }) => ({ value: policy, label: policy }))]}
                  value={refs[ref] ?? ''}
                  onChange={event => setRefs({ ...refs, [ref]: event.target.value })}
                />,
              ]
        })}
      </div>
      {(views.data?.views ?? []).length === 0 ? null : (
        <fieldset className="stack-tight">
          <legend>Only what these views show</legend>
          {views.data?.views.map(({ view, name, corpus }) => (
            <CheckField
              key={view}
              label={`${name} (${corpus})`}
              checked={seenBy.includes(view)}
              onChange={() => toggle(view)}
            />
          ))}
        </fieldset>
      )}
    </ConfirmDialog>
  )
}
