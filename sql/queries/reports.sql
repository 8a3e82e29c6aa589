-- name: data_version
-- All sums only grow, each by the transaction that changes what it stands for: equal versions are
-- equal data. $3: games that nobody has judged count, too.
SELECT
    coalesce((
        SELECT sum(t.version)
        FROM judge_total AS t
        WHERE t.judge_id = $1 AND t.time_class = ANY($2::smallint[])
    ), 0)::bigint
    + coalesce((SELECT sum(p.epoch) FROM player AS p WHERE p.epoch > 0), 0)::bigint
    + coalesce((
        SELECT sum(c.transactions)
        FROM game_change AS c
        WHERE $3::boolean AND c.time_class = ANY($2::smallint[])
    ), 0)::bigint AS version

-- name: game_changes_fold
-- Changes of a class become one row once there are a few.
WITH gone AS (
    DELETE FROM game_change
    WHERE ctid IN (
        SELECT c.ctid
        FROM game_change AS c
        WHERE c.time_class IN (
            SELECT f.time_class FROM game_change AS f GROUP BY f.time_class HAVING count(*) > 16
        )
        FOR UPDATE SKIP LOCKED
    )
    RETURNING *
)

INSERT INTO game_change
SELECT time_class, sum(transactions)
FROM gone
GROUP BY time_class

-- name: report_get
-- $5: whether the answer itself is wanted.
SELECT
    id, state, data, calibration, version, seconds, error,
    computed IS NOT NULL AS answered,
    CASE WHEN $5::boolean THEN answer END AS answer,
    to_char(computed AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') AS computed,
    coalesce(failed + report_pause(failures) < now(), FALSE) AS rested,
    used < now() - interval '1 minute' AS dusty
FROM report
WHERE kind = $1 AND params = $2 AND judge_id = $3 AND time_classes = $4

-- name: report_used
UPDATE report
SET used = now()
WHERE id = $1

-- name: reports_lock
-- Those who want something new come one at a time, so that the bounds hold.
SELECT pg_advisory_xact_lock(hashtext('report'))

-- name: reports_waiting
SELECT
    count(*) AS waiting,
    count(*) FILTER (WHERE kind = $1) AS of_kind
FROM report
WHERE state IN ('wanted', 'running') AND NOT usual

-- name: report_want
-- One that has failed rests for a while, whoever asks.
INSERT INTO report (kind, params, judge_id, time_classes, usual)
VALUES ($1, $2, $3, $4, $5::boolean)
ON CONFLICT (kind, params, judge_id, time_classes) DO UPDATE
SET
    state = 'wanted', usual = excluded.usual, attempts = 0, wanted = now(), used = now(),
    error = NULL, failed = NULL,
    run_at = greatest(
        now(), report.computed + least(9 * report.seconds, 300) * interval '1 second'
    )
WHERE
    report.state = 'kept'
    OR (report.state = 'failed' AND report.failed + report_pause(report.failures) < now())

-- name: reports_trim
-- The newest $2 of a kind stay, and what anybody is told who asks for nothing in particular.
DELETE FROM report
WHERE
    kind = $1 AND NOT usual AND state IN ('kept', 'failed')
    AND id NOT IN (
        SELECT r.id FROM report AS r WHERE r.kind = $1 ORDER BY r.used DESC, r.id DESC LIMIT $2
    )

-- name: reports_give_up
UPDATE report
SET
    state = 'failed', failed = now(), failures = failures + 1, lease_token = NULL,
    lease_until = NULL,
    error = 'whoever computed it did not come back, ' || attempts || ' times'
WHERE state = 'running' AND lease_until < now() AND attempts >= $1

-- name: report_claim
WITH next AS (
    SELECT r.id
    FROM report AS r
    WHERE
        (r.state = 'wanted' AND r.run_at <= now())
        OR (r.state = 'running' AND r.lease_until < now())
    ORDER BY r.usual DESC, r.wanted, r.id
    LIMIT 1
    FOR NO KEY UPDATE SKIP LOCKED
)

UPDATE report
SET
    state = 'running', attempts = attempts + 1,
    lease_token = floor(random() * 9007199254740991)::bigint,
    lease_until = now() + $1::integer * interval '1 second'
FROM next
WHERE report.id = next.id
RETURNING
    report.id, report.lease_token AS token, report.kind, report.params, report.judge_id,
    report.time_classes, report.attempts

-- name: report_keep
UPDATE report
SET
    state = 'kept', answer = $3, data = $4, calibration = $5, version = $6,
    seconds = $7::integer / 1000.0, computed = now(), attempts = 0, failures = 0,
    lease_token = NULL, lease_until = NULL, error = NULL
WHERE id = $1 AND lease_token = $2

-- name: report_fail
-- Again after a moment while there are attempts left of $4.
UPDATE report
SET
    state = CASE WHEN attempts < $4 THEN 'wanted' ELSE 'failed' END,
    failures = failures + CASE WHEN attempts < $4 THEN 0 ELSE 1 END,
    run_at = now() + attempts * interval '1 second',
    failed = now(), error = $3, lease_token = NULL, lease_until = NULL
WHERE id = $1 AND lease_token = $2

-- name: report_release
-- Stopped from outside: no attempt is counted for that.
UPDATE report
SET
    state = 'wanted', attempts = attempts - 1, run_at = now(), lease_token = NULL,
    lease_until = NULL
WHERE id = $1 AND lease_token = $2

-- name: royale_players
-- Persons with a year of $3 counted turns or more.
SELECT
    p.id,
    p.name
FROM player AS p
WHERE
    p.id IN (
        SELECT coalesce(m.merged_into, m.id)
        FROM player_year AS v
        INNER JOIN player AS m ON m.id = v.player_id
        WHERE v.judge_id = $1 AND v.time_class = ANY($2::smallint[])
        GROUP BY coalesce(m.merged_into, m.id), v.year
        HAVING sum(v.counted) >= $3
    )
ORDER BY p.id

-- name: royale_field
-- How many player-years there are, how many have $3 counted turns or more, and with how many one is
-- among the $4 that have most.
WITH year AS MATERIALIZED (
    SELECT sum(v.counted) AS counted
    FROM player_year AS v
    INNER JOIN player AS m ON m.id = v.player_id
    WHERE v.judge_id = $1 AND v.time_class = ANY($2::smallint[])
    GROUP BY coalesce(m.merged_into, m.id), v.year
    HAVING sum(v.counted) > 0
)

SELECT
    count(*) AS years,
    count(*) FILTER (WHERE y.counted >= $3) AS active,
    coalesce((
        SELECT l.counted + 1
        FROM year AS l
        WHERE l.counted >= $3
        ORDER BY l.counted DESC
        OFFSET $4 LIMIT 1
    ), $3)::integer AS least
FROM year AS y
