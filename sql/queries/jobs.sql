-- row: ipr_db_job
-- column id, game_id int64
-- column lease_token int64 as token
-- column kind enum ipr_db_job_kind 0..2
-- column program, judge char[32]
-- column attempts int
-- column sides unsigned 1..3             -- to be judged: bit 0 White, bit 1 Black
-- column turns_total int                 -- as its last lease had it, 0 at first

-- part: of_key
-- True of what other people's machines have leased: jobs of their own queue, and confirmations.
program = 'fishnet' OR kind = 'confirm' AND worker LIKE 'fishnet:%'

-- part: sides_of_judge game judge wanted
-- Judged by the one judge of a name that has judged all of those wanted, else by the latest.
SELECT bit_or(1 << s.colour) AS sides
FROM judged_side AS s
INNER JOIN judge AS n ON n.id = s.judge_id
WHERE s.game_id = @game AND n.name = @judge
GROUP BY s.judge_id
ORDER BY bit_or(1 << s.colour) & @wanted = @wanted DESC, s.judge_id DESC
LIMIT 1

-- name: jobs_lock :exec inside
-- Locks the jobs that jobs_add will change: it would not see that one of them was completed or
-- made ready since its statement began.
-- param game_ids int64[]
-- param judge text
-- param sides int32[]
SELECT j.id
FROM unnest($1::bigint[], $3::integer[]) AS u (id, sides)
INNER JOIN job AS j ON j.game_id = u.id AND j.judge = $2 AND j.kind = 'judge'
WHERE j.state = 'failed' OR j.sides & u.sides <> u.sides
ORDER BY j.id
FOR UPDATE OF j

-- name: jobs_add :one inside
-- param game_ids int64[]
-- param judge text
-- param priority int
-- param owner text
-- arg const struct ipr_judge *definition
-- bind definition->program text
-- bind ipr_judge_first_ply(definition) int
-- param sides int32[]
-- column jobs int32
--
-- A game is done when one judge of that name has judged the sides that are wanted. Jobs are queued
-- in the order of the ids. Rows of unchanged jobs must not be locked: an import takes long, and
-- their workers would wait. A job of an import has the time of its upload (upload_unqueue).
WITH wanted AS MATERIALIZED (
    SELECT
        g.id AS game_id,
        j.id AS job_id,
        j.state,
        coalesce(g.upload_id, 0) AS upload_id,
        w.sides | coalesce(j.sides, 0) AS sides,
        coalesce(d.sides, 0) AS there,
        least(greatest(g.plies - $6::integer, 0), 32767) AS turns
    FROM (
        SELECT
            u.id,
            bit_or(u.sides) AS sides
        FROM unnest($1::bigint[], $7::integer[]) AS u (id, sides)
        GROUP BY u.id
    ) AS w
    INNER JOIN game AS g ON g.id = w.id
    LEFT JOIN job AS j ON j.game_id = g.id AND j.judge = $2::text AND j.kind = 'judge'
    LEFT JOIN LATERAL (
        @sides_of_judge(g.id; $2::text; w.sides)
    ) AS d ON TRUE
    WHERE
        octet_length(g.moves) > 0
        AND (j.id IS NULL OR j.state = 'failed' OR j.sides & w.sides <> w.sides)
        AND coalesce(d.sides, 0) & w.sides <> w.sides
),

todo AS MATERIALIZED (
    SELECT
        w.game_id, w.job_id, w.upload_id, w.sides,
        side_turns(w.turns, w.sides & ~w.there) AS turns,
        row_number() OVER (ORDER BY w.game_id) - 1 AS nth
    FROM wanted AS w
    WHERE w.job_id IS NULL OR w.state = 'failed'
),

first AS MATERIALIZED (
    SELECT queue_place($5::text = 'fishnet', $3::smallint, $4::text) AS place
),

wider AS (
    UPDATE job
    SET
        sides = job.sides | w.sides,
        turns_total = CASE job.state
            WHEN 'leased' THEN job.turns_total ELSE side_turns(w.turns, w.sides & ~w.there)
        END
    FROM wanted AS w
    WHERE job.id = w.job_id AND job.state <> 'failed' AND job.sides <> job.sides | w.sides
    RETURNING job.id
),

again AS (
    UPDATE job
    SET
        state = 'ready', attempts = 0, silences = 0, run_at = now(), priority = $3::smallint,
        owner = $4::text, place = first.place + todo.nth, turns_done = 0, sides = todo.sides,
        turns_total = todo.turns, last_error = NULL, last_worker = NULL
    FROM todo
    CROSS JOIN first
    WHERE job.id = todo.job_id AND job.state = 'failed'
    RETURNING job.id
),

