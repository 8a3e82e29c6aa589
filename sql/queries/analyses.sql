-- name: queue_lock :exec inside
--
-- Short transactions that queue or move jobs run one after the other, so that each sees the places
-- that the others assigned. Any number will do as long as it stays. A million jobs may take longer
-- than other statements are given.
SELECT
    pg_advisory_xact_lock(7460301958214907),
    set_config('statement_timeout', '600000', true)

-- name: selection_there :one inside
-- arg const struct ipr_db_selection *s
-- bind s->upload, s->game int64
-- bind s->person int32
-- bind s->judge text
-- column upload, game, person, judge bool
--
-- An upload, a game and a person, each 0 for none, and a judge, NULL for none.
SELECT
    $1::bigint = 0 OR EXISTS (SELECT FROM upload WHERE id = $1) AS upload,
    $2::bigint = 0 OR EXISTS (SELECT FROM game WHERE id = $2) AS game,
    $3::integer = 0 OR EXISTS (SELECT FROM player WHERE id = $3 AND id <> 0) AS person,
    $4::text IS NULL
    OR EXISTS (SELECT FROM judge_definition WHERE name = $4)
    OR EXISTS (SELECT FROM judge WHERE name = $4) AS judge

-- part: planned
-- The games of a plan, with the sides to analyse: those of the persons of its spans; of a span
-- without a person, and of the games that are listed, both.
span AS MATERIALIZED (
    SELECT DISTINCT
        coalesce(p.merged_into, u.player) AS player,
        u.opponent,
        u.event,
        u.first,
        u.last
    FROM unnest($3::integer[], $4::integer[], $5::integer[], $6::integer[], $7::integer[])
        AS u (player, opponent, event, first, last)
    LEFT JOIN player AS p ON p.id = u.player
),

member AS MATERIALIZED (
    SELECT
        p.id,
        s.opponent,
        s.event,
        s.first,
        s.last
    FROM span AS s
    INNER JOIN player AS p ON p.id = s.player OR p.merged_into = s.player
    WHERE s.player <> 0
),

side AS (
    SELECT g.id, 1 AS side, g.black_id AS other, m.opponent, m.event, m.first, m.last
    FROM member AS m
    INNER JOIN game AS g ON g.white_id = m.id
    UNION ALL
    SELECT g.id, 2 AS side, g.white_id AS other, m.opponent, m.event, m.first, m.last
    FROM member AS m
    INNER JOIN game AS g ON g.black_id = m.id
    UNION ALL
    SELECT g.game_id, 3 AS side, 0 AS other, 0 AS opponent, s.event, s.first, s.last
    FROM span AS s
    CROSS JOIN selected_games($1::bigint, $2::bigint, 0, 0) AS g
    WHERE s.player = 0
    UNION ALL
    SELECT l.id, 3 AS side, 0 AS other, 0 AS opponent, 0 AS event, 0 AS first, 0 AS last
    FROM unnest($9::bigint[]) AS l (id)
),

planned AS MATERIALIZED (
    SELECT
        s.id,
        bool_and(octet_length(g.moves) > 0) AS moves_there,
        CASE WHEN $8::boolean THEN bit_or(s.side) ELSE 3 END AS sides
    FROM side AS s
    INNER JOIN game AS g ON g.id = s.id
    WHERE
        ($1::bigint = 0 OR g.id IN (SELECT u.game_id FROM upload_game AS u WHERE u.upload_id = $1))
        AND ($2::bigint = 0 OR g.id = $2)
        AND (s.first = 0 OR g.year >= s.first)
        AND (s.last = 0 OR g.year BETWEEN 1 AND s.last)
        AND (s.event = 0 OR g.event_id = s.event)
        AND (s.opponent = 0 OR s.other = ANY(person_identities(s.opponent)))
    GROUP BY s.id
)

-- name: planned_games :many ipr_db_planned_game inside
-- arg const struct ipr_db_plan *plan
-- bind plan->games.upload, plan->games.game int64
-- bind plan->spans[].player, plan->spans[].opponent, plan->spans[].event int32[]
-- bind plan->spans[].from, plan->spans[].to int[]
-- bind plan->own bool
-- bind plan->listed int64[]
-- column id int64
-- column sides int32
WITH
@planned()

SELECT
    p.id,
    p.sides
FROM planned AS p
WHERE p.moves_there
ORDER BY p.id

