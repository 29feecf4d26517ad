-- Data rooms of projects, and the prospects that have access to them.
create table rooms (
  id uuid primary key,
  team_id uuid not null references teams (id),
  version bigint not null,
  transaction_id xid8 not null default pg_current_xact_id(),
  created_at timestamptz not null,
  updated_at timestamptz not null,
  change_type text not null,
  change_origin text not null,
  deleted_at timestamptz,
  project_id uuid not null references projects (id) on delete cascade,
  name text not null,
  status text not null check (status in ('draft', 'open', 'winding_down', 'closed')),
  nda_required boolean not null,
  -- For how long access is granted, such as 30d; null: without an end.
  default_access text,
  opened_at timestamptz,
  -- When its project was closed, while it winds down or since it closed because of that.
  winding_down_at timestamptz,
  closed_at timestamptz,
  open_question_count integer not null default 0
);

create index rooms_list on rooms (project_id, created_at, id);
create index rooms_winding_down on rooms (winding_down_at) where status = 'winding_down' and deleted_at is null;

create table room_access (
  room_id uuid not null references rooms (id) on delete cascade,
  prospect_id uuid not null references prospects (id) on delete cascade,
  team_id uuid not null references teams (id),
  granted_at timestamptz not null,
  granted_by uuid,
  -- A copy of the prospect's access_expires_at, while the access was not withdrawn.
  expires_at timestamptz,
  revoked_at timestamptz,
  -- When it was recorded that the access has expired. It ended at expires_at.
  expired_at timestamptz,
  primary key (room_id, prospect_id)
);

create index room_access_of_prospect on room_access (prospect_id);
create index room_access_expiring on room_access (expires_at)
  where revoked_at is null and expired_at is null and expires_at is not null;
