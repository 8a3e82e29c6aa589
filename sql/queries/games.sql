-- name: events_add
-- Only those that are missing, so that no ids are burnt.
INSERT INTO event (name, year)
SELECT DISTINCT u.name, u.year
FROM unnest($1::text[], $2::smallint[]) AS u (name, year)
WHERE NOT EXISTS (
    SELECT FROM event AS e WHERE e.digest = md5(u.year::text || ' ' || u.name)::uuid
)
ORDER BY u.name, u.year
ON CONFLICT (digest) DO NOTHING

-- name: events_find
SELECT e.id
FROM unnest($1::text[], $2::smallint[]) WITH ORDINALITY AS u (name, year, n)
INNER JOIN event AS e ON e.digest = md5(u.year::text || ' ' || u.name)::uuid
ORDER BY u.n

-- name: game_ids_take
SELECT nextval('game_id_seq') AS id
FROM generate_series(1, $1::integer)
ORDER BY id

-- name: game_get
SELECT
    g.id, g.white_id, g.black_id, g.site, g.date, g.round, g.tags, g.year, g.white_elo,
    g.black_elo, g.result, g.start_fen, g.moves, g.time_class, g.time_known, g.notes,
    e.name AS event,
    w.name AS white,
    b.name AS black
FROM game AS g
INNER JOIN event AS e ON e.id = g.event_id
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
    g.event_id IN (SELECT e.id FROM event AS e WHERE e.name = $4)
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