-- name: plan_totals :one inside
-- arg const struct ipr_db_plan *plan
-- bind plan->games.upload, plan->games.game int64
-- bind plan->spans[].player, plan->spans[].opponent, plan->spans[].event int32[]
-- bind plan->spans[].from, plan->spans[].to int[]
-- bind plan->own bool
-- bind plan->listed int64[]
-- param judge text
-- param first_ply int
-- column games int64                    -- of the plan
-- column turns int64                    -- of its sides
-- column games_there int64              -- games with nothing left to queue
-- column turns_there int64              -- already analysed or queued
WITH
@planned(),

-- Of a game without moves what figures are there is all there can be.
counted AS (
    SELECT
        CASE WHEN p.moves_there THEN p.sides ELSE p.sides & d.sides END AS sides,
        greatest(g.plies - $11::integer, 0) AS turns,
        CASE
            WHEN p.moves_there
                THEN p.sides & ~coalesce(d.sides, 0)
                & ~CASE WHEN j.state <> 'failed' THEN j.sides ELSE 0 END
            ELSE 0
        END AS rest
    FROM planned AS p
    INNER JOIN game AS g ON g.id = p.id
    LEFT JOIN job AS j ON j.game_id = p.id AND j.judge = $10::text AND j.kind = 'judge'
    LEFT JOIN LATERAL (
        @sides_of_judge(p.id; $10::text; p.sides)
    ) AS d ON TRUE
)

SELECT
    count(*) AS games,
    coalesce(sum(side_turns(turns, sides)), 0) AS turns,
    count(*) FILTER (WHERE rest = 0) AS games_there,
    coalesce(sum(side_turns(turns, sides) - side_turns(turns, rest)), 0) AS turns_there
FROM counted
WHERE sides > 0

-- name: players_missing :many inside
-- The first id that is not that of a player; 0 names none.
-- arg const struct ipr_db_plan *plan
-- bind plan->spans[].player int32[]
-- column id int32
SELECT u.id
FROM unnest($1::integer[]) WITH ORDINALITY AS u (id, n)
WHERE u.id <> 0 AND NOT EXISTS (SELECT FROM player AS p WHERE p.id = u.id)
ORDER BY u.n
LIMIT 1

-- name: games_missing :many inside
-- The first id that is not that of a game.
-- arg const struct ipr_db_plan *plan
-- bind plan->listed int64[]
-- column id int64
SELECT u.id
FROM unnest($1::bigint[]) WITH ORDINALITY AS u (id, n)
WHERE NOT EXISTS (SELECT FROM game AS g WHERE g.id = u.id)
ORDER BY u.n
LIMIT 1

-- name: analyses_cancel :one inside
-- param s selection
-- column jobs int32
WITH picked AS MATERIALIZED (
    SELECT id
    FROM job
    WHERE id IN (SELECT s.id FROM selected_jobs($1, $2, $3, $4, $5) AS s)
    ORDER BY id
    FOR UPDATE
),

done AS (
    DELETE FROM job USING picked
    WHERE job.id = picked.id
    RETURNING job.id
)

SELECT
    count(*) AS jobs,
    pg_notify('progress', '')
FROM done

-- name: analyses_pause :one inside
-- param s selection
-- column jobs int32
--
-- The attempt of a running job is not counted: it did not fail.
WITH picked AS MATERIALIZED (
    SELECT id
    FROM job
    WHERE
        id IN (
            SELECT s.id FROM selected_jobs($1, $2, $3, $4, $5) AS s
            WHERE s.state IN ('ready', 'leased')
        )
        AND state IN ('ready', 'leased')
    ORDER BY id
    FOR UPDATE
),

done AS (
    UPDATE job
    SET
        state = 'paused', turns_done = 0,
        attempts = job.attempts - (job.state = 'leased')::integer,
        lease_token = NULL, lease_until = NULL, leased_at = NULL, worker = NULL
    FROM picked
    WHERE job.id = picked.id
    RETURNING job.id
)

SELECT
    count(*) AS jobs,
    pg_notify('progress', '')
FROM done

-- name: analyses_ready :one inside
-- param s selection
-- param state text
-- column jobs int32
--
-- Paused or failed ones ($6), in their order, after the other waiting jobs of their owners: with
-- their old places they would come before all jobs.
WITH picked AS MATERIALIZED (
    SELECT
        id, priority, owner, place,
        program = 'fishnet' AS remote
    FROM job
    WHERE
        id IN (
            SELECT s.id FROM selected_jobs($1, $2, $3, $4, $5) AS s
            WHERE s.state = $6::text
        )
        AND state = $6::text
    ORDER BY id
    FOR UPDATE
),

