-- name: year_list_get :maybe inside
-- The list of that judge and these classes, and whether it is up to date.
-- param judge_id int32
-- param times times
-- param strength_version int
-- column id int32
-- column current bool
SELECT
    l.id,
    (
        NOT EXISTS (SELECT FROM changed_year) AND l.requested > now() - interval '1 hour'
    ) AS current
FROM year_list AS l
WHERE l.judge_id = $1 AND l.times = $2::smallint[] AND l.strength_version = $3::smallint

-- name: year_lists_lock :exec inside
-- One transaction at a time brings lists up to date.
SELECT pg_advisory_xact_lock(7460301958214908)

-- name: year_list_add :one inside
-- Adds a list, or sets the version of its ratings if it exists; does not fill its rows. Deletes
-- lists that were not requested for a day.
-- param judge_id int32
-- param times times
-- param strength_version int
-- column id int32
WITH gone AS (
    DELETE FROM year_list AS l
    WHERE l.requested < now() - interval '1 day'
        AND NOT (l.judge_id = $1::smallint AND l.times = $2::smallint[])
)

INSERT INTO year_list AS l (judge_id, times, strength_version)
VALUES ($1::smallint, $2::smallint[], $3::smallint)
ON CONFLICT (judge_id, times) DO UPDATE
SET strength_version = excluded.strength_version, requested = now()
RETURNING l.id

-- name: year_list_empty :exec inside
-- param id int32
DELETE FROM listed_year WHERE list_id = $1

-- name: year_list_requested :exec inside
-- param id int32
UPDATE year_list SET requested = now() WHERE id = $1 AND requested < now() - interval '30 minutes'

-- part: listed_year_sums list
-- Rows of the lists for the persons and years of `who`.
INSERT INTO listed_year AS y (
    list_id, player_id, year, version, games, turns, counted, at_0, at_30, strength_score,
    strength_information
)
SELECT
    l.id, w.player_id, w.year, s.*
FROM year_list AS l
CROSS JOIN who AS w
CROSS JOIN LATERAL (
    SELECT
        coalesce(sum(v.version) FILTER (WHERE v.judge_id = l.judge_id), 0)::bigint AS version,
        coalesce(sum(v.games) FILTER (WHERE v.judge_id = l.judge_id), 0)::integer AS games,
        coalesce(sum(v.turns) FILTER (WHERE v.judge_id = l.judge_id), 0)::bigint AS turns,
        coalesce(sum(v.counted) FILTER (WHERE v.judge_id = l.judge_id), 0)::bigint AS counted,
        coalesce(sum(v.at_0) FILTER (WHERE v.judge_id = l.judge_id), 0)::bigint AS at_0,
        coalesce(sum(v.at_30) FILTER (WHERE v.judge_id = l.judge_id), 0)::bigint AS at_30,
        coalesce(sum(v.strength_score), 0)::bigint AS score,
        coalesce(sum(v.strength_information), 0)::bigint AS information
    FROM (
        SELECT m.id FROM player AS m WHERE m.id = w.player_id AND m.merged_into IS NULL
        UNION ALL
        SELECT m.id FROM player AS m WHERE m.merged_into = w.player_id
    ) AS i
    CROSS JOIN LATERAL (
        SELECT
            y.judge_id, y.version, y.games, y.turns, y.counted, y.at_0, y.at_30,
            y.strength_score, y.strength_information
        FROM player_year AS y
        WHERE y.player_id = i.id AND y.year = w.year AND y.time_class = ANY(l.times)
        UNION ALL
        SELECT
            t.judge_id, t.version, t.games, t.turns, 0, 0, 0,
            t.strength_score, t.strength_information
        FROM player_total AS t
        WHERE t.player_id = i.id AND w.year = 0 AND t.time_class = ANY(l.times)
    ) AS v
) AS s
WHERE @list = 0 OR l.id = @list
ON CONFLICT (list_id, player_id, year) DO UPDATE
SET
    version = excluded.version, games = excluded.games, turns = excluded.turns,
    counted = excluded.counted, at_0 = excluded.at_0, at_30 = excluded.at_30,
    strength_score = excluded.strength_score,
    strength_information = excluded.strength_information,
    estimate = NULL

-- name: year_list_fill :exec inside
-- param id int32
WITH who AS (
    SELECT DISTINCT
        coalesce(m.merged_into, m.id) AS player_id,
        v.year
    FROM (
        SELECT player_id, year FROM player_year
        UNION
        SELECT player_id, 0 FROM player_total
    ) AS v
    INNER JOIN player AS m ON m.id = v.player_id
)

@listed_year_sums($1::integer)

-- name: year_lists_analyse :exec inside
-- Called after a list is filled: until autovacuum has analysed the table, the planner would sort
-- the whole list for each page.
SELECT analyse_listed_years()

-- name: year_lists_renew :exec inside
-- What has changed, in every list.
WITH changed AS (
    DELETE FROM changed_year RETURNING player_id, year
),

who AS (
    SELECT player_id, year FROM changed
    UNION
    SELECT
        m.merged_into,
        c.year
    FROM changed AS c
    INNER JOIN player AS m ON m.id = c.player_id
    WHERE m.merged_into IS NOT NULL
)

@listed_year_sums(0)

-- name: listed_years_unrated :many ipr_db_listed_strength inside
-- Some whose rating is to be computed.
-- param limit int
-- column list_id, player_id int32
-- column year int
-- column score, information int64       -- millionths
-- column estimate int64                 -- the same; 0: to be computed
SELECT
    list_id, player_id, year,
    strength_score AS score,
    strength_information AS information,
    0 AS estimate
FROM listed_year
WHERE strength_information > 0 AND estimate IS NULL
LIMIT $1

-- name: listed_years_rate :exec inside
-- Their ratings.
-- each const struct ipr_db_listed_strength rows
-- bind rows[].list_id, rows[].player_id, rows[].year int[]
-- bind rows[].estimate int64[]
UPDATE listed_year AS y
SET estimate = u.estimate / 1e6
FROM unnest($1::integer[], $2::integer[], $3::integer[], $4::bigint[])
    AS u (list_id, player_id, year, estimate)
WHERE y.list_id = u.list_id AND y.player_id = u.player_id AND y.year = u.year
