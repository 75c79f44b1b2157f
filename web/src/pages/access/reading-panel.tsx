import { useInfiniteQuery } from '@tanstack/react-query'
import { Clock } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'wouter'
import { Badge } from '../../components/badge'
import { Button } from '../../components/button'
import { CopyButton } from '../../components/copy-button'
import { ConfirmDialog } from '../../components/dialog'
import { SelectField } from '../../components/field'
import { Card } from '../../components/page'
import { EmptyState, QueryView } from '../../components/states'
import { Time } from '../../components/time'
import { VirtualList } from '../../components/virtual-list'
import { privity } from '../../lib/api'
import { count } from '../../lib/format'
import { useAction } from '../../lib/use-action'
import { settingInWords } from '../shares/link-words'
import { NewSessionDialog } from './new-session-dialog'
import {
  limitsOf,
  POLICY_KINDS,
  type Profile,
  readerOf,
  SESSION_KINDS,
  type SessionKind,
  stateInWords,
} from './session-words'

const CHOICES = [{ value: 'all', label: 'All sessions' }, ...SESSION_KINDS]

/** How callers read: every session with its rules, and its end. */
export function ReadingPanel() {
  const [kind, setKind] = useState('all')
  const [making, setMaking] = useState(false)
  const query = useInfiniteQuery({
    queryKey: ['profiles', kind],
    queryFn: ({ pageParam }) =>
      privity.profiles.list({
        limit: 50,
        ...(kind === 'all' ? {} : { sessionKind: kind as SessionKind }),
        ...(pageParam ? { cursor: pageParam } : {}),
      }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ cursor }) => cursor,
  })
  const add = (
    <Button kind="primary" onClick={() => setMaking(true)}>
      Limit a session
    </Button>
  )
  return (
    <>
      <div className="row-between">
        <SelectField
          label="Show"
          choices={CHOICES}
          value={kind}
          onChange={event => setKind(event.target.value)}
        />
        {add}
      </div>
      <QueryView
        query={query}
        empty={{
          when: ({ pages }) => pages[0]?.profiles.length === 0,
          show: (
            <EmptyState icon={<Clock size={28} aria-hidden />} title="No sessions here">
              Whoever opens a share link gets a session with the rules of the link. You can also write rules
              for a program that uses your own key, for example at most 20 searches an hour.
            </EmptyState>
          ),
        }}
      >
        {({ pages }) => (
          <Card>
            <VirtualList
              label="Sessions"
              items={pages.flatMap(({ profiles }) => profiles)}
              keyOf={({ profile, profileState }) => `${profile} ${profileState}`}
              hasMore={query.hasNextPage}
              onEnd={() => void query.fetchNextPage()}
              render={profile => <SessionLine profile={profile} />}
            />
          </Card>
        )}
      </QueryView>
      {making ? <NewSessionDialog onClose={() => setMaking(false)} /> : null}
    </>
  )
}

