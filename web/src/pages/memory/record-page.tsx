import { useQuery, useQueryClient } from '@tanstack/react-query'
import { CircleHelp, Pencil, Pin, PinOff, ShieldCheck, Tags, Trash2 } from 'lucide-react'
import type { MemoryRecord } from 'privity/client'
import { useState } from 'react'
import { Link } from 'wouter'
import { Button, buttonClass } from '../../components/button'
import { Card, Page } from '../../components/page'
import { RecordLabels, titleOf } from '../../components/record-line'
import { EmptyState, QueryView } from '../../components/states'
import { Time } from '../../components/time'
import { useToast } from '../../components/toast'
import { privity } from '../../lib/api'
import { formatDateTime, inWords } from '../../lib/format'
import { useParams } from '../../lib/use-params'
import { AddDialog } from './add-dialog'
import { DocumentText } from './document-text'
import { ForgetDialog } from './forget-dialog'
import { HistoryCard } from './history-card'
import { LabelDialog } from './label-dialog'

/** One record: what it says, where it came from, what it is related to, and what can be done with it. */
export function RecordPage({ id }: { readonly id: string }) {
  const record = useQuery({ queryKey: ['record', id], queryFn: () => privity.get(id) })
  return (
    <QueryView query={record}>
      {found =>
        found === null ? (
          <Page title="Memory">
            <EmptyState
              title="There is nothing here"
              action={
                <Link href="/memory" className={buttonClass()}>
                  Back to Memory
                </Link>
              }
            >
              It does not exist, was deleted, or you may not see it.
            </EmptyState>
          </Page>
        ) : (
          <Found record={found} />
        )
      }
    </QueryView>
  )
}

function Found({ record }: { readonly record: MemoryRecord }) {
  const [open, setOpen] = useState<'revise' | 'label' | 'forget' | null>(null)
  const [params] = useParams()
  const client = useQueryClient()
  const toast = useToast()
  const { payload } = record
  const pinned = payload?.pinned === true
  const togglePin = async () => {
    try {
      await (pinned ? privity.unpin(record.id) : privity.pin(record.id))
      toast.say(pinned ? 'It is no longer pinned and fades with time.' : 'It is pinned and does not fade.')
      await client.invalidateQueries({ queryKey: ['record', record.id] })
    } catch (error) {
      toast.fail(error)
    }
  }
  const close = () => setOpen(null)
  const place = placeInDocument(record)
  return (
    <Page
      title={titleOf(record)}
      actions={
        <>
          <Button
            small
            icon={<Pencil size={16} aria-hidden />}
            disabled={payload === null}
            onClick={() => setOpen('revise')}
          >
            Revise
          </Button>
          <Button small icon={<Tags size={16} aria-hidden />} onClick={() => setOpen('label')}>
            Labels
          </Button>
          <Button
            small
            icon={pinned ? <PinOff size={16} aria-hidden /> : <Pin size={16} aria-hidden />}
            onClick={() => void togglePin()}
          >
            {pinned ? 'Unpin' : 'Pin'}
          </Button>
          <Link href={`/access?record=${record.id}`} className={buttonClass('plain', true)}>
            <ShieldCheck size={16} aria-hidden /> Restrict
          </Link>
          <Link href={`/why?record=${record.id}`} className={buttonClass('plain', true)}>
            <CircleHelp size={16} aria-hidden /> Why
          </Link>
          <Button
            small
            kind="danger"
            icon={<Trash2 size={16} aria-hidden />}
            onClick={() => setOpen('forget')}
          >
            Forget
          </Button>
        </>
      }
    >
      <RecordLabels record={record} />
      {record.kind === 'document' ? (
        <DocumentText
          id={record.id}
          text={payload?.text ?? null}
          from={Number(params.get('from') ?? 0)}
          to={Number(params.get('to') ?? 0)}
        />
      ) : (
        <Card>
          {payload === null ? (
            <p className="muted">Only the metadata of this memory is shown to you.</p>
          ) : (
            <p className="record-text wrap-anywhere">{payload.text}</p>
          )}
          {place === null ? null : <Link href={place}>Open it in the document</Link>}
        </Card>
      )}
      <div className="grid-2">
        <Card title="About it">
          <dl className="facts">
            <dt>Created</dt>
            <dd>{formatDateTime(record.createdAt)}</dd>
            {payload?.occurredAt ? (
              <>
                <dt>Happened</dt>
                <dd>{formatDateTime(payload.occurredAt)}</dd>
              </>
            ) : null}
            {payload?.owner ? (
              <>
                <dt>Owner</dt>
                <dd>
                  <Owner name={payload.owner} />
                </dd>
              </>
            ) : null}
            {payload?.author ? (
              <>
                <dt>Written by</dt>
                <dd>{payload.author}</dd>
              </>
            ) : null}
            <dt>Confidence</dt>
            <dd>{Math.round(record.confidence * 100)} %</dd>
            <dt>Importance now</dt>
            <dd>{Math.round(record.salience * 100)} %</dd>
            {payload?.expiresAt ? (
              <>
                <dt>Expires</dt>
                <dd>
                  <Time at={payload.expiresAt} />
                </dd>
              </>
            ) : null}
          </dl>
        </Card>
        <Card title="Related">
          {record.relations.length === 0 ? (
            <p className="muted">Nothing that you can see is related to it.</p>
          ) : (
            <ul>
              {record.relations.map(relation => (
                <li key={`${relation.type}${relation.direction}${relation.record}`} className="list-item">
                  <Relation {...relation} />
                </li>
              ))}
            </ul>
          )}
        </Card>
      </div>
      <HistoryCard record={record} />
      {open === 'revise' ? <AddDialog revises={record} onClose={close} /> : null}
      {open === 'label' ? <LabelDialog record={record} onClose={close} /> : null}
      {open === 'forget' ? <ForgetDialog record={record} onClose={close} /> : null}
    </Page>
  )
}

/** Where a passage stands in the document that it is of. */
function placeInDocument({ kind, relations, payload }: MemoryRecord): string | null {
  const source = relations.find(({ type, direction }) => type === 'derived_from' && direction === 'out')
  const span = payload?.spans?.[0] as { start: number; end: number } | undefined
  if (kind !== 'segment' || source === undefined || span === undefined) return null
  return `/memory/${source.record}?from=${span.start}&to=${span.end}`
}

/** Whose it is. A group is called by its name. */
function Owner({ name }: { readonly name: string }) {
  const isGroup = name.startsWith('group:')
  const groups = useQuery({
    queryKey: ['groups'],
    queryFn: () => privity.groups.list(),
    enabled: isGroup,
    staleTime: 60_000,
  })
  if (!isGroup) return name
  return groups.data?.groups.find(({ principal }) => principal === name)?.name ?? 'A group'
}

function Relation({ type, direction, record }: MemoryRecord['relations'][number]) {
  const other = useQuery({ queryKey: ['record', record], queryFn: () => privity.get(record) })
  return (
    <div className="row">
      <span className="muted small">{direction === 'out' ? inWords(type) : `← ${inWords(type)}`}</span>
      <Link href={`/memory/${record}`}>{other.data ? titleOf(other.data) : 'Open'}</Link>
    </div>
  )
}
