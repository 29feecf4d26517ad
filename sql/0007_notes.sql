-- Notes are rows of timelines that are archived and revised. These columns are theirs alone.
alter table actions
  add column version bigint not null default 1,
  add column content_format text,
  add column archived_at timestamptz,
  add column supersedes uuid,
  add column superseded_by uuid;

-- A revision has one successor at most.
create unique index if not exists actions_supersedes on actions (supersedes) where supersedes is not null;

-- Which part of a timeline the row stands in. Every filter of a timeline is a set of shelves, and the rows of a shelf are
-- in the index in their order: a page costs the same at any depth, however many rows are hidden.
alter table action_subjects add column shelf text not null default 'audit';

-- All rows so far are audit rows, which is the default; nothing has written others.
update action_subjects set shelf = actions.type from actions
where actions.id = action_subjects.action_id and actions.type <> 'audit';

create index if not exists action_subjects_by_shelf on action_subjects (subject_id, shelf, occurred_at, action_id);
create index if not exists action_subjects_by_action on action_subjects (action_id);
