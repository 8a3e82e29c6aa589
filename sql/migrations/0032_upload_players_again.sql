-- The second count of an upload counts its players, too: a game whose player or year was being changed
-- while the first one counted was in neither.

CREATE OR REPLACE FUNCTION upload_count_games(of_upload bigint) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
    one record;
BEGIN
    SELECT id, judge, count_after INTO one
    FROM upload
    WHERE id = of_upload AND count_after IS NOT NULL
    FOR NO KEY UPDATE SKIP LOCKED;
    IF NOT FOUND THEN
        RETURN false;
    END IF;
    INSERT INTO upload_total (upload_id, games, turns)
    SELECT of_upload, w.games - t.games, w.turns - t.turns
    FROM upload_whole(of_upload, one.judge) AS w
    CROSS JOIN (
        SELECT coalesce(sum(games), 0) AS games, coalesce(sum(turns), 0) AS turns
        FROM upload_total
        WHERE upload_id = of_upload
    ) AS t
    WHERE w.games <> t.games OR w.turns <> t.turns;
    DELETE FROM upload_player WHERE upload_id = of_upload;
    INSERT INTO upload_player (upload_id, player_id, year, games)
    SELECT of_upload, s.player_id, s.year, s.games
    FROM upload_sides(of_upload) AS s;
    UPDATE upload
    SET count_after = CASE one.count_after WHEN '0' THEN pg_current_xact_id() END
    WHERE id = of_upload;
    RETURN true;
END
$$;
COMMENT ON COLUMN upload.count_after IS '0: its games are to be counted (upload_count_games). NULL: they are. Else they are, but are counted once more when all transactions before this one have ended: of these some did not know yet which games it has, or that these were counted.';

-- Those that were counted before may be of such a case.
UPDATE upload SET count_after = '0' WHERE count_after IS NULL;
