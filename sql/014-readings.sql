-- compatible
-- How long recipients looked at what, as their page told it: by session, document and page (ST-11).
create table privity.readings (
  tenant_id text not null,
  profile_id uuid not null,
  link_id uuid not null,
  record_id uuid not null,
  -- 0 for the text of a document, which has no pages.
  page int not null,
  seconds int not null,
  last_at timestamptz not null,
  primary key (tenant_id, profile_id, record_id, page),
  foreign key (tenant_id, profile_id) references privity.profiles,
  foreign key (tenant_id, link_id) references privity.share_links
);
create index readings_by_link on privity.readings (tenant_id, link_id);
