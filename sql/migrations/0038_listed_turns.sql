-- Players are ordered by the moves of every engine that ratings are made of, each side counted once.

-- Its rows are of judges and, as 0, of all together that rate.
ALTER TABLE player_turns DROP CONSTRAINT player_turns_judge_id_fkey;
COMMENT ON TABLE player_turns IS 'Judged turns of an identity, of any class: the sum of its rows of player_total, kept by their trigger.';
COMMENT ON COLUMN player_turns.judge_id IS 'As listed_judge has it: 0 stands for all that ratings are made of.';

CREATE FUNCTION listed_judge(judge_id integer) RETURNS smallint
-- Never part of a query, as judges_with.
LANGUAGE sql STABLE PARALLEL SAFE AS $$
SELECT CASE WHEN equation IS NULL THEN id ELSE 0::smallint END FROM judge WHERE id = $1
$$;
COMMENT ON FUNCTION listed_judge IS 'The rows of player_turns that the sides of a judge are in; NULL: there is no such judge.';

-- Rows are locked right after that of player_total, so in the order of these.
CREATE OR REPLACE FUNCTION player_total_ranked() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    more bigint := 0;
BEGIN
    IF TG_OP = 'UPDATE' AND (OLD.judge_id, OLD.player_id) = (NEW.judge_id, NEW.player_id) THEN
        more := NEW.turns - OLD.turns;
    ELSIF TG_OP <> 'INSERT' THEN
        UPDATE player_turns SET turns = turns - OLD.turns
        WHERE judge_id = (SELECT listed_judge(OLD.judge_id)) AND player_id = OLD.player_id;
    END IF;
    IF TG_OP = 'INSERT' OR (OLD.judge_id, OLD.player_id) <> (NEW.judge_id, NEW.player_id) THEN
        more := NEW.turns;
    END IF;
    IF more <> 0 THEN
        INSERT INTO player_turns AS t (judge_id, player_id, turns)
        SELECT
            CASE WHEN equation IS NULL THEN id ELSE 0 END, NEW.player_id, more
        FROM judge
        WHERE id = NEW.judge_id
        ON CONFLICT (judge_id, player_id) DO UPDATE SET turns = t.turns + excluded.turns;
    END IF;
    RETURN NULL;
END
$$;

-- The lock makes writers of player_total wait until this transaction ends; they then read the new
-- equation.
CREATE FUNCTION judge_ranked() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    LOCK TABLE player_total IN SHARE ROW EXCLUSIVE MODE;
    DELETE FROM player_turns WHERE judge_id IN (0, NEW.id);
    INSERT INTO player_turns (judge_id, player_id, turns)
    SELECT
        CASE WHEN j.equation IS NULL THEN j.id ELSE 0 END, t.player_id, sum(t.turns)
    FROM player_total AS t
    INNER JOIN judge AS j ON j.id = t.judge_id
    WHERE j.id = NEW.id OR j.equation IS NOT NULL
    GROUP BY 1, 2;
    RETURN NULL;
END
$$;
CREATE TRIGGER judge_ranked
AFTER UPDATE OF equation ON judge
FOR EACH ROW WHEN ((OLD.equation IS NULL) <> (NEW.equation IS NULL))
EXECUTE FUNCTION judge_ranked();

TRUNCATE player_turns;
INSERT INTO player_turns (judge_id, player_id, turns)
SELECT
    CASE WHEN j.equation IS NULL THEN j.id ELSE 0 END AS listed, t.player_id, sum(t.turns)
FROM player_total AS t
INNER JOIN judge AS j ON j.id = t.judge_id
GROUP BY listed, t.player_id
ORDER BY listed, t.player_id;
