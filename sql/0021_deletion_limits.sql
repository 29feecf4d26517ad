-- In each cell.
-- How much each client of a team has deleted in an hour, where the team bounds it (docs/behaviour/quotas.md#deletions). `subject` is the
-- OAuth client or app, or else the user.
create table deletion_windows (
  team_id uuid not null,
  subject uuid not null,
  opened_at timestamptz not null,
  deletions bigint not null,
  -- When it was said that the limit was reached: once for each window.
  announced_at timestamptz,
  primary key (team_id, subject)
);

create index deletion_windows_by_age on deletion_windows (opened_at);

-- Who made a webhook, so that those of a client can be found when it is revoked.
alter table webhooks add column created_by_client uuid;

alter table webhooks add column created_by_user uuid;

create index webhooks_by_client on webhooks (team_id, created_by_client) where created_by_client is not null and deleted_at is null;
