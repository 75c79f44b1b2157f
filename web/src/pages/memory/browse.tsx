import { useInfiniteQuery } from '@tanstack/react-query'
import { NotebookText } from 'lucide-react'
import { useCallback, useMemo } from 'react'
import { Button } from '../../components/button'
import { SelectField, TextField } from '../../components/field'
import { RecordLine } from '../../components/record-line'
import { EmptyState, QueryView } from '../../components/states'
import { VirtualList } from '../../components/virtual-list'
import { privity } from '../../lib/api'
import { kindInWords } from '../../lib/format'
import { useParams } from '../../lib/use-params'

export const KINDS = [
  'note',
  'episodic',
  'semantic',
  'plan_graph',
  'entity',
  'competence',
  'working',
  'document',
] as const

/** All records, newest first, as long as the list may be. */
export function Browse({ onAdd }: { readonly onAdd: () => void }) {
  const [params, change] = useParams()
  const kind = params.get('kind') ?? ''
  const tag = params.get('tag') ?? ''
  const person = params.get('person') ?? ''
  const order = params.get('order') === 'oldest' ? 'oldest' : 'newest'
  const isFiltered = kind !== '' || tag !== '' || person !== ''
  const records = useInfiniteQuery({
    queryKey: ['records', 'browse', kind, tag, person, order],
    initialPageParam: null as string | null,
    queryFn: ({ pageParam }) =>
      privity.list({
        limit: 100,
        order,
        asOf: 'any',
        ...(kind === '' ? {} : { kinds: [kind as never] }),
        ...(tag === '' ? {} : { tags: [tag] }),
        ...(person === '' ? {} : { people: [person] }),
        ...(pageParam === null ? {} : { cursor: pageParam }),
      }),
    getNextPageParam: page => page.cursor,
  })
  const { fetchNextPage, isFetchingNextPage, hasNextPage } = records
  const loadMore = useCallback(() => {
    if (!isFetchingNextPage) void fetchNextPage()
  }, [fetchNextPage, isFetchingNextPage])
  const all = useMemo(() => records.data?.pages.flatMap(page => page.records) ?? [], [records.data])
  return (
    <div className="stack">
      <div className="filters">
        <SelectField
          label="Kind"
          value={kind}
          onChange={event => change({ kind: event.target.value })}
          choices={[
            { value: '', label: 'All kinds' },
            ...KINDS.map(value => ({ value, label: kindInWords(value) })),
          ]}
        />
        <TextField label="Person" value={person} onChange={event => change({ person: event.target.value })} />
        <TextField label="Tag" value={tag} onChange={event => change({ tag: event.target.value })} />
        <SelectField
          label="Order"
          value={order}
          onChange={event => change({ order: event.target.value })}
          choices={[
            { value: 'newest', label: 'Newest first' },
            { value: 'oldest', label: 'Oldest first' },
          ]}
        />
      </div>
      <QueryView
        query={records}
        empty={{
          when: () => all.length === 0,
          show: isFiltered ? (
            <EmptyState
              title="Nothing matches these filters"
              action={
                <Button onClick={() => change({ kind: null, tag: null, person: null })}>
                  Remove the filters
                </Button>
              }
            />
          ) : (
            <EmptyState
              icon={<NotebookText size={28} aria-hidden />}
              title="Nothing is kept yet"
              action={
                <Button kind="primary" onClick={onAdd}>
                  Add a memory
                </Button>
              }
            >
              Write the first one, or drop files on the Import tab.
            </EmptyState>
          ),
        }}
      >
        {() => (
          <VirtualList
            label="Memories"
            items={all}
            keyOf={record => record.id}
            estimate={104}
            hasMore={hasNextPage}
            onEnd={loadMore}
            render={record => <RecordLine record={record} />}
          />
        )}
      </QueryView>
    </div>
  )
}
