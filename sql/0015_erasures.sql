-- In each cell.
-- When the person was erased whose prospect it is: it stays on its list, and can only be read.
alter table prospects add column erased_at timestamptz;

-- What was erased, as ids and HMACs, so that it is erased again in a database that was restored from before
-- (docs/behaviour/erasure.md#replay). One row for each contact; `hashes` are those of its e-mail addresses and names, `completed_at` is
-- null until the last step.
create table erasures (
  team_id uuid not null,
  contact_id uuid not null,
  receipt_id uuid not null,
  hashes bytea[] not null,
  erased_at timestamptz not null,
  completed_at timestamptz,
  primary key (team_id, contact_id)
);

-- Where free text names a person, for the receipts of erasures. An operator creates it on a large table by hand, before the release.
create index if not exists actions_text on actions using gin (team_id, lower(details ->> 'message') gin_trgm_ops)
  where (details ->> 'message') is not null;

create index if not exists messages_text on messages using gin (team_id, lower(text) gin_trgm_ops);
