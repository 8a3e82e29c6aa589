-- name: players_add
-- Only those that are missing, so that no ids are burnt; in the order of the keys, so that two
-- uploads wait for each other instead of deadlocking.
INSERT INTO player (name, name_key)
SELECT DISTINCT ON (u.name_key) u.name, u.name_key
FROM unnest($1::text[], $2::text[]) WITH ORDINALITY AS u (name, name_key, n)
WHERE NOT EXISTS (SELECT FROM player AS p WHERE p.name_key = u.name_key)
ORDER BY u.name_key, u.n
ON CONFLICT (name_key) DO NOTHING

-- name: players_by_key
SELECT
    coalesce(p.id, 0) AS id,
    coalesce(p.id, 0) AS person
FROM unnest($1::text[]) WITH ORDINALITY AS u (name_key, n)
LEFT JOIN player AS p ON p.name_key = u.name_key
ORDER BY u.n

-- name: games_add
INSERT INTO game (
    digest, white_id, black_id, year, date, event, site, round, result, white_elo, black_elo,
    plies, start_fen, moves, tags
)
SELECT DISTINCT ON (u.digest)
    u.digest, w.id, b.id, u.year, u.date, u.event, u.site, u.round, u.result, u.white_elo,
    u.black_elo, u.plies, u.start_fen, u.moves, u.tags
FROM unnest(
    $1::bytea[], $2::text[], $3::text[], $4::smallint[], $5::text[], $6::text[], $7::text[],
    $8::text[], $9::smallint[], $10::smallint[], $11::smallint[], $12::smallint[], $13::text[],
    $14::bytea[], $15::json[]
) WITH ORDINALITY AS u (
    digest, white_key, black_key, year, date, event, site, round, result, white_elo, black_elo,
    plies, start_fen, moves, tags, n
)
INNER JOIN player AS w ON w.name_key = u.white_key
INNER JOIN player AS b ON b.name_key = u.black_key
WHERE NOT EXISTS (SELECT FROM game AS g WHERE g.digest = u.digest)
ORDER BY u.digest, u.n
ON CONFLICT (digest) DO NOTHING
RETURNING id

-- name: games_by_digest
SELECT
    u.n,
    g.id
FROM unnest($1::bytea[]) WITH ORDINALITY AS u (digest, n)
INNER JOIN game AS g ON g.digest = u.digest
ORDER BY u.n

-- name: upload_games_add
INSERT INTO upload_game (upload_id, ordinal, game_id, duplicate)
SELECT $1::bigint, u.ordinal, u.game_id, u.duplicate
FROM unnest($2::integer[], $3::bigint[], $4::boolean[]) AS u (ordinal, game_id, duplicate)

-- name: game_get
SELECT
    g.id, g.white_id, g.black_id, g.event, g.site, g.date, g.round, g.tags, g.year, g.white_elo,
    g.black_elo, g.result, g.start_fen, g.moves,
    w.name AS white,
    b.name AS black
FROM game AS g
INNER JOIN player AS w ON w.id = g.white_id
INNER JOIN player AS b ON b.id = g.black_id
WHERE g.id = $1

-- name: game_ids
-- Three shapes of one filter, so that the index of the narrowest condition is used.
SELECT g.id
FROM game AS g
WHERE
    (
        $1::integer = 0
        OR EXISTS (SELECT FROM judged_side AS s WHERE s.game_id = g.id AND s.judge_id = $1)
    )
    AND ($2::integer = 0 OR g.year = $2)
    AND ($3::text IS NULL OR g.tags -> $3 IS NOT NULL)
ORDER BY g.id

-- name: game_ids_event
SELECT g.id
FROM game AS g
WHERE
    g.event = $4
    AND (
        $1::integer = 0
        OR EXISTS (SELECT FROM judged_side AS s WHERE s.game_id = g.id AND s.judge_id = $1)
    )
    AND ($2::integer = 0 OR g.year = $2)
    AND ($3::text IS NULL OR g.tags -> $3 IS NOT NULL)
    AND ($5::integer = 0 OR g.white_id = $5 OR g.black_id = $5)
ORDER BY g.id

-- name: game_ids_player
SELECT g.id
FROM game AS g
WHERE
    (g.white_id = $4 OR g.black_id = $4)
    AND (
        $1::integer = 0
        OR EXISTS (SELECT FROM judged_side AS s WHERE s.game_id = g.id AND s.judge_id = $1)
    )
    AND ($2::integer = 0 OR g.year = $2)
    AND ($3::text IS NULL OR g.tags -> $3 IS NOT NULL)
ORDER BY g.id
