import { useQuery } from '@tanstack/react-query'
import { Badge, type Tone } from '../../components/badge'
import { Card } from '../../components/page'
import { EmptyState, QueryView } from '../../components/states'
import { Time } from '../../components/time'
import { privity } from '../../lib/api'
import { count, inWords } from '../../lib/format'

const TONES: Readonly<Record<string, Tone>> = {
  sent: 'good',
  waiting: 'accent',
  rejected: 'danger',
  failed: 'danger',
  expired: 'warn',
}
const PURPOSES: Readonly<Record<string, string>> = {
  code: 'One-time code',
  recall: 'Request to delete copies',
  notice: 'Notice to you',
}

/** Whether the mail of a link was delivered. What it says, and to whom, is not kept. */
export function LinkMail({ link }: { readonly link: string }) {
  const query = useQuery({
    queryKey: ['links', link, 'mail'],
    queryFn: () => privity.mail.list({ link, limit: 100 }),
  })
  return (
    <QueryView
      query={query}
      empty={{
        when: ({ mails }) => mails.length === 0,
        show: <EmptyState title="No mail was sent for this link">Codes and requests appear here.</EmptyState>,
      }}
    >
      {({ mails }) => (
        <Card>
          <ul aria-label="Mail">
            {mails.map(({ mail, purpose, state, attempts, createdAt, nextAttemptAt, lastFailure }) => (
              <li key={mail} className="list-item row-between">
                <span>
                  <strong>{PURPOSES[purpose] ?? inWords(purpose)}</strong>
                  <span className="muted small">
                    {' '}
                    <Time at={createdAt} />, {count(attempts, 'attempt')}
                    {lastFailure === null ? '' : `, ${inWords(lastFailure)}`}
                    {nextAttemptAt === null || attempts === 0 ? '' : ', tried again later'}
                  </span>
                </span>
                <Badge tone={TONES[state] ?? 'plain'}>{inWords(state)}</Badge>
              </li>
            ))}
          </ul>
        </Card>
      )}
    </QueryView>
  )
}
