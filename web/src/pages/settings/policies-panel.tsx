import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { OutputOf } from 'privity/client'
import { useState } from 'react'
import { Badge } from '../../components/badge'
import { Button } from '../../components/button'
import { ConfirmDialog } from '../../components/dialog'
import { SelectField, TextArea, TextField } from '../../components/field'
import { Card } from '../../components/page'
import { EmptyState, QueryView } from '../../components/states'
import { privity } from '../../lib/api'
import { count } from '../../lib/format'

type Policy = OutputOf<'policies.list'>['policies'][number]

const MODES = [
  { value: 'deny_all_except', label: 'Deny everything except the allowed' },
  { value: 'allow_all_except', label: 'Allow everything except the denied' },
] as const

const nameOf = (pattern: Policy['allowedCapabilities'][number]) =>
  pattern.kind === 'exact'
    ? pattern.capability
    : pattern.kind === 'prefix_wildcard'
      ? `${pattern.prefix}*`
      : `${pattern.namespace}.*`

/** Capability policies: what a key may do at all. */
export function PoliciesPanel() {
  const query = useQuery({ queryKey: ['policies'], queryFn: () => privity.policies.list() })
  const [editing, setEditing] = useState(false)
  const add = (
    <Button kind="primary" onClick={() => setEditing(true)}>
      Write a policy
    </Button>
  )
  return (
    <>
      <QueryView
        query={query}
        empty={{
          when: ({ policies }) => policies.length === 0,
          show: (
            <EmptyState title="No policies of your own" action={add}>
              Each kind of caller has a built-in policy. Write one to allow a key less.
            </EmptyState>
          ),
        }}
      >
        {({ policies }) => (
          <Card title="Policies" actions={add}>
            <ul aria-label="Policies">
              {policies.map(({ policy, mode, allowedCapabilities, deniedCapabilities, parentRef }) => (
                <li key={policy} className="list-item stack-tight">
                  <div className="row">
                    <strong>{policy}</strong>
                    <span className="muted small">
                      {MODES.find(({ value }) => value === mode)?.label ?? 'As its parent'}
                      {parentRef === null ? '' : `, inherits from ${parentRef}`}
                    </span>
                  </div>
                  <div className="row">
                    {allowedCapabilities.map(one => (
                      <Badge key={nameOf(one)} tone="good">
                        {nameOf(one)}
                      </Badge>
                    ))}
                    {deniedCapabilities.map(one => (
                      <Badge key={nameOf(one)} tone="danger">
                        not {nameOf(one)}
                      </Badge>
                    ))}
                  </div>
                </li>
              ))}
            </ul>
          </Card>
        )}
      </QueryView>
      {editing ? (
        <PolicyDialog onClose={() => setEditing(false)} policies={query.data?.policies ?? []} />
      ) : null}
    </>
  )
}

function PolicyDialog({ onClose, policies }: { onClose: () => void; policies: readonly Policy[] }) {
  const client = useQueryClient()
  const keys = useQuery({ queryKey: ['keys', 'first'], queryFn: () => privity.keys.list({ limit: 200 }) })
  const [name, setName] = useState('')
  const [mode, setMode] = useState<(typeof MODES)[number]['value']>('deny_all_except')
  const [text, setText] = useState('memory.search\nmemory.get')
  const lines = text
    .split('\n')
    .map(line => line.trim())
    .filter(Boolean)
  const affected = keys.data?.keys.filter(key => key.policy === name.trim() && key.revokedAt === null).length
  const exists = policies.some(({ policy }) => policy === name.trim())
  return (
    <ConfirmDialog
      open
      onOpenChange={open => open || onClose()}
      title="Write a policy"
      description={
        exists
          ? `This replaces the policy of that name. ${affected === undefined ? 'Keys' : count(affected, 'key')} under it change at the next request.`
          : '0 keys are under it yet. Choose it when you make a key.'
      }
      confirm={exists ? 'Replace' : 'Save'}
      disabled={name.trim() === '' || lines.length === 0}
      onConfirm={async () => {
        const patterns = lines.map(line =>
          line.endsWith('*')
            ? ({ kind: 'prefix_wildcard', prefix: line.slice(0, -1) } as const)
            : ({ kind: 'exact', capability: line } as const),
        )
        await privity.policies.set({
          policy: name.trim(),
          mode,
          ...(mode === 'deny_all_except'
            ? { allowedCapabilities: patterns }
            : { deniedCapabilities: patterns }),
        })
        await client.invalidateQueries({ queryKey: ['policies'] })
      }}
    >
      <TextField label="Name" value={name} onChange={event => setName(event.target.value)} />
      <SelectField
        label="Rule"
        choices={MODES}
        value={mode}
        onChange={event => setMode(event.target.value as typeof mode)}
      />
      <TextArea
        label={mode === 'deny_all_except' ? 'Allowed operations' : 'Denied operations'}
        hint="One a line. memory.* stands for all that begin so."
        value={text}
        onChange={event => setText(event.target.value)}
      />
    </ConfirmDialog>
  )
}
