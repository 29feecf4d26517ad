-- In each cell.
-- By which version of the rules a company's `name_key` was made (`nameKeyVersion` in src/network/companies/naming.ts). Null on
-- tombstones.
alter table companies add column name_key_version integer default 1;

-- The job `housekeeping/nameKeys` looks here for keys of former versions.
create index companies_name_key_version on companies (name_key_version, id) where name is not null;
