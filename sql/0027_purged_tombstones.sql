-- The latest tombstone that was purged from each list: a delta answers 410 only to readers who have not been shown it
-- (docs/adr/0002-transaction-id-horizon.md). `list_id` is the project of its prospects and tasks, or else the team.
create table purged_tombstones (
  team_id uuid not null references teams,
  resource_type text not null,
  list_id uuid not null,
  updated_at timestamptz not null,
  transaction_id xid8 not null,
  primary key (team_id, resource_type, list_id)
);

-- Nobody knows what was purged before. A day less than the 90 days of tombstones covers what processes of the previous release
-- purge after this migration.
insert into purged_tombstones (team_id, resource_type, list_id, updated_at, transaction_id)
select id, resource_type, id, now() - interval '89 days', '0'::xid8
from teams, unnest(array['contact', 'company', 'link', 'project', 'prospect', 'task']) as resource_type
where created_at < now() - interval '89 days'
union all
select team_id, resource_type, id, now() - interval '89 days', '0'::xid8
from projects, unnest(array['prospect', 'task']) as resource_type where created_at < now() - interval '89 days' and deleted_at is null;
