-- With Citus, the tables of teams are in the schemas of cells, which Citus keeps on several servers (docs/scale.md#citus). These
-- tables stay on the coordinator. On plain Postgres they are empty.

-- The cells: schemas of these names.
create table cells (
  name text primary key check (name ~ '^cell_[a-z0-9_]{1,40}$'),
  created_at timestamptz not null default now()
);

-- Which cell each team is in. A team is not referred to: the transaction that creates it may not have ended when its cell is asked for.
--
-- `state` is not null while its rows are moved to another cell (`admin cell move`): 'draining' while it takes no changes, so that what
-- follows former ones comes to an end, and 'moving' while no statement reads or writes its rows.
create table team_cells (
  team_id uuid primary key,
  cell text not null references cells (name),
  state text check (state in ('draining', 'moving'))
);

create index team_cells_by_cell on team_cells (cell);

-- Which cells have offers of a broker's prospects, to look for them in no others: offers belong to the teams of investors.
create table offer_cells (
  broker_team_id uuid not null,
  cell text not null references cells (name),
  primary key (broker_team_id, cell)
);
