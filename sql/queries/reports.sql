-- name: data_version :one
-- Version of the data behind reports of a judge and a set of classes. It grows in every transaction
-- that changes any of them: a side stored or deleted, a result, Elo tag, date or event of a judged
-- game, a merge or split, a deleted game. With `games` it also grows when an unjudged game of an
-- event is added, deleted, or gets another result, event, date, time control, Elo or player. Equal
-- versions are equal data.
-- param judge_id int32
-- param times times
-- param games bool
-- column version int64
--
-- All sums only grow, each by the transaction that changes the data it counts: equal versions are
-- equal data. $3: unjudged games count, too.
SELECT
    coalesce((
        SELECT sum(t.version)
        FROM judge_total AS t
        WHERE
            t.judge_id = ANY(ARRAY(SELECT unnest(judges_with($1))))
            AND t.time_class = ANY($2::smallint[])
    ), 0)::bigint
    + coalesce((SELECT sum(p.epoch) FROM player AS p WHERE p.epoch > 0), 0)::bigint
    + coalesce((
        SELECT sum(c.transactions)
        FROM game_change AS c
        WHERE $3::boolean AND c.time_class = ANY($2::smallint[])
    ), 0)::bigint AS version

-- name: game_changes_fold :exec inside
--
-- Several changes of a class are combined into one row.
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

-- row: ipr_db_report
-- column id int64
-- column state enum ipr_db_report_state 0..3
-- column rested bool                    -- failed a minute ago, or longer the more often it has
-- column error text                     -- of the last attempt, for the log; ""
-- column answered bool                  -- there is an answer, of present or older data
-- column answer text                    -- JSON; "" without `with_answer`
-- column data int64
-- column calibration text               -- digest; "" when there was none
-- column version int
-- column computed text                  -- RFC 3339
-- column seconds double

-- fill: ipr_db_report_job
-- column id, token int64
-- column kind text as key.kind
-- column params text as key.params
-- column judge_id int32 as key.judge_id
-- column time_classes unsigned 1..INT16_MAX as key.times
-- column attempts int

