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
