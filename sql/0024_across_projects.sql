-- Tasks of a team, across projects: they are deleted and restored with their prospects, and have a delta of their own. 0031 fills
-- `deleted_at` of those whose prospects are deleted already, 0032 adds the indexes. An operator may have added the columns before.
alter table tasks add column if not exists transaction_id xid8 not null default pg_current_xact_id();
alter table tasks add column if not exists deleted_at timestamptz;

-- Processes of the previous release write no `transaction_id`. Until all are replaced, this trigger does. A later release drops it.
create function set_task_transaction() returns trigger language plpgsql as $$
begin
  new.transaction_id := pg_current_xact_id();
  return new;
end
$$;
create trigger set_task_transaction before update on tasks for each row
  when (new.version <> old.version and new.transaction_id = old.transaction_id)
  execute function set_task_transaction();
