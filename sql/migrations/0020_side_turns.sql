-- A row for the turns of a side instead of one for each turn: half the bytes, and a person's turns
-- are read in as many rows as there are games.

CREATE TABLE side_turns (
    game_id     bigint NOT NULL REFERENCES game ON DELETE CASCADE,
    judge_id    smallint NOT NULL,
    colour      smallint NOT NULL CHECK (colour IN (0, 1)),
    figures     bytea NOT NULL CHECK (length(figures) % 8 = 0),
    lines       bytea NOT NULL,
    position_keys uuid[],
    PRIMARY KEY (game_id, judge_id, colour)
) WITH (toast_tuple_target = 1024);
-- Most queries need no more than the figures, so the lines are stored elsewhere.
ALTER TABLE side_turns
    ALTER COLUMN figures SET STORAGE MAIN,
    ALTER COLUMN position_keys SET STORAGE MAIN;
COMMENT ON TABLE side_turns IS 'The turns of a judged side, ascending by ply.';
COMMENT ON COLUMN side_turns.figures IS '8 bytes a turn, big endian: ply (half-moves of the game played before it), best_cp, played_cp, two bytes each; legal, repeated. The view turn has them.';
COMMENT ON COLUMN side_turns.lines IS 'Of each turn the root moves and the score of each at every completed depth (analysis/uci/judge.h, ipr_judged_pack).';
COMMENT ON COLUMN side_turns.position_keys IS 'Of its first turns, BLAKE2b-128 of what the engine was sent: the position after the last irreversible move (without the number of the move) and the moves since. NULL for a turn that was known from another side: when that side is deleted, the position is searched again. NULL as a whole where the judge is not a pure function of it, or where the evaluations came from somebody else.';

-- A few sides for each position, so that a frequent one costs no more.
CREATE TEMPORARY TABLE keyed_turn ON COMMIT DROP AS
SELECT game_id, judge_id, ply, position_key
FROM (
    SELECT
        t.*,
        row_number() OVER (
            PARTITION BY t.position_key, t.judge_id ORDER BY t.game_id DESC, t.ply
        ) AS n
    FROM turn AS t
    WHERE t.position_key IS NOT NULL AND t.ply < 40
) AS numbered
WHERE n <= 8;
ANALYZE keyed_turn;
INSERT INTO side_turns (game_id, judge_id, colour, figures, lines, position_keys)
SELECT
    s.game_id, s.judge_id, s.colour,
    coalesce(
        string_agg(
            int2send(t.ply) || int2send(t.best_cp) || int2send(t.played_cp)
            || substr(int2send(t.legal), 2) || substr(int2send(t.repeated::integer::smallint), 2),
            '' ORDER BY t.ply
        ), ''
    ),
    coalesce(
        string_agg(
            t.lines || substr(int2send(t.played), 2) || int8send(t.nodes) || int8send(t.apart_nodes),
            '' ORDER BY t.ply
        ), ''
    ),
    CASE WHEN count(k.position_key) > 0
        THEN array_agg(k.position_key ORDER BY t.ply) FILTER (WHERE t.ply < 40)
    END
FROM judged_side AS s
LEFT JOIN turn AS t
    ON t.game_id = s.game_id AND t.judge_id = s.judge_id AND t.mover = s.colour
LEFT JOIN keyed_turn AS k
    ON k.game_id = t.game_id AND k.judge_id = t.judge_id AND k.ply = t.ply
GROUP BY s.game_id, s.judge_id, s.colour;
DROP TABLE turn;

CREATE INDEX side_turns_position ON side_turns USING gin (position_keys)
WITH (fastupdate = off) WHERE position_keys IS NOT NULL;

-- For reading by hand; the program reads the figures themselves.
CREATE VIEW turn AS
SELECT
    s.game_id, s.judge_id,
    get_byte(s.figures, t.at) * 256 + get_byte(s.figures, t.at + 1) AS ply,
    s.colour AS mover,
    get_byte(s.figures, t.at + 6) AS legal,
    (get_byte(s.figures, t.at + 2) # 128) * 256 + get_byte(s.figures, t.at + 3) - 32768 AS best_cp,
    (get_byte(s.figures, t.at + 4) # 128) * 256 + get_byte(s.figures, t.at + 5) - 32768 AS played_cp,
    get_byte(s.figures, t.at + 7) = 1 AS repeated
FROM side_turns AS s
CROSS JOIN generate_series(0, length(s.figures) - 8, 8) AS t (at);
COMMENT ON VIEW turn IS 'One decision each. mover: 0 White, 1 Black; best_cp, played_cp: final evaluations, mover''s view, limited to +-1000.';
