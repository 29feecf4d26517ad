-- Processes of the previous release leave the tasks of a prospect as they are when they delete or restore it. Until all are replaced,
-- this trigger makes the tasks follow, at the end of the transaction, because a merge deletes a prospect before its tasks move to
-- another one. Of what this release writes, it changes nothing. A later release drops it.
create function follow_prospect_deletion() returns trigger language plpgsql as $$
begin
  update tasks set
    deleted_at = prospects.deleted_at, version = tasks.version + 1, updated_at = prospects.updated_at,
    change_type = case when prospects.deleted_at is null then 'restored' else 'deleted' end,
    change_origin = prospects.change_origin
  from prospects
  where prospects.id = new.id and tasks.prospect_id = prospects.id
    and (tasks.deleted_at is null) <> (prospects.deleted_at is null);
  return null;
end
$$;
create constraint trigger follow_prospect_deletion after update on prospects deferrable initially deferred for each row
  when ((new.deleted_at is null) <> (old.deleted_at is null))
  execute function follow_prospect_deletion();
