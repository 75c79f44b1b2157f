import { useQuery } from '@tanstack/react-query'
import type { MemoryRecord, RecordVersion } from 'privity/client'
import { Link, useLocation } from 'wouter'
import { Badge, type Tone } from '../../components/badge'
import { Button } from '../../components/button'
import { Card } from '../../components/page'
import { QueryView } from '../../components/states'
import { privity } from '../../lib/api'
import { formatDateTime } from '../../lib/format'
import { useAction } from '../../lib/use-action'

const STATES: Readonly<Record<RecordVersion['lifecycle'], { tone: Tone; label: string }>> = {
  active: { tone: 'good', label: 'Current' },
  contested: { tone: 'warn', label: 'Contested' },
  superseded: { tone: 'plain', label: 'Replaced' },
  retracted: { tone: 'danger', label: 'Withdrawn' },
  stale: { tone: 'warn', label: 'Out of date' },
}

/** What a record said over time, newest first, with a way back. */
export function HistoryCard({ record }: { readonly record: MemoryRecord }) {
  const [, navigate] = useLocation()
  const { act, busy } = useAction()
  const history = useQuery({
    queryKey: ['record', record.id, 'history'],
    queryFn: () => privity.history(record.id),
    retry: false,
  })
  // Whoever only sees part of a record is told nothing of its versions.
  if (history.error && history.data === undefined) return null
  const restore = async (version: string) => {
    if (await act(() => privity.undo(version), 'That version holds again.')) navigate(`/memory/${version}`)
  }
  return (
    <Card title="History">
      <QueryView query={history}>
        {({ versions }) => (
          <ol className="stack" aria-label="Versions">
            {[...versions].reverse().map(({ record: version, lifecycle, endedAt }) => {
              const { tone, label } = STATES[lifecycle]
              return (
                <li key={version.id} className="list-item stack-tight">
                  <div className="row-between">
                    <div className="row">
                      <Badge tone={tone}>{label}</Badge>
                      <span className="muted small">
                        {formatDateTime(version.createdAt)}
                        {endedAt === null ? '' : ` to ${formatDateTime(endedAt)}`}
                      </span>
                    </div>
                    {lifecycle === 'active' || lifecycle === 'stale' ? null : (
                      <Button small disabled={busy} onClick={() => void restore(version.id)}>
                        {lifecycle === 'contested' ? 'No longer contested' : 'Restore'}
                      </Button>
                    )}
                  </div>
                  <p className="clamp-2 wrap-anywhere">
                    {version.id === record.id ? (
                      (version.payload?.text ?? '')
                    ) : (
                      <Link href={`/memory/${version.id}`}>{version.payload?.text ?? 'Open'}</Link>
                    )}
                  </p>
                </li>
              )
            })}
          </ol>
        )}
      </QueryView>
    </Card>
  )
}
