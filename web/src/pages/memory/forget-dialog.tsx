import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { MemoryRecord } from 'privity/client'
import { useLocation } from 'wouter'
import { ConfirmDialog } from '../../components/dialog'
import { titleOf } from '../../components/record-line'
import { QueryView } from '../../components/states'
import { useToast } from '../../components/toast'
import { privity } from '../../lib/api'
import { count } from '../../lib/format'

interface ForgetProps {
  readonly record: MemoryRecord
  readonly onClose: () => void
  /** Deletes it in another way, such as by accepting a request. */
  readonly onForget?: () => Promise<void>
}

/** Says what will be deleted, in numbers, before it is. */
export function ForgetDialog({ record, onClose, onForget }: ForgetProps) {
  const client = useQueryClient()
  const toast = useToast()
  const [, navigate] = useLocation()
  const preview = useQuery({
    queryKey: ['forget-preview', record.id],
    queryFn: () => privity.forgetPreview([record.id]),
    staleTime: 0,
  })
  const forget = async () => {
    await privity.forget([record.id])
    toast.say('The memory was deleted.')
    navigate('/memory')
    client.removeQueries({ queryKey: ['record', record.id] })
    await client.invalidateQueries()
  }
  return (
    <ConfirmDialog
      open
      onOpenChange={open => open || onClose()}
      title="Forget this memory?"
      danger
      disabled={preview.data === undefined}
      confirm={preview.data ? `Delete ${count(preview.data.count + 1, 'record')}` : 'Delete'}
      description="It is deleted with its earlier versions, its vectors and everything that was made from it. This cannot be undone."
      onConfirm={onForget ?? forget}
    >
      <QueryView query={preview}>
        {({ derived, count: fallen, complete }) => (
          <Falling records={derived} total={fallen} complete={complete} />
        )}
      </QueryView>
    </ConfirmDialog>
  )
}

const MOST_NAMED = 8

/** What is deleted together with something. */
export function Falling({
  records,
  total,
  complete,
}: {
  readonly records: readonly MemoryRecord[]
  readonly total: number
  readonly complete: boolean
}) {
  if (total === 0) return <p>Nothing else that you can see was made from it.</p>
  return (
    <div className="stack-tight">
      <p>
        <strong>
          {complete ? '' : 'At least '}
          {count(total, 'other record')}
        </strong>{' '}
        made from it {total === 1 ? 'is' : 'are'} deleted too:
      </p>
      <ul className="falls">
        {records.slice(0, MOST_NAMED).map(one => (
          <li key={one.id}>{titleOf(one)}</li>
        ))}
        {total > MOST_NAMED ? <li className="muted">and {total - MOST_NAMED} more</li> : null}
      </ul>
    </div>
  )
}
