-- When what recurs ran last (src/platform/jobs/JobRuns.ts): metrics and `admin doctor` read it on every process, across restarts.
create table job_runs (
  name text primary key,
  -- When a worker that runs it first said so.
  known_since timestamptz not null,
  ran_at timestamptz,
  succeeded_at timestamptz
);

-- The failed jobs of graphile-worker's queue: none is in it before it fails. Its tables are its own, and may have other names some day.
do $$
begin
  if to_regclass('graphile_worker._private_jobs') is not null then
    create index if not exists property_network_failed_jobs on graphile_worker._private_jobs (task_id)
      where attempts > 0 and locked_at is null;
  end if;
end
$$;
