import { useQuery, useQueryClient } from '@tanstack/react-query'
import { KeyRound } from 'lucide-react'
import type { OutputOf } from 'privity/client'
import { useState } from 'react'
import { Button } from '../../components/button'
import { ConfirmDialog } from '../../components/dialog'
import { TextField } from '../../components/field'
import { Card } from '../../components/page'
import { EmptyState, QueryView } from '../../components/states'
import { Time } from '../../components/time'
import { VirtualList } from '../../components/virtual-list'
import { privity } from '../../lib/api'
import { count } from '../../lib/format'
import { useParams } from '../../lib/use-params'
import { TargetFields, TargetName, targetOf, trimmed, useExtent } from './target'

type Grant = OutputOf<'grants.list'>['grants'][number]

/** Who may see what is restricted to people with a grant. */
export function GrantsPanel() {
  const [params, change] = useParams()
  const record = params.get('record')
  const query = useQuery({ queryKey: ['grants'], queryFn: () => privity.grants.list() })
  const groups = useQuery({ queryKey: ['groups'], queryFn: () => privity.groups.list(), staleTime: 60_000 })
  const [adding, setAdding] = useState(record !== null)
  const [revoking, setRevoking] = useState<Grant | null>(null)
  const nameOf = (grantee: string) =>
    groups.data?.groups.find(({ principal }) => principal === grantee)?.name ?? grantee
  const add = (
    <Button kind="primary" onClick={() => setAdding(true)}>
      Grant access
    </Button>
  )
  return (
    <>
      <QueryView
        query={query}
        empty={{
          when: ({ grants }) => grants.length === 0,
          show: (
            <EmptyState icon={<KeyRound size={28} aria-hidden />} title="No grants yet" action={add}>
              A grant lets a person or a group see what is restricted to “Only with a grant”. It lifts nothing
              else.
            </EmptyState>
          ),
        }}
      >
        {({ grants }) => (
          <Card title={count(grants.length, 'grant')} actions={add}>
            <VirtualList
              label="Grants"
              items={grants}
              keyOf={({ id }) => id}
              render={grant => (
                <div className="row-between">
                  <div className="grow">
                    <strong className="wrap-anywhere">{nameOf(grant.grantee)}</strong>
                    <p className="muted small">
                      may see <TargetName target={grant.target} />. Granted <Time at={grant.createdAt} />.
                    </p>
                  </div>
                  <Button small onClick={() => setRevoking(grant)}>
                    Revoke …
                  </Button>
                </div>
              )}
            />
          </Card>
        )}
      </QueryView>
      {adding ? (
        <GrantAccessDialog
          record={record}
          groups={groups.data?.groups ?? []}
          onClose={() => {
            setAdding(false)
            change({ record: null })
          }}
        />
      ) : null}
      {revoking === null ? null : (
        <RevokeGrantDialog
          grant={revoking}
          name={nameOf(revoking.grantee)}
          onClose={() => setRevoking(null)}
        />
      )}
    </>
  )
}

function GrantAccessDialog({
  record,
  groups,
  onClose,
}: {
  readonly record: string | null
  readonly groups: OutputOf<'groups.list'>['groups']
  readonly onClose: () => void
}) {
  const client = useQueryClient()
  const [target, setTarget] = useState(targetOf(record))
  const [grantee, setGrantee] = useState('')
  const extent = useExtent(target)
  const principal = groups.find(({ name }) => name === grantee.trim())?.principal ?? grantee.trim()
  return (
    <ConfirmDialog
      open
      onOpenChange={open => open || onClose()}
      title="Grant access"
      description={extent ?? 'Say who may see what. It holds from the next request on.'}
      confirm="Grant"
      disabled={target.ref.trim() === '' || principal === ''}
      onConfirm={async () => {
        await privity.grants.add({ grantee: principal, target: trimmed(target) })
        await client.invalidateQueries()
      }}
    >
      <TextField
        label="Who"
        hint={`The name of a person${groups.length === 0 ? '' : `, or of a group: ${groups.map(({ name }) => name).join(', ')}`}.`}
        value={grantee}
        onChange={event => setGrantee(event.target.value)}
      />
      <TargetFields target={target} onChange={setTarget} />
    </ConfirmDialog>
  )
}

function RevokeGrantDialog({
  grant,
  name,
  onClose,
}: {
  readonly grant: Grant
  readonly name: string
  readonly onClose: () => void
}) {
  const client = useQueryClient()
  return (
    <ConfirmDialog
      open
      onOpenChange={open => open || onClose()}
      title={`Revoke the grant of ${name}?`}
      description="1 grant ends from the next request on. What it let them see disappears for them, unless another grant lets them in."
      confirm="Revoke"
      danger
      onConfirm={async () => {
        await privity.grants.revoke({ grant: grant.id })
        await client.invalidateQueries()
      }}
    />
  )
}
