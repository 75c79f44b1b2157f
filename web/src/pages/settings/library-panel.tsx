import { useQuery } from '@tanstack/react-query'
import { Badge } from '../../components/badge'
import { Button } from '../../components/button'
import { Card } from '../../components/page'
import { EmptyState, QueryView } from '../../components/states'
import { Time } from '../../components/time'
import { privity } from '../../lib/api'
import { count, inWords } from '../../lib/format'
import { useAction } from '../../lib/use-action'

/** Contributions to the library of things to try, which wait for a host. */
export function LibraryPanel() {
  const { act, busy } = useAction()
  const query = useQuery({
    queryKey: ['library', 'waiting'],
    queryFn: () => privity.library.waiting({ limit: 50 }),
  })
  const review = (entry: string, decision: 'approve' | 'remove') =>
    act(
      () => privity.library.review({ entry, decision }),
      decision === 'approve' ? 'It is in the library.' : 'It was removed.',
    )
  return (
    <QueryView
      query={query}
      empty={{
        when: ({ entries }) => entries.length === 0,
        show: (
          <EmptyState title="No contribution waits">
            People in a mediation can offer what helped them to others, without their names. You decide here
            what becomes part of the library.
          </EmptyState>
        ),
      }}
    >
      {({ entries }) => (
        <Card title={`${count(entries.length, 'contribution')} to review`}>
          <ul aria-label="Contributions">
            {entries.map(({ id, title, text, needs, durationDays, optedInAt }) => (
              <li key={id} className="list-item row-between">
                <div className="grow stack-tight">
                  <strong className="wrap-anywhere">{title}</strong>
                  <p className="wrap-anywhere">{text}</p>
                  <p className="row small">
                    {needs.map(need => (
                      <Badge key={need} tone="accent">
                        {inWords(need)}
                      </Badge>
                    ))}
                    <span className="muted">
                      {count(durationDays, 'day')}, offered <Time at={optedInAt} />
                    </span>
                  </p>
                </div>
                <div className="row">
                  <Button small kind="primary" disabled={busy} onClick={() => void review(id, 'approve')}>
                    Approve
                  </Button>
                  <Button small kind="danger" disabled={busy} onClick={() => void review(id, 'remove')}>
                    Remove
                  </Button>
                </div>
              </li>
            ))}
          </ul>
        </Card>
      )}
    </QueryView>
  )
}
