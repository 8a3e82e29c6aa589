-- row: ipr_db_event
-- column name text                      -- "" for none
-- column year int                       -- 0 unknown

-- name: events_find :many inside
-- each const struct ipr_db_event events
-- bind events[].name text[]
-- bind events[].year int[]
-- column id int32
--
-- Events that do not exist have id -1. Looked up one by one: the table grows during an import,
-- while its statistics still say that it is empty.
SELECT coalesce(e.id, -1) AS id
FROM unnest($1::text[], $2::smallint[]) WITH ORDINALITY AS u (name, year, n)
LEFT JOIN LATERAL (
    SELECT f.id
    FROM event AS f
    WHERE f.digest = md5(u.year::text || ' ' || u.name)::uuid
    LIMIT 1
) AS e ON true
ORDER BY u.n

-- name: events_add :exec inside
-- each const struct ipr_db_event events
-- bind events[].name text[]
-- bind events[].year int[]
--
-- Adds those that were not found, in one order.
INSERT INTO event (name, year)
SELECT DISTINCT u.name, u.year
FROM unnest($1::text[], $2::smallint[]) AS u (name, year)
ORDER BY u.name, u.year
ON CONFLICT DO NOTHING

-- name: event_get :one ipr_db_event
-- An event by its id; IPR_ENOTFOUND.
-- param id int32
-- missing no such event
SELECT name, year
FROM event
WHERE id = $1

-- name: event_years :many
-- The year of each event of a list, of its last game where its own is not known; 0: there is none.
-- param events int32[]
-- column year int
SELECT
    coalesce(
        nullif(e.year, 0), (SELECT max(g.year) FROM game AS g WHERE g.event_id = e.id), 0
    ) AS year
FROM unnest($1::integer[]) WITH ORDINALITY AS u (id, n)
LEFT JOIN event AS e ON e.id = u.id AND e.id <> 0
ORDER BY u.n
