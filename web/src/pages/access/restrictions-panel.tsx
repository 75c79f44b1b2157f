import { useQuery, useQueryClient } from '@tanstack/react-query'
import { ShieldCheck } from 'lucide-react'
import type { InputOf, OutputOf } from 'privity/client'
import { useState } from 'react'
import { Badge, type Tone } from '../../components/badge'
import { Button } from '../../components/button'
import { ConfirmDialog } from '../../components/dialog'
import { SelectField } from '../../components/field'
import { Card } from '../../components/page'
import { EmptyState, QueryView } from '../../components/states'
import { Time } from '../../components/time'
import { VirtualList } from '../../components/virtual-list'
import { privity } from '../../lib/api'
import { count, inWords } from '../../lib/format'
import { useParams } from '../../lib/use-params'
import { TargetFields, TargetName, targetOf, trimmed, useExtent } from './target'

type Restriction = InputOf<'overlays.add'>['restriction']
type Overlay = OutputOf<'overlays.list'>['overlays'][number]

const RESTRICTIONS: readonly {
  readonly value: Restriction
  readonly label: string
  readonly says: string
  readonly tone: Tone
}[] = [
  {
    value: 'explicit_access_required',
    label: 'Only with a grant',
    says: 'Only people with a grant see it. You need one too.',
    tone: 'warn',
  },
  {
    value: 'preview_only',
    label: 'Preview only',
    says: 'Everybody, you included, sees the title and the first 200 characters.',
    tone: 'accent',
  },
  {
    value: 'redacted_only',
    label: 'Redacted copy only',
    says: 'Everybody, you included, sees its redacted copy instead. Without a copy, nothing is shown.',
    tone: 'violet',
  },
  {
    value: 'not_shareable',
    label: 'Never by a link',
    says: 'People who come by a share link do not see it. Nothing changes for anybody else.',
    tone: 'plain',
  },
  {
    value: 'blocked',
    label: 'Blocked',
    says: 'Nobody sees it, you included, until you lift this.',
    tone: 'danger',
  },
]
const wordsFor = (restriction: string) => RESTRICTIONS.find(({ value }) => value === restriction)

/** Restrictions on documents and corpora: they hold for whoever asks. */
export function RestrictionsPanel() {
  const [params, change] = useParams()
  const record = params.get('record')
  const query = useQuery({ queryKey: ['overlays'], queryFn: () => privity.overlays.list() })
  const [adding, setAdding] = useState(record !== null)
  const [lifting, setLifting] = useState<Overlay | null>(null)
  const add = (
    <Button kind="primary" onClick={() => setAdding(true)}>
      Restrict something
    </Button>
  )
  const close = () => {
    setAdding(false)
    change({ record: null })
  }
  return (
    <>
      <QueryView
        query={query}
        empty={{
          when: ({ overlays }) => overlays.length === 0,
          show: (
            <EmptyState
              icon={<ShieldCheck size={28} aria-hidden />}
              title="Nothing is restricted"
              action={add}
            >
              A restriction keeps a document or a whole corpus back, whoever asks and whatever else allows it.
              If there are several, the strictest holds.
            </EmptyState>
          ),
        }}
      >
        {({ overlays }) => (
          <Card title={count(overlays.length, 'restriction')} actions={add}>
            <VirtualList
              label="Restrictions"
              items={overlays}
              keyOf={({ id }) => id}
              render={overlay => <Line overlay={overlay} onLift={setLifting} />}
            />
          </Card>
        )}
      </QueryView>
      {adding ? <RestrictDialog record={record} onClose={close} /> : null}
      {lifting === null ? null : (
        <LiftDialog
          overlay={lifting}
          others={query.data?.overlays.filter(other => other.id !== lifting.id) ?? []}
          onClose={() => setLifting(null)}
        />
      )}
    </>
  )
}

function Line({
  overlay,
  onLift,
}: {
  readonly overlay: Overlay
  readonly onLift: (overlay: Overlay) => void
}) {
  const words = wordsFor(overlay.restriction)
  return (
    <div className="row-between">
      <div className="grow">
        <div className="row">
          <strong className="wrap-anywhere">
            <TargetName target={overlay.target} />
          </strong>
          <Badge tone={words?.tone ?? 'plain'}>{words?.label ?? inWords(overlay.restriction)}</Badge>
        </div>
        <p className="muted small">
          {words?.says} Set <Time at={overlay.createdAt} />.
        </p>
      </div>
      <Button small onClick={() => onLift(overlay)}>
        Lift …
      </Button>
    </div>
  )
}

function RestrictDialog({
  record,
  onClose,
}: {
  readonly record: string | null
  readonly onClose: () => void
}) {
  const client = useQueryClient()
  const [target, setTarget] = useState(targetOf(record))
  const [restriction, setRestriction] = useState<Restriction>('explicit_access_required')
  const extent = useExtent(target)
  return (
    <ConfirmDialog
      open
      onOpenChange={open => open || onClose()}
      title="Restrict something"
      description={extent ?? 'Say what to restrict. It holds from the next request on.'}
      confirm="Restrict"
      disabled={target.ref.trim() === ''}
      onConfirm={async () => {
        await privity.overlays.add({ target: trimmed(target), restriction })
        await client.invalidateQueries()
      }}
    >
      <TargetFields target={target} onChange={setTarget} />
      <SelectField
        label="Restriction"
        choices={RESTRICTIONS}
        hint={wordsFor(restriction)?.says}
        value={restriction}
        onChange={event => setRestriction(event.target.value as Restriction)}
      />
    </ConfirmDialog>
  )
}

function LiftDialog({
  overlay,
  others,
  onClose,
}: {
  readonly overlay: Overlay
  readonly others: readonly Overlay[]
  readonly onClose: () => void
}) {
  const client = useQueryClient()
  const { kind, ref, owner } = overlay.target
  const same = others.filter(
    ({ target }) => ref !== null && target.ref === ref && target.kind === kind && target.owner === owner,
  )
  return (
    <ConfirmDialog
      open
      onOpenChange={open => open || onClose()}
      title="Lift this restriction?"
      description={`1 restriction is lifted from the next request on. ${
        same.length === 0 ? 'No other' : count(same.length, 'other')
      } on the same target ${same.length > 1 ? 'stay' : 'stays'}; labels, consent and what else holds stay as they are.`}
      confirm="Lift"
      danger
      onConfirm={async () => {
        await privity.overlays.remove({ overlay: overlay.id })
        await client.invalidateQueries()
      }}
    />
  )
}
