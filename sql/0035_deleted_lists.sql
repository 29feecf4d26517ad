-- In each cell.
-- The records of a type that were deleted, the latest first.
create index if not exists deleted_records_list on deleted_records (team_id, type, deleted_at, id) where cause_id is null;
