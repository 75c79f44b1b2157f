import type { ParticipantProgress } from '../../policy/stages.js'
import type { Transaction } from '../database.js'
import type { TimeKey } from './time-key.js'

export const SESSION_STATES = ['CREATED', 'INVITED', 'ACTIVE', 'PAUSED', 'RESOLVED', 'ABANDONED'] as const
export type SessionState = (typeof SESSION_STATES)[number]

export interface ParticipantRow {
  readonly actor: string
  readonly stage: number
  readonly joinedAt: string | null
  /** The times at which stages were entered, by stage number. */
  readonly entered: Readonly<Record<string, string>>
  /** The times at which the person confirmed gates, by gate name. */
  readonly confirmed: Readonly<Record<string, string>>
  /** The emotional intensity that the person last reported, from 1 to 10. */
  readonly felt: number | null
  readonly feltAt: string | null
}

export interface SessionRow {
  readonly sessionId: string
  readonly relationship: string
  readonly state: SessionState
  readonly title: string | null
  /** Everybody for whom the session is meant, joined or not. */
  readonly members: readonly string[]
  readonly createdAt: Date
  readonly updatedAt: Date
  /** The members who have joined. */
  readonly participants: readonly ParticipantRow[]
  readonly invited: readonly string[]
}

const COLUMNS = `
    s.session_id as "sessionId",
    s.relationship,
    s.state,
    s.title,
    s.members,
    s.created_at as "createdAt",
    coalesce(s.updated_at, s.created_at) as "updatedAt",
    coalesce(
      (select jsonb_agg(
         jsonb_build_object(
           'actor', p.actor, 'stage', p.stage, 'joinedAt', p.joined_at, 'entered', p.entered, 'confirmed', p.confirmed,
           'felt', p.felt, 'feltAt', p.felt_at)
         order by p.actor)
       from privity.session_participants p
       where p.tenant_id = s.tenant_id
         and p.session_id = s.session_id),
      '[]'
    ) as "participants",
    array(
      select i.actor
      from privity.session_invitations i
      where i.tenant_id = s.tenant_id
        and i.session_id = s.session_id
        and i.declined_at is null
      order by i.actor
    ) as "invited"`

export async function loadSession(
  tx: Transaction,
  tenant: string,
  session: string,
): Promise<SessionRow | undefined> {
  const [row] = await tx.query<SessionRow>(LOAD_SESSION, [tenant, session])
  return row
}

const LOAD_SESSION = `
  select ${COLUMNS}
  from privity.sessions s
  where s.tenant_id = $1
    and s.session_id = $2`

/** Whether a person takes part in a session or is invited to it. */
const isKnownTo = (actor: string) => `(
      exists (
        select 1
        from privity.session_participants p
        where p.tenant_id = s.tenant_id
          and p.session_id = s.session_id
          and p.actor = ${actor})
      or exists (
        select 1
        from privity.session_invitations i
        where i.tenant_id = s.tenant_id
          and i.session_id = s.session_id
          and i.actor = ${actor}
          and i.declined_at is null))`

/** The sessions in which a person takes part or to which they are invited, or all of them, newest first. */
export function listSessions(
  tx: Transaction,
  tenant: string,
  actor: string | null,
  states: readonly string[] | null,
  before: TimeKey | null,
  limit: number,
): Promise<SessionRow[]> {
  return tx.query<SessionRow>(LIST_SESSIONS, [
    tenant,
    actor,
    states,
    before?.createdAt ?? null,
    before?.id ?? null,
    limit,
  ])
}

const LIST_SESSIONS = `
  select ${COLUMNS}
  from privity.sessions s
  where s.tenant_id = $1
    and ($2::text is null or ${isKnownTo('$2')})
    and ($3::text[] is null or s.state = any ($3))
    and ($4::timestamptz is null or (s.created_at, s.session_id) < ($4, $5))
  order by s.created_at desc, s.session_id desc
  limit $6`

/** Every session that is meant for a person, whether or not they know of it. */
export async function listSessionsMeantFor(
  tx: Transaction,
  tenant: string,
  actor: string,
): Promise<string[]> {
  const rows = await tx.query<{ id: string }>(SESSIONS_MEANT_FOR, [tenant, actor])
  return rows.map(({ id }) => id)
}

const SESSIONS_MEANT_FOR = `
  select session_id as "id"
  from privity.sessions
  where tenant_id = $1
    and $2 = any (members)
  order by session_id`

