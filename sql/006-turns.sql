-- compatible
-- The conversation that a record is a turn of, its place in it, and who spoke (SC-8).
alter table privity.records
  add column conversation text,
  add column turn integer,
  add column speaker text,
  add constraint records_turn_of_a_conversation check (turn is null or (conversation is not null and turn >= 0));
