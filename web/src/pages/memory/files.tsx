import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { FileText } from 'lucide-react'
import type { DocumentsSourcesOutput, FileState } from 'privity/client'
import { useState } from 'react'
import { Link } from 'wouter'
import { Badge, type Tone } from '../../components/badge'
import { Button } from '../../components/button'
import { ConfirmDialog } from '../../components/dialog'
import { SelectField } from '../../components/field'
import { Card } from '../../components/page'
import { EmptyState, QueryView } from '../../components/states'
import { Time } from '../../components/time'
import { VirtualList } from '../../components/virtual-list'
import { privity } from '../../lib/api'
import { formatBytes, inWords } from '../../lib/format'

type Source = DocumentsSourcesOutput['sources'][number]

const STATES: Readonly<Record<FileState, { tone: Tone; label: string; says: string }>> = {
  extracting: { tone: 'accent', label: 'Being read', says: 'It can be searched once it is read.' },
  complete: { tone: 'good', label: 'Read', says: 'All of it can be searched.' },
  partial: { tone: 'warn', label: 'Read in part', says: 'Some of it could not be read.' },
  needs_ocr: {
    tone: 'warn',
    label: 'Pictures of text',
    says: 'It has pages without text. Text recognition is not set up.',
  },
  failed: { tone: 'danger', label: 'Not read', says: 'Nothing of it can be searched.' },
}

/** Every file that was taken in, and whether it could be read. */
export function Files() {
  const client = useQueryClient()
  const [state, setState] = useState<FileState | ''>('')
  const [removing, setRemoving] = useState<Source | null>(null)
  const query = useInfiniteQuery({
    queryKey: ['files', state],
    queryFn: ({ pageParam }) =>
      privity.documents.sources({
        limit: 100,
        ...(state === '' ? {} : { state }),
        ...(pageParam ? { cursor: pageParam } : {}),
      }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ cursor }) => cursor,
  })
  const all = query.data?.pages.flatMap(({ sources }) => sources) ?? []
  return (
    <div className="stack">
      <div className="filter-one">
        <SelectField
          label="State"
          value={state}
          onChange={event => setState(event.target.value as typeof state)}
          choices={[
            { value: '', label: 'All files' },
            ...Object.entries(STATES).map(([value, { label }]) => ({ value, label })),
          ]}
        />
      </div>
      <QueryView
        query={query}
        empty={{
          when: () => all.length === 0,
          show: (
            <EmptyState
              icon={<FileText size={28} aria-hidden />}
              title={state === '' ? 'No files yet' : 'No file is in this state'}
            >
              {state === '' ? 'Drop some on the Import tab.' : 'Choose another state.'}
            </EmptyState>
          ),
        }}
      >
        {() => (
          <Card>
            <VirtualList
              label="Files"
              items={all}
              keyOf={({ source }) => source}
              hasMore={query.hasNextPage}
              onEnd={() => void query.fetchNextPage()}
              render={file => (
                <div className="row-between">
                  <div className="grow">
                    <strong className="wrap-anywhere">
                      {file.card === null ? (
                        file.document
                      ) : (
                        <Link href={`/memory/${file.card}`}>{file.document}</Link>
                      )}
                    </strong>
                    <p className="muted small">
                      {file.corpus}, {formatBytes(file.size)}
                      {file.version > 1 ? `, version ${file.version}` : ''}, <Time at={file.createdAt} />
                      {file.problem === null ? '' : `. ${inWords(file.problem)}`}
                    </p>
                  </div>
                  <div className="row">
                    <Badge tone={STATES[file.state].tone} title={STATES[file.state].says}>
                      {STATES[file.state].label}
                    </Badge>
                    <Button
                      small
                      kind="danger"
                      aria-label={`Remove ${file.document}`}
                      onClick={() => setRemoving(file)}
                    >
                      Remove
                    </Button>
                  </div>
                </div>
              )}
            />
          </Card>
        )}
      </QueryView>
      {removing === null ? null : (
        <ConfirmDialog
          open
          onOpenChange={open => open || setRemoving(null)}
          title={`Remove ${removing.document}?`}
          danger
          description={`1 document of ${removing.corpus} is deleted with ${formatBytes(removing.size)} of original, all its versions and passages, and everything that was made from it. This cannot be undone.`}
          confirm="Remove"
          onConfirm={async () => {
            await privity.documents.remove({ document: removing.document, owner: removing.owner })
            await client.invalidateQueries()
          }}
        />
      )}
    </div>
  )
}
