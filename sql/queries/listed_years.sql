-- include queries/strength_inside.h

-- name: year_list_get :maybe inside
-- The list of that judge and these classes, the person up to whom it is filled, or -1: all, and whether
-- it is up to date.
-- param judge_id int32
-- param times times
-- param for_its_time bool
-- param strength_version int
-- column id int32
-- column filled int32 or -1
-- column current bool
SELECT
    l.id, l.filled,
    (
        l.filled IS NULL AND NOT EXISTS (SELECT FROM changed_year)
        AND l.requested > now() - interval '1 hour'
    ) AS current
FROM year_list AS l
WHERE l.judge_id = $1 AND l.times = $2::smallint[] AND l.for_its_time = $3::boolean
    AND l.strength_version = $4::smallint AND l.filled IS DISTINCT FROM -1

-- name: year_list_undone :maybe inside
-- A list that is not filled, or is being deleted, or was not requested for a day, which deletes it.
-- column id int32
-- column filled int32
SELECT
    l.id,
    CASE WHEN l.requested < now() - interval '1 day' THEN -1 ELSE l.filled END AS filled
FROM year_list AS l
WHERE l.filled IS NOT NULL OR l.requested < now() - interval '1 day'
ORDER BY l.requested DESC
LIMIT 1

-- name: year_changes_are_many :one inside
-- Whether there are more than that.
-- param n int
-- column many bool
SELECT EXISTS (SELECT FROM changed_year OFFSET $1::integer LIMIT 1) AS many

-- name: year_lists_lock :exec inside
-- One transaction at a time brings lists up to date.
SELECT pg_advisory_xact_lock(7460301958214908)

-- name: year_list_add :one inside
-- Adds a list, or sets the version of its ratings if it exists; it is to be filled. Rows that it has
-- are written again.
-- param judge_id int32
-- param times times
-- param for_its_time bool
-- param strength_version int
-- column id int32
INSERT INTO year_list AS l (judge_id, times, for_its_time, strength_version, filled)
VALUES ($1::smallint, $2::smallint[], $3::boolean, $4::smallint, 0)
ON CONFLICT (judge_id, times, for_its_time) DO UPDATE
SET strength_version = excluded.strength_version, requested = now(), filled = 0
RETURNING l.id

-- name: year_list_filled :exec inside
-- Up to that person, or all: -1.
-- param id, filled int32
UPDATE year_list SET filled = nullif($2::integer, -1) WHERE id = $1

-- name: year_list_forget :count inside
-- Deletes some rows of a list, from now on incomplete.
-- param id int32
-- param limit int
WITH forgotten AS (
    UPDATE year_list SET filled = -1 WHERE id = $1 RETURNING id
)

DELETE FROM listed_year
WHERE ctid = ANY(ARRAY(
    SELECT y.ctid
    FROM forgotten AS f
    INNER JOIN listed_year AS y ON y.list_id = f.id
    LIMIT $2::integer
))

-- name: year_list_delete :exec inside
-- param id int32
DELETE FROM year_list WHERE id = $1

-- name: year_list_requested :exec inside
-- param id int32
UPDATE year_list SET requested = now() WHERE id = $1 AND requested < now() - interval '30 minutes'

-- name: year_list_progress :one inside
-- How far it is, in percent.
-- param filled int32
-- column percent int
SELECT (100 * $1::bigint / greatest((SELECT max(p.id) FROM player AS p), $1, 1))::integer AS percent

-- name: year_list_slice :one inside
-- Of the next players after that one: how many, and the last.
-- param after int32
-- param limit int
-- column n int
-- column last int32
SELECT
    count(*)::integer AS n,
    coalesce(max(s.id), 0) AS last
FROM (SELECT p.id FROM player AS p WHERE p.id > $1 ORDER BY p.id LIMIT $2) AS s

-- name: year_list_persons :many ipr_db_listed_year inside
-- The persons of a slice with the years that their identities have, 0 for the career.
-- param after, last int32
-- column player_id int32
-- column year int
SELECT DISTINCT
    p.id AS player_id,
    v.year
FROM player AS p
CROSS JOIN LATERAL (
    SELECT p.id
    UNION ALL
    SELECT m.id FROM player AS m WHERE m.merged_into = p.id
) AS i
CROSS JOIN LATERAL (
    SELECT y.year FROM player_year AS y WHERE y.player_id = i.id
    UNION ALL
    SELECT 0 FROM player_total AS t WHERE t.player_id = i.id
) AS v
WHERE p.id > $1 AND p.id <= $2 AND p.merged_into IS NULL

-- name: changed_years_take :many ipr_db_listed_year inside
-- Takes some of what has changed; more where there is no list yet.
-- param limit int
DELETE FROM changed_year
WHERE ctid = ANY(ARRAY(
    SELECT c.ctid
    FROM changed_year AS c
    LIMIT CASE WHEN EXISTS (SELECT FROM year_list) THEN 1 ELSE 20 END * $1::integer
))
RETURNING player_id, year

-- name: listed_years_store :many ipr_db_listed_strength inside
-- Rows of a list, or 0: of every list, for these identities and years, their careers, and the persons
-- they belong to, not rated yet.
-- param list_id int32
-- each const struct ipr_db_listed_year of
-- bind of[].player_id, of[].year int[]
-- column list_id, player_id int32
-- column year int
-- column score, information int64       -- millionths
-- column estimate, rise int64           -- the same; 0: to be computed, or none
-- column moves int32                    -- rated ones; these three of a career, to be computed
-- column peak_from, peak_to int         -- 0: not dated
-- column for_its_time bool              -- of the list
-- also ipr_strength_mix as mix
WITH changed AS (
    SELECT player_id, year FROM unnest($2::integer[], $3::integer[]) AS c (player_id, year)
    UNION
    SELECT u.id, 0 FROM unnest($2) AS u (id)
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
),