/** The sessions of a relationship in which a person takes part, newest first: their times, and how they ended. */
export function listSessionsOfRelationship(
  tx: Transaction,
  tenant: string,
  actor: string,
  relationship: string,
  limit: number,
): Promise<Pick<SessionRow, 'sessionId' | 'state' | 'createdAt' | 'updatedAt'>[]> {
  return tx.query(SESSIONS_OF_RELATIONSHIP, [tenant, actor, relationship, limit])
}

const SESSIONS_OF_RELATIONSHIP = `
  select
    s.session_id as "sessionId",
    s.state,
    s.created_at as "createdAt",
    coalesce(s.updated_at, s.created_at) as "updatedAt"
  from privity.sessions s
  join privity.session_participants p using (tenant_id, session_id)
  where s.tenant_id = $1
    and p.actor = $2
    and s.relationship = $3
  order by s.created_at desc, s.session_id desc
  limit $4`

/** Finds the relationship of exactly these people, or creates it. */
export async function ensureRelationship(
  tx: Transaction,
  tenant: string,
  newId: string,
  members: readonly string[],
  now: Date,
): Promise<string> {
  await tx.query(INSERT_RELATIONSHIP, [tenant, newId, members, now])
  const [row] = await tx.query<{ relationship: string }>(FIND_RELATIONSHIP, [tenant, members])
  if (row === undefined) throw new Error('the relationship is not there')
  return row.relationship
}

const INSERT_RELATIONSHIP = `
  insert into privity.relationships (tenant_id, relationship_id, members, created_at)
  values ($1, $2, $3::text[], $4)
  on conflict (tenant_id, members) do nothing`

const FIND_RELATIONSHIP = `
  select relationship_id as "relationship"
  from privity.relationships
  where tenant_id = $1
    and members = $2::text[]`

/**
 * The time of a person's first session in a relationship. Whether somebody else had a session in mind before is known
 * only to them.
 */
export async function loadFirstSessionTime(
  tx: Transaction,
  tenant: string,
  actor: string,
  relationship: string,
): Promise<Date | null> {
  const [row] = await tx.query<{ at: Date | null }>(FIRST_SESSION_AT, [tenant, actor, relationship])
  return row?.at ?? null
}

const FIRST_SESSION_AT = `
  select min(s.created_at) as "at"
  from privity.sessions s
  join privity.session_participants p using (tenant_id, session_id)
  where s.tenant_id = $1
    and p.actor = $2
    and s.relationship = $3`

export async function insertSession(
  tx: Transaction,
  tenant: string,
  session: Pick<SessionRow, 'sessionId' | 'relationship' | 'state' | 'title' | 'members'>,
  now: Date,
): Promise<void> {
  const { sessionId, relationship, state, title, members } = session
  await tx.query(INSERT_SESSION, [tenant, sessionId, relationship, state, title, members, now])
}

const INSERT_SESSION = `
  insert into privity.sessions
    (tenant_id, session_id, relationship, state, title, members, created_at, updated_at)
  values ($1, $2, $3, $4, $5, $6::text[], $7, $7)`

/** Adds a participant, at stage 0. */
export async function insertParticipant(
  tx: Transaction,
  tenant: string,
  session: string,
  actor: string,
  now: Date,
): Promise<void> {
  await tx.query(INSERT_PARTICIPANT, [tenant, session, actor, now, JSON.stringify({ 0: now.toISOString() })])
}

const INSERT_PARTICIPANT = `
  insert into privity.session_participants (tenant_id, session_id, actor, stage, joined_at, entered)
  values ($1, $2, $3, 0, $4, $5::jsonb)`

/** Invites people; returns those who had not been invited before. */
export async function insertInvitations(
  tx: Transaction,
  tenant: string,
  session: string,
  actors: readonly string[],
  now: Date,
): Promise<string[]> {
  const rows = await tx.query<{ actor: string }>(INSERT_INVITATIONS, [tenant, session, actors, now])
  return rows.map(row => row.actor)
}

const INSERT_INVITATIONS = `
  insert into privity.session_invitations (tenant_id, session_id, actor, created_at)
  select $1, $2, actor, $4
  from unnest($3::text[]) as invited (actor)
  on conflict do nothing
  returning actor`

