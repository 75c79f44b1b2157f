import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import { Plus, Users } from 'lucide-react'
import type { Person, PersonMatch } from 'privity/client'
import { type FormEvent, useMemo, useState } from 'react'
import { Link } from 'wouter'
import { Badge, ConsentBadge } from '../../components/badge'
import { Button } from '../../components/button'
import { ConfirmDialog, Dialog } from '../../components/dialog'
import { TextField } from '../../components/field'
import { Card, Page } from '../../components/page'
import { EmptyState, QueryView } from '../../components/states'
import { Time } from '../../components/time'
import { useToast } from '../../components/toast'
import { VirtualList } from '../../components/virtual-list'
import { privity } from '../../lib/api'
import { describeFailure } from '../../lib/errors'
import { count } from '../../lib/format'
import { useWho } from '../../lib/session'
import { GroupsCard } from './groups-card'
import { PersonDialog } from './person-dialog'

/** How many memories with a person are counted; more are shown as “at least”. */
const MOST_COUNTED = 200

/** The people in your memories, whether each agreed, and what depends on it. */
export default function PeoplePage() {
  const [adding, setAdding] = useState(false)
  return (
    <Page
      title="People"
      lead="A memory with people in it is told to agents only once all of them have agreed. You keep who agreed."
      actions={
        <Button kind="primary" icon={<Plus size={18} aria-hidden />} onClick={() => setAdding(true)}>
          Add a person
        </Button>
      }
    >
      <Requests />
      <Matches />
      <PeopleList onAdd={() => setAdding(true)} />
      <GroupsCard />
      {adding ? <AddPerson onClose={() => setAdding(false)} /> : null}
    </Page>
  )
}

/** What agents asked for: consent that they cannot give themselves. */
function Requests() {
  const client = useQueryClient()
  const toast = useToast()
  const requests = useQuery({
    queryKey: ['consents', 'open'],
    queryFn: () => privity.consents.list({ state: 'open', limit: 50 }),
  })
  const decide = async (request: string, decision: 'granted' | 'denied', person: string) => {
    try {
      await privity.consents.decide({ request, decision })
      toast.say(decision === 'granted' ? `Consent of ${person} was recorded.` : 'The request was denied.')
      await client.invalidateQueries()
    } catch (error) {
      toast.fail(error)
    }
  }
  if (requests.data === undefined || requests.data.requests.length === 0) return null
  return (
    <Card title={`${count(requests.data.requests.length, 'request')} from agents`}>
      <ul>
        {requests.data.requests.map(({ id, person, reason, requestedBy, createdAt }) => (
          <li key={id} className="list-item row-between">
            <div className="grow">
              <p>
                <strong>{requestedBy ?? 'An agent'}</strong> asks for the consent of <strong>{person}</strong>
                .
              </p>
              <p className="muted small wrap-anywhere">
                {reason ? `“${reason}” · ` : ''}
                <Time at={createdAt} />
              </p>
            </div>
            <div className="row">
              <Button small kind="primary" onClick={() => void decide(id, 'granted', person)}>
                {person} agreed
              </Button>
              <Button small onClick={() => void decide(id, 'denied', person)}>
                Deny
              </Button>
            </div>
          </li>
        ))}
      </ul>
    </Card>
  )
}

const WHY: Readonly<Record<string, string>> = {
  accents: 'the names differ in accents alone',
  lookalike: 'the names look the same',
  word_order: 'the same names in another order',
  email: 'the e-mail address fits the name',
  initial: 'the initial fits the name',
  part_of_name: 'one name is part of the other',
}

/** People who may be the same: an import often names one person in several ways. */
function Matches() {
  const found = useQuery({ queryKey: ['people', 'matches'], queryFn: () => privity.people.matches({}) })
  const [merging, setMerging] = useState<PersonMatch | null>(null)
  if (found.data === undefined || found.data.matches.length === 0) return null
  return (
    <Card
      title={count(found.data.matches.length, 'person who may be the same', 'people who may be the same')}
    >
      <ul>
        {found.data.matches.slice(0, 10).map(match => (
          <li key={`${match.person.id} ${match.into.id}`} className="list-item row-between">
            <p className="grow wrap-anywhere">
              <strong>{match.person.name}</strong> may be <strong>{match.into.name}</strong>:{' '}
              <span className="muted">{WHY[match.why] ?? match.why}</span>
            </p>
            <Button
              small
              onClick={() => setMerging(match)}
              aria-label={`Merge ${match.person.name} into ${match.into.name}`}
            >
              Merge…
            </Button>
          </li>
        ))}
      </ul>
      {merging === null ? null : <MergeDialog match={merging} onClose={() => setMerging(null)} />}
    </Card>
  )
}

/** Shows what a merge changes before it is made. */
function MergeDialog({ match, onClose }: { readonly match: PersonMatch; readonly onClose: () => void }) {
  const client = useQueryClient()
  const asked = { person: match.person.id, into: match.into.id }
  const preview = useQuery({
    queryKey: ['people', 'merge', asked],
    queryFn: () => privity.people.mergePreview(asked),
  })
  const { data } = preview
  return (
    <ConfirmDialog
      open
      onOpenChange={open => open || onClose()}
      title={`Merge ${match.person.name} into ${match.into.name}?`}
      confirm="Merge"
      description={
        data === undefined
          ? 'Counting what this changes…'
          : `${count(data.records, 'memory', 'memories')} with them. Their consent will be ${data.consent}: agents see ${data.opened} more and ${data.closed} fewer. You can split them again.`
      }
      onConfirm={async () => {
        await privity.people.merge(asked)
        await client.invalidateQueries()
      }}
    />
  )
}

