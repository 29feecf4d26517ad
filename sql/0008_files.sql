-- Files of records: what a team keeps beside a record, what broker and investor share of an offer, and the documents of data rooms. Their
-- content is in the store of files; a row is written after its content is there.
create table files (
  id uuid primary key,
  team_id uuid not null references teams (id),
  version bigint not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  change_type text not null,
  change_origin text not null,
  subject_type text not null check (
    subject_type in ('contact', 'company', 'project', 'prospect', 'property', 'offer', 'room')
  ),
  subject_id uuid not null,
  name text not null,
  content_type text not null,
  size bigint not null,
  sha256 bytea not null,
  -- Where the content is in the store, below this installation's space.
  content uuid not null unique
);

create index files_list on files (team_id, subject_id, created_at, id);
create index files_by_subject on files (subject_type, subject_id);

-- The part of a store that is this database's: what is there and no row names is removed, and another database may
-- keep its own in the same store.
create table file_space (
  id uuid primary key
);

insert into file_space (id) values (gen_random_uuid());
