import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { Check, CircleHelp, Minus, X } from 'lucide-react'
import type { MemoryExplainOutput, MemoryRecord } from 'privity/client'
import { type ReactNode, useDeferredValue, useState } from 'react'
import { Link } from 'wouter'
import { FaceBadge, faceOf } from '../../components/badge'
import { Button, buttonClass } from '../../components/button'
import { SelectField, TextField } from '../../components/field'
import { Card, Page } from '../../components/page'
import { RecordLine, titleOf } from '../../components/record-line'
import { EmptyState, QueryView } from '../../components/states'
import { useToast } from '../../components/toast'
import { privity } from '../../lib/api'
import { useParams } from '../../lib/use-params'
import { asOptions, useViewers, type Viewer } from '../../lib/viewers'
import { LabelDialog } from '../memory/label-dialog'
import { GATES, remedyFor } from './gate-words'

type Explained = NonNullable<MemoryExplainOutput>

/** Why somebody sees a record, or does not: every gate in order. */
export default function WhyPage() {
  const [params, change] = useParams()
  const record = params.get('record')
  const { viewers } = useViewers()
  const viewer = viewers.find(({ id }) => id === params.get('as')) ?? viewers[0]
  return (
    <Page
      title="Why"
      lead="Choose a memory and a reader. Eleven checks, called gates, run in order, and the strictest one decides how much is shown."
    >
      {record === null ? (
        <ChooseRecord onChoose={id => change({ record: id })} />
      ) : (
        <>
          <SelectField
            label="Who reads it"
            hint={viewer?.detail}
            value={viewer?.id ?? 'self'}
            choices={viewers.map(({ id, label }) => ({ value: id, label }))}
            onChange={event => change({ as: event.target.value })}
          />
          {viewer ? <Explanation key={record} record={record} viewer={viewer} /> : null}
          <div>
            <Button kind="quiet" onClick={() => change({ record: null })}>
              Choose another memory
            </Button>
          </div>
        </>
      )}
    </Page>
  )
}

function ChooseRecord({ onChoose }: { readonly onChoose: (id: string) => void }) {
  const [wanted, setWanted] = useState('')
  const query = useDeferredValue(wanted.trim())
  const found = useQuery({
    queryKey: ['records', 'choose', query],
    queryFn: async () =>
      query === ''
        ? privity.list({ limit: 30 })
        : { records: (await privity.search(query, { limit: 30 })).results.map(({ record }) => record) },
    placeholderData: keepPreviousData,
  })
  return (
    <Card title="Choose a memory">
      <TextField
        label="Find"
        type="search"
        placeholder="Words of the memory"
        value={wanted}
        onChange={event => setWanted(event.target.value)}
      />
      <QueryView
        query={found}
        empty={{
          when: ({ records }) => records.length === 0,
          show:
            query !== '' ? (
              <EmptyState title="No memory matches">Try other words.</EmptyState>
            ) : (
              <EmptyState
                icon={<CircleHelp size={28} aria-hidden />}
                title="There is no memory yet"
                action={
                  <Link href="/memory?add=1" className={buttonClass('primary')}>
                    Add a memory
                  </Link>
                }
              >
                Add one first. Then you can see who would be told about it.
              </EmptyState>
            ),
        }}
      >
        {({ records }) => (
          <ul>
            {records.map(record => (
              <li key={record.id} className="list-item row-between">
                <span className="grow wrap-anywhere">{titleOf(record)}</span>
                <Button small onClick={() => onChoose(record.id)} aria-label={`Explain ${titleOf(record)}`}>
                  Explain
                </Button>
              </li>
            ))}
          </ul>
        )}
      </QueryView>
    </Card>
  )
}

function Explanation({ record: id, viewer }: { readonly record: string; readonly viewer: Viewer }) {
  const record = useQuery({ queryKey: ['record', id], queryFn: () => privity.get(id) })
  const explained = useQuery({
    queryKey: ['explain', id, viewer.id],
    queryFn: async () => privity.explain({ record: id, ...(await asOptions(viewer)) }),
  })
  return (
    <>
      <QueryView query={record}>
        {found => (found === null ? <Absent /> : <Card>{<RecordLine record={found} />}</Card>)}
      </QueryView>
      <QueryView query={explained}>
        {answer =>
          answer === null ? (
            <Absent />
          ) : (
            <Gates explained={answer} record={record.data ?? null} viewer={viewer} />
          )
        }
      </QueryView>
    </>
  )
}

const Absent = () => (
  <EmptyState title="There is nothing to explain here">
    The memory does not exist, or you do not see all of it yourself.
  </EmptyState>
)

const isFull = ({ level, form }: Explained['face']) => level === 'full' && form !== 'substitute'
const RANK: Readonly<Record<string, number>> = { none: 0, metadata: 1, preview: 2, full: 3 }
const rank = ({ level, form }: Explained['face']) => (RANK[level] ?? 0) - (form === 'substitute' ? 0.5 : 0)

