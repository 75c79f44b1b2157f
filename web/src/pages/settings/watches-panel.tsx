import { useQuery } from '@tanstack/react-query'
import type { Binding } from 'privity/client'
import { useState } from 'react'
import { Badge } from '../../components/badge'
import { Button } from '../../components/button'
import { ConfirmDialog } from '../../components/dialog'
import { Card } from '../../components/page'
import { EmptyState, QueryView } from '../../components/states'
import { privity } from '../../lib/api'
import { count } from '../../lib/format'
import { useAction } from '../../lib/use-action'

/** Folders and feeds whose files become documents by themselves. */
export function WatchesPanel() {
  const query = useQuery({ queryKey: ['watches'], queryFn: () => privity.bindings.list() })
  return (
    <QueryView
      query={query}
      empty={{
        when: ({ bindings }) => bindings.length === 0,
        show: (
          <EmptyState title="Nothing is watched">
            A folder or feed that is watched brings its new files as documents. Add one on the machine that
            has it: <code>privity bindings add inbox ./inbox --corpus mail</code>, then{' '}
            <code>privity watch</code>.
          </EmptyState>
        ),
      }}
    >
      {({ bindings }) => (
        <Card title={count(bindings.length, 'watched folder or feed', 'watched folders and feeds')}>
          <ul aria-label="Watched">
            {bindings.map(binding => (
              <li key={binding.id} className="list-item">
                <Watch binding={binding} />
              </li>
            ))}
          </ul>
        </Card>
      )}
    </QueryView>
  )
}

function Watch({ binding }: { readonly binding: Binding }) {
  const { act, busy } = useAction()
  const [removing, setRemoving] = useState(false)
  const health = useQuery({
    queryKey: ['watches', binding.id, 'health'],
    queryFn: () => privity.bindings.health({ binding: binding.id }),
  })
  const isActive = binding.state === 'active'
  return (
    <div className="row-between">
      <div className="grow">
        <strong className="wrap-anywhere">{binding.name}</strong>
        <p className="muted small wrap-anywhere">
          {binding.location}, into {binding.corpus}
          {health.data === undefined
            ? ''
            : `. In ${health.data.windowDays} days it was read ${count(health.data.totalFires, 'time')}; ${health.data.confirmedCount} confirmed, ${health.data.rejectedCount} rejected, ${health.data.extractionFailedCount} not readable`}
        </p>
      </div>
      <div className="row">
        <Badge tone={isActive ? 'good' : 'warn'}>{isActive ? 'Active' : 'Paused'}</Badge>
        <Button
          small
          disabled={busy}
          onClick={() =>
            void act(() =>
              privity.bindings.setState({ binding: binding.id, state: isActive ? 'paused' : 'active' }),
            )
          }
        >
          {isActive ? 'Pause' : 'Resume'}
        </Button>
        <Button small kind="danger" onClick={() => setRemoving(true)}>
          Remove
        </Button>
      </div>
      <ConfirmDialog
        open={removing}
        onOpenChange={setRemoving}
        title={`Stop watching ${binding.name}?`}
        danger
        description="1 folder or feed is watched no more. 0 documents are deleted: what it brought stays."
        confirm="Stop watching"
        onConfirm={async () => {
          await privity.bindings.remove(binding.id)
          await act(async () => {}, 'It is no longer watched.')
        }}
      />
    </div>
  )
}
