-- compatible
-- A record holds the name that it was written with, and shows that name to whoever does not see everything (NI-10). A row
-- with a folded spelling is a name as it was written: by a caller who could not know whether the owner has a person of
-- that name, or in another spelling than the one that has the key. It shares the consent of the person (PC-7), and is
-- told apart from the person's other names until a record that is seen has those.

alter table privity.people add column spelled text;
create index people_by_spelling on privity.people (tenant_id, owner, spelled) where spelled is not null;
