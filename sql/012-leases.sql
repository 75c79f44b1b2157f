-- compatible
-- Who runs what is bounded, in whatever process (CP-3). A row goes when its request ends, or counts no more once its
-- time is over: whoever holds one renews it, so that only who died or hangs loses it.

create table privity.capacity_leases (
  tenant_id text not null references privity.tenants,
  lease_class text not null,
  lease_id uuid not null,
  -- The credential that a quota counts for: its key, or pseudonyms of who acts and for whom.
  holder text not null,
  taken_at timestamptz not null,
  expires_at timestamptz not null,
  primary key (tenant_id, lease_class, lease_id)
);

-- How much of a class a tenant may have, as its host says; what the operator gives bounds it.
create table privity.capacities (
  tenant_id text not null references privity.tenants,
  lease_class text not null,
  total int not null,
  per_credential int not null,
  seconds int not null,
  primary key (tenant_id, lease_class)
);
