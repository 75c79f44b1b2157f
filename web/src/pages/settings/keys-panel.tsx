import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import type { InputOf, OutputOf } from 'privity/client'
import { useState } from 'react'
import { Badge } from '../../components/badge'
import { Button } from '../../components/button'
import { CopyBlock } from '../../components/copy-button'
import { ConfirmDialog, Dialog } from '../../components/dialog'
import { CheckField, SelectField, TextField } from '../../components/field'
import { Card } from '../../components/page'
import { EmptyState, QueryView } from '../../components/states'
import { Time } from '../../components/time'
import { VirtualList } from '../../components/virtual-list'
import { privity } from '../../lib/api'
import { describeFailure } from '../../lib/errors'
import { count, formatTime, inWords } from '../../lib/format'
import { useWho } from '../../lib/session'

type Key = OutputOf<'keys.list'>['keys'][number]
type NewKey = InputOf<'keys.create'>

export const SENSITIVITIES = ['public', 'low', 'medium', 'high', 'hyper'].map(value => ({
  value,
  label: inWords(value),
}))

export const useKeys = () =>
  useInfiniteQuery({
    queryKey: ['keys'],
    queryFn: ({ pageParam }) =>
      privity.keys.list({ limit: 100, ...(pageParam ? { cursor: pageParam } : {}) }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ cursor }) => cursor,
  })

const isEnded = ({ revokedAt, expiresAt }: Key) =>
  revokedAt !== null || (expiresAt !== null && new Date(expiresAt) <= new Date())

/** The console names the keys that it makes by time and a random number. */
const isBrowserSession = ({ name }: Key) => name.startsWith('Browser session ')
const nameOf = (key: Key) =>
  isBrowserSession(key) ? `Browser session, ${formatTime(key.createdAt)}` : key.name

/** API keys: make one, see when it was used, revoke it with every key that was made with it. */
export function KeysPanel() {
  const query = useKeys()
  const client = useQueryClient()
  const [making, setMaking] = useState(false)
  const [revoking, setRevoking] = useState<Key | null>(null)
  const [withSessions, setWithSessions] = useState(false)
  const shown = (keys: readonly Key[]) => keys.filter(key => withSessions || !isBrowserSession(key))
  const make = (
    <Button kind="primary" onClick={() => setMaking(true)}>
      Create a key
    </Button>
  )
  return (
    <>
      <QueryView
        query={query}
        empty={{
          when: ({ pages }) => pages[0]?.keys.length === 0,
          show: <EmptyState title="No keys yet" action={make} />,
        }}
      >
        {({ pages }) => (
          <Card title="API keys" actions={make}>
            <CheckField
              label="Show browser sessions"
              checked={withSessions}
              onChange={() => setWithSessions(now => !now)}
            />
            <VirtualList
              label="API keys"
              items={shown(pages.flatMap(({ keys }) => keys))}
              keyOf={({ id }) => id}
              hasMore={query.hasNextPage}
              onEnd={() => void query.fetchNextPage()}
              render={key => (
                <div className="row-between">
                  <div className="grow">
                    <div className="row">
                      <strong className="wrap-anywhere">{nameOf(key)}</strong>
                      <Badge tone={key.audience === 'agent' ? 'violet' : 'plain'}>
                        {inWords(key.audience)}
                      </Badge>
                      {isEnded(key) ? (
                        <Badge tone="danger">{key.revokedAt ? 'Revoked' : 'Expired'}</Badge>
                      ) : null}
                    </div>
                    <p className="muted small">
                      {key.actor}
                      {key.for === key.actor ? '' : ` for ${key.for}`}
                      {key.trust ? `, trusted up to ${key.trust.maxSensitivity}` : ''}
                      {key.policy === null ? '' : `, policy ${key.policy}`}. Last used{' '}
                      <Time at={key.lastUsedAt} />
                    </p>
                  </div>
                  {isEnded(key) ? null : (
                    <Button small kind="danger" onClick={() => setRevoking(key)}>
                      Revoke …
                    </Button>
                  )}
                </div>
              )}
            />
          </Card>
        )}
      </QueryView>
      {making ? <NewKeyDialog onClose={() => setMaking(false)} /> : null}
      {revoking === null ? null : (
        <ConfirmDialog
          open
          onOpenChange={open => open || setRevoking(null)}
          title={`Revoke “${nameOf(revoking)}”?`}
          description={`This ends 1 key at once, and every key that was made with it. The next request of ${revoking.actor} with it is refused (401).`}
          confirm="Revoke"
          danger
          onConfirm={async () => {
            await privity.keys.revoke(revoking.id)
            await client.invalidateQueries({ queryKey: ['keys'] })
          }}
        />
      )}
    </>
  )
}

