-- Mediation: who takes part in a session and how far they are, what they were asked to share and decided, and what was
-- retrieved for a turn. What they say and share are records like any other.

-- The people of one process and of those before it. `members` is sorted.
create table privity.relationships (
  tenant_id text not null references privity.tenants,
  relationship_id text not null,
  members text[] not null,
  created_at timestamptz not null,
  primary key (tenant_id, relationship_id),
  unique (tenant_id, members)
);

alter table privity.sessions
  add column state text not null default 'CREATED'
    check (state in ('CREATED', 'INVITED', 'ACTIVE', 'PAUSED', 'RESOLVED', 'ABANDONED')),
  add column title text,
  -- Everybody it is meant for, sorted: who is not among its participants has not joined yet.
  add column members text[] not null default '{}',
  add column updated_at timestamptz;

alter table privity.session_participants
  add column joined_at timestamptz,
  -- When a stage was entered, and when a gate was passed that rests on nothing else but the person's word.
  add column entered jsonb not null default '{}',
  add column confirmed jsonb not null default '{}',
  -- How strongly they felt when they last said so: it tells how much to recall, whatever a stage lets be read.
  add column felt int,
  add column felt_at timestamptz;

create table privity.session_invitations (
  tenant_id text not null,
  session_id text not null,
  actor text not null,
  created_at timestamptz not null,
  -- Who declined is not asked again.
  declined_at timestamptz,
  primary key (tenant_id, session_id, actor),
  foreign key (tenant_id, session_id) references privity.sessions on delete cascade
);
create index session_invitations_by_actor on privity.session_invitations (tenant_id, actor);

-- What a person is asked to share, until they decide. The preview is what the other would read.
create table privity.bridge_requests (
  tenant_id text not null,
  request_id uuid not null,
  session_id text not null,
  owner text not null,
  content_type text not null,
  content_description text not null,
  transformed_preview text not null,
  original_id uuid not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  -- The decision, once there is one.
  consent_record_id uuid,
  -- Since it was seen to have expired: it stays undecided, and can be made anew.
  closed_at timestamptz,
  primary key (tenant_id, request_id),
  foreign key (tenant_id, session_id) references privity.sessions on delete cascade,
  foreign key (tenant_id, original_id) references privity.records on delete cascade
);
create unique index bridge_requests_open
  on privity.bridge_requests (tenant_id, session_id, original_id, content_type)
  where consent_record_id is null and closed_at is null;
create index bridge_requests_by_owner
  on privity.bridge_requests (tenant_id, session_id, owner, created_at, request_id);

alter table privity.consent_records
  add column content_type text,
  add column content_description text,
  -- The original in its owner's vessel, and what was shared of it; either may be forgotten later.
  add column original_id uuid,
  add column content_id uuid;
create index consent_records_by_owner on privity.consent_records (tenant_id, session_id, owner, decided_at);
create index consent_records_revoked on privity.consent_records (tenant_id, consent_record_id, revoked_at);
create index consent_records_active on privity.consent_records (tenant_id, consent_record_id, consent_active);

create index records_by_consent on privity.records (tenant_id, consent_record) where consent_record is not null;
create index records_of_mediation
  on privity.records (tenant_id, vessel, relationship, kind, created_at, record_id)
  where relationship is not null;

-- How a participant orders the strategies of the pool. A place is kept when its strategy leaves. `seen` are the consents
-- of the others' strategies that they had before them: the ranking stands while those do and no others come.
create table privity.strategy_rankings (
  tenant_id text not null,
  session_id text not null,
  actor text not null,
  proposals uuid[] not null,
  seen uuid[] not null,
  submitted_at timestamptz not null,
  primary key (tenant_id, session_id, actor),
  foreign key (tenant_id, session_id) references privity.sessions on delete cascade
);

-- One plan a turn: what was asked for, what ran, and what of it reached the model, by id and never by content.
create table privity.turns (
  tenant_id text not null,
  session_id text not null,
  actor text not null,
  turn_id text not null,
  stage int not null,
  intent text not null,
  depth text not null,
  planner text not null,
  queries jsonb not null,
  items jsonb not null,
  token_budget int not null,
  tokens int not null,
  bundle_digest text not null,
  at timestamptz not null,
  primary key (tenant_id, session_id, actor, turn_id),
  foreign key (tenant_id, session_id) references privity.sessions on delete cascade
);
create index turns_by_time on privity.turns (tenant_id, session_id, actor, at, turn_id);
