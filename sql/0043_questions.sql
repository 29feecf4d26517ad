-- What a broker sets for the questions of a room.
alter table rooms
  add column qa_enabled boolean not null default true,
  add column qa_limit_per_prospect integer,
  add column qa_deadline timestamptz,
  -- Null: any category.
  add column qa_categories text[];

-- Questions of investors about a room's documents. They are deleted and restored with their project.
create table questions (
  id uuid primary key,
  team_id uuid not null references teams (id),
  version bigint not null,
  transaction_id xid8 not null default pg_current_xact_id(),
  created_at timestamptz not null,
  updated_at timestamptz not null,
  change_type text not null,
  change_origin text not null,
  deleted_at timestamptz,
  -- Of its room, which never changes.
  project_id uuid not null,
  room_id uuid not null references rooms (id) on delete cascade,
  -- Counted under the lock of the room, so that there are no gaps.
  number integer not null,
  text text not null,
  category text not null,
  priority text not null,
  state text not null default 'open' check (state in ('open', 'drafted', 'answered', 'closed')),
  assignee_id uuid,
  prospect_id uuid references prospects (id) on delete set null,
  -- The prospect's name when it asked.
  asker_name text,
  document_id uuid,
  document_name text,
  document_page integer,
  due_at timestamptz not null,
  draft_text text,
  draft_format text,
  -- The author is null for the operator.
  draft_author_id uuid,
  drafted_at timestamptz,
  answer_text text,
  answer_audience text check (answer_audience in ('asker', 'all')),
  answered_at timestamptz
);

create unique index questions_by_number on questions (room_id, number);
create index questions_list on questions (room_id, created_at, id) where deleted_at is null;
create index questions_delta on questions (room_id, updated_at, id);
create index questions_waiting on questions (room_id, created_at, id)
  where deleted_at is null and state in ('open', 'drafted');
create index questions_of_asker on questions (prospect_id);
create index questions_of_project on questions (project_id);
