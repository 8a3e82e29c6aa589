-- name: game_ids_take :many inside
-- param n_ids int64
-- column id int64
SELECT nextval('game_id_seq') AS id
FROM generate_series(1, $1::integer)
ORDER BY id

-- fill: ipr_db_game
-- column id int64
-- column white_id, black_id, event_id int32
-- column white, black, event, site, date, round text
-- column tags text as tags_json
-- column year int
-- column white_elo, black_elo int32 or 0
-- column result enum ipr_result IPR_RESULT_UNKNOWN..IPR_DRAW
-- column start_fen start as start
-- column custom_start bool
-- column moves moves
-- column plies uint64 0..INT16_MAX
-- column moves_key int64
-- column time_class enum ipr_time_class 0..IPR_TIME_CLASSES - 1
-- column time_known enum ipr_time_known 0..IPR_TIME_INFERRED
-- column notes bytes or NULL

-- name: game_get :one ipr_db_game
-- param id int64
-- missing no such game
SELECT
    g.id, g.white_id, g.black_id, g.site, g.date, g.round, g.tags, g.year, g.white_elo,
    g.black_elo, g.result, g.start_fen, g.start_fen IS NOT NULL AS custom_start, g.moves, g.plies,
    g.moves_key, g.time_class, g.time_known, g.notes, g.event_id,
    e.name AS event,
    w.name AS white,
    b.name AS black
FROM game AS g
INNER JOIN event AS e ON e.id = g.event_id
INNER JOIN player AS w ON w.id = g.white_id
INNER JOIN player AS b ON b.id = g.black_id
WHERE g.id = $1

-- name: game_persons :one ipr_db_game_persons
-- param id int64
-- column white, black text
-- column white_fide, black_fide int32 or 0
-- column domain text or NULL             -- of all games; NULL: chess
-- missing no such game
SELECT
    w.name AS white,
    w.fide_id AS white_fide,
    b.name AS black,
    b.fide_id AS black_fide,
    nullif((SELECT d.name FROM domain AS d), 'chess') AS domain
FROM game AS g
INNER JOIN player AS i ON i.id = g.white_id
INNER JOIN player AS w ON w.id = coalesce(i.merged_into, i.id)
INNER JOIN player AS o ON o.id = g.black_id
INNER JOIN player AS b ON b.id = coalesce(o.merged_into, o.id)
WHERE g.id = $1

-- name: game_to_classify :maybe inside
-- A stored game whose class of time control is to be read from its tags again.
-- column game_id int64
SELECT q.game_id FROM game_to_classify AS q ORDER BY q.game_id LIMIT 1

-- name: game_classified :exec inside
-- param game_id int64
DELETE FROM game_to_classify WHERE game_id = $1

-- name: game_classify :exec inside
-- param game_id int64
-- param time_class, time_known int
UPDATE game SET time_class = $2::smallint, time_known = $3::smallint WHERE id = $1

-- name: game_versions_before :many ipr_db_game_before inside
-- As they were before uploads added something.
-- param game_id int64
-- column upload_id int64
-- column tags text
SELECT b.upload_id, b.before ->> 'tags' AS tags
FROM game_before AS b
WHERE b.game_id = $1

-- name: game_before_classify :exec inside
-- param upload_id, game_id int64
-- param time_class, time_known int
UPDATE game_before
SET
    before = regexp_replace(
        regexp_replace(before::text, '"time_class":\d+', '"time_class":' || $3::integer),
        '"time_known":\d+', '"time_known":' || $4::integer
    )::json
WHERE upload_id = $1 AND game_id = $2

-- name: class_games :many ipr_db_time_games
-- How many games of each class of time control: of an upload; else of an event; else of a player, any
-- of the identities of a person, all or those of a year. Of an upload or an event 10,000 are looked at.
-- param player int32
-- param year int
-- param event int32
-- param upload int64
-- column time_class int 0..IPR_TIME_CLASSES - 1
-- column games int64
SELECT
    s.time_class,
    sum(s.games)::bigint AS games
FROM (
    SELECT g.time_class, g.games
    FROM player AS w
    INNER JOIN player AS m ON coalesce(w.merged_into, w.id) IN (m.id, m.merged_into)
    INNER JOIN player_games AS g ON g.player_id = m.id
    WHERE w.id = $1 AND $3::integer = 0 AND $4::bigint = 0 AND ($2::integer = 0 OR g.year = $2)
    UNION ALL
    (
        SELECT g.time_class, 1
        FROM game AS g
        WHERE $3 <> 0 AND $4 = 0 AND g.event_id = $3
        LIMIT 10000
    )
    UNION ALL
    (
        SELECT g.time_class, 1
        FROM upload_game AS u
        INNER JOIN game AS g ON g.id = u.game_id
        WHERE $4 <> 0 AND u.upload_id = $4
        LIMIT 10000
    )
) AS s
GROUP BY s.time_class
ORDER BY s.time_class
