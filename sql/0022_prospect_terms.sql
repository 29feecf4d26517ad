-- The code says what these columns hold: stages that milestones reached (src/deals/prospects/rules.ts), and whether the next task
-- was overdue when the row was written (src/deals/prospects/Overdue.ts).
alter table prospects rename column reached_stage to milestone_stage;
alter table prospects rename column raised_stage to milestone_stage_since_override;
alter table prospects rename column overdue_seen to overdue_when_written;
alter index prospects_turning_overdue rename to prospects_becoming_overdue;
