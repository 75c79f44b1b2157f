import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Badge } from '../../components/badge'
import { Button } from '../../components/button'
import { ConfirmDialog } from '../../components/dialog'
import { QueryView } from '../../components/states'
import { Time } from '../../components/time'
import { useToast } from '../../components/toast'
import { privity } from '../../lib/api'
import { count, inWords } from '../../lib/format'

/** What somebody decided in one session, newest first, with a way to revoke. */
export function HistoryList({ session, partner }: { session: string; partner: readonly string[] }) {
  const history = useQuery({
    queryKey: ['bridge', session, 'history'],
    queryFn: () => privity.bridge.history(session),
  })
  const [revoking, setRevoking] = useState<string | null>(null)
  return (
    <QueryView
      query={history}
      empty={{
        when: ({ records }) => records.length === 0,
        show: <p className="muted">You have decided nothing here yet.</p>,
      }}
    >
      {({ records }) => (
        <>
          <ul aria-label="Decisions">
            {records.map(({ id, contentDescription, contentType, decision, decidedAt, revokedAt }) => (
              <li key={id} className="list-item row-between">
                <div className="grow">
                  <div className="row">
                    <strong>{contentDescription}</strong>
                    <Badge>{inWords(contentType)}</Badge>
                    {stateBadge(decision, revokedAt)}
                  </div>
                  <p className="muted small">
                    Decided <Time at={decidedAt} />
                    {revokedAt === null ? null : (
                      <>
                        , revoked <Time at={revokedAt} />
                      </>
                    )}
                  </p>
                </div>
                {decision === 'GRANTED' && revokedAt === null ? (
                  <Button small kind="danger" onClick={() => setRevoking(id)}>
                    Revoke …
                  </Button>
                ) : null}
              </li>
            ))}
          </ul>
          {revoking === null ? null : (
            <RevokeDialog
              session={session}
              consentRecord={revoking}
              partner={partner}
              onClose={() => setRevoking(null)}
            />
          )}
        </>
      )}
    </QueryView>
  )
}

function stateBadge(decision: string, revokedAt: string | null) {
  if (decision === 'DENIED') return <Badge>Not shared</Badge>
  return revokedAt === null ? <Badge tone="good">Shared</Badge> : <Badge tone="warn">Revoked</Badge>
}

interface RevokeProps {
  readonly session: string
  readonly consentRecord: string
  readonly partner: readonly string[]
  readonly onClose: () => void
}

/** Says what a revocation hides before it is made. */
function RevokeDialog({ session, consentRecord, partner, onClose }: RevokeProps) {
  const client = useQueryClient()
  const toast = useToast()
  const shared = useQuery({
    queryKey: ['shared', session],
    queryFn: () => privity.shared.list({ session, limit: 100 }),
  })
  const items = shared.data?.items ?? []
  const hidden = items.filter(item => item.consentRecordId === consentRecord)
  const ground = items.filter(({ type, confirmed }) => type === 'common_ground' && confirmed)
  const revoke = async () => {
    const { revokedAt } = await privity.bridge.revoke({ session, consentRecordId: consentRecord })
    toast.say(`Revoked. The other no longer reads it. (${new Date(revokedAt).toLocaleTimeString()})`)
    await Promise.all([
      client.invalidateQueries({ queryKey: ['bridge', session] }),
      client.invalidateQueries({ queryKey: ['shared', session] }),
    ])
  }
  return (
    <ConfirmDialog
      open
      onOpenChange={open => open || onClose()}
      title="Revoke this?"
      description={`${count(hidden.length, 'shared text')} disappears for ${partner.join(' and ')} at the next request. What they have read, they have read. They are told that something was taken back.`}
      confirm="Revoke"
      danger
      disabled={shared.data === undefined}
      onConfirm={revoke}
    >
      {hidden.map(({ id, text }) => (
        <blockquote key={id}>{text}</blockquote>
      ))}
      {ground.length === 0 ? null : (
        <p className="notice notice-warn">
          {count(ground.length, 'point')} of common ground {ground.length === 1 ? 'stands' : 'stand'} in this
          session. Those that rest on this text are hidden from both of you.
        </p>
      )}
    </ConfirmDialog>
  )
}
