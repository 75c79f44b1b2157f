import { useQuery } from '@tanstack/react-query'
import type { CommonGround, SharedNeed } from 'privity/client'
import { Link } from 'wouter'
import { Badge } from '../../components/badge'
import { Button } from '../../components/button'
import { Card } from '../../components/page'
import { QueryView } from '../../components/states'
import { privity } from '../../lib/api'
import { inWords } from '../../lib/format'
import { useAction } from '../../lib/use-action'

export const NEEDS = [
  { value: 'SAFETY', label: 'Safety' },
  { value: 'CONNECTION', label: 'Connection' },
  { value: 'AUTONOMY', label: 'Autonomy' },
  { value: 'RECOGNITION', label: 'Recognition' },
  { value: 'MEANING', label: 'Meaning' },
  { value: 'FAIRNESS', label: 'Fairness' },
] as const

/** Stage 3: which needs are somebody's, which both share, and what both confirm. */
export function NeedsTask({ session }: { readonly session: string }) {
  return (
    <>
      <OwnNeeds session={session} />
      <Ground session={session} />
    </>
  )
}

function OwnNeeds({ session }: { readonly session: string }) {
  const { act, busy } = useAction()
  const needs = useQuery({
    queryKey: ['vessel', session, 'needs'],
    queryFn: () => privity.vessel.list({ session, types: ['need'], limit: 100 }),
  })
  return (
    <Card title="Your needs">
      <QueryView
        query={needs}
        empty={{
          when: ({ items }) => items.length === 0,
          show: (
            <p className="muted">
              None yet. Write one under “Private notes”, as “Something I need”, then confirm it here.
            </p>
          ),
        }}
      >
        {({ items }) => (
          <div className="stack-tight">
            <p className="muted">
              Confirm what is truly yours. To share a need with the other, decide it in your{' '}
              <Link href="/inbox">inbox</Link>.
            </p>
            <ul aria-label="Your needs">
              {items.map(({ id, text, category, need, confirmed }) => (
                <li key={id} className="list-item row-between">
                  <div className="grow row">
                    {category === null ? null : <Badge tone="accent">{inWords(need ?? category)}</Badge>}
                    <span className="wrap-anywhere">{text}</span>
                  </div>
                  <Button
                    small
                    kind={confirmed ? 'plain' : 'primary'}
                    disabled={busy}
                    onClick={() =>
                      void act(() =>
                        privity.vessel.confirmNeeds({ session, needs: [id], confirmed: !confirmed }),
                      )
                    }
                  >
                    {confirmed ? 'Not mine after all' : 'This is mine'}
                  </Button>
                </li>
              ))}
            </ul>
          </div>
        )}
      </QueryView>
    </Card>
  )
}

const NeedList = ({ title, needs }: { readonly title: string; readonly needs: readonly SharedNeed[] }) => (
  <section className="stack-tight">
    <h3>{title}</h3>
    {needs.length === 0 ? <p className="muted">None shared yet.</p> : null}
    <ul className="stack-tight">
      {needs.map(({ id, text, category, need }) => (
        <li key={id} className="row">
          {category === null ? null : <Badge tone="accent">{inWords(need ?? category)}</Badge>}
          <span className="wrap-anywhere">{text}</span>
        </li>
      ))}
    </ul>
  </section>
)

function Ground({ session }: { readonly session: string }) {
  const { act, busy } = useAction()
  const compared = useQuery({
    queryKey: ['ground', session, 'compare'],
    queryFn: () => privity.commonGround.compare(session),
  })
  const stated = useQuery({
    queryKey: ['shared', session, 'ground'],
    queryFn: () => privity.shared.list({ session, types: ['common_ground'], limit: 50 }),
  })
  return (
    <Card title="Common ground">
      <div className="stack">
        <QueryView query={compared}>
          {({ ready, yours, theirs, inCommon }) =>
            ready ? (
              <div className="stack">
                <div className="grid-2">
                  <NeedList title="You shared" needs={yours} />
                  <NeedList title="The other shared" needs={theirs} />
                </div>
                {inCommon.length === 0 ? (
                  <p>You have no need in common yet.</p>
                ) : (
                  <p className="row">
                    You both need:
                    {inCommon.map(need => (
                      <Badge key={need} tone="good">
                        {inWords(need)}
                      </Badge>
                    ))}
                  </p>
                )}
                <div className="row">
                  <Button
                    kind="primary"
                    busy={busy}
                    onClick={() => void act(() => privity.commonGround.find(session))}
                  >
                    Name what we have in common
                  </Button>
                  <Button
                    disabled={busy}
                    onClick={() => void act(() => privity.commonGround.find(session, { none: true }))}
                  >
                    We have nothing in common yet
                  </Button>
                </div>
              </div>
            ) : (
              <p className="muted">
                Your needs and theirs appear side by side once both of you have shared some.
              </p>
            )
          }
        </QueryView>
        <QueryView query={stated}>
          {({ items }) => (
            <ul aria-label="Common ground">
              {items.map(item => (
                <li key={item.id} className="list-item row-between">
                  <span className="grow wrap-anywhere">{item.text}</span>
                  <Confirmation
                    item={item}
                    busy={busy}
                    onConfirm={() =>
                      void act(() => privity.commonGround.confirm({ session, commonGround: item.id }))
                    }
                  />
                </li>
              ))}
            </ul>
          )}
        </QueryView>
      </div>
    </Card>
  )
}

function Confirmation({
  item,
  busy,
  onConfirm,
}: {
  readonly item: Pick<CommonGround, 'confirmed' | 'confirmedByYou'>
  readonly busy: boolean
  readonly onConfirm: () => void
}) {
  if (item.confirmed) return <Badge tone="good">Both of you confirmed it</Badge>
  if (item.confirmedByYou) return <Badge>You confirmed it</Badge>
  return (
    <Button small kind="primary" disabled={busy} onClick={onConfirm}>
      Confirm
    </Button>
  )
}