export async function deleteInvitation(
  tx: Transaction,
  tenant: string,
  session: string,
  actor: string,
): Promise<void> {
  await tx.query(DELETE_INVITATION, [tenant, session, actor])
}

const DELETE_INVITATION = `
  delete from privity.session_invitations
  where tenant_id = $1
    and session_id = $2
    and actor = $3`

export async function declineInvitation(
  tx: Transaction,
  tenant: string,
  session: string,
  actor: string,
  now: Date,
): Promise<void> {
  await tx.query(DECLINE_INVITATION, [tenant, session, actor, now])
}

const DECLINE_INVITATION = `
  update privity.session_invitations
  set declined_at = $4
  where tenant_id = $1
    and session_id = $2
    and actor = $3`

/**
 * Counts the sessions of a relationship that have neither begun nor been abandoned: those in which a person takes
 * part or to which they are invited or, with null, all of them, for a caller who opens sessions for others. A session
 * whose creator has invited nobody counts only for its creator.
 */
export async function countUnanswered(
  tx: Transaction,
  tenant: string,
  relationship: string,
  actor: string | null,
): Promise<number> {
  const [row] = await tx.query<{ count: number }>(COUNT_UNANSWERED, [tenant, relationship, actor])
  return row?.count ?? 0
}

const COUNT_UNANSWERED = `
  select count(*)::int as "count"
  from privity.sessions s
  where s.tenant_id = $1
    and s.relationship = $2
    and s.state in ('CREATED', 'INVITED')
    and ($3::text is null or ${isKnownTo('$3')})`

export async function setSessionState(
  tx: Transaction,
  tenant: string,
  session: string,
  state: SessionState,
  now: Date,
): Promise<void> {
  await tx.query(SET_STATE, [tenant, session, state, now])
}

const SET_STATE = `
  update privity.sessions
  set state = $3, updated_at = $4
  where tenant_id = $1
    and session_id = $2`

/** Records that a participant enters a stage. */
export async function enterStage(
  tx: Transaction,
  tenant: string,
  session: string,
  actor: string,
  stage: number,
  now: Date,
): Promise<void> {
  await tx.query(ENTER_STAGE, [tenant, session, actor, stage, JSON.stringify({ [stage]: now.toISOString() })])
}

const ENTER_STAGE = `
  update privity.session_participants
  set stage = $4, entered = entered || $5::jsonb
  where tenant_id = $1
    and session_id = $2
    and actor = $3`

/** Records that a participant confirms a gate. The first time counts. */
export async function confirmGate(
  tx: Transaction,
  tenant: string,
  session: string,
  actor: string,
  gate: string,
  now: Date,
): Promise<void> {
  await tx.query(CONFIRM_GATE, [tenant, session, actor, JSON.stringify({ [gate]: now.toISOString() })])
}

const CONFIRM_GATE = `
  update privity.session_participants
  set confirmed = $4::jsonb || confirmed
  where tenant_id = $1
    and session_id = $2
    and actor = $3`

/** Records the emotional intensity that a participant reports. */
export async function saveIntensity(
  tx: Transaction,
  tenant: string,
  session: string,
  actor: string,
  intensity: number,
  now: Date,
): Promise<void> {
  await tx.query(NOTE_FELT, [tenant, session, actor, intensity, now])
}

const NOTE_FELT = `
  update privity.session_participants
  set felt = $4, felt_at = $5
  where tenant_id = $1
    and session_id = $2
    and actor = $3`

/** Deletes a participant's ranking and emotional intensity from a session. */
export async function eraseRankingAndIntensity(
  tx: Transaction,
  tenant: string,
  session: string,
  actor: string,
): Promise<void> {
  await tx.query(ERASE_RANKING, [tenant, session, actor])
  await tx.query(ERASE_FELT, [tenant, session, actor])
}

const ERASE_RANKING = `
  delete from privity.strategy_rankings
  where tenant_id = $1
    and session_id = $2
    and actor = $3`

const ERASE_FELT = `
  update privity.session_participants
  set felt = null, felt_at = null
  where tenant_id = $1
    and session_id = $2
    and actor = $3`

/** Deletes a session and all rows that depend on it, except its records, which are deleted separately. */
export async function deleteSessionRows(tx: Transaction, tenant: string, session: string): Promise<void> {
  await tx.query(DELETE_SESSION, [tenant, session])
}

const DELETE_SESSION = `
  delete from privity.sessions
  where tenant_id = $1
    and session_id = $2`