fresh AS (
    INSERT INTO job AS j (
        game_id, judge, priority, owner, program, place, turns_total, upload_id, sides, created
    )
    SELECT
        todo.game_id, $2::text, $3::smallint, $4::text, $5::text, first.place + todo.nth,
        todo.turns, todo.upload_id, todo.sides,
        coalesce(nullif(current_setting('intrinsic.created', true), '')::timestamptz, now())
    FROM todo
    CROSS JOIN first
    WHERE todo.job_id IS NULL
    ORDER BY todo.game_id
    ON CONFLICT (game_id, judge, kind) DO UPDATE
    SET sides = j.sides | excluded.sides
    WHERE j.sides <> j.sides | excluded.sides
    RETURNING j.id
)

SELECT
    (SELECT count(*) FROM wider)
    + (SELECT count(*) FROM again)
    + (SELECT count(*) FROM fresh) AS jobs,
    pg_notify('progress', '')

-- name: jobs_postpone :many inside
-- Stores the request for games that have a job for one side only. Returns these games, ascending.
-- param game_ids int64[]
-- param judge text
-- param priority int
-- param owner text
-- column game_id int64
WITH postponed AS (
    INSERT INTO job_postponed AS p (game_id, judge, priority, owner)
    SELECT game_id, judge, $3, $4
    FROM job
    WHERE
        game_id = ANY($1::bigint[]) AND judge = $2 AND kind = 'judge'
        AND state <> 'failed' AND sides <> 3
    ON CONFLICT (game_id, judge) DO UPDATE SET priority = least(p.priority, excluded.priority)
    RETURNING game_id
)

SELECT game_id
FROM postponed
ORDER BY game_id

-- row: ipr_db_postponed
-- column game_id int64
-- column judge text
-- column priority int
-- column owner text

-- name: job_postponed_take :many ipr_db_postponed inside
-- Removes one postponed request and returns it.
DELETE FROM job_postponed
WHERE (game_id, judge) = (
    SELECT p.game_id, p.judge
    FROM job_postponed AS p
    ORDER BY p.game_id, p.judge
    LIMIT 1
    FOR UPDATE SKIP LOCKED
)
RETURNING game_id, judge, priority, owner

-- name: job_add_check :exec
-- Queues a check of a game judged elsewhere, for local workers. In the caller's transaction.
-- param game_id int64
-- param judge text
INSERT INTO job (game_id, judge, kind, owner, program, place)
VALUES ($1, $2, 'check', 'check', 'stockfish', queue_place(FALSE, 5::smallint, 'check'))
ON CONFLICT (game_id, judge, kind) DO NOTHING
RETURNING pg_notify('progress', '')

-- name: jobs_confirm :count
-- Queues confirmations of games, behind all other jobs but before the confirmations that wait: somebody looks at what
-- came last. One that has failed is tried again. In the caller's transaction. Jobs that workers have are not locked. `turns`: of each game, as far as is known.
-- param game_ids int64[]
-- param turns int
--
-- They count for no upload, so that few rows of totals stand for them.
WITH again AS (
    UPDATE job
    SET
        state = 'ready', attempts = 0, silences = 0, run_at = now(), turns_done = 0,
        last_error = NULL, last_worker = NULL
    WHERE
        game_id = ANY($1::bigint[]) AND judge = 'confirm' AND kind = 'confirm' AND state = 'failed'
    RETURNING id
),

fresh AS (
    INSERT INTO job (game_id, judge, kind, priority, owner, program, place, turns_total)
    SELECT
        g.id, 'confirm', 'confirm', 10, 'confirm', 'stockfish',
        f.place - cardinality($1::bigint[]) + row_number() OVER (ORDER BY g.id) - 1,
        $2
    FROM game AS g
    CROSS JOIN (
        SELECT coalesce((
            SELECT place FROM job
            WHERE state = 'ready' AND program = 'stockfish' AND priority = 10
            ORDER BY place LIMIT 1
        ), queue_place(FALSE, 10::smallint, 'confirm')) AS place
    ) AS f
    WHERE g.id = ANY($1::bigint[]) AND octet_length(g.moves) > 0
    ORDER BY g.id
    ON CONFLICT (game_id, judge, kind) DO NOTHING
    RETURNING id
)

SELECT
    q.id,
    pg_notify('progress', '')
