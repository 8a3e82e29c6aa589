-- An upload is on record from when it was received, and its import may be committed in parts: a
-- large one lets a small one pass.

ALTER TABLE upload
    ADD COLUMN state text NOT NULL DEFAULT 'stored'
        CHECK (state IN ('waiting', 'importing', 'stored', 'failed', 'cancelled')),
    ADD COLUMN bytes_read bigint NOT NULL DEFAULT 0,
    ADD COLUMN ended timestamptz,
    ADD COLUMN problem text,
    ADD COLUMN detail text;
COMMENT ON COLUMN upload.state IS 'waiting and importing: not finished. failed: nothing of it is stored. cancelled: what it has stored is being deleted.';
COMMENT ON COLUMN upload.bytes_read IS 'Of its bytes, those that the import has read.';
COMMENT ON COLUMN upload.ended IS 'When the import ended, or was cancelled; NULL: it has not, or that is not on record.';
COMMENT ON COLUMN upload.problem IS 'Of a failed one: the type of the problem, and what happened.';
UPDATE upload SET bytes_read = bytes;
CREATE INDEX upload_unfinished ON upload (id) WHERE state NOT IN ('stored', 'failed');

-- ---- games of players ---------------------------------------------------------------------------

-- An import counts many batches at once, not a whole upload: of a part that is committed early
-- little is left to count. So the setting says from which id on games are not counted yet.
DROP TRIGGER games_counted_in ON game;
CREATE TRIGGER games_counted_in AFTER INSERT ON game
REFERENCING NEW TABLE AS moved FOR EACH STATEMENT
WHEN (coalesce(current_setting('intrinsic.uncounted', true), '') = '')
EXECUTE FUNCTION games_counted();

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
    AND OLD.id < coalesce(
        nullif(current_setting('intrinsic.uncounted', true), ''), '9223372036854775807'
    )::bigint
)
EXECUTE FUNCTION game_counted_again();
