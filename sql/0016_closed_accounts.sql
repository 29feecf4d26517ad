-- Accounts of people that are closed, for a while or for good, and teams that are deleted, which come back for 30 days.

-- Nobody signs in with an account that is deactivated, and nothing acts for it. One that is deleted is an id, without a name and an
-- address: what it wrote stays.
alter table users
  add column signed_in_at timestamptz,
  add column deactivated_at timestamptz,
  add column deleted_at timestamptz;

-- Nobody reaches a team that is deleted. It is purged from `purge_at` on, step by step, and then cannot be restored any more.
alter table teams
  add column deleted_at timestamptz,
  add column purge_at timestamptz,
  add column purge_began_at timestamptz;

create index teams_deleted on teams (purge_at) where deleted_at is not null;
