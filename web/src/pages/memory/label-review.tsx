import { useInfiniteQuery } from '@tanstack/react-query'
import type { LabelProposal } from 'privity/client'
import { useEffect } from 'react'
import { Link } from 'wouter'
import { SensitivityBadge } from '../../components/badge'
import { Button } from '../../components/button'
import { Highlighted } from '../../components/highlighted'
import { Card } from '../../components/page'
import { EmptyState, QueryView, Skeleton } from '../../components/states'
import { VirtualList } from '../../components/virtual-list'
import { privity } from '../../lib/api'
import { count, inWords } from '../../lib/format'
import { useAction } from '../../lib/use-action'
import { SENSITIVITIES } from '../../lib/viewers'

const levelOf = (sensitivity: string) => (SENSITIVITIES as readonly string[]).indexOf(sensitivity)
/** Labels are only ever raised here: a proposal may be about people alone. */
const isStricter = ({ sensitivity, current }: LabelProposal) => levelOf(sensitivity) > levelOf(current)

/** Memories whose text calls for a stricter label than they have. */
export function LabelReview() {
  const { act, busy } = useAction()
  const query = useInfiniteQuery({
    queryKey: ['labels', 'review'],
    queryFn: ({ pageParam }) =>
      privity.labels.review({ limit: 50, ...(pageParam ? { cursor: pageParam } : {}) }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ cursor }) => cursor,
  })
  const all = query.data?.pages.flatMap(({ proposals }) => proposals) ?? []
  const { hasNextPage, fetchNextPage, isFetching } = query
  // A page may hold nothing while more memories are left to look at.
  const looksFurther = all.length === 0 && hasNextPage
  useEffect(() => {
    if (looksFurther && !isFetching) void fetchNextPage()
  }, [looksFurther, isFetching, fetchNextPage])
  const accept = (proposal: LabelProposal) =>
    privity.relabel({
      record: proposal.record,
      ...(isStricter(proposal) ? { sensitivity: proposal.sensitivity } : {}),
      ...(proposal.participants.length === 0 ? {} : { addParticipants: proposal.participants }),
    })
  if (looksFurther) return <Skeleton lines={4} />
  return (
    <QueryView
      query={query}
      empty={{
        when: () => all.length === 0,
        show: (
          <EmptyState title="Every label fits its text">
            Texts about passwords, health, money, children and the like are compared with their sensitivity.
            What is labelled too low appears here.
          </EmptyState>
        ),
      }}
    >
      {() => (
        <Card
          title={`${count(all.length, 'memory', 'memories')}${hasNextPage ? ' and more' : ''} may need a stricter label`}
          actions={
            <Button
              small
              busy={busy}
              onClick={() =>
                void act(
                  async () => {
                    for (const proposal of all) await accept(proposal)
                  },
                  `${count(all.length, 'label was', 'labels were')} raised.`,
                )
              }
            >
              Raise {all.length === 1 ? 'it' : `all ${all.length}`}
            </Button>
          }
        >
          <VirtualList
            label="Proposed labels"
            items={all}
            keyOf={({ record }) => record}
            estimate={120}
            hasMore={hasNextPage}
            onEnd={() => void fetchNextPage()}
            render={proposal => (
              <div className="stack-tight">
                <p className="clamp-2 wrap-anywhere">
                  <Highlighted text={proposal.text} at={placesIn(proposal)} />
                </p>
                <div className="row-between">
                  <div className="row small">
                    <SensitivityBadge level={proposal.current} />
                    {isStricter(proposal) ? (
                      <>
                        <span aria-hidden>→</span>
                        <span className="visually-hidden">should be</span>
                        <SensitivityBadge level={proposal.sensitivity} />
                      </>
                    ) : null}
                    <span className="muted">{why(proposal)}</span>
                  </div>
                  <div className="row">
                    <Link href={`/memory/${proposal.record}`}>Open</Link>
                    <Button
                      small
                      kind="primary"
                      disabled={busy}
                      onClick={() => void act(() => accept(proposal), 'The label was raised.')}
                    >
                      Raise
                    </Button>
                  </div>
                </div>
              </div>
            )}
          />
        </Card>
      )}
    </QueryView>
  )
}

const placesIn = ({ text, reasons }: LabelProposal) =>
  reasons.filter(({ end }) => end <= text.length).map(({ start, end }) => [start, end] as const)

const why = ({ reasons, participants }: LabelProposal) =>
  [
    ...new Set(reasons.map(({ class: kind, what }) => `${inWords(kind)}: ${what}`)),
    ...(participants.length === 0 ? [] : [`names ${participants.join(', ')}`]),
  ].join('; ')
