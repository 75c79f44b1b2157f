import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import type { OutputOf } from 'privity/client'
import { useState } from 'react'
import { Link } from 'wouter'
import { Badge, type Tone } from '../../components/badge'
import { Button } from '../../components/button'
import { ConfirmDialog } from '../../components/dialog'
import { TextField } from '../../components/field'
import { Card } from '../../components/page'
import { EmptyState, QueryView } from '../../components/states'
import { Time } from '../../components/time'
import { useToast } from '../../components/toast'
import { VirtualList } from '../../components/virtual-list'
import { privity } from '../../lib/api'
import { formatBytes, inWords } from '../../lib/format'

type Upload = OutputOf<'uploads.list'>['uploads'][number]

const STATES: Readonly<Record<string, { label: string; tone: Tone }>> = {
  received: { label: 'Waiting', tone: 'accent' },
  quarantined: { label: 'In quarantine', tone: 'danger' },
  filed: { label: 'Filed', tone: 'good' },
  discarded: { label: 'Discarded', tone: 'plain' },
}

/** Files that recipients sent in. Each waits until it is filed as a document or discarded. */
export function UploadsPanel() {
  const [filing, setFiling] = useState<Upload | null>(null)
  const [discarding, setDiscarding] = useState<Upload | null>(null)
  const client = useQueryClient()
  const toast = useToast()
  const query = useInfiniteQuery({
    queryKey: ['uploads'],
    queryFn: ({ pageParam }) =>
      privity.uploads.list({ limit: 50, ...(pageParam ? { cursor: pageParam } : {}) }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ cursor }) => cursor,
  })
  const refresh = () => client.invalidateQueries({ queryKey: ['uploads'] })
  const release = (upload: string) => async () => {
    try {
      await privity.uploads.decide({ upload, decision: 'release' })
      await refresh()
    } catch (error) {
      toast.fail(error)
    }
  }
  return (
    <QueryView
      query={query}
      empty={{
        when: ({ pages }) => pages[0]?.uploads.length === 0,
        show: (
          <EmptyState title="Nobody has sent you a file">
            Files that recipients send by a link with uploads appear here, after their safety checks.
          </EmptyState>
        ),
      }}
    >
      {({ pages }) => (
        <Card>
          <VirtualList
            label="Received files"
            items={pages.flatMap(({ uploads }) => uploads)}
            keyOf={({ upload }) => upload}
            hasMore={query.hasNextPage}
            onEnd={() => void query.fetchNextPage()}
            estimate={72}
            render={one => {
              const state = STATES[one.state] ?? { label: inWords(one.state), tone: 'plain' as const }
              return (
                <div className="row-between">
                  <div className="grow">
                    <strong>{one.fileName}</strong> <Badge tone={state.tone}>{state.label}</Badge>{' '}
                    {[...(one.failure === null ? [] : [one.failure]), ...one.warnings]
                      .filter((warning, at, all) => all.indexOf(warning) === at)
                      .map(warning => (
                        <Badge key={warning} tone="warn">
                          {inWords(warning)}
                        </Badge>
                      ))}
                    <p className="muted small">
                      {formatBytes(one.size)}, {one.mediaType},{' '}
                      <Link href={`/shares/${one.link}`}>by this link</Link>, <Time at={one.createdAt} />
                    </p>
                    {one.message === '' ? null : <p className="small">{one.message}</p>}
                  </div>
                  <span className="row">
                    {one.state === 'received' ? (
                      <Button small kind="primary" onClick={() => setFiling(one)}>
                        File …
                      </Button>
                    ) : null}
                    {one.state === 'quarantined' ? (
                      <Button small onClick={release(one.upload)}>
                        Release
                      </Button>
                    ) : null}
                    {one.state === 'received' || one.state === 'quarantined' ? (
                      <Button small onClick={() => setDiscarding(one)}>
                        Discard …
                      </Button>
                    ) : null}
                  </span>
                </div>
              )
            }}
          />
          {filing === null ? null : (
            <FileDialog upload={filing} onDone={refresh} onClose={() => setFiling(null)} />
          )}
          {discarding === null ? null : (
            <ConfirmDialog
              open
              onOpenChange={open => open || setDiscarding(null)}
              title={`Discard “${discarding.fileName}”?`}
              description="The file is deleted. Its sender is not told."
              confirm="Discard"
              danger
              onConfirm={async () => {
                await privity.uploads.decide({ upload: discarding.upload, decision: 'discard' })
                await refresh()
              }}
            />
          )}
        </Card>
      )}
    </QueryView>
  )
}

interface FileProps {
  readonly upload: Upload
  readonly onDone: () => Promise<unknown>
  readonly onClose: () => void
}

function FileDialog({ upload, onDone, onClose }: FileProps) {
  const link = useQuery({ queryKey: ['links', upload.link], queryFn: () => privity.links.get(upload.link) })
  const [given, setCorpus] = useState<string | null>(null)
  const corpus = given ?? link.data?.fileRequest?.corpus ?? 'Received files'
  return (
    <ConfirmDialog
      open
      onOpenChange={open => open || onClose()}
      title={`File “${upload.fileName}”`}
      description="It becomes a document of yours. No recipient sees it unless you share it."
      confirm="File"
      disabled={corpus.trim() === ''}
      onConfirm={async () => {
        await privity.uploads.file({ upload: upload.upload, corpus: corpus.trim() })
        await onDone()
      }}
    >
      <TextField label="Corpus" value={corpus} onChange={({ target }) => setCorpus(target.value)} />
    </ConfirmDialog>
  )
}
