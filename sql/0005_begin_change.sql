-- begin_change as before, but for its lock, which was the session's: it stayed behind when the statement was canceled
-- the moment that the lock was given to it, and then nobody could change anything until the connection was closed.
--
-- Now it is the transaction's, taken in a block that is rolled back: that lets go of it long before the commit, and takes
-- back neither the id nor the sequence.
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
      (select last_value from change_time_ms)
    );
    perform setval('change_time_ms', ms);
    raise sqlstate 'PN001' using message = 'lets go of the lock';
  exception when sqlstate 'PN001' then
    null;
  end;
  changed_at := to_timestamp(ms / 1000) + (ms % 1000) * interval '1 millisecond';
end
$$;
