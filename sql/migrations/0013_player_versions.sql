-- The rows of player_games say by their xmin that a game of theirs has changed in any way that
-- answers about the player show, so that these need not read the games to know it.

DROP TRIGGER game_counted_again ON game;
CREATE TRIGGER game_counted_again
AFTER UPDATE OF
white_id, black_id, year, time_class, white_elo, black_elo, result, event_id, date, round, plies,
moves ON game
FOR EACH ROW
WHEN (
    (
        OLD.white_id, OLD.black_id, OLD.year, OLD.time_class, OLD.white_elo, OLD.black_elo,
        OLD.result, OLD.event_id, OLD.date, OLD.round, OLD.plies, OLD.moves
    ) IS DISTINCT FROM (
        NEW.white_id, NEW.black_id, NEW.year, NEW.time_class, NEW.white_elo, NEW.black_elo,
        NEW.result, NEW.event_id, NEW.date, NEW.round, NEW.plies, NEW.moves
    )
    AND coalesce(OLD.upload_id, 0) <>
    coalesce(nullif(current_setting('intrinsic.upload', true), ''), '-1')::bigint
)
EXECUTE FUNCTION game_counted_again();

-- Rows of lists need few members of a rating: to read all of it for each costs more than the rest of
-- the list.
DELETE FROM rating;
ALTER TABLE rating ADD COLUMN brief json NOT NULL;
COMMENT ON COLUMN rating.brief IS 'The answer with those members alone that rows of lists show.';
