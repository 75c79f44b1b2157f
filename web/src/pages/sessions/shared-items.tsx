import { useQuery } from '@tanstack/react-query'
import { Badge } from '../../components/badge'
import { Card } from '../../components/page'
import { EmptyState, QueryView } from '../../components/states'
import { Time } from '../../components/time'
import { privity } from '../../lib/api'
import { inWords } from '../../lib/format'

const TYPES = {
  consented_content: 'Shared text',
  common_ground: 'Common ground',
  empathy_attempt: 'Empathy text',
  agreement: 'Agreement',
  micro_experiment: 'Something to try',
} as const

const FROM = { you: 'From you', partner: 'From the other', session: 'From both' } as const

/** What is shared in a session, as far as this person may see it. */
export function SharedItems({ session }: { readonly session: string }) {
  const query = useQuery({
    queryKey: ['shared', session],
    queryFn: () => privity.shared.list({ session, limit: 100 }),
  })
  return (
    <QueryView
      query={query}
      empty={{
        when: ({ items }) => items.length === 0,
        show: (
          <EmptyState title="Nothing is shared yet">
            From stage 2 on, each of you decides in the inbox what the other may read.
          </EmptyState>
        ),
      }}
    >
      {({ items }) => (
        <Card>
          <ul aria-label="Shared texts">
            {items.map(
              ({ id, type, text, source, createdAt, consentActive, status, confirmed, hasStaleInputs }) => (
                <li key={id} className="list-item stack-tight">
                  <div className="row">
                    {source === null ? null : (
                      <Badge tone={source === 'you' ? 'accent' : 'violet'}>{FROM[source]}</Badge>
                    )}
                    <Badge>{TYPES[type]}</Badge>
                    {consentActive === false ? <Badge tone="warn">Revoked</Badge> : null}
                    {status === null ? null : <Badge tone="good">{inWords(status)}</Badge>}
                    {confirmed ? <Badge tone="good">Confirmed</Badge> : null}
                    {hasStaleInputs ? (
                      <Badge tone="warn">Rests on something that was taken back</Badge>
                    ) : null}
                    <span className="muted small">
                      <Time at={createdAt} />
                    </span>
                  </div>
                  <p>{text ?? <span className="muted">Hidden</span>}</p>
                </li>
              ),
            )}
          </ul>
        </Card>
      )}
    </QueryView>
  )
}
