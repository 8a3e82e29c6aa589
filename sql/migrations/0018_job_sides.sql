-- A job may be for one player of a game: half the work where only that player is rated.

ALTER TABLE job ADD COLUMN sides smallint NOT NULL DEFAULT 3 CHECK (sides BETWEEN 1 AND 3);
COMMENT ON COLUMN job.sides IS 'Whose moves are to be judged: 1 White''s, 2 Black''s, 3 both.';

CREATE FUNCTION side_turns(turns integer, sides integer) RETURNS integer
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
SELECT CASE sides WHEN 0 THEN 0 WHEN 1 THEN (turns + 1) / 2 WHEN 2 THEN turns / 2 ELSE turns END
$$;
COMMENT ON FUNCTION side_turns IS 'Of consecutive turns, White''s first, those of some sides.';
