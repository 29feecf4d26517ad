-- What operators asked for in the console that takes long (docs/behaviour/console.md#operation): exports and imports of teams, and restores
-- of what somebody deleted. `team` is a public id; of an import, once its archive was read. `content` is an object in the store of files:
-- the archive. `attempt` is the run of the job that may write here. All of it is kept for 24 hours.
create table team_runs (
  id uuid primary key,
  user_id uuid not null,
  kind text not null check (kind in ('export', 'import', 'restore')),
  team text,
  team_name text,
  options jsonb not null,
  state text not null check (state in ('checking', 'checked', 'running', 'done', 'refused')),
  attempt uuid,
  progress jsonb not null,
  report jsonb,
  detail text,
  file_name text,
  size bigint,
  content uuid,
  created_at timestamptz not null,
  changed_at timestamptz not null
);
