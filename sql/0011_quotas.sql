-- How much a team has of what its quotas bound, and the quotas that the operator set.
--
-- Triggers count what statements insert and delete. A count is the sum of several rows: a statement adds to one that no other open
-- transaction has locked, or inserts another, so that writers of a team never wait for one another here, and cannot deadlock.
create table team_usage (
  team_id uuid not null,
  kind text not null,
  shard bigint not null,
  used bigint not null,
  primary key (team_id, kind, shard)
)
-- Updates find room in the page of their row.
with (fillfactor = 20, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);

create sequence team_usage_shards;

-- What the operator set. A kind without a row has its default.
create table team_quotas (
  team_id uuid not null,
  kind text not null,
  quota bigint not null check (quota >= 0),
  primary key (team_id, kind)
);

-- Adds to what a team uses of a kind.
create function add_usage(of_team uuid, of_kind text, delta bigint) returns void
language plpgsql as $$
begin
  if delta = 0 then
    return;
  end if;
  update team_usage set used = used + delta
  where team_id = of_team and kind = of_kind and shard = (
    select shard from team_usage
    where team_id = of_team and kind = of_kind
    limit 1 for update skip locked
  );
  if not found then
    insert into team_usage (team_id, kind, shard, used) values (of_team, of_kind, nextval('team_usage_shards'), delta);
  end if;
end
$$;

-- Its argument is the kind.
create function count_rows() returns trigger
language plpgsql as $$
begin
  perform add_usage(team_id, tg_argv[0], case tg_op when 'DELETE' then -rows else rows end)
  from (select team_id, count(*) as rows from changed group by team_id) counted;
  return null;
end
$$;

-- Of files and of stored answers, bytes count.
create function count_file_bytes() returns trigger
language plpgsql as $$
begin
  perform add_usage(team_id, 'file_bytes', case tg_op when 'DELETE' then -bytes else bytes end)
  from (select team_id, sum(size)::bigint as bytes from changed group by team_id) counted;
  return null;
end
$$;

create function count_answer_bytes() returns trigger
language plpgsql as $$
begin
  perform add_usage(team_id, 'stored_answer_bytes', case tg_op when 'DELETE' then -bytes else bytes end)
  from (select team_id, sum(octet_length(answer)) as bytes from changed group by team_id) counted;
  return null;
end
$$;

create function count_replaced_answer_bytes() returns trigger
language plpgsql as $$
begin
  perform add_usage(team_id, 'stored_answer_bytes', sum(bytes)::bigint)
  from (
    select team_id, octet_length(answer) as bytes from changed
    union all
    select team_id, -octet_length(answer) from replaced
  ) counted
  group by team_id;
  return null;
end
$$;

create trigger count_inserted after insert on contacts referencing new table as changed
  for each statement execute function count_rows('contacts');
create trigger count_deleted after delete on contacts referencing old table as changed
  for each statement execute function count_rows('contacts');
create trigger count_inserted after insert on companies referencing new table as changed
  for each statement execute function count_rows('companies');
create trigger count_deleted after delete on companies referencing old table as changed
  for each statement execute function count_rows('companies');
create trigger count_inserted after insert on links referencing new table as changed
  for each statement execute function count_rows('links');
create trigger count_deleted after delete on links referencing old table as changed
  for each statement execute function count_rows('links');
create trigger count_inserted after insert on properties referencing new table as changed
  for each statement execute function count_rows('properties');
create trigger count_deleted after delete on properties referencing old table as changed
  for each statement execute function count_rows('properties');
create trigger count_inserted after insert on projects referencing new table as changed
  for each statement execute function count_rows('projects');
create trigger count_deleted after delete on projects referencing old table as changed
  for each statement execute function count_rows('projects');
create trigger count_inserted after insert on prospects referencing new table as changed
  for each statement execute function count_rows('prospects');
create trigger count_deleted after delete on prospects referencing old table as changed
  for each statement execute function count_rows('prospects');
create trigger count_inserted after insert on tasks referencing new table as changed
  for each statement execute function count_rows('tasks');
create trigger count_deleted after delete on tasks referencing old table as changed
  for each statement execute function count_rows('tasks');
create trigger count_inserted after insert on mandates referencing new table as changed
  for each statement execute function count_rows('mandates');
create trigger count_deleted after delete on mandates referencing old table as changed
  for each statement execute function count_rows('mandates');
create trigger count_inserted after insert on rooms referencing new table as changed
  for each statement execute function count_rows('rooms');
create trigger count_deleted after delete on rooms referencing old table as changed
  for each statement execute function count_rows('rooms');
create trigger count_inserted after insert on questions referencing new table as changed
  for each statement execute function count_rows('questions');
create trigger count_deleted after delete on questions referencing old table as changed
  for each statement execute function count_rows('questions');
create trigger count_inserted after insert on messages referencing new table as changed
  for each statement execute function count_rows('messages');
create trigger count_deleted after delete on messages referencing old table as changed
  for each statement execute function count_rows('messages');
create trigger count_inserted after insert on room_documents referencing new table as changed
  for each statement execute function count_rows('documents');
create trigger count_deleted after delete on room_documents referencing old table as changed
  for each statement execute function count_rows('documents');
create trigger count_inserted after insert on files referencing new table as changed
  for each statement execute function count_file_bytes();
create trigger count_deleted after delete on files referencing old table as changed
  for each statement execute function count_file_bytes();
create trigger count_inserted after insert on idempotency_keys referencing new table as changed
  for each statement execute function count_answer_bytes();
create trigger count_deleted after delete on idempotency_keys referencing old table as changed
  for each statement execute function count_answer_bytes();
create trigger count_replaced after update on idempotency_keys referencing new table as changed old table as replaced
  for each statement execute function count_replaced_answer_bytes();
