-- compatible
-- An index is kept in the background: that of a tenant that was deleted meanwhile must not come back (OP-5).
alter table privity.index_parts add foreign key (tenant_id) references privity.tenants;
