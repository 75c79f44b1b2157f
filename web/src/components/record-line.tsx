import type { MemoryRecord } from 'privity/client'
import { Link } from 'wouter'
import { kindInWords } from '../lib/format'
import { Badge, FaceBadge, SensitivityBadge } from './badge'
import { Time } from './time'

/** What to call a record of which perhaps only metadata is shown. */
export const titleOf = ({ payload, kind }: MemoryRecord) =>
  payload === null ? `${kindInWords(kind)} (redacted)` : (payload.title ?? firstLine(payload.text))

const firstLine = (text: string) => {
  const [line = ''] = text.trim().split('\n')
  return line.length > 90 ? `${line.slice(0, 90)}…` : line
}

/** Whether it is pinned, and other labels, in one line. That all of it is shown is said only where readers are compared. */
export const RecordLabels = ({
  record,
  showsFull = false,
}: {
  readonly record: MemoryRecord
  readonly showsFull?: boolean
}) => (
  <div className="row small">
    {record.face === 'full' && !showsFull ? null : <FaceBadge level={record.face} />}
    <SensitivityBadge level={record.sensitivity} />
    <Badge>{kindInWords(record.kind)}</Badge>
    {record.scope ? <Badge>{record.scope}</Badge> : null}
    {record.payload?.pinned ? <Badge tone="accent">Pinned</Badge> : null}
    {record.payload?.contested ? <Badge tone="warn">Contested</Badge> : null}
    {record.payload?.corpus ? <Badge>{record.payload.corpus}</Badge> : null}
    {(record.payload?.participants ?? []).map(person => (
      <Badge key={person} tone="violet">
        {person}
      </Badge>
    ))}
    {record.tags.map(tag => (
      <Badge key={tag}>#{tag}</Badge>
    ))}
  </div>
)

/** One record in a list. */
export const RecordLine = ({ record }: { readonly record: MemoryRecord }) => (
  <article className="record-line stack-tight">
    <div className="row-between">
      <h3 className="wrap-anywhere">
        <Link href={`/memory/${record.id}`}>{titleOf(record)}</Link>
      </h3>
      <span className="muted small">
        <Time at={record.payload?.occurredAt ?? record.createdAt} />
      </span>
    </div>
    {record.payload === null ? null : <p className="clamp-2 wrap-anywhere">{record.payload.text}</p>}
    <RecordLabels record={record} />
  </article>
)
