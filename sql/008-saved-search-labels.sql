-- breaking
-- What whoever saved a search had been shown, for its name and question may be made of it; null is nothing (WR-2).

alter table privity.saved_searches add column label jsonb;
