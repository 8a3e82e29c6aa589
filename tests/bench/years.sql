-- :players players with ten years of twenty analysed games each, in two events a year; no moves are stored.
-- No trigger is run.
SET session_replication_role = replica;
SET synchronous_commit = off;
CREATE TEMPORARY TABLE base AS
SELECT
    (SELECT max(id) FROM player) AS player,
    (SELECT max(id) FROM event) AS event,
    (SELECT max(id) FROM game) AS game,
    (SELECT id FROM judge WHERE name = 'rating') AS rating,
    (SELECT max(strength_version) FROM judged_side) AS version;

INSERT INTO player (id, name, name_key)
OVERRIDING SYSTEM VALUE
SELECT b.player + p, 'Bench ' || p, 'bench ' || p
FROM base AS b CROSS JOIN generate_series(1, :players) AS p;
INSERT INTO event (id, name, year)
OVERRIDING SYSTEM VALUE
SELECT b.event + e, 'Bench ' || e, 2000 + (e - 1) / 2
FROM base AS b CROSS JOIN generate_series(1, 20) AS e;
CREATE TEMPORARY TABLE played AS
SELECT
    b.game + ((y * 10 + k) * :players) + p AS id,
    b.player + p AS white,
    b.player + 1 + (p + k) % :players AS black,
    2000 + y AS year,
    b.event + 2 * y + 1 + (p + k) % 2 AS event,
    b.rating,
    b.version,
    hashint4(p * 31 + k * 7 + y) AS noise
FROM base AS b
CROSS JOIN generate_series(1, :players) AS p
CROSS JOIN generate_series(0, 9) AS y
CROSS JOIN generate_series(0, 9) AS k;
INSERT INTO game (
    id, white_id, black_id, year, date, site, round, result, plies, start_fen, moves, tags, event_id, upload_id,
    ordinal, moves_key, stem, time_class, time_known
)
OVERRIDING SYSTEM VALUE
SELECT
    g.id, g.white, g.black, g.year, g.year || '.??.??', '', '', 3, 80, s.start_fen, '', '{}', g.event,
    s.upload_id, g.id, g.id, s.stem, 1, 1
FROM played AS g CROSS JOIN (SELECT * FROM game ORDER BY id LIMIT 1) AS s;
INSERT INTO judged_side (
    game_id, judge_id, colour, turns, nodes, source, strength_version, strength_score, strength_information,
    strength_moves
)
SELECT
    g.id, g.rating, c, 40, 1000, 'bench', g.version,
    i.information * ((g.white * (1 - c) + g.black * c) % 40) / 25 + (g.noise >> 8 * c) % 1000000,
    i.information, 35
FROM played AS g CROSS JOIN generate_series(0, 1) AS c
CROSS JOIN LATERAL (SELECT 300000 + (g.noise & 262143) AS information) AS i;
INSERT INTO player_year (
    player_id, year, judge_id, time_class, version, games, turns, counted, at_0, at_30, strength_score,
    strength_information, strength_moves
)
SELECT
    CASE s.colour WHEN 0 THEN g.white ELSE g.black END, g.year, s.judge_id, 1, count(*), count(*), sum(s.turns),
    sum(s.turns), 0, 0, sum(s.strength_score), sum(s.strength_information), sum(s.strength_moves)
FROM played AS g INNER JOIN judged_side AS s ON s.game_id = g.id
GROUP BY 1, 2, 3;
INSERT INTO player_total (
    player_id, judge_id, time_class, version, games, turns, strength_score, strength_information,
    strength_moves
)
SELECT
    y.player_id, y.judge_id, 1, sum(y.version), sum(y.games), sum(y.turns), sum(y.strength_score),
    sum(y.strength_information), sum(y.strength_moves)
FROM player_year AS y CROSS JOIN base AS b
WHERE y.player_id > b.player
GROUP BY y.player_id, y.judge_id;
INSERT INTO player_games (player_id, year, time_class, games, elo_games, elo_sum)
SELECT y.player_id, y.year, 1, y.games, 0, 0
FROM player_year AS y CROSS JOIN base AS b
WHERE y.player_id > b.player;
INSERT INTO player_turns (judge_id, player_id, turns)
SELECT 0, t.player_id, t.turns
FROM player_total AS t CROSS JOIN base AS b
WHERE t.player_id > b.player;
ANALYZE;
