import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Badge } from '../../components/badge'
import { Button } from '../../components/button'
import { ConfirmDialog } from '../../components/dialog'
import { CheckField } from '../../components/field'
import { Card } from '../../components/page'
import { EmptyState, QueryView } from '../../components/states'
import { Time } from '../../components/time'
import { privity } from '../../lib/api'
import { EffectiveView } from './effective-view'
import { settingInWords } from './link-words'
import { ViewDialog } from './view-dialog'

export const useViews = () =>
  useQuery({ queryKey: ['views', 'all'], queryFn: () => privity.views.list({ limit: 100 }) })

/** Views of corpora, and what those that are chosen show together. */
export function ViewsPanel() {
  const query = useViews()
  const client = useQueryClient()
  const [chosen, setChosen] = useState<readonly string[]>([])
  const [making, setMaking] = useState(false)
  const [deleting, setDeleting] = useState<{ view: string; name: string } | null>(null)
  const toggle = (view: string) =>
    setChosen(now => (now.includes(view) ? now.filter(one => one !== view) : [...now, view]))
  const make = <Button onClick={() => setMaking(true)}>Create a view</Button>
  return (
    <>
      <QueryView
        query={query}
        empty={{
          when: ({ views }) => views.length === 0,
          show: (
            <EmptyState title="No views yet" action={make}>
              A view says what of a corpus may be seen. Links hand views to people.
            </EmptyState>
          ),
        }}
      >
        {({ views }) => (
          <div className="grid-2">
            <Card title="Views" actions={make}>
              <ul aria-label="Views">
                {views.map(
                  ({ view, name, corpus, visibilityClassCeiling, viewTemporalMode, sharedAt, createdAt }) => (
                    <li key={view} className="list-item row-between">
                      <CheckField
                        checked={chosen.includes(view)}
                        onChange={() => toggle(view)}
                        label={
                          <>
                            <strong>{name}</strong> <Badge>{corpus}</Badge>
                            <span className="muted small block">
                              {settingInWords(visibilityClassCeiling)},{' '}
                              {settingInWords(viewTemporalMode).toLowerCase()}.{' '}
                              {sharedAt === null ? 'Not shared yet, made' : 'First shared'}{' '}
                              <Time at={sharedAt ?? createdAt} />
                            </span>
                          </>
                        }
                      />
                      <Button small kind="quiet" onClick={() => setDeleting({ view, name })}>
                        Delete …
                      </Button>
                    </li>
                  ),
                )}
              </ul>
            </Card>
            <Card title={chosen.length > 1 ? 'What they show together' : 'What it shows'}>
              <EffectiveView views={chosen} names={new Map(views.map(({ view, name }) => [view, name]))} />
            </Card>
          </div>
        )}
      </QueryView>
      {making ? <ViewDialog onClose={() => setMaking(false)} onMade={view => setChosen([view])} /> : null}
      {deleting === null ? null : (
        <ConfirmDialog
          open
          onOpenChange={open => open || setDeleting(null)}
          title={`Delete “${deleting.name}”?`}
          description="1 view is deleted. Links that use it show no more of its corpus: their recipients find 0 documents there from the next request on."
          confirm="Delete"
          danger
          onConfirm={async () => {
            await privity.views.delete(deleting.view)
            setChosen(now => now.filter(one => one !== deleting.view))
            await client.invalidateQueries({ queryKey: ['views'] })
          }}
        />
      )}
    </>
  )
}
