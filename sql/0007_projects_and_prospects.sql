-- Sales that a team runs, the investors that it offers them to, and what is to be done about each.

-- A sale of properties.
create table projects (
  id uuid primary key,
  team_id uuid not null references teams (id),
  version bigint not null,
  transaction_id xid8 not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  change_type text not null,
  change_origin text not null,
  deleted_at timestamptz,
  name text,
  description text,
  is_portfolio boolean,
  property_count integer,
  property_ids uuid[] not null default '{}',
  exclusivity text,
  owner_id uuid,
  published_at timestamptz,
  communicated_at timestamptz,
  -- When somebody first got access to a room: from then on it is open, whether or not it was communicated.
  room_opened_at timestamptz,
  closed_at timestamptz,
  -- What a tombstone answers with, and what a restore brings back.
  deleted_refs jsonb,
  -- When its content was removed for good: only the tombstone is left.
  purged_at timestamptz,
  -- Whether somebody wrote `property_count`: else it follows `property_ids`.
  property_count_written boolean,
  -- The contact who sells: their user sees the project as an offer of the category `selling`.
  seller_contact_id uuid
);

create index projects_list on projects (team_id, created_at, id) where deleted_at is null;
create index projects_list_with_deleted on projects (team_id, created_at, id);
create index projects_delta on projects (team_id, updated_at, id);
create index projects_tombstones on projects (deleted_at) where deleted_at is not null;
create index projects_to_purge on projects (deleted_at) where deleted_at is not null and purged_at is null;

-- The projects that list a property that is deleted.
create index projects_listing on projects
  using gin (team_id, property_ids) where deleted_at is null and property_ids <> '{}';
-- The projects whose seller is a contact, for what follows a merge or the deletion of that contact.
create index projects_of_seller on projects (team_id, seller_contact_id)
  where deleted_at is null and seller_contact_id is not null;

-- Investors on projects. What a contact or company answers in its prospects (name, address, tags) is copied, so that the
-- lists of a project are found, filtered and paged by the indexes of this table alone.
create table prospects (
  id uuid primary key,
  team_id uuid not null references teams (id),
  version bigint not null,
  transaction_id xid8 not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  change_type text not null,
  change_origin text not null,
  deleted_at timestamptz,
  project_id uuid not null references projects (id) on delete cascade,
  -- Of the project, which never changes: the lists of one investor's projects are in its order.
  project_created_at timestamptz not null,
  contact_id uuid,
  company_id uuid,
  name text,
  email text,
  domain text,
  country text,
  tags text[] not null default '{}',
  classification text,
  interest text,
  stage text,
  -- The highest stage that milestones reached, in all and since the latest override (src/deals/prospects/rules.ts).
  milestone_stage text,
  milestone_stage_since_override text,
  override_stage text,
  override_by uuid,
  override_at timestamptz,
  override_reason text,
  owner_id uuid,
  project_tags text[] not null default '{}',
  -- The same in lower case: filters do not tell case.
  project_tag_keys text[] not null default '{}',
  access_expires_at timestamptz,
  teaser_communicated_at timestamptz,
  room_access_at timestamptz,
  accepted boolean,
  chat boolean,
  invitation boolean,
  note_count integer,
  open_task_count integer,
  -- The nearest open task: {id, type, due, assigneeId}.
  next_task jsonb,
  next_task_due date,
  -- Whether the nearest task was overdue when the row was written.
  overdue_when_written boolean,
  removed_at timestamptz,
  -- Deleted by the deletion of its project, whose restore brings it back.
  deleted_with_project boolean not null default false,
  deleted_refs jsonb,
  check ((contact_id is null) <> (company_id is null))
);

-- A removed one comes back when its investor is added again, so it keeps the place.
create unique index prospects_of_contact on prospects (project_id, contact_id)
  where contact_id is not null and deleted_at is null;
create unique index prospects_of_company on prospects (project_id, company_id)
  where company_id is not null and deleted_at is null;

create index prospects_list on prospects (project_id, created_at, id) where deleted_at is null and removed_at is null;
create index prospects_list_with_deleted on prospects (project_id, created_at, id);
create index prospects_delta on prospects (project_id, updated_at, id);
create index prospects_by_classification on prospects (project_id, classification, created_at, id)
  where deleted_at is null and removed_at is null;
create index prospects_by_interest on prospects (project_id, interest, created_at, id)
  where deleted_at is null and removed_at is null;
create index prospects_by_stage on prospects (project_id, stage, created_at, id)
  where deleted_at is null and removed_at is null;
create index prospects_communicated on prospects (project_id, created_at, id)
  where deleted_at is null and removed_at is null and teaser_communicated_at is not null;
create index prospects_accepted on prospects (project_id, created_at, id)
  where deleted_at is null and removed_at is null and accepted;
