-- The code calls the parts of a timeline partitions (src/core/mutation/Timeline.ts).
alter table action_subjects rename column shelf to partition;
alter index action_subjects_by_shelf rename to action_subjects_by_partition;
