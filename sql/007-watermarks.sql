-- breaking
-- The registry of watermarks: every copy that left by a link, and what each session displays, has a number (ST-4).

create table privity.watermarks (
  tenant_id text not null,
  number text not null,
  link_id uuid not null,
  profile_id uuid not null,
  -- Null for the number of everything that its session displays.
  download_id uuid,
  record_id uuid,
  kind text not null,
  visibility text not null,
  at timestamptz not null,
  -- Since when copies with it should not exist any more: their link was revoked, and their deletion asked for.
  invalid_at timestamptz,
  primary key (tenant_id, number),
  foreign key (tenant_id, link_id) references privity.share_links,
  foreign key (tenant_id, profile_id) references privity.profiles,
  foreign key (tenant_id, download_id) references privity.downloads
);
create index watermarks_by_link on privity.watermarks (tenant_id, link_id, at);
create unique index watermarks_of_display on privity.watermarks (tenant_id, profile_id) where download_id is null;
create unique index watermarks_by_download on privity.watermarks (tenant_id, download_id) where download_id is not null;

alter table privity.share_links add column watermark_policy jsonb;
-- Nothing was ever marked before.
alter table privity.downloads drop column watermark, drop column watermark_invalid_at;