first AS MATERIALIZED (
    SELECT
        q.remote, q.priority, q.owner,
        queue_place(q.remote, q.priority, q.owner) AS place
    FROM (SELECT DISTINCT remote, priority, owner FROM picked) AS q
),

placed AS (
    SELECT
        p.id,
        f.place - 1
        + row_number() OVER (PARTITION BY p.remote, p.priority, p.owner ORDER BY p.place, p.id)
            AS place
    FROM picked AS p
    INNER JOIN first AS f
        ON f.remote = p.remote AND f.priority = p.priority AND f.owner = p.owner
),

done AS (
    UPDATE job
    SET
        state = 'ready',
        place = placed.place,
        run_at = now(),
        attempts = CASE job.state WHEN 'failed' THEN 0 ELSE job.attempts END,
        silences = CASE job.state WHEN 'failed' THEN 0 ELSE job.silences END,
        last_error = CASE job.state WHEN 'failed' THEN NULL ELSE job.last_error END,
        last_worker = NULL
    FROM placed
    WHERE job.id = placed.id
    RETURNING job.id
)

SELECT
    count(*) AS jobs,
    pg_notify('progress', '')
FROM done

-- name: analyses_priority :one inside
-- param s selection
-- param priority int
-- column jobs int32
--
-- To $6. The owner's jobs keep their order among themselves. Running ones change only their
-- priority: their place is where the other queue is now. Confirmations stay behind all others.
WITH picked AS MATERIALIZED (
    SELECT
        id, priority, owner, place, state,
        program = 'fishnet' AS remote
    FROM job
    WHERE
        id IN (
            SELECT s.id FROM selected_jobs($1, $2, $3, $4, $5) AS s
            WHERE s.state <> 'failed' AND s.priority <> $6::smallint AND s.kind = 'judge'
        )
        AND state <> 'failed' AND priority <> $6::smallint
    ORDER BY id
    FOR UPDATE
),

first AS MATERIALIZED (
    SELECT
        q.remote, q.owner,
        queue_place(q.remote, $6::smallint, q.owner) AS place,
        queue_place(q.remote, $6::smallint, NULL) AS now
    FROM (SELECT DISTINCT remote, owner FROM picked) AS q
),

placed AS (
    SELECT
        p.id,
        CASE p.state WHEN 'leased' THEN f.now ELSE
            f.place - 1 + row_number() OVER (
                PARTITION BY p.remote, p.owner, p.state = 'leased'
                ORDER BY p.priority, p.place, p.id
            )
        END AS place
    FROM picked AS p
    INNER JOIN first AS f ON f.remote = p.remote AND f.owner = p.owner
),

done AS (
    UPDATE job
    SET priority = $6::smallint, place = placed.place
    FROM placed
    WHERE job.id = placed.id
    RETURNING job.id
)

SELECT
    count(*) AS jobs,
    pg_notify('progress', '')
FROM done

-- row: ipr_db_analysis
-- column id, game_id int64
-- column white, black, event, judge, state, owner text
-- column worker, last_error text or NULL
-- column created text                   -- RFC 3339
-- column year, priority, attempts, turns_done, turns_total int

-- part: names_of_game
g.year,
e.name AS event,
w.name AS white,
b.name AS black

