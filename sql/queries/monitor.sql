-- name: job_counts :many ipr_db_job_count
-- Jobs of a judge in a state: "ready", "running", "paused" or "failed"; kind "judge" or "check".
-- column judge, kind, state text
-- column jobs int64
-- column oldest_s double                -- since the first of them was queued, of those that are
--     ready; else 0
SELECT
    t.judge,
    t.kind,
    CASE t.state WHEN 'leased' THEN 'running' ELSE t.state END AS state,
    sum(t.jobs) AS jobs,
    CASE t.state WHEN 'ready' THEN coalesce(
        (
            SELECT greatest(0, extract(epoch FROM now() - o.created))
            FROM job AS o
            WHERE o.judge = t.judge AND o.kind = t.kind AND o.state = 'ready'
            ORDER BY o.created
            LIMIT 1
        ), 0
    ) ELSE 0 END::double precision AS oldest_s
FROM job_total AS t
GROUP BY t.judge, t.kind, t.state
HAVING sum(t.jobs) > 0
ORDER BY t.judge, t.kind, t.state

-- name: report_counts :many ipr_db_report_count
-- Reports of a kind in a state: "wanted", "running", "kept" or "failed".
-- column kind, state text
-- column reports int64
SELECT
    kind,
    state,
    count(*) AS reports
FROM report
GROUP BY kind, state
ORDER BY kind, state

-- name: health :one ipr_db_health
-- What slows the queue down: an old snapshot, since the dead entries of finished jobs cannot be
-- removed before it ends.
-- column xmin_age int64                 -- transactions since the oldest snapshot or slot
-- column oldest_snapshot_s double       -- seconds since the oldest transaction that holds one began
-- column live_jobs, dead_jobs int64     -- rows of the table of jobs, as PostgreSQL estimates
-- missing no table of jobs
--
-- Dead entries of finished jobs cannot be removed before the oldest snapshot ends. Without the
-- privilege to see other users' sessions these are not counted.
SELECT
    coalesce((
        SELECT max(h.age)
        FROM (
            SELECT age(backend_xmin) AS age FROM pg_stat_activity
            UNION ALL
            SELECT age(transaction) FROM pg_prepared_xacts
            UNION ALL
            SELECT age(xmin) FROM pg_replication_slots
        ) AS h
    ), 0) AS xmin_age,
    coalesce((
        SELECT greatest(0, extract(epoch FROM clock_timestamp() - min(xact_start)))
        FROM pg_stat_activity
        WHERE backend_xmin IS NOT NULL
    ), 0)::double precision AS oldest_snapshot_s,
    s.n_live_tup AS live_jobs,
    s.n_dead_tup AS dead_jobs
FROM pg_stat_user_tables AS s
WHERE s.relid = 'job'::regclass

-- name: waiting_owners :many ipr_db_waiting_owner
-- Waiting jobs of an owner in a priority, for engines of a program. In the order in which they are
-- taken, whatever the local program, then those of fishnet; at most `limit`.
-- param limit int
-- column owner, program text
-- column priority int
-- column jobs int64
-- column place int64                    -- of the first of them, 0 before all others; owners take turns by it
SELECT
    t.owner,
    t.program,
    t.priority,
    t.jobs,
    greatest(f.place, 0) AS place
FROM (
    SELECT
        owner, program, priority,
        sum(jobs) AS jobs
    FROM job_total
    WHERE state = 'ready'
    GROUP BY owner, program, priority
    HAVING sum(jobs) > 0
) AS t
CROSS JOIN LATERAL (
    @place_of_owner(ASC)
) AS f
ORDER BY t.program = 'fishnet', t.priority, f.place, t.owner, t.program
LIMIT $1

-- name: waiting_games :many ipr_db_waiting_game
-- The games that are judged next.
-- param limit int
-- column id, game_id, place int64
-- column white, black, event, judge, owner, program text
-- column year, priority int
--
-- In the order in which they are taken, except for fishnet: its jobs do not wait for others, nor
-- others for them.
SELECT
    j.id, j.game_id, j.judge, j.owner, j.program, j.priority, j.place, g.year,
    e.name AS event,
    w.name AS white,
    b.name AS black
FROM (
    SELECT f.*
    FROM (
        SELECT program
        FROM job_total
        WHERE state = 'ready' AND kind = 'judge'
        GROUP BY program
        HAVING sum(jobs) > 0
    ) AS p
    CROSS JOIN LATERAL (
        SELECT *
        FROM job
        WHERE state = 'ready' AND kind = 'judge' AND program = p.program
        ORDER BY priority, place, id
        LIMIT $1
    ) AS f
    ORDER BY f.priority, f.place, f.id
    LIMIT $1
) AS j
INNER JOIN game AS g ON g.id = j.game_id
INNER JOIN event AS e ON e.id = g.event_id
INNER JOIN player AS w ON w.id = g.white_id
INNER JOIN player AS b ON b.id = g.black_id
ORDER BY j.priority, j.place, j.id

