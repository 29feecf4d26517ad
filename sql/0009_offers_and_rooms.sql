-- What brokers and investors see of one another: teasers, the offers that they become, the conversation about them, and data rooms.

-- The anonymous descriptions of projects, properties and rooms. One without a row shows what nobody has changed yet.
create table teasers (
  subject_type text not null check (subject_type in ('project', 'property', 'room')),
  subject_id uuid not null,
  team_id uuid not null references teams (id),
  version bigint not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  change_type text not null,
  change_origin text not null,
  published_at timestamptz,
  verified_at timestamptz,
  communicated_at timestamptz,
  -- The modes that were chosen, by part.
  options jsonb not null,
  -- Null: all tags that the properties have.
  tags text[],
  -- Null: composed.
  title text,
  primary key (subject_type, subject_id)
);

-- What was sent to which address, also while nobody with the address can receive it. Purged with the prospect and the project.
create table communications (
  id uuid primary key,
  -- The broker's.
  team_id uuid not null references teams (id),
  project_id uuid not null references projects (id) on delete cascade,
  -- Null for the seller.
  prospect_id uuid references prospects (id) on delete cascade,
  -- In lower case.
  email text not null,
  category text not null check (category in ('buying', 'invitation', 'selling')),
  -- What the teaser showed; null for an invitation without one.
  projection jsonb,
  expires_at timestamptz,
  communicated_at timestamptz not null
);

create unique index communications_of_prospect on communications (prospect_id, email) where prospect_id is not null;
create unique index communications_of_seller on communications (project_id, email) where prospect_id is null;
create index communications_of_project on communications (project_id);
create index communications_by_email on communications (email);

-- Offers: teasers that reached investors, and invitations to rooms. They belong to the investor's team.
create table offers (
  id uuid primary key,
  -- The investor's.
  team_id uuid not null references teams (id),
  version bigint not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  change_type text not null,
  change_origin text not null,
  -- Who has the address.
  user_id uuid not null references users (id),
  -- What the offer is about, in the broker's team. No answer shows these ids, and the rows may be purged.
  broker_team_id uuid not null references teams (id),
  project_id uuid not null,
  prospect_id uuid,
  category text not null check (category in ('buying', 'invitation', 'selling')),
  projection jsonb,
  -- Follows from the columns below when the row is written; after `expires_at`, an offer without an answer has expired.
  status text not null,
  read_at timestamptz,
  answer text check (answer in ('accepted', 'rejected')),
  answered_at timestamptz,
  rejection_reason text,
  expires_at timestamptz,
  -- When the end of the offer was recorded.
  expired_at timestamptz,
  -- By the investor, and because the prospect left the broker's list.
  removed_at timestamptz,
  withdrawn_at timestamptz,
  closed_at timestamptz
);

create unique index offers_of_prospect on offers (team_id, prospect_id) where prospect_id is not null;
create unique index offers_of_seller on offers (team_id, project_id) where prospect_id is null;
create index offers_by_prospect on offers (prospect_id) where prospect_id is not null;
create index offers_by_project on offers (project_id);
create index offers_list on offers (team_id, created_at, id);
create index offers_by_status on offers (team_id, status, created_at, id);
create index offers_unread on offers (team_id, created_at, id) where read_at is null;
create index offers_expiring on offers (expires_at) where status in ('pending', 'unanswered');

-- What belongs to a row of a timeline, and no timeline shows: it is kept and purged with the row. These are
-- the texts of messages and of logged calls.
create table messages (
  action_id uuid primary key references actions (id) on delete cascade deferrable initially deferred,
  -- The broker's.
  team_id uuid not null references teams (id),
  sender text not null check (sender in ('broker', 'investor')),
  -- Null for the operator.
  user_id uuid references users (id),
  text text not null,
  created_at timestamptz not null
);

-- The amounts that investors bid.
create table bids (
  action_id uuid primary key references actions (id) on delete cascade deferrable initially deferred,
  team_id uuid not null references teams (id),
  amount numeric not null,
  currency text not null,
  created_at timestamptz not null
);

-- Data rooms of projects.
create table rooms (
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
  name text not null,
  status text not null check (status in ('draft', 'open', 'winding_down', 'closed')),
  nda_required boolean not null,
  -- For how long access is granted, such as 30d; null: without an end.
  default_access text,
  opened_at timestamptz,
  -- When its project was closed, while it winds down or since it closed because of that.
  winding_down_at timestamptz,
  closed_at timestamptz,
  open_question_count integer not null default 0,
  -- What the broker sets for the questions.
  qa_enabled boolean not null default true,
  qa_limit_per_prospect integer,
  qa_deadline timestamptz,
  -- Null: any category.
  qa_categories text[]
);

create index rooms_list on rooms (project_id, created_at, id);
create index rooms_winding_down on rooms (winding_down_at) where status = 'winding_down' and deleted_at is null;

-- The prospects that have access to a room.
create table room_access (
  room_id uuid not null references rooms (id) on delete cascade,
  prospect_id uuid not null references prospects (id) on delete cascade,
  team_id uuid not null references teams (id),
  granted_at timestamptz not null,
  granted_by uuid,
  -- A copy of the prospect's access_expires_at, while the access was not withdrawn.
  expires_at timestamptz,
  revoked_at timestamptz,
  -- When it was recorded that the access has expired. It ended at expires_at.
  expired_at timestamptz,
  primary key (room_id, prospect_id)
);

create index room_access_of_prospect on room_access (prospect_id);
create index room_access_expiring on room_access (expires_at)
  where revoked_at is null and expired_at is null and expires_at is not null;

-- Documents of data rooms: each version is a file.
create table room_documents (
  file_id uuid primary key references files (id) on delete cascade,
  room_id uuid not null references rooms (id) on delete cascade,
  team_id uuid not null references teams (id),
  path text not null,
  version integer not null,
  unique (room_id, path, version)
);

-- The highest number that a version of the document at a path ever had: numbers of deleted versions are not used again.
create table room_document_numbers (
  room_id uuid not null references rooms (id) on delete cascade,
  path text not null,
  team_id uuid not null references teams (id),
  version integer not null,
  primary key (room_id, path)
);

-- Questions of investors about a room's documents. They are deleted and restored with their project.
create table questions (
  id uuid primary key,
  team_id uuid not null references teams (id),
  version bigint not null,
  transaction_id xid8 not null,
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
