-- compatible
-- Facts and messages of captured conversations are found again by their key (WR-5).
create index records_by_capture_key on privity.records (tenant_id, owner, (fields ->> 'captureKey'))
  where fields ? 'captureKey';
create index records_by_conversation on privity.records (tenant_id, owner, conversation, turn)
  where conversation is not null;
