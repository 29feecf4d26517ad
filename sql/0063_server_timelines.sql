-- The names of the servers that were the primary: cluster and timeline, of which each promotion begins a new one. Each writes its own
-- name once. A standby that shows it has replayed what was written there, so it follows that primary.

create table server_timelines (name text primary key);
