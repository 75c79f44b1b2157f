-- compatible
-- Who registered a capability (CP-1); null for what is built in.

alter table privity.capabilities add column registered_by text;
