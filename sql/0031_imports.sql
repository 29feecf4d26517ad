-- In each cell.
-- Files that people import in the console, and what became of them (docs/behaviour/imports-and-exports.md#in-the-console). `content` and
-- `receipts` are objects in the store of files; all of it is kept for 24 hours. `attempt` is the run of the job that may write here.
create table imports (
  team_id uuid not null,
  id uuid not null,
  user_id uuid not null,
  kind text not null,
  format text not null,
  file_name text not null,
  size bigint not null,
  content uuid not null,
  header jsonb not null,
  options jsonb not null,
  state text not null check (state in ('uploaded', 'checking', 'checked', 'importing', 'imported', 'refused')),
  attempt uuid,
  counts jsonb not null,
  report jsonb,
  detail text,
  receipts uuid,
  created_at timestamptz not null,
  changed_at timestamptz not null,
  primary key (team_id, id)
);

create index imports_by_age on imports (created_at);

create unique index imports_running on imports (team_id) where state in ('checking', 'importing');
