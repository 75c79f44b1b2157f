-- compatible
-- Whose mail it is, what it is about and by which link it came: what its host may know of its delivery (ST-9).
alter table privity.mails
  -- Null for mail that nobody is told of.
  add column owner text,
  add column link_id uuid,
  add column purpose text;
create index mails_by_owner on privity.mails (tenant_id, owner, created_at, mail_id) where owner is not null;
