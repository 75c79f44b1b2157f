-- compatible
-- Files with scanned pages that wait to be recognised, and what was recognised of them so far, so that whoever goes on after
-- a crash does no page twice.
create table privity.recognitions (
  tenant_id text not null,
  source_id uuid not null,
  -- The person for whom the document is made again once all pages are recognised.
  principal text not null,
  -- The scanned pages; null until they are known.
  pages int[],
  -- How often it was begun without getting any further.
  attempts int not null default 0,
  -- Until when one process has it to itself; the one that was looked at longest ago is next.
  claimed_until timestamptz,
  -- Why it is not tried any more.
  problem text,
  created_at timestamptz not null,
  primary key (tenant_id, source_id),
  foreign key (tenant_id, source_id) references privity.sources on delete cascade
);

create table privity.recognised_pages (
  tenant_id text not null,
  source_id uuid not null,
  page int not null,
  engine text not null,
  -- From 0 to 100.
  confidence int not null,
  -- The pieces of text with their places; null if the page could not be recognised.
  items jsonb,
  primary key (tenant_id, source_id, page),
  foreign key (tenant_id, source_id) references privity.sources on delete cascade
);
