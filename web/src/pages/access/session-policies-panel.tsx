import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Button } from '../../components/button'
import { ConfirmDialog } from '../../components/dialog'
import { SelectField, TextField } from '../../components/field'
import { Card } from '../../components/page'
import { EmptyState, QueryView } from '../../components/states'
import { Time } from '../../components/time'
import { privity } from '../../lib/api'
import {
  POLICY_KINDS,
  type PolicyKind,
  policyInWords,
  policyLabel,
  type SessionPolicy,
} from './session-words'

/** The policies that sessions and links refer to by name. */
export function SessionPoliciesPanel() {
  const query = useQuery({ queryKey: ['session-policies'], queryFn: () => privity.profiles.policies() })
  const [writing, setWriting] = useState(false)
  const add = (
    <Button kind="primary" onClick={() => setWriting(true)}>
      Write a session policy
    </Button>
  )
  return (
    <>
      <QueryView
        query={query}
        empty={{
          when: ({ policies }) => policies.length === 0,
          show: (
            <EmptyState title="No session policies yet" action={add}>
              A session policy has a name that sessions and links refer to, for example “read only”. It can
              only narrow what they may do.
            </EmptyState>
          ),
        }}
      >
        {({ policies }) => (
          <Card title="Session policies" actions={add}>
            <ul aria-label="Session policies">
              {policies.map(policy => (
                <li key={`${policy.kind} ${policy.policy}`} className="list-item stack-tight">
                  <strong className="wrap-anywhere">{policy.policy}</strong>
                  <p className="muted small">
                    {policyLabel(policy.kind)}: {policyInWords(policy)}. Written{' '}
                    <Time at={policy.createdAt} />.
                  </p>
                </li>
              ))}
            </ul>
          </Card>
        )}
      </QueryView>
      {writing ? (
        <PolicyDialog policies={query.data?.policies ?? []} onClose={() => setWriting(false)} />
      ) : null}
    </>
  )
}

function PolicyDialog({
  policies,
  onClose,
}: {
  readonly policies: readonly SessionPolicy[]
  readonly onClose: () => void
}) {
  const client = useQueryClient()
  const [name, setName] = useState('')
  const [about, setAbout] = useState<PolicyKind>(POLICY_KINDS[0])
  const [value, setValue] = useState<string>(POLICY_KINDS[0].choices[0].value)
  const { kind, field, choices } = about
  const exists = policies.some(policy => policy.kind === kind && policy.policy === name.trim())
  return (
    <ConfirmDialog
      open
      onOpenChange={open => open || onClose()}
      title="Write a session policy"
      description={
        exists
          ? 'This replaces 1 policy of that name. Sessions and links that refer to it change at the next request.'
          : 'No session refers to it yet. Choose it when you limit a session, or name it in a link.'
      }
      confirm={exists ? 'Replace' : 'Save'}
      disabled={name.trim() === ''}
      onConfirm={async () => {
        await privity.profiles.setPolicy({ kind, policy: name.trim(), settings: { [field]: value } })
        await client.invalidateQueries()
      }}
    >
      <TextField
        label="Name"
        placeholder="read only"
        value={name}
        onChange={event => setName(event.target.value)}
      />
      <SelectField
        label="About"
        choices={POLICY_KINDS.map(({ kind, label }) => ({ value: kind, label }))}
        value={kind}
        onChange={event => {
          const chosen = POLICY_KINDS.find(one => one.kind === event.target.value) ?? POLICY_KINDS[0]
          setAbout(chosen)
          setValue(chosen.choices[0].value)
        }}
      />
      <SelectField
        label="Rule"
        choices={choices}
        value={value}
        onChange={event => setValue(event.target.value)}
      />
    </ConfirmDialog>
  )
}
