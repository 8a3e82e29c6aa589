-- Careers are listed as played or for their time (docs/trajectory.md), with what their list is filtered
-- and ordered by.

ALTER TABLE year_list ADD COLUMN for_its_time boolean NOT NULL DEFAULT false;
COMMENT ON COLUMN year_list.for_its_time IS 'Whether careers are rated against the field of their years; years are rated as played.';
ALTER TABLE year_list DROP CONSTRAINT year_list_judge_id_times_key;
ALTER TABLE year_list ADD UNIQUE (judge_id, times, for_its_time);

ALTER TABLE listed_year ADD COLUMN moves integer;
ALTER TABLE listed_year ADD COLUMN peak_from smallint;
ALTER TABLE listed_year ADD COLUMN peak_to smallint;
ALTER TABLE listed_year ADD COLUMN rise double precision;
COMMENT ON COLUMN listed_year.moves IS 'Of a career: moves that the rating rests on.';
COMMENT ON COLUMN listed_year.peak_from IS 'Of a career: first year of the peak; peak_to: the last. NULL: no game is dated.';
COMMENT ON COLUMN listed_year.rise IS 'Of a career: the largest rise over five years, in Elo.';
CREATE INDEX listed_year_risen ON listed_year (
    list_id, (coalesce(-rise, 'infinity')), player_id, year
) WHERE year = 0;

-- All lists are filled again.
UPDATE year_list SET filled = 0 WHERE filled IS DISTINCT FROM -1;