create index prospects_chat on prospects (project_id, created_at, id)
  where deleted_at is null and removed_at is null and chat;
create index prospects_invitation on prospects (project_id, created_at, id)
  where deleted_at is null and removed_at is null and invitation;
create index prospects_tags on prospects using gin (project_id, tags) where deleted_at is null and tags <> '{}';
create index prospects_project_tags on prospects using gin (project_id, project_tag_keys)
  where deleted_at is null and project_tag_keys <> '{}';

-- The list and the delta of the prospects of a team, across projects.
create index prospects_of_team on prospects (team_id, created_at, id) where deleted_at is null and removed_at is null;
create index prospects_of_team_with_deleted on prospects (team_id, created_at, id);
create index prospects_of_team_delta on prospects (team_id, updated_at, id);
create index prospects_of_team_by_classification on prospects (team_id, classification, created_at, id)
  where deleted_at is null and removed_at is null;
create index prospects_of_team_by_interest on prospects (team_id, interest, created_at, id)
  where deleted_at is null and removed_at is null;
create index prospects_of_team_by_stage on prospects (team_id, stage, created_at, id)
  where deleted_at is null and removed_at is null;
create index prospects_of_team_communicated on prospects (team_id, created_at, id)
  where deleted_at is null and removed_at is null and teaser_communicated_at is not null;
create index prospects_of_team_accepted on prospects (team_id, created_at, id)
  where deleted_at is null and removed_at is null and accepted;
create index prospects_of_team_chat on prospects (team_id, created_at, id)
  where deleted_at is null and removed_at is null and chat;
create index prospects_of_team_invitation on prospects (team_id, created_at, id)
  where deleted_at is null and removed_at is null and invitation;
create index prospects_of_team_tags on prospects using gin (team_id, tags) where deleted_at is null and tags <> '{}';
create index prospects_of_team_project_tags on prospects using gin (team_id, project_tag_keys)
  where deleted_at is null and project_tag_keys <> '{}';

-- One investor's projects, in their order.
create index prospects_projects_of_contact on prospects (contact_id, project_created_at, project_id)
  where contact_id is not null and deleted_at is null and removed_at is null;
create index prospects_projects_of_company on prospects (company_id, project_created_at, project_id)
  where company_id is not null and deleted_at is null and removed_at is null;

-- Whatever follows a contact or company: copies, removals, merges.
create index prospects_by_contact on prospects (contact_id) where contact_id is not null;
create index prospects_by_company on prospects (company_id) where company_id is not null;

create index prospects_tombstones on prospects (deleted_at) where deleted_at is not null;
create index prospects_becoming_overdue on prospects (next_task_due)
  where deleted_at is null and next_task_due is not null and not overdue_when_written;

-- Follow-up tasks of prospects.
create table tasks (
  id uuid primary key,
  team_id uuid not null references teams (id),
  version bigint not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  change_type text not null,
  change_origin text not null,
  -- Of its prospect, which never changes: the list of a project's prospects is filtered by what is due.
  project_id uuid not null,
  prospect_id uuid not null references prospects (id) on delete cascade,
  type text not null,
  due_date date not null,
  assignee_id uuid not null,
  note text,
  state text not null default 'open' check (state in ('open', 'completed', 'canceled')),
  created_by uuid,
  -- When it was completed or canceled, and by whom; null while it is open.
  ended_at timestamptz,
  ended_by uuid,
  -- Its row on the timeline, which names it as well as its id does.
  added_action_id uuid not null,
  -- Tasks of a team have a delta of their own, across projects: they are deleted and restored with their prospects.
  transaction_id xid8 not null,
  deleted_at timestamptz
);

create index tasks_list on tasks (prospect_id, created_at, id);
create index tasks_open on tasks (prospect_id, due_date, created_at, id) where state = 'open';
create index tasks_due on tasks (project_id, due_date, prospect_id) where state = 'open';
create unique index tasks_by_action on tasks (added_action_id);

-- The lists and deltas of the tasks of a team, across projects, and of those of a project.
create index tasks_of_team on tasks (team_id, created_at, id) where deleted_at is null;
create index tasks_of_team_with_deleted on tasks (team_id, created_at, id);
create index tasks_of_team_delta on tasks (team_id, updated_at, id);
create index tasks_of_team_by_state on tasks (team_id, state, created_at, id) where deleted_at is null;
create index tasks_of_assignee on tasks (team_id, assignee_id, created_at, id) where deleted_at is null;
create index tasks_open_of_assignee on tasks (team_id, assignee_id, created_at, id)
  where deleted_at is null and state = 'open';
create index tasks_of_team_due on tasks (team_id, due_date, prospect_id) where state = 'open' and deleted_at is null;
create index tasks_of_project on tasks (project_id, created_at, id) where deleted_at is null;
create index tasks_of_project_delta on tasks (project_id, updated_at, id);
