-- compatible
-- On a chunk: whether it holds some of the first characters of its document, which a preview shows (OV-1).
alter table privity.records add column opening boolean not null default false;