FROM (
    SELECT again.id FROM again
    UNION ALL
    SELECT fresh.id FROM fresh
) AS q

-- name: job_claim_rows :many ipr_db_claim inside
-- The job taken, and where a queue begins.
-- each const struct ipr_db_queue_line lines
-- bind lines[].program text[]
-- param worker text
-- param lease_s int
-- bind lines[].cursor->priority int[]
-- bind lines[].cursor->place, lines[].cursor->id int64[]
-- param without text[]
-- param few int
-- bind lines[].cursor->upto int[]
-- also ipr_db_job as job -- id 0: none
-- column nth int64       -- of the lines, from 1
-- column priority int
-- column place int64
-- column first_id int64
-- column seen int64      -- how many of the line were looked at
--
-- The next job of the programs $1. $2: the worker, as in table worker: a process, whatever its
-- number of engines. $4 to $6: the cursors. $7: judges to skip. $9: the last priorities
-- that are taken; 0: any. Attempts and silences: db/jobs.h.
-- The first $8 of each program are read, since other workers may be about to take some of them, and
-- only the one taken is locked: otherwise they would skip the rest and take later jobs. The first
-- job of each program is returned, too, where the cursors go, and how many were read; these are
-- returned without a job too (id 0) when other workers hold all of them. Other people's machines
-- are identified by their key: a job that one of them returned, let expire or sent an invalid
-- result for goes to the others as long as there are any; a single one has to wait before it gets
-- that job again. A confirmation that one of them has begun is for that one and for local workers, so
-- that a check of it says whom to believe.
WITH candidate AS MATERIALIZED (
    SELECT
        l.nth, c.priority, c.place, c.id
    FROM
        unnest($1::text[], $4::smallint[], $5::bigint[], $6::bigint[], $9::smallint[])
        WITH ORDINALITY AS l (program, priority, place, id, upto, nth)
    CROSS JOIN LATERAL (
        SELECT j.priority, j.place, j.id
        FROM job AS j
        CROSS JOIN LATERAL (
            SELECT
                l.program = 'fishnet' OR j.kind = 'confirm' AND $2 LIKE 'fishnet:%' AS key
        ) AS k
        WHERE
            j.state = 'ready' AND j.program = l.program AND j.run_at <= now()
            AND (j.priority, j.place, j.id) >= (l.priority, l.place, l.id)
            AND j.priority <= coalesce(nullif(l.upto, 0), 32767::smallint)
            AND j.judge <> ALL($7::text[])
            AND NOT (
                j.kind = 'confirm' AND k.key AND EXISTS (
                    SELECT
                    FROM confirmation AS c
                    WHERE
                        c.game_id = j.game_id AND c.source LIKE 'fishnet:%' AND c.source <> $2
                )
            )
            AND (
                j.last_worker IS DISTINCT FROM $2
                OR k.key AND j.run_at <= now() - CASE
                    WHEN EXISTS (
                        SELECT
                        FROM token AS t
                        WHERE
                            t.kind = 'fishnet' AND t.suspended IS NULL AND t.revoked IS NULL
                            AND t.seen > now() - interval '10 minutes'
                            AND 'fishnet:' || t.name <> $2
                    ) THEN interval '1 day'
                    WHEN j.attempts > 0 THEN interval '1 hour'
                    ELSE interval '1 minute'
                END
                OR NOT k.key AND j.run_at <= now() - interval '10 seconds'
                OR NOT k.key AND NOT EXISTS (
                    SELECT
                    FROM worker AS w
                    WHERE
                        w.seen > now() - interval '1 minute' AND w.threads > 0
                        AND l.program = ANY(w.engines) AND w.name <> $2
                )
            )
        ORDER BY j.priority, j.place, j.id
        LIMIT $8::integer
    ) AS c
),

next AS MATERIALIZED (
    SELECT j.id
    FROM (SELECT id, priority, place FROM candidate ORDER BY priority, place, id) AS c
    INNER JOIN job AS j ON j.id = c.id
    WHERE j.state = 'ready'
    ORDER BY c.priority, c.place, c.id
    LIMIT 1
    FOR UPDATE OF j SKIP LOCKED
),

taken AS (
    UPDATE job
    SET
        state = 'leased',
        attempts = job.attempts + 1,
        worker = $2,
        leased_at = now(),
        lease_until = now() + make_interval(secs => $3::integer),
        lease_token
        = ('x' || right(replace(gen_random_uuid()::text, '-', ''), 16))::bit(64)::bigint
        & 9223372036854775807,
        turns_done = 0
    FROM next
    WHERE job.id = next.id
    RETURNING job.id, job.game_id, job.program, job.kind, job.judge, job.attempts, job.sides,
        job.lease_token, job.turns_total
)

