-- The list and the delta of the prospects of a team, across projects. On large tables, an operator creates these indexes before
-- (CHANGELOG.md).
create index if not exists prospects_of_team on prospects (team_id, created_at, id) where deleted_at is null and removed_at is null;
create index if not exists prospects_of_team_with_deleted on prospects (team_id, created_at, id);
create index if not exists prospects_of_team_delta on prospects (team_id, updated_at, id);
create index if not exists prospects_of_team_by_classification on prospects (team_id, classification, created_at, id)
  where deleted_at is null and removed_at is null;
create index if not exists prospects_of_team_by_interest on prospects (team_id, interest, created_at, id)
  where deleted_at is null and removed_at is null;
create index if not exists prospects_of_team_by_stage on prospects (team_id, stage, created_at, id)
  where deleted_at is null and removed_at is null;
create index if not exists prospects_of_team_communicated on prospects (team_id, created_at, id)
  where deleted_at is null and removed_at is null and teaser_communicated_at is not null;
create index if not exists prospects_of_team_accepted on prospects (team_id, created_at, id)
  where deleted_at is null and removed_at is null and accepted;
create index if not exists prospects_of_team_chat on prospects (team_id, created_at, id)
  where deleted_at is null and removed_at is null and chat;
create index if not exists prospects_of_team_invitation on prospects (team_id, created_at, id)
  where deleted_at is null and removed_at is null and invitation;
create index if not exists prospects_of_team_tags on prospects using gin (team_id, tags) where deleted_at is null and tags <> '{}';
create index if not exists prospects_of_team_project_tags on prospects using gin (team_id, project_tag_keys)
  where deleted_at is null and project_tag_keys <> '{}';

-- The same of tasks.
create index if not exists tasks_of_team on tasks (team_id, created_at, id) where deleted_at is null;
create index if not exists tasks_of_team_with_deleted on tasks (team_id, created_at, id);
create index if not exists tasks_of_team_delta on tasks (team_id, updated_at, id);
create index if not exists tasks_of_team_by_state on tasks (team_id, state, created_at, id) where deleted_at is null;
create index if not exists tasks_of_assignee on tasks (team_id, assignee_id, created_at, id) where deleted_at is null;
create index if not exists tasks_open_of_assignee on tasks (team_id, assignee_id, created_at, id)
  where deleted_at is null and state = 'open';
create index if not exists tasks_of_team_due on tasks (team_id, due_date, prospect_id) where state = 'open' and deleted_at is null;
create index if not exists tasks_of_project on tasks (project_id, created_at, id) where deleted_at is null;
create index if not exists tasks_of_project_delta on tasks (project_id, updated_at, id);
