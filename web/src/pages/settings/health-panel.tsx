import { useQuery, useQueryClient } from '@tanstack/react-query'
import { PrivityError } from 'privity/client'
import { useState } from 'react'
import { Badge, type Tone } from '../../components/badge'
import { Button } from '../../components/button'
import { ConfirmDialog } from '../../components/dialog'
import { Card } from '../../components/page'
import { QueryView } from '../../components/states'
import { useToast } from '../../components/toast'
import { privity } from '../../lib/api'
import { inWords } from '../../lib/format'

interface Health {
  readonly status: string
  readonly checks: readonly { readonly name: string; readonly status: string; readonly message?: string }[]
}

const TONES: Readonly<Record<string, Tone>> = { ready: 'good', warning: 'warn', failing: 'danger' }

const SAYS: Readonly<Record<string, string>> = {
  store: 'The database answers.',
  audit: 'Audit entries can be written. Without them nothing is answered.',
  disk: 'There is room on the disk.',
  embedding: 'Providers of vectors answer; what waits is embedded in the background.',
}

/** Whether the server can answer: store, audit, disk, providers; and the index. */
export function HealthPanel() {
  const [rebuilding, setRebuilding] = useState(false)
  const client = useQueryClient()
  const toast = useToast()
  const query = useQuery({ queryKey: ['health'], queryFn: readHealth, refetchInterval: 10_000 })
  return (
    <div className="stack">
      <QueryView query={query}>
        {health => (
          <Card
            title={health.status === 'ready' ? 'Everything works' : 'Something needs attention'}
            actions={<Badge tone={TONES[health.status] ?? 'plain'}>{inWords(health.status)}</Badge>}
          >
            <ul aria-label="Checks">
              {health.checks.map(({ name, status, message }) => (
                <li key={name} className="list-item row-between">
                  <div className="grow">
                    <strong>{inWords(name)}</strong>
                    <p className="muted small">{message ?? SAYS[name] ?? ''}</p>
                  </div>
                  <Badge tone={TONES[status] ?? 'plain'}>{inWords(status)}</Badge>
                </li>
              ))}
            </ul>
          </Card>
        )}
      </QueryView>
      <Card title="Search index" actions={<Button onClick={() => setRebuilding(true)}>Rebuild …</Button>}>
        <p className="muted">
          The index follows every change by itself. Rebuild it if search results look wrong after a restore.
        </p>
      </Card>
      <ConfirmDialog
        open={rebuilding}
        onOpenChange={setRebuilding}
        title="Rebuild your index?"
        description="The index of 1 owner, you, is made again from the stored records. 0 records change. Searches are slower until it is done."
        confirm="Rebuild"
        onConfirm={async () => {
          await privity.index.rebuild()
          toast.say('The index was rebuilt.')
          await client.invalidateQueries()
        }}
      />
    </div>
  )
}

async function readHealth(): Promise<Health> {
  try {
    // It answers with 503 while something fails, and says what.
    return (await (await fetch('/readyz')).json()) as Health
  } catch (cause) {
    throw new PrivityError('unavailable', 'the server could not be reached', { cause })
  }
}