function Gates({
  explained,
  record,
  viewer,
}: {
  readonly explained: Explained
  readonly record: MemoryRecord | null
  readonly viewer: Viewer
}) {
  const least = Math.min(...explained.gates.map(({ face }) => rank(face)))
  const deciding = explained.gates.filter(({ face }) => rank(face) === least && least < 3)
  const { says } = faceOf(explained.face.level, explained.face.form)
  return (
    <div className="grid-2">
      <Card title="Gates">
        <ol className="gates">
          {explained.gates.map(({ gate, face, reason, description }) => {
            const decides = deciding.some(one => one.gate === gate)
            const icon: ReactNode = isFull(face) ? (
              <Check size={16} aria-hidden />
            ) : face.level === 'none' ? (
              <X size={16} aria-hidden />
            ) : (
              <Minus size={16} aria-hidden />
            )
            return (
              <li
                key={gate}
                className={`gate${decides ? ' gate-decides' : ''}${isFull(face) ? ' gate-passed' : ''}`}
                data-level={face.level}
              >
                <span className="gate-icon">{icon}</span>
                <div className="grow">
                  <div className="row-between">
                    <strong title={GATES[gate]?.asks}>{GATES[gate]?.title ?? gate}</strong>
                    {isFull(face) ? (
                      <span className="visually-hidden">passes</span>
                    ) : (
                      <FaceBadge level={face.level} form={face.form} />
                    )}
                  </div>
                  {isFull(face) ? null : <p className="small muted">{GATES[gate]?.asks}</p>}
                  <p className="small" title={reason}>
                    {description}
                  </p>
                  {decides ? <p className="small gate-note">This gate decides.</p> : null}
                </div>
              </li>
            )
          })}
        </ol>
      </Card>
      <div className="stack">
        <Card title={viewer.kind === 'self' ? 'What you see' : 'What this reader sees'}>
          <div className="stack-tight">
            <div>
              <FaceBadge level={explained.face.level} form={explained.face.form} />
            </div>
            <p>{says}</p>
          </div>
        </Card>
        {deciding.length > 0 && record !== null ? (
          <Remedies deciding={deciding} record={record} />
        ) : (
          <Card title="What would change it">
            <p>Every gate lets all of it through. To show less, raise its sensitivity.</p>
          </Card>
        )}
      </div>
    </div>
  )
}

/** What would let more through, with the action one click away. */
function Remedies({
  deciding,
  record,
}: {
  readonly deciding: Explained['gates']
  readonly record: MemoryRecord
}) {
  const [labelling, setLabelling] = useState(false)
  const client = useQueryClient()
  const toast = useToast()
  const people = useQuery({ queryKey: ['people', 'all'], queryFn: () => privity.people.list({ limit: 200 }) })
  const waiting = (people.data?.people ?? []).filter(
    ({ name, consent }) =>
      consent !== 'granted' &&
      (record.payload?.participants ?? []).some(one => one.toLowerCase() === name.toLowerCase()),
  )
  const grant = async (person: string) => {
    try {
      await privity.people.consent({ person, status: 'granted' })
      toast.say(`${person} now counts as having agreed.`, {
        label: 'Undo',
        run: () =>
          void privity.people
            .consent({ person, status: 'pending' })
            .then(() => client.invalidateQueries(), toast.fail),
      })
      await client.invalidateQueries()
    } catch (error) {
      toast.fail(error)
    }
  }
  return (
    <Card title="What would change it">
      <ul className="stack">
        {deciding.map(({ gate, reason }) => {
          const remedy = remedyFor(reason)
          return (
            <li key={gate} className="stack-tight">
              <p>{remedy.advice}</p>
              <div className="row">
                {remedy.action === 'consent'
                  ? waiting.map(({ name }) => (
                      <Button key={name} kind="primary" small onClick={() => void grant(name)}>
                        {name} agrees
                      </Button>
                    ))
                  : null}
                {remedy.action === 'label' ? (
                  <Button kind="primary" small onClick={() => setLabelling(true)}>
                    Change its labels
                  </Button>
                ) : null}
                {remedy.action === 'record' ? (
                  <Link href={`/memory/${record.id}`} className={buttonClass('plain', true)}>
                    Open the memory
                  </Link>
                ) : null}
                {remedy.action === 'restriction' ? (
                  <Link href="/access" className={buttonClass('plain', true)}>
                    Open Access
                  </Link>
                ) : null}
                {remedy.action === 'grant' ? (
                  <Link
                    href={`/access?view=grants&record=${record.id}`}
                    className={buttonClass('primary', true)}
                  >
                    Grant access
                  </Link>
                ) : null}
                {remedy.action === 'people' || (remedy.action === 'consent' && waiting.length === 0) ? (
                  <Link href="/people" className={buttonClass('plain', true)}>
                    Open People
                  </Link>
                ) : null}
              </div>
            </li>
          )
        })}
      </ul>
      {labelling ? <LabelDialog record={record} onClose={() => setLabelling(false)} /> : null}
    </Card>
  )
}
