-- What lists are sorted by, count and search, so that they cost no more beside more games.

-- ---- games of players ---------------------------------------------------------------------------

CREATE TABLE player_games (
    player_id   integer NOT NULL,
    year        smallint NOT NULL,
    time_class  smallint NOT NULL,
    games       integer NOT NULL,
    elo_games   integer NOT NULL,
    elo_sum     bigint NOT NULL,
    PRIMARY KEY (player_id, year, time_class)
) WITH (fillfactor = 80);
COMMENT ON TABLE player_games IS 'Stored games of an identity, by year and class; kept by triggers of game. Rows without games count nothing.';
COMMENT ON COLUMN player_games.year IS '0 unknown.';
COMMENT ON COLUMN player_games.elo_games IS 'Of the games, those in which the player has an Elo tag.';
COMMENT ON COLUMN player_games.elo_sum IS 'Sum of these tags.';

INSERT INTO player_games (player_id, year, time_class, games, elo_games, elo_sum)
SELECT s.player_id, s.year, s.time_class, count(*), count(s.elo), coalesce(sum(s.elo), 0)
FROM (
    SELECT white_id AS player_id, year, time_class, white_elo AS elo FROM game
    UNION ALL
    SELECT black_id, year, time_class, black_elo FROM game
) AS s
WHERE s.player_id <> 0
GROUP BY s.player_id, s.year, s.time_class
ORDER BY s.player_id, s.year, s.time_class;

-- An import would count a player's games once a batch: it counts all of its upload at its end
-- (upload_count), and names the upload in a setting that ends with the transaction.
CREATE FUNCTION games_counted() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    one constant integer := CASE TG_OP WHEN 'INSERT' THEN 1 ELSE -1 END;
BEGIN
    INSERT INTO player_games AS t (player_id, year, time_class, games, elo_games, elo_sum)
    SELECT
        s.player_id, s.year, s.time_class, one * count(*), one * count(s.elo),
        one * coalesce(sum(s.elo), 0)
    FROM (
        SELECT white_id AS player_id, year, time_class, white_elo AS elo FROM moved
        UNION ALL
        SELECT black_id, year, time_class, black_elo FROM moved
    ) AS s
    WHERE s.player_id <> 0
    GROUP BY s.player_id, s.year, s.time_class
    ORDER BY s.player_id, s.year, s.time_class
    ON CONFLICT (player_id, year, time_class) DO UPDATE
    SET
        games = t.games + excluded.games,
        elo_games = t.elo_games + excluded.elo_games,
        elo_sum = t.elo_sum + excluded.elo_sum;
    RETURN NULL;
END
$$;
CREATE TRIGGER games_counted_in AFTER INSERT ON game
REFERENCING NEW TABLE AS moved FOR EACH STATEMENT
WHEN (coalesce(current_setting('intrinsic.upload', true), '') = '')
EXECUTE FUNCTION games_counted();
CREATE TRIGGER games_counted_out AFTER DELETE ON game
REFERENCING OLD TABLE AS moved FOR EACH STATEMENT EXECUTE FUNCTION games_counted();

CREATE FUNCTION games_emptied() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    TRUNCATE player_games;
    RETURN NULL;
END
$$;
CREATE TRIGGER games_emptied AFTER TRUNCATE ON game
FOR EACH STATEMENT EXECUTE FUNCTION games_emptied();

CREATE FUNCTION game_counted_again() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO player_games AS t (player_id, year, time_class, games, elo_games, elo_sum)
    SELECT
        s.player_id, s.year, s.time_class, sum(s.one),
        coalesce(sum(s.one) FILTER (WHERE s.elo IS NOT NULL), 0), coalesce(sum(s.one * s.elo), 0)
    FROM (
        VALUES
        (OLD.white_id, OLD.year, OLD.time_class, OLD.white_elo, -1),
        (OLD.black_id, OLD.year, OLD.time_class, OLD.black_elo, -1),
        (NEW.white_id, NEW.year, NEW.time_class, NEW.white_elo, 1),
        (NEW.black_id, NEW.year, NEW.time_class, NEW.black_elo, 1)
    ) AS s (player_id, year, time_class, elo, one)
    WHERE s.player_id <> 0
    GROUP BY s.player_id, s.year, s.time_class
    ORDER BY s.player_id, s.year, s.time_class
    ON CONFLICT (player_id, year, time_class) DO UPDATE
    SET
        games = t.games + excluded.games,
        elo_games = t.elo_games + excluded.elo_games,
        elo_sum = t.elo_sum + excluded.elo_sum;
    RETURN NULL;
END
$$;
CREATE TRIGGER game_counted_again
AFTER UPDATE OF white_id, black_id, year, time_class, white_elo, black_elo ON game
FOR EACH ROW
WHEN (
    (OLD.white_id, OLD.black_id, OLD.year, OLD.time_class, OLD.white_elo, OLD.black_elo)
    IS DISTINCT FROM
    (NEW.white_id, NEW.black_id, NEW.year, NEW.time_class, NEW.white_elo, NEW.black_elo)
    AND coalesce(OLD.upload_id, 0) <>
    coalesce(nullif(current_setting('intrinsic.upload', true), ''), '-1')::bigint
)
EXECUTE FUNCTION game_counted_again();

