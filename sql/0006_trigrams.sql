-- Search and the look for duplicates compare names by their trigrams. A trusted extension: the database's owner may add it.
create extension if not exists pg_trgm;
