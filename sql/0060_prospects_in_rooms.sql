-- Access to rooms is in room_access, so no statement looks for prospects by room_access_at any more. The one of the previous release, before
-- a project is deleted, finds them by prospects_list_with_deleted.

drop index prospects_in_rooms;
