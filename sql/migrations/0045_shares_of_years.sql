-- What a player's strength over time needs of a year is stored with the lists, so that a page of players reads rows
-- of years and not all their games (strength_of_persons).

TRUNCATE listed_year;
UPDATE year_list SET filled = 0 WHERE filled IS DISTINCT FROM -1;
ALTER TABLE listed_year
    ADD COLUMN events double precision,
    ADD COLUMN strength_moves integer NOT NULL DEFAULT 0,
    ADD COLUMN strength_games integer NOT NULL DEFAULT 0,
    ADD COLUMN strength_judge smallint NOT NULL DEFAULT 0,
    ADD COLUMN classes smallint NOT NULL DEFAULT 0;
COMMENT ON COLUMN listed_year.events IS 'Sum of the squares of the events'' shares in the information; of year 0, this and those below are of the undated games.';
COMMENT ON COLUMN listed_year.strength_moves IS 'Moves that the sums are of, in strength_games, by strength_judge and others, of classes (IPR_TIME_BIT).';

-- The sums of a year stay when a game goes to another event, the shares do not.
CREATE FUNCTION game_event_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO changed_year (player_id, year)
    SELECT p.id, NEW.year FROM (VALUES (NEW.white_id), (NEW.black_id)) AS p (id) WHERE p.id <> 0;
    RETURN NULL;
END
$$;
CREATE TRIGGER game_event_changed
AFTER UPDATE OF event_id ON game
FOR EACH ROW WHEN (OLD.event_id <> NEW.event_id)
EXECUTE FUNCTION game_event_changed();
