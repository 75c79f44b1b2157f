import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { Button } from '../../components/button'
import { ConfirmDialog } from '../../components/dialog'
import { TextField } from '../../components/field'
import { titleOf } from '../../components/record-line'
import { QueryView } from '../../components/states'
import { useToast } from '../../components/toast'
import { privity } from '../../lib/api'
import { count } from '../../lib/format'
import { Falling } from './forget-dialog'

const MOST_NAMED = 8

/** Finds what to forget by a person or by words, shows it, and deletes exactly that. */
export function ForgetAboutDialog({ onClose }: { readonly onClose: () => void }) {
  const client = useQueryClient()
  const toast = useToast()
  const [person, setPerson] = useState('')
  const [words, setWords] = useState('')
  const [asked, setAsked] = useState<{ people?: string[]; about?: string } | null>(null)
  const found = useQuery({
    queryKey: ['forget-candidates', asked],
    queryFn: () => privity.forgetCandidates(asked ?? {}),
    enabled: asked !== null,
    staleTime: 0,
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setAsked({
      ...(person.trim() === '' ? {} : { people: [person.trim()] }),
      ...(words.trim() === '' ? {} : { about: words.trim() }),
    })
  }
  const records = asked === null ? [] : (found.data?.records ?? [])
  return (
    <ConfirmDialog
      open
      onOpenChange={open => open || onClose()}
      title="Forget what is about …"
      danger
      description="Find memories by a person or by words. You see what would be deleted before anything is."
      confirm={records.length === 0 ? 'Delete' : `Delete ${count(records.length, 'memory', 'memories')}`}
      disabled={records.length === 0}
      onConfirm={async () => {
        await privity.forget(records)
        toast.say(`${count(records.length, 'memory was', 'memories were')} deleted.`)
        await client.invalidateQueries()
      }}
    >
      <form className="stack-tight" onSubmit={submit}>
        <TextField label="Person" value={person} onChange={event => setPerson(event.target.value)} />
        <TextField
          label="Words"
          hint="Memories that match these words."
          value={words}
          onChange={event => setWords(event.target.value)}
        />
        <div className="row">
          <Button type="submit" disabled={person.trim() === '' && words.trim() === ''}>
            Find
          </Button>
        </div>
      </form>
      {asked === null ? null : (
        <QueryView query={found}>
          {({ found: memories, records: ids, complete, derived, derivedCount, derivedComplete }) =>
            ids.length === 0 ? (
              <p role="status">No memory of yours matches.</p>
            ) : (
              <div className="stack" role="status">
                <div className="stack-tight">
                  <p>
                    <strong>{count(ids.length, 'memory', 'memories')}</strong>{' '}
                    {complete ? 'found:' : 'found so far; delete these, then look again:'}
                  </p>
                  <ul className="falls">
                    {memories.slice(0, MOST_NAMED).map(one => (
                      <li key={one.id}>{titleOf(one)}</li>
                    ))}
                    {ids.length > MOST_NAMED ? (
                      <li className="muted">and {ids.length - MOST_NAMED} more</li>
                    ) : null}
                  </ul>
                </div>
                <Falling records={derived} total={derivedCount} complete={derivedComplete} />
              </div>
            )
          }
        </QueryView>
      )}
    </ConfirmDialog>
  )
}