list AS MATERIALIZED (
    SELECT
        l.id,
        l.times,
        l.for_its_time,
        judges_with(l.judge_id) AS judges
    FROM year_list AS l
    WHERE $1::integer = 0 OR l.id = $1
),

member AS MATERIALIZED (
    @members_of(ARRAY(SELECT w.player_id FROM who AS w))
),

-- IS TRUE: compared game by game, since a join by it would read all games for each year.
@years_of_members(((m.person, g.year) IN (SELECT w.player_id, w.year FROM who AS w)) IS TRUE; 1)

INSERT INTO listed_year AS y (
    list_id, player_id, year, version, games, turns, counted, at_0, at_30, strength_score,
    strength_information, equation, events, strength_moves, strength_games, strength_judge, classes
)
-- Both kinds of sums are put together by a sort, since nothing tells the planner how many there are.
SELECT
    list_id, player_id, year, max(version), max(games), max(turns), max(counted), max(at_0), max(at_30),
    max(score), max(information), max(equation), max(events), max(moves), max(strength_games),
    max(judge_id), max(classes)
FROM (
    SELECT
        l.id AS list_id, w.player_id, w.year, s.*,
        NULL::double precision AS events,
        0 AS moves,
        0 AS strength_games,
        0 AS judge_id,
        0 AS classes
    FROM list AS l
    CROSS JOIN who AS w
    CROSS JOIN LATERAL (
        SELECT
            coalesce(sum(v.version) FILTER (WHERE v.judge_id = ANY(l.judges)), 0)::bigint AS version,
            coalesce(sum(v.games) FILTER (WHERE v.judge_id = ANY(l.judges)), 0)::integer AS games,
            coalesce(sum(v.turns) FILTER (WHERE v.judge_id = ANY(l.judges)), 0)::bigint AS turns,
            coalesce(sum(v.counted) FILTER (WHERE v.judge_id = ANY(l.judges)), 0)::bigint AS counted,
            coalesce(sum(v.at_0) FILTER (WHERE v.judge_id = ANY(l.judges)), 0)::bigint AS at_0,
            coalesce(sum(v.at_30) FILTER (WHERE v.judge_id = ANY(l.judges)), 0)::bigint AS at_30,
            coalesce(sum(v.strength_score), 0)::bigint AS score,
            coalesce(sum(v.strength_information), 0)::bigint AS information,
            ARRAY[
                sum(v.strength_information * q.equation[1]), sum(v.strength_information * q.equation[2]),
                sum(v.strength_information * q.equation[3]), sum(v.strength_information * q.equation[4]),
                sum(v.strength_information * q.equation[5])
            ] AS equation
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
        INNER JOIN judge AS q ON q.id = v.judge_id
    ) AS s
    UNION ALL
    SELECT
        g.list_id, g.person, g.year, 0, 0, 0, 0, 0, 0, NULL, NULL, NULL,
        g.events, g.moves, g.games, g.judge_id, g.classes
    FROM person_year AS g
) AS u
GROUP BY list_id, player_id, year
ON CONFLICT (list_id, player_id, year) DO UPDATE
SET
    version = excluded.version, games = excluded.games, turns = excluded.turns,
    counted = excluded.counted, at_0 = excluded.at_0, at_30 = excluded.at_30,
    strength_score = excluded.strength_score,
    strength_information = excluded.strength_information,
    equation = excluded.equation,
    events = excluded.events, strength_moves = excluded.strength_moves,
    strength_games = excluded.strength_games, strength_judge = excluded.strength_judge,
    classes = excluded.classes,
    estimate = NULL
RETURNING
    y.list_id, y.player_id, y.year,
    y.strength_score AS score,
    y.strength_information AS information,
    0 AS estimate,
    0 AS rise,
    0 AS moves,
    0 AS peak_from,
    0 AS peak_to,
    (SELECT l.for_its_time FROM list AS l WHERE l.id = y.list_id) AS for_its_time,
    y.equation[1] AS shift_error,
    y.equation[2] AS scale_error,
    y.equation[3] AS centre,
    y.equation[4] AS other,
    y.equation[5] AS unknown

-- name: strength_of_listed :many ipr_db_person_year inside
-- The years of careers, of a list that is filled or not; ascending list, person, year.
-- each const struct ipr_db_listed_strength careers
-- bind careers[].list_id, careers[].player_id int[]
@years_of_list(unnest($1::integer[], $2::integer[]))
ORDER BY list_id, person, year

-- name: year_lists_analyse :exec inside
-- Called after a list is filled: until autovacuum has analysed the table, the planner would sort
-- the whole list for each page.
SELECT analyse_listed_years()

-- name: listed_years_rate :exec inside
-- Their ratings.
-- each const struct ipr_db_listed_strength rows
-- bind rows[].list_id, rows[].player_id, rows[].year int[]
-- bind rows[].estimate, rows[].rise int64[]
-- bind rows[].moves, rows[].peak_from, rows[].peak_to int[]
UPDATE listed_year AS y
SET
    estimate = u.estimate / 1e6, rise = nullif(u.rise, 0) / 1e6, moves = nullif(u.moves, 0),
    peak_from = nullif(u.peak_from, 0), peak_to = nullif(u.peak_to, 0)
FROM
    unnest(
        $1::integer[], $2::integer[], $3::integer[], $4::bigint[], $5::bigint[], $6::integer[],
        $7::integer[], $8::integer[]
    ) AS u (list_id, player_id, year, estimate, rise, moves, peak_from, peak_to)
WHERE y.list_id = u.list_id AND y.player_id = u.player_id AND y.year = u.year