function PeopleList({ onAdd }: { readonly onAdd: () => void }) {
  const who = useWho()
  const people = useInfiniteQuery({
    queryKey: ['people', 'list'],
    initialPageParam: null as string | null,
    queryFn: ({ pageParam }) =>
      privity.people.list({ limit: 200, ...(pageParam === null ? {} : { cursor: pageParam }) }),
    getNextPageParam: page => page.cursor,
  })
  // Whoever waits for a decision comes first, and of them the newest.
  const sorted = useMemo(() => {
    const all = (people.data?.pages.flatMap(page => page.people) ?? []).filter(
      ({ name }) => name !== who.actor,
    )
    const order = (person: Person) => (person.consent === 'pending' ? 0 : 1)
    return all.sort(
      (a, b) =>
        order(a) - order(b) ||
        (order(a) === 0
          ? (b.createdAt ?? '').localeCompare(a.createdAt ?? '')
          : a.name.localeCompare(b.name)),
    )
  }, [people.data, who.actor])
  return (
    <Card title="Everybody">
      <QueryView
        query={people}
        empty={{
          when: () => sorted.length === 0,
          show: (
            <EmptyState
              icon={<Users size={28} aria-hidden />}
              title="Nobody yet"
              action={<Button onClick={onAdd}>Add a person</Button>}
            >
              People appear here by themselves when you add a memory with their name.
            </EmptyState>
          ),
        }}
      >
        {() => (
          <VirtualList
            label="People"
            items={sorted}
            keyOf={({ id }) => id}
            estimate={72}
            hasMore={people.hasNextPage}
            onEnd={() => void people.fetchNextPage()}
            render={person => <PersonRow person={person} />}
          />
        )}
      </QueryView>
    </Card>
  )
}

const WEEK = 7 * 86_400_000

function PersonRow({ person }: { readonly person: Person }) {
  const { name, aliases, emails, consent, createdAt } = person
  const client = useQueryClient()
  const toast = useToast()
  const [revoking, setRevoking] = useState(false)
  const [editing, setEditing] = useState(false)
  const memories = useMemories(name)
  const set = async (status: 'granted' | 'revoked' | 'pending') => {
    await privity.people.consent({ person: name, status })
    await client.invalidateQueries()
  }
  const grant = async () => {
    const before = consent as 'pending' | 'revoked'
    try {
      await set('granted')
      toast.say(`${name} agreed. Agents may now be told ${memories.says}.`, {
        label: 'Undo',
        run: () => void set(before).catch(toast.fail),
      })
    } catch (error) {
      toast.fail(error)
    }
  }
  const isNew = consent === 'pending' && createdAt !== null && Date.now() - Date.parse(createdAt) < WEEK
  return (
    <div className="row-between">
      <div className="grow">
        <p className="row">
          <strong className="wrap-anywhere">{name}</strong> <ConsentBadge status={consent} />
          {isNew ? <Badge tone="accent">New</Badge> : null}
        </p>
        {aliases.length + emails.length > 0 ? (
          <p className="muted small wrap-anywhere">also {[...aliases, ...emails].join(', ')}</p>
        ) : null}
        <p className="muted small">
          <Link href={`/memory?person=${encodeURIComponent(name)}`}>{memories.says}</Link> · found{' '}
          <Time at={createdAt} />
        </p>
      </div>
      <div className="row">
        <Button small kind="quiet" onClick={() => setEditing(true)} aria-label={`Edit ${name}`}>
          Edit
        </Button>
        {consent === 'granted' ? (
          <Button
            small
            kind="danger"
            onClick={() => setRevoking(true)}
            aria-label={`Revoke the consent of ${name}`}
          >
            Revoke
          </Button>
        ) : (
          <Button small kind="primary" onClick={() => void grant()} aria-label={`Record that ${name} agreed`}>
            {name} agreed
          </Button>
        )}
      </div>
      {editing ? (
        <PersonDialog person={person} memories={memories.says} onClose={() => setEditing(false)} />
      ) : null}
      <ConfirmDialog
        open={revoking}
        onOpenChange={setRevoking}
        title={`Revoke the consent of ${name}?`}
        danger
        confirm="Revoke"
        description={`From the next request on, agents are no longer told ${memories.says}. You still see them yourself, and you can record the consent again.`}
        onConfirm={() => set('revoked')}
      />
    </div>
  )
}

/** How many memories a person is in, as far as you see them. */
function useMemories(name: string): { readonly says: string } {
  const found = useQuery({
    queryKey: ['records', 'of person', name],
    queryFn: () => privity.list({ people: [name], limit: MOST_COUNTED, face: 'metadata', asOf: 'any' }),
    staleTime: 30_000,
  })
  if (found.data === undefined) return { says: 'memories with them' }
  const { records, cursor } = found.data
  const least = cursor === null ? '' : 'at least '
  return { says: `${least}${count(records.length, 'memory', 'memories')} with them` }
}

function AddPerson({ onClose }: { readonly onClose: () => void }) {
  const client = useQueryClient()
  const [name, setName] = useState('')
  const [problem, setProblem] = useState<string | null>(null)
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    try {
      await privity.people.add({ person: name.trim() })
      await client.invalidateQueries({ queryKey: ['people'] })
      onClose()
    } catch (error) {
      const { title, advice } = describeFailure(error)
      setProblem(`${title} ${advice}`)
    }
  }
  return (
    <Dialog open onOpenChange={open => open || onClose()} title="Add a person">
      <form className="stack" onSubmit={event => void submit(event)}>
        <TextField
          label="Name"
          required
          value={name}
          onChange={event => setName(event.target.value)}
          error={problem}
        />
        <div className="dialog-foot">
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit">
            Add
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
