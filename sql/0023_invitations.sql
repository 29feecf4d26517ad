-- Invitations to teams by link, which an administrator hands over (docs/behaviour/identity.md#invitations). An invitation that was accepted
-- or taken back is removed: the audit log knows of it.
create table invitations (
  id uuid primary key,
  hash bytea not null unique,
  team_id uuid not null references teams (id),
  email text not null,
  role text not null check (role in ('admin', 'member')),
  invited_by uuid references users (id) on delete set null,
  created_at timestamptz not null,
  expires_at timestamptz not null
);

create unique index invitations_by_address on invitations (team_id, lower(email));
create index invitations_by_inviter on invitations (invited_by);
create index invitations_by_expiry on invitations (expires_at);
