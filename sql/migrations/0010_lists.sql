-- Lists with filters, in an order that an index has.

-- ---- games --------------------------------------------------------------------------------------

CREATE INDEX game_date ON game (year, date, id);

CREATE TYPE listed_player AS (id integer, name text, elo smallint);
COMMENT ON TYPE listed_player IS 'A player of a listed game, as JSON has one; the Elo of the tags.';

CREATE FUNCTION filtered_games(
    of_person integer, of_opponent integer, as_colors integer, from_year integer, to_year integer,
    of_event integer, event_name text, of_result integer, from_elo integer, to_elo integer,
    of_judge integer, of_times smallint[], of_upload bigint, of_game bigint, with_tag text
) RETURNS SETOF game
-- Not STRICT and one SELECT, so that it becomes part of a query; planned for its parameters, what
-- is 0 leaves no trace.
LANGUAGE sql STABLE AS $$
SELECT g.*
FROM game AS g
WHERE
    (
        of_person = 0
        OR (
            as_colors <> 2 AND g.white_id = ANY(person_identities(of_person))
            AND (of_opponent = 0 OR g.black_id = ANY(person_identities(of_opponent)))
        )
        OR (
            as_colors <> 1 AND g.black_id = ANY(person_identities(of_person))
            AND (of_opponent = 0 OR g.white_id = ANY(person_identities(of_opponent)))
        )
    )
    AND (from_year = 0 OR g.year >= from_year)
    AND (to_year = 0 OR g.year BETWEEN 1 AND to_year)
    AND (of_event = 0 OR g.event_id = of_event)
    AND (
        event_name IS NULL
        OR g.event_id = ANY(ARRAY(SELECT e.id FROM event AS e WHERE e.name = event_name))
    )
    AND (of_result = 0 OR g.result = of_result - 1)
    AND (from_elo = 0 OR (g.white_elo >= from_elo AND g.black_elo >= from_elo))
    AND (to_elo = 0 OR (g.white_elo <= to_elo AND g.black_elo <= to_elo))
    AND (
        of_judge = 0
        OR EXISTS (SELECT FROM judged_side AS s WHERE s.game_id = g.id AND s.judge_id = of_judge)
    )
    AND (of_times = '{}' OR g.time_class = ANY(of_times))
    AND (
        of_upload = 0
        OR g.upload_id = of_upload
        OR g.id = ANY(ARRAY(
            SELECT d.game_id FROM upload_duplicate AS d WHERE d.upload_id = of_upload
        ))
    )
    AND (of_game = 0 OR g.id = of_game)
    AND (with_tag IS NULL OR g.tags -> with_tag IS NOT NULL)
$$;
COMMENT ON FUNCTION filtered_games IS 'Games for which all conditions hold that are not 0, NULL or empty; of_result is one more than a result is stored as. as_colors says which colours the person had: bit 0 White, bit 1 Black.';

-- ---- uploads ------------------------------------------------------------------------------------

ALTER TABLE upload ADD COLUMN created_by text;
COMMENT ON COLUMN upload.created_by IS 'Name of the token it came with, "local" where none is needed, "import" from the command line; NULL: not on record.';

-- ---- player-years -------------------------------------------------------------------------------

-- Cached answers are only worth computing again.
DELETE FROM rating;
ALTER TABLE rating
    ADD COLUMN estimate double precision,
    ADD COLUMN methods integer NOT NULL;
COMMENT ON COLUMN rating.estimate IS 'The IPR in the answer, to sort by; NULL where there is none.';
COMMENT ON COLUMN rating.methods IS 'Version of all methods that the answer was computed with.';

-- ---- evaluations that were imported -------------------------------------------------------------

ALTER TABLE judged_side
    ADD COLUMN imported boolean NOT NULL DEFAULT false,
    ADD COLUMN upload_id bigint;
UPDATE judged_side SET imported = true WHERE source = 'import';
CREATE INDEX judged_side_upload ON judged_side (upload_id) WHERE upload_id IS NOT NULL;
COMMENT ON COLUMN judged_side.source IS 'The worker that judged it; "import" from the command line, "import:" and the name of the token over HTTP.';
COMMENT ON COLUMN judged_side.imported IS 'It was not made here: figures can leave it out.';
COMMENT ON COLUMN judged_side.upload_id IS 'The upload that brought it; NULL when none did, or that is not on record.';

-- Aggregates of imported sides are apart: of class n in rows of class n + 6.
ALTER TABLE player_year
    DROP CONSTRAINT player_year_time_class_check,
    ADD CHECK (time_class BETWEEN 0 AND 11);
ALTER TABLE player_total
    DROP CONSTRAINT player_total_time_class_check,
    ADD CHECK (time_class BETWEEN 0 AND 11);
