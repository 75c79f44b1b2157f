import { useQuery } from '@tanstack/react-query'
import type { LabelsPolicyOutput } from 'privity/client'
import { useState } from 'react'
import { Button } from '../../components/button'
import { CheckField, SelectField } from '../../components/field'
import { Card } from '../../components/page'
import { QueryView } from '../../components/states'
import { privity } from '../../lib/api'
import { inWords } from '../../lib/format'
import { useAction } from '../../lib/use-action'
import { SENSITIVITIES } from '../../lib/viewers'

const CLASSES = [
  { value: 'credentials', label: 'Passwords, PINs and keys', usual: 'hyper' },
  { value: 'health', label: 'Health', usual: 'high' },
  { value: 'money', label: 'Money', usual: 'high' },
  { value: 'intimate', label: 'Intimate life', usual: 'high' },
  { value: 'minors', label: 'Children', usual: 'high' },
  { value: 'legal', label: 'Legal matters', usual: 'high' },
  { value: 'contact', label: 'Addresses, phone and identity numbers', usual: 'medium' },
] as const

/** What happens when a new memory says something that calls for a stricter label. */
export function LabelsPanel() {
  const policy = useQuery({ queryKey: ['labels', 'policy'], queryFn: () => privity.labels.policy() })
  return (
    <QueryView query={policy}>{found => <PolicyForm key={JSON.stringify(found)} policy={found} />}</QueryView>
  )
}

function PolicyForm({ policy }: { readonly policy: LabelsPolicyOutput }) {
  const { act, busy } = useAction()
  const [raises, setRaises] = useState(policy.mode === 'raise')
  const [people, setPeople] = useState(policy.people)
  const [classes, setClasses] = useState(policy.classes)
  return (
    <Card title="Labels of new memories">
      <div className="stack">
        <p className="muted">
          Every new text is read on this server, without a model. A memory never gets a lower label than its
          text calls for; its owner can lower it afterwards.
        </p>
        <CheckField
          label="Raise the sensitivity of new memories by what they say"
          checked={raises}
          onChange={event => setRaises(event.target.checked)}
        />
        <CheckField
          label="Add known people whom a text names, so that their consent counts"
          checked={people}
          disabled={!raises}
          onChange={event => setPeople(event.target.checked)}
        />
        <div className="grid-2">
          {CLASSES.map(({ value, label, usual }) => {
            const set = classes[value]
            return (
              <SelectField
                key={value}
                label={label}
                disabled={!raises}
                value={set === undefined ? '' : (set ?? 'off')}
                onChange={event => {
                  const { [value]: _, ...others } = classes
                  const chosen = event.target.value
                  setClasses(
                    chosen === ''
                      ? others
                      : { ...others, [value]: chosen === 'off' ? null : (chosen as never) },
                  )
                }}
                choices={[
                  { value: '', label: `Default (${usual})` },
                  ...SENSITIVITIES.slice(1).map(one => ({
                    value: one,
                    label: `At least ${inWords(one).toLowerCase()}`,
                  })),
                  { value: 'off', label: 'Leave it alone' },
                ]}
              />
            )
          })}
        </div>
        <div className="row">
          <Button
            kind="primary"
            busy={busy}
            onClick={() =>
              void act(
                () => privity.labels.setPolicy({ mode: raises ? 'raise' : 'off', classes, people }),
                'Saved. It applies to what is written from now on.',
              )
            }
          >
            Save
          </Button>
        </div>
      </div>
    </Card>
  )
}
