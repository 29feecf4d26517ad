-- The links of one contact or company, tombstones included, in the order of the list.
create index if not exists links_of_contact on links (team_id, contact_id, created_at, id);
create index if not exists links_of_company on links (team_id, company_id, created_at, id);
