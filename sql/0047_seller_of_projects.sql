-- The contact who sells: their user sees the project as an offer of the category `selling`.
alter table projects add column seller_contact_id uuid;
