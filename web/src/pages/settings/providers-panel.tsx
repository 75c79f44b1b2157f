import { useMutation } from '@tanstack/react-query'
import { Badge, type Tone } from '../../components/badge'
import { Button } from '../../components/button'
import { Card } from '../../components/page'
import { EmptyState, ErrorState, Skeleton } from '../../components/states'
import { privity } from '../../lib/api'
import { count, formatDuration } from '../../lib/format'

const STATES: Readonly<Record<string, { tone: Tone; label: string; says: string }>> = {
  used: { tone: 'good', label: 'Works', says: 'It took part in the search.' },
  partial: { tone: 'accent', label: 'Catching up', says: 'It works, and some records still wait for it.' },
  not_understood: { tone: 'good', label: 'Works', says: 'It answered; the test words meant nothing to it.' },
  timeout: {
    tone: 'warn',
    label: 'Too slow',
    says: 'It did not answer in time. Search goes on by keywords.',
  },
  unavailable: {
    tone: 'danger',
    label: 'Unavailable',
    says: 'It cannot be reached. Search goes on by keywords.',
  },
}

/** Embedding providers, tested with a real search by meaning. */
export function ProvidersPanel() {
  const test = useMutation({
    mutationFn: async () => {
      const started = performance.now()
      const { receipt } = await privity.search('a walk in the garden', { mode: 'vector', limit: 1 })
      return { meaning: receipt.meaning, ms: performance.now() - started }
    },
  })
  return (
    <Card
      title="Embedding providers"
      actions={
        <Button kind="primary" busy={test.isPending} onClick={() => test.mutate()}>
          Test
        </Button>
      }
    >
      {test.isPending ? <Skeleton lines={2} /> : null}
      {test.error ? <ErrorState error={test.error} onRetry={() => test.mutate()} /> : null}
      {test.data === undefined && !test.isPending && !test.error ? (
        <p className="muted">
          The test searches your memories by meaning once, with every provider of this server, and tells how
          each did.
        </p>
      ) : null}
      {test.data === undefined || test.isPending ? null : test.data.meaning.length === 0 ? (
        <EmptyState title="No provider is set up">Search works by keywords only.</EmptyState>
      ) : (
        <div className="stack-tight" role="status">
          <p className="muted small">The search took {formatDuration(test.data.ms)}.</p>
          <ul aria-label="Providers">
            {test.data.meaning.map(({ model, state, waiting }) => {
              const { tone, label, says } = STATES[state] ?? {
                tone: 'plain' as const,
                label: state,
                says: '',
              }
              return (
                <li key={model} className="list-item row-between">
                  <div className="grow">
                    <strong className="wrap-anywhere">{model}</strong>
                    <p className="muted small">
                      {says} {waiting > 0 ? `${count(waiting, 'record')} of yours wait.` : ''}
                    </p>
                  </div>
                  <Badge tone={tone}>{label}</Badge>
                </li>
              )
            })}
          </ul>
        </div>
      )}
    </Card>
  )
}
