-- breaking
-- What an agent was shown labels what it writes for a day at most (WR-6). It is kept by the hour in which it was shown, with
-- the records that raised the label, so that a writer can be told which they were.

alter table privity.exposures add column hour timestamptz not null default date_trunc('hour', now());
alter table privity.exposures alter column hour drop default;
alter table privity.exposures add column records uuid[] not null default '{}';
alter table privity.exposures drop constraint exposures_pkey;
alter table privity.exposures add primary key (tenant_id, actor_id, for_id, session, credential, hour);
