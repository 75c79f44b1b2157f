import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Badge } from '../../components/badge'
import { Button } from '../../components/button'
import { ConfirmDialog } from '../../components/dialog'
import { TextField } from '../../components/field'
import { Card } from '../../components/page'
import { RecordLine } from '../../components/record-line'
import { Time } from '../../components/time'
import { privity } from '../../lib/api'
import { count } from '../../lib/format'
import { useAction } from '../../lib/use-action'

/** Keeps a question under a name. */
export function SaveSearchDialog({
  query,
  onClose,
}: {
  readonly query: string
  readonly onClose: () => void
}) {
  const { act } = useAction()
  const [name, setName] = useState(query.slice(0, 100))
  return (
    <ConfirmDialog
      open
      onOpenChange={open => open || onClose()}
      title="Save this question"
      description="You find it on the Ask page, and can see there what is new since you last looked."
      confirm="Save"
      disabled={name.trim() === ''}
      onConfirm={async () => {
        await privity.searches.save({ name: name.trim(), query })
        await act(async () => {}, 'Saved.')
      }}
    >
      <TextField label="Name" value={name} onChange={event => setName(event.target.value)} />
    </ConfirmDialog>
  )
}

/** Questions that were saved, and what is new since somebody last looked. */
export function SavedSearches({ onAsk }: { readonly onAsk: (query: string) => void }) {
  const { act, busy } = useAction()
  const saved = useQuery({ queryKey: ['searches'], queryFn: () => privity.searches.list() })
  const [opened, setOpened] = useState<string | null>(null)
  if (saved.data === undefined || saved.data.searches.length === 0) return null
  return (
    <Card title="Saved questions">
      <ul aria-label="Saved questions">
        {saved.data.searches.map(({ id, name, question, checkedAt }) => {
          const query = typeof question.query === 'string' ? question.query : name
          return (
            <li key={id} className="list-item stack-tight">
              <div className="row-between">
                <div className="grow">
                  <button type="button" className="link-button" onClick={() => onAsk(query)}>
                    {name}
                  </button>
                  <p className="muted small">
                    {checkedAt === null ? (
                      'Not looked at yet'
                    ) : (
                      <>
                        Last looked at <Time at={checkedAt} />
                      </>
                    )}
                  </p>
                </div>
                <div className="row">
                  <Button small onClick={() => setOpened(opened === id ? null : id)}>
                    What is new?
                  </Button>
                  <Button
                    small
                    kind="quiet"
                    disabled={busy}
                    aria-label={`Delete the saved question ${name}`}
                    onClick={() =>
                      void act(() => privity.searches.delete(id), 'The saved question was deleted.')
                    }
                  >
                    Delete
                  </Button>
                </div>
              </div>
              {opened === id ? <NewSince search={id} /> : null}
            </li>
          )
        })}
      </ul>
    </Card>
  )
}

function NewSince({ search }: { readonly search: string }) {
  const changes = useQuery({
    queryKey: ['search-changes', search],
    queryFn: () => privity.searches.changes(search),
    // Looking moves the mark, so that it is not looked at again by itself.
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: false,
  })
  if (changes.data === undefined) return <p className="muted small">Looking …</p>
  const { added, changed } = changes.data
  if (added.length + changed.length === 0) return <p role="status">Nothing new.</p>
  return (
    <div className="stack-tight" role="status">
      <p className="row">
        <Badge tone="good">{count(added.length, 'new memory', 'new memories')}</Badge>
        {changed.length === 0 ? null : <Badge tone="accent">{changed.length} changed</Badge>}
      </p>
      {[...added, ...changed].slice(0, 10).map(record => (
        <RecordLine key={record.id} record={record} />
      ))}
    </div>
  )
}
