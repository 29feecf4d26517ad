-- Accounts of people that are closed, for a while or for good, and teams that are deleted, which come back for 30 days.

-- Nobody signs in with an account that is deactivated, and nothing acts for it. One that is deleted is an id, without a name and an
-- address: what it wrote stays.
alter table users
  add column signed_in_at timestamptz,
  add column deactivated_at timestamptz,
  add column deleted_at timestamptz;

-- Nobody reaches a team that is deleted. It is purged from `purge_at` on, step by step, and then cannot be restored any more.
-- `open_projects` are those that its deletion closed, and that its restore reopens.
alter table teams
  add column deleted_at timestamptz,
  add column purge_at timestamptz,
  add column purge_began_at timestamptz,
  add column open_projects uuid[];

create index teams_deleted on teams (purge_at) where deleted_at is not null;

-- Those that were restored, as long as their projects are reopened.
create index teams_reopening on teams (id) where deleted_at is null and open_projects is not null;

-- What an investor was offered stays when the team of the broker is purged, and when the team of the investor is moved to an installation
-- that has no such team.
alter table offers drop constraint offers_broker_team_id_fkey;