SELECT
    coalesce(t.id, 0) AS id,
    coalesce(t.game_id, 0) AS game_id,
    coalesce(t.program, '') AS program,
    coalesce(array_position(ARRAY['check', 'confirm'], t.kind), 0) AS kind,
    coalesce(t.judge, '') AS judge,
    coalesce(t.attempts, 0) AS attempts,
    coalesce(t.sides, 3) AS sides,
    coalesce(t.lease_token, 0) AS lease_token,
    coalesce(t.turns_total, 0) AS turns_total,
    f.nth, f.priority, f.place, f.first_id, f.seen
FROM (
    SELECT DISTINCT ON (nth)
        nth, priority, place, id AS first_id, count(*) OVER (PARTITION BY nth) AS seen
    FROM candidate
    ORDER BY nth, priority, place, id
) AS f
LEFT JOIN taken AS t ON TRUE
ORDER BY f.nth

-- name: job_held :one ipr_db_job
-- The leased job with this id and token, for clients that only know these (fishnet).
-- param id, token int64
-- missing IPR_ECONFLICT "the lease of job %lld is lost", (long long)id
SELECT
    id, game_id, program, coalesce(array_position(ARRAY['check', 'confirm'], kind), 0) AS kind,
    judge, attempts, sides, lease_token, turns_total
FROM job
WHERE id = $1 AND lease_token = $2 AND state = 'leased'

-- name: job_lock :exec
-- Inside the transaction that will complete it: others wait, or skip it, from now on.
-- arg const struct ipr_db_job *job
-- bind job->id, job->token int64
-- missing IPR_ECONFLICT "the lease of job %lld is lost", (long long)job->id
SELECT id
FROM job
WHERE id = $1 AND lease_token = $2 AND state = 'leased'
FOR UPDATE

-- name: job_heartbeat :exec
-- Renews the lease and records progress. It may be lost because it ran out, or the job was cancelled
-- or paused.
-- arg const struct ipr_db_job *job
-- bind job->id, job->token int64
-- param lease_s, turns_done, turns_total int
-- missing IPR_ECONFLICT "the lease of job %lld is lost", (long long)job->id
UPDATE job
SET lease_until = now() + make_interval(secs => $3::integer), turns_done = $4, turns_total = $5
WHERE id = $1 AND lease_token = $2 AND state = 'leased'
RETURNING pg_notify('progress', '')

-- name: job_complete :exec
-- Inside the transaction that stores the results: deletes the job, or makes it ready again for a
-- side that was requested meanwhile. When the lease is lost the transaction must be rolled back.
-- arg const struct ipr_db_job *job
-- bind job->id, job->token int64
-- bind job->sides unsigned
-- missing IPR_ECONFLICT "the lease of job %lld is lost", (long long)job->id
--
-- The other side has about as many turns.
WITH held AS MATERIALIZED (
    SELECT
        id,
        sides & ~$3::integer AS rest
    FROM job
    WHERE id = $1 AND lease_token = $2 AND state = 'leased'
    FOR UPDATE
),

gone AS (
    DELETE FROM job USING held
    WHERE job.id = held.id AND held.rest = 0
    RETURNING job.id
),

rest AS (
    UPDATE job
    SET
        state = 'ready', attempts = 0, silences = 0, run_at = now(), sides = held.rest,
        turns_done = 0,
        lease_token = NULL, lease_until = NULL, leased_at = NULL, worker = NULL
    FROM held
    WHERE job.id = held.id AND held.rest <> 0
    RETURNING job.id
)

SELECT
    done.id,
    pg_notify('progress', '')
FROM (
    SELECT gone.id FROM gone
    UNION ALL
    SELECT rest.id FROM rest
) AS done

-- name: job_fail :exec
-- Back to ready with a back-off, or failed at the last attempt, with the reason. With a side that
-- was requested meanwhile the attempts begin again: it has had none.
-- arg const struct ipr_db_job *job
-- bind job->id, job->token int64
-- param reason text
-- bind job->sides unsigned
-- missing IPR_ECONFLICT "the lease of job %lld is lost", (long long)job->id
--
-- The jitter keeps games that failed together from coming back together. The other side has about
-- as many turns.
UPDATE job
SET
    state = CASE
        WHEN attempts >= max_attempts AND sides & ~$4::integer = 0 THEN 'failed' ELSE 'ready'
    END,
    attempts = CASE sides & ~$4::integer WHEN 0 THEN attempts ELSE 0 END,
    turns_total = CASE sides & ~$4::integer WHEN 0 THEN turns_total ELSE 2 * turns_total END,
    run_at = now()
    + make_interval(secs => power(4, least(attempts, 6) - 1) * (0.75 + 0.5 * random())),
    lease_token = NULL, lease_until = NULL, leased_at = NULL, worker = NULL, last_worker = worker,
    turns_done = 0, last_error = $3
