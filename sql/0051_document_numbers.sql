-- The highest number that a version of the document at a path ever had: numbers of deleted versions are not used again.
create table room_document_numbers (
  room_id uuid not null references rooms (id) on delete cascade,
  path text not null,
  team_id uuid not null references teams (id),
  version integer not null,
  primary key (room_id, path)
);