-- name: report_find :maybe ipr_db_found_report inside
-- arg const struct ipr_db_report_key *key
-- bind key->kind, key->params text
-- bind key->judge_id int32
-- bind key->times unsigned
-- param with_answer bool
-- also ipr_db_report as report
-- column dusty bool                     -- its use was noted a minute ago or longer
--
-- $5: whether the answer itself is wanted.
SELECT
    id,
    array_position(ARRAY['wanted', 'running', 'kept', 'failed'], state) - 1 AS state,
    coalesce(data, 0) AS data,
    coalesce(calibration, '') AS calibration,
    coalesce(version, 0) AS version,
    coalesce(seconds, 0) AS seconds,
    coalesce(error, '') AS error,
    computed IS NOT NULL AS answered,
    coalesce(CASE WHEN $5::boolean THEN answer END, '') AS answer,
    coalesce(to_char(computed AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'), '') AS computed,
    coalesce(failed + report_pause(failures) < now(), FALSE) AS rested,
    used < now() - interval '1 minute' AS dusty
FROM report
WHERE kind = $1 AND params = $2 AND judge_id = $3 AND time_classes = $4

-- name: report_took :one
-- How long the report of a kind took that was computed last, whatever its parameters; -1: none was.
-- param kind text
-- column seconds double
SELECT
    coalesce((
        SELECT r.seconds
        FROM report AS r
        WHERE r.kind = $1 AND r.computed IS NOT NULL
        ORDER BY r.computed DESC
        LIMIT 1
    ), -1) AS seconds

-- name: report_used :exec inside
-- param id int64
UPDATE report
SET used = now()
WHERE id = $1

-- name: reports_lock :exec inside
--
-- New requests are queued one at a time, so that the bounds hold.
SELECT pg_advisory_xact_lock(hashtext('report'))

-- name: reports_waiting :one inside
-- param kind text
-- column waiting, of_kind int64
SELECT
    count(*) AS waiting,
    count(*) FILTER (WHERE kind = $1) AS of_kind
FROM report
WHERE state IN ('wanted', 'running') AND NOT usual

-- name: report_queue :exec inside
-- arg const struct ipr_db_report_key *key
-- bind key->kind, key->params text
-- bind key->judge_id int32
-- bind key->times unsigned
-- param usual bool
--
-- A failed one is not retried for a while, by any request.
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

-- name: reports_trim :exec inside
-- param kind text
-- bind IPR_REPORTS_KEPT_MAX int
--
-- Keeps the newest $2 of a kind, and those with default parameters.
DELETE FROM report
WHERE
    kind = $1 AND NOT usual AND state IN ('kept', 'failed')
    AND id NOT IN (
        SELECT r.id FROM report AS r WHERE r.kind = $1 ORDER BY r.used DESC, r.id DESC LIMIT $2
    )

-- name: reports_give_up :exec inside
-- bind IPR_REPORT_ATTEMPTS int
-- param holder int64
UPDATE report
SET
    state = 'failed', failed = now(), failures = failures + 1, lease_token = NULL,
    lease_until = NULL,
    error = 'the process that computed it ended too early, ' || attempts || ' times'
WHERE state = 'running' AND (lease_until < now() OR lease_token = $2) AND attempts >= $1

-- name: report_next :one ipr_db_report_job inside
-- bind IPR_REPORT_LEASE_S int
-- param holder int64
-- missing no report to compute
WITH next AS (
    SELECT r.id
    FROM report AS r
    WHERE
        (r.state = 'wanted' AND r.run_at <= now())
        OR (r.state = 'running' AND (r.lease_until < now() OR r.lease_token = $2))
    ORDER BY r.usual DESC, r.wanted, r.id
    LIMIT 1
    FOR NO KEY UPDATE SKIP LOCKED
)

UPDATE report
SET
    state = 'running', attempts = attempts + 1,
    lease_token = $2,
    lease_until = now() + $1::integer * interval '1 second'
FROM next
WHERE report.id = next.id
RETURNING
    report.id, report.lease_token AS token, report.kind, report.params, report.judge_id,
    report.time_classes, report.attempts

-- name: report_store :count inside
-- arg const struct ipr_db_report_job *job
-- arg const struct ipr_db_report_answer *answer
-- bind job->id, job->token int64
-- bind answer->json text
-- bind answer->data int64
-- bind answer->calibration text
-- bind answer->version int
-- bind answer->ms int32
UPDATE report
SET
    state = 'kept', answer = $3, data = $4, calibration = $5, version = $6,
    seconds = $7::integer / 1000.0, computed = now(), attempts = 0, failures = 0,
    lease_token = NULL, lease_until = NULL, error = NULL
WHERE id = $1 AND lease_token = $2

-- name: report_fail :exec
-- Queued again after a back-off, or failed after IPR_REPORT_ATTEMPTS. Does nothing when the lease
-- was lost to another process.
-- arg const struct ipr_db_report_job *job
-- bind job->id, job->token int64
-- param why text
-- bind IPR_REPORT_ATTEMPTS int
--
-- Queued again after a back-off while there are attempts left of $4.
UPDATE report
SET
    state = CASE WHEN attempts < $4 THEN 'wanted' ELSE 'failed' END,
    failures = failures + CASE WHEN attempts < $4 THEN 0 ELSE 1 END,
    run_at = now() + attempts * interval '1 second',
    failed = now(), error = $3, lease_token = NULL, lease_until = NULL
WHERE id = $1 AND lease_token = $2

-- name: report_release :exec
-- Queued again, the attempt not counted. Does nothing when the lease was lost.
-- arg const struct ipr_db_report_job *job
-- bind job->id, job->token int64
--
-- The service was stopped, so the attempt is not counted.
UPDATE report
SET
    state = 'wanted', attempts = attempts - 1, run_at = now(), lease_token = NULL,
    lease_until = NULL
WHERE id = $1 AND lease_token = $2

-- name: royale_players :many ipr_db_royale_player
-- Persons with a year of `active` counted turns or more, ascending id.
-- param judge_id int32
-- param times times
-- param active int
-- column id int32                       -- root
-- column name text
--
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
        WHERE
            v.judge_id = ANY(ARRAY(SELECT unnest(judges_with($1))))
            AND v.time_class = ANY($2::smallint[])
        GROUP BY coalesce(m.merged_into, m.id), v.year
        HAVING sum(v.counted) >= $3
    )
ORDER BY p.id

-- name: royale_field :one ipr_db_royale_field
-- The player-years of a judge. `active`: counted turns that make one active.
-- param judge_id int32
-- param times times
-- param active, limit int
-- column years int32                    -- player-years with counted turns
-- column active int32                   -- of these, those with enough
-- column least int32                    -- turns that one needs to be among the `limit` ones with most
--
-- How many player-years there are, how many have $3 counted turns or more, and with how many one is
-- among the $4 that have most.
WITH year AS MATERIALIZED (
    SELECT sum(v.counted) AS counted
    FROM player_year AS v
    INNER JOIN player AS m ON m.id = v.player_id
    WHERE
        v.judge_id = ANY(ARRAY(SELECT unnest(judges_with($1))))
        AND v.time_class = ANY($2::smallint[])
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