/** A participant's progress, as far as stored facts show it. */
export interface ProgressRow extends ParticipantProgress {
  readonly actor: string
  readonly agreementCreated: boolean
  /** The strategies of the pool that this participant ranked highest. */
  readonly favourites: readonly string[]
}

/** The number of top places in a ranking that count for an overlap. */
export const FIRST_PLACES = 3

const isStanding = (consent: string) => `exists (
        select 1
        from privity.consent_records c
        where c.tenant_id = r.tenant_id
          and c.consent_record_id = ${consent}
          and c.decision = 'GRANTED'
          and c.revoked_at is null
          and c.consent_active)`

/** Whether everything on which a record is based is still shared. */
const INPUTS_STAND = `not exists (
          select 1
          from unnest(r.input_consents) as input (id)
          where not ${isStanding('input.id')})`

/** Whether this participant has a shared record of a kind whose consents are in force. */
const shares = (kind: string, more = '') => `exists (
      select 1
      from privity.records r
      where r.tenant_id = p.tenant_id
        and r.vessel = 'shared'
        and r.session = p.session_id
        and r.kind = '${kind}'
        and r.owner = p.actor
        and ${isStanding('r.consent_record')}
        and ${INPUTS_STAND}${more})`

/**
 * The progress of all participants of a session (RC-9). It reads the vessels of all of them, so it requires a role
 * that may, and only what gates say about the result may be shown.
 */
export function loadProgress(tx: Transaction, tenant: string, session: string): Promise<ProgressRow[]> {
  return tx.query<ProgressRow>(LOAD_PROGRESS, [tenant, session])
}

const LOAD_PROGRESS = `
  select
    p.actor,
    p.stage,
    p.confirmed ? 'compactSigned' as "compactSigned",
    p.confirmed ? 'feelHeardConfirmed' as "feelHeardConfirmed",
    exists (
      select 1
      from privity.records r
      where r.tenant_id = p.tenant_id
        and r.vessel = 'user'
        and r.session = p.session_id
        and r.owner = p.actor
        and r.kind = 'empathy_draft'
        and r.lifecycle = 'active'
        and r.fields @> '{"ready": true}') as "empathyDraftReady",
    ${shares('empathy_attempt')} as "empathyConsented",
    ${shares(
      'empathy_attempt',
      `
        and not exists (
          select 1
          from privity.session_participants other
          where other.tenant_id = p.tenant_id
            and other.session_id = p.session_id
            and other.actor <> p.actor
            and not coalesce(r.fields -> 'validatedBy' ? other.actor, false))`,
    )} as "empathyValidated",
    exists (
      select 1
      from privity.records r
      where r.tenant_id = p.tenant_id
        and r.vessel = 'user'
        and r.session = p.session_id
        and r.owner = p.actor
        and r.kind = 'need'
        and r.lifecycle = 'active'
        and r.confirmed) as "needsConfirmed",
    exists (
      select 1
      from privity.records r
      where r.tenant_id = p.tenant_id
        and r.vessel = 'shared'
        and r.session = p.session_id
        and r.kind = 'common_ground'
        and r.fields -> 'confirmedBy' ? p.actor
        and ${INPUTS_STAND}) as "commonGroundConfirmed",
    ${shares('strategy_proposal')} as "strategiesSubmitted",
    exists (
      select 1
      from privity.strategy_rankings k
      where k.tenant_id = p.tenant_id
        and k.session_id = p.session_id
        and k.actor = p.actor) as "rankingsSubmitted",
    exists (
      select 1
      from privity.records r
      where r.tenant_id = p.tenant_id
        and r.vessel = 'shared'
        and r.session = p.session_id
        and r.kind = 'agreement'
        and r.confirmed) as "agreementCreated",
    array(
      select r.record_id
      from privity.strategy_rankings k
      join privity.records r on r.tenant_id = k.tenant_id and r.record_id = any (k.proposals[1:${FIRST_PLACES}])
      where k.tenant_id = p.tenant_id
        and k.session_id = p.session_id
        and k.actor = p.actor
        and r.kind = 'strategy_proposal'
        and ${isStanding('r.consent_record')}
        and ${INPUTS_STAND}
      order by r.record_id) as "favourites"
  from privity.session_participants p
  where p.tenant_id = $1
    and p.session_id = $2
  order by p.actor`
