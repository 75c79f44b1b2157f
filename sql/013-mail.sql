-- Mail that waits to be sent, written together with what it is about. To whom and what it says is sealed with the keys of
-- the store, and gone once the mail was sent or given up: only when that was stays, and why it failed. When it is sent is
-- by the store's own clock, as several processes share it and theirs may differ.

create table privity.mails (
  tenant_id text not null references privity.tenants,
  mail_id uuid not null,
  -- Address, subject and text; null once it was sent or given up.
  sealed text,
  created_at timestamptz not null,
  -- It is of no use after this, as a code that has ended.
  expires_at timestamptz,
  attempts int not null default 0,
  next_at timestamptz not null default now(),
  -- Until then it is somebody's who is sending it.
  leased_until timestamptz,
  sent_at timestamptz,
  -- Since when it is given up.
  failed_at timestamptz,
  -- Why the last attempt failed.
  failure text,
  primary key (tenant_id, mail_id)
);
create index mails_waiting on privity.mails (tenant_id, next_at) where sealed is not null;
