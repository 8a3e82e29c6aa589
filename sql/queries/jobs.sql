-- name: jobs_enqueue
-- A game is done when one judge of that name has both sides. Queued in the order of the ids.
INSERT INTO job (game_id, judge, priority)
SELECT g.id, $2::text, $3::smallint
FROM game AS g
WHERE
    g.id = ANY($1::bigint[])
    AND g.plies > 0
    AND NOT EXISTS (
        SELECT
        FROM judged_side AS w
        INNER JOIN judged_side AS b ON b.game_id = w.game_id AND b.judge_id = w.judge_id
        INNER JOIN judge AS j ON j.id = w.judge_id
        WHERE w.game_id = g.id AND w.colour = 0 AND b.colour = 1 AND j.name = $2::text
    )
ORDER BY g.id
ON CONFLICT (game_id, judge) DO UPDATE
SET
    state = 'ready', attempts = 0, silences = 0, run_at = now(), priority = excluded.priority,
    turns_done = 0, turns_total = 0, last_error = NULL
WHERE job.state = 'failed'
RETURNING pg_notify('progress', '')

-- name: game_unqueue
-- Its moves have changed: the judges that have judged it, are at it or have it before them.
WITH gone AS (
    DELETE FROM job WHERE game_id = $1
    RETURNING judge
)

SELECT judge FROM gone
UNION
SELECT j.name
FROM judged_side AS s
INNER JOIN judge AS j ON j.id = s.judge_id
WHERE s.game_id = $1

-- name: job_claim
-- The attempt is counted here, so that a game which kills its worker is counted too.
WITH next AS MATERIALIZED (
    SELECT id
    FROM job
    WHERE state = 'ready' AND run_at <= now()
    ORDER BY priority, run_at, id
    LIMIT 1
    FOR UPDATE SKIP LOCKED
)

UPDATE job
SET
    state = 'leased',
    attempts = job.attempts + 1,
    worker = $1,
    lease_until = now() + make_interval(secs => $2),
    lease_token
    = ('x' || right(replace(gen_random_uuid()::text, '-', ''), 16))::bit(64)::bigint
    & 9223372036854775807,
    turns_done = 0,
    turns_total = 0
FROM next
WHERE job.id = next.id
RETURNING job.id, job.game_id, job.judge, job.attempts, job.lease_token

-- name: job_heartbeat
UPDATE job
SET lease_until = now() + make_interval(secs => $3), turns_done = $4, turns_total = $5
WHERE id = $1 AND lease_token = $2 AND state = 'leased'
RETURNING pg_notify('progress', '')

-- name: job_complete
DELETE FROM job
WHERE id = $1 AND lease_token = $2 AND state = 'leased'
RETURNING pg_notify('progress', '')

-- name: job_fail
UPDATE job
SET
    state = CASE WHEN attempts >= max_attempts THEN 'failed' ELSE 'ready' END,
    run_at = now() + make_interval(secs => power(4, least(attempts, 6) - 1)),
    lease_token = NULL, lease_until = NULL, worker = NULL,
    last_error = $3
WHERE id = $1 AND lease_token = $2 AND state = 'leased'
RETURNING pg_notify('progress', '')

-- name: job_release
-- run_at stays: it keeps its place in the queue.
UPDATE job
SET
    state = 'ready', attempts = attempts - 1,
    lease_token = NULL, lease_until = NULL, worker = NULL
WHERE id = $1 AND lease_token = $2 AND state = 'leased'
RETURNING pg_notify('progress', '')

-- name: jobs_sweep
-- A job that is locked is being completed, failed or prolonged at this moment: left alone.
WITH expired AS MATERIALIZED (
    SELECT id
    FROM job
    WHERE state = 'leased' AND lease_until < now()
    ORDER BY id
    FOR UPDATE SKIP LOCKED
)

UPDATE job
SET
    state = CASE WHEN job.silences + 1 >= 3 * job.max_attempts THEN 'failed' ELSE 'ready' END,
    attempts = job.attempts - 1,
    silences = job.silences + 1,
    last_error = 'no sign of life from worker ' || coalesce(job.worker, '?'),
    lease_token = NULL, lease_until = NULL, worker = NULL
FROM expired
WHERE job.id = expired.id
RETURNING pg_notify('progress', '')

-- name: queue_state
SELECT
    (SELECT count(*) FROM job WHERE state = 'ready') AS ready,
    (SELECT count(*) FROM job WHERE state = 'leased') AS leased,
    (SELECT count(*) FROM job WHERE state = 'failed') AS failed,
    (SELECT coalesce(sum(games), 0) FROM judge_total) AS judged_games,
    (SELECT coalesce(sum(turns), 0) FROM judge_total) AS judged_turns

-- name: jobs_running
SELECT
    j.game_id, j.worker, j.judge, j.turns_done, j.turns_total, j.attempts,
    g.year,
    e.name AS event,
    w.name AS white,
    b.name AS black
FROM job AS j
INNER JOIN game AS g ON g.id = j.game_id
INNER JOIN event AS e ON e.id = g.event_id
INNER JOIN player AS w ON w.id = g.white_id
INNER JOIN player AS b ON b.id = g.black_id
WHERE j.state = 'leased'
ORDER BY j.id
