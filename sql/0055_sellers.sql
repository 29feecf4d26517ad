-- The projects whose seller is a contact, for what follows a merge or the deletion of that contact.

create index projects_of_seller on projects (team_id, seller_contact_id)
  where deleted_at is null and seller_contact_id is not null;
