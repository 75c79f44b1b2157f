import { useMutation } from '@tanstack/react-query'
import { ShieldAlert, ShieldCheck } from 'lucide-react'
import type { InputOf, OutputOf } from 'privity/client'
import { useRef } from 'react'
import { Button } from '../../components/button'
import { Card } from '../../components/page'
import { Skeleton } from '../../components/states'
import { useToast } from '../../components/toast'
import { privity } from '../../lib/api'
import { describeFailure } from '../../lib/errors'
import { count, inWords } from '../../lib/format'

type Checkpoint = NonNullable<NonNullable<InputOf<'audit.verify'>>['checkpoint']>

/** Whether the chain of entries is whole, and a checkpoint to prove it by later. */
export function ChainCard() {
  const toast = useToast()
  const file = useRef<HTMLInputElement>(null)
  const verify = useMutation({
    mutationFn: (checkpoint?: Checkpoint) =>
      privity.audit.verify(checkpoint === undefined ? {} : { checkpoint }),
  })
  const exportCheckpoint = async () => {
    try {
      const checkpoint = await privity.audit.checkpoint()
      const address = URL.createObjectURL(
        new Blob([JSON.stringify(checkpoint)], { type: 'application/json' }),
      )
      const link = document.createElement('a')
      link.href = address
      link.download = `privity-checkpoint-${checkpoint.at.slice(0, 10)}.json`
      link.click()
      URL.revokeObjectURL(address)
      toast.say('Checkpoint saved. Keep it outside the database.')
    } catch (error) {
      toast.fail(error)
    }
  }
  const check = async (chosen: File | undefined) => {
    if (chosen === undefined) return
    try {
      verify.mutate(JSON.parse(await chosen.text()) as Checkpoint)
    } catch {
      toast.say('That file is not a checkpoint. Choose a file that “Export a checkpoint” saved.')
    }
  }
  return (
    <Card
      title="Chain"
      actions={
        <>
          <Button small busy={verify.isPending} onClick={() => verify.mutate(undefined)}>
            Verify now
          </Button>
          <Button small onClick={() => file.current?.click()}>
            Verify against a checkpoint …
          </Button>
          <Button small onClick={exportCheckpoint}>
            Export a checkpoint
          </Button>
          <input
            ref={file}
            type="file"
            accept="application/json"
            className="visually-hidden"
            aria-label="Checkpoint file"
            tabIndex={-1}
            onChange={event => void check(event.target.files?.[0])}
          />
        </>
      }
    >
      {verify.isPending ? <Skeleton lines={1} /> : <Status result={verify.data} error={verify.error} />}
    </Card>
  )
}

function Status({
  result,
  error,
}: {
  readonly result: OutputOf<'audit.verify'> | undefined
  readonly error: unknown
}) {
  if (error) {
    const { title, advice } = describeFailure(error)
    return (
      <p className="notice notice-danger" role="alert">
        {title} {advice}
      </p>
    )
  }
  if (result === undefined)
    return (
      <p className="muted">
        Entries are chained by hashes. Verifying finds any entry that was changed, removed or moved since it
        was written.
      </p>
    )
  const { ok, entries, lanes, checkpoints, problems } = result
  return (
    <div className="stack-tight" role="status">
      <p className="row">
        {ok ? <ShieldCheck size={20} aria-hidden /> : <ShieldAlert size={20} aria-hidden />}
        <strong>{ok ? 'The chain is whole.' : `The chain has ${count(problems.length, 'problem')}.`}</strong>
        <span className="muted">
          {count(entries, 'entry', 'entries')} in {count(lanes, 'lane')}, {count(checkpoints, 'checkpoint')}
        </span>
      </p>
      {problems.map(({ kind, laneId, seq }) => (
        <p key={`${kind}${laneId}${seq}`} className="notice notice-danger">
          {inWords(kind)}
          {seq === null ? '' : ` at entry ${seq}`}
          {laneId === null ? '' : ` of lane ${laneId.slice(0, 8)}`}
        </p>
      ))}
    </div>
  )
}
