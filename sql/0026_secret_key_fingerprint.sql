-- The fingerprint of the SECRET_KEY that belongs to this database: one row from the first start on. A process with
-- another key refuses to start.
create table secret_key_fingerprint (
  is_only_row boolean primary key default true check (is_only_row),
  fingerprint bytea not null
);
