import { useQuery } from '@tanstack/react-query'
import type { Group } from 'privity/client'
import { useState } from 'react'
import { Badge } from '../../components/badge'
import { Button } from '../../components/button'
import { ConfirmDialog } from '../../components/dialog'
import { TextField } from '../../components/field'
import { Card } from '../../components/page'
import { privity } from '../../lib/api'
import { useWho } from '../../lib/session'
import { useAction } from '../../lib/use-action'

/** People who keep memories together: every member reads and writes what the group owns. */
export function GroupsCard() {
  const groups = useQuery({ queryKey: ['groups'], queryFn: () => privity.groups.list() })
  const { act } = useAction()
  const [creating, setCreating] = useState(false)
  const [name, setName] = useState('')
  if (groups.data === undefined) return null
  return (
    <Card
      title="Groups"
      actions={
        <Button small onClick={() => setCreating(true)}>
          Create a group
        </Button>
      }
    >
      {groups.data.groups.length === 0 ? (
        <p className="muted">
          None yet. Members of a group read and write its memories; they sign in under their own names.
        </p>
      ) : (
        <ul aria-label="Groups">
          {groups.data.groups.map(group => (
            <li key={group.id} className="list-item">
              <GroupLine group={group} />
            </li>
          ))}
        </ul>
      )}
      <ConfirmDialog
        open={creating}
        onOpenChange={setCreating}
        title="Create a group"
        description="You are its owner, and add its members."
        confirm="Create"
        disabled={name.trim() === ''}
        onConfirm={async () => {
          await privity.groups.create({ name: name.trim() })
          setName('')
          await act(async () => {}, 'The group was created.')
        }}
      >
        <TextField label="Name" value={name} onChange={event => setName(event.target.value)} />
      </ConfirmDialog>
    </Card>
  )
}

function GroupLine({ group }: { readonly group: Group }) {
  const { id, name, owner, members } = group
  const { actor } = useWho()
  const { act } = useAction()
  const [adding, setAdding] = useState(false)
  const [member, setMember] = useState('')
  const [removing, setRemoving] = useState<string | null>(null)
  const names = [...new Set(members.map(({ member }) => member))]
  return (
    <div className="row-between">
      <div className="grow stack-tight">
        <p className="row">
          <strong className="wrap-anywhere">{name}</strong>
          {owner === actor ? null : <span className="muted small">owned by {owner}</span>}
        </p>
        <ul className="row" aria-label={`Members of ${name}`}>
          {names.map(one => (
            <li key={one} className="row">
              <Badge tone="violet">{one}</Badge>
              {owner === actor && one !== actor ? (
                <Button
                  small
                  kind="quiet"
                  aria-label={`Remove ${one} from ${name}`}
                  onClick={() => setRemoving(one)}
                >
                  Remove
                </Button>
              ) : null}
            </li>
          ))}
        </ul>
      </div>
      {owner === actor ? (
        <Button small onClick={() => setAdding(true)} aria-label={`Add a member to ${name}`}>
          Add a member
        </Button>
      ) : null}
      <ConfirmDialog
        open={adding}
        onOpenChange={setAdding}
        title={`Add a member to ${name}`}
        description="They read and write every memory of the group from the next request on."
        confirm="Add"
        disabled={member.trim() === ''}
        onConfirm={async () => {
          await privity.groups.addMember({ group: id, member: member.trim() })
          setMember('')
          await act(async () => {}, 'Added.')
        }}
      >
        <TextField
          label="Member"
          hint="The name by which they sign in."
          value={member}
          onChange={event => setMember(event.target.value)}
        />
      </ConfirmDialog>
      {removing === null ? null : (
        <ConfirmDialog
          open
          onOpenChange={open => open || setRemoving(null)}
          title={`Remove ${removing} from ${name}?`}
          danger
          description={`1 member of ${names.length} leaves. They see none of the memories of the group from the next request on, also those that they wrote.`}
          confirm="Remove"
          onConfirm={async () => {
            await privity.groups.removeMember({ group: id, member: removing })
            await act(async () => {}, 'Removed.')
          }}
        />
      )}
    </div>
  )
}
