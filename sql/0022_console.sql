-- Operators in the console: who is marked so by the command line sees and does across teams what operators may (docs/behaviour/console.md).
alter table users add column is_operator boolean not null default false;
