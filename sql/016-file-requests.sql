-- compatible
-- Links that show nothing and only take files in (ST-12).
alter table privity.share_links
  -- What is asked for, and where it is filed; null for a link that shares views.
  add column file_request jsonb;
