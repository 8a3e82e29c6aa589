-- name: game_ids_take :many inside
-- param n_ids int64
-- column id int64
SELECT nextval('game_id_seq') AS id
FROM generate_series(1, $1::integer)
ORDER BY id

-- name: game_get
SELECT
    g.id, g.white_id, g.black_id, g.site, g.date, g.round, g.tags, g.year, g.white_elo,
    g.black_elo, g.result, g.start_fen, g.moves, g.time_class, g.time_known, g.notes, g.event_id,
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
    AND (
        $5::integer = 0
        OR g.white_id = ANY(person_identities($5))
        OR g.black_id = ANY(person_identities($5))
    )
ORDER BY g.id

-- name: game_ids_player
SELECT g.id
FROM game AS g
WHERE
    (g.white_id = ANY(person_identities($4)) OR g.black_id = ANY(person_identities($4)))
    AND (
        $1::integer = 0
        OR EXISTS (SELECT FROM judged_side AS s WHERE s.game_id = g.id AND s.judge_id = $1)
    )
    AND ($2::integer = 0 OR g.year = $2)
    AND ($3::text IS NULL OR g.tags -> $3 IS NOT NULL)
ORDER BY g.id
