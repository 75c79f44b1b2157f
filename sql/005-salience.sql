-- breaking
-- The lifecycle of memory: salience fades with time, and may be pinned.

alter table privity.records
  -- When `salience` was what it says; null is since the record was created. What is left of it is worked out on reading.
  add column salience_at timestamptz,
  -- Does not fade.
  add column pinned boolean not null default false;
