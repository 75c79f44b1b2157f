-- Documents: the files that cards and segments are made from.

-- One version of one file.
create table privity.sources (
  tenant_id text not null references privity.tenants,
  source_id uuid not null,
  owner text not null,
  -- The name of the file; versions of it are counted among what their writer saw.
  document text not null,
  version int not null,
  -- The card that was made of it. A file that was not read, or could not be, has none.
  record_id uuid,
  -- The card that it takes the place of once it is read. What is forgotten takes along what waits to replace it.
  follows uuid,
  -- Whether it comes out under no stricter label than the card that it follows: whoever sees that may know of it.
  as_followed boolean not null,
  -- What it lies in, as an overlay names it.
  targets text[] not null,
  corpus text not null,
  filing_unit text,
  version_kind text,
  media_type text,
  sha256 bytea not null,
  size int not null,
  state text not null,
  problem text,
  pages int,
  characters int,
  segments int,
  -- What was given with it, and what was found in it.
  metadata jsonb not null,
  found jsonb,
  -- Everything else that was asked for, for whoever reads it later.
  asked jsonb not null,
  binding_id uuid,
  created_at timestamptz not null,
  extracted_at timestamptz,
  primary key (tenant_id, source_id),
  foreign key (tenant_id, record_id) references privity.records on delete cascade,
  foreign key (tenant_id, follows) references privity.records on delete cascade
);
create unique index sources_by_record on privity.sources (tenant_id, record_id) where record_id is not null;
create index sources_by_follows on privity.sources (tenant_id, follows) where follows is not null;
create index sources_by_document on privity.sources (tenant_id, owner, document, version);
create index sources_by_owner on privity.sources (tenant_id, owner, created_at, source_id);

create table privity.source_contents (
  tenant_id text not null,
  source_id uuid not null,
  bytes bytea not null,
  primary key (tenant_id, source_id),
  foreign key (tenant_id, source_id) references privity.sources on delete cascade
);
alter table privity.source_contents alter column bytes set storage external;

create index records_by_document on privity.records (tenant_id, owner, document) where document is not null;
