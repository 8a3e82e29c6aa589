-- Games that were played on a server have classes of their own. Classes are numbered up to 15 from now
-- on; those of imported sides are 16 more instead of 6.

ALTER TABLE game
    DROP CONSTRAINT game_time_class_check,
    ADD CHECK (time_class BETWEEN 0 AND 15);
COMMENT ON COLUMN game.time_class IS '0 unknown, 1 classical, 2 rapid, 3 blitz, 4 bullet, 5 correspondence; on a server 6 classical, 7 rapid, 8 blitz, 9 bullet, 10 unknown.';

-- No sum changes.
ALTER TABLE player_year DISABLE TRIGGER USER;
ALTER TABLE player_total DISABLE TRIGGER USER;
ALTER TABLE judge_total DISABLE TRIGGER USER;
ALTER TABLE player_year DROP CONSTRAINT player_year_time_class_check;
ALTER TABLE player_total DROP CONSTRAINT player_total_time_class_check;
ALTER TABLE judge_total DROP CONSTRAINT judge_total_time_class_check;
UPDATE player_year SET time_class = time_class + 10 WHERE time_class > 5;
UPDATE player_total SET time_class = time_class + 10 WHERE time_class > 5;
UPDATE judge_total SET time_class = time_class + 10 WHERE time_class > 5;
ALTER TABLE player_year ADD CHECK (time_class BETWEEN 0 AND 31);
ALTER TABLE player_total ADD CHECK (time_class BETWEEN 0 AND 31);
ALTER TABLE judge_total ADD CHECK (time_class BETWEEN 0 AND 31);
ALTER TABLE player_year ENABLE TRIGGER USER;
ALTER TABLE player_total ENABLE TRIGGER USER;
ALTER TABLE judge_total ENABLE TRIGGER USER;
COMMENT ON COLUMN player_year.time_class IS 'As in game; of imported sides it is 16 more.';

-- In sets of classes bit 6 meant "without imported evaluations"; now it is bit 14.
UPDATE rating SET time_classes = (time_classes & 63) + 16384 WHERE time_classes & 64 <> 0;
UPDATE report SET time_classes = (time_classes & 63) + 16384 WHERE time_classes & 64 <> 0;
COMMENT ON COLUMN rating.time_classes IS 'Set of the classes rated: bit n for class n; bit 14: without imported evaluations.';
UPDATE year_list
SET times = ARRAY(
    SELECT CASE WHEN t.class > 5 THEN t.class + 10 ELSE t.class END::smallint
    FROM unnest(times) WITH ORDINALITY AS t (class, n)
    ORDER BY t.n
)
WHERE 6 = ANY(times) OR 7 = ANY(times) OR 8 = ANY(times) OR 9 = ANY(times) OR 10 = ANY(times)
    OR 11 = ANY(times);

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
                AND coalesce(g.time_class, j.time_class % 16) = j.time_class % 16
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
            j.shard = NEW.id % 16 AND j.time_class % 16 = NEW.time_class
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

-- Stored games that name a server: `intrinsic migrate` reads their tags and sets their classes, game by
-- game, with all sums that they are in (db/time_classes.h).
CREATE TABLE game_to_classify (
    game_id     bigint PRIMARY KEY REFERENCES game ON DELETE CASCADE
);
COMMENT ON TABLE game_to_classify IS 'Games of before the classes of servers that may belong to one.';
INSERT INTO game_to_classify (game_id)
SELECT g.id
FROM game AS g
WHERE
    g.tags::text ~* 'lichess\.org|chess\.com|chessclub\.com|internet chess club|playchess|chess24\.com|freechess\.org'
    OR EXISTS (
        SELECT
        FROM game_before AS b
        WHERE
            b.game_id = g.id
            AND b.before ->> 'tags'
            ~* 'lichess\.org|chess\.com|chessclub\.com|internet chess club|playchess|chess24\.com|freechess\.org'
    );