ALTER TABLE judge_total
    DROP CONSTRAINT judge_total_time_class_check,
    ADD CHECK (time_class BETWEEN 0 AND 11);
COMMENT ON COLUMN player_year.time_class IS 'As in game; of imported sides it is 6 more.';

CREATE TEMPORARY TABLE imported_side ON COMMIT DROP AS
SELECT
    g.id AS game_id,
    CASE s.colour WHEN 0 THEN g.white_id ELSE g.black_id END AS player_id,
    g.year,
    g.time_class,
    s.judge_id,
    t.*
FROM judged_side AS s
INNER JOIN game AS g ON g.id = s.game_id
CROSS JOIN LATERAL (
    SELECT
        count(*) AS turns,
        count(*) FILTER (WHERE t.counts) AS counted,
        count(*) FILTER (WHERE t.counts AND t.best_cp = t.played_cp) AS at_0,
        count(*) FILTER (WHERE t.counts AND t.best_cp - t.played_cp <= 30) AS at_30
    FROM (
        SELECT best_cp, played_cp, ply / 2 + 1 >= 10 AND legal > 1 AS counts
        FROM turn
        WHERE game_id = s.game_id AND judge_id = s.judge_id AND mover = s.colour
    ) AS t
) AS t
WHERE s.imported;

INSERT INTO player_year (
    player_id, year, judge_id, time_class, version, games, turns, counted, at_0, at_30
)
SELECT
    player_id, year, judge_id, time_class + 6, 1, count(*), sum(turns), sum(counted), sum(at_0),
    sum(at_30)
FROM imported_side
WHERE player_id <> 0 AND year <> 0
GROUP BY player_id, year, judge_id, time_class;
UPDATE player_year AS y
SET
    games = y.games - i.games, turns = y.turns - i.turns, counted = y.counted - i.counted,
    at_0 = y.at_0 - i.at_0, at_30 = y.at_30 - i.at_30
FROM player_year AS i
WHERE
    (i.player_id, i.year, i.judge_id, i.time_class)
    = (y.player_id, y.year, y.judge_id, y.time_class + 6);

INSERT INTO player_total (player_id, judge_id, time_class, version, games, turns)
SELECT player_id, judge_id, time_class + 6, 1, count(*), sum(turns)
FROM imported_side
WHERE player_id <> 0
GROUP BY player_id, judge_id, time_class;
UPDATE player_total AS y
SET games = y.games - i.games, turns = y.turns - i.turns
FROM player_total AS i
WHERE (i.player_id, i.judge_id, i.time_class) = (y.player_id, y.judge_id, y.time_class + 6);

INSERT INTO judge_total (judge_id, shard, time_class, version, games, sides, turns)
SELECT
    judge_id, game_id % 16, time_class + 6, 1, count(DISTINCT game_id), count(*), sum(turns)
FROM imported_side
GROUP BY judge_id, game_id % 16, time_class;
UPDATE judge_total AS y
SET games = y.games - i.games, sides = y.sides - i.sides, turns = y.turns - i.turns
FROM judge_total AS i
WHERE (i.judge_id, i.shard, i.time_class) = (y.judge_id, y.shard, y.time_class + 6);

CREATE OR REPLACE FUNCTION judged_side_gone() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE judge_total AS t
    SET version = t.version + 1
    FROM (
        SELECT j.judge_id, j.shard, j.time_class
        FROM judge_total AS j
        WHERE EXISTS (
            SELECT
            FROM gone AS s
            LEFT JOIN game AS g ON g.id = s.game_id
            WHERE
                s.judge_id = j.judge_id AND s.game_id % 16 = j.shard
                AND coalesce(g.time_class, j.time_class % 6) = j.time_class % 6
        )
        ORDER BY j.judge_id, j.shard, j.time_class
        FOR NO KEY UPDATE
    ) AS o
    WHERE (t.judge_id, t.shard, t.time_class) = (o.judge_id, o.shard, o.time_class);
    RETURN NULL;
END
$$;

CREATE OR REPLACE FUNCTION game_told_otherwise() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE judge_total AS t
    SET version = t.version + 1
    FROM (
        SELECT j.judge_id, j.time_class
        FROM judge_total AS j
        WHERE
            j.shard = NEW.id % 16 AND j.time_class % 6 = NEW.time_class
            AND EXISTS (
                SELECT FROM judged_side AS s WHERE s.game_id = NEW.id AND s.judge_id = j.judge_id
            )
        ORDER BY j.judge_id, j.time_class
        FOR NO KEY UPDATE
    ) AS o
    WHERE
        t.judge_id = o.judge_id AND t.shard = NEW.id % 16 AND t.time_class = o.time_class;
    RETURN NULL;
END
$$;
