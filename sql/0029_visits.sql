-- When a person last looked at what is new in a team, and since when its page tells what changed (docs/behaviour/console.md#today).
alter table memberships
  add column visited_at timestamptz,
  add column changes_since timestamptz;
