-- Which worker has a delivery whose turn has come: an id whose lock tells that the worker lives. Null for one that a job
-- of the version before attempts.
alter table deliveries add column held_by text;
