-- In each cell.
-- What deleted records held, so that they can be restored. Their tombstones are empty, so that no read shows it. It is purged after 30
-- days, before the tombstones.
create table deleted_records (
  team_id uuid not null,
  type text not null,
  id uuid not null,
  deleted_at timestamptz not null,
  -- Who deleted it. Both are null for the service itself and for the operator.
  user_id uuid,
  client_id uuid,
  -- The contact or company whose deletion took it along. Null if it was deleted itself.
  cause_id uuid,
  -- Its members.
  fields jsonb not null,
  primary key (team_id, type, id)
);

create index deleted_records_purge on deleted_records (deleted_at);

-- What a client or a user deleted: what followed from it comes back with it.
create index deleted_records_by_client on deleted_records (team_id, client_id, type, deleted_at, id)
  where client_id is not null and cause_id is null;

create index deleted_records_by_user on deleted_records (team_id, user_id, type, deleted_at, id)
  where user_id is not null and cause_id is null;

create index deleted_records_by_cause on deleted_records (team_id, cause_id, type, id) where cause_id is not null;

-- What deletions changed elsewhere, such as the seller of a project, with the members as they were before.
create table deletion_effects (
  team_id uuid not null,
  -- The deleted record.
  cause_id uuid not null,
  -- What was changed. A teaser has the id of its property.
  type text not null,
  id uuid not null,
  changed_at timestamptz not null,
  fields jsonb not null,
  primary key (team_id, cause_id, type, id)
);

create index deletion_effects_purge on deletion_effects (changed_at);

-- What is changed no more because it became part of another record.
create index deletion_effects_by_changed on deletion_effects (team_id, type, id);
