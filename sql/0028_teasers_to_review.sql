-- In each cell.
-- Published teasers that nobody has verified, which operators list in the console: few among all.
create index teasers_to_review on teasers (published_at, subject_id) where published_at is not null and verified_at is null;

create index teasers_verified on teasers (published_at, subject_id) where published_at is not null and verified_at is not null;
