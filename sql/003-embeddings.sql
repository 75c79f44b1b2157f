-- breaking
-- Meaning: the vectors of records, by model.

create table privity.embeddings (
  tenant_id text not null,
  record_id uuid not null,
  -- Vectors of different models are never compared; several may stand side by side.
  model text not null,
  -- Of what was embedded: an equal text needs no second call.
  content_hash bytea not null,
  -- Whole numbers of 16 bits; empty where the text holds nothing to embed.
  vector bytea not null,
  primary key (tenant_id, record_id, model),
  foreign key (tenant_id, record_id) references privity.records on delete cascade
);
-- The model last: before the hash, it would tempt a planner without statistics to read all vectors of a model.
create index embeddings_by_content on privity.embeddings (tenant_id, content_hash, model);
alter table privity.embeddings alter column vector set storage external;

-- True where only a vector came: the index has the record already.
alter table privity.changes add column vector boolean not null default false;