interface NewKeyProps {
  readonly onClose: () => void
  /** What the form starts with. */
  readonly audience?: 'owner' | 'agent' | 'host'
  readonly onMade?: (secret: string) => void
}

/** Makes a key. Its secret is shown once. */
export function NewKeyDialog({ onClose, audience: first = 'owner', onMade }: NewKeyProps) {
  const who = useWho()
  const client = useQueryClient()
  const [name, setName] = useState('')
  const [audience, setAudience] = useState<string>(first)
  const [actor, setActor] = useState(first === 'agent' ? 'assistant' : who.actor)
  const [person, setPerson] = useState(who.actor)
  const [sensitivity, setSensitivity] = useState('medium')
  const [secret, setSecret] = useState<string | null>(null)
  const [failure, setFailure] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)
  const isAgent = audience === 'agent'
  const make = async () => {
    setBusy(true)
    setFailure(null)
    try {
      const made = await privity.keys.create({
        name: name.trim(),
        actor: actor.trim(),
        audience: audience as NonNullable<NewKey['audience']>,
        ...(isAgent
          ? {
              for: person.trim(),
              trust: { maxSensitivity: sensitivity } as NonNullable<NewKey['trust']>,
              choosesSession: true,
            }
          : {}),
      })
      await client.invalidateQueries({ queryKey: ['keys'] })
      if (made.secret !== null && onMade !== undefined) onMade(made.secret)
      else setSecret(made.secret)
    } catch (error) {
      const { title, advice } = describeFailure(error)
      setFailure(`${title} ${advice}`)
    } finally {
      setBusy(false)
    }
  }
  if (secret !== null)
    return (
      <Dialog
        open
        onOpenChange={open => open || onClose()}
        title="Your key"
        description="Copy it now. It is shown this once; only a digest of it is stored."
        footer={
          <Button kind="primary" onClick={onClose}>
            Done
          </Button>
        }
      >
        <CopyBlock label="API key" text={secret} />
      </Dialog>
    )
  return (
    <Dialog
      open
      onOpenChange={open => open || onClose()}
      title={first === 'agent' ? 'Connect an agent' : 'Create a key'}
      description="A key can never do more than the one it is made with."
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            kind="primary"
            busy={busy}
            disabled={name.trim() === '' || actor.trim() === ''}
            onClick={make}
          >
            Create the key
          </Button>
        </>
      }
    >
      <TextField
        label="Name"
        hint="To recognise it by."
        value={name}
        onChange={event => setName(event.target.value)}
      />
      <SelectField
        label="For"
        value={audience}
        onChange={event => setAudience(event.target.value)}
        choices={[
          { value: 'owner', label: 'A person' },
          { value: 'agent', label: 'An agent' },
          ...(who.audience === 'host' ? [{ value: 'host', label: 'A host, who runs this tenant' }] : []),
        ]}
      />
      <TextField
        label={isAgent ? 'Name of the agent' : 'Name of the person'}
        value={actor}
        onChange={event => setActor(event.target.value)}
      />
      {isAgent ? (
        <>
          <TextField label="Works for" value={person} onChange={event => setPerson(event.target.value)} />
          <SelectField
            label="May read in full up to"
            hint="It sees the metadata of records one level above, and nothing of the rest."
            choices={SENSITIVITIES}
            value={sensitivity}
            onChange={event => setSensitivity(event.target.value)}
          />
        </>
      ) : null}
      {failure === null ? null : (
        <p className="notice notice-danger" role="alert">
          {failure}
        </p>
      )}
    </Dialog>
  )
}

export const agentsOf = (pages: readonly { keys: readonly Key[] }[]) =>
  pages.flatMap(({ keys }) => keys).filter(key => key.audience === 'agent' && !isEnded(key))

export const countKeys = (keys: readonly Key[]) => count(keys.length, 'agent')
