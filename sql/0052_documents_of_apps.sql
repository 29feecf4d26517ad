-- Until when the document of an app is used without being loaded again.

alter table apps add column fresh_until timestamptz;