CREATE FUNCTION person_games(person integer)
RETURNS TABLE (games integer, first_year smallint, last_year smallint)
-- Not STRICT, so that it becomes part of a query.
LANGUAGE sql STABLE PARALLEL SAFE AS $$
SELECT
    (
        coalesce(sum(y.games), 0) - (
            SELECT count(*)
            FROM player AS w
            CROSS JOIN player AS b
            CROSS JOIN LATERAL (
                SELECT g.id FROM game AS g WHERE g.white_id = w.id AND g.black_id = b.id OFFSET 0
            ) AS g
            WHERE
                (w.id = person OR w.merged_into = person)
                AND (b.id = person OR b.merged_into = person)
        )
    )::integer,
    coalesce(min(nullif(y.year, 0)), 0)::smallint,
    coalesce(max(y.year), 0)::smallint
FROM player AS m
INNER JOIN player_games AS y ON y.player_id = m.id
WHERE (m.id = person OR m.merged_into = person) AND y.games > 0
$$;
COMMENT ON FUNCTION person_games IS 'Games of a root, each once, though identities of one person may have played each other; first and last year, 0 unknown.';

-- ---- the order of players -----------------------------------------------------------------------

CREATE TABLE player_turns (
    judge_id    smallint NOT NULL REFERENCES judge,
    player_id   integer NOT NULL REFERENCES player ON DELETE CASCADE,
    turns       bigint NOT NULL,
    PRIMARY KEY (judge_id, player_id)
) WITH (fillfactor = 80);
COMMENT ON TABLE player_turns IS 'Judged turns of an identity, of any class: the sum of its rows of player_total, kept by their trigger.';

INSERT INTO player_turns (judge_id, player_id, turns)
SELECT judge_id, player_id, sum(turns)
FROM player_total
GROUP BY judge_id, player_id
ORDER BY judge_id, player_id;
CREATE INDEX player_turns_most ON player_turns (judge_id, turns DESC, player_id);

-- Rows are locked right after that of player_total, so in the order of these.
CREATE FUNCTION player_total_ranked() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    more bigint := 0;
BEGIN
    IF TG_OP = 'UPDATE' AND (OLD.judge_id, OLD.player_id) = (NEW.judge_id, NEW.player_id) THEN
        more := NEW.turns - OLD.turns;
    ELSIF TG_OP <> 'INSERT' THEN
        UPDATE player_turns SET turns = turns - OLD.turns
        WHERE judge_id = OLD.judge_id AND player_id = OLD.player_id;
    END IF;
    IF TG_OP = 'INSERT' OR (OLD.judge_id, OLD.player_id) <> (NEW.judge_id, NEW.player_id) THEN
        more := NEW.turns;
    END IF;
    IF more <> 0 THEN
        INSERT INTO player_turns AS t (judge_id, player_id, turns)
        VALUES (NEW.judge_id, NEW.player_id, more)
        ON CONFLICT (judge_id, player_id) DO UPDATE SET turns = t.turns + excluded.turns;
    END IF;
    RETURN NULL;
END
$$;
CREATE TRIGGER player_total_ranked
AFTER INSERT OR DELETE OR UPDATE OF judge_id, player_id, turns ON player_total
FOR EACH ROW EXECUTE FUNCTION player_total_ranked();

CREATE INDEX player_year_most ON player_year (judge_id, time_class, turns DESC);

-- ---- searching names ----------------------------------------------------------------------------

CREATE FUNCTION name_words(folded text) RETURNS tsvector
-- Not STRICT, so that it becomes part of the expression.
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
SELECT array_to_tsvector(
    array_remove(string_to_array(translate(left(folded, 500), ',.-', '   '), ' '), '')
)
$$;
COMMENT ON FUNCTION name_words IS 'Words of a folded name, to search by their beginnings (name_query). A word of a tsvector has less than 2 KiB.';

CREATE FUNCTION name_query(folded text) RETURNS tsquery
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
SELECT string_agg(
    '''' || replace(replace(w.word, '\', '\\'), '''', '''''') || ''':*', ' & '
)::tsquery
FROM unnest(string_to_array(translate(left(folded, 500), ',.-', '   '), ' ')) AS w (word)
WHERE w.word <> ''
$$;
COMMENT ON FUNCTION name_query IS 'Finds names with all these words, or words that begin with them; NULL when there is no word.';

ALTER TABLE spelling DROP COLUMN words;
ALTER TABLE spelling ADD COLUMN words tsvector NOT NULL
GENERATED ALWAYS AS (name_words(name_fold(key))) STORED;
COMMENT ON COLUMN spelling.words IS 'What searches look into.';
-- What an import adds is sorted in by itself before it is too much to be searched one by one.
CREATE INDEX spelling_words ON spelling USING gin (words) WITH (gin_pending_list_limit = 128);

ALTER TABLE event ADD COLUMN words tsvector NOT NULL
GENERATED ALWAYS AS (name_words(name_fold(lower(name)))) STORED;
COMMENT ON COLUMN event.words IS 'What searches look into.';
CREATE INDEX event_words ON event USING gin (words) WITH (gin_pending_list_limit = 128);
CREATE INDEX event_year ON event (year DESC, id DESC);
