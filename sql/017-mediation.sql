-- breaking
-- A turn can be asked for again with the same words (RC-12). What is given to the library waits for a host (RC-14).
alter table privity.turns
  -- A digest of what was asked; null for turns from before, which cannot be asked for again.
  add column asked bytea;

alter table privity.library_contributions
  -- When a host let it into the library; null while it waits.
  add column approved_at timestamptz;
update privity.library_contributions set approved_at = opted_in_at;
drop index privity.library_contributions_standing;
create index library_contributions_standing
  on privity.library_contributions (tenant_id, opted_in_at, entry_id)
  where withdrawn_at is null and approved_at is not null;
create index library_contributions_waiting
  on privity.library_contributions (tenant_id, opted_in_at, entry_id)
  where withdrawn_at is null and approved_at is null;

-- Experiments with a time to say how they go (RC-20).
create index experiments_to_check_in on privity.records (tenant_id, (fields ->> 'checkInAt'))
  where kind = 'micro_experiment' and fields ? 'checkInAt';
