-- Tasks of prospects that were deleted before 0030. The prospects are few, because they are purged, and are locked so that none of
-- them is restored meanwhile.
with gone as (
  select id, deleted_at from prospects
  where deleted_at is not null and exists (select from tasks where prospect_id = prospects.id and tasks.deleted_at is null)
  order by id for update
)
update tasks set deleted_at = gone.deleted_at from gone
where tasks.prospect_id = gone.id and tasks.deleted_at is null;
