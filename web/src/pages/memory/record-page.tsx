import { useQuery, useQueryClient } from '@tanstack/react-query'
import { CircleHelp, Pencil, Pin, PinOff, Tags, Trash2 } from 'lucide-react'
import type { MemoryRecord } from 'privity/client'
import { useState } from 'react'
import { Link, useLocation } from 'wouter'
import { Button, buttonClass } from '../../components/button'
import { ConfirmDialog } from '../../components/dialog'
import { Card, Page } from '../../components/page'
import { RecordLabels, titleOf } from '../../components/record-line'
import { EmptyState, QueryView } from '../../components/states'
import { Time } from '../../components/time'
import { useToast } from '../../components/toast'
import { privity } from '../../lib/api'
import { count, formatDateTime, inWords } from '../../lib/format'
import { useParams } from '../../lib/use-params'
import { AddDialog } from './add-dialog'
import { DocumentText } from './document-text'
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
                <dd>{payload.owner}</dd>
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
        <Card title="Related and earlier versions">
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
      {open === 'revise' ? <AddDialog revises={record} onClose={close} /> : null}
      {open === 'label' ? <LabelDialog record={record} onClose={close} /> : null}
      {open === 'forget' ? <ForgetDialog record={record} onClose={close} /> : null}
    </Page>
  )
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

/** Says what will be deleted, in numbers, before it is. */
function ForgetDialog({ record, onClose }: { readonly record: MemoryRecord; readonly onClose: () => void }) {
  const client = useQueryClient()
  const toast = useToast()
  const [, navigate] = useLocation()
  const preview = useQuery({
    queryKey: ['forget-preview', record.id],
    queryFn: () => privity.forgetPreview([record.id]),
    staleTime: 0,
  })
  return (
    <ConfirmDialog
      open
      onOpenChange={open => open || onClose()}
      title="Forget this memory?"
      danger
      disabled={preview.data === undefined}
      confirm={preview.data ? `Delete ${count(preview.data.count + 1, 'record')}` : 'Delete'}
      description="It is deleted with its earlier versions, its vectors and everything that was made from it. This cannot be undone."
      onConfirm={async () => {
        await privity.forget([record.id])
        toast.say('The memory was deleted.')
        navigate('/memory')
        client.removeQueries({ queryKey: ['record', record.id] })
        await client.invalidateQueries()
      }}
    >
      <QueryView query={preview}>
        {({ derived, count: fallen, complete }) =>
          fallen === 0 ? (
            <p>Nothing else that you can see was made from it.</p>
          ) : (
            <div className="stack-tight">
              <p>
                <strong>
                  {complete ? '' : 'At least '}
                  {count(fallen, 'other record')}
                </strong>{' '}
                made from it {fallen === 1 ? 'is' : 'are'} deleted too:
              </p>
              <ul className="falls">
                {derived.slice(0, 8).map(one => (
                  <li key={one.id}>{titleOf(one)}</li>
                ))}
                {fallen > 8 ? <li className="muted">and {fallen - 8} more</li> : null}
              </ul>
            </div>
          )
        }
      </QueryView>
    </ConfirmDialog>
  )
}