-- name: upload_jobs :many ipr_db_upload_jobs
-- Uploads with jobs of a judge, newest uploads first.
-- param limit int
-- column id int64
-- column source, created, judge text
-- column white, black, event text or "" -- of one of its first games
-- column owner text                     -- who queued them, the first of `owners` by name
-- column owners int
-- column games int64                    -- accepted, whatever became of them
-- column priority int                   -- the first
-- column ready, running, paused, failed int64
--
-- A game counts for the upload that added it. An upload is described by one of its first games:
-- read as a range in the order of the index, since with an equality and a limit all games may be
-- read to find the first hundred.
SELECT
    q.*,
    f.event, f.white, f.black
FROM (
    SELECT
        u.id, u.source, t.judge,
        u.imported + u.duplicate AS games,
        to_char(u.created AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') AS created,
        min(t.owner) AS owner,
        count(DISTINCT t.owner) AS owners,
        min(t.priority) AS priority,
        coalesce(sum(t.jobs) FILTER (WHERE t.state = 'ready'), 0) AS ready,
        coalesce(sum(t.jobs) FILTER (WHERE t.state = 'leased'), 0) AS running,
        coalesce(sum(t.jobs) FILTER (WHERE t.state = 'paused'), 0) AS paused,
        coalesce(sum(t.jobs) FILTER (WHERE t.state = 'failed'), 0) AS failed
    FROM (
        SELECT
            upload_id, judge, state, priority, owner,
            sum(jobs) AS jobs
        FROM job_total
        WHERE kind = 'judge' AND upload_id > 0
        GROUP BY upload_id, judge, state, priority, owner
        HAVING sum(jobs) > 0
    ) AS t
    INNER JOIN upload AS u ON u.id = t.upload_id
    GROUP BY u.id, u.source, u.created, u.imported, u.duplicate, t.judge
    ORDER BY u.id DESC, t.judge
    LIMIT $1
) AS q
LEFT JOIN LATERAL (
    SELECT
        e.name AS event,
        w.name AS white,
        b.name AS black
    FROM (
        SELECT s.ordinal, s.event_id, s.white_id, s.black_id
        FROM game AS s
        WHERE s.upload_id >= q.id AND s.upload_id <= q.id
        ORDER BY s.upload_id
        LIMIT 100
    ) AS g
    INNER JOIN event AS e ON e.id = g.event_id
    INNER JOIN player AS w ON w.id = g.white_id
    INNER JOIN player AS b ON b.id = g.black_id
    ORDER BY g.ordinal
    LIMIT 1
) AS f ON true
ORDER BY q.id DESC, q.judge

-- name: unjudged :one
-- Games of a person (a root), in a year unless it is 0, which no judge of this name has judged both
-- sides of, or the person's own alone, with or without those queued for it; *turns: the approximate
-- number of turns to judge, from their plies.
-- param person int32
-- param year int
-- param judge text
-- param queued bool
-- param own bool
-- column games, turns int64
SELECT
    count(*) AS games,
    coalesce(
        sum(greatest(0, g.plies - 2 * (d.first_move - 1)) * (n.sides - s.judged) / 2), 0
    )::bigint AS turns
FROM game AS g
INNER JOIN judge_definition AS d ON d.name = $3
CROSS JOIN (SELECT CASE WHEN $5::boolean THEN 1 ELSE 2 END AS sides) AS n
CROSS JOIN LATERAL (
    SELECT coalesce(max(one.sides), 0) AS judged
    FROM (
        SELECT count(*) AS sides
        FROM judged_side AS j
        INNER JOIN judge AS by ON by.id = j.judge_id
        WHERE
            j.game_id = g.id AND by.name = $3
            AND (
                NOT $5
                OR (j.colour = 0) = (g.white_id = ANY(person_identities($1)))
            )
        GROUP BY j.judge_id
    ) AS one
) AS s
WHERE
    (g.white_id = ANY(person_identities($1)) OR g.black_id = ANY(person_identities($1)))
    AND ($2::integer = 0 OR g.year = $2)
    AND octet_length(g.moves) > 0
    AND ($4::boolean OR NOT EXISTS (
        SELECT FROM job AS q WHERE q.game_id = g.id AND q.judge = $3 AND q.kind = 'judge'
    ))
    AND s.judged < n.sides

-- name: judged_by :many ipr_db_judged_by
-- What each judge has judged of a person's games, most turns first; `person` and `year` as in
-- ipr_db_unjudged.
-- param person int32
-- param year int
-- column id int32 as judge_id
-- column name text
-- column multipv int
-- column games, turns int64
SELECT
    j.id, j.name, j.multipv,
    sum(y.games) AS games,
    sum(y.turns) AS turns
FROM player_year AS y
INNER JOIN judge AS j ON j.id = y.judge_id
WHERE y.player_id = ANY(person_identities($1)) AND ($2::integer = 0 OR y.year = $2)
GROUP BY j.id
HAVING sum(y.turns) > 0
ORDER BY turns DESC, j.id

-- name: writable :one
-- Whether the database takes writes: neither a standby nor set to be read only.
-- column writable bool
SELECT NOT pg_is_in_recovery() AND current_setting('transaction_read_only') = 'off' AS writable
