-- Strength from results, of persons in years (db/results.h).

-- row: ipr_db_results_row
-- column person, year, games, component int
-- column elo, se, covariance int64      -- in tenths
-- column scale_se int64                 -- in tenths; -1: on the scale of no list

-- row: ipr_db_results_strength
-- column person int32
-- column year int
-- column elo, se, covariance double or 0 -- covariance with the next of the same person
-- column games int or 0                 -- 0: there is none
-- column component int32 or 0
-- column scale_se double or -1          -- of the scale; -1: on the scale of no list

-- name: results_due :maybe inside
-- Whether the fit is to be computed again: results have changed, and the last fit is 20 times as old
-- as it took.
-- param method int
-- column version int64
-- column players int32                  -- higher than every id
SELECT v.version, v.players
FROM (
    SELECT
        (
            (SELECT coalesce(sum(p.epoch), 0) FROM player AS p WHERE p.epoch > 0)
            + (
                SELECT coalesce(sum(c.transactions), 0)
                FROM game_change AS c WHERE c.time_class IN (0, 1, 99)
            )
        )::bigint AS version,
        (SELECT coalesce(max(p.id), 0) + 1 FROM player AS p) AS players
) AS v
LEFT JOIN results_fit AS f ON true
WHERE
    f.version IS NULL
    OR (
        (f.version <> v.version OR f.method <> $1::smallint)
        AND clock_timestamp() > f.computed + 20 * f.seconds * interval '1 second'
    )

-- name: results_lock :one inside
-- One process at a time computes the fit. A fit of millions of games takes longer than the timeout
-- of a transaction that waits for its next statement.
-- column free bool
SELECT pg_try_advisory_xact_lock(7460301958214925) AS free
FROM set_config('idle_in_transaction_session_timeout', '600000', true)

-- name: results_games :many ipr_db_results_game inside
-- The next `limit` games by id that count.
-- param after int64
-- param limit int
-- column id int64
-- column white, black int32             -- identities
-- column year int
-- column points double                  -- of White
-- column white_elo, black_elo int or 0  -- in tags
SELECT
    id,
    white_id AS white,
    black_id AS black,
    year,
    CASE result WHEN 1 THEN 1 WHEN 2 THEN 0 ELSE 0.5 END::double precision AS points,
    white_elo,
    black_elo
FROM game
WHERE
    id > $1 AND result <> 0 AND year <> 0 AND plies > 0 AND time_class IN (0, 1)
    AND white_id <> 0 AND black_id <> 0
ORDER BY id
LIMIT $2

-- name: results_merged :many ipr_db_results_merged inside
-- Identities that are merged into a person.
-- column id, person int32
SELECT
    id,
    merged_into AS person
FROM player
WHERE merged_into IS NOT NULL

-- name: results_put :exec inside
-- Replaces the rows of the persons above `after` and up to `to`. Elo, standard errors and
-- covariance are in tenths.
-- param after, to int32
-- each const struct ipr_db_results_row rows
-- bind rows[].person, rows[].year int[]
-- bind rows[].elo, rows[].se, rows[].covariance int64[]
-- bind rows[].games, rows[].component int[]
-- bind rows[].scale_se int64[]
WITH fresh AS MATERIALIZED (
    SELECT *
    FROM unnest(
        $3::integer[], $4::smallint[], $5::bigint[], $6::bigint[], $7::bigint[], $8::integer[],
        $9::integer[], $10::bigint[]
    ) AS u (person_id, year, elo, se, covariance, games, component, scale_se)
),

gone AS (
    DELETE FROM results_strength AS r
    WHERE
        r.person_id > $1 AND r.person_id <= $2
        AND NOT EXISTS (
            SELECT FROM fresh AS f WHERE f.person_id = r.person_id AND f.year = r.year
        )
)

INSERT INTO results_strength AS r
(person_id, year, elo, se, covariance, games, component, scale_se)
SELECT
    person_id, year, elo / 10.0::double precision, se / 10.0::double precision,
    covariance / 10.0::double precision, games, component,
    CASE WHEN scale_se >= 0 THEN scale_se / 10.0::double precision END
FROM fresh
ON CONFLICT (person_id, year) DO UPDATE
SET
    elo = excluded.elo, se = excluded.se, covariance = excluded.covariance, games = excluded.games,
    component = excluded.component, scale_se = excluded.scale_se
WHERE
    (r.elo, r.se, r.covariance, r.games, r.component, r.scale_se)
    IS DISTINCT FROM
    (
        excluded.elo, excluded.se, excluded.covariance, excluded.games, excluded.component,
        excluded.scale_se
    )

-- name: results_clear :exec inside
-- No game is left.
WITH components AS (DELETE FROM results_component)

DELETE FROM results_strength

-- name: results_components_clear :exec inside
DELETE FROM results_component

-- name: results_component_put :exec inside
-- param component int32
-- arg const struct ipr_whr_scale *scale
-- bind scale->from, scale->to int
-- bind (int)scale->ratings, (int)scale->players int
INSERT INTO results_component (component, from_year, to_year, ratings, players)
VALUES ($1, $2, $3, $4, $5)

-- name: results_fit_put :exec inside
-- param version int64
-- param method, games int
-- param seconds double
INSERT INTO results_fit AS f (version, method, games, computed, seconds)
VALUES ($1, $2, $3, clock_timestamp(), $4)
ON CONFLICT (one) DO UPDATE
SET
    version = excluded.version, method = excluded.method, games = excluded.games,
    computed = excluded.computed, seconds = excluded.seconds

-- part: results_row
r.elo,
r.se,
r.covariance,
r.games,
r.component,
r.scale_se

-- name: results_of_person :many ipr_db_results_strength
-- A person's, by year; `year` 0: of all years.
-- param person int32
-- param year int
SELECT
    r.person_id AS person,
    r.year,
    @results_row()
FROM results_strength AS r
WHERE r.person_id = $1 AND ($2::integer = 0 OR r.year = $2)
ORDER BY r.year

-- name: results_of_years :many ipr_db_results_strength
-- Of player-years, in the order given.
-- each const struct ipr_db_player_year years
-- bind years[].player_id, years[].year int[]
SELECT
    u.person,
    u.year,
    @results_row()
FROM unnest($1::integer[], $2::integer[]) WITH ORDINALITY AS u (person, year, n)
LEFT JOIN results_strength AS r ON r.person_id = u.person AND r.year = u.year
ORDER BY u.n

-- name: results_component :maybe
-- What places a component on the scale of the Elo lists, if anything.
-- param component int32
-- column from_year, to_year int
-- column ratings, players int
SELECT from_year, to_year, ratings, players FROM results_component WHERE component = $1