function SessionLine({ profile }: { readonly profile: Profile }) {
  const { act, busy } = useAction()
  const [ending, setEnding] = useState<'revoke' | 'discard' | null>(null)
  const { profile: id, profileState } = profile
  const state = stateInWords(profileState)
  const limits = limitsOf(profile)
  return (
    <div className="stack-tight">
      <div className="row-between">
        <div className="grow">
          <div className="row">
            <strong className="wrap-anywhere">{readerOf(profile)}</strong>
            <Badge tone={state.tone}>{state.label}</Badge>
          </div>
          <p className="muted small">
            Began <Time at={profile.createdAt} />
            {profile.expiresAt === null ? (
              ''
            ) : (
              <>
                , ends <Time at={profile.expiresAt} />
              </>
            )}
            . {limits.length === 0 ? 'No limits of its own.' : `At most ${limits.join(', ')}.`}
          </p>
        </div>
        <div className="row">
          {profileState === 'draft' ? (
            <>
              <Button
                small
                kind="primary"
                busy={busy}
                onClick={() => void act(() => privity.profiles.activate(id), 'The session is active.')}
              >
                Activate
              </Button>
              <Button small onClick={() => setEnding('discard')}>
                Discard …
              </Button>
            </>
          ) : null}
          {profileState === 'active' ? (
            <Button
              small
              busy={busy}
              onClick={() =>
                void act(
                  () => privity.profiles.suspend({ profile: id }),
                  'The session is suspended. Nothing is answered in it until you resume it.',
                )
              }
            >
              Suspend
            </Button>
          ) : null}
          {profileState === 'suspended' ? (
            <Button
              small
              busy={busy}
              onClick={() => void act(() => privity.profiles.resume(id), 'The session goes on.')}
            >
              Resume
            </Button>
          ) : null}
          {profileState === 'active' || profileState === 'suspended' ? (
            <Button small onClick={() => setEnding('revoke')}>
              Revoke …
            </Button>
          ) : null}
        </div>
      </div>
      <details className="small">
        <summary>Rules</summary>
        <Rules profile={profile} />
      </details>
      {ending === null ? null : <EndDialog how={ending} id={id} onClose={() => setEnding(null)} act={act} />}
    </div>
  )
}

function Rules({ profile }: { readonly profile: Profile }) {
  const named = POLICY_KINDS.filter(({ ref }) => profile[ref] !== null)
  return (
    <dl className="facts small">
      <dt>Sees</dt>
      <dd>
        {profile.sharedCorpusViewRefs.length === 0
          ? 'Whatever its caller may see'
          : `Only what ${count(profile.sharedCorpusViewRefs.length, 'view shows', 'views show')}`}
        {profile.visibilityClassCeiling === null
          ? ''
          : `, up to ${settingInWords(profile.visibilityClassCeiling).toLowerCase()}`}
      </dd>
      {named.map(({ kind, ref, label }) => (
        <PolicyRow key={kind} label={label} name={profile[ref] ?? ''} />
      ))}
      {profile.idleAt === null ? null : (
        <>
          <dt>Ends without use</dt>
          <dd>
            <Time at={profile.idleAt} />
          </dd>
        </>
      )}
      {profile.shareTokenId === null ? null : (
        <>
          <dt>Came by</dt>
          <dd>
            <Link href={`/shares/${profile.shareTokenId}`}>this share link</Link>
          </dd>
        </>
      )}
      {profile.sessionKind !== 'host_session' ? null : (
        <>
          <dt>To use it</dt>
          <dd className="row">
            <span>
              Send the header <code className="wrap-anywhere">Privity-Profile: {profile.profile}</code>
            </span>
            <CopyButton text={`Privity-Profile: ${profile.profile}`} />
          </dd>
        </>
      )}
    </dl>
  )
}

const PolicyRow = ({ label, name }: { readonly label: string; readonly name: string }) => (
  <>
    <dt>{label}</dt>
    <dd>As the policy “{name}” says</dd>
  </>
)

function EndDialog({
  how,
  id,
  act,
  onClose,
}: {
  readonly how: 'revoke' | 'discard'
  readonly id: string
  readonly act: ReturnType<typeof useAction>['act']
  readonly onClose: () => void
}) {
  const revokes = how === 'revoke'
  return (
    <ConfirmDialog
      open
      onOpenChange={open => open || onClose()}
      title={revokes ? 'Revoke this session?' : 'Discard this draft?'}
      description={
        revokes
          ? '1 session ends for good. Whoever reads in it is refused from the next request on.'
          : '1 draft is deleted. Nobody has used it.'
      }
      confirm={revokes ? 'Revoke' : 'Discard'}
      danger
      onConfirm={() =>
        act(
          () => (revokes ? privity.profiles.revoke({ profile: id }) : privity.profiles.discard(id)),
          revokes ? 'The session has ended.' : 'The draft is gone.',
        )
      }
    />
  )
}
