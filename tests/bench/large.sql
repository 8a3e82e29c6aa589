-- Rounds of a large database out of the games that are there (tests/bench/large.sh): round :first to
-- :last, each a copy of all of them with players, events and years of its own. A surname has twenty
-- players; no two games have the same moves. Every turn of `rating` is there in each round as if a
-- worker had analysed it here, with a key for each position of the first 20 moves; of `standard` in
-- every tenth. Sums are as storing the sides one by one would leave them. No trigger is run.
SET session_replication_role = replica;
SET synchronous_commit = off;
SET work_mem = '256MB';
SET jit = off;
BEGIN;

CREATE TEMPORARY TABLE round ON COMMIT DROP AS
SELECT
    r, r * (SELECT strides.player FROM large_base AS strides) AS player,
    r * (SELECT strides.event FROM large_base AS strides) AS event,
    r::bigint * (SELECT strides.game FROM large_base AS strides) AS game,
    large_syllables(r / 20) AS surname,
    large_syllables(r % 20) AS given
FROM generate_series(:first, :last) AS r;
ANALYZE round;

INSERT INTO player (id, name, name_key, fide_id, merged_into, epoch)
OVERRIDING SYSTEM VALUE
SELECT
    p.id + r.player, large_name(p.name, r.surname, r.given),
    large_name(p.name_key, r.surname, r.given), p.id + r.player + 100000000,
    p.merged_into + r.player, p.epoch
FROM round AS r
CROSS JOIN large_base AS b
INNER JOIN player AS p ON p.id BETWEEN 1 AND b.player
ORDER BY p.id + r.player;
INSERT INTO spelling (player_id, key, name)
SELECT
    s.player_id + r.player, large_name(s.key, r.surname, r.given),
    large_name(s.name, r.surname, r.given)
FROM round AS r
CROSS JOIN large_base AS b
INNER JOIN spelling AS s ON s.player_id BETWEEN 1 AND b.player
ORDER BY s.player_id + r.player;
INSERT INTO surname (block, player_id, sure)
SELECT s.block || r.surname, s.player_id + r.player, s.sure
FROM round AS r
CROSS JOIN large_base AS b
INNER JOIN surname AS s ON s.player_id BETWEEN 1 AND b.player
ORDER BY s.player_id + r.player;
INSERT INTO event (id, name, year)
OVERRIDING SYSTEM VALUE
SELECT e.id + r.event, e.name || ' ' || r.given || ' ' || r.surname, large_year(e.year, r.r)
FROM round AS r
CROSS JOIN large_base AS b
INNER JOIN event AS e ON e.id BETWEEN 1 AND b.event
ORDER BY e.id + r.event;

INSERT INTO upload (id, source, digest, bytes, judge, games_read, imported, bytes_read, ended, count_after)
OVERRIDING SYSTEM VALUE
SELECT
    b.upload + r.r, 'round ' || r.r || '.pgn', sha256(int4send(r.r)), 7000000, '', b.games,
    b.games, 7000000, now(), NULL
FROM round AS r
CROSS JOIN large_base AS b;
INSERT INTO upload_total (upload_id, games, turns)
SELECT b.upload + r.r, count(DISTINCT s.game_id), sum(s.turns)
FROM round AS r
CROSS JOIN large_base AS b
INNER JOIN judged_side AS s ON s.game_id BETWEEN 1 AND b.game AND (s.judge_id = b.rating OR r.r % 10 = 0)
GROUP BY b.upload + r.r;

INSERT INTO game (
    id, white_id, black_id, year, date, site, round, result, white_elo, black_elo, plies, start_fen,
    moves, tags, event_id, upload_id, ordinal, moves_key, stem, time_class, time_known, notes
)
OVERRIDING SYSTEM VALUE
SELECT
    g.id + r.game, g.white_id + r.player * sign(g.white_id)::integer,
    g.black_id + r.player * sign(g.black_id)::integer, large_year(g.year, r.r),
    CASE WHEN g.year = 0 THEN g.date ELSE large_year(g.year, r.r) || substr(g.date, 5) END,
    g.site, g.round, g.result, g.white_elo, g.black_elo, g.plies, g.start_fen,
    g.moves, g.tags, g.event_id + r.event, b.upload + r.r, g.id, hashint8extended(g.moves_key, r.r),
    g.stem, g.time_class, g.time_known, g.notes
FROM round AS r
CROSS JOIN large_base AS b
INNER JOIN game AS g ON g.id BETWEEN 1 AND b.game
ORDER BY g.id + r.game;
INSERT INTO player_games (player_id, year, time_class, games, elo_games, elo_sum)
SELECT p.player_id + r.player, large_year(p.year, r.r), p.time_class, p.games, p.elo_games, p.elo_sum
FROM round AS r
CROSS JOIN large_base AS b
INNER JOIN player_games AS p ON p.player_id BETWEEN 1 AND b.player
ORDER BY p.player_id + r.player;

