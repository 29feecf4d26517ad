-- Checks the constraints that were added without looking at the rows.
alter table tokens validate constraint tokens_kind_check;
alter table tokens validate constraint tokens_check;
