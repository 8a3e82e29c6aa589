-- What pages show of an upload, counted once and kept, so that it costs no more beside more games.

-- ---- which uploads are counted ------------------------------------------------------------------

ALTER TABLE upload ADD COLUMN count_after xid8 DEFAULT '0';
COMMENT ON COLUMN upload.count_after IS '0: its games are to be counted (upload_count_games). NULL: they are. Else they are, but are counted once more when all transactions before this one have ended: of these some did not know yet which games it has.';

CREATE TABLE upload_total (
    upload_id   bigint NOT NULL REFERENCES upload ON DELETE CASCADE,
    games       bigint NOT NULL,
    turns       bigint NOT NULL
) WITH (autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_cost_delay = 0);
CREATE INDEX upload_total_upload ON upload_total (upload_id);
COMMENT ON TABLE upload_total IS 'Games of an upload that its judge has judged whole (any judge, where it was sent for none), and turns of these: sums over its rows, each a change, as in job_total.';

CREATE TABLE upload_player (
    upload_id   bigint NOT NULL REFERENCES upload ON DELETE CASCADE,
    player_id   integer NOT NULL,
    year        smallint NOT NULL,
    games       integer NOT NULL
);
CREATE INDEX upload_player_most ON upload_player (upload_id, games DESC);
COMMENT ON TABLE upload_player IS 'Sides that identities have in the games of an upload, by year; of uploads that are counted.';
COMMENT ON COLUMN upload_player.year IS '0 unknown.';

-- ---- judged games -------------------------------------------------------------------------------

-- Whoever stores or takes away sides has locked the game, so none of its sides changes meanwhile.
-- The index is used whatever the statistics say of the few rows that came or went.
CREATE FUNCTION sides_counted() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NOT EXISTS (SELECT FROM moved) THEN
        RETURN NULL;
    END IF;
    INSERT INTO upload_total (upload_id, games, turns)
    SELECT c.upload_id, sum(c.games), sum(c.turns)
    FROM (
        SELECT
            u.id AS upload_id,
            (w.after IS NOT NULL)::integer - (w.before IS NOT NULL)::integer AS games,
            coalesce(w.after, 0) - coalesce(w.before, 0) AS turns
        FROM (SELECT DISTINCT m.game_id FROM moved AS m) AS g
        CROSS JOIN LATERAL (
            SELECT s.upload_id FROM game AS s WHERE s.id = g.game_id
            UNION
            SELECT d.upload_id FROM upload_duplicate AS d WHERE d.game_id = g.game_id
        ) AS i
        INNER JOIN upload AS u ON u.id = i.upload_id
        CROSS JOIN LATERAL (
            SELECT
                (array_agg(j.after ORDER BY j.judge_id) FILTER (WHERE j.sides_after = 2))[1]
                    AS after,
                (array_agg(j.before ORDER BY j.judge_id) FILTER (WHERE j.sides_before = 2))[1]
                    AS before
            FROM (
                SELECT
                    s.judge_id,
                    count(*) FILTER (WHERE s.after) AS sides_after,
                    sum(s.turns) FILTER (WHERE s.after) AS after,
                    count(*) FILTER (WHERE s.before) AS sides_before,
                    sum(s.turns) FILTER (WHERE s.before) AS before
                FROM (
                    SELECT
                        t.judge_id,
                        t.turns,
                        true AS after,
                        NOT EXISTS (
                            SELECT
                            FROM moved AS m
                            WHERE
                                TG_OP = 'INSERT' AND (m.game_id, m.judge_id, m.colour)
                                = (t.game_id, t.judge_id, t.colour)
                        ) AS before
                    FROM judged_side AS t
                    WHERE t.game_id = g.game_id
                    UNION ALL
                    SELECT m.judge_id, m.turns, false, true
                    FROM moved AS m
                    WHERE TG_OP = 'DELETE' AND m.game_id = g.game_id
                ) AS s
                INNER JOIN judge AS d ON d.id = s.judge_id
                WHERE u.judge IN ('', d.name)
                GROUP BY s.judge_id
            ) AS j
        ) AS w
    ) AS c
    WHERE c.games <> 0 OR c.turns <> 0
    GROUP BY c.upload_id;
    RETURN NULL;
END
$$;
CREATE TRIGGER sides_counted_in AFTER INSERT ON judged_side
REFERENCING NEW TABLE AS moved FOR EACH STATEMENT EXECUTE FUNCTION sides_counted();
CREATE TRIGGER sides_counted_out AFTER DELETE ON judged_side
REFERENCING OLD TABLE AS moved FOR EACH STATEMENT EXECUTE FUNCTION sides_counted();

-- ---- which games an upload has ------------------------------------------------------------------

CREATE FUNCTION upload_games_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NOT EXISTS (SELECT FROM moved) THEN
        RETURN NULL;
    END IF;
    UPDATE upload
    SET count_after = '0'
    WHERE id IN (SELECT m.upload_id FROM moved AS m) AND count_after IS DISTINCT FROM '0';
    RETURN NULL;
END
$$;
CREATE TRIGGER upload_games_come AFTER INSERT ON game
REFERENCING NEW TABLE AS moved FOR EACH STATEMENT EXECUTE FUNCTION upload_games_changed();
CREATE TRIGGER upload_games_gone AFTER DELETE ON game
REFERENCING OLD TABLE AS moved FOR EACH STATEMENT EXECUTE FUNCTION upload_games_changed();
CREATE TRIGGER upload_duplicates_come AFTER INSERT ON upload_duplicate
REFERENCING NEW TABLE AS moved FOR EACH STATEMENT EXECUTE FUNCTION upload_games_changed();
CREATE TRIGGER upload_duplicates_gone AFTER DELETE ON upload_duplicate
REFERENCING OLD TABLE AS moved FOR EACH STATEMENT EXECUTE FUNCTION upload_games_changed();

