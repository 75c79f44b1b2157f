import { useInfiniteQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { Button } from '../../components/button'
import { Card } from '../../components/page'
import { EmptyState, QueryView } from '../../components/states'
import { privity } from '../../lib/api'

/** How much is shown before the place that was asked for. */
const BEFORE = 600

/** The text of a document, opened where a passage was found. */
export function DocumentText({
  id,
  text: whole,
  from,
  to,
}: {
  readonly id: string
  /** The text of the record itself. A document that was written and not taken in from a file has only this. */
  readonly text: string | null
  readonly from: number
  readonly to: number
}) {
  const place = useRef<HTMLElement>(null)
  const start = Math.max(0, from - BEFORE)
  const text = useInfiniteQuery({
    queryKey: ['document', id, start],
    initialPageParam: start,
    queryFn: ({ pageParam }) => privity.documents.read(id, { from: pageParam }),
    getNextPageParam: page => page?.next ?? undefined,
  })
  const loaded = text.data !== undefined
  useEffect(() => {
    if (loaded && to > from) place.current?.scrollIntoView({ block: 'center' })
  }, [loaded, from, to])
  return (
    <Card title="Text">
      <QueryView
        query={text}
        empty={{
          when: ({ pages }) => pages.every(page => page === null || page.segments.length === 0),
          show:
            whole === null ? (
              <EmptyState title="You cannot see its text">
                Only that the document exists is shown to you.
              </EmptyState>
            ) : (
              <p className="record-text wrap-anywhere">{whole}</p>
            ),
        }}
      >
        {({ pages }) => (
          <div className="stack">
            {pages
              .flatMap(page => page?.segments ?? [])
              .map(segment => {
                const at = Math.max(0, from - segment.start)
                const end = Math.min(segment.text.length, to - segment.start)
                const marked = to > from && at < segment.text.length && end > 0
                return (
                  <section
                    key={segment.id}
                    aria-label={segment.page === null ? undefined : `Page ${segment.page}`}
                  >
                    {segment.page === null ? null : <p className="muted small">Page {segment.page}</p>}
                    <p className="record-text wrap-anywhere">
                      {marked ? (
                        <>
                          {segment.text.slice(0, at)}
                          <mark ref={place}>{segment.text.slice(at, end)}</mark>
                          {segment.text.slice(end)}
                        </>
                      ) : (
                        segment.text
                      )}
                    </p>
                  </section>
                )
              })}
            {text.hasNextPage ? (
              <Button busy={text.isFetchingNextPage} onClick={() => void text.fetchNextPage()}>
                Read on
              </Button>
            ) : null}
          </div>
        )}
      </QueryView>
    </Card>
  )
}
