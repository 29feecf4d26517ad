-- What belongs to a row of a timeline, and no timeline shows: it is kept and purged with the row.

-- The texts of messages and of logged calls.
create table messages (
  action_id uuid primary key references actions (id) on delete cascade deferrable initially deferred,
  -- The broker's.
  team_id uuid not null references teams (id),
  sender text not null check (sender in ('broker', 'investor')),
  -- Null for the operator.
  user_id uuid references users (id),
  text text not null,
  created_at timestamptz not null
);

-- The amounts that investors bid.
create table bids (
  action_id uuid primary key references actions (id) on delete cascade deferrable initially deferred,
  team_id uuid not null references teams (id),
  amount numeric not null,
  currency text not null,
  created_at timestamptz not null
);
