import type { Person } from 'privity/client'
import { useState } from 'react'
import { Button } from '../../components/button'
import { ConfirmDialog, Dialog } from '../../components/dialog'
import { TextField } from '../../components/field'
import { privity } from '../../lib/api'
import { useAction } from '../../lib/use-action'
import { listOf } from '../memory/label-dialog'

interface PersonProps {
  readonly person: Person
  /** How many memories there are with them, in words. */
  readonly memories: string
  readonly onClose: () => void
}

/** Renames a person, changes their other names, makes one of those a person again, or forgets them. */
export function PersonDialog({ person, memories, onClose }: PersonProps) {
  const { act, busy } = useAction()
  const [name, setName] = useState(person.name)
  const [aliases, setAliases] = useState(person.aliases.join(', '))
  const [removing, setRemoving] = useState(false)
  const save = async () => {
    const wanted = listOf(aliases)
    const added = wanted.filter(one => !person.aliases.includes(one))
    const removed = person.aliases.filter(one => !wanted.includes(one))
    const done = await act(
      () =>
        privity.people.update({
          person: person.id,
          ...(name.trim() === person.name ? {} : { name: name.trim() }),
          ...(added.length === 0 ? {} : { addAliases: added }),
          ...(removed.length === 0 ? {} : { removeAliases: removed }),
        }),
      'Saved.',
    )
    if (done) onClose()
  }
  if (removing)
    return (
      <ConfirmDialog
        open
        onOpenChange={open => open || onClose()}
        title={`Remove ${person.name}?`}
        danger
        description={`Their names and their consent are deleted. You keep ${memories}, and agents are told none of them until you add the person again and they agree.`}
        confirm="Remove"
        onConfirm={async () => {
          await privity.people.remove({ person: person.id })
          await act(async () => {}, `${person.name} was removed.`)
        }}
      />
    )
  return (
    <Dialog
      open
      onOpenChange={open => open || onClose()}
      title={person.name}
      footer={
        <>
          <Button kind="danger" onClick={() => setRemoving(true)}>
            Remove …
          </Button>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" busy={busy} disabled={name.trim() === ''} onClick={() => void save()}>
            Save
          </Button>
        </>
      }
    >
      <TextField label="Name" value={name} onChange={event => setName(event.target.value)} />
      <TextField
        label="Other names"
        hint="Separated by commas. Each of them stands for this person."
        value={aliases}
        onChange={event => setAliases(event.target.value)}
      />
      {person.aliases.length === 0 ? null : (
        <div className="stack-tight">
          <p className="muted small">
            Were two people merged by mistake? Make one of the names a person again:
          </p>
          <div className="row">
            {person.aliases.map(alias => (
              <Button
                key={alias}
                small
                disabled={busy}
                onClick={() =>
                  void act(() => privity.people.split({ person: alias }), `${alias} is a person again.`).then(
                    done => done && onClose(),
                  )
                }
              >
                Split off {alias}
              </Button>
            ))}
          </div>
        </div>
      )}
    </Dialog>
  )
}