CREATE FUNCTION upload_game_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE upload
    SET count_after = '0'
    WHERE
        id IN (
            SELECT o.id FROM unnest(ARRAY[OLD.upload_id, NEW.upload_id]) AS o (id)
            UNION
            SELECT d.upload_id FROM upload_duplicate AS d WHERE d.game_id = NEW.id
        )
        AND count_after IS DISTINCT FROM '0';
    RETURN NULL;
END
$$;
CREATE TRIGGER upload_game_changed
AFTER UPDATE OF upload_id, white_id, black_id, year ON game
FOR EACH ROW
WHEN (
    (OLD.upload_id, OLD.white_id, OLD.black_id, OLD.year)
    IS DISTINCT FROM (NEW.upload_id, NEW.white_id, NEW.black_id, NEW.year)
)
EXECUTE FUNCTION upload_game_changed();

CREATE FUNCTION uploads_emptied() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE upload SET count_after = '0' WHERE count_after IS DISTINCT FROM '0';
    RETURN NULL;
END
$$;
CREATE TRIGGER uploads_emptied AFTER TRUNCATE ON game
FOR EACH STATEMENT EXECUTE FUNCTION uploads_emptied();
CREATE TRIGGER sides_emptied AFTER TRUNCATE ON judged_side
FOR EACH STATEMENT EXECUTE FUNCTION uploads_emptied();

-- ---- counting -----------------------------------------------------------------------------------

CREATE FUNCTION games_sent(of_upload bigint)
RETURNS TABLE (game_id bigint, white_id integer, black_id integer, year smallint)
-- Two parts without a game in common: planned well, whatever the size of the upload.
LANGUAGE sql STABLE AS $$
SELECT g.id, g.white_id, g.black_id, g.year
FROM game AS g
WHERE g.upload_id = of_upload
UNION ALL
SELECT g.id, g.white_id, g.black_id, g.year
FROM (SELECT DISTINCT d.game_id FROM upload_duplicate AS d WHERE d.upload_id = of_upload) AS s
INNER JOIN game AS g ON g.id = s.game_id
WHERE g.upload_id IS DISTINCT FROM of_upload
$$;
COMMENT ON FUNCTION games_sent IS 'Games of an upload, each once however often it was sent.';

CREATE FUNCTION upload_whole(of_upload bigint, by_judge text)
RETURNS TABLE (games bigint, turns bigint)
LANGUAGE sql STABLE AS $$
SELECT
    count(*),
    coalesce(sum(done.turns), 0)::bigint
FROM (
    SELECT DISTINCT ON (whole.game_id) whole.turns
    FROM (
        SELECT s.game_id, s.judge_id, sum(s.turns) AS turns
        FROM games_sent(of_upload) AS g
        INNER JOIN judged_side AS s ON s.game_id = g.game_id
        WHERE s.judge_id IN (SELECT j.id FROM judge AS j WHERE by_judge IN ('', j.name))
        GROUP BY s.game_id, s.judge_id
        HAVING count(*) = 2
    ) AS whole
    ORDER BY whole.game_id, whole.judge_id
) AS done
$$;
COMMENT ON FUNCTION upload_whole IS 'Games of an upload that a judge has judged whole (any judge: empty), and turns of these; a game once however many engines the judge had in the course of time.';

CREATE FUNCTION upload_sides(of_upload bigint)
RETURNS TABLE (player_id integer, year smallint, games bigint)
LANGUAGE sql STABLE AS $$
SELECT s.player_id, s.year, count(*)
FROM (
    SELECT white_id AS player_id, year FROM games_sent(of_upload)
    UNION ALL
    SELECT black_id, year FROM games_sent(of_upload)
) AS s
WHERE s.player_id <> 0
GROUP BY s.player_id, s.year
$$;
COMMENT ON FUNCTION upload_sides IS 'Sides that identities have in the games of an upload, by year.';

-- Each statement sees what was committed before it: sides that are stored meanwhile are either in
-- upload_whole and in upload_total, or in neither.
CREATE FUNCTION upload_count_games(of_upload bigint) RETURNS boolean LANGUAGE plpgsql AS $$
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
    IF one.count_after = '0' THEN
        DELETE FROM upload_player WHERE upload_id = of_upload;
        INSERT INTO upload_player (upload_id, player_id, year, games)
        SELECT of_upload, s.player_id, s.year, s.games
        FROM upload_sides(of_upload) AS s;
    END IF;
    UPDATE upload
    SET count_after = CASE one.count_after WHEN '0' THEN pg_current_xact_id() END
    WHERE id = of_upload;
    RETURN true;
END
$$;
COMMENT ON FUNCTION upload_count_games IS 'Counts the games of an upload that is to be counted. False where another process does so, or its games are changed at this moment.';

CREATE FUNCTION shared_jobs(of_upload bigint, of_judge text) RETURNS SETOF job
LANGUAGE sql STABLE AS $$
SELECT j.*
FROM (SELECT DISTINCT d.game_id FROM upload_duplicate AS d WHERE d.upload_id = of_upload) AS s
INNER JOIN job AS j ON j.game_id = s.game_id
WHERE
    j.kind = 'judge' AND j.upload_id <> of_upload AND (of_judge IS NULL OR j.judge = of_judge)
$$;
COMMENT ON FUNCTION shared_jobs IS 'Jobs for games of an upload that another one brought.';

-- The last of an upload's waiting jobs is found by it, too.
DROP INDEX job_upload;
CREATE INDEX job_upload ON job (upload_id, state, priority, place, id);
