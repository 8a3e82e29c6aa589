-- Lists are filled in parts, each committed, so that their size does not matter (db/listed_years.h).
ALTER TABLE year_list ADD COLUMN filled integer;
COMMENT ON COLUMN year_list.filled IS 'The persons up to this id are listed; NULL: all; -1: it is being deleted.';

-- Rows are rated where they are stored.
DROP INDEX listed_year_unrated;
