-- Until when anything of a family of a grant can be valid. A week later it is removed, with its code and tokens: neither the code nor
-- the refresh tokens are removed before, because one that comes again must still end the family. Those from before end after the 30
-- days of their last refresh token.
alter table grant_families add column ends_at timestamptz not null default now() + interval '30 days';
create index grant_families_by_end on grant_families (ends_at);

-- Grants that were revoked are removed after a week, too, with all that they led to.
create index grants_revoked on grants (revoked_at) where revoked_at is not null;

drop index authorization_codes_by_expiry;
drop index refresh_tokens_by_expiry;

-- The form of the account page that made a personal token: sent again, as by a reload, it makes no other one.
alter table tokens add column form_hash bytea;
create unique index tokens_by_form on tokens (form_hash) where form_hash is not null;
