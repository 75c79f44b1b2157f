-- compatible
-- The log of operations is read newest first, or by what an operation was about.
create index operations_by_time on privity.operations (tenant_id, created_at, operation_id);
create index operations_by_ref on privity.operations using gin (refs);