INSERT INTO judged_side (
    game_id, judge_id, colour, turns, nodes, source, cached, search_ms, strength_version,
    strength_score, strength_information, strength_moves
)
SELECT
    s.game_id + r.game, s.judge_id, s.colour, s.turns, s.nodes, 'large:1', 0, 40 * s.turns,
    s.strength_version, s.strength_score, s.strength_information, s.strength_moves
FROM round AS r
CROSS JOIN large_base AS b
INNER JOIN judged_side AS s
    ON s.game_id BETWEEN 1 AND b.game AND (s.judge_id = b.rating OR r.r % 10 = 0)
ORDER BY s.game_id + r.game;
INSERT INTO side_turns (game_id, judge_id, colour, figures, lines, position_keys)
SELECT
    s.game_id + r.game, s.judge_id, s.colour, s.figures, s.lines,
    CASE WHEN length(s.figures) > 0
        THEN array(
            SELECT md5(s.colour::text || s.judge_id || r.r || '.' || s.game_id || '.' || ply)::uuid
            FROM generate_series(
                get_byte(s.figures, 0) * 256 + get_byte(s.figures, 1),
                least(
                    39,
                    get_byte(s.figures, 0) * 256 + get_byte(s.figures, 1) + length(s.figures) / 4 - 1
                ), 2
            ) AS ply
        )
    END
FROM round AS r
CROSS JOIN large_base AS b
INNER JOIN side_turns AS s
    ON s.game_id BETWEEN 1 AND b.game AND (s.judge_id = b.rating OR r.r % 10 = 0)
ORDER BY s.game_id + r.game;

INSERT INTO player_year (
    player_id, year, judge_id, time_class, version, games, turns, counted, at_0, at_30,
    strength_score, strength_information, strength_moves
)
SELECT
    p.player_id + r.player, large_year(p.year, r.r), p.judge_id, p.time_class % 16,
    sum(p.version), sum(p.games), sum(p.turns), sum(p.counted), sum(p.at_0), sum(p.at_30),
    sum(p.strength_score), sum(p.strength_information), sum(p.strength_moves)
FROM round AS r
CROSS JOIN large_base AS b
INNER JOIN player_year AS p
    ON p.player_id BETWEEN 1 AND b.player AND (p.judge_id = b.rating OR r.r % 10 = 0)
GROUP BY p.player_id + r.player, large_year(p.year, r.r), p.judge_id, p.time_class % 16
ORDER BY 1;
INSERT INTO player_total (
    player_id, judge_id, time_class, version, games, turns, strength_score, strength_information,
    strength_moves
)
SELECT
    p.player_id + r.player, p.judge_id, p.time_class % 16, sum(p.version), sum(p.games),
    sum(p.turns), sum(p.strength_score), sum(p.strength_information), sum(p.strength_moves)
FROM round AS r
CROSS JOIN large_base AS b
INNER JOIN player_total AS p
    ON p.player_id BETWEEN 1 AND b.player AND (p.judge_id = b.rating OR r.r % 10 = 0)
GROUP BY p.player_id + r.player, p.judge_id, p.time_class % 16
ORDER BY 1;
INSERT INTO player_turns (judge_id, player_id, turns)
SELECT p.judge_id, p.player_id + r.player, p.turns
FROM round AS r
CROSS JOIN large_base AS b
INNER JOIN player_turns AS p
    ON p.player_id BETWEEN 1 AND b.player AND (p.judge_id = b.rating OR r.r % 10 = 0)
ORDER BY 1, 2;
INSERT INTO judge_total AS t (judge_id, shard, time_class, games, sides, turns, version)
SELECT
    s.judge_id, (s.game_id + r.game) % 16, g.time_class, count(DISTINCT s.game_id + r.game),
    count(*), sum(s.turns), 1
FROM round AS r
CROSS JOIN large_base AS b
INNER JOIN judged_side AS s
    ON s.game_id BETWEEN 1 AND b.game AND (s.judge_id = b.rating OR r.r % 10 = 0)
INNER JOIN game AS g ON g.id = s.game_id
GROUP BY s.judge_id, (s.game_id + r.game) % 16, g.time_class
ON CONFLICT (judge_id, shard, time_class) DO UPDATE
SET
    games = t.games + excluded.games, sides = t.sides + excluded.sides,
    turns = t.turns + excluded.turns, version = t.version + 1;
SELECT
    setval(pg_get_serial_sequence('player', 'id'), (SELECT max(id) FROM player)),
    setval(pg_get_serial_sequence('event', 'id'), (SELECT max(id) FROM event)),
    setval(pg_get_serial_sequence('upload', 'id'), (SELECT max(id) FROM upload)),
    setval(pg_get_serial_sequence('game', 'id'), (SELECT max(id) FROM game))
\g /dev/null
UPDATE large_base SET rounds = :last;
COMMIT;
