-- In each cell.
-- Statistics know a team once 10,000 rows have changed since, however many a table has. By default, it takes a tenth of the table: of a team
-- that was imported meanwhile, Postgres expected no row, and read all of them for one.
alter table contacts set (autovacuum_analyze_scale_factor = 0, autovacuum_analyze_threshold = 10000);

alter table companies set (autovacuum_analyze_scale_factor = 0, autovacuum_analyze_threshold = 10000);

alter table links set (autovacuum_analyze_scale_factor = 0, autovacuum_analyze_threshold = 10000);

alter table external_references set (autovacuum_analyze_scale_factor = 0, autovacuum_analyze_threshold = 10000);

alter table properties set (autovacuum_analyze_scale_factor = 0, autovacuum_analyze_threshold = 10000);

alter table mandates set (autovacuum_analyze_scale_factor = 0, autovacuum_analyze_threshold = 10000);

alter table mandate_boxes set (autovacuum_analyze_scale_factor = 0, autovacuum_analyze_threshold = 10000);

alter table projects set (autovacuum_analyze_scale_factor = 0, autovacuum_analyze_threshold = 10000);

alter table prospects set (autovacuum_analyze_scale_factor = 0, autovacuum_analyze_threshold = 10000);

alter table tasks set (autovacuum_analyze_scale_factor = 0, autovacuum_analyze_threshold = 10000);

alter table offers set (autovacuum_analyze_scale_factor = 0, autovacuum_analyze_threshold = 10000);

alter table rooms set (autovacuum_analyze_scale_factor = 0, autovacuum_analyze_threshold = 10000);

alter table room_access set (autovacuum_analyze_scale_factor = 0, autovacuum_analyze_threshold = 10000);

alter table room_documents set (autovacuum_analyze_scale_factor = 0, autovacuum_analyze_threshold = 10000);

alter table questions set (autovacuum_analyze_scale_factor = 0, autovacuum_analyze_threshold = 10000);

alter table messages set (autovacuum_analyze_scale_factor = 0, autovacuum_analyze_threshold = 10000);

alter table files set (autovacuum_analyze_scale_factor = 0, autovacuum_analyze_threshold = 10000);

alter table bids set (autovacuum_analyze_scale_factor = 0, autovacuum_analyze_threshold = 10000);

alter table communications set (autovacuum_analyze_scale_factor = 0, autovacuum_analyze_threshold = 10000);

alter table deleted_records set (autovacuum_analyze_scale_factor = 0, autovacuum_analyze_threshold = 10000);

alter table deletion_effects set (autovacuum_analyze_scale_factor = 0, autovacuum_analyze_threshold = 10000);

alter table actions set (autovacuum_analyze_scale_factor = 0, autovacuum_analyze_threshold = 10000);

alter table action_subjects set (autovacuum_analyze_scale_factor = 0, autovacuum_analyze_threshold = 10000);

alter table events set (autovacuum_analyze_scale_factor = 0, autovacuum_analyze_threshold = 10000);

alter table deliveries set (autovacuum_analyze_scale_factor = 0, autovacuum_analyze_threshold = 10000);

alter table delivery_attempts set (autovacuum_analyze_scale_factor = 0, autovacuum_analyze_threshold = 10000);
