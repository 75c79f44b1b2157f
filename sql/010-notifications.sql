-- What happened that concerns somebody, and where else to tell of it. A notification says of what it speaks by ids, and
-- never holds a word of it (CB-8).

create table privity.notifications (
  tenant_id text not null references privity.tenants,
  notification_id uuid not null,
  -- The name of an actor.
  recipient text not null,
  type text not null,
  session_id text,
  refs jsonb not null,
  created_at timestamptz not null,
  read_at timestamptz,
  primary key (tenant_id, notification_id)
);
create index notifications_by_recipient
  on privity.notifications (tenant_id, recipient, created_at, notification_id);
create index notifications_unread on privity.notifications (tenant_id, recipient) where read_at is null;

create table privity.webhooks (
  tenant_id text not null references privity.tenants,
  webhook_id uuid not null,
  url text not null,
  -- Null is all of them.
  types text[],
  description text,
  -- What signs its deliveries, so that it has to be readable: sealed with the keys of the store.
  secret text not null,
  -- A pseudonym.
  created_by uuid not null,
  created_at timestamptz not null,
  -- Since its receiver said that it is gone.
  disabled_at timestamptz,
  last_success_at timestamptz,
  last_failure_at timestamptz,
  last_failure text,
  -- How many deliveries were tried for too long.
  given_up int not null default 0,
  primary key (tenant_id, webhook_id)
);

-- What waits to be sent, written together with what it tells of. A row goes once it has arrived or is given up. All its
-- times are those of the store's own clock: several processes share it, and theirs may differ.
create table privity.webhook_deliveries (
  tenant_id text not null,
  delivery_id uuid not null,
  webhook_id uuid not null,
  -- Null is a ping.
  notification_id uuid,
  created_at timestamptz not null default now(),
  attempts int not null default 0,
  next_at timestamptz not null default now(),
  -- Until then it is somebody's who is sending it.
  leased_until timestamptz,
  primary key (tenant_id, delivery_id),
  foreign key (tenant_id, webhook_id) references privity.webhooks on delete cascade,
  foreign key (tenant_id, notification_id) references privity.notifications on delete cascade
);
create index webhook_deliveries_by_webhook on privity.webhook_deliveries (tenant_id, webhook_id, next_at);
create index webhook_deliveries_by_notification on privity.webhook_deliveries (tenant_id, notification_id);
