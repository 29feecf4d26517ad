-- The fingerprint of the SECRET_KEY that belongs to this database: one row from the first start on. A process with
-- another key refuses to start.
create table secret_key_fingerprint (
  is_only_row boolean primary key default true check (is_only_row),
  fingerprint bytea not null,
  -- The one that it replaced. A process of an earlier step of a rotation does not bring it back.
  former bytea
);
