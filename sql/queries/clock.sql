-- include db/reports.h

-- name: clock_us :one inside
-- column us int64
-- column service bool -- the role is not that of workers, which may change less
SELECT
    (extract(EPOCH FROM clock_timestamp()) * 1000000)::bigint AS us,
    has_table_privilege('report', 'UPDATE') AS service

-- name: clock_settle_jobs :exec inside
--
-- After the clock went back: jobs do not wait, and leases do not last, until it is again what it
-- was. A back-off is at most what job_fail sets; a lease begins again, since its worker may live.
-- Five seconds: others may have begun their statement later than this one.
WITH late AS MATERIALIZED (
    SELECT id
    FROM job
    WHERE
        (
            state IN ('ready', 'paused') AND run_at > now() + interval '5 seconds'
            + CASE
                WHEN attempts > 0 THEN make_interval(secs => 1.25 * power(4, least(attempts, 6) - 1))
                ELSE interval '0'
            END
        )
        OR (state = 'leased' AND leased_at > now() + interval '5 seconds')
    ORDER BY id
    FOR UPDATE
),

workers AS (
    UPDATE worker SET seen = now() WHERE seen > now() + interval '5 seconds'
)

UPDATE job
SET
    run_at = least(run_at, now()),
    lease_until = least(lease_until, now() + greatest(lease_until - leased_at, interval '0')),
    leased_at = least(leased_at, now())
FROM late
WHERE job.id = late.id

-- name: clock_settle_rest :exec inside
-- bind IPR_REPORT_LEASE_S int
--
-- The same for reports, and for what counts as alive or as fresh because it is of a minute ago. A
-- report waits at most 300 s (report_queue).
WITH tokens AS (
    UPDATE token SET seen = now() WHERE seen > now() + interval '5 seconds'
),

fits AS (
    UPDATE results_fit SET computed = now() WHERE computed > now() + interval '5 seconds'
)

UPDATE report
SET
    run_at = CASE WHEN run_at > now() + interval '305 seconds' THEN now() ELSE run_at END,
    lease_until = least(lease_until, now() + $1::integer * interval '1 second'),
    computed = least(computed, now()), failed = least(failed, now()), used = least(used, now())
WHERE
    greatest(computed, failed, used) > now() + interval '5 seconds'
    OR run_at > now() + interval '305 seconds'
    OR lease_until > now() + ($1::integer + 5) * interval '1 second'