WHERE id = $1 AND lease_token = $2 AND state = 'leased'
RETURNING pg_notify('progress', '')

-- name: job_release :exec
-- Back to ready at once, the attempt not counted: for an orderly stop.
-- arg const struct ipr_db_job *job
-- bind job->id, job->token int64
-- missing IPR_ECONFLICT "the lease of job %lld is lost", (long long)job->id
--
-- It keeps its place in the queue. An orderly stop has nothing to do with the game; a client that
-- returns a game may be unable to analyse it, or may do nothing but request games.
UPDATE job
SET
    state = 'ready', attempts = attempts - 1, turns_done = 0,
    (run_at, last_worker) = (
        SELECT
            CASE WHEN k.key THEN now() ELSE run_at END,
            CASE WHEN k.key THEN worker ELSE last_worker END
        FROM (
            SELECT
                @of_key()
                AS key
        ) AS k
    ),
    lease_token = NULL, lease_until = NULL, leased_at = NULL, worker = NULL
WHERE id = $1 AND lease_token = $2 AND state = 'leased'
RETURNING pg_notify('progress', '')

-- name: leases_expire :count inside
--
-- A locked job is being completed, failed or renewed at this moment, so it is skipped. Keys are
-- locked after jobs, and in one order, as everywhere, to avoid deadlocks.
WITH expired AS MATERIALIZED (
    SELECT
        id,
        worker,
        @of_key()
        AS of_key
    FROM job
    WHERE state = 'leased' AND lease_until < now()
    ORDER BY id
    FOR UPDATE SKIP LOCKED
),

silent AS MATERIALIZED (
    SELECT
        t.id,
        e.leases
    FROM (
        SELECT
            worker,
            count(*) AS leases
        FROM expired
        WHERE of_key
        GROUP BY worker
    ) AS e
    INNER JOIN token AS t ON t.kind = 'fishnet' AND t.revoked IS NULL AND 'fishnet:' || t.name = e.worker
    ORDER BY t.id
    FOR NO KEY UPDATE OF t
),

counted AS (
    UPDATE token
    SET silences = token.silences + silent.leases, silent = token.silent + silent.leases
    FROM silent
    WHERE token.id = silent.id
)

UPDATE job
SET
    state = CASE WHEN job.silences + 1 >= 3 * job.max_attempts THEN 'failed' ELSE 'ready' END,
    run_at = now(),
    attempts = job.attempts - 1,
    silences = job.silences + 1,
    last_error = 'no sign of life from worker ' || coalesce(job.worker, '?'),
    last_worker = job.worker,
    turns_done = 0,
    lease_token = NULL, lease_until = NULL, leased_at = NULL, worker = NULL
FROM expired
WHERE job.id = expired.id
RETURNING pg_notify('progress', '')

-- name: queue_totals_fold :exec inside
--
-- Several changes of one kind are combined into one row, or deleted if they cancel out. Rows that
-- another process has locked are skipped; the number per statement is bounded by its timeout.
WITH few AS (
    SELECT program, judge, kind, state, owner, priority, upload_id
    FROM job_total
    GROUP BY program, judge, kind, state, owner, priority, upload_id
    HAVING count(*) > 16 OR (sum(jobs) = 0 AND sum(turns) = 0)
),

picked AS MATERIALIZED (
    SELECT t.ctid AS row
    FROM job_total AS t
    INNER JOIN few USING (program, judge, kind, state, owner, priority, upload_id)
    LIMIT 50000
    FOR UPDATE OF t SKIP LOCKED
),

gone AS (
    DELETE FROM job_total WHERE ctid IN (SELECT picked.row FROM picked)
    RETURNING *
)

INSERT INTO job_total
SELECT program, judge, kind, state, owner, priority, upload_id, sum(jobs), sum(turns)
FROM gone
GROUP BY program, judge, kind, state, owner, priority, upload_id
HAVING sum(jobs) <> 0 OR sum(turns) <> 0