-- part: columns_of_analysis
j.id, j.game_id, j.judge, j.owner, j.worker, j.last_error, j.priority, j.attempts,
j.turns_done, j.turns_total,
CASE j.state WHEN 'leased' THEN 'running' ELSE j.state END AS state,
to_char(j.created AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') AS created,
@names_of_game()

-- part: game_of_job
INNER JOIN game AS g ON g.id = j.game_id
INNER JOIN event AS e ON e.id = g.event_id
INNER JOIN player AS w ON w.id = g.white_id
INNER JOIN player AS b ON b.id = g.black_id

-- part: jobs_of_state state
(
    SELECT * FROM job
    WHERE
        state = @state AND is_steered(kind, $1) AND id > $3
        AND ($2::text IS NULL OR $2 = @state) AND ($1::text IS NULL OR judge = $1)
    ORDER BY id
    LIMIT $4
)

-- name: analyses_selected :many ipr_db_analysis inside
-- param s selection
-- param state text
-- param after int64
-- param limit int
SELECT
    @columns_of_analysis()
FROM (
    SELECT s.*
    FROM selected_jobs($1, $2, $3, $4, $5) AS s
    WHERE ($6::text IS NULL OR s.state = $6) AND s.id > $7
    ORDER BY s.id
    LIMIT $8
) AS j
@game_of_job()
ORDER BY j.id

-- name: analyses_queued :many ipr_db_analysis inside
-- param judge, state text
-- param after int64
-- param limit int
--
-- The same for the whole queue, or for a judge ($1) in it. Each state has its own branch, so that
-- the index of its jobs is used.
SELECT
    @columns_of_analysis()
FROM (
    SELECT s.*
    FROM (
        @jobs_of_state('ready')
        UNION ALL
        @jobs_of_state('leased')
        UNION ALL
        @jobs_of_state('paused')
        UNION ALL
        @jobs_of_state('failed')
    ) AS s
    ORDER BY s.id
    LIMIT $4
) AS j
@game_of_job()
ORDER BY j.id

-- row: ipr_db_job_group
-- Jobs of one program, judge and state.
-- column program, judge, state text
-- column jobs, turns, age_s int64
-- column longest int64                  -- turns of the longest game

-- name: queue_groups :many ipr_db_job_group inside
-- param judge text
--
-- As below, of the whole queue or of a judge ($1) in it, without reading it: where more than a
-- thousand games wait, the longest of a thousand is taken for the longest, which then makes no
-- difference.
SELECT
    t.program, t.judge, t.state,
    sum(t.jobs) AS jobs,
    sum(t.turns) AS turns,
    coalesce(
        CASE t.state WHEN 'ready' THEN (
            SELECT max(greatest(o.turns_total - o.turns_done, 0))
            FROM (
                SELECT f.turns_total, f.turns_done
                FROM job AS f
                WHERE f.judge = t.judge AND f.kind = t.kind AND f.state = 'ready'
                LIMIT 1000
            ) AS o
        ) WHEN 'leased' THEN (
            SELECT max(greatest(o.turns_total - o.turns_done, 0))
            FROM job AS o
            WHERE o.judge = t.judge AND o.kind = t.kind AND o.state = 'leased'
        ) END, 0
    ) AS longest,
    CASE t.state WHEN 'ready' THEN coalesce(
        (
            SELECT greatest(0, floor(extract(epoch FROM now() - o.created)))
            FROM job AS o
            WHERE o.judge = t.judge AND o.kind = t.kind AND o.state = 'ready'
            ORDER BY o.created
            LIMIT 1
        ), 0
    ) ELSE 0 END AS age_s
FROM job_total AS t
WHERE is_steered(t.kind, $1) AND ($1::text IS NULL OR t.judge = $1)
GROUP BY t.program, t.judge, t.kind, t.state
HAVING sum(t.jobs) > 0
ORDER BY t.program, t.judge, t.state

-- row: ipr_db_work_share
-- Turns for one judge, by engines of one program.
-- column program, judge text
-- column turns int64

-- name: queue_ahead :many ipr_db_work_share inside
-- param judge text
--
-- As below, for a judge in the whole queue: the total, less what comes after its last job.
WITH last AS MATERIALIZED (
    SELECT DISTINCT ON (p.program = 'fishnet')
        p.program = 'fishnet' AS remote, l.priority, l.place, l.id
    FROM (
        SELECT program
        FROM job_total
        WHERE judge = $1::text AND is_steered(kind, $1) AND state IN ('ready', 'leased')
        GROUP BY program
        HAVING sum(jobs) > 0
    ) AS p
    LEFT JOIN LATERAL (
        SELECT j.priority, j.place, j.id
        FROM job AS j
        WHERE
            j.state = 'ready' AND j.program = p.program AND j.judge = $1
            AND is_steered(j.kind, $1)
        ORDER BY j.priority DESC, j.place DESC, j.id DESC
        LIMIT 1
    ) AS l ON true
    ORDER BY
        p.program = 'fishnet', l.priority DESC NULLS LAST, l.place DESC NULLS LAST,
        l.id DESC NULLS LAST
)

SELECT
    a.program, a.judge,
    greatest(sum(a.turns), 0) AS turns
FROM (
    SELECT t.program, t.judge, t.turns
    FROM last AS l
    INNER JOIN job_total AS t ON (t.program = 'fishnet') = l.remote
    WHERE t.state = 'leased' OR (t.state = 'ready' AND l.id IS NOT NULL)
    UNION ALL
    SELECT j.program, j.judge, -greatest(j.turns_total - j.turns_done, 0)
    FROM last AS l
    INNER JOIN program AS p ON p.remote = l.remote
    INNER JOIN job AS j
        ON
            j.state = 'ready' AND j.program = p.name
            AND (j.priority, j.place, j.id) > (l.priority, l.place, l.id)
) AS a
GROUP BY a.program, a.judge
HAVING sum(a.turns) > 0 OR a.judge = $1
ORDER BY a.program, a.judge

-- name: analyses_groups :many ipr_db_job_group inside
-- param s selection
--
-- For an upload the totals are used, as in queue_groups; jobs for games that it shares with another
-- upload are read, and so are those of other selections.
SELECT
    j.program, j.judge, j.state,
    sum(j.jobs) AS jobs,
    sum(j.turns) AS turns,
    coalesce(max(j.longest), 0) AS longest,
    greatest(0, floor(extract(epoch FROM now() - min(j.created)))) AS age_s
FROM (
    SELECT t.program, t.judge, t.state, t.jobs, t.turns, f.longest, f.created
    FROM (
        SELECT
            program, judge, state,
            sum(jobs) AS jobs,
            sum(turns) AS turns
        FROM job_total
        WHERE
            $1::bigint <> 0 AND $2::bigint = 0 AND $3::integer = 0
            AND upload_id = $1 AND kind = 'judge' AND ($5::text IS NULL OR judge = $5)
        GROUP BY program, judge, state
        HAVING sum(jobs) > 0
    ) AS t
    CROSS JOIN LATERAL (
        SELECT
            max(greatest(o.turns_total - o.turns_done, 0)) AS longest,
            min(o.created) AS created
        FROM (
            SELECT f.turns_total, f.turns_done, f.created
            FROM job AS f
            WHERE
                f.upload_id = $1 AND f.state = t.state AND f.kind = 'judge'
                AND f.judge = t.judge AND f.program = t.program
            LIMIT 1000
        ) AS o
    ) AS f
    UNION ALL
    SELECT
        s.program,
        s.judge,
        s.state,
        1,
        greatest(s.turns_total - s.turns_done, 0),
        greatest(s.turns_total - s.turns_done, 0),
        s.created
    FROM (
        SELECT * FROM shared_jobs($1, $5) WHERE $1 <> 0 AND $2 = 0 AND $3 = 0
        UNION ALL
        SELECT * FROM selected_jobs($1, $2, $3, $4, $5)
        WHERE $1 = 0 OR $2 <> 0 OR $3 <> 0 OR kind = 'confirm'
    ) AS s
) AS j
GROUP BY j.program, j.judge, j.state
ORDER BY j.program, j.judge, j.state

-- part: jobs_beside side when
-- At most 2,001 ready jobs before or after the last ones.
SELECT j.program, j.judge, j.turns
FROM last AS l
INNER JOIN program AS p ON p.remote = l.remote
CROSS JOIN LATERAL (
    SELECT
        o.program,
        o.judge,
        greatest(o.turns_total - o.turns_done, 0) AS turns
    FROM job AS o
    WHERE
        o.state = 'ready' AND o.program = p.name
        AND (o.priority, o.place, o.id) @side (l.priority, l.place, l.id)
        AND @when
    ORDER BY o.priority, o.place, o.id
    LIMIT 2001
) AS j

-- part: place_of_owner order
-- Of the first or last job that an owner t has waiting in a priority.
SELECT j.place
FROM job AS j
WHERE
    j.state = 'ready' AND j.owner = t.owner AND j.program = t.program
    AND j.priority = t.priority
ORDER BY j.place @order
LIMIT 1

-- name: analyses_ahead :many ipr_db_work_share inside
-- param s selection
--
-- By program and judge: the turns judged before or at the same time as the last job of a selection,
-- that job included. Local programs have one queue, fishnet has another. If few jobs follow the
-- last one they are subtracted from the totals; if few precede it they are read; if there are many
-- of both, an owner's jobs before it are estimated by their places, which are consecutive.
WITH mine AS MATERIALIZED (
    SELECT t.state, f.priority, f.place, f.id, t.remote
    FROM (
        SELECT
            state,
            program = 'fishnet' AS remote
        FROM job_total
        WHERE
            $1::bigint <> 0 AND $2::bigint = 0 AND $3::integer = 0
            AND upload_id = $1 AND kind = 'judge' AND ($5::text IS NULL OR judge = $5)
            AND state IN ('ready', 'leased')
        GROUP BY 1, 2
        HAVING sum(jobs) > 0
    ) AS t
    CROSS JOIN LATERAL (
        SELECT j.priority, j.place, j.id
        FROM job AS j
        WHERE
            j.upload_id = $1 AND j.state = t.state AND j.kind = 'judge'
            AND ($5 IS NULL OR j.judge = $5) AND (j.program = 'fishnet') = t.remote
        ORDER BY j.priority DESC, j.place DESC, j.id DESC
        LIMIT 1
    ) AS f
    UNION ALL
    SELECT
        s.state,
        s.priority,
        s.place,
        s.id,
        s.program = 'fishnet'
    FROM (
        SELECT * FROM shared_jobs($1, $5) WHERE $1 <> 0 AND $2 = 0 AND $3 = 0
        UNION ALL
        SELECT * FROM selected_jobs($1, $2, $3, $4, $5)
        WHERE $1 = 0 OR $2 <> 0 OR $3 <> 0 OR kind = 'confirm'
    ) AS s
    WHERE s.state IN ('ready', 'leased')
),

last AS MATERIALIZED (
    SELECT DISTINCT ON (remote) remote, priority, place, id
    FROM mine
    WHERE state = 'ready'
    ORDER BY remote ASC, priority DESC, place DESC, id DESC
),

after AS MATERIALIZED (
    @jobs_beside(>; TRUE)
),

before AS MATERIALIZED (
    @jobs_beside(<=; (SELECT count(*) FROM after) > 2000)
),

far AS MATERIALIZED (
    SELECT
        a.n > 2000 AS many_after,
        a.n > 2000 AND b.n > 2000 AS far
    FROM (SELECT count(*) AS n FROM after) AS a
    CROSS JOIN (SELECT count(*) AS n FROM before) AS b
)

SELECT
    a.program, a.judge,
    greatest(sum(a.turns), 0)::bigint AS turns
FROM (
    SELECT t.program, t.judge, t.jobs, t.turns
    FROM last AS l
    INNER JOIN job_total AS t ON t.state = 'ready' AND (t.program = 'fishnet') = l.remote
    WHERE NOT (SELECT many_after FROM far)
    UNION ALL
    SELECT program, judge, -1, -turns
    FROM after
    WHERE NOT (SELECT many_after FROM far)
    UNION ALL
    SELECT program, judge, 1, turns
    FROM before
    WHERE NOT (SELECT far FROM far)
    UNION ALL
    SELECT
        t.program, t.judge, t.jobs,
        round(t.turns * CASE
            WHEN t.priority < t.last_priority THEN 1
            ELSE greatest(0, least(1, (t.last_place - f.place + 1.0) / (e.place - f.place + 1)))
        END)
    FROM (
        SELECT
            l.priority AS last_priority,
            l.place AS last_place,
            o.program,
            o.judge,
            o.owner,
            o.priority,
            sum(o.jobs) AS jobs,
            sum(o.turns) AS turns
        FROM last AS l
        INNER JOIN job_total AS o
            ON
                o.state = 'ready' AND (o.program = 'fishnet') = l.remote
                AND o.priority <= l.priority
        WHERE (SELECT far FROM far)
        GROUP BY 1, 2, 3, 4, 5, 6
        HAVING sum(o.jobs) > 0
    ) AS t
    CROSS JOIN LATERAL (
        @place_of_owner(ASC)
    ) AS f
    CROSS JOIN LATERAL (
        @place_of_owner(DESC)
    ) AS e
    UNION ALL
    SELECT
        j.program,
        j.judge,
        1,
        greatest(j.turns_total - j.turns_done, 0)
    FROM job AS j
    WHERE j.state = 'leased' AND (j.program = 'fishnet') IN (SELECT m.remote FROM mine AS m)
) AS a
GROUP BY a.program, a.judge
HAVING sum(a.jobs) > 0
ORDER BY a.program, a.judge

-- name: judge_speeds :many
-- Recent time per turn of judges with these names, in seconds of one engine, known turns included;
-- below 0: not measured.
-- param judges text[]
-- column seconds double or -1.0
--
-- Recent seconds per turn of each judge, known turns included; NULL: not measured.
SELECT
    (
        SELECT sum(r.search_ms) / 1000.0 / sum(r.turns)
        FROM (
            SELECT s.search_ms, s.turns
            FROM judge AS j
            CROSS JOIN LATERAL (
                SELECT t.search_ms, t.turns, t.finished
                FROM judged_side AS t
                WHERE t.judge_id = j.id AND t.search_ms > 0 AND t.turns > 0
                ORDER BY t.finished DESC
                LIMIT 200
            ) AS s
            WHERE j.name = n.judge
            ORDER BY s.finished DESC
            LIMIT 200
        ) AS r
    ) AS seconds
FROM unnest($1::text[]) AS n (judge)

-- name: worker_engines :many ipr_db_program_engines inside
-- Engines for one program.
-- param programs text[]
-- column program text
-- column engines int
-- column of_any int                     -- with any of these programs
--
-- Engines of live workers that have a program, and of those with any of the programs.
SELECT
    p.program,
    coalesce(sum(w.threads), 0) AS engines,
    (
        SELECT coalesce(sum(o.threads), 0)
        FROM worker AS o
        WHERE o.seen > now() - interval '1 minute' AND o.engines && $1
    ) AS of_any
FROM (SELECT DISTINCT u.program FROM unnest($1::text[]) AS u (program)) AS p
LEFT JOIN worker AS w ON w.seen > now() - interval '1 minute' AND p.program = ANY(w.engines)
GROUP BY p.program

-- name: selection_judged :one inside
-- param s selection
-- column games int64
--
-- For an upload and the judge it was sent for this is the stored count (upload_count_games). A game
-- of a person counts if the person's own moves are judged.
SELECT
    coalesce(
        (
            SELECT (SELECT coalesce(sum(t.games), 0) FROM upload_total AS t WHERE t.upload_id = u.id)
            FROM upload AS u
            WHERE
                u.id = $1 AND $2 = 0 AND $3 = 0 AND u.judge = coalesce($5, '')
                AND u.count_after IS DISTINCT FROM '0'
        ),
        (
            SELECT count(*)
            FROM selected_games($1, $2, $3, $4) AS s
            INNER JOIN game AS g ON g.id = s.game_id
            WHERE EXISTS (
                SELECT
                FROM judged_side AS w
                INNER JOIN judge AS d ON d.id = w.judge_id
                WHERE w.game_id = g.id AND ($5::text IS NULL OR d.name = $5)
                GROUP BY w.judge_id
                HAVING
                    count(*) = 2
                    OR bool_or(
                        $3 <> 0 AND CASE w.colour WHEN 0 THEN g.white_id ELSE g.black_id END
                        = ANY(person_identities($3))
                    )
            )
        )
    ) AS games

-- name: queue_judged :one inside
-- param judge text
-- column games int64
SELECT coalesce(sum(t.games), 0) AS games
FROM judge_total AS t
INNER JOIN judge AS j ON j.id = t.judge_id
WHERE $1::text IS NULL OR j.name = $1

-- name: queue_state :one ipr_db_queue
-- column ready, leased, paused, failed int64
-- column judged_games, judged_turns int64 -- all judges
SELECT
    q.ready, q.leased, q.paused, q.failed, d.judged_games, d.judged_turns
FROM (
    SELECT
        coalesce(sum(jobs) FILTER (WHERE state = 'ready'), 0) AS ready,
        coalesce(sum(jobs) FILTER (WHERE state = 'leased'), 0) AS leased,
        coalesce(sum(jobs) FILTER (WHERE state = 'paused'), 0) AS paused,
        coalesce(sum(jobs) FILTER (WHERE state = 'failed'), 0) AS failed
    FROM job_total
    WHERE kind <> 'confirm'
) AS q
CROSS JOIN (
    SELECT
        coalesce(sum(games), 0) AS judged_games,
        coalesce(sum(turns), 0) AS judged_turns
    FROM judge_total
) AS d

-- name: jobs_running :many ipr_db_running
-- Games being judged now.
-- column game_id int64
-- column white, black, event text
-- column worker text or ""
-- column judge text
-- column year, turns_done, turns_total, attempts int
SELECT
    j.game_id, j.worker, j.judge, j.turns_done, j.turns_total, j.attempts,
    @names_of_game()
FROM job AS j
@game_of_job()
WHERE j.state = 'leased' AND j.kind <> 'confirm'
ORDER BY j.id
