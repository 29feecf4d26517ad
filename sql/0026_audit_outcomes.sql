-- The refusals and failures of the audit log, which the console lists by themselves: few among years of entries.
create index audit_log_by_outcome on audit_log (outcome, id) where outcome <> 'success';
