-- What everything else stands on: extensions, ids, and what the database knows of the installation.

-- Search and the look for duplicates compare names by their trigrams. All three are trusted extensions, which the database's owner may
-- add: btree_gin and btree_gist bring equality of UUIDs to indexes of words and of places, so that each looks in one team only.
create extension if not exists pg_trgm;
create extension if not exists btree_gin;
create extension if not exists btree_gist;

-- A UUIDv7 for rows that a statement makes by the set (Postgres has its own from 18 on).
create function new_uuid_v7(at timestamptz) returns uuid
language sql volatile as $$
  select encode(
    set_bit(set_bit(overlay(
      uuid_send(gen_random_uuid())
      placing substring(int8send(floor(extract(epoch from at) * 1000)::bigint) from 3)
      from 1 for 6
    ), 52, 1), 53, 1),
    'hex'
  )::uuid
$$;

-- The fingerprint of the SECRET_KEY that belongs to this database: one row from the first start on. A process with
-- another key refuses to start.
create table secret_key_fingerprint (
  is_only_row boolean primary key default true check (is_only_row),
  fingerprint bytea not null,
  -- The one that it replaced. A process of an earlier step of a rotation does not bring it back.
  former bytea
);

-- The names of the servers that were the primary: cluster and timeline, of which each promotion begins a new one. Each writes its own
-- name once. A standby that shows it has replayed what was written there, so it follows that primary.
create table server_timelines (name text primary key);
