-- Judged sides beside many games: copies of the samples' games (make_games.c) get the samples'
-- evaluations, :copied games of them; :other games get sides without evaluations, which lists and
-- totals count alike. Aggregates as storing them one by one would leave them.
SET work_mem = '256MB';
CREATE TEMPORARY TABLE sample AS
SELECT g.moves_key, min(g.id) AS id
FROM game AS g
WHERE (SELECT count(*) FROM judged_side AS s WHERE s.game_id = g.id AND s.judge_id = 1) = 2
GROUP BY g.moves_key;

CREATE TEMPORARY TABLE copied AS
SELECT g.id, s.id AS sample_id
FROM sample AS s
INNER JOIN game AS g ON g.moves_key = s.moves_key AND g.id <> s.id
WHERE g.white_id <> 0 AND g.black_id <> 0
ORDER BY g.id
LIMIT :copied;
ANALYZE copied;

CREATE TEMPORARY TABLE other AS
SELECT g.id
FROM game AS g
WHERE
    g.white_id <> 0 AND g.black_id <> 0
    AND NOT EXISTS (SELECT FROM judged_side AS s WHERE s.game_id = g.id)
    AND g.id NOT IN (SELECT c.id FROM copied AS c)
ORDER BY g.id DESC
LIMIT :other;

CREATE TEMPORARY TABLE side AS
SELECT c.id AS game_id, s.colour, s.turns
FROM copied AS c
INNER JOIN judged_side AS s ON s.game_id = c.sample_id AND s.judge_id = 1
UNION ALL
SELECT o.id, n.colour, 20 + o.id % 25
FROM other AS o
CROSS JOIN generate_series(0, 1) AS n (colour);

INSERT INTO judged_side (
    game_id, judge_id, colour, turns, nodes, source, strength_version, strength_score,
    strength_information, strength_moves
)
SELECT
    game_id, 1, colour, turns, 1000, 'bench', 1, turns * 10000 * (-20 + game_id % 40),
    turns * 1000000, turns
FROM side;
INSERT INTO side_turns (game_id, judge_id, colour, figures, lines)
SELECT c.id, 1, t.colour, t.figures, t.lines
FROM copied AS c
INNER JOIN side_turns AS t ON t.game_id = c.sample_id AND t.judge_id = 1;

CREATE TEMPORARY TABLE share AS
SELECT
    CASE s.colour WHEN 0 THEN g.white_id ELSE g.black_id END AS player_id,
    g.year, g.time_class, s.turns, s.game_id,
    s.turns * 10000 * (-20 + s.game_id % 40) AS score
FROM side AS s
INNER JOIN game AS g ON g.id = s.game_id;
INSERT INTO player_total AS t (
    player_id, judge_id, time_class, games, turns, version, strength_score, strength_information,
    strength_moves
)
SELECT
    player_id, 1, time_class, count(*), sum(turns), count(*), sum(score), sum(turns) * 1000000,
    sum(turns)
FROM share
GROUP BY player_id, time_class
ON CONFLICT (player_id, judge_id, time_class) DO UPDATE
SET
    games = t.games + excluded.games, turns = t.turns + excluded.turns, version = t.version + 1,
    strength_score = t.strength_score + excluded.strength_score,
    strength_information = t.strength_information + excluded.strength_information,
    strength_moves = t.strength_moves + excluded.strength_moves;
INSERT INTO player_year AS t (
    player_id, year, judge_id, time_class, games, turns, counted, at_0, at_30, version,
    strength_score, strength_information, strength_moves
)
SELECT
    player_id, year, 1, time_class, count(*), sum(turns), sum(turns) * 8 / 10, sum(turns) / 2,
    sum(turns) * 2 / 3, count(*), sum(score), sum(turns) * 1000000, sum(turns)
FROM share
WHERE year <> 0
GROUP BY player_id, year, time_class
ON CONFLICT (player_id, year, judge_id, time_class) DO UPDATE
SET
    games = t.games + excluded.games, turns = t.turns + excluded.turns, version = t.version + 1,
    strength_score = t.strength_score + excluded.strength_score,
    strength_information = t.strength_information + excluded.strength_information,
    strength_moves = t.strength_moves + excluded.strength_moves;
INSERT INTO judge_total AS t (judge_id, shard, time_class, games, sides, turns, version)
SELECT 1, game_id % 16, time_class, count(DISTINCT game_id), count(*), sum(turns), 1
FROM share
GROUP BY game_id % 16, time_class
ON CONFLICT (judge_id, shard, time_class) DO UPDATE
SET
    games = t.games + excluded.games, sides = t.sides + excluded.sides,
    turns = t.turns + excluded.turns, version = t.version + 1;
