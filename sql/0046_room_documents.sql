-- Documents of data rooms: each version is a file.
create table room_documents (
  file_id uuid primary key references files (id) on delete cascade,
  room_id uuid not null references rooms (id) on delete cascade,
  team_id uuid not null references teams (id),
  path text not null,
  version integer not null,
  unique (room_id, path, version)
);
