-- compatible
-- What a tenant does about what is recognised in texts that are written (WR-6); null is the default of the build.
alter table privity.tenants add column label_policy jsonb;
