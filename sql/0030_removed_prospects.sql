-- In each cell.
-- The investors that were removed from the list of a project, the latest first.
create index if not exists prospects_removed on prospects (project_id, removed_at, id)
  where deleted_at is null and removed_at is not null;
