-- Ids and times of changes have one order within a team only, which is all that deltas and the journal rely on. So changes of
-- different teams no longer wait for one another: teams share 64 locks, each with a clock of its own.

-- The greatest time given to a change of the teams of a bucket so far, in milliseconds since 1970. Sequences, because they must not
-- roll back. They are empty until the first change.
do $$
begin
  for bucket in 0..63 loop
    execute format('create sequence change_time_ms_%s minvalue 0', bucket);
  end loop;
end
$$;

-- What draws ids for the further teams of a transaction. It is always empty.
create unlogged table change_ids ();

-- Gives what the running transaction does in a team its id and its time, in the same order: within a team, a greater id never has
-- the lesser time. It is called once for each team. A change without a team passes the id of none.
--
-- Why ids and times have one order: calls for one team exclude each other by the lock of its bucket. Each takes an id that nobody
-- had before, and a time that is not before that of the bucket's clock. The next call therefore gives a greater id, and a time that
-- is the same or later. The bucket is taken from the team's id alone, so that a team stays in it on every server.
--
-- A transaction has one id, which it gets with its first team. When it reaches another team, others may have begun changes there
-- with greater ids, and its own would be out of order. It gets the id of a subtransaction there, which is drawn under the lock like
-- any other. It serves as the id of the transaction does: it is greater than that, so whoever sees that all transactions before some
-- id have ended, and this one is among them, knows that the whole transaction has.
--
-- Processes of the release before call the former function. It excludes all calls of this one, by the lock that these share, and
-- no time of either is before one that the other gave to the same team. A later release drops it with `change_time_ms`.
--
-- The locks are the transaction's, taken in a block that is rolled back: see 0002_changes.sql.
create function begin_change(team uuid, at timestamptz, out transaction_id xid8, out changed_at timestamptz)
language plpgsql as $$
declare
  bucket constant int := get_byte(uuid_send(team), 15) % 64;
  clock constant regclass := 'change_time_ms_' || bucket;
  own constant bigint := pg_current_xact_id_if_assigned()::text::bigint;
  ms bigint;
begin
  begin
    perform pg_advisory_xact_lock_shared(7065001);
    perform pg_advisory_xact_lock(7065001, bucket);
    if own is null then
      transaction_id := pg_current_xact_id();
    else
      -- `xmin` has the lower 32 bits of the id.
      insert into change_ids default values
        returning (own + ((xmin::text::bigint - own) & 4294967295))::text::xid8 into transaction_id;
    end if;
    ms := greatest(
      floor(extract(epoch from coalesce(at, clock_timestamp())) * 1000)::bigint,
      pg_sequence_last_value(clock),
      pg_sequence_last_value('change_time_ms')
    );
    perform setval(clock, ms);
    raise sqlstate 'PN001' using message = 'lets go of the locks';
  exception when sqlstate 'PN001' then
    null;
  end;
  changed_at := to_timestamp(ms / 1000) + (ms % 1000) * interval '1 millisecond';
end
$$;

-- For processes of the release before: as before, and no time is before that of any bucket, since it serves all teams. A call that
-- runs while this is committed does not look at the buckets yet; it has ended long before a process of this release starts.
create or replace function begin_change(at timestamptz default null, out transaction_id xid8, out changed_at timestamptz)
language plpgsql as $$
declare
  ms bigint;
begin
  begin
    perform pg_advisory_xact_lock(7065001);
    transaction_id := pg_current_xact_id();
    ms := greatest(
      floor(extract(epoch from coalesce(at, clock_timestamp())) * 1000)::bigint,
      (select last_value from change_time_ms),
      (
        select max(pg_sequence_last_value(('change_time_ms_' || bucket)::regclass))
        from generate_series(0, 63) as bucket
      )
    );
    perform setval('change_time_ms', ms);
    raise sqlstate 'PN001' using message = 'lets go of the lock';
  exception when sqlstate 'PN001' then
    null;
  end;
  changed_at := to_timestamp(ms / 1000) + (ms % 1000) * interval '1 millisecond';
end
$$;

-- Writes name the id that `begin_change` gave them. The defaults of `transaction_id` and `from_transaction` and the trigger
-- `set_task_transaction` stay for processes of the release before; a later release drops them.
